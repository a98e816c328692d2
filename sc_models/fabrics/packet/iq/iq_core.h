#pragma once
// The input-queued virtual-channel wormhole routers of a network: buffers per VC at the inputs, VC and switch
// allocation (separable or iSLIP), credits. One flit per cycle and port. Timing: docs/iq_router.md. Source: Dally and
// Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 16 to 19.
//
// In a cycle all routers of a region go through one step together before any goes through the next: credits, arrivals,
// VC allocation, switch. So a step is one loop over the list of what is due in the region. Loops over the few VCs of
// one router are left after a turn or two, which a processor cannot foresee, and cost more by that than by what they
// do. What routers do to each other takes at least a cycle, so their order within a step does not matter. A region is
// as many routers as a cache near the processor holds; one without anything due is not visited.
//
// Ports are numbered over all routers, those of a router one after the other. Flits, credits and pipeline stages that
// end wait in lists, one per region and coming cycle. State is in flat arrays; once the lists have grown nothing is
// allocated.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/iq/iq_agenda.h"
#include "fabrics/packet/iq/iq_rerouting.h"
#include "fabrics/packet/iq/iq_routes.h"
#include "fabrics/packet/iq/parameters.h"
#include "fabrics/packet/iq/protocol.h"
#include "kernel/clock_domain.h"
#include "kernel/observer_list.h"
#include "kernel/switch_site.h"

namespace weft {

class IqCore final {
 public:
  /// Port of a router, numbered over all routers.
  using PortIndex = std::uint32_t;
  /// Input or output VC: port << vc_bits | VC. Among the VCs of a router the order is that of port * VCs + VC.
  using VcIndex = std::uint32_t;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoRequest = ~std::uint64_t{0};

  /// Regions become members of the agenda as routers are added. All references must outlive the core.
  IqCore(ClockDomain& domain, IqAgenda& agenda, const IqParameters& parameters, const IqRoutes& routes,
         const PacketObservers& observers);

  /// Before time begins. Returns the number of the router's first port.
  PortIndex add_router(const SwitchSite& site);
  /// The output leads straight to this input, and credits back.
  void lead(PortIndex out, PortIndex in);
  /// Flits of an output and credits of an input go by sockets: to a NIC, or to something else that is no router here.
  void lead_out(PortIndex out, IqOutPort& port) { forward_[out].resolve(port); }
  void lead_back(PortIndex in, IqInPort& port) { backward_[in].resolve(port); }

  /// A flit that arrives in cycle `at`, a credit that can be used from then on.
  [[gnu::always_inline]] void take_flit(VcIndex in, IqFlit flit, Cycle at) {
    arrive({flit, in, flit.message().destination}, at + buffer_write_);
  }
  [[gnu::always_inline]] void take_credit(VcIndex out, Cycle at) {
    Region& r = region(out);
    r.bucket(at).credits.push_back(out);
    agenda_.plan(at, r.member);
  }
  /// What came by a transport call may have come through something that does not keep to the link's latency and rate:
  /// false if so. `newest`: the latest of this VC so far; nothing has to be searched for what comes after that.
  bool fits_flit(VcIndex in, Cycle at, Cycle& newest) const;
  bool fits_credit(VcIndex out, Cycle at, Cycle& newest) const;

  // Links that fail (iq_core_faults.cpp).

  /// From now on routers ask `rerouting` for routes. To be called before time begins.
  void set_faults(IqRerouting& rerouting, IqDiscards& discards);
  /// Heads get no VC of an output that is down. In Phase::prepare.
  void set_link(PortIndex out, bool up, Cycle now);
  /// Every head that has not won the switch is routed anew, and gives up a VC that is not on its way. In
  /// Phase::prepare, after all set_link() of the cycle.
  void reroute(Cycle now);
  /// Packets on the wire to this input: packets of which a flit arrives now or later, or whose tail has not been sent.
  void each_on_wire(PortIndex in, Cycle now, const std::function<void(const PacketMessage&)>& visit) const;
  /// A flit of a packet without a route leaves its buffer.
  struct Discarded {
    bool flit = false;               ///< there was one
    PacketMessage* whole = nullptr;  ///< it was the tail of this packet
  };
  Discarded discard_flit(VcIndex vc, Cycle now);

