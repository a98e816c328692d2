#include "fabrics/tdm/observe/circuit_stats.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "base/diagnostics.h"
#include "observe/values.h"
#include "observe/vocabulary.h"

namespace weft {

CircuitStats::CircuitStats(const TdmConfig& config, const std::vector<PhasePlan>& phases, MessageWords words)
    : phases_(phases),
      programs_(!config.programs.empty()),
      windowed_(config.has_traffic()),
      period_(config.tdm_switch.period),
      slots_(config.tdm_switch.slots),
      word_bits_(config.tdm_switch.word_bits()),
      warm_up_(CycleSpan{false, config.run.warm_up.ps}.cycles(period_)),
      words_(std::move(words.longest)),
      measurement_(phases.size()) {
  const Cycle measure = CycleSpan{false, config.run.measure.ps}.cycles(period_);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    measure_.push_back(programs_ || config.phases[p].sources.messages ? -1 : measure);
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

void CircuitStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  for (Row& r : rows_) {
    static_cast<Measured&>(r) = {};
  }
}

void CircuitStats::on_phase(std::size_t phase, Cycle data_start) {
  Phase& p = measurement_[phase];
  p.data_start = data_start;
  p.first = data_start + warm_up_;
  p.last = measure_[phase] < 0 ? std::numeric_limits<Cycle>::max() : p.first + measure_[phase];
}

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
  const Cycle transit = event.delivered - m.head;
  const LatencyBounds bounds =
      m.words == words_[m.circuit]
          ? row.bounds
          : latency_bounds(row.plan->injection, row.plan->transit[row.destination], slots_, m.words);
  if (transit < bounds.min || transit > bounds.max) {
    throw RunError(fmt::format(
        "cycle {}: message {} of circuit {} ({} -> {}) took {} cycles, predicted were {} to {}: the network does not "
        "keep the latency its slot tables promise",
        event.delivered, m.sequence, m.circuit, row.plan->source, event.destination, transit, bounds.min, bounds.max));
  }
  Phase& phase = measurement_[row.phase];
  if (event.delivered >= phase.first && event.delivered < phase.last) phase.accepted_words += m.words;
  // Messages of programs may have waited for their phase.
  if (windowed_ ? closed_ || !window_.holds(m.generated) : !programs_ && m.generated < phase.first) return;
  if (row.destination == 0) phase.offered_words += m.words;
  const Cycle queueing = m.head - m.generated;
  const Cycle network = event.first_arrival - m.head;
  const Cycle serialization = event.delivered - event.first_arrival;
  phase.latency.add(queueing, network, serialization);
  if (row.latency.messages() == 0) {
    row.transit_min = transit;
    row.first_delivered = event.delivered;
  } else {
    row.later_words += m.words;
  }
  row.latency.add(queueing, network, serialization);
  row.transit_min = std::min(row.transit_min, transit);
  row.transit_max = std::max(row.transit_max, transit);
  row.last_delivered = event.delivered;
}

// A row is measured where its destination is.
std::string CircuitStats::numbers() const {
  std::vector<std::pair<std::uint64_t, Measured>> rows;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].latency.messages() > 0) rows.emplace_back(r, rows_[r]);
  }
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(rows, measurement_, delivered_words_, delivered_messages_);
  return std::move(out).str();
}

void CircuitStats::collect(const std::vector<std::string>& states) {
  for (Row& r : rows_) static_cast<Measured&>(r) = {};
  for (Phase& p : measurement_) {
    p.offered_words = p.accepted_words = 0;
    p.latency = {};
  }
  delivered_words_ = delivered_messages_ = 0;
  for (const std::string& state : states) {
    std::istringstream in(state);
    cereal::BinaryInputArchive archive(in);
    std::vector<std::pair<std::uint64_t, Measured>> rows;
    std::vector<Phase> phases;
    std::uint64_t words = 0;
    std::uint64_t messages = 0;
    archive(rows, phases, words, messages);
    for (const auto& [row, measured] : rows) static_cast<Measured&>(rows_.at(row)) = measured;
    for (std::size_t p = 0; p < measurement_.size(); ++p) {
      measurement_[p].offered_words += phases.at(p).offered_words;
      measurement_[p].accepted_words += phases.at(p).accepted_words;
      measurement_[p].latency.add(phases.at(p).latency);
    }
    delivered_words_ += words;
    delivered_messages_ += messages;
  }
}

