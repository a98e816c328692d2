#include "fabrics/tdm/observe/circuit_stats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "observe/values.h"

namespace weft {

CircuitStats::CircuitStats(const TdmConfig& config, const std::vector<PhasePlan>& phases, MessageWords words)
    : phases_(phases),
      period_(config.tdm_switch.period),
      slots_(config.tdm_switch.slots),
      word_bits_(config.tdm_switch.word_bits()),
      warm_up_(CycleSpan{false, config.run.warm_up.ps}.cycles(period_)),
      words_(std::move(words.longest)),
      data_start_(phases.size(), 0) {
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (const CircuitPlan& c : phases[p].circuits) {
      first_row_.push_back(rows_.size());
      for (std::size_t d = 0; d < c.destinations.size(); ++d) {
        Row row;
        row.plan = &c;
        row.phase = p;
        row.destination = d;
        row.bounds = latency_bounds(c.injection, c.transit[d], slots_, words_[c.id]);
        row.least = latency_bounds(c.injection, c.transit[d], slots_, words.shortest[c.id]).min;
        rows_.push_back(row);
      }
    }
  }
}

void CircuitStats::on_phase(std::size_t phase, Cycle data_start) { data_start_[phase] = data_start; }

CircuitStats::Row& CircuitStats::row_of(CircuitId circuit, NodeId destination) {
  std::size_t r = first_row_[circuit];
  const std::vector<NodeId>& all = rows_[r].plan->destinations;
  r += static_cast<std::size_t>(std::find(all.begin(), all.end(), destination) - all.begin());
  return rows_[r];
}

void CircuitStats::on_deliver(const DeliveryEvent& event) {
  const TdmMessage& m = event.message;
  Row& row = row_of(m.circuit, event.destination);
  ++delivered_messages_;
  delivered_words_ += m.words;
  const Cycle latency = event.delivered - m.head;
  const LatencyBounds bounds =
      m.words == words_[m.circuit]
          ? row.bounds
          : latency_bounds(row.plan->injection, row.plan->transit[row.destination], slots_, m.words);
  if (latency < bounds.min || latency > bounds.max) {
    throw RunError(fmt::format(
        "cycle {}: message {} of circuit {} ({} -> {}) took {} cycles, predicted were {} to {}: the network does not "
        "keep the latency its slot tables promise",
        event.delivered, m.sequence, m.circuit, row.plan->source, event.destination, latency, bounds.min, bounds.max));
  }
  if (m.generated < data_start_[row.phase] + warm_up_) return;
  const Cycle queueing = m.head - m.generated;
  if (row.count == 0) {
    row.latency_min = latency;
    row.first_delivered = event.delivered;
  } else {
    row.later_words += m.words;
  }
  ++row.count;
  row.latency_min = std::min(row.latency_min, latency);
  row.latency_max = std::max(row.latency_max, latency);
  row.latency_sum += latency;
  row.queueing_max = std::max(row.queueing_max, queueing);
  row.queueing_sum += queueing;
  row.last_delivered = event.delivered;
}

std::uint64_t CircuitStats::measured() const {
  std::uint64_t n = 0;
  for (const Row& r : rows_) n += r.count;
  return n;
}

Table CircuitStats::table(bool with_measured) const {
  Table t;
  t.key = "circuits";
  t.title = "Circuits";
  t.meaning =
      "One line per circuit and destination; latencies count from the moment a message stands at the head of its "
      "circuit's queue to the arrival of its last word.";
  t.columns = {{"phase", "", "name of the phase"},
               {"circuit", "", "number of the circuit"},
               {"flow", "", "flow id"},
               {"job", "", "job id, empty if none was given"},
               {"source", "", "sending node"},
               {"destination", "", "receiving node"},
               {"slots", "1", "slots per frame the circuit holds on every link (m)"},
               {"slot_list", "", "its slots on the injection link"},
               {"hops", "1", "links between switches on the way"},
               {"guaranteed_bandwidth", "Gb/s", "payload bandwidth of its slots: m/S of a link"},
               {"message_words", "1", "words per message; of the longest one where programs run"},
               {"predicted_min_latency", "ns",
                "least latency of such a message, of the shortest one where programs run, its slot coming at once"},
               {"predicted_max_latency", "ns", "worst-case latency of such a message, its slot just missed"}};
  const std::vector<Statistic> measured_columns{
      {"messages", "1", "messages delivered within the measurement"},
      {"min_latency", "ns", "least measured latency"},
      {"mean_latency", "ns", "mean measured latency"},
      {"max_latency", "ns", "largest measured latency; the run fails if it exceeds the prediction"},
      {"mean_queueing", "ns", "mean wait behind earlier messages of the same circuit, not part of the latency"},
      {"max_queueing", "ns", "longest such wait"},
      {"throughput", "Gb/s",
       "words delivered between the first and the last measured delivery, as payload, over the time between them; "
       "empty with fewer than two"}};
  if (with_measured) t.columns.insert(t.columns.end(), measured_columns.begin(), measured_columns.end());
  const double word_ns = ns(1.0);
  for (const Row& r : rows_) {
    const CircuitPlan& c = *r.plan;
    const Flow& flow = phases_[r.phase].flows[c.flow];
    const double guaranteed = static_cast<double>(word_bits_) / word_ns * static_cast<double>(c.injection.size()) /
                              static_cast<double>(slots_);
    std::vector<Value> v{phases_[r.phase].name,
                         std::int64_t{c.id},
                         flow.name,
                         flow.job,
                         std::int64_t{c.source},
                         std::int64_t{c.destinations[r.destination]},
                         static_cast<std::int64_t>(c.injection.size()),
                         list_text(c.injection),
                         std::int64_t{c.hops[r.destination]},
                         guaranteed,
                         std::int64_t{words_[c.id]},
                         ns(static_cast<double>(r.least)),
                         ns(static_cast<double>(r.bounds.max))};
    if (with_measured) v.emplace_back(static_cast<std::int64_t>(r.count));
    if (with_measured && r.count == 0) {
      v.insert(v.end(), 6, Value{});
    } else if (with_measured) {
      const auto n = static_cast<double>(r.count);
      const double bits = static_cast<double>(r.later_words) * static_cast<double>(word_bits_);
      v.insert(v.end(),
               {ns(static_cast<double>(r.latency_min)), ns(static_cast<double>(r.latency_sum) / n),
                ns(static_cast<double>(r.latency_max)), ns(static_cast<double>(r.queueing_sum) / n),
                ns(static_cast<double>(r.queueing_max)),
                r.count < 2 ? Value{} : Value{bits / ns(static_cast<double>(r.last_delivered - r.first_delivered))}});
    }
    t.rows.push_back(std::move(v));
  }
  return t;
}

}  // namespace weft
