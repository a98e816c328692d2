#include "run/optweb/optweb_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/program.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "run/adapters_report.h"
#include "run/network_view.h"
#include "run/optweb/optweb_failures_report.h"
#include "run/optweb/optweb_own_boxes.h"
#include "run/optweb/optweb_tables.h"
#include "run/program_report.h"

namespace weft {
namespace {

class Reporter {
 public:
  explicit Reporter(const OptwebPlatform& platform) : config_(platform.config()) {}

  ReportData header() const {
    ReportData r;
    r.title = config_.title;
    r.config_file = config_.file;
    r.seed = config_.seed;
    const auto text = [](const auto& i) {
      std::string out;
      const auto add = [&](const char* block, const std::optional<BlockChoice>& choice) {
        if (choice) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", block, to_string(*choice));
      };
      add("command sequencer", i.command_sequencer);
      add("address translation", i.stripe_address);
      add("link synchronization", i.link_sync);
      add("switch control", i.switch_control);
      return out;
    };
    const auto joined = [](const std::string& blocks, const std::string& boxes) {
      return blocks + (blocks.empty() || boxes.empty() ? "" : "; ") + boxes;
    };
    r.implementation = joined(text(config_.all), own_boxes_text(config_.all_own_boxes));
    for (const OptwebInstances& i : config_.instances) {
      const std::string range = i.range.first == i.range.last
                                    ? fmt::format("node[{}]", i.range.first)
                                    : fmt::format("node[{}..{}]", i.range.first, i.range.last);
      r.implementation += fmt::format("; {}: {}", range, joined(text(i), own_boxes_text(i.own_boxes)));
    }
    add_one_way_notes(r.notes);
    return r;
  }

  ReportSection network() const;
  ReportSection run(const OptwebStats& stats, const OptwebRunResult& result) const;
  Table instructions(const std::vector<OptwebLine>& lines) const;
  void add_host_note(const OptwebStats& stats, const OptwebRunResult& result, std::vector<std::string>& notes) const;

 private:
  void add_one_way_notes(std::vector<std::string>& notes) const;

