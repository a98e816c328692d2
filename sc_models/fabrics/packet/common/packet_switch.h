#pragma once
// Common part of packet switches, whatever their architecture: input buffers with VL queues, output ports with their
// egress schedulers, the TLM sockets of the links, and the cycles in which inputs send requests to the allocator.
// Virtual cut-through of whole messages with credit-based flow control; timing: docs/packet_switches.md.

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <systemc>
#include <utility>
#include <vector>

#include "base/hot_memory.h"
#include "base/optional_array.h"
#include "fabrics/packet/common/egress_port.h"
#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/common/protocol.h"
#include "fabrics/packet/common/request_wheel.h"
#include "kernel/clock_domain.h"
#include "kernel/switch_site.h"

namespace weft {

/// Routing together with the SL to VL tables.
class PacketRouter {
 public:
  virtual ~PacketRouter() = default;
  /// Outputs of a message that has come in at `in` on VL message.lane.
  virtual PacketHop route(SwitchId at, PortId in, const PacketMessage& message) const = 0;
  virtual VirtualLane injection_lane(NodeId at, ServiceLevel level) const = 0;
  /// The service channel (SC) messages begin on, where there are any.
  virtual std::uint8_t injection_channel(NodeId /*at*/, ServiceLevel /*level*/) const { return 0; }
};

/// Site of an egress scheduler.
struct EgressSite {
  std::string path;     ///< SystemC name of its switch or NIC
  SwitchId sw = kNoId;  ///< kNoId: a NIC
  PortId port = 0;      ///< of the switch
  NodeId node = kNoId;  ///< of the NIC
  ClockDomain* domain = nullptr;
};

/// Factory of egress schedulers: plain models, Verilated RTL or lockstep pairs.
class EgressSchedulerFactory {
 public:
  virtual ~EgressSchedulerFactory() = default;
  virtual std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) = 0;
};

/// Visits the set bits of `mask` in cyclic order from bit `first` (0 to 32) on, until `visit` returns true.
template <class Visit>
bool visit_cyclic(std::uint32_t mask, std::uint32_t first, Visit&& visit) {
  const std::uint64_t before = mask & ((std::uint64_t{1} << first) - 1);
  for (std::uint64_t left = (mask ^ before) | before << 32; left != 0; left &= left - 1) {
    if (visit(static_cast<VirtualLane>(std::countr_zero(left) % 32))) return true;
  }
  return false;
}

