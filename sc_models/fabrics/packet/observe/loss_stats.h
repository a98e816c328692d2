#pragma once
// Losses to links that fail, over the whole run: how many packets were lost and by which failure, how many had to take
// another route, and what became of the packets of every level and of every flow (source, destination, level) that
// suffered. A message that is not cut into packets is one.

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/keys/packet_config.h"
#include "kernel/clock_domain.h"
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

  // Of a network that several ranks simulate: each counts what it is told, and nothing before collect() is of use.

  void be_part(const ClockDomain& domain) { domain_ = &domain; }
  /// What has been counted, for collect().
  std::string numbers() const;
  /// Becomes what all of these say together, one of which is its own. At the end of the run.
  void collect(const std::vector<std::string>& states);

 private:
  struct MessageCounts {
    std::uint64_t generated = 0, delivered = 0, cut = 0, no_route = 0, withdrawn = 0;
    std::uint64_t lost() const { return cut + no_route; }
    std::uint64_t left() const { return generated - delivered - lost() - withdrawn; }
    std::uint64_t harm(bool stalled) const { return lost() + (stalled ? left() : 0); }
    void add(const MessageCounts& o);
  };
  using Flow = std::tuple<NodeId, NodeId, ServiceLevel>;
  struct HashOfFlow {
    std::size_t operator()(const Flow& f) const {
      return (std::size_t{std::get<0>(f)} << 32 ^ std::get<1>(f)) * 0x9e3779b97f4a7c15ULL + std::get<2>(f);
    }
  };
  void forget_route(const PacketMessage& m);
  /// What becomes of messages: generated is the sum of the others.
  static Columns<MessageCounts> count_columns(bool stalled);
  struct FaultCount {
    std::uint64_t cut = 0, cut_flits = 0, no_route = 0, no_route_flits = 0, rerouted = 0;
    void add(const FaultCount& o);
  };
  /// The first time that a message was given another route.
  struct Reroute {
    std::uint32_t sequence = 0;
    std::uint32_t fault = 0;
    Cycle at = 0;
  };
  template <class Change>
  void count(const PacketMessage& m, Change change) {
    change(levels_[m.level]);
    change(flows_[{m.source, m.destination, m.level}]);
  }

  const PacketConfig& config_;
  std::vector<MessageCounts> levels_;
  std::unordered_map<Flow, MessageCounts, HashOfFlow> flows_;
  std::vector<FaultCount> faults_;
  // By sequence numbers, of messages that are under way; of several ranks, of all.
  std::unordered_map<std::uint32_t, Reroute> rerouted_;
  const ClockDomain* domain_ = nullptr;  // of one rank of several
};

}  // namespace weft