  // Looks from outside, between two cycles (iq_core_state.cpp).

  struct alignas(32) InputVc {
    IqFlit front;                 ///< first flit in the buffer; of an empty one the last that was there
    VcIndex out = kNone;          ///< output VC it owns
    PortIndex first = 0;          ///< hop: ports [first, first + count)
    NodeId destination = 0;       ///< of the packet
    std::uint16_t pointer = 0;    ///< candidate it prefers
    std::uint16_t flits = 0;      ///< in the buffer
    std::uint16_t read = 0;       ///< place of the second one, modulo the places there are
    std::uint16_t count : 8 = 1;  // no bytes of their own: a store to a byte may be one to anything
    std::uint16_t lanes : 8 = 0;  ///< which VCs it may take: index into class_mask_
  };
  struct OutputVc {
    VcIndex owner = kNone;  ///< input VC
    VcIndex pointer = 0;    ///< input VC it prefers
    VcIndex best = kNone;   ///< this cycle: how far from the pointer the requester is that is to be granted
  };
  /// The input and the output of a port, in one line of the cache. Sets of VCs are masks.
  struct alignas(64) Port {
    std::uint32_t active = 0;              ///< input VCs that may use the switch
    std::uint32_t flits = 0;               ///< whose buffers are not empty
    std::uint32_t credit = 0;              ///< whose output VCs have a credit
    std::uint32_t busy = 0;                ///< of which a packet is being routed, or is on its way through
    const IqRoutes::Entry* row = nullptr;  ///< per destination; null: no table
    VcIndex up = kNone;                    ///< first output VC before the input; if that is elsewhere, its own first
    VcIndex down = kNone;                  ///< first input VC behind the output; if that is elsewhere, its own first
    std::uint32_t free = 0;                ///< output VCs that can be given to a head
    std::uint32_t usable = 0;              ///< all output VCs, none while the link is down
    PortIndex base = 0;                    ///< first port of its router
    PortIndex grant_pointer = 0;           ///< of the output: input it prefers
    std::uint64_t best = kNoRequest;       ///< this cycle: the request that the output grants, see request_for()
    std::uint32_t sent = 0;                ///< flits of the output, modulo 2^32
    std::uint16_t vc_pointer = 0;
    std::uint16_t connected : 1 = 0;
    std::uint16_t up_elsewhere : 1 = 1;    ///< no router of this core is before the input: by backward_
    std::uint16_t down_elsewhere : 1 = 1;  ///< none is behind the output: by forward_
    std::uint32_t ready() const { return active & flits & credit; }
  };
  const InputVc& input(VcIndex vc) const { return inputs_[vc]; }
  const OutputVc& output(VcIndex vc) const { return outputs_[vc]; }
  std::uint32_t credits(VcIndex out) const { return credits_[out]; }
  const Port& port(PortIndex port) const { return ports_[port]; }
  VcIndex vc(PortIndex port, std::uint32_t vc) const { return (port << vc_bits_) + vc; }
  PortIndex port_of(VcIndex vc) const { return vc >> vc_bits_; }
  std::uint32_t vc_of(VcIndex vc) const { return vc & ((1U << vc_bits_) - 1); }
  const IqParameters& parameters() const { return parameters_; }
  Cycle now() const { return domain_.now(); }
  /// No flit, no credit and no stage is on its way.
  bool quiet() const;
  /// Flits sent by all routers so far.
  std::uint64_t grants() const { return grants_; }
  /// Flits sent by an output so far, each counted sending_time() cycles before it is on the link.
  std::uint64_t sent(PortIndex out) const;
  Cycle sending_time() const { return flit_time_ - parameters_.link; }
  /// Credits of every VC that an output has given away, flits that an input holds or that are on their way to it.
  struct Accounts {
    std::vector<std::uint32_t> spent, held;  ///< [VcIndex]
  };
  void count(Accounts& accounts) const;
  /// VC of the flit that arrives at an input in a coming cycle, nothing when none does.
  std::optional<std::uint32_t> flit_coming(PortIndex in, Cycle at) const;
  /// VC of the credit that comes back to an output in a coming cycle.
  std::optional<std::uint32_t> credit_coming(PortIndex out, Cycle at) const;
  /// As if `credits` of an output VC had been lost on their way back: for tests of what finds that.
  void lose_credits(VcIndex out, std::uint32_t credits);

