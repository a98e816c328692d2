#pragma once
// Latency and throughput of every circuit and destination, measured against what was predicted for it.
//
// The latency of a message counts from its generation to the arrival of its last word, as everywhere
// (observe/vocabulary.h). Its transit is the part that the slot tables promise: from the head of its circuit's queue to
// the arrival of its last word, network and serialization, without the queueing. Every transit is held against its
// bounds.

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "observe/services.h"
#include "observe/window.h"

namespace weft {

/// Words per message, by circuit.
using WordsOf = std::vector<std::uint32_t>;

/// Words of the longest and of the shortest message of each circuit, needed for the prediction.
struct MessageWords {
  WordsOf longest;
  WordsOf shortest;
};

class CircuitStats final : public TdmObserver, public WindowedStats {
 public:
  /// `phases` must outlive the statistics.
  CircuitStats(const TdmConfig& config, const std::vector<PhasePlan>& phases, MessageWords words);

  /// With traffic: circuits are measured by the messages that are generated in this window, not by those of a phase.
  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  /// What arrives afterwards is held against its bounds, but not measured.
  void close(Cycle now) override {
    window_.last = std::min(window_.last, now + 1);
    closed_ = true;
  }

  void on_phase(std::size_t phase, Cycle data_start) override;
  /// Throws RunError when a message took less or more time than its circuit allows.
  void on_deliver(const DeliveryEvent& event) override;

  // Statistics of the parts of a network that several ranks have, each of the destinations that it has.

  /// What has been measured so far, for collect().
  std::string numbers() const;
  /// Becomes what all of these say together, one of which is its own.
  void collect(const std::vector<std::string>& states);

  /// Slots, bandwidth and predictions of every circuit; with `measured`, what was measured beside them.
  Table table(bool measured) const;
  /// Load and latency of each phase on `nodes` nodes. `ends[p]`: first cycle after the measurement of phase p, where it
  /// ends with its messages; -1: it has not begun.
  std::vector<ServiceFigures> services(const std::vector<Cycle>& ends, std::uint32_t nodes) const;
  /// The same of all phases together.
  ServiceFigures all(const std::vector<Cycle>& ends, std::uint32_t nodes) const;
  Table histogram() const;
  /// Latency by the length of the routes.
  Table hops() const;
  /// Measured and predicted transits over all circuits.
  std::vector<Figure> transit_figures() const;
  std::uint64_t measured() const;  ///< deliveries within the measurement
  std::uint64_t delivered_words() const { return delivered_words_; }
  std::uint64_t delivered_messages() const { return delivered_messages_; }

 private:
  /// Of a circuit and destination.
  struct Measured {
    LatencySums latency;
    Cycle transit_min = 0;
    Cycle transit_max = 0;
    std::uint64_t later_words = 0;  // measured, without the first message
    Cycle first_delivered = 0;
    Cycle last_delivered = 0;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(latency, transit_min, transit_max, later_words, first_delivered, last_delivered);
    }
  };
  struct Row : Measured {
    const CircuitPlan* plan = nullptr;
    std::size_t phase = 0;
    std::size_t destination = 0;  // index into plan->destinations
    LatencyBounds bounds;         // of its longest messages
    Cycle least = 0;              // of its shortest
  };
  struct Phase {
    Cycle data_start = 0;
    Cycle first = 0;  // of the measurement
    Cycle last = 0;   // deliveries from here on are not counted; without end, if its messages end it
    std::uint64_t offered_words = 0;
    std::uint64_t accepted_words = 0;
    MessageLatency latency;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(offered_words, accepted_words, latency);
    }
  };
  Columns<Row> planned_columns() const;
  Columns<Row> channel_columns() const;
  Columns<Row> measured_columns() const;
  Cycle length(std::size_t phase, const std::vector<Cycle>& ends) const;
  Row& row_of(CircuitId circuit, NodeId destination);
  double ns(double cycles) const { return cycles * static_cast<double>(period_.ps) / 1000.0; }
  double ns(Cycle cycles) const { return ns(static_cast<double>(cycles)); }

  const std::vector<PhasePlan>& phases_;
  bool programs_;  // send when they may: there is no offered load
  bool windowed_;  // there is traffic
  Window window_;  // of it
  bool closed_ = false;
  Duration period_;
  std::uint32_t slots_;
  std::int64_t word_bits_;
  Cycle warm_up_;
  std::vector<Cycle> measure_;  // of each phase; -1: until its messages end
  WordsOf words_;
  std::vector<Phase> measurement_;      // by phase
  std::vector<std::size_t> first_row_;  // per circuit
  std::vector<Row> rows_;
  std::uint64_t delivered_words_ = 0;
  std::uint64_t delivered_messages_ = 0;
};

}  // namespace weft