class PacketSwitch : public HotObject,
                     public sc_core::sc_module,
                     public PacketReceiver,
                     public EgressOwner,
                     public Agent {
 public:
  /// `others`: what else is to be looked at beside the inputs, numbered after them.
  PacketSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
               const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common,
               std::uint32_t others = 0);
  ~PacketSwitch() override;

  PacketInPort& in(PortId port) { return *in_[port]; }
  PacketOutPort& out(PortId port) { return *out_[port]; }
  /// Null when nothing is connected there.
  EgressPort* egress(PortId port) { return egress_.find(port); }
  const EgressPort* egress(PortId port) const { return egress_.find(port); }
  PortId ports() const { return ports_; }
  /// Queues of inputs in which messages wait, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane lane;
    const MessageQueue* queue;
  };
  std::vector<Waiting> waiting() const;
  /// Places of the messages in an input buffer that have not been granted.
  std::int64_t held(PortId in, VirtualLane lane) const { return common_.places(lane, inputs_[in].queues[lane]); }
  /// Places of the messages that have some in the output buffer, but have not joined its queue.
  virtual std::int64_t promised(PortId /*out*/, VirtualLane /*lane*/) const { return 0; }
  /// Fault inside the switch beside its ports, empty when there is none.
  virtual std::string audit() const { return {}; }

  /// With a handler, messages that have no route are given to it; without one they wait.
  void discard_to(LossHandler* losses) { losses_ = losses; }
  /// A link fails or is back, at the beginning of cycle `now`.
  void set_link(PortId port, bool up, Cycle now);
  /// Links have changed: routes the messages that wait at inputs anew.
  void reroute(Cycle now);

  /// Credit counter of the sender behind an input.
  SharedBuffer& credits_for(PortId in) { return inputs_[in].credits; }
  void receive(PortId in, const PacketTransfer& transfer) override { take(in, *transfer.message, transfer.head); }
  /// A message whose first flit arrives in cycle `head`.
  void take(PortId in, PacketMessage& message, Cycle head);
  /// The allocations that the switches of a list have asked for (PacketAgenda); all are of one architecture. `fetches`:
  /// what they need is brought into the cache ahead of them.
  virtual void serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const = 0;

  /// Bring into the cache what every message and every allocation touches; the set of what is looked at in cycle `now`.
  void fetch() const { prefetch(&router_); }
  void fetch_requests(Cycle now) const {
    prefetch(wheel_.place(now));
    prefetch(wheel_.place(now + RequestWheel::kAhead / 4));  // most requests are repeated within that time
  }
  /// And what taking a message needs whose first flit arrives in cycle `head`.
  void fetch_input(PortId in, Cycle head) const {
    prefetch(&inputs_[in]);
    prefetch(wheel_.place(head + parameters().stages.input + parameters().stages.routing));
  }
  /// Plans what lay too far ahead.
  void due(Cycle now, std::uint32_t token) override;
  void space_coming(PortId port, Cycle from) override;

 protected:
  void end_of_elaboration() override;

  /// A line of the cache, and the credits another.
  struct alignas(64) Input : HotObject {
    Cycle free_at = 0;             // first cycle in which it can be granted again
    EgressPort* sender = nullptr;  // of its link, when nothing is between; else by answers_
    std::uint32_t occupied = 0;    // bit v: queue v holds a message
    std::uint16_t next_trunk = 0;  // round-robin pointers
    VirtualLane next_lane = 0;
    std::uint8_t next_own = 0;                    // of what the architecture adds
    InlineArray<MessageQueue, kFewLanes> queues;  // per VL
    SharedBuffer credits;                         // the sender's count of them; here is where they are given back
  };
  static_assert(sizeof(Input) == 128);

  const PacketParameters& parameters() const { return common_.parameters; }
  AllocationLists& lists() const { return common_.lists; }
  /// Requests that are due in this cycle go to the end of `requests`; fetch(number) is called for each.
  template <class Fetch>
  void find_requests(Cycle now, RequestList& requests, Fetch&& fetch) {
    wheel_.take(now, [&](std::uint32_t number) {
      fetch(number);
      requests.push_back({this, kNever, number});
    });
  }
  /// After an allocation: inputs that have asked and not been granted are looked at again, in the cycle soonest(in)
  /// before which they cannot ask.
  template <class Soonest>
  void replan_losers(std::span<const AllocationRequest> requests, Cycle now, Soonest&& soonest) {
    for (const AllocationRequest& l : requests) {
      const auto in = static_cast<PortId>(l.number);
      if (l.port != kNoPort && inputs_[in].free_at <= now) plan_request(in, soonest(in));
    }
  }
  void fetch_input(std::uint32_t in) const { prefetch(&inputs_[in]); }
  /// Calls visit(message) for the first messages of queues, in the turn of those that ask, until it returns true.
  template <class Queues, class Visit>
  static bool visit_fronts(const Queues& of, Visit&& visit) {
    return visit_cyclic(of.occupied, of.next_lane, [&](VirtualLane lane) { return visit(of.queues[lane].head()); });
  }
  /// Bring the first messages of an input or the like into the cache, if it can be granted.
  template <class Queues>
  static void fetch_fronts(const Queues& of, Cycle now) {
    if (of.free_at > now) return;
    for (std::uint32_t left = of.occupied; left != 0; left &= left - 1) {
      of.queues[static_cast<std::size_t>(std::countr_zero(left))].fetch_front();
    }
  }
  /// Finds what an input asks for: calls ask(message) for its first messages that are ready, in turn, until one has set
  /// the rest of `l` and returned true.
  template <class Ask>
  static void search(const Input& input, AllocationRequest& l, Cycle now, Ask&& ask) {
    l.port = kNoPort;
    l.retry = kNever;
    visit_fronts(input, [&](const PacketMessage& m) {
      if (m.ready > now) {
        l.retry = std::min(l.retry, m.ready);
        return false;
      }
      l.lane = m.lane;
      return ask(m);
    });
  }
  /// One iteration, and ports of trunks that are chosen at allocation: code for that case alone has kPlain.
  bool plain() const { return parameters().iterations == 1 && parameters().trunk == TrunkChoice::first_free; }
  /// Whether the port of the message has been drawn when it was routed.
  template <bool kPlain>
  bool drawn(const PacketMessage& m) const {
    return !kPlain && m.hop.count > 1 && parameters().trunk == TrunkChoice::at_routing;
  }
  /// Calls visit(port, offset) for the ports of the message's hop, from the one that is drawn on or in the turn of the
  /// input, until it returns true.
  template <bool kPlain, class Visit>
  bool visit_trunk(const Input& input, const PacketMessage& m, Visit&& visit) const {
    const PacketHop& hop = m.hop;
    const std::uint32_t count = hop.count;
    std::uint32_t offset = drawn<kPlain>(m) ? trunk_draw(m.choice, sw_) : input.next_trunk;
    if (offset >= count) offset = offset == count ? 0 : offset % count;
    for (std::uint32_t i = 0; i < count; ++i, offset = offset + 1 == count ? 0 : offset + 1) {
      if (visit(static_cast<PortId>(hop.first + offset), offset)) return true;
    }
    return false;
  }
  /// Places the output VL must have room for.
  std::uint32_t need(const PacketMessage& m) const {
    return common_.places(m.hop.lane, m.flits) + (m.hop.enters_ring ? parameters().bubble[m.hop.lane] : 0);
  }
  /// Whether the output buffer has room for the message; if not, `retry` becomes the cycle in which that may change, or
  /// the inputs are looked at again when the output next sends.
  bool has_room(PortId port, const PacketMessage& m, Cycle now, Cycle& retry);
  /// The head of input `in` on `lane` begins to move in this grant cycle: leaves its queue and gives its credits back.
  /// Returns its movement.
  Drain take_head(PortId in, VirtualLane lane, std::uint32_t rate, Cycle now);
  // With several iterations: ports that transfers of one cycle share.

  Drain moves_of(const PacketMessage& m, std::uint32_t rate, Cycle now) const {
    return {now + parameters().stages.allocation, m.head(), rate, m.flits};
  }
  /// Whether a port that can be granted from cycle `free_at` on can be granted now to the head `m`, alone or beside
  /// others of this cycle.
  template <bool kPlain>
  bool can_grant(Cycle free_at, std::size_t port, const PacketMessage& m, std::uint32_t rate, Cycle now) const {
    if (now >= free_at) return true;
    if (kPlain || parameters().iterations == 1 || !lists().shared.takes(port, m.flits, rate)) return false;
    const Drain moves = moves_of(m, rate, now);
    return moves.last() == moves.start;
  }
  /// What the port of a trunk needs is busy until `free_at`; returns whether the message waits for that port alone. If
  /// so it is looked at again in the next cycle: once the port lacks room another one will do.
  template <bool kPlain>
  bool busy(const PacketMessage& m, AllocationRequest& l, Cycle free_at, Cycle now) const {
    l.retry = std::min(l.retry, drawn<kPlain>(m) ? now + 1 : free_at);
    return drawn<kPlain>(m);
  }
  void note_grant(std::size_t from, std::size_t to, const Drain& moves) const {
    if (parameters().iterations == 1 || moves.last() != moves.start) return;
    lists().shared.add(from, moves.flits, moves.rate);
    lists().shared.add(to, moves.flits, moves.rate);
  }
  /// After the first iteration: calls step(last) for what is to be done between two, until `last` after the last one.
  template <class Step>
  void iterate(Step&& step) const {
    if (parameters().iterations == 1 && parameters().lane_pointer == LanePointer::on_grant) return;
    for (std::uint32_t i = 1; i <= parameters().iterations; ++i) step(i == parameters().iterations);
    lists().shared.clear();
  }
  /// Whether one that has asked in the last iteration can in the next: its request was lost, or it has been granted and
  /// `can_move_more` in that cycle. A pointer that moves on a lost request does so.
  template <class Queues>
  bool asks_again(AllocationRequest& l, bool can_move_more, Queues& of) const {
    if (l.port == kNoPort) return false;
    if (std::exchange(l.granted, false)) {
      if (!can_move_more) l.port = kNoPort;
      return l.port != kNoPort;
    }
    if (parameters().lane_pointer == LanePointer::on_request) of.next_lane = static_cast<VirtualLane>(l.lane + 1U);
    return true;
  }
  /// Joins the output queue; `moves`: its way over the last crossbar.
  void to_egress(PortId port, PacketMessage& m, const Drain& moves);
  /// First cycle in which a resource that makes this movement can be granted again.
  Cycle free_after(const Drain& moves) const { return moves.last() - parameters().stages.allocation + 1; }
  /// The input is looked at in cycle `at`, which is to come, unless it is busy then.
  void plan_request(std::uint32_t in, Cycle at);
  /// And all inputs in [begin, end) with messages; further ahead than RequestWheel::kAhead all that have some shortly
  /// before.
  void plan_requests(PortId begin, PortId end, Cycle at);

 private:
  // What every message touches, down to wheel_, is a line of the cache.
  alignas(64) const PacketRouter& router_;

 protected:
  const SwitchId sw_;
  const PortId ports_;
  PacketCommon& common_;
  const std::unique_ptr<Input[]> inputs_;
  OptionalArray<EgressPort> egress_;  // none where nothing is connected
  /// When inputs are to be looked at: an input with messages in the first cycle in which one of its heads may be
  /// granted. Present are those with messages.
  RequestWheel wheel_;
  static_assert(2 * sizeof(void*) == sizeof(OptionalArray<EgressPort>) && 2 * sizeof(void*) == sizeof(RequestWheel));

 private:
  // Tokens; others: the input or link that is due.
  static constexpr std::uint32_t kPlanAll = ~std::uint32_t{0};
  static constexpr std::uint32_t kRoute = kPlanAll - 1;
  static constexpr std::uint32_t kDiscard = std::uint32_t{1} << 31;  // and the output
  static constexpr Cycle kReminder = RequestWheel::kAhead / 2;       // so long before what lies too far ahead
  void drop(PortId in, PacketMessage& m, Cycle now);
  void route_later(PortId in, PacketMessage& m);
  void route_due(Cycle now);
  void ask_again(PortId in, Cycle now);
  void remove(PortId in, PacketMessage& lost, Cycle now);
  void keep(PortId in, VirtualLane lane, const MessageQueue& kept);
  void discard_arrived(PortId port, Cycle now);
  void remind(Cycle at, std::uint32_t token);
  void give_credits_back(PortId in, VirtualLane lane, const Drain& moves);
  [[gnu::noinline]] void answer_by_socket(PortId in, VirtualLane lane, const Drain& credits);

  LossHandler* losses_ = nullptr;
  struct Unrouted {
    PacketMessage* message;  // in a queue of the input
    PortId in;
  };
  std::vector<Unrouted> unrouted_;  // see route_later()
  sc_core::sc_time credit_delay_;
  std::vector<PacketBackwardPath> answers_;  // per input
  std::vector<std::unique_ptr<PacketInPort>> in_;
  std::vector<std::unique_ptr<PacketOutPort>> out_;
};

/// A switch of an architecture, for its record (SwitchArchitecture::make).
template <class Switch>
std::unique_ptr<PacketSwitch> make_switch(const char* name, const SwitchSite& site, const PacketParameters& parameters,
                                          const PacketRouter& router, EgressSchedulerFactory& schedulers,
                                          PacketCommon& common) {
  return std::make_unique<Switch>(name, site, parameters, router, schedulers, common);
}

}  // namespace weft