 private:
  struct Arrival {
    IqFlit flit;
    VcIndex vc;
    NodeId destination;
  };
  /// State of an input port for iSLIP.
  struct Accept {
    PortIndex pointer;           // output it prefers
    std::uint32_t best = kNone;  // this cycle: how far from the pointer the output is whose grant it accepts
  };
  /// A place of the ring behind the first flit. The first places of all VCs lie together, since most are empty.
  static std::size_t ring_place(VcIndex vc, std::uint32_t number, std::uint32_t mask, std::size_t stride) {
    return (number & mask) * stride + vc;
  }
  /// The state as loops over lists see it: in local variables, which no store to the state can change.
  struct View {
    Port* const ports;
    InputVc* const inputs;
    OutputVc* const outputs;
    std::uint32_t* const credits;
    std::uint64_t* const ready;
    IqFlit* const flits;
    const std::size_t stride;
    const std::uint32_t place_mask;
    const std::uint32_t vc_bits;
    const std::uint32_t vc_mask;
    IqFlit& place(VcIndex vc, std::uint32_t number) const { return flits[ring_place(vc, number, place_mask, stride)]; }
    /// To be called after what ready() of a port is made of has grown.
    void note_ready(PortIndex p, const Port& port) const {
      ready[p / 64] |= std::uint64_t{port.ready() != 0 ? 1U : 0U} << (p % 64);
    }
    /// And after it may have become less.
    void note_less(PortIndex p, const Port& port) const {
      ready[p / 64] &= ~(std::uint64_t{port.ready() == 0 ? 1U : 0U} << (p % 64));
    }
    PortIndex port_of(VcIndex vc) const { return vc >> vc_bits; }
    std::uint32_t vc_of(VcIndex vc) const { return vc & vc_mask; }
    VcIndex vc(PortIndex port, std::uint32_t v) const { return (port << vc_bits) + v; }
  };
  View view() {
    return {ports_.data(), inputs_.data(), outputs_.data(), credits_.data(), ready_.data(),
            flits_.data(), stride_,        place_mask_,     vc_bits_,        (1U << vc_bits_) - 1};
  }
  /// Flits that leave in this cycle, and their credits: ends of the lists for routers here and for what is elsewhere,
  /// chosen without a branch; and of uncovered_. The lists have room.
  struct Sending {
    View view;
    Cycle now;
    bool observed;  // hops are told of
    std::array<Arrival*, 2> flits;
    std::array<VcIndex*, 2> credits;
    VcIndex* uncovered;
    bool vcs_freed = false;  // VC allocation may find something to grant
  };
  /// Work that is due in a cycle.
  struct Bucket {
    std::vector<Arrival> flits;    // can be used
    std::vector<VcIndex> credits;  // can be used: output VCs
    std::vector<VcIndex> routed;   // input VCs whose heads begin to request
    std::vector<VcIndex> owning;   // input VCs that begin to use the switch
    bool empty() const { return flits.empty() && credits.empty() && routed.empty() && owning.empty(); }
  };
  /// The flits of a region that arrive in cycle `at`, for all who ask for them in cycle `now`.
  struct Coming {
    Cycle at = -1;
    Cycle now = -1;
    std::vector<std::uint8_t> vcs;  ///< per port, or kNoVc
  };
  static constexpr std::uint8_t kNoVc = 0xff;
  /// Routers whose ports are numbered one after the other, with what is due there.
  struct Region final : Agent {
    Region(IqCore& c, PortIndex port) : core(c), mask(c.wheel_mask_), wheel(mask + 1), first_word(port / kGranule) {}
    void due(Cycle now, std::uint32_t) override { core.step(*this, now); }
    Bucket& bucket(Cycle at) { return wheel[static_cast<std::uint64_t>(at) & mask]; }
    const Bucket& bucket(Cycle at) const { return wheel[static_cast<std::uint64_t>(at) & mask]; }
    IqCore& core;
    const std::uint64_t mask;
    std::vector<Bucket> wheel;
    std::vector<VcIndex> requesting;  ///< input VCs whose heads request output VCs
    bool vcs_changed = false;         ///< VC allocation may find something to grant
    std::uint32_t member = 0;
    std::size_t first_word;  ///< of sets of its ports
    std::size_t end_word = 0;
    mutable std::array<Coming, 4> coming;  ///< by `at`, since adapters make several delays of links
  };
  /// One bit per port.
  using PortSet = std::vector<std::uint64_t>;
  /// A region begins with a word of such sets.
  static constexpr std::uint32_t kGranule = 64;

