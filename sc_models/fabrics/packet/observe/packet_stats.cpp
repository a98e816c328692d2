#include "fabrics/packet/observe/packet_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostics.h"
#include "base/hot_memory.h"
#include "base/text.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 24;  // order is checked up to 64 MiB of counters

Value value(const std::optional<double>& v) { return v ? Value{*v} : Value{}; }

}  // namespace

PacketStats::PacketStats(const PacketConfig& config, const Graph& graph, Window window, bool in_order)
    : config_(config),
      graph_(graph),
      window_(window),
      period_(config.link.period),
      levels_(config.levels.size()),
      link_flits_(graph.link_count()) {
  const std::uint64_t pairs = std::uint64_t{graph.nodes()} * graph.nodes() * levels_.size();
  for (Level& l : levels_) l.series.start(window.first);
  if (in_order && pairs <= kMostPairs) last_sequence_.resize(pairs);
}

void PacketStats::on_generate(const PacketMessage& message) {
  // Sequence numbers of 32 bits cannot be compared once they begin anew.
  if (++generated_ > std::numeric_limits<std::uint32_t>::max()) last_sequence_.clear();
  if (!window_.holds(message.generated)) return;
  Level& level = levels_[message.level];
  level.series.on_generate(message.generated);
  ++measured_;
}

void PacketStats::on_inject(const PacketMessage& message) {
  link_flits_[graph_.injection_link(message.source)] += window_.overlap(message.sent(), message.sent() + message.flits);
  if (window_.holds(message.sent())) levels_[message.level].series.on_send(message.sent());
}

void PacketStats::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  ++message_hops_;
  flit_hops_ += message.flits;
  link_flits_[graph_.out_link(sw, out)] += window_.overlap(first, first + message.flits);
}

void PacketStats::expect_hop(SwitchId sw, PortId out) const { prefetch(&link_flits_[graph_.out_link(sw, out)]); }

void PacketStats::check_order(const PacketMessage& m) {
  std::uint32_t& last =
      last_sequence_[(std::uint64_t{m.source} * graph_.nodes() + m.destination) * levels_.size() + m.level];
  if (m.sequence <= last) {
    throw RunError(fmt::format("message {} of {} -> {}, level {}, arrived after message {}", m.sequence, m.source,
                               m.destination, config_.levels[m.level].name, last));
  }
  last = m.sequence;
}

void PacketStats::on_deliver(const PacketMessage& m, Cycle now) {
  if (!last_sequence_.empty()) check_order(m);
  if (closed_) return;
  Level& level = levels_[m.level];
  if (window_.holds(now)) ++level.arrived;
  if (!window_.holds(m.generated)) return;
  ++arrived_;
  const Cycle latency = now - m.generated;
  const Cycle queueing = m.sent() - m.generated - config_.packet_switch.output;
  const Cycle serialization = static_cast<Cycle>(m.flits) - 1;
  level.latency.add(latency);
  level.series.on_arrive(m.generated, latency);
  level.queueing += queueing;
  level.queueing_max = std::max(level.queueing_max, queueing);
  level.serialization += serialization;
  level.network += latency - queueing - serialization;
  if (log_ != nullptr) log(m, now);
}

void PacketStats::log(const PacketMessage& m, Cycle now) {
  if (now != logged_) flush_log();
  logged_ = now;
  const auto cell = [&](Cycle c) { return static_cast<double>(c * period_.ps) / 1000.0; };
  rows_.emplace_back(m.destination,
                     fmt::format("{},{},{},{},{},{},{}\n", cell(m.generated), cell(m.sent()), cell(now), m.source,
                                 m.destination, csv_field(config_.levels[m.level].name), m.flits));
}

// Which of the messages of a cycle comes first has no meaning.
void PacketStats::flush_log() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [destination, row] : rows_) *log_ += row;
  rows_.clear();
}

