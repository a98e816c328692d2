#pragma once
// Latency of messages, the same for every family: from generation to the arrival of the last flit, as a distribution,
// and its means by parts - queueing at the source, network, serialization (observe/vocabulary.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "observe/columns.h"
#include "observe/latency_histogram.h"

namespace weft {

/// What a report says of the latencies of some messages, in ns.
struct LatencyFigures {
  std::uint64_t messages = 0;
  std::optional<double> mean, min, p50, p95, p99, p999, max;
  std::optional<double> queueing, queueing_max, network, serialization;
};

/// Latencies of messages without their distribution: for the many circuits of a network.
class LatencySums {
 public:
  void add(Cycle queueing, Cycle network, Cycle serialization) {
    const Cycle latency = queueing + network + serialization;
    min_ = count_ == 0 ? latency : std::min(min_, latency);
    max_ = std::max(max_, latency);
    ++count_;
    queueing_ += queueing;
    queueing_max_ = std::max(queueing_max_, queueing);
    network_ += network;
    serialization_ += serialization;
  }
  LatencySums& operator+=(const LatencySums& other);
  std::uint64_t messages() const { return count_; }
  /// Sum of network and serialization.
  std::int64_t transit() const { return network_ + serialization_; }
  /// Without percentiles.
  LatencyFigures figures(Duration unit) const;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(count_, min_, max_, queueing_, queueing_max_, network_, serialization_);
  }

 private:
  std::uint64_t count_ = 0;
  Cycle min_ = 0;
  Cycle max_ = 0;
  std::int64_t queueing_ = 0;
  Cycle queueing_max_ = 0;
  std::int64_t network_ = 0;
  std::int64_t serialization_ = 0;
};

/// Latencies of the messages of one service in units of its clock.
class MessageLatency {
 public:
  void add(Cycle queueing, Cycle network, Cycle serialization) {
    histogram_.add(queueing + network + serialization);
    queueing_ += queueing;
    queueing_max_ = std::max(queueing_max_, queueing);
    network_ += network;
    serialization_ += serialization;
  }
  void add(const MessageLatency& other);
  const LatencyHistogram& histogram() const { return histogram_; }
  std::uint64_t messages() const { return histogram_.count(); }
  /// `unit`: what latencies were counted in.
  LatencyFigures figures(Duration unit) const;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(histogram_, queueing_, queueing_max_, network_, serialization_);
  }

 private:
  LatencyHistogram histogram_;
  std::int64_t queueing_ = 0;
  Cycle queueing_max_ = 0;
  std::int64_t network_ = 0;
  std::int64_t serialization_ = 0;
};

/// latency_mean to latency_max.
const Columns<LatencyFigures>& latency_columns();
/// messages, latency_mean, latency_min, latency_max and the parts, without percentiles.
Columns<LatencyFigures> brief_latency_columns();
/// queueing, queueing_max, network, serialization.
const Columns<LatencyFigures>& latency_part_columns();
/// All of these as figures of a section; mean, 99th percentile and largest are in the summary.
std::vector<Figure> latency_figures(const LatencyFigures& latency);

/// Latency of the messages whose routes have that many links between switches.
struct HopLatency {
  std::size_t hops = 0;
  LatencyFigures latency;
};
/// Table `hops`.
Table hops_table(const std::vector<HopLatency>& lengths);

/// Latency of the messages from one node to another.
struct PairLatency {
  std::size_t source = 0;
  std::size_t destination = 0;
  LatencyFigures latency;
};
/// Nodes of a network whose pairs are told one by one.
inline constexpr std::uint32_t kMostPairNodes = 32;
/// Table `pairs`.
Table pairs_table(const std::vector<PairLatency>& pairs, std::string meaning);

/// Latencies of a service and how often each occurred.
struct ServiceHistogram {
  std::string service;
  std::vector<std::pair<Cycle, std::uint64_t>> values;  ///< ascending
};
/// Table `histogram`: bins that double in width from 32 units on keep it short; inside them everything was counted.
Table histogram_table(const std::vector<ServiceHistogram>& services, Duration unit);

}  // namespace weft