  Region& region(VcIndex vc) { return *region_of_[port_of(vc) / kGranule]; }
  const Region& region(VcIndex vc) const { return *region_of_[port_of(vc) / kGranule]; }
  /// Together they are more than a cache near the processor holds: what a cycle uses is fetched ahead.
  bool many_regions() const { return regions_.size() > 1; }
  /// A flit that can be used from cycle `usable` on.
  [[gnu::always_inline]] void arrive(const Arrival& arrival, Cycle usable) {
    Region& r = region(arrival.vc);
    r.bucket(usable).flits.push_back(arrival);
    agenda_.plan(usable, r.member);
  }
  void step(Region& region, Cycle now);
  void fetch(const Region& region, const Bucket& due) const;
  void fetch_outputs(const std::vector<VcIndex>& heads) const;
  void fetch_places(const std::vector<Arrival>& flits) const;
  void begin_region(PortIndex first);
  std::uint32_t bit(VcIndex vc) const { return 1U << vc_of(vc); }
  static void add(PortSet& set, PortIndex port) { set[port / 64] |= std::uint64_t{1} << (port % 64); }
  static bool has(const PortSet& set, PortIndex port) { return (set[port / 64] >> (port % 64) & 1) != 0; }
  /// In random order when the clock is shuffled.
  template <class T>
  void shuffle(std::vector<T>& list) {
    weft::shuffle(domain_.order(), list);
  }
  template <class Visit>
  void each(const Region& region, const PortSet& set, Visit&& visit);
  void clear(const Region& region, PortSet& set);

