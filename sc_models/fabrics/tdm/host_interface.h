#pragma once
// Interface of a host to the links of its node: the plain model, the Verilated RTL, or both in lockstep.
//
// Sending: a message stands at the head of the queue of its circuit from the cycle in which it begins; its words take
// the successive slots of the circuit from that cycle on, each over the link that the circuit has in the slot. A word
// that leaves in cycle t is in the input register of the switch in the same cycle. The next message of the circuit can
// stand at the head from the cycle after the last word on. Receiving: a word belongs to the circuit whose slot it comes
// in; a message is there with its last word.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "base/ids.h"
#include "fabrics/tdm/message.h"
#include "fabrics/tdm/train.h"
#include "kernel/clock_domain.h"

namespace weft {

/// Slots of a circuit at the node that sends.
struct HostSlots {
  std::vector<Slot> slots;           ///< ascending
  std::vector<std::uint32_t> links;  ///< link of the node in each of them
};

/// Message that stands at the head of its circuit's queue.
struct HostMessage {
  std::uint32_t sender = 0;  ///< number of its circuit at the host
  CircuitId circuit = 0;
  const HostSlots* slots = nullptr;  ///< of the circuit; stay until the message has left
  MessageId message = 0;
  std::uint32_t words = 1;
};

/// First cycle after the last word of a message that begins in cycle `now`.
Cycle free_after(const HostMessage& message, Cycle now, std::uint32_t slots);

/// Circuit that has each slot of each link of a node, in both directions; kNoId: none.
struct HostTables {
  HostTables(std::uint32_t links, std::uint32_t frame)
      : slots(frame), out(std::size_t{links} * frame, kNoId), in(std::size_t{links} * frame, kNoId) {}
  std::size_t at(std::uint32_t link, std::uint32_t slot) const { return std::size_t{link} * slots + slot; }
  std::uint32_t slots;
  std::vector<CircuitId> out;
  std::vector<CircuitId> in;
};

/// Tables of `node` while the circuits of `phase` are in place.
HostTables make_host_tables(const Graph& graph, const PhasePlan& phase, NodeId node, std::uint32_t slots);

/// Site of a host interface.
struct HostSite {
  NodeId node = 0;
  std::string path;  ///< SystemC name of the host
  std::uint32_t links = 1;
  std::uint32_t slots = 0;
  Cycle ejection_latency = 0;  ///< cycles from the switch's slot to the arrival
  const ClockDomain* domain = nullptr;
  const MessageStore* messages = nullptr;
};

/// The host as its interface sees it.
class HostInterfaceClient {
 public:
  virtual ~HostInterfaceClient() = default;
  /// Words of the message leave over `link`, the first one in cycle train.start, now or later. Circuit and sequence of
  /// the train are not set.
  virtual void depart(Cycle now, std::uint32_t sender, std::uint32_t link, const Train& train) = 0;
  /// The circuit's next message can stand at the head of the queue from cycle `free_at` on.
  virtual void left(std::uint32_t sender, Cycle free_at) = 0;
  /// The last word of a message has arrived, the first one in cycle `first_arrival`.
  virtual void received(Cycle now, MessageId message, Cycle first_arrival) = 0;
  /// Calls HostInterface::due(at, token) in that cycle and phase.
  virtual void wake(Cycle at, Phase phase, std::uint32_t token) = 0;
};

class HostInterface {
 public:
  virtual ~HostInterface() = default;
  /// Whether it reads tables; otherwise those below are not called.
  virtual bool has_tables() const { return false; }
  /// Tables in force from the beginning of the run. Call before the first cycle.
  virtual void preset(const HostTables& /*tables*/) {}
  /// Writes the shadow tables from cycle `now` on, one slot's column every `cycles_per_slot` cycles.
  virtual void load(Cycle /*now*/, const HostTables& /*tables*/, Cycle /*cycles_per_slot*/) {}
  /// Makes the shadow tables the active ones at `boundary`, the first cycle of a frame, later than the load.
  virtual void swap(Cycle /*now*/, Cycle /*boundary*/) {}
  /// The message stands at the head of its queue from now on, in phase `transfer`. None before it of its circuit is
  /// left.
  virtual void begin(Cycle now, const HostMessage& message) = 0;
  /// Announces a train whose first word arrives in cycle train.start >= now.
  virtual void arrive(Cycle now, PortId link, const Train& train) = 0;
  virtual void arrive_cut(PortId link, const TrainCut& cut) = 0;
  virtual void due(Cycle now, std::uint32_t token) = 0;
};

/// The plain model: the cycles of all words of a message are known when it begins.
class ModelHostInterface final : public HostInterface {
 public:
  ModelHostInterface(HostInterfaceClient& client, std::uint32_t slots, const MessageStore& messages)
      : client_(client), frame_(slots), messages_(messages) {}

  void begin(Cycle now, const HostMessage& message) override;
  void arrive(Cycle now, PortId link, const Train& train) override;
  void arrive_cut(PortId link, const TrainCut& cut) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  struct Arrival {
    Train train;
    bool pending = false;
  };
  struct Assembly {
    MessageId message = 0;
    std::uint32_t words = 0;
    Cycle first_arrival = 0;
  };
  void complete(Cycle now, const Train& train);

  HostInterfaceClient& client_;
  std::uint32_t frame_;
  const MessageStore& messages_;
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> free_arrivals_;
  std::vector<Assembly> assemblies_;
};

}  // namespace weft
