#pragma once
// What the IB-like and the OPA-like packet switch share: input buffers with VL queues, output ports with their egress
// schedulers, the TLM sockets of the links, and the time at which the allocator has to look again. Virtual cut-through
// of whole messages with credit-based flow control; timing: docs/packet_switches.md.

#include <bit>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/packet/egress_port.h"
#include "fabric/packet/message_books.h"
#include "fabric/packet/protocol.h"

namespace weft {

/// Routing together with the SL to VL tables.
class PacketRouter {
 public:
  virtual ~PacketRouter() = default;
  /// Where a message that has come in at `in` on VL message.lane may leave.
  virtual PacketHop route(SwitchId at, PortId in, const PacketMessage& message) const = 0;
  virtual VirtualLane injection_lane(NodeId at, ServiceLevel level) const = 0;
  /// OPA: the service channel (SC) messages begin on.
  virtual std::uint8_t injection_channel(NodeId /*at*/, ServiceLevel /*level*/) const { return 0; }
};

/// The place of an egress scheduler.
struct EgressSite {
  std::string path;     ///< SystemC name of its switch or NIC
  SwitchId sw = kNoId;  ///< kNoId: a NIC
  PortId port = 0;      ///< of the switch
  NodeId node = kNoId;  ///< of the NIC
  const ClockDomain* domain = nullptr;
};

/// Where egress schedulers come from: plain models, Verilated RTL or lockstep pairs.
class EgressSchedulerFactory {
 public:
  virtual ~EgressSchedulerFactory() = default;
  virtual std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) = 0;
};

struct PacketSwitchSite {
  SwitchId sw = 0;
  PortId ports = 0;
  std::vector<bool> to_node;    ///< per port: a NIC is behind it
  std::vector<bool> connected;  ///< per port
};

/// Visits the set bits of `mask` in cyclic order from bit `first` on, until `visit` returns true.
template <class Visit>
bool visit_cyclic(std::uint32_t mask, std::uint32_t first, Visit&& visit) {
  if (mask == 0) return false;
  if ((mask & (mask - 1)) == 0) return visit(static_cast<VirtualLane>(std::countr_zero(mask)));  // the usual case
  const std::uint32_t low = first >= 32 ? mask : mask & ((1U << first) - 1);
  for (std::uint32_t part : {mask & ~low, low}) {
    for (; part != 0; part &= part - 1) {
      if (visit(static_cast<VirtualLane>(std::countr_zero(part)))) return true;
    }
  }
  return false;
}

