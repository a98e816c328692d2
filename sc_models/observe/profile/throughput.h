#pragma once
// Throughput of programs over time: bytes delivered, by periods of equal length. There are at most 512 of them: when
// time goes on, two become one.

#include <string>
#include <vector>

#include "observe/profile/network_profile.h"
#include "observe/statistic.h"

namespace weft {

class ThroughputSeries final : public TransferObserver, public WindowedStats {
 public:
  explicit ThroughputSeries(Duration tick);

  void deliver(Cycle now, std::uint64_t bytes) { profile_.accept(now, bytes); }
  void on_arrive(const TransferRecord& transfer, Cycle now) override { deliver(now, transfer.bytes); }
  void measure_from(Cycle first) override { profile_.measure_from(first); }
  void measure_until(Cycle last) override { profile_.measure_until(last); }
  void close(Cycle now) override { profile_.close(now); }
  // As those of a profile.
  std::string numbers() const { return profile_.numbers(); }
  void collect(const std::vector<std::string>& states) { profile_.collect(states); }

  /// Table `throughput` and its chart, once it is closed; times count from the begin of the measurement. Nothing when
  /// nothing was delivered.
  void add_to(ReportData& report) const;

 private:
  double ns(Cycle ticks) const { return static_cast<double>(ticks * profile_.shape().tick.ps) / 1000.0; }

  NetworkProfile profile_;  // its flits are bytes
};

}  // namespace weft
