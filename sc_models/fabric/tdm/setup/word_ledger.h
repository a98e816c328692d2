#pragma once
// Where the words sent on circuits that come and go end: one account per circuit, from its first request on.
//
// Five parties count without knowing of each other: the source what it sends, each switch what leaves it towards a
// host, each failing link what it takes with it, every host what comes to it by mistake, the destination what it was
// waiting for. What does not agree at the end is a word that was lost or made without anybody having said so, and every
// word that was sent on a circuit which stayed up must have come to its destination. check() holds all of this.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/observer.h"
#include "topology/graph.h"

namespace weft {

inline constexpr std::uint32_t kNoFault = ~std::uint32_t{0};

struct WordAccount {
  enum class Fate : std::uint8_t { up, refused, lost };

  std::uint32_t flow = 0;
  std::uint32_t number = 0;  ///< of the circuit's first request
  Fate fate = Fate::up;
  std::uint32_t fault = kNoFault;  ///< lost: the failure
  std::uint64_t sent = 0;          ///< by the source
  std::uint64_t left = 0;          ///< from a switch towards a host
  std::uint64_t lost_inside = 0;   ///< on a link between switches that failed
  std::uint64_t lost_outside = 0;  ///< on a link to a host that failed
  std::uint64_t astray = 0;        ///< at a host they were not sent to
  std::uint64_t arrived = 0;       ///< at the destination
  std::uint64_t taken = 0;         ///< of these: new, and in order

  std::uint64_t on_links() const { return lost_inside + lost_outside; }
  /// In a switch that had no table entry for them, or whose output was down.
  std::int64_t in_switches() const {
    return static_cast<std::int64_t>(sent) - static_cast<std::int64_t>(left + lost_inside);
  }
  /// By the network, wherever.
  std::uint64_t discarded() const { return static_cast<std::uint64_t>(in_switches()) + on_links() + astray; }
  std::uint64_t dropped() const { return arrived - taken; }
};

class WordLedger final : public FabricObserver {
 public:
  explicit WordLedger(const Graph& graph) : graph_(graph) {}

  std::uint32_t open(std::uint32_t flow, std::uint32_t number);
  WordAccount& at(std::uint32_t account) { return accounts_[account]; }
  /// The words of run `run`, the next one, belong to the account.
  void begin_run(MessageId run, std::uint32_t account);
  bool known(MessageId run) const { return run < account_of_.size(); }
  WordAccount& of(MessageId run) { return accounts_[account_of_[run]]; }
  const WordAccount& of(MessageId run) const { return accounts_[account_of_[run]]; }
  /// Words under way behind output `out` when its link failed.
  void lost_on_link(SwitchId sw, PortId out, MessageId run, std::uint32_t words);
  const std::vector<WordAccount>& accounts() const { return accounts_; }

  /// When nothing is under way; empty: all is well. `failures`: something was to fail in this run.
  std::string check(bool failures) const;

  bool wants_hops() const override { return true; }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;

 private:
  bool to_host(SwitchId sw, PortId out) const { return graph_.node_at(sw, out) != kNoId; }

  const Graph& graph_;
  std::vector<WordAccount> accounts_;
  std::vector<std::uint32_t> account_of_;  // by run
};

}  // namespace weft
