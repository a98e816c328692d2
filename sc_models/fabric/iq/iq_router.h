#pragma once
// Input-queued virtual-channel wormhole router: buffers per VC at the inputs, VC and switch allocation (separable or
// iSLIP), credits. One flit per cycle and port. Timing: docs/iq_router.md. Source: Dally and Towles, "Principles and
// Practices of Interconnection Networks", 2004, chapters 16 to 19.
//
// The router acts only in cycles in which something can change: arrivals, credits and pipeline stages that end wait in
// a ring of buckets, one per coming cycle, each with at most one entry on the agenda; beyond that it asks for the next
// cycle only while a grant is possible. All state is in flat arrays; nothing is allocated after construction.

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/iq/parameters.h"
#include "fabric/iq/protocol.h"
#include "fabric/observer.h"
#include "fabric/observer_list.h"

namespace weft {

using PacketObservers = ObserverList<PacketObserver>;

struct IqSite {
  SwitchId sw = 0;
  PortId ports = 0;
  std::vector<bool> to_node;    ///< per port: a NIC is behind it
  std::vector<bool> connected;  ///< per port
};

class IqRouter : public sc_core::sc_module, public IqReceiver, public IqSender, public Agent {
 public:
  /// All references must outlive the router.
  IqRouter(sc_core::sc_module_name name, ClockDomain& domain, const IqSite& site, const IqParameters& parameters,
           const PacketRouting& routing, const PacketObservers& observers);
  ~IqRouter() override;

  IqInPort& in(PortId port) { return *in_[port]; }
  IqOutPort& out(PortId port) { return *out_[port]; }
  PortId ports() const { return ports_; }
  /// Flits sent so far.
  std::uint64_t grants() const { return grants_; }

  /// An input VC that holds flits, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane vc;
    const PacketMessage* message;
    PortId out;             ///< first port of its hop
    bool has_vc;            ///< owns an output VC
    std::uint32_t credits;  ///< of that output VC
  };
  std::vector<Waiting> waiting() const;
  /// What is not as in the beginning: flits left, credits not back, VCs owned. Empty when all is back.
  std::string leftovers() const;

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  using Index = std::uint16_t;  // of an input or output VC: port * VCs + VC
  enum class State : std::uint8_t { idle, routed, requesting, owning, active };
  struct InputVc {
    std::uint32_t read = 0;   // place of the first flit
    std::uint32_t write = 0;  // place for the next flit that is sent to it
    std::uint32_t flits = 0;  // in the buffer; those on their way are already stored
    State state = State::idle;
    VirtualLane first_vc = 0;  // of its lane class
    PortId first = 0;          // hop: ports [first, first + count)
    std::uint16_t count = 1;
    Index out = 0;              // output VC it owns
    PortId out_port = 0;        // its port
    std::uint16_t pointer = 0;  // candidate it prefers
    std::uint32_t request = 0;  // this cycle: candidate number, with iSLIP that of the best grant
    std::uint32_t class_mask = 0;
  };
  struct OutputVc {
    std::uint32_t credits = 0;
    Index owner = 0;  // input VC, valid while owned
    bool owned = false;
    bool releasing = false;  // tail has left, credits are not all back
    Index pointer = 0;       // input VC it prefers
    Index best = 0;          // this cycle: requester to be granted, kNone: not requested
  };
  struct Port {
    std::uint32_t ready = 0;  // input VCs that can use the switch: active, with a flit and a credit
    std::uint32_t free = 0;   // output VCs that are free
    std::uint8_t vc_pointer = 0;
    bool to_node = false;
    PortId grant_pointer = 0;   // of the output
    PortId accept_pointer = 0;  // of the input, iSLIP
    PortId best_in = kNoPort;   // this cycle: input to be granted by this output
    PortId best_out = kNoPort;  // this cycle, iSLIP: best grant of this input
  };
  struct Bucket {
    std::uint32_t events = 0;
    bool planned = false;  // on the agenda
  };
  enum class Event : std::uint8_t { flit = 0, credit = 1, routed = 2, owning = 3 };
  /// Set of ports.
  using PortSet = std::array<std::uint64_t, kMostIqPorts / 64>;

  static constexpr Index kNone = 0xffff;
  static constexpr std::uint32_t kEventShift = 13;  // 256 ports * 32 VCs below

  void plan(Cycle at);
  void add_event(Cycle at, Event event, std::uint32_t vc);
  void flit_arrived(std::uint32_t vc, Cycle now);
  void credit_arrived(std::uint32_t vc);
  void start_routing(std::uint32_t vc, Cycle from);
  void request_vc(std::uint32_t vc);
  void activate(std::uint32_t vc);
  void update_ready(std::uint32_t vc, const InputVc& input);
  void allocate_vcs_separable(Cycle now);
  void allocate_vcs_islip(Cycle now);
  void grant_vc(std::uint32_t vc, std::uint32_t candidate, Cycle now);
  void forget_granted();
  std::uint32_t first_candidate(const InputVc& input) const;
  void allocate_switch_separable(Cycle now);
  void allocate_switch_islip(Cycle now);
  void send(PortId in, std::uint32_t vc, Cycle now);
  void release(std::uint32_t out_vc);
  template <class Visit>
  void each_port(const PortSet& set, Visit&& visit) const;
  PortId port_of(std::uint32_t vc) const { return port_of_[vc]; }
  PacketMessage& head(const InputVc& input, std::uint32_t vc) const {
    return flits_[static_cast<std::size_t>(vc) * places_ + input.read].message();
  }

  ClockDomain& domain_;
  const PacketRouting& routing_;
  const PacketObservers& observers_;
  const IqParameters parameters_;
  const SwitchId sw_;
  const PortId ports_;
  const std::uint32_t vcs_;
  const std::uint32_t all_vcs_;     // mask
  const std::uint32_t class_vcs_;   // VCs per lane class
  const std::uint32_t places_;      // per VC in flits_: power of two, at least the buffer
  const std::uint32_t port_words_;  // of a PortSet in use
  const Cycle flit_time_;           // grant to arrival at the other end
  const Cycle credit_time_;         // grant to credit at the sender
  sc_core::sc_time flit_delay_;
  sc_core::sc_time credit_delay_;

  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<Port> port_;
  std::vector<PortId> port_of_;
  std::vector<std::uint8_t> lane_class_;  // per input VC
  std::vector<IqFlit> flits_;
  std::vector<Index> requesting_;  // input VCs that wait for an output VC
  std::vector<Index> requested_;   // this cycle: output VCs with requests
  PortSet ready_ports_{};          // inputs with ready VCs
  bool vcs_changed_ = false;       // VC allocation may find something to grant

  std::uint64_t wheel_mask_ = 0;
  std::uint32_t bucket_size_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<std::uint16_t> events_;
  std::uint64_t grants_ = 0;

  std::vector<std::unique_ptr<IqInPort>> in_;
  std::vector<std::unique_ptr<IqOutPort>> out_;
};

}  // namespace weft
