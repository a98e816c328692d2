#pragma once
// Input-queued virtual-channel wormhole router: buffers per VC at the inputs, VC and switch allocation (separable or
// iSLIP), credits. One flit per cycle and port. Timing: docs/iq_router.md. Source: Dally and Towles, "Principles and
// Practices of Interconnection Networks", 2004, chapters 16 to 19.
//
// The router acts only in cycles in which something can change: arrivals, credits and pipeline stages that end wait in
// a ring of buckets, one per coming cycle, each with at most one entry on the agenda; beyond that it asks for the next
// cycle only while a grant is possible. VCs are bits of sets, all state is in flat arrays, nothing is allocated after
// construction.
//
// Links are bound by TLM sockets. Where a socket leads straight to another router, which is seen at the end of
// elaboration, flits and credits are written into that router; through anything else that was put between they go as
// transport calls.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/iq/iq_agenda.h"
#include "fabric/iq/iq_routes.h"
#include "fabric/iq/iq_ways.h"
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

class IqNic;

class IqRouter : public sc_core::sc_module, public IqReceiver, public IqSender, public IqMember {
 public:
  /// All references must outlive the router.
  IqRouter(sc_core::sc_module_name name, ClockDomain& domain, IqAgenda& agenda, const IqSite& site,
           const IqParameters& parameters, const IqRoutes& routes, const PacketObservers& observers);
  ~IqRouter() override;

  IqInPort& in(PortId port) { return *in_[port]; }
  IqOutPort& out(PortId port) { return *out_[port]; }
  PortId ports() const { return ports_; }
  /// Flits sent so far.
  std::uint64_t grants() const { return grants_; }

  /// A flit that arrives in cycle `at`, a credit that can be used from then on.
  void take_flit(PortId in, std::uint32_t vc, IqFlit flit, Cycle at);
  void take_credit(PortId out, std::uint32_t vc, Cycle at) {
    mark(at, kCredit, (static_cast<std::uint32_t>(out) << vc_bits_) + vc);
  }