class PacketSwitch : public sc_core::sc_module, public PacketReceiver, public EgressOwner, public Agent {
 public:
  PacketSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
               const PacketRouter& router, EgressSchedulerFactory& schedulers, EgressCommon& common);
  ~PacketSwitch() override;

  PacketInPort& in(PortId port) { return *in_[port]; }
  PacketOutPort& out(PortId port) { return *out_[port]; }
  /// Null when nothing is connected there.
  EgressPort* egress(PortId port) { return egress_[port] ? &*egress_[port] : nullptr; }
  const EgressPort* egress(PortId port) const { return egress_[port] ? &*egress_[port] : nullptr; }
  PortId ports() const { return site_.ports; }
  /// Queues of inputs in which messages wait, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane lane;
    const MessageQueue* queue;
  };
  std::vector<Waiting> waiting() const;
  std::uint64_t grants() const { return grants_; }
  /// Flits of the messages in an input buffer that have not been granted.
  std::int64_t held(PortId in, VirtualLane lane) const { return inputs_[in].queues[lane].flits(); }
  /// Flits of the messages that have a place in the output buffer, but have not joined its queue.
  virtual std::int64_t promised(PortId /*out*/, VirtualLane /*lane*/) const { return 0; }
  /// What is not in order inside the switch beside its ports, empty when nothing is.
  virtual std::string audit() const { return {}; }

  /// With a handler, messages that have no way are given to it; without one they wait.
  void discard_to(LossHandler* losses) { losses_ = losses; }
  /// A link fails or is back, at the beginning of cycle `now`.
  void set_link(PortId port, bool up, Cycle now);
  /// Routes the messages that wait at inputs anew.
  void reroute(Cycle now);

  void receive(PortId in, const PacketTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;
  void upcoming(std::uint32_t token) const override;
  void imminent(std::uint32_t token) const override;
  void space_coming(PortId port, Cycle from) override;

 protected:
  void end_of_elaboration() override;

  /// What the first VL needs is a line of the cache.
  struct alignas(64) Input {
    Cycle free_at = 0;                            // first cycle in which it can be granted again
    PacketAnswerWay answers;                      // to the sender of its link
    std::uint32_t occupied = 0;                   // bit v: queue v holds a message
    VirtualLane next_lane = 0;                    // round-robin pointers
    InlineArray<MessageQueue, kFewLanes> queues;  // per VL
    std::uint16_t next_trunk = 0;
    std::uint32_t next_central = 0;
  };

  /// One VA-SA cycle. Returns the next cycle in which a grant may become possible by what is known now.
  virtual Cycle allocate(Cycle now) = 0;

  /// Flits the output VL must have room for.
  std::uint32_t need(const PacketMessage& m) const {
    return m.flits + (m.hop.enters_ring ? parameters_.bubble[m.hop.lane] : 0);
  }
  /// Whether the output buffer has room for the message; if not, `retry` becomes the cycle in which that may change, or
  /// the inputs are looked at again when the output next sends.
  bool has_room(PortId port, const PacketMessage& m, Cycle now, Cycle& retry);
  /// The head of input `in` on `lane` begins to move in this grant cycle: leaves its queue and gives its credits back.
  /// Returns its movement.
  Drain take_head(PortId in, VirtualLane lane, std::uint32_t rate, Cycle now);
  /// Joins the output queue; `moves`: its way over the last crossbar.
  void to_egress(PortId port, PacketMessage& m, const Drain& moves);
  /// First cycle in which a resource that makes this movement can be granted again.
  Cycle free_after(const Drain& moves) const { return moves.last() - parameters_.stages.allocation + 1; }
  void wake_allocator(Cycle at);
  /// Has the inputs [begin, end) that are to be looked at now ask for the switch: ask(in, lane, next) for their VLs in
  /// turn, until it returns true; `next` becomes the cycle in which it may. Without branches until then: which inputs
  /// these are cannot be predicted.
  template <class Ask>
  void ask_inputs(PortId begin, PortId end, Cycle now, Ask&& ask) {
    for (std::uint32_t from = begin; from < end; from += 64) {
      const std::uint32_t count = std::min<std::uint32_t>(64, end - from);
      std::uint64_t due = 0;
      for (std::uint32_t i = count; i-- > 0;) {
        due = due << 1 | static_cast<std::uint64_t>(look_at_[from + i] <= now);
      }
      for (; due != 0; due &= due - 1) {
        const auto in = static_cast<PortId>(from + static_cast<std::uint32_t>(std::countr_zero(due)));
        Cycle next = kNever;
        const bool asks = visit_cyclic(inputs_[in].occupied, inputs_[in].next_lane,
                                       [&](VirtualLane lane) { return ask(in, lane, next); });
        look_at_[in] = asks ? now + 1 : next;  // take_head() corrects it for those that are granted
      }
    }
  }
  /// The first cycle in which an input is to be looked at.
  Cycle next_look() const {
    Cycle next = kNever;
    for (const Cycle at : look_at_) next = at < next ? at : next;
    return next;
  }

  const PacketParameters& parameters_;
  std::vector<Input> inputs_;
  /// Per input: before this cycle it is busy, or none of its heads can be granted; kNever: it is empty.
  std::vector<Cycle> look_at_;
  std::vector<std::optional<EgressPort>> egress_;  // empty where nothing is connected
  std::uint64_t grants_ = 0;

 private:
  void drop(PortId in, PacketMessage& m, Cycle now);
  void look_everywhere(Cycle now);

  ClockDomain& domain_;
  const PacketRouter& router_;
  LossHandler* losses_ = nullptr;
  std::uint64_t planned_ = 0;  // bit c mod 64: allocator due in that cycle of the next 64
  sc_core::sc_time credit_delay_;

 protected:
  PacketSwitchSite site_;

 private:
  std::vector<std::unique_ptr<PacketInPort>> in_;
  std::vector<std::unique_ptr<PacketOutPort>> out_;
};

}  // namespace weft
