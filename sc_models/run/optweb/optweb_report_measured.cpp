// The part of an OPTWEB report that `measure` asks for.

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/optweb/program.h"
#include "fabrics/optweb/parameters.h"
#include "observe/columns.h"
#include "run/optweb/optweb_report.h"
#include "run/optweb/optweb_tables.h"

namespace weft {
namespace {

constexpr Cycle kFetchAndDecode = 2;

// Figure 11 of the paper: the start-up latency of a rendezvous, and the time of the bits. Gb/s.
double analytic_bandwidth(double bits, double start_up_ns, double rate) { return bits / (start_up_ns + bits / rate); }

// Of a rendezvous over one link: until data may pass, the word that is dropped, and the way from switch to switch. ns.
double rendezvous_start_up(const OptwebConfig& c) {
  const OptwebLatencies& t = c.latencies;
  const OptwebParameters p(c);
  const Cycle ready = t.setup + t.notification + p.link_latency + t.notified + t.gate;
  const Cycle data = t.dispatch + t.read + t.distributor + t.select;
  const Cycle cycles = kFetchAndDecode + std::max(ready, data) + p.link_latency + t.receive + t.counter + t.report;
  const double word = static_cast<double>(c.word_bytes) * 8e9 / static_cast<double>(c.link.rate.bits_per_s);
  return static_cast<double>(cycles * c.period.ps) / 1e3 + word;
}

}  // namespace

OptwebMeasured::OptwebMeasured(const OptwebConfig& config, const std::vector<OptwebLine>& lines) : config_(config) {
  for (const OptwebLine& l : lines) {
    if (!l.measured()) continue;
    auto it =
        std::find_if(by_name_.begin(), by_name_.end(), [&](const auto& e) { return e.first == l.instruction->name; });
    if (it == by_name_.end()) it = by_name_.insert(by_name_.end(), {l.instruction->name, {}});
    it->second.push_back(&l);
  }
}

ReportSection OptwebMeasured::startup() const {
  ReportSection s{"startup", "Start-up latency (smallest size)", {}};
  for (const auto& line : by_name_) {
    const std::string& name = line.first;  // a structured binding could not be captured, says clang 14
    const OptwebLine& l = *line.second.front();
    const std::string what = l.has_data() ? fmt::format("{} of {} B", name, l.instruction->bytes) : name;
    const auto add = [&](const char* part, const std::string& meaning, Picoseconds time) {
      s.figures.push_back({{name + part, "ns", what + ": " + meaning}, ns(time), false});
    };
    const Picoseconds latency = l.row->latency();
    std::string text = fmt::format("{}", ns(latency));
    if (l.splits()) {
      const Picoseconds sent = *l.row->sent - l.row->started;
      text = fmt::format("{} + {} = {}", ns(sent), ns(latency - sent), text);
      add("_configuration", "until the last word, or the notification, has left", sent);
      add("_migration", "from there until all of it is received", latency - sent);
    }
    add("_latency", "start-up latency: of this smallest size, its bytes included", latency);
    s.figures.push_back(
        {{name + "_startup", "ns", what + ": configuration + migration = start-up latency, its bytes included"},
         text,
         true});
    if (l.has_data()) {
      s.figures.push_back({{name + "_confirmed", "ns", what + ": until the sources know that all has been received"},
                           ns(l.row->completed - l.row->started),
                           false});
    }
  }
  return s;
}

ReportSection OptwebMeasured::bandwidth() const {
  ReportSection s{"bandwidth", "Effective bandwidth (largest size)", {}};
  for (const auto& [name, of] : by_name_) {
    const OptwebLine& l = *of.back();
    if (!l.has_data()) continue;
    const std::string what = fmt::format("{} of {} B", name, l.instruction->bytes);
    const double link = gbps(l.instruction->bytes, l.row->latency());
    const double node = gbps(l.row->busiest, l.row->latency());
    const bool one = one_link(config_, l);
    s.figures.push_back({{name + "_bandwidth", "Gb/s",
                          what + (one ? ": of a link" : ": size over latency, by all paths together") +
                              ", and of all links of the busiest node in both directions"},
                         fmt::format("{:.1f} {}, {:.1f} per node", link, one ? "per link" : "by all paths", node),
                         true});
    s.figures.push_back({{name + (one ? "_link" : "_paths"), "Gb/s",
                          what + (one ? ": bytes from a node to another over the latency"
                                      : ": bytes of the whole over the latency, by all paths together")},
                         link,
                         false});
    s.figures.push_back(
        {{name + "_node", "Gb/s", what + ": bytes over all links of the busiest node, both directions"}, node, false});
  }
  return s;
}

Table OptwebMeasured::curves() const {
  struct Row {
    const std::string& name;
    const OptwebLine& line;
    double bits;
    double latency;  // ns
    double bandwidth;
  };
  std::vector<Row> rows;
  for (const auto& [name, of] : by_name_) {
    for (const OptwebLine* l : of) {
      if (!l->has_data()) continue;
      rows.push_back({name, *l, static_cast<double>(l->instruction->bytes) * 8, ns(l->row->latency()),
                      gbps(l->instruction->bytes, l->row->latency())});
    }
  }
  const double rate = static_cast<double>(config_.link.rate.bits_per_s) / 1e9;
  const double start_up = rendezvous_start_up(config_);
  const auto if_that = [](bool is, double v) { return is ? Value{v} : Value{}; };
  const Columns<Row> columns{
      {{"operation", "", ""}, [](const Row& r) { return r.name; }},
      {{"size", "B", "from a node to another; of a transfer or broadcast the whole"},
       [](const Row& r) { return r.line.instruction->bytes; }},
      {{"latency", "ns", "until all is received"}, &Row::latency},
      {{"overhead", "ns", "latency less the time of its bytes at the rate of a link (direct paths)"},
       [=](const Row& r) { return if_that(r.line.direct(), r.latency - r.bits / rate); }},
      {{"bandwidth", "Gb/s", "size over latency"}, &Row::bandwidth},
      {{"link_bandwidth", "Gb/s", "the same, of what takes one link from node to node"},
       [=, this](const Row& r) { return if_that(one_link(config_, r.line), r.bandwidth); }},
      {{"node_bandwidth", "Gb/s", "bytes over the links of the busiest node, both directions, over latency"},
       [](const Row& r) { return gbps(r.line.row->busiest, r.line.row->latency()); }},
      {{"analytic_bandwidth", "Gb/s", "of a link"}, [=, this](const Row& r) {
         return if_that(one_link(config_, r.line) && config_.adapters.empty(),
                        analytic_bandwidth(r.bits, start_up, rate));
       }}};
  return make_table(
      {"curves", "Measured operations over size",
       fmt::format(
           "What the paper's Figures 11, 13 and 15 show. The analytic bandwidth, of what takes one link, is size / "
           "(t0 + size / link rate) with the t0 of a rendezvous, here {:.3f} us, as in Figure 11.",
           start_up / 1e3)},
      columns, rows);
}

std::vector<Picture> OptwebMeasured::pictures() const {
  Chart bandwidth;
  bandwidth.title = fmt::format("Effective bandwidth over size, {} nodes", config_.nodes);
  bandwidth.x = {"size from a node to another", "B", true, {}, {}, {}};
  bandwidth.y.label = "size over latency";
  bandwidth.y.unit = "Gb/s";
  bandwidth.y.min = 0;
  Chart latency = bandwidth;
  latency.title = fmt::format("Time until all is received over size, {} nodes", config_.nodes);
  latency.y = {"latency", "us", true, {}, {}, {}};
  Chart overhead = bandwidth;
  overhead.title = fmt::format("Latency less the time of the bytes over size, {} nodes", config_.nodes);
  overhead.y.label = "overhead";
  overhead.y.unit = "us";
  std::size_t most = 0;
  const double rate = static_cast<double>(config_.link.rate.bits_per_s) / 1e9;
  for (const auto& [name, of] : by_name_) {
    ChartSeries b{name, SeriesStyle::lines, {}, true, bandwidth.series.size() % 2 == 1};
    ChartSeries t = b;
    ChartSeries s = b;
    for (const OptwebLine* l : of) {
      if (!l->has_data()) continue;
      const auto size = static_cast<double>(l->instruction->bytes);
      b.points.push_back({size, gbps(l->instruction->bytes, l->row->latency())});
      t.points.push_back({size, us(l->row->latency())});
      if (l->direct()) s.points.push_back({size, us(l->row->latency()) - size * 8 / rate / 1e3});
    }
    most = std::max(most, b.points.size());
    if (b.points.empty()) continue;
    bandwidth.series.push_back(std::move(b));
    latency.series.push_back(std::move(t));
    if (!s.points.empty()) overhead.series.push_back(std::move(s));
  }
  if (most < 3) return {};
  const double t0 = rendezvous_start_up(config_);
  ChartSeries analytic{fmt::format("{:.2f} us + size / link rate", t0 / 1e3), SeriesStyle::lines, {}, false, true};
  for (const ChartPoint& point : bandwidth.series.front().points) {
    analytic.points.push_back({point.x, analytic_bandwidth(point.x * 8, t0, rate)});
  }
  bandwidth.series.push_back(std::move(analytic));
  std::vector<Picture> out{{"bandwidth", "effective bandwidth over size", std::move(bandwidth)},
                           {"latency", "time until all is received over size", std::move(latency)}};
  if (!overhead.series.empty())
    out.push_back({"overhead", "latency less the time of the bytes over size", std::move(overhead)});
  return out;
}

}  // namespace weft
