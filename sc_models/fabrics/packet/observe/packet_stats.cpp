#include "fabrics/packet/observe/packet_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostics.h"
#include "base/hot_memory.h"
#include "base/text.h"
#include "observe/vocabulary.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 24;  // order is checked up to 64 MiB of counters

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
  level.latency.add(queueing, latency - queueing - serialization, serialization);
  level.series.on_arrive(m.generated, latency);
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

ServiceLoad PacketStats::load(std::uint64_t messages, std::size_t level) const {
  return ServiceLoad::of(messages * config_.levels[level].message, config_.link.flit.bits, window_.length(), period_,
                         graph_.nodes());
}

ServiceFigures PacketStats::service(std::size_t level) const {
  const Level& l = levels_[level];
  return {config_.levels[level].name, load(l.series.generated(), level), load(l.arrived, level),
          l.latency.figures(period_)};
}

ServiceFigures PacketStats::all() const {
  ServiceLoad offered;
  ServiceLoad accepted;
  MessageLatency latency;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    offered += load(levels_[i].series.generated(), i);
    accepted += load(levels_[i].arrived, i);
    latency.add(levels_[i].latency);
  }
  return {"", offered, accepted, latency.figures(period_)};
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

Table PacketStats::services() const {
  struct Row {
    const LevelConfig& config;
    const Level& level;
    const LevelState& state;
    ServiceFigures figures;
    std::optional<double> growth;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    rows.push_back({config_.levels[i], levels_[i], states_.at(i), service(i), queue_growth(states_.at(i), i)});
  }
  const auto of_interval = [](auto of) {
    return [of](const Row& r) { return r.state.latency ? as_value(of(*r.state.latency)) : Value{}; };
  };
  Columns<Row> columns = columns_of<Row>(service_columns(), &Row::figures);
  columns += Columns<Row>{
      {{"traffic_class", "", "traffic class (TC) it belongs to"}, [](const Row& r) { return r.config.traffic_class; }},
      {{"message", "flits", "size of its messages"}, [](const Row& r) { return r.config.message; }},
      {{"missing", "1", "measured messages that had neither arrived nor been lost when the drain was over"},
       [](const Row& r) { return r.level.series.generated() - r.level.latency.messages() - r.level.lost; }},
      {{"lost", "1", "measured messages that were lost to links that failed"},
       [](const Row& r) { return r.level.lost; }},
      {{"saturated", "", "its source queues grow for as long as the sources go on, and so do its latencies"},
       [](const Row& r) { return r.state.saturated; }},
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
  return make_table({"services", "Service levels",
                     "One line per service level; latencies of the messages generated in the measurement window."},
                    columns, rows);
}

Table PacketStats::histogram() const {
  std::vector<ServiceHistogram> services;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    services.push_back({config_.levels[i].name, levels_[i].latency.histogram().values()});
  }
  return histogram_table(services, period_);
}

Table PacketStats::links() const {
  namespace v = vocabulary;
  std::vector<LinkId> used;
  for (LinkId l = 0; l < link_flits_.size(); ++l) {
    if (link_flits_[l] > 0) used.push_back(l);
  }
  const Columns<LinkId> columns{{v::kLink, [this](LinkId l) { return graph_.link_name(l); }},
                                {{"flits", "1", "flits in the window"}, [this](LinkId l) { return link_flits_[l]; }},
                                {v::kUtilization, [this](LinkId l) {
                                   return 100.0 * static_cast<double>(link_flits_[l]) /
                                          static_cast<double>(window_.length());
                                 }}};
  Table t = make_table({"links", "Links", "Every directed link that carried something in the measurement window."},
                       columns, used);
  t.bars = bars_of(t, v::kUtilization.key);
  return t;
}

}  // namespace weft
