#include "observe/transfer_stats.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <algorithm>
#include <limits>
#include <sstream>

#include "base/diagnostics.h"
#include "base/hot_memory.h"
#include "base/text.h"
#include "observe/vocabulary.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 24;  // order is checked up to 64 MiB of counters

}  // namespace

TransferStats::TransferStats(TransferStatsOptions options, Window window)
    : options_(std::move(options)), window_(window), levels_(options_.services.size()) {
  const std::uint64_t pairs = std::uint64_t{options_.nodes} * options_.nodes * levels_.size();
  for (Level& l : levels_) l.series.start(window.first);
  if (options_.hops) by_hops_.resize(HopCounts::kUnknown + std::size_t{1});
  if (options_.pairs && options_.nodes <= kMostPairNodes)
    by_pairs_.resize(std::size_t{options_.nodes} * options_.nodes);
  if (options_.in_order && pairs <= kMostPairs) last_id_.resize(pairs);
}

void TransferStats::on_generate(const TransferRecord& t) {
  // Numbers of 32 bits cannot be compared once they begin anew.
  if (t.id > std::numeric_limits<std::uint32_t>::max()) last_id_.clear();
  if (!window_.holds(t.generated)) return;
  Level& level = levels_[t.service];
  level.series.on_generate(t.generated);
  level.generated_flits += t.units;
  ++measured_;
}

void TransferStats::on_enter(const TransferRecord& t) {
  if (window_.holds(t.entered)) levels_[t.service].series.on_send(t.entered);
}

// Looked at when as many others have come, by when what it is compared with is in the cache.
void TransferStats::check_order(const TransferRecord& t) {
  const Arrived now{(std::uint64_t{t.from} * options_.nodes + t.to) * levels_.size() + t.service,
                    static_cast<std::uint32_t>(t.id), t.from, t.to, static_cast<std::uint32_t>(t.service)};
  Arrived& oldest = arrived_order_[arrivals_ % kFetched];
  if (arrivals_++ >= kFetched) check_order(oldest);
  oldest = now;
  prefetch(&last_id_[now.place]);
}

void TransferStats::check_order(const Arrived& t) {
  std::uint32_t& last = last_id_[t.place];
  if (t.id <= last) {
    throw RunError(fmt::format("message {} of {} -> {}, level {}, arrived after message {}", t.id, t.from, t.to,
                               options_.services[t.service].name, last));
  }
  last = t.id;
}

void TransferStats::check_last_arrivals() {
  const std::size_t all = std::exchange(arrivals_, 0);
  for (std::size_t i = all - std::min(all, kFetched); i < all && !last_id_.empty(); ++i) {
    check_order(arrived_order_[i % kFetched]);
  }
}

void TransferStats::on_arrive(const TransferRecord& t, Cycle now) {
  if (!last_id_.empty()) check_order(t);
  if (closed_) return;
  Level& level = levels_[t.service];
  if (window_.holds(now)) level.arrived_flits += t.units;
  if (!window_.holds(t.generated)) return;
  ++arrived_;
  const Cycle latency = now - t.generated;
  const Cycle queueing = t.entered - t.pipeline - t.generated;
  level.latency.add(queueing, latency - queueing - t.serialization, t.serialization);
  if (!by_hops_.empty()) {
    by_hops_[options_.hops->of(t.from, t.to)].add(queueing, latency - queueing - t.serialization, t.serialization);
  }
  if (!by_pairs_.empty()) {
    by_pairs_[std::size_t{t.from} * options_.nodes + t.to].add(queueing, latency - queueing - t.serialization,
                                                               t.serialization);
  }
  level.series.on_arrive(t.generated, latency);
  if (log_ != nullptr) log(t, now);
}

void TransferStats::log(const TransferRecord& t, Cycle now) {
  const auto cell = [&](Cycle c) { return static_cast<double>(c * options_.tick.ps) / 1000.0; };
  log_->add({now, t.to,
             fmt::format("{},{},{},{},{},{},{}\n", cell(t.generated), cell(t.entered), cell(now), t.from, t.to,
                         csv_field(options_.services[t.service].name), t.units)});
}

