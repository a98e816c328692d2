#pragma once
// What links that fail do to messages, over the whole run: how many were lost and by which failure, how many had to go
// another way, and what became of the messages of every level and of every flow (source, destination, level) that
// suffered.

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/keys/packet_config.h"
#include "observe/columns.h"
#include "observe/statistic.h"

namespace weft {

class LossStats final : public PacketObserver {
 public:
  explicit LossStats(const PacketConfig& config)
      : config_(config), levels_(config.levels.size()), faults_(config.faults.size()) {}

  void on_generate(const PacketMessage& m) override;
  void on_deliver(const PacketMessage& m, Cycle) override;
  void on_lose(const PacketMessage& m, LossCause cause, Cycle) override;
  void on_reroute(const PacketMessage& m, std::uint32_t fault) override;
  void on_withdraw(const PacketMessage& m) override;

  /// One line per failure of the configuration.
  Table faults() const;
  /// One line per level: what became of its messages. `stalled`: what is left will not move any more; otherwise it was
  /// under way when the run ended.
  Table levels(bool stalled) const;
  /// The flows that suffered, those with the most lost and left messages first, at most 1,000.
  Table flows(bool stalled) const;
  /// Flows with lost messages, and with stalled ones.
  std::uint64_t suffering(bool stalled) const;

 private:
  struct Fate {
    std::uint64_t generated = 0, delivered = 0, cut = 0, no_way = 0, withdrawn = 0;
    std::uint64_t lost() const { return cut + no_way; }
    std::uint64_t left() const { return generated - delivered - lost() - withdrawn; }
    std::uint64_t harm(bool stalled) const { return lost() + (stalled ? left() : 0); }
  };
  /// What becomes of messages: generated is the sum of the others.
  static Columns<Fate> fate_columns(bool stalled);
  struct FaultCount {
    std::uint64_t cut = 0, cut_flits = 0, no_way = 0, no_way_flits = 0, rerouted = 0;
  };
  template <class Change>
  void count(const PacketMessage& m, Change change) {
    change(levels_[m.level]);
    change(flows_[{m.source, m.destination, m.level}]);
  }

  const PacketConfig& config_;
  std::vector<Fate> levels_;
  std::map<std::tuple<NodeId, NodeId, ServiceLevel>, Fate> flows_;
  std::vector<FaultCount> faults_;
  std::unordered_set<std::uint32_t> rerouted_;  // sequence numbers of messages that are under way
};

}  // namespace weft
