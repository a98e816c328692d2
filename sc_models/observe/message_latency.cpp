#include "observe/message_latency.h"

#include "observe/vocabulary.h"

namespace weft {
namespace {

double ns(double units, Duration unit) { return units * static_cast<double>(unit.ps) / 1000.0; }
double ns(Cycle units, Duration unit) { return ns(static_cast<double>(units), unit); }

}  // namespace

void MessageLatency::add(const MessageLatency& other) {
  for (const auto& [latency, n] : other.histogram_.values()) histogram_.add(latency, n);
  queueing_ += other.queueing_;
  queueing_max_ = std::max(queueing_max_, other.queueing_max_);
  network_ += other.network_;
  serialization_ += other.serialization_;
}

LatencyFigures MessageLatency::figures(Duration unit) const {
  LatencyFigures out;
  out.messages = histogram_.count();
  if (out.messages == 0) return out;
  const auto mean = [&](std::int64_t sum) {
    return ns(static_cast<double>(sum) / static_cast<double>(out.messages), unit);
  };
  out.mean = ns(*histogram_.mean(), unit);
  out.min = ns(*histogram_.min(), unit);
  out.p50 = ns(*histogram_.percentile(500), unit);
  out.p95 = ns(*histogram_.percentile(950), unit);
  out.p99 = ns(*histogram_.percentile(990), unit);
  out.p999 = ns(*histogram_.percentile(999), unit);
  out.max = ns(*histogram_.max(), unit);
  out.queueing = mean(queueing_);
  out.queueing_max = ns(queueing_max_, unit);
  out.network = mean(network_);
  out.serialization = mean(serialization_);
  return out;
}

LatencySums& LatencySums::operator+=(const LatencySums& other) {
  if (other.count_ > 0) min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  count_ += other.count_;
  queueing_ += other.queueing_;
  queueing_max_ = std::max(queueing_max_, other.queueing_max_);
  network_ += other.network_;
  serialization_ += other.serialization_;
  return *this;
}

LatencyFigures LatencySums::figures(Duration unit) const {
  LatencyFigures out;
  out.messages = count_;
  if (count_ == 0) return out;
  const auto mean = [&](std::int64_t sum) { return ns(static_cast<double>(sum) / static_cast<double>(count_), unit); };
  out.mean = mean(queueing_ + network_ + serialization_);
  out.min = ns(min_, unit);
  out.max = ns(max_, unit);
  out.queueing = mean(queueing_);
  out.queueing_max = ns(queueing_max_, unit);
  out.network = mean(network_);
  out.serialization = mean(serialization_);
  return out;
}

Columns<LatencyFigures> brief_latency_columns() {
  namespace v = vocabulary;
  Columns<LatencyFigures> columns{{v::kMessages, &LatencyFigures::messages},
                                  {v::kLatencyMean, &LatencyFigures::mean},
                                  {v::kLatencyMin, &LatencyFigures::min},
                                  {v::kLatencyMax, &LatencyFigures::max}};
  columns += latency_part_columns();
  return columns;
}

const Columns<LatencyFigures>& latency_columns() {
  namespace v = vocabulary;
  static const Columns<LatencyFigures> columns{
      {v::kLatencyMean, &LatencyFigures::mean}, {v::kLatencyMin, &LatencyFigures::min},
      {v::kLatencyP50, &LatencyFigures::p50},   {v::kLatencyP95, &LatencyFigures::p95},
      {v::kLatencyP99, &LatencyFigures::p99},   {v::kLatencyP999, &LatencyFigures::p999},
      {v::kLatencyMax, &LatencyFigures::max}};
  return columns;
}

const Columns<LatencyFigures>& latency_part_columns() {
  namespace v = vocabulary;
  static const Columns<LatencyFigures> columns{{v::kQueueing, &LatencyFigures::queueing},
                                               {v::kQueueingMax, &LatencyFigures::queueing_max},
                                               {v::kNetwork, &LatencyFigures::network},
                                               {v::kSerialization, &LatencyFigures::serialization}};
  return columns;
}

std::vector<Figure> latency_figures(const LatencyFigures& latency) {
  namespace v = vocabulary;
  std::vector<Figure> out = figures_of(latency_columns(), latency);
  for (Figure& f : out) {
    f.in_summary = f.statistic.key == v::kLatencyMean.key || f.statistic.key == v::kLatencyP99.key ||
                   f.statistic.key == v::kLatencyMax.key;
  }
  for (Figure& f : figures_of(latency_part_columns(), latency)) out.push_back(std::move(f));
  return out;
}

Table hops_table(const std::vector<HopLatency>& lengths) {
  Columns<HopLatency> columns{{{"hops", "1", "links between switches on the route"}, &HopLatency::hops}};
  columns += columns_of<HopLatency>(brief_latency_columns(), &HopLatency::latency);
  return make_table({"hops", "Latency by hops", "Measured messages by the length of their routes."}, columns, lengths);
}

Table pairs_table(const std::vector<PairLatency>& pairs, std::string meaning) {
  Columns<PairLatency> columns{{{"source", "", "node that the messages come from"}, &PairLatency::source},
                               {{"destination", "", "node that they go to"}, &PairLatency::destination}};
  columns += columns_of<PairLatency>(brief_latency_columns(), &PairLatency::latency);
  return make_table({"pairs", "Latency by source and destination", std::move(meaning)}, columns, pairs);
}

Table histogram_table(const std::vector<ServiceHistogram>& services, Duration unit) {
  namespace v = vocabulary;
  struct Bin {
    const std::string* service = nullptr;
    Cycle from = 0;
    Cycle below = 0;
    std::uint64_t messages = 0;
  };
  const auto bin_of = [](Cycle c) {
    Cycle width = 1;
    while (c >= 32 * width) width *= 2;
    return std::pair<Cycle, Cycle>{c / width * width, (c / width + 1) * width};
  };
  std::vector<Bin> bins;
  for (const ServiceHistogram& s : services) {
    bool first = true;
    for (const auto& [latency, n] : s.values) {
      const auto [from, below] = bin_of(latency);
      if (first || bins.back().from != from) bins.push_back({&s.service, from, below, 0});
      first = false;
      bins.back().messages += n;
    }
  }
  const Columns<Bin> columns{
      {v::kService, [](const Bin& b) { return *b.service; }},
      {v::kFrom, [&](const Bin& b) { return ns(b.from, unit); }},
      {v::kBelow, [&](const Bin& b) { return ns(b.below, unit); }},
      {v::kInBin, &Bin::messages},
      {v::kDensity, [&](const Bin& b) { return static_cast<double>(b.messages) / ns(b.below - b.from, unit); }}};
  Table t = make_table({"histogram", "Latency histogram",
                        "Measured messages by latency; bins are one sixteenth of a power of two wide."},
                       columns, bins);
  t.bars = bars_of(t, v::kDensity.key, v::kService.key);
  return t;
}

}  // namespace weft