std::uint64_t CircuitStats::measured() const {
  std::uint64_t n = 0;
  for (const Row& r : rows_) n += r.latency.messages();
  return n;
}

Columns<CircuitStats::Row> CircuitStats::planned_columns() const {
  const auto flow = [this](const Row& r) -> const Flow& { return phases_[r.phase].flows[r.plan->flow]; };
  return {
      {{"phase", "", "name of the phase"}, [this](const Row& r) { return phases_[r.phase].name; }},
      {{"circuit", "", "number of the circuit"}, [](const Row& r) { return r.plan->id; }},
      {{"flow", "", "flow id"}, [flow](const Row& r) { return flow(r).name; }},
      {{"job", "", "job id, empty if none was given"}, [flow](const Row& r) { return flow(r).job; }},
      {{"source", "", "sending node"}, [](const Row& r) { return r.plan->source; }},
      {{"destination", "", "receiving node"}, [](const Row& r) { return r.plan->destinations[r.destination]; }},
      {{"slots", "1", "slots per frame the circuit holds on every link (m)"},
       [](const Row& r) { return r.plan->injection.size(); }},
      {{"slot_list", "", "its slots on the injection link"}, [](const Row& r) { return list_text(r.plan->injection); }},
      {{"hops", "1", "links between switches on the route"}, [](const Row& r) { return r.plan->hops[r.destination]; }},
      {{"guaranteed_bandwidth", "Gb/s", "payload bandwidth of its slots: m/S of a link"},
       [this](const Row& r) {
         return static_cast<double>(word_bits_) / ns(1.0) * static_cast<double>(r.plan->injection.size()) /
                static_cast<double>(slots_);
       }},
      {{"message_words", "1", "words per message; of the longest one with programs and traffic"},
       [this](const Row& r) { return words_[r.plan->id]; }},
      {{"predicted_transit_min", "ns",
        "least transit of such a message, of the shortest one with programs and traffic, its slot coming at once"},
       [this](const Row& r) { return ns(r.least); }},
      {{"predicted_transit_max", "ns", "worst-case transit of such a message, its slot just missed"},
       [this](const Row& r) { return ns(r.bounds.max); }}};
}

// The channel of a circuit is the link of its node that it begins on.
Columns<CircuitStats::Row> CircuitStats::channel_columns() const {
  const auto channel = [this](std::uint32_t (LinkChannels::*of)(std::uint32_t) const) {
    return [this, of](const Row& r) {
      const LinkChannels& c = phases_[r.phase].channels;
      return c.count() > 1 ? Value{std::int64_t{(c.*of)(r.plan->node_links.front())}} : Value{};
    };
  };
  return {{{"wavelength", "", "that the circuit has on every link"}, channel(&LinkChannels::wavelength)},
          {{"plane", "", "of it"}, channel(&LinkChannels::plane)}};
}

Columns<CircuitStats::Row> CircuitStats::measured_columns() const {
  const auto measured = [](auto of) {
    return [of](const Row& r) { return r.latency.messages() == 0 ? Value{} : Value{of(r)}; };
  };
  Columns<Row> columns =
      columns_of<Row>(brief_latency_columns(), [this](const Row& r) { return r.latency.figures(period_); });
  columns += Columns<Row>{
      {{"transit_mean", "ns", "mean transit: head of the circuit's queue to the arrival of the last word"},
       measured([this](const Row& r) {
         return ns(static_cast<double>(r.latency.transit()) / static_cast<double>(r.latency.messages()));
       })},
      {{"transit_min", "ns", "least transit"}, measured([this](const Row& r) { return ns(r.transit_min); })},
      {{"transit_max", "ns", "largest transit; the run fails if it exceeds the prediction"},
       measured([this](const Row& r) { return ns(r.transit_max); })},
      {{"throughput", "Gb/s",
        "words delivered between the first and the last measured delivery, as payload, over the time between them; "
        "empty with fewer than two"},
       [this](const Row& r) {
         const double bits = static_cast<double>(r.later_words) * static_cast<double>(word_bits_);
         return r.latency.messages() < 2 ? Value{} : Value{bits / ns(r.last_delivered - r.first_delivered)};
       }}};
  return columns;
}

