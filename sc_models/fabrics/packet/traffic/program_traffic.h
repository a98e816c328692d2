#pragma once
// Programs of nodes on a packet network: cuts the messages of algorithms/collectives/executor.h into packets, hands
// them to the NICs, and tells the executor when they have left and arrived.
//
// Timing. What happens in cycle t reaches the programs in cycle t + 1: a message has left when its last flit has
// (sent in t, left in t + 1), and has arrived in the cycle after the one in which its last flit arrives. A message of B
// bytes is ceil(B / flit) flits, at least one, in packets of the level's size and a last one of the rest; they are all
// generated in the cycle in which the message is sent. With several NICs per node the packets of a node take its NICs
// in turn; packet k goes from NIC k of the source to NIC k of the destination.

#include <limits>
#include <unordered_map>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "base/random.h"
#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/keys/packet_config.h"
#include "fabrics/packet/traffic/packet_sources.h"
#include "kernel/clock_domain.h"
#include "observe/message_latency.h"
#include "workload/program_agenda.h"

namespace weft {

class ProgramTraffic final : public PacketObserver, public collectives::MessagePort {
 public:
  /// References must outlive the traffic.
  ProgramTraffic(const PacketConfig& config, PacketSink& sink);

  /// Puts the beginning of the programs on the agenda, in cycle 0.
  void start(ClockDomain& domain);
  /// All programs are over and all their messages have arrived, since the cycle finished_at().
  bool finished() const { return agenda_.finished(); }
  Cycle finished_at() const { return agenda_.finished_at(); }
  const collectives::Executor& executor() const { return executor_; }
  std::uint64_t packets() const { return packets_; }
  /// Of messages that have arrived as a whole: from send() to the last flit of the last packet.
  const MessageLatency& latency() const { return latency_; }
  std::uint64_t flits_delivered() const { return flits_delivered_; }

  void on_generate(const PacketMessage& packet) override;
  void on_inject(const PacketMessage& packet) override;
  void on_deliver(const PacketMessage& packet, Cycle now) override;

  void send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) override;
  void wake(NodeId node, Cycle at) override;

 private:
  struct Open {  // a message under way
    std::uint64_t packets = 0, sent = 0, delivered = 0;
    Cycle left = 0;
    Cycle generated = 0;
    Cycle first_sent = std::numeric_limits<Cycle>::max();     // first flit of all packets, on a NIC's link
    Cycle first_arrived = std::numeric_limits<Cycle>::max();  // the same, at the destination
  };

  const PacketConfig& config_;
  PacketSink& sink_;
  ClockDomain* domain_ = nullptr;
  collectives::Executor executor_;
  ProgramAgenda agenda_;
  std::vector<Open> open_;                                   // by message
  std::unordered_map<std::uint32_t, std::uint32_t> packet_;  // sequence number: message
  std::vector<std::uint32_t> next_nic_;                      // per node
  std::vector<RandomStream> random_;                         // per node
  std::uint32_t sending_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t flits_delivered_ = 0;
  MessageLatency latency_;
};

}  // namespace weft
