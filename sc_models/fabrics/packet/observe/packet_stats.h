#pragma once
// Latency and throughput of every service level, and the use of every link, in the measurement window.
//
// Measured are the messages generated in the window; their latency counts from generation to the arrival of the last
// flit and has three parts: source queueing (generation to the first flit on the NIC's link, less the NIC's output
// stage), serialization (flits - 1) and network (the rest). Throughput counts flits of messages whose last flit arrives
// in the window.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/keys/packet_config.h"
#include "network/graph.h"
#include "observe/level_state.h"
#include "observe/services.h"

namespace weft {

/// Cycles first .. last - 1.
struct Window {
  static constexpr Cycle kOpen = std::numeric_limits<Cycle>::max();  ///< `last` of a window whose end is not known yet
  Cycle first = 0;
  Cycle last = 0;
  bool holds(Cycle c) const { return c >= first && c < last; }
  Cycle length() const { return last - first; }
  /// Cycles of [from, to) inside.
  Cycle overlap(Cycle from, Cycle to) const { return std::max<Cycle>(0, std::min(to, last) - std::max(from, first)); }
};

class PacketStats final : public PacketObserver {
 public:
  /// `in_order`: all messages of a level from one node to another have the same way, so they must arrive in order.
  PacketStats(const PacketConfig& config, const Graph& graph, Window window, bool in_order);

  bool wants_hops() const override { return true; }
  void on_generate(const PacketMessage& message) override;
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;
  void expect_hop(SwitchId sw, PortId out) const override;
  /// Throws RunError when a message arrives at the wrong node, or out of order where order is promised.
  void on_deliver(const PacketMessage& message, Cycle now) override;

  void on_lose(const PacketMessage& message, LossCause cause, Cycle now) override;

  /// Forgets what has been measured: the window begins with cycle `first` and is open. Cycles before which a hop has
  /// been told are too early.
  void measure_from(Cycle first);
  /// An open window ends before cycle `last`, under the same condition.
  void measure_until(Cycle last) { window_.last = last; }
  const LevelSeries& series(std::size_t level) const { return levels_[level].series; }
  /// Ends the measurement in cycle `now`: what arrives from now on is not counted, but still checked. A window that is
  /// not over ends with this cycle.
  void close(Cycle now);
  const Window& window() const { return window_; }
  std::uint64_t measured() const { return measured_; }  ///< messages generated in the window
  /// Measured messages that have neither arrived yet nor been lost.
  std::uint64_t missing() const { return measured_ - arrived_ - lost_; }
  std::uint64_t flit_hops() const { return flit_hops_; }
  std::uint64_t message_hops() const { return message_hops_; }

  /// One line per service level.
  Table services() const;
  Table histogram() const;
  Table links() const;
  /// State of a level over the window. close() comes first, as it does for the tables.
  const LevelState& state(std::size_t level) const { return states_.at(level); }
  /// Growth of its source queues in flits per microsecond.
  std::optional<double> queue_growth(const LevelState& state, std::size_t level) const;
  std::vector<std::string> saturated_levels() const;
  /// Load and latency of all levels together: what was generated and what arrived in the window.
  ServiceFigures all() const;
  /// One line per measured message that arrives, in order of arrival and, within a cycle, of destinations; complete
  /// after close(). Set before the run.
  void log_messages(std::string* log) {
    log_ = log;
    log_heading_ = log->size();
  }

 private:
  struct Level {
    std::uint64_t arrived = 0;  // in the window, of whatever age
    std::uint64_t lost = 0;     // of the measured ones
    MessageLatency latency;
    LevelSeries series;
  };
  double ns(double cycles) const { return cycles * static_cast<double>(period_.ps) / 1000.0; }
  ServiceLoad load(std::uint64_t messages, std::size_t level) const;
  ServiceFigures service(std::size_t level) const;
  void check_order(const PacketMessage& m);
  void log(const PacketMessage& m, Cycle now);
  void flush_log();

  const PacketConfig& config_;
  const Graph& graph_;
  Window window_;
  Duration period_;
  std::vector<Level> levels_;
  std::vector<LevelState> states_;            // of the levels, once closed
  std::vector<std::int64_t> link_flits_;      // per directed link, in the window
  std::vector<std::uint32_t> last_sequence_;  // per source, destination and level; empty: no order promised
  std::uint64_t generated_ = 0;
  std::uint64_t measured_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t flit_hops_ = 0;
  std::uint64_t message_hops_ = 0;
  bool closed_ = false;
  std::string* log_ = nullptr;
  std::size_t log_heading_ = 0;                       // its length without messages
  Cycle logged_ = -1;                                 // cycle of the lines that are not in the log yet
  std::vector<std::pair<NodeId, std::string>> rows_;  // these, with their destinations
};

}  // namespace weft