void PacketStats::on_lose(const PacketMessage& m, LossCause, Cycle /*now*/) {
  if (closed_) return;
  if (!window_.holds(m.generated)) return;
  ++levels_[m.level].lost;
  levels_[m.level].series.on_lose(m.generated);
  ++lost_;
}

void PacketStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  for (Level& l : levels_) {
    l = {};
    l.series.start(first);
  }
  std::fill(link_flits_.begin(), link_flits_.end(), 0);
  measured_ = arrived_ = lost_ = 0;
  rows_.clear();
  if (log_ != nullptr) log_->resize(log_heading_);
}

void PacketStats::close(Cycle now) {
  closed_ = true;
  flush_log();
  window_.last = std::clamp(now + 1, window_.first, window_.last);
  for (const Level& l : levels_) states_.push_back(state_of(l.series, window_.last, config_.run.confidence, true));
}

double PacketStats::rate(std::uint64_t messages, std::size_t level) const {
  if (window_.length() == 0) return 0;
  return static_cast<double>(messages) * config_.levels[level].message /
         (static_cast<double>(window_.length()) * graph_.nodes());
}

double PacketStats::offered() const {
  double sum = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) sum += rate(levels_[l].series.generated(), l);
  return sum;
}

double PacketStats::accepted() const {
  double sum = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) sum += rate(levels_[l].arrived, l);
  return sum;
}

std::optional<double> PacketStats::queue_growth(const LevelState& state, std::size_t level) const {
  if (!state.growth) return std::nullopt;
  return state.growth->mean * config_.levels[level].message * 1e6 / static_cast<double>(period_.ps);
}

std::vector<std::string> PacketStats::saturated_levels() const {
  std::vector<std::string> out;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (state(l).saturated) out.push_back(config_.levels[l].name);
  }
  return out;
}

Table PacketStats::levels() const {
  Table t;
  t.key = "levels";
  t.title = "Service levels";
  t.meaning = "One line per service level; latencies of the messages generated in the measurement window.";
  t.columns = {{"level", "", "service level (SL)"},
               {"traffic_class", "", "traffic class (TC) it belongs to"},
               {"message", "flits", "size of its messages"},
               {"offered", "flits/cycle/NIC", "generated in the window"},
               {"accepted", "flits/cycle/NIC", "arrived in the window"},
               {"saturated", "", "its source queues grow for as long as the sources go on, and so do its latencies"},
               {"queue_growth", "flits/us", "growth of its source queues together, over the window"},
               {"messages", "1", "measured messages that arrived"},
               {"missing", "1", "measured messages that had neither arrived nor been lost when the drain was over"},
               {"lost", "1", "measured messages that were lost to links that failed"},
               {"latency_mean", "ns", "generation to arrival of the last flit"},
               {"half_width", "ns",
                "half of the confidence interval of the mean latency (run.confidence), by batch means with a "
                "correction for correlated neighbours"},
               {"relative_half_width", "%", "the same as a share of the mean"},
               {"batches", "1", "batches of equal length in time that the interval comes from"},
               {"batch_correlation", "", "of neighbouring batches; above 0.5 the interval cannot be relied on"},
               {"rising", "", "the latency grows within the window: no steady state"},
               {"latency_min", "ns", "the least"},
               {"latency_p50", "ns", "median"},
               {"latency_p95", "ns", "95th percentile"},
               {"latency_p99", "ns", "99th percentile"},
               {"latency_p999", "ns", "99.9th percentile"},
               {"latency_max", "ns", "the greatest"},
               {"queueing_mean", "ns", "generation to the first flit on the NIC's link, less the NIC's output stage"},
               {"queueing_max", "ns", "the greatest"},
               {"network_mean", "ns", "latency less queueing and serialization"},
               {"serialization_mean", "ns", "flits - 1"}};
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& l = levels_[i];
    const double count = static_cast<double>(l.latency.count());
    const auto mean = [&](std::int64_t sum) {
      return l.latency.count() == 0 ? Value{} : Value{ns(static_cast<double>(sum) / count)};
    };
    const auto at = [&](const std::optional<Cycle>& c) { return c ? Value{ns(static_cast<double>(*c))} : Value{}; };
    const auto average = l.latency.mean();
    const std::uint64_t generated = l.series.generated();
    const LevelState& state = states_.at(i);
    const auto of_interval = [&](const auto& what) { return state.latency ? Value{what(*state.latency)} : Value{}; };
    t.rows.push_back({config_.levels[i].name,
                      config_.levels[i].traffic_class,
                      std::int64_t{config_.levels[i].message},
                      rate(generated, i),
                      rate(l.arrived, i),
                      state.saturated,
                      value(queue_growth(state, i)),
                      static_cast<std::int64_t>(l.latency.count()),
                      static_cast<std::int64_t>(generated - l.latency.count() - l.lost),
                      static_cast<std::int64_t>(l.lost),
                      value(average ? std::optional<double>(ns(*average)) : std::nullopt),
                      of_interval([&](const MeanInterval& m) { return ns(m.half_width); }),
                      of_interval([](const MeanInterval& m) { return m.mean > 0 ? 100 * m.half_width / m.mean : 0; }),
                      of_interval([](const MeanInterval& m) { return static_cast<std::int64_t>(m.batches); }),
                      of_interval([](const MeanInterval& m) { return m.correlation; }),
                      state.rising(),
                      at(l.latency.min()),
                      at(l.latency.percentile(500)),
                      at(l.latency.percentile(950)),
                      at(l.latency.percentile(990)),
                      at(l.latency.percentile(999)),
                      at(l.latency.max()),
                      mean(l.queueing),
                      l.latency.count() == 0 ? Value{} : Value{ns(static_cast<double>(l.queueing_max))},
                      mean(l.network),
                      mean(l.serialization)});
  }
  return t;
}

