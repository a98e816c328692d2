#pragma once
// Latency and throughput of every circuit and destination, measured against what was predicted for it.

#include <unordered_map>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "observe/statistic.h"

namespace weft {

/// Words per message, by circuit.
using WordsOf = std::vector<std::uint32_t>;

/// Words of the longest and of the shortest message of each circuit, needed for the prediction.
struct MessageWords {
  WordsOf longest;
  WordsOf shortest;
};

class CircuitStats final : public TdmObserver {
 public:
  /// `phases` must outlive the statistics.
  CircuitStats(const TdmConfig& config, const std::vector<PhasePlan>& phases, MessageWords words);

  void on_phase(std::size_t phase, Cycle data_start) override;
  /// Throws RunError when a message took less or more time than its circuit allows.
  void on_deliver(const DeliveryEvent& event) override;

  /// Slots, bandwidth and predictions of every circuit; with `measured`, what was measured beside them.
  Table table(bool measured) const;
  std::uint64_t measured() const;  ///< deliveries within the measurement
  std::uint64_t delivered_words() const { return delivered_words_; }
  std::uint64_t delivered_messages() const { return delivered_messages_; }

 private:
  struct Row {
    const CircuitPlan* plan = nullptr;
    std::size_t phase = 0;
    std::size_t destination = 0;  // index into plan->destinations
    LatencyBounds bounds;         // of its longest messages
    Cycle least = 0;              // of its shortest
    std::uint64_t count = 0;
    std::uint64_t later_words = 0;  // measured, without the first message
    Cycle latency_min = 0;
    Cycle latency_max = 0;
    std::int64_t latency_sum = 0;
    Cycle queueing_max = 0;
    std::int64_t queueing_sum = 0;
    Cycle first_delivered = 0;
    Cycle last_delivered = 0;
  };
  Row& row_of(CircuitId circuit, NodeId destination);
  double ns(double cycles) const { return cycles * static_cast<double>(period_.ps) / 1000.0; }

  const std::vector<PhasePlan>& phases_;
  Duration period_;
  std::uint32_t slots_;
  std::int64_t word_bits_;
  Cycle warm_up_;
  WordsOf words_;
  std::vector<Cycle> data_start_;
  std::vector<std::size_t> first_row_;  // per circuit
  std::vector<Row> rows_;
  std::uint64_t delivered_words_ = 0;
  std::uint64_t delivered_messages_ = 0;
};

}  // namespace weft
