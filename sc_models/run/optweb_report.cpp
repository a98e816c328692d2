#include "run/optweb_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run/optweb_tables.h"

namespace weft {
namespace {

constexpr Cycle kFetchAndDecode = 2;

// A row of the report beside the instruction it is about.
struct Line {
  const OptwebProgram* program = nullptr;
  const OptwebInstruction* instruction = nullptr;
  const OptwebRow* row = nullptr;
};

std::vector<Line> lines_of(const OptwebConfig& config, const std::vector<OptwebRow>& rows) {
  std::vector<Line> out;
  for (const OptwebProgram& p : config.programs) {
    for (const OptwebInstruction& i : p.instructions) out.push_back({&p, &i, &rows[out.size()]});
  }
  return out;
}

class Reporter {
 public:
  explicit Reporter(const OptwebPlatform& platform) : platform_(platform), config_(platform.config()) {}

  ReportData header() const {
    ReportData r;
    r.title = config_.title;
    r.config_file = config_.file;
    r.seed = config_.seed;
    r.implementation =
        fmt::format("command sequencer: {}; address translation: {}; link synchronization: {}",
                    to_string(config_.sequencer), to_string(config_.stripe_address), to_string(config_.link_sync));
    return r;
  }

  Section network() const;
  Section run(const OptwebStats& stats, const OptwebRunResult& result) const;
  Section startup(const std::vector<Line>& lines) const;
  Section bandwidth(const std::vector<Line>& lines) const;
  Table instructions(const std::vector<Line>& lines) const;
  Table curves(const std::vector<Line>& lines) const;
  bool one_link(const Line& l) const { return optweb::hops_of(config_, *l.instruction) == 1; }
  std::vector<OptwebPicture> pictures(const std::vector<Line>& lines) const;

