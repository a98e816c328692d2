#include "run/optweb/optweb_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/optweb/program.h"
#include "run/optweb/optweb_report_lines.h"
#include "run/optweb/optweb_tables.h"

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
    r.implementation =
        fmt::format("command sequencer: {}; address translation: {}; link synchronization: {}",
                    to_string(config_.sequencer), to_string(config_.stripe_address), to_string(config_.link_sync));
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
      fmt::format("{} of {} accesses of hosts were over after the programs, the last one after {} us; the "
                  "time of the run is that of the programs",
                  count, config_.host.size(), us(stats.host().back().over)));
}

// w_oh: a wavelength router for a full mesh; in a dragonfly one for each group, and one for each place in the groups.
std::int64_t fibres(const OptwebConfig& c) {
  const std::int64_t n = c.nodes;
  return c.link.wiring == OptwebWiring::w_oh ? (c.groups > 1 ? 4 : 2) * n : n * c.links();
}

// Hops between two different nodes, averaged over all pairs.
double average_hops(const OptwebConfig& c) { return 2.0 - static_cast<double>(c.links()) / (c.nodes - 1.0); }

ReportSection Reporter::network() const {
  ReportSection s{"network", "Network", {}};
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

ReportSection Reporter::run(const OptwebStats& stats, const OptwebRunResult& result) const {
  ReportSection s{"run", "Run", {}};
  s.figures = {
      {{"time", "us",
        result.interrupted ? "from the first doorbell to the interrupt"
                           : "from the first doorbell to the last completion"},
       us(result.end),
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
    s.figures.push_back({{"verified", "", "every byte of the memories is what MPI says"},
                         result.failure.empty() && !result.interrupted,
                         true});
    s.figures.push_back({{"verified_bytes", "1", "compared; what was never touched is not counted"},
                         static_cast<std::int64_t>(result.verified_bytes),
                         nothing});
  }
  return s;
}

Table Reporter::instructions(const std::vector<OptwebLine>& lines) const {
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
  const NodeProgram* program = nullptr;
  std::int64_t place = 0;
  for (const OptwebLine& l : lines) {
    place = l.program == program ? place + 1 : 0;
    program = l.program;
    const OptwebRow& r = *l.row;
    const bool data = l.has_data();
    const bool rate = l.has_rate();
    const bool split = r.parts > 0 && l.splits() && (data || l.instruction->op == ProgramOp::barrier);
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
      row.push_back(l.direct() ? Value(us(r.completed - r.first_completed) * 1e3) : Value());
      row.push_back(rate ? Value(gbps(l.instruction->bytes, r.latency())) : Value());
      row.push_back(rate && one_link(config_, l) ? row.back() : Value());
      row.push_back(rate ? Value(gbps(r.busiest, r.latency())) : Value());
    }
    t.rows.push_back(std::move(row));
  }
  return t;
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
  ReportData& r = result.report = reporter.header();
  r.complete = result.failure.empty() && !result.interrupted;
  if (!result.failure.empty()) {
    r.incomplete_why = "the run failed: " + result.failure;
  } else if (result.interrupted) {
    const bool compares = network.finished() && platform.config().verify == OptwebVerify::data;
    r.incomplete_why = compares ? "interrupted before all bytes were compared"
                                : fmt::format("interrupted after {} us", us(result.end));
  }
  if (r.complete) reporter.add_host_note(stats, result, r.notes);
  r.sections = {reporter.network(), reporter.run(stats, result)};
  r.tables = {reporter.instructions(lines), node_table(platform.config(), network)};
  if (!platform.config().host.empty()) r.tables.push_back(host_table(platform.config(), stats));
  if (!platform.config().measures) return;
  const OptwebMeasured measured(platform.config(), lines);
  r.sections.push_back(measured.startup());
  r.sections.push_back(measured.bandwidth());
  r.tables.push_back(measured.curves());
  result.pictures = measured.pictures();
}

void optweb_plan_report(const OptwebPlatform& platform, OptwebRunResult& result) {
  const Reporter reporter(platform);
  result.report = reporter.header();
  result.report.sections = {reporter.network()};
}

}  // namespace weft
