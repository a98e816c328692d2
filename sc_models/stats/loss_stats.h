#pragma once
// What links that fail do to messages, flow by flow (source, destination, level): how many were lost, and how many had
// neither arrived nor been lost when nothing moved any more. Counts the whole run.

#include <cstdint>
#include <map>
#include <tuple>

#include "config/qos_config.h"
#include "fabric/observer.h"
#include "stats/statistic.h"

namespace weft {

class LossStats final : public PacketObserver {
 public:
  explicit LossStats(const QosConfig& config) : config_(config) {}

  void on_generate(const PacketMessage& m) override { ++flow(m).generated; }
  void on_deliver(const PacketMessage& m, Cycle) override { ++flow(m).delivered; }
  void on_lose(const PacketMessage& m, Cycle) override { ++flow(m).lost; }
  void on_withdraw(const PacketMessage& m) override { ++flow(m).withdrawn; }

  /// The flows that suffered, those with the most lost and stalled messages first, at most 1,000. Stalled is what is
  /// left when the run is over.
  Table flows() const;
  std::uint64_t suffering() const;  ///< flows with lost or stalled messages
  std::uint64_t stalled() const;    ///< messages

 private:
  struct Flow {
    std::uint64_t generated = 0, delivered = 0, lost = 0, withdrawn = 0;
    std::uint64_t stalled() const { return generated - delivered - lost - withdrawn; }
  };
  Flow& flow(const PacketMessage& m) { return flows_[{m.source, m.destination, m.level}]; }

  const QosConfig& config_;
  std::map<std::tuple<NodeId, NodeId, ServiceLevel>, Flow> flows_;
};

}  // namespace weft