  void take_credits(const View& view, std::vector<VcIndex>& credits);
  void credit_usable(const View& view, VcIndex vc);
  void take_arrivals(Region& region, const std::vector<Arrival>& flits, Cycle now);
  bool start_routing(const View& view, VcIndex vc, NodeId destination, Cycle from);
  void start_next(VcIndex vc, Cycle now);
  IqRoutes::Entry route(VcIndex vc, NodeId destination, const PacketMessage& m) const;
  VcIndex first_candidate(const View& view, const InputVc& input) const;
  static std::uint32_t candidate_number(const View& view, const InputVc& input, VcIndex out);
  std::size_t request(std::size_t requested, VcIndex out, VcIndex in);
  void grant_vc(const View& view, VcIndex vc, VcIndex out, std::vector<VcIndex>& owning);
  void forget_granted(Region& region);
  void allocate_vcs_separable(Region& region, Cycle now);
  void allocate_vcs_islip(Region& region, Cycle now);
  void allocate_switch_separable(Region& region, Cycle now);
  void allocate_switch_islip(Region& region, Cycle now);
  Sending sending(Cycle now, std::size_t most);
  void hand_over(Region& region, const Sending& s);
  void send(VcIndex vc, PortIndex out, Sending& s);
  static std::uint32_t remove_first(const View& view, VcIndex vc, bool tail);
  void tell_hop(PortIndex in, VcIndex out, PacketMessage& message, Cycle now);
  void count_wrap(PortIndex out);
  void answer(PortIndex in, std::uint32_t vc, Cycle now);
  void release(VcIndex out);
  void plan_next(Region& region, Cycle now);
  void start_discarding(VcIndex vc, Cycle from);
  bool holds_head(VcIndex vc) const { return inputs_[vc].flits > 0 && inputs_[vc].front.head(); }
  bool on_way(const InputVc& input) const;
  void forget_stages(VcIndex vc);
  void give_up_vc(VcIndex vc);

  ClockDomain& domain_;
  IqAgenda& agenda_;
  const IqRoutes& routes_;
  const PacketObservers& observers_;
  const IqParameters parameters_;
  const std::uint32_t vcs_;
  const std::uint32_t vc_bits_;
  const std::uint32_t place_mask_;  // of a buffer's ring of flits
  const std::uint32_t all_vcs_;     // mask
  const bool islip_;
  const bool when_empty_;  // IqReuse
  const Cycle buffer_write_;
  const Cycle routing_;
  const Cycle vc_allocation_;
  const Cycle flit_time_;              // from the grant until the flit arrives at the other end
  const Cycle credit_time_;            // from the grant until the sender can use the place
  const std::array<Cycle, 5> delays_;  // after which anything of a cycle has an effect
  const std::uint64_t wheel_mask_;
  std::array<std::uint32_t, kMostIqVcs + 1> class_mask_{};  // per lane class its VCs; the last: all
  std::array<std::uint8_t, kMostIqVcs> class_of_{};         // per VC its lane class
  std::uint64_t grants_ = 0;
  std::unordered_map<PortIndex, std::uint64_t> wraps_;  // of Port::sent
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<Region*> region_of_;  // per kGranule ports
  std::vector<Port> ports_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<std::uint32_t> credits_;  // per output VC
  std::size_t stride_ = 0;              // of flits_: all VCs
  std::vector<IqFlit> flits_;           // rings of the flits behind the first ones
  std::vector<Accept> accepts_;
  std::vector<VcIndex> requested_;              // this step: output VCs, or outputs, with requests
  PortSet ready_;                               // inputs with a VC that can send
  PortSet to_node_;                             // ports to nodes
  PortSet wanted_;                              // this cycle, iSLIP: outputs with requests
  PortSet granted_, matched_in_, matched_out_;  // this cycle, iSLIP
  // This cycle: what leaves for routers here, by the VC there, and for elsewhere, by the VC that it leaves.
  std::array<std::vector<Arrival>, 2> flits_leaving_;
  std::array<std::vector<VcIndex>, 2> credits_leaving_;
  std::vector<VcIndex> uncovered_;   // this cycle: input VCs whose next packet a tail has left at the front
  std::vector<PortIndex> order_;     // of a shuffled set
  std::vector<SwitchId> switch_of_;  // per port
  std::vector<LinkForwardPath<IqProtocol>> forward_;
  std::vector<LinkBackwardPath<IqProtocol>> backward_;
  sc_core::sc_time flit_delay_;
  sc_core::sc_time credit_delay_;
  IqRerouting* rerouting_ = nullptr;  // links fail
  IqDiscards* discards_ = nullptr;
  std::vector<std::uint32_t> discarding_;  // per port: input VCs whose packet has no route
};

}  // namespace weft