Table CircuitStats::table(bool with_measured) const {
  Columns<Row> columns = planned_columns();
  const bool channels =
      std::any_of(phases_.begin(), phases_.end(), [](const PhasePlan& p) { return p.channels.count() > 1; });
  if (channels) columns += channel_columns();
  if (with_measured) columns += measured_columns();
  return make_table({"circuits", "Circuits",
                     "One line per circuit and destination. A message's transit counts from the moment it stands at "
                     "the head of its circuit's queue to the arrival of its last word; its latency from its "
                     "generation, which of saturated sources is the moment they turn to it."},
                    columns, rows_);
}

Cycle CircuitStats::length(std::size_t phase, const std::vector<Cycle>& ends) const {
  const Cycle last = std::min(measurement_[phase].last, ends[phase]);
  return std::max<Cycle>(0, last - measurement_[phase].first);
}

std::vector<ServiceFigures> CircuitStats::services(const std::vector<Cycle>& ends, std::uint32_t nodes) const {
  std::vector<ServiceFigures> out;
  for (std::size_t p = 0; p < measurement_.size(); ++p) {
    const auto load = [&](std::uint64_t words) {
      return ServiceLoad::of(words, word_bits_, length(p, ends), period_, nodes);
    };
    const Phase& phase = measurement_[p];
    out.push_back({phases_[p].name, std::nullopt, load(phase.accepted_words), phase.latency.figures(period_)});
    if (!programs_) out.back().offered = load(phase.offered_words);
  }
  return out;
}

ServiceFigures CircuitStats::all(const std::vector<Cycle>& ends, std::uint32_t nodes) const {
  Cycle cycles = 0;
  std::uint64_t offered = 0;
  std::uint64_t accepted = 0;
  MessageLatency latency;
  for (std::size_t p = 0; p < measurement_.size(); ++p) {
    cycles += length(p, ends);
    offered += measurement_[p].offered_words;
    accepted += measurement_[p].accepted_words;
    latency.add(measurement_[p].latency);
  }
  ServiceFigures out{"", std::nullopt, ServiceLoad::of(accepted, word_bits_, cycles, period_, nodes),
                     latency.figures(period_)};
  if (!programs_) out.offered = ServiceLoad::of(offered, word_bits_, cycles, period_, nodes);
  return out;
}

Table CircuitStats::histogram() const {
  std::vector<ServiceHistogram> services;
  for (std::size_t p = 0; p < measurement_.size(); ++p) {
    services.push_back({phases_[p].name, measurement_[p].latency.histogram().values()});
  }
  return histogram_table(services, period_);
}

Table CircuitStats::hops() const {
  std::map<std::uint32_t, LatencySums> sums;
  for (const Row& r : rows_) {
    if (r.latency.messages() > 0) sums[r.plan->hops[r.destination]] += r.latency;
  }
  std::vector<HopLatency> lengths;
  for (const auto& [hops, latency] : sums) lengths.push_back({hops, latency.figures(period_)});
  return hops_table(lengths);
}

std::vector<Figure> CircuitStats::transit_figures() const {
  std::optional<Cycle> least;
  std::optional<Cycle> largest;
  std::optional<Cycle> bound;
  for (const Row& r : rows_) {
    bound = std::max(bound.value_or(0), r.bounds.max);
    if (r.latency.messages() == 0) continue;
    least = std::min(least.value_or(r.transit_min), r.transit_min);
    largest = std::max(largest.value_or(0), r.transit_max);
  }
  const auto time = [this](const std::optional<Cycle>& c) { return c ? Value{ns(*c)} : Value{}; };
  return {{{"transit_min", "ns",
            "least transit of a message, from the head of its circuit's queue to the arrival of its last word"},
           time(least),
           false},
          {{"transit_max", "ns", "largest transit of a message"}, time(largest), true},
          {{"predicted_transit_max", "ns", "largest worst-case prediction of a transit, of all circuits"},
           time(bound),
           true}};
}

}  // namespace weft