  /// An input VC that holds flits, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane vc;
    const PacketMessage* message;
    PortId out;             ///< first port of its hop
    bool down;              ///< the link there is down
    bool has_vc;            ///< owns an output VC
    std::uint32_t credits;  ///< of that output VC
  };
  std::vector<Waiting> waiting() const;
  /// What is not as in the beginning: flits left, credits not back, VCs owned. Empty when all is back.
  std::string leftovers() const;

  // Links that fail (iq_router_faults.cpp).

  /// From now on the router asks there for ways. To be called before time begins.
  void set_faults(IqWays& ways, IqDiscards& discards);
  /// Heads get no VC of an output that is down. In Phase::prepare.
  void set_link(PortId out, bool up, Cycle now);
  /// Every head that has not won the switch is routed anew, and gives up a VC that is not on its way. In
  /// Phase::prepare, after all set_link() of the cycle.
  void reroute(Cycle now);
  /// What is on the wire to this input: packets of which a flit arrives now or later, or whose tail has not been sent.
  void each_on_wire(PortId in, Cycle now, const std::function<void(const PacketMessage&)>& visit) const;
  /// A flit of a packet without a way leaves its buffer.
  struct Discarded {
    bool flit = false;               ///< there was one
    PacketMessage* whole = nullptr;  ///< it was the tail of this packet
  };
  Discarded discard_flit(std::uint32_t vc, Cycle now);

  // Looks from outside, between two cycles (iq_router_state.cpp).

  /// Credits of every VC that an output has given away, flits that an input holds or that are on their way to it; by
  /// port * VCs + VC.
  struct Accounts {
    std::vector<std::uint32_t> spent, held;
  };
  void count(Accounts& accounts) const;
  /// A router or a NIC is bound to this output, with nothing in between.
  bool leads_straight(PortId out) const { return port_[out].down != nullptr || port_[out].down_nic != nullptr; }
  /// How an output VC waits: for reports of credits that are lost.
  std::string waits_for(PortId out, std::uint32_t vc) const;
  /// As if `credits` of an output VC had been lost on their way back: for tests of what finds that.
  void lose_credits(PortId out, std::uint32_t vc, std::uint32_t credits);
  /// VC of the flit that arrives at an input in a coming cycle, nothing when none does.
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const;
  /// VC of the credit that comes back to an output in a coming cycle.
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const;
  /// Flits in the buffer of an input VC.
  std::uint32_t queued(PortId in, std::uint32_t vc) const { return inputs_[index_of(in, vc)].flits; }
  std::uint32_t credits(PortId out, std::uint32_t vc) const { return outputs_[index_of(out, vc)].credits; }
  /// Input port and VC of the packet that owns an output VC.
  std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const;

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;
  void prepare(Cycle now) const override;

 protected:
  void end_of_elaboration() override;

 private:
  /// An input or output VC: port << vc_bits_ | VC. The order is that of port * VCs + VC.
  using Index = std::uint16_t;
  static constexpr Index kNone = 0xffff;
  static constexpr std::uint32_t kNoCandidate = ~std::uint32_t{0};

  struct InputVc {
    std::uint16_t read = 0;   // place of the first flit
    std::uint16_t write = 0;  // place for the next flit that is sent to it
    std::uint16_t flits = 0;  // in the buffer; those on their way are already stored
    Index out = kNone;        // output VC it owns
    PortId first = 0;         // hop: ports [first, first + count)
    std::uint8_t count = 1;
    std::uint8_t lanes = 0;     // which VCs it may take: index into class_mask_
    std::uint16_t pointer = 0;  // candidate it prefers
    std::uint16_t request = 0;  // this cycle: candidate number; with iSLIP that of the best grant
  };
  struct OutputVc {
    std::uint16_t credits = 0;
    Index owner = kNone;  // input VC
    Index pointer = 0;    // input VC it prefers
    Index best = kNone;   // this cycle: requester to be granted
  };
  struct alignas(64) Port {
    std::uint32_t free = 0;    // output VCs that are free
    std::uint32_t usable = 0;  // all VCs, none while the link is down
    std::uint8_t vc_pointer = 0;
    bool to_node = false;
    PortId grant_pointer = 0;   // of the output
    PortId accept_pointer = 0;  // of the input, iSLIP
    Index best = kNone;         // this cycle: input VC to be granted by this output
    PortId down_port = 0;       // behind the output: port of the router `down`
    PortId up_port = 0;         // before the input: port of the router `up`
    IqRouter* down = nullptr;   // no router and no NIC: by the socket
    IqRouter* up = nullptr;
    IqNic* down_nic = nullptr;
    IqNic* up_nic = nullptr;
  };
  /// 64 input VCs, one bit each.
  struct alignas(64) Word {
    std::uint64_t busy = 0;             // a packet is being routed, or is on its way through
    std::uint64_t requesting = 0;       // a head requests an output VC
    std::uint64_t active = 0;           // may use the switch
    std::uint64_t flits = 0;            // the buffer is not empty
    std::uint64_t credit = 0;           // the output VC it owns has a credit
    std::uint64_t next_requesting = 0;  // joins in the next cycle
    std::uint64_t next_active = 0;
    std::uint64_t ready() const { return active & flits & credit; }
  };
  /// What a bucket holds: a set of VCs of each kind.
  enum Kind : std::uint32_t { kFlit, kCredit, kRouted, kOwning, kKinds };
  using PortSet = std::array<std::uint64_t, kMostIqPorts / 64>;

  std::uint64_t* bucket(Cycle at) { return &wheel_[(static_cast<std::uint64_t>(at) & wheel_mask_) * bucket_size_]; }
  std::uint64_t& set_of(std::uint64_t* bucket, Kind kind, std::uint32_t word) const {
    return bucket[word * kKinds + kind];
  }
  static std::uint64_t bit(std::uint32_t vc) { return std::uint64_t{1} << (vc % 64); }
  Word& word(std::uint32_t vc) { return words_[vc / 64]; }
  std::size_t index_of(PortId port, std::uint32_t vc) const {
    return (static_cast<std::size_t>(port) << vc_bits_) + vc;
  }
  PortId port_of(std::uint32_t vc) const { return static_cast<PortId>(vc >> vc_bits_); }
  std::uint32_t vc_of(std::uint32_t vc) const { return vc & ((1U << vc_bits_) - 1); }
  IqFlit& flit_at(std::uint32_t vc, std::uint32_t place) { return flits_[(vc << place_bits_) + place]; }
  const IqFlit& flit_at(std::uint32_t vc, std::uint32_t place) const { return flits_[(vc << place_bits_) + place]; }
  std::uint32_t ready_of(PortId in) const {
    const std::uint32_t vc = static_cast<std::uint32_t>(in) << vc_bits_;
    return static_cast<std::uint32_t>(words_[vc / 64].ready() >> (vc % 64)) & all_vcs_;
  }

  void mark(Cycle at, Kind kind, std::uint32_t vc) {
    set_of(bucket(at), kind, vc / 64) |= bit(vc);
    agenda_.plan(at, sw_);
  }
  void check_link(Cycle at, Kind kind, std::uint32_t vc);
  void flit_arrived(std::uint32_t vc, Cycle now);
  void credit_arrived(std::uint32_t vc);
  void start_routing(std::uint32_t vc, Cycle from, Cycle now);
  IqRoutes::Entry route(std::uint32_t vc, const PacketMessage& m) const;
  void allocate_vcs_separable(Cycle now);
  void allocate_vcs_islip(Cycle now);
  void request(std::uint32_t out_vc, std::uint32_t in_vc);
  void grant_vc(std::uint32_t vc, std::uint32_t candidate, Cycle now);
  std::uint32_t first_candidate(const InputVc& input) const;
  void allocate_switch_separable(Cycle now);
  void allocate_switch_islip(Cycle now);
  void send(PortId in, std::uint32_t vc, Cycle now);
  void give_credit(PortId in, std::uint32_t vc, Cycle now);
  void release(std::uint32_t out_vc);
  void start_discarding(std::uint32_t vc, Cycle from);
  bool holds_head(std::uint32_t vc) const {
    const InputVc& input = inputs_[vc];
    return input.flits > 0 && flit_at(vc, input.read).head();
  }
  bool on_way(const InputVc& input) const;
  void forget_stages(std::uint32_t vc);
  void give_up_vc(std::uint32_t vc);
  bool marked(Kind kind, std::uint32_t vc, Cycle at) const {
    const std::size_t place = (static_cast<std::uint64_t>(at) & wheel_mask_) * bucket_size_;
    return (wheel_[place + static_cast<std::size_t>(vc / 64) * kKinds + kind] & bit(vc)) != 0;
  }
  std::uint32_t pending(Kind kind, std::uint32_t vc, Cycle from, Cycle now) const;
  std::optional<std::uint32_t> coming(Kind kind, PortId port, Cycle at) const;

  ClockDomain& domain_;
  IqAgenda& agenda_;
  const SwitchId sw_;
  const PortId ports_;
  const std::uint32_t vcs_;
  const std::uint32_t vc_bits_;
  const std::uint32_t place_bits_;  // of a buffer's ring of flits
  const std::uint32_t all_vcs_;     // mask
  const std::uint32_t class_vcs_;   // VCs per lane class
  const IqAllocation allocation_;
  const IqReuse reuse_;
  bool vcs_changed_ = false;  // VC allocation may find something to grant
  const std::uint32_t word_count_;
  const std::uint32_t all_inputs_;  // numbers of input VCs lie below
  const std::uint32_t bucket_size_;
  const std::uint64_t wheel_mask_;
  std::vector<std::uint64_t> wheel_;
  std::vector<Word> words_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<Port> port_;
  std::vector<IqFlit> flits_;
  std::vector<Index> requested_;                            // this cycle: output VCs with requests
  std::vector<PortId> best_out_;                            // this cycle, iSLIP: per input its best grant
  std::array<std::uint32_t, kMostIqVcs + 1> class_mask_{};  // per lane class its VCs; the last: all
  std::uint64_t grants_ = 0;
  const Cycle buffer_write_;
  const Cycle routing_;
  const Cycle vc_allocation_;
  const Cycle flit_time_;          // from the grant until the flit arrives at the other end
  const Cycle credit_time_;        // from the grant until the sender can use the place
  const IqRoutes::Entry* routes_;  // per destination
  const PacketRouting& routing_algorithm_;
  const PacketObservers& observers_;
  IqWays* ways_ = nullptr;  // links fail
  IqDiscards* discards_ = nullptr;
  std::vector<std::uint64_t> discarding_;  // input VCs whose packet has no way
  const IqParameters parameters_;
  sc_core::sc_time flit_delay_;
  sc_core::sc_time credit_delay_;
  std::vector<std::unique_ptr<IqInPort>> in_;
  std::vector<std::unique_ptr<IqOutPort>> out_;
};

}  // namespace weft