// Bins that double in width from 32 cycles on keep the table short; the values inside them were counted exactly.
Table PacketStats::histogram() const {
  Table t;
  t.key = "histogram";
  t.title = "Latency histogram";
  t.meaning = "Measured messages by latency; bins are one sixteenth of a power of two wide.";
  t.columns = {{"level", "", "service level (SL)"},
               {"from", "ns", "least latency of the bin"},
               {"below", "ns", "first latency beyond the bin"},
               {"messages", "1", "messages in the bin"},
               {"density", "1/ns", "messages over the width of the bin"}};
  t.bars = {.column = 4, .within = 0};
  const auto bin_of = [](Cycle c) {
    Cycle width = 1;
    while (c >= 32 * width) width *= 2;
    return std::pair<Cycle, Cycle>{c / width * width, (c / width + 1) * width};
  };
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    std::pair<Cycle, Cycle> bin{0, 0};
    for (const auto& [latency, n] : levels_[i].latency.values()) {
      const auto own = bin_of(latency);
      if (own != bin || t.rows.empty()) {
        bin = own;
        t.rows.push_back({config_.levels[i].name, ns(static_cast<double>(bin.first)),
                          ns(static_cast<double>(bin.second)), std::int64_t{0}, 0.0});
      }
      std::vector<Value>& row = t.rows.back();
      auto& messages = std::get<std::int64_t>(row[3]);
      messages += static_cast<std::int64_t>(n);
      row[4] = static_cast<double>(messages) / ns(static_cast<double>(bin.second - bin.first));
    }
  }
  return t;
}

Table PacketStats::links() const {
  Table t;
  t.key = "links";
  t.title = "Links";
  t.meaning = "Every directed link that carried something in the measurement window.";
  t.columns = {{"link", "", "the directed link"},
               {"flits", "1", "flits in the window"},
               {"utilization", "%", "flits over cycles of the window"}};
  t.bars = {.column = 2};
  for (LinkId l = 0; l < link_flits_.size(); ++l) {
    if (link_flits_[l] == 0) continue;
    t.rows.push_back({graph_.link_name(l), link_flits_[l],
                      100.0 * static_cast<double>(link_flits_[l]) / static_cast<double>(window_.length())});
  }
  return t;
}

}  // namespace weft