 private:
  const OptwebPlatform& platform_;
  const OptwebConfig& config_;
};

/// Nothing is said of an instruction that some nodes have not completed.
bool has_data(const Line& l) { return l.row->complete() && l.row->received.has_value(); }
bool measured(const Line& l) { return l.instruction->measured && l.row->complete(); }
/// The row has all ends of the operation, not some, with the others in rows of other programs or instructions.
bool holds_all_ends(const Line& l) {
  const OptwebInstruction& i = *l.instruction;
  const auto in = [](const std::vector<NodeId>& nodes, NodeId n) {
    return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
  };
  const auto here = [&](NodeId n) { return in(l.program->nodes, n); };
  if (i.op == OptwebOp::send || i.op == OptwebOp::recv) return false;
  if (i.op == OptwebOp::transfer) return here(*i.source) && here(*i.destination);
  const bool exchanged = !i.source || (in(i.group, *i.source) && in(i.group, *i.destination));
  return exchanged && std::all_of(i.group.begin(), i.group.end(), here);
}
/// One part per node: configuration and migration can be told apart.
bool direct(const Line& l) { return l.row->parts == l.row->nodes; }
/// The last word has left after the last node has come to it.
bool splits(const Line& l) { return direct(l) && holds_all_ends(l) && l.row->sent && *l.row->sent >= l.row->started; }
/// The latency is that of all the data.
bool has_rate(const Line& l) { return has_data(l) && holds_all_ends(l) && l.row->in_step(); }

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

// w_oh: a wavelength router for a full mesh; in a dragonfly one for each group, and one for each place in the groups.
std::int64_t fibres(const OptwebConfig& c) {
  const std::int64_t n = c.nodes;
  return c.link.wiring == OptwebWiring::w_oh ? (c.groups > 1 ? 4 : 2) * n : n * c.links();
}

// Hops between two different nodes, averaged over all pairs.
double average_hops(const OptwebConfig& c) { return 2.0 - static_cast<double>(c.links()) / (c.nodes - 1.0); }

Section Reporter::network() const {
  Section s{"network", "Network", {}};
  const std::int64_t n = config_.nodes;
  s.figures = {
      {{"nodes", "1", "FPGAs"}, n, true},
      {{"topology", "", "full_mesh: a link between every two nodes; dragonfly: see groups"},
       to_string(config_.groups > 1 ? OptwebTopology::dragonfly : OptwebTopology::full_mesh),
       true},
      {{"groups", "1", "of a dragonfly, fully connected each; 1: full mesh"},
       std::int64_t{config_.groups},
       config_.groups > 1},
      {{"links_per_node", "1", "links of a node"}, std::int64_t{config_.links()}, config_.groups > 1},
      {{"recommended_links", "1", "3(g - 1): least links per node recommended for a dragonfly of g groups"},
       std::int64_t{3} * (config_.groups - 1),
       config_.groups > 1},
      {{"links", "1", "links in one direction"}, n * config_.links(), false},
      {{"hops", "1", "from node to node, average over all pairs"}, average_hops(config_), config_.groups > 1},
      {{"wiring", "", "how the fibres are built"}, to_string(config_.link.wiring), true},
      {{"fibres", "1", "direct, p_oh: one per link and direction; w_oh: two per wavelength router and node"},
       fibres(config_),
       false},
      {{"link_rate", "Gb/s", "payload of a link and direction"},
       static_cast<double>(config_.link.rate.bits_per_s) / 1e9,
       true},
      {{"node_rate", "Gb/s", "payload of all links of a node, one direction"},
       static_cast<double>(config_.link.rate.bits_per_s) * config_.links() / 1e9,
       false},
      {{"interface_rate", "Gb/s", "of a memory interface, reading and writing together"},
       static_cast<double>(config_.interface_rate.bits_per_s) / 1e9,
       false},
      {{"stripe", "MiB", "2K: memory behind one DMAC"},
       static_cast<double>(2 * config_.interface_bytes) / (1 << 20),
       false},
      {{"eager_buffer", "KiB", "receive buffer of a link; larger transfers are by rendezvous"},
       static_cast<double>(config_.eager_buffer) / 1024,
       false},
  };
  return s;
}

Section Reporter::run(const OptwebStats& stats, const OptwebRunResult& result) const {
  Section s{"run", "Run", {}};
  s.figures = {
      {{"time", "us", "from the first doorbell to the last completion"}, us(result.end), true},
      {{"instructions", "1", "executed, over all nodes"}, static_cast<std::int64_t>(stats.executed()), true},
      {{"transfers", "1", "over links"}, static_cast<std::int64_t>(stats.deliveries()), false},
      {{"buffered_transfers", "1", "that came before their instruction and waited in a receive buffer"},
       static_cast<std::int64_t>(stats.buffered()),
       false},
      {{"bytes", "1", "over links"}, static_cast<std::int64_t>(stats.bytes()), true},
      {{"mode", "", "whether bytes move or only lengths"}, to_string(config_.mode), false},
  };
  std::int64_t unfenced = 0;
  for (const OptwebRow& r : result.rows) unfenced += r.unfenced;
  s.figures.push_back({{"unfenced_reads", "1",
                        "instructions that read what was written since the last fence; only the latencies make up for "
                        "the fence"},
                       unfenced,
                       unfenced > 0});
  if (config_.verify == OptwebVerify::data) {
    const bool nothing = result.verified_bytes == 0;  // a run that failed, or a program that moves nothing
    s.figures.push_back({{"verified", "", "every byte of the memories is what MPI says"},
                         result.failure.empty() && !result.interrupted,
                         true});
    s.figures.push_back({{"verified_bytes", "1", "compared; what was never touched is not counted"},
                         static_cast<std::int64_t>(result.verified_bytes),
                         nothing});
  }
  return s;
}

// Measured lines of one name in the order of their sizes.
std::vector<std::pair<std::string, std::vector<const Line*>>> by_name(const std::vector<Line>& lines) {
  std::vector<std::pair<std::string, std::vector<const Line*>>> out;
  for (const Line& l : lines) {
    if (!measured(l)) continue;
    auto it = std::find_if(out.begin(), out.end(), [&](const auto& e) { return e.first == l.instruction->name; });
    if (it == out.end()) it = out.insert(out.end(), {l.instruction->name, {}});
    it->second.push_back(&l);
  }
  return out;
}

Section Reporter::startup(const std::vector<Line>& lines) const {
  Section s{"startup", "Start-up latency (smallest size)", {}};
  for (const auto& [name, of] : by_name(lines)) {
    const Line& l = *of.front();
    const std::string what = has_data(l) ? fmt::format("{} of {} B", name, l.instruction->bytes) : name;
    const auto add = [&](const char* part, const std::string& meaning, Picoseconds time) {
      s.figures.push_back({{name + part, "us", what + ": " + meaning}, us(time), false});
    };
    const Picoseconds latency = l.row->latency();
    std::string text = fmt::format("{:.3f}", us(latency));
    if (splits(l)) {
      const Picoseconds sent = *l.row->sent - l.row->started;
      text = fmt::format("{:.3f} + {:.3f} = {}", us(sent), us(latency - sent), text);
      add("_configuration", "until the last word, or the notification, has left", sent);
      add("_migration", "from there until all of it is received", latency - sent);
    }
    add("_latency", "start-up latency", latency);
    s.figures.push_back(
        {{name + "_startup", "us", what + ": configuration + migration = start-up latency"}, text, true});
    if (has_data(l)) {
      s.figures.push_back({{name + "_confirmed", "us", what + ": until the sources know that all has been received"},
                           us(l.row->completed - l.row->started),
                           false});
    }
  }
  return s;
}

Section Reporter::bandwidth(const std::vector<Line>& lines) const {
  Section s{"bandwidth", "Effective bandwidth (largest size)", {}};
  for (const auto& [name, of] : by_name(lines)) {
    const Line& l = *of.back();
    if (!has_data(l)) continue;
    const std::string what = fmt::format("{} of {} B", name, l.instruction->bytes);
    const double link = gbps(l.instruction->bytes, l.row->latency());
    const double node = gbps(l.row->busiest, l.row->latency());
    const bool one = one_link(l);
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

Table Reporter::instructions(const std::vector<Line>& lines) const {
  Table t{
      "instructions",
      "Instructions",
      "One line per instruction of a program, over all nodes that executed it. Times count from the moment at which "
      "the last of them has come to it. Configuration, migration and bandwidths are left out where they would not be "
      "those of the operation: when its ends are in several programs or instructions, or when data have left before "
      "the "
      "last node has come to it.",
      {},
      {}};
  t.columns = {{"program", "", "whose"},
               {"instruction", "1", "its place there"},
               {"name", "", "as the program has it"},
               {"operation", "", "what it does"},
               {"size", "B", "from a node to another; of a transfer or broadcast the whole"},
               {"nodes", "1", "that executed it"},
               {"hops", "1", "links that its data pass one after the other, at most"},
               {"protocol", "", "eager, rendezvous, or none without transfers"},
               {"start", "us", "the last node has come to it"},
               {"skew", "us", "between the first and the last node that came to it"},
               {"configuration", "us", "until the last word, or the notification of a barrier, has left; direct paths"},
               {"migration", "us", "from there until all is received; direct paths"},
               {"latency", "us", "until all is received, or without data until it is complete"},
               {"completed", "us", "until all nodes have gone on"},
               {"jitter", "ns", "between the first and the last node that went on"},
               {"bandwidth", "Gb/s", "size over latency"},
               {"link_bandwidth", "Gb/s", "the same, of what takes one link from node to node"},
               {"node_bandwidth", "Gb/s", "bytes over the links of the busiest node, both directions, over latency"}};
  const OptwebProgram* program = nullptr;
  std::int64_t place = 0;
  for (const Line& l : lines) {
    place = l.program == program ? place + 1 : 0;
    program = l.program;
    const OptwebRow& r = *l.row;
    const bool data = has_data(l);
    const bool rate = has_rate(l);
    const bool split = r.parts > 0 && splits(l) && (data || l.instruction->op == OptwebOp::barrier);
    std::vector<Value> row{program->name, place, l.instruction->name, to_string(l.instruction->op)};
    row.push_back(data ? Value(static_cast<std::int64_t>(l.instruction->bytes)) : Value());
    row.emplace_back(std::int64_t{r.nodes});
    const std::uint32_t hops = optweb::hops_of(config_, *l.instruction);
    row.push_back(hops > 0 ? Value(std::int64_t{hops}) : Value());
    row.emplace_back(std::string(r.bytes == 0 ? "none" : r.rendezvous ? "rendezvous" : "eager"));
    if (!r.complete()) {
      row.resize(t.columns.size());
    } else {
      const Picoseconds sent = r.sent.value_or(r.started) - r.started;
      row.emplace_back(us(r.started));
      row.emplace_back(us(r.started - r.first_started));
      row.push_back(split ? Value(us(sent)) : Value());
      row.push_back(split ? Value(us(r.latency() - sent)) : Value());
      row.emplace_back(us(r.latency()));
      row.emplace_back(us(r.completed - r.started));
      row.push_back(direct(l) ? Value(us(r.completed - r.first_completed) * 1e3) : Value());
      row.push_back(rate ? Value(gbps(l.instruction->bytes, r.latency())) : Value());
      row.push_back(rate && one_link(l) ? row.back() : Value());
      row.push_back(rate ? Value(gbps(r.busiest, r.latency())) : Value());
    }
    t.rows.push_back(std::move(row));
  }
  return t;
}

Table Reporter::curves(const std::vector<Line>& lines) const {
  Table t{"curves",
          "Measured operations over size",
          fmt::format(
              "What the paper's Figures 11, 13 and 15 show. The analytic bandwidth, of what takes one link, is size / "
              "(t0 + size / link rate) with the t0 of a rendezvous, here {:.3f} us, as in Figure 11.",
              rendezvous_start_up(config_) / 1e3),
          {},
          {}};
  t.columns = {{"operation", "", ""},
               {"size", "B", "from a node to another; of a transfer or broadcast the whole"},
               {"latency", "us", "until all is received"},
               {"start_up", "us", "latency less the time of its bytes at the rate of a link (direct paths)"},
               {"bandwidth", "Gb/s", "size over latency"},
               {"link_bandwidth", "Gb/s", "the same, of what takes one link from node to node"},
               {"node_bandwidth", "Gb/s", "bytes over the links of the busiest node, both directions, over latency"},
               {"analytic_bandwidth", "Gb/s", "of a link"}};
  const double rate = static_cast<double>(config_.link.rate.bits_per_s) / 1e9;
  const double start_up = rendezvous_start_up(config_);
  for (const auto& [name, of] : by_name(lines)) {
    for (const Line* l : of) {
      if (!has_data(*l)) continue;
      const double bits = static_cast<double>(l->instruction->bytes) * 8;
      const double latency = us(l->row->latency());
      t.rows.push_back({name, static_cast<std::int64_t>(l->instruction->bytes), latency,
                        direct(*l) ? Value(latency - bits / rate / 1e3) : Value(),
                        gbps(l->instruction->bytes, l->row->latency()),
                        one_link(*l) ? Value(gbps(l->instruction->bytes, l->row->latency())) : Value(),
                        gbps(l->row->busiest, l->row->latency()),
                        one_link(*l) ? Value(analytic_bandwidth(bits, start_up, rate)) : Value()});
    }
  }
  return t;
}

std::vector<OptwebPicture> Reporter::pictures(const std::vector<Line>& lines) const {
  Chart bandwidth;
  bandwidth.title = fmt::format("Effective bandwidth over size, {} nodes", config_.nodes);
  bandwidth.x = {"size from a node to another", "B", true, {}, {}, {}};
  bandwidth.y.label = "size over latency";
  bandwidth.y.unit = "Gb/s";
  bandwidth.y.min = 0;
  Chart latency = bandwidth;
  latency.title = fmt::format("Time until all is received over size, {} nodes", config_.nodes);
  latency.y = {"latency", "us", true, {}, {}, {}};
  Chart start = bandwidth;
  start.title = fmt::format("Start-up latency over size, {} nodes", config_.nodes);
  start.y.label = "latency less the time of the bytes";
  start.y.unit = "us";
  std::size_t most = 0;
  const double rate = static_cast<double>(config_.link.rate.bits_per_s) / 1e9;
  for (const auto& [name, of] : by_name(lines)) {
    ChartSeries b{name, SeriesStyle::lines, {}, true, bandwidth.series.size() % 2 == 1};
    ChartSeries t = b;
    ChartSeries s = b;
    for (const Line* l : of) {
      if (!has_data(*l)) continue;
      const auto size = static_cast<double>(l->instruction->bytes);
      b.points.push_back({size, gbps(l->instruction->bytes, l->row->latency())});
      t.points.push_back({size, us(l->row->latency())});
      if (direct(*l)) s.points.push_back({size, us(l->row->latency()) - size * 8 / rate / 1e3});
    }
    most = std::max(most, b.points.size());
    if (b.points.empty()) continue;
    bandwidth.series.push_back(std::move(b));
    latency.series.push_back(std::move(t));
    if (!s.points.empty()) start.series.push_back(std::move(s));
  }
  if (most < 3) return {};
  const double t0 = rendezvous_start_up(config_);
  ChartSeries analytic{fmt::format("{:.2f} us + size / link rate", t0 / 1e3), SeriesStyle::lines, {}, false, true};
  for (const ChartPoint& point : bandwidth.series.front().points) {
    analytic.points.push_back({point.x, analytic_bandwidth(point.x * 8, t0, rate)});
  }
  bandwidth.series.push_back(std::move(analytic));
  std::vector<OptwebPicture> out{{"bandwidth", "effective bandwidth over size", std::move(bandwidth)},
                                 {"latency", "time until all is received over size", std::move(latency)}};
  if (!start.series.empty()) out.push_back({"startup", "start-up latency over size", std::move(start)});
  return out;
}

}  // namespace

void optweb_report(const OptwebPlatform& platform, const OptwebNetwork& network, const OptwebStats& stats,
                   OptwebRunResult& result) {
  const Reporter reporter(platform);
  const std::vector<Line> lines = lines_of(platform.config(), result.rows);
  ReportData& r = result.report = reporter.header();
  r.complete = result.failure.empty() && !result.interrupted;
  if (!result.failure.empty()) {
    r.incomplete_why = "the run failed: " + result.failure;
  } else if (result.interrupted) {
    r.incomplete_why = fmt::format("interrupted after {} us", us(result.end));
  }
  r.sections = {reporter.network(), reporter.run(stats, result)};
  r.tables = {reporter.instructions(lines), node_table(platform.config(), network)};
  if (!platform.config().host.empty()) r.tables.push_back(host_table(platform.config(), stats));
  if (!platform.config().measures) return;
  r.sections.push_back(reporter.startup(lines));
  r.sections.push_back(reporter.bandwidth(lines));
  r.tables.push_back(reporter.curves(lines));
  result.pictures = reporter.pictures(lines);
}

void optweb_plan_report(const OptwebPlatform& platform, OptwebRunResult& result) {
  const Reporter reporter(platform);
  result.report = reporter.header();
  result.report.sections = {reporter.network()};
}

}  // namespace weft