void TransferStats::on_lose(const TransferRecord& m, Cycle /*now*/) {
  if (closed_) return;
  if (!window_.holds(m.generated)) return;
  ++levels_[m.service].lost;
  levels_[m.service].series.on_lose(m.generated);
  ++lost_;
}

void TransferStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  for (Level& l : levels_) {
    l = {};
    l.series.start(first);
  }
  by_hops_.assign(by_hops_.size(), {});
  by_pairs_.assign(by_pairs_.size(), {});
  measured_ = arrived_ = lost_ = 0;
  if (log_ != nullptr) log_->restart();
}

void TransferStats::close(Cycle now) {
  closed_ = true;
  window_.last = std::clamp(now + 1, window_.first, window_.last);
  for (const Level& l : levels_) states_.push_back(state_of(l.series, window_.last, options_.confidence, true));
}

ServiceLoad TransferStats::load(std::uint64_t flits) const {
  ServiceLoad out = ServiceLoad::of(flits, options_.flit_bits, window_.length(), options_.tick, options_.nodes);
  if (options_.cycle.ps > 0 && options_.cycle.ps != options_.tick.ps) {
    out.per_node *= static_cast<double>(options_.cycle.ps) / static_cast<double>(options_.tick.ps);
  }
  return out;
}

ServiceFigures TransferStats::service(std::size_t service) const {
  const Level& l = levels_[service];
  return {options_.services[service].name, load(l.generated_flits), load(l.arrived_flits),
          l.latency.figures(options_.tick)};
}

ServiceFigures TransferStats::all() const {
  ServiceLoad offered;
  ServiceLoad accepted;
  MessageLatency latency;
  for (const Level& l : levels_) {
    offered += load(l.generated_flits);
    accepted += load(l.arrived_flits);
    latency.add(l.latency);
  }
  return {"", offered, accepted, latency.figures(options_.tick)};
}

std::optional<double> TransferStats::queue_growth(const LevelState& state, std::size_t level) const {
  if (!state.growth) return std::nullopt;
  return state.growth->mean * options_.services[level].message * 1e6 / static_cast<double>(options_.tick.ps);
}

std::vector<std::string> TransferStats::saturated_services() const {
  std::vector<std::string> out;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (state(l).saturated) out.push_back(options_.services[l].name);
  }
  return out;
}

std::vector<std::string> TransferStats::missing_by_service() const {
  std::vector<std::string> out;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (levels_[l].missing() > 0) out.push_back(fmt::format("{}: {}", options_.services[l].name, levels_[l].missing()));
  }
  return out;
}

Table TransferStats::services() const {
  struct Row {
    const ServiceInfo& info;
    const Level& level;
    const LevelState& state;
    ServiceFigures figures;
    std::optional<double> growth;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    rows.push_back({options_.services[i], levels_[i], states_.at(i), service(i), queue_growth(states_.at(i), i)});
  }
  const auto of_interval = [](auto of) {
    return [of](const Row& r) { return r.state.latency ? as_value(of(*r.state.latency)) : Value{}; };
  };
  Columns<Row> columns = columns_of<Row>(service_columns(), &Row::figures);
  columns += Columns<Row>{
      {{"traffic_class", "", "traffic class (TC) it belongs to"}, [](const Row& r) { return r.info.traffic_class; }},
      {{"message", "flits", "size of its messages"}, [](const Row& r) { return r.info.message; }},
      {{"missing", "1", "measured messages that had neither arrived nor been lost when the drain was over"},
       [](const Row& r) { return r.level.missing(); }},
      {{"lost", "1", "measured messages that were lost to links that failed"},
       [](const Row& r) { return r.level.lost; }},
      {vocabulary::kSaturated, [](const Row& r) { return r.state.saturated; }},
      {{"queue_growth", "flits/us", "growth of its source queues together, over the window"}, &Row::growth},
      {{"half_width", "ns",
        "half of the confidence interval of the mean latency (run.confidence), by batch means with a correction for "
        "correlated neighbours"},
       of_interval([this](const MeanInterval& m) { return ns(m.half_width); })},
      {{"relative_half_width", "%", "the same as a share of the mean"},
       of_interval([](const MeanInterval& m) { return m.mean > 0 ? 100 * m.half_width / m.mean : 0.0; })},
      {{"batches", "1", "batches of equal length in time that the interval comes from"},
       of_interval([](const MeanInterval& m) { return m.batches; })},
      {{"batch_correlation", "", "of neighbouring batches; above 0.5 the interval cannot be relied on"},
       of_interval([](const MeanInterval& m) { return m.correlation; })},
      {{"rising", "", "the latency grows within the window: no steady state"},
       [](const Row& r) { return r.state.rising(); }}};
  return with_summary(
      make_table({"services", "Service levels",
                  "One line per service level; latencies of the messages generated in the measurement window."},
                 columns, rows));
}

