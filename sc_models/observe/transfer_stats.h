#pragma once
// Latency and throughput of every service of a fabric in the measurement window.
//
// Measured are the transfers generated in the window; their latency counts from generation to the arrival of the last
// flit and has three parts: source queueing (generation to the first flit on the link of its source, less the pipeline
// of the interface), serialization (flits - 1) and network (the rest). Throughput counts flits of transfers whose last
// flit arrives in the window.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "kernel/record.h"
#include "observe/level_state.h"
#include "observe/message_latency.h"
#include "observe/message_log.h"
#include "observe/profile/hop_counts.h"
#include "observe/services.h"
#include "observe/statistic.h"
#include "observe/window.h"

namespace weft {

/// A service, as statistics know it.
struct ServiceInfo {
  std::string name;
  std::string traffic_class;
  std::uint32_t message = 1;  ///< flits of its usual messages
};

struct TransferStatsOptions {
  std::vector<ServiceInfo> services;
  std::string level = "service level";  ///< word for a service
  Duration tick;                        ///< of the records
  Duration cycle{};                     ///< of the network, which loads are per; none: a tick
  std::int64_t flit_bits = 8;
  std::uint32_t nodes = 0;
  double confidence = 0.95;  ///< of the intervals of mean latencies
  /// All transfers of a service from one node to another have the same route, so they must arrive in order.
  bool in_order = false;
  /// Latency by source and destination is recorded, where there are at most kMostPairNodes.
  bool pairs = false;
  /// Lengths of the routes; nothing: not known.
  std::optional<HopCounts> hops;
};

class TransferStats final : public TransferObserver, public WindowedStats {
 public:
  TransferStats(TransferStatsOptions options, Window window);

  void on_generate(const TransferRecord& transfer) override;
  void on_enter(const TransferRecord& transfer) override;
  /// Throws RunError when a transfer arrives out of order where order is promised, some arrivals later.
  void on_arrive(const TransferRecord& transfer, Cycle now) override;
  void on_lose(const TransferRecord& transfer, Cycle now) override;
  /// At the end of what is simulated: the last arrivals, whose order is looked at a little later, are in order too.
  /// Throws RunError as on_arrive().
  void check_last_arrivals();

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  const LevelSeries& series(std::size_t service) const { return levels_[service].series; }
  /// What arrives from now on is not counted, but still checked.
  void close(Cycle now) override;
  const Window& window() const { return window_; }
  const std::vector<ServiceInfo>& known_services() const { return options_.services; }
  std::uint64_t measured() const { return measured_; }  ///< transfers generated in the window
  /// Measured transfers that have neither arrived yet nor been lost.
  std::uint64_t missing() const { return measured_ - arrived_ - lost_; }
  /// The services that miss some, with their numbers: "bulk: 12".
  std::vector<std::string> missing_by_service() const;

  /// One line per service.
  Table services() const;
  Table histogram() const;
  /// One line per length of a route; no lines when lengths are not known.
  Table hops() const;
  /// One line per source and destination with messages; no lines in larger networks.
  Table pairs() const;
  /// State of a service over the window. close() comes first, as it does for the tables.
  const LevelState& state(std::size_t service) const { return states_.at(service); }
  /// Growth of its source queues in flits per microsecond.
  std::optional<double> queue_growth(const LevelState& state, std::size_t service) const;
  std::vector<std::string> saturated_services() const;
  /// Load and latency of all services together: what was generated and what arrived in the window.
  ServiceFigures all() const;
  /// The same of a service.
  ServiceFigures service(std::size_t service) const;
  /// One line per measured transfer that arrives. Set before the run; must outlive it.
  void log_transfers(MessageLog& log) { log_ = &log; }

  // Statistics of the parts of a fabric that several processes run. Each looks at what its part generates and what
  // arrives there.

  /// What has been measured so far, for collect(); with the lines that the log keeps, or without.
  std::string numbers(bool with_lines) const;
  /// Becomes what all of these say together, one of which is its own. Before close().
  void collect(const std::vector<std::string>& states);

 private:
  static constexpr std::size_t kFetched = 8;  // a power of two
  struct Level {
    std::uint64_t generated_flits = 0;  // in the window
    std::uint64_t arrived_flits = 0;    // in the window, of whatever age
    std::uint64_t lost = 0;             // of the measured ones
    MessageLatency latency;
    LevelSeries series;
    void add(const Level& other);
    /// Measured messages that have neither arrived nor been lost.
    std::uint64_t missing() const { return series.generated() - latency.messages() - lost; }
    template <class Archive>
    void serialize(Archive& archive) {
      archive(generated_flits, arrived_flits, lost, latency, series);
    }
  };
  double ns(double ticks) const { return ticks * static_cast<double>(options_.tick.ps) / 1000.0; }
  ServiceLoad load(std::uint64_t flits) const;
  /// A transfer that has arrived, and what is known of its order there.
  struct Arrived {
    std::uint64_t place = 0;  // in last_id_
    std::uint32_t id = 0;
    NodeId from = 0, to = 0;
    std::uint32_t service = 0;
  };
  void check_order(const TransferRecord& t);
  void check_order(const Arrived& t);
  void log(const TransferRecord& t, Cycle now);

  TransferStatsOptions options_;
  Window window_;
  std::vector<Level> levels_;
  std::vector<LevelState> states_;      // of the services, once closed
  std::vector<std::uint32_t> last_id_;  // per source, destination and service; empty: no order promised
  // Those whose numbers are being fetched: any pair may come next, so its number is not in the cache.
  std::array<Arrived, kFetched> arrived_order_;
  std::size_t arrivals_ = 0;           // that have been there
  std::vector<LatencySums> by_hops_;   // per length of a route; empty: lengths are not known
  std::vector<LatencySums> by_pairs_;  // by source and destination; empty: not recorded
  std::uint64_t measured_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t lost_ = 0;
  bool closed_ = false;
  MessageLog* log_ = nullptr;
};

}  // namespace weft