  const OptwebConfig& config_;
};

// `measure` takes what paths there are.
void Reporter::add_one_way_notes(std::vector<std::string>& notes) const {
  if (!config_.measures) return;
  const std::string* last = nullptr;
  for (const ProgramInstruction& i : config_.programs.front().instructions) {
    const std::string only = optweb::one_way(config_, i);
    if (only.empty() || (last != nullptr && *last == i.name)) continue;
    last = &i.name;
    notes.push_back(fmt::format("{}: {}, which is what was measured", i.name, only));
  }
}

void Reporter::add_host_note(const OptwebStats& stats, const OptwebRunResult& result,
                             std::vector<std::string>& notes) const {
  const auto late = [&](const OptwebHostEvent& e) { return e.over > result.end; };
  const auto count = std::count_if(stats.host().begin(), stats.host().end(), late);
  if (count == 0) return;
  notes.push_back(
      fmt::format("{} of {} accesses of hosts were over after the programs, the last one after {} ns; the "
                  "time of the run is that of the programs",
                  count, config_.host.size(), ns(stats.host().back().over)));
}

// w_oh: a wavelength router for a full mesh; in a dragonfly one for each group, and one for each place in the groups;
// in a hierarchy likewise at each level.
std::int64_t fibres(const OptwebConfig& c) {
  const std::int64_t n = c.nodes;
  return c.link.wiring == OptwebWiring::w_oh ? 2 * static_cast<std::int64_t>(c.levels.size()) * n : n * c.links();
}

// Hops between two different nodes, averaged over all pairs: a node differs at a level from all but one in so many.
double average_hops(const OptwebConfig& c) {
  if (c.levels.size() < 3) return 2.0 - static_cast<double>(c.links()) / (c.nodes - 1.0);
  double hops = 0;
  for (const std::uint32_t places : c.levels) hops += c.nodes - static_cast<double>(c.nodes) / places;
  return hops / (c.nodes - 1.0);
}

ReportSection Reporter::network() const {
  ReportSection s{"network", "Network", {}};
  const std::int64_t n = config_.nodes;
  const bool several = config_.levels.size() > 1;
  s.figures = {
      {vocabulary::kNodes, n, true},
      {vocabulary::refined(vocabulary::kTopology,
                           "full_mesh: a link between every two nodes; dragonfly: see groups; hierarchy: see levels"),
       to_string(config_.topology), true},
      {{"groups", "1", "of a dragonfly, fully connected each; 1 in other networks"},
       std::int64_t{config_.groups()},
       config_.groups() > 1},
      {{"links_per_node", "1", "links of a node"}, std::int64_t{config_.links()}, several},
      {{"recommended_links", "1", "3(g - 1): least links per node recommended for a dragonfly of g groups"},
       std::int64_t{3} * (config_.groups() - 1),
       config_.groups() > 1},
      {{"links", "1", "links in one direction"}, n * config_.links(), false},
      {{"hops", "1", "from node to node, average over all pairs"}, average_hops(config_), several},
      {{"wiring", "", "how the fibres are built"}, to_string(config_.link.wiring), true},
      {{"fibres", "1", "direct, p_oh: one per link and direction; w_oh: two per wavelength router and node"},
       fibres(config_),
       false},
      {vocabulary::kCycle, static_cast<double>(config_.period.ps) / 1e3, false},
      {vocabulary::kLinkRate, static_cast<double>(config_.link.rate.bits_per_s) / 1e9, true},
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
  if (config_.topology == OptwebTopology::hierarchy) {
    const std::string levels = fmt::format("{}", fmt::join(config_.levels, " x "));
    const Statistic places{"levels", "", "places at each level of a hierarchy, the lowest one first"};
    s.figures.insert(s.figures.begin() + 2, Figure{places, levels, true});
  }
  if (config_.hbm2) {
    const dram::Config& h = *config_.hbm2;
    s.figures.push_back({{"channel_rate", "Gb/s", "of a pseudo channel, when its data bus never rests"},
                         static_cast<double>(h.burst_bytes) * 8e3 / static_cast<double>(h.timing.burst * h.clock_ps),
                         false});
  }
  add_adapters(config_.adapter_delays, s);
  return s;
}

ReportSection Reporter::run(const OptwebStats& stats, const OptwebRunResult& result) const {
  ReportSection s{"run", "Run", {}};
  s.figures = {
      {vocabulary::refined(vocabulary::kTime, result.interrupted ? "from the first doorbell to the interrupt"
                                              : config_.faults.empty() || result.failure.empty()
                                                  ? "from the first doorbell to the last completion"
                                                  : "from the first doorbell to the end of the run"),
       ns(result.end), true},
      {{"slowest_node", "", "whose program ended last, the first of several"},
       stats.slowest() ? Value{std::int64_t{*stats.slowest()}} : Value{},
       true},
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
    s.figures.push_back({{"verified", "", "every byte of the memories has the value that MPI semantics give"},
                         result.failure.empty() && !result.interrupted,
                         true});
    s.figures.push_back({{"verified_bytes", "1", "compared; what was never touched is not counted"},
                         static_cast<std::int64_t>(result.verified_bytes),
                         nothing});
  }
  for (Figure& f : service_figures(all_transfers(config_, stats, result.end))) s.figures.push_back(std::move(f));
  return s;
}

Table Reporter::instructions(const std::vector<OptwebLine>& lines) const {
  struct Row {
    const OptwebLine& line;
    std::int64_t place;
    const ProgramInstruction& instruction;
    const OptwebRow& row;
    bool rate;
    bool split;
    Picoseconds sent;  // of a split one
  };
  std::vector<Row> rows;
  for (const OptwebLine& l : lines) {
    const bool same = !rows.empty() && rows.back().line.program == l.program;
    const OptwebRow& r = *l.row;
    const bool split = r.parts > 0 && l.splits() && (l.has_data() || l.instruction->op == ProgramOp::barrier);
    rows.push_back({l, same ? rows.back().place + 1 : 0, *l.instruction, r, l.has_rate(), split,
                    r.sent.value_or(r.started) - r.started});
  }
  // Nothing is said of an instruction that some nodes have not completed.
  const auto complete = [](auto of) {
    return [of](const Row& r) { return r.row.complete() ? as_value(of(r)) : Value{}; };
  };
  const auto if_that = [](bool is, double v) { return is ? Value{v} : Value{}; };
  const auto bandwidth = [](const Row& r) { return gbps(r.instruction.bytes, r.row.latency()); };
  const Columns<Row> columns{
      {{"program", "", "whose"}, [](const Row& r) { return r.line.program->name; }},
      {{"instruction", "1", "its place there"}, &Row::place},
      {{"name", "", "as the program has it"}, [](const Row& r) { return r.instruction.name; }},
      {{"operation", "", "what it does"}, [](const Row& r) { return to_string(r.instruction.op); }},
      {{"size", "B", "from a node to another; of a transfer or broadcast the whole"},
       [](const Row& r) { return r.line.has_data() ? as_value(r.instruction.bytes) : Value{}; }},
      {{"nodes", "1", "that executed it"}, [](const Row& r) { return r.row.nodes; }},
      {{"hops", "1", "links that its data pass one after the other, at most, without detours"},
       [this](const Row& r) {
         const std::uint32_t hops = optweb::hops_of(config_, r.instruction);
         return hops > 0 ? as_value(hops) : Value{};
       }},
      {{"protocol", "", "eager, rendezvous, or none without transfers"},
       [](const Row& r) { return r.row.bytes == 0   ? "none"
                                 : r.row.rendezvous ? "rendezvous"
                                                    : "eager"; }},
      {{"start", "ns", "the last node has come to it"}, complete([](const Row& r) { return ns(r.row.started); })},
      {{"skew", "ns", "between the first and the last node that reached it"},
       complete([](const Row& r) { return ns(r.row.started - r.row.first_started); })},
      {{"configuration", "ns", "until the last word, or the notification of a barrier, has left; direct paths"},
       complete([=](const Row& r) { return if_that(r.split, ns(r.sent)); })},
      {{"migration", "ns", "from there until all is received; direct paths"},
       complete([=](const Row& r) { return if_that(r.split, ns(r.row.latency() - r.sent)); })},
      {{"latency", "ns", "until all is received, or without data until it is complete"},
       complete([](const Row& r) { return ns(r.row.latency()); })},
      {{"completed", "ns", "all nodes have gone on"}, complete([](const Row& r) { return ns(r.row.completed); })},
      {{"jitter", "ns", "between the first and the last node that went on"},
       complete([=](const Row& r) { return if_that(r.line.direct(), ns(r.row.completed - r.row.first_completed)); })},
      {{"bandwidth", "Gb/s", "size over latency"},
       complete([=](const Row& r) { return if_that(r.rate, bandwidth(r)); })},
      {{"link_bandwidth", "Gb/s", "the same, of what takes one link from node to node"},
       complete([=, this](const Row& r) { return if_that(r.rate && one_link(config_, r.line), bandwidth(r)); })},
      {{"node_bandwidth", "Gb/s", "bytes over the links of the busiest node, both directions, over latency"},
       complete([=](const Row& r) { return if_that(r.rate, gbps(r.row.busiest, r.row.latency())); })}};
  Table out = make_table(
      {"instructions", "Instructions",
       "One line per instruction of a program, over all nodes that executed it. Configuration, migration and latency "
       "count from the moment at which the last of them has come to it. Configuration, migration and bandwidths are "
       "left out where they would not be "
       "those of the operation: when its ends are in several programs or instructions, or when data have left before "
       "the last node has reached it."},
      columns, rows);
  show_columns(out, {"name", "operation", "size", "nodes", "start", "latency", "completed", "bandwidth"});
  return out;
}

}  // namespace

std::vector<OptwebLine> optweb_lines(const OptwebConfig& config, const std::vector<OptwebRow>& rows) {
  std::vector<OptwebLine> out;
  for (const NodeProgram& p : config.programs) {
    for (const ProgramInstruction& i : p.instructions) out.push_back({&p, &i, &rows[out.size()]});
  }
  return out;
}

bool OptwebLine::holds_all_ends() const {
  const ProgramInstruction& i = *instruction;
  const auto in = [](const std::vector<NodeId>& nodes, NodeId n) {
    return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
  };
  const auto here = [&](NodeId n) { return in(program->nodes, n); };
  if (i.op == ProgramOp::send || i.op == ProgramOp::recv) return false;
  if (i.op == ProgramOp::transfer) return here(*i.source) && here(*i.destination);
  const bool exchanged = !i.source || (in(i.group, *i.source) && in(i.group, *i.destination));
  return exchanged && std::all_of(i.group.begin(), i.group.end(), here);
}

bool one_link(const OptwebConfig& config, const OptwebLine& l) { return optweb::hops_of(config, *l.instruction) == 1; }

void optweb_report(const OptwebPlatform& platform, const OptwebNetwork& network, const OptwebStats& stats,
                   OptwebRunResult& result) {
  const Reporter reporter(platform);
  const std::vector<OptwebLine> lines = optweb_lines(platform.config(), result.rows);
  ReportData& r = result.report;
  if (r.complete) reporter.add_host_note(stats, result, r.notes);
  r.sections.push_back(reporter.run(stats, result));
  std::vector<Table> tables = {
      services_table("Transfers over links",
                     "Eager transfers and those by rendezvous; a relayed one counts on each of its links.",
                     transfer_services(platform.config(), stats, result.end)),
      transfer_histogram(stats), link_table(platform.config(), network, result.end), reporter.instructions(lines),
      node_table(platform.config(), network)};
  r.tables.insert(r.tables.end(), std::make_move_iterator(tables.begin()), std::make_move_iterator(tables.end()));
  Table pairs = pairs_table(stats.pairs(), "Transfers of each link, eager and by rendezvous together.");
  if (!pairs.rows.empty()) r.tables.push_back(std::move(pairs));
  add_busiest_link(r, result.end);
  if (!platform.config().host.empty()) r.tables.push_back(host_table(platform.config(), stats));
  if (platform.config().hbm2) r.tables.push_back(memory_table(platform.config(), network, result.end));
  add_failures(platform.config(), network, result.end, r);
  add_failure_notes(platform.config(), r.complete ? std::optional(result.end) : std::nullopt, r);
  if (!platform.config().measures) return;
  const OptwebMeasured measured(platform.config(), lines);
  r.sections.push_back(measured.startup());
  r.sections.push_back(measured.bandwidth());
  r.tables.push_back(measured.curves());
  result.pictures = measured.pictures();
}

ReportData optweb_report_header(const OptwebPlatform& platform) {
  const Reporter reporter(platform);
  ReportData report = reporter.header();
  report.sections = {reporter.network()};
  const OptwebConfig& c = platform.config();
  const Graph graph = optweb::network_graph(c.levels);
  add_adapters(c.adapters, graph, c.period, report, false);
  page_of(report).network = direct_network_view(graph);
  return report;
}

}  // namespace weft