Table TransferStats::histogram() const {
  std::vector<ServiceHistogram> services;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    services.push_back({options_.services[i].name, levels_[i].latency.histogram().values()});
  }
  return histogram_table(services, options_.tick);
}

Table TransferStats::hops() const {
  std::vector<HopLatency> lengths;
  for (std::size_t h = 0; h < by_hops_.size() && h != HopCounts::kUnknown; ++h) {
    if (by_hops_[h].messages() > 0) lengths.push_back({h, by_hops_[h].figures(options_.tick)});
  }
  return hops_table(lengths);
}

Table TransferStats::pairs() const {
  std::vector<PairLatency> rows;
  for (std::size_t p = 0; p < by_pairs_.size(); ++p) {
    if (by_pairs_[p].messages() == 0) continue;
    rows.push_back({p / options_.nodes, p % options_.nodes, by_pairs_[p].figures(options_.tick)});
  }
  return pairs_table(rows, "Measured messages of each pair of nodes.");
}

void TransferStats::Level::add(const Level& other) {
  generated_flits += other.generated_flits;
  arrived_flits += other.arrived_flits;
  lost += other.lost;
  latency.add(other.latency);
  series.add(other.series);
}

std::string TransferStats::numbers(bool with_lines) const {
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(levels_, by_hops_, by_pairs_, measured_, arrived_, lost_,
          with_lines && log_ != nullptr ? log_->lines() : std::vector<MessageLog::Line>());
  return std::move(out).str();
}

void TransferStats::collect(const std::vector<std::string>& states) {
  const Cycle first = window_.first;
  for (Level& l : levels_) {
    l = {};
    l.series.start(first);
  }
  by_hops_.assign(by_hops_.size(), {});
  by_pairs_.assign(by_pairs_.size(), {});
  measured_ = arrived_ = lost_ = 0;
  if (log_ != nullptr) log_->restart();
  for (const std::string& state : states) {
    std::istringstream in(state);
    cereal::BinaryInputArchive archive(in);
    std::vector<Level> levels;
    std::vector<LatencySums> by_hops;
    std::vector<LatencySums> by_pairs;
    std::uint64_t measured = 0;
    std::uint64_t arrived = 0;
    std::uint64_t lost = 0;
    std::vector<MessageLog::Line> lines;
    archive(levels, by_hops, by_pairs, measured, arrived, lost, lines);
    for (std::size_t h = 0; h < by_hops_.size(); ++h) by_hops_[h] += by_hops.at(h);
    for (std::size_t p = 0; p < by_pairs_.size(); ++p) by_pairs_[p] += by_pairs.at(p);
    for (std::size_t i = 0; i < levels_.size(); ++i) levels_[i].add(levels.at(i));
    measured_ += measured;
    arrived_ += arrived;
    lost_ += lost;
    if (log_ != nullptr) log_->join(std::move(lines));
  }
}

}  // namespace weft
