#include "run/program_report.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "observe/columns.h"
#include "observe/values.h"
#include "observe/vocabulary.h"
#include "run/program_gantt.h"

namespace weft {
namespace {

using collectives::InstructionRecord;
using collectives::NodeRecord;

class Reporter {
 public:
  explicit Reporter(const ProgramRun& run)
      : run_(run),
        programs_(run.programs),
        executor_(run.executor),
        period_(run.period),
        start_(run.start),
        cycles_(run.end - run.start) {}

  ReportSection run() const;
  Table instructions() const;
  Table operations() const;
  Table nodes() const;

 private:
  double ns(double cycles) const { return cycles * static_cast<double>(period_.ps) / 1000.0; }
  double ns(Cycle cycles) const { return ns(static_cast<double>(cycles)); }
  // Of nodes that run a program.
  std::vector<const NodeRecord*> running() const {
    std::vector<const NodeRecord*> out;
    for (const NodeRecord& r : executor_.nodes()) {
      if (r.program >= 0) out.push_back(&r);
    }
    return out;
  }
  Cycle end_of(const NodeRecord& r) const { return r.finished >= 0 ? r.finished - start_ : cycles_; }

  const ProgramRun& run_;
  const std::vector<NodeProgram>& programs_;
  const collectives::Executor& executor_;
  Duration period_;
  Cycle start_;
  Cycle cycles_;
};

ReportSection Reporter::run() const {
  ReportSection s{"run", "Run", {}};
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  double computing = 0;
  double software = 0;
  double communicating = 0;
  const auto nodes = running();
  Value slowest;
  Cycle last = -1;
  for (std::size_t n = 0; n < executor_.nodes().size(); ++n) {
    const NodeRecord& r = executor_.nodes()[n];
    if (r.program < 0 || end_of(r) <= last) continue;
    last = end_of(r);
    slowest = whole(n);
  }
  for (const NodeRecord* r : nodes) {
    messages += r->sent;
    bytes += r->bytes_sent;
    const auto n = static_cast<double>(nodes.size());
    computing += ns(r->computing) / n;
    software += ns(r->software) / n;
    communicating += ns(end_of(*r) - r->computing) / n;
  }
  s.figures = {
      {vocabulary::kTime, ns(cycles_), true},
      {{"computing", "ns", "in computations, mean over the nodes with a program"}, computing, true},
      {{"communicating", "ns", "until the end of its program, less its computations; mean over the nodes"},
       communicating,
       true},
      {{"software", "ns", "part of that: send and receive overheads, and combining in reductions; mean over the nodes"},
       software,
       false},
      {{"slowest_node", "", "whose program ended last, the first of several"}, slowest, true},
      {{"instructions", "1", "executed, over all nodes"}, whole(executor_.completed()), true},
      {{"messages", "1", "between nodes"}, whole(messages), true},
      {{"bytes", "1", "in messages"}, whole(bytes), true},
  };
  for (Figure& f : service_figures(run_.messages)) s.figures.push_back(std::move(f));
  return s;
}

Table Reporter::instructions() const {
  struct Row {
    const NodeProgram& program;
    std::size_t place;
    const ProgramInstruction& instruction;
    const InstructionRecord& record;
  };
  std::vector<Row> rows;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    for (std::size_t i = 0; i < programs_[p].instructions.size(); ++i) {
      rows.push_back({programs_[p], i, programs_[p].instructions[i], executor_.instructions()[p][i]});
    }
  }
  // Nothing is said of an instruction that no node has executed.
  const auto executed = [](auto of) {
    return [of](const Row& r) { return r.record.nodes == 0 ? Value{} : as_value(of(r.record)); };
  };
  const Columns<Row> columns{
      {{"program", "", "whose"}, [](const Row& r) { return r.program.name; }},
      {{"instruction", "1", "its place there"}, &Row::place},
      {{"name", "", "as the program has it"}, [](const Row& r) { return r.instruction.name; }},
      {{"operation", "", "what it does"}, [](const Row& r) { return to_string(r.instruction.op); }},
      {{"algorithm", "", "how its messages are arranged"}, [](const Row& r) { return r.record.algorithm; }},
      {{"size", "B", "from a node to another; of a transfer or broadcast the whole"},
       [](const Row& r) { return moves_data(r.instruction.op) ? whole(r.instruction.bytes) : Value{}; }},
      {{"nodes", "1", "that executed it"}, [](const Row& r) { return r.record.nodes; }},
      {{"start", "ns", "the last node has come to it"},
       executed([this](const InstructionRecord& r) { return ns(r.last_started - start_); })},
      {{"skew", "ns", "between the first and the last node that reached it"},
       executed([this](const InstructionRecord& r) { return ns(r.last_started - r.first_started); })},
      {{"latency", "ns", "from the last node that reached it to the last that left it"},
       executed([this](const InstructionRecord& r) { return ns(r.last_completed - r.last_started); })},
      {{"completed", "ns", "all nodes have gone on"},
       executed([this](const InstructionRecord& r) { return ns(r.last_completed - start_); })},
      {{"jitter", "ns", "between the first and the last node that went on"},
       executed([this](const InstructionRecord& r) { return ns(r.last_completed - r.first_completed); })},
      {{"messages", "1", "between nodes"}, executed([](const InstructionRecord& r) { return r.messages; })},
      {{"bytes", "1", "in messages"}, executed([](const InstructionRecord& r) { return r.bytes; })}};
  return make_table(
      {"instructions", "Instructions",
       "One line per instruction of a program, repetitions written out, over all nodes that executed it."},
      columns, rows);
}

Table Reporter::operations() const {
  struct Row {
    std::string name, operation, algorithm;
    std::uint64_t bytes = 0;
    InstructionRecord sum;
  };
  using Key = std::tuple<std::string, std::string, std::string, std::uint64_t>;
  std::vector<Row> rows;  // in the order of the programs
  std::map<Key, std::size_t> place;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    for (std::size_t i = 0; i < programs_[p].instructions.size(); ++i) {
      const ProgramInstruction& in = programs_[p].instructions[i];
      const InstructionRecord& r = executor_.instructions()[p][i];
      if (r.nodes == 0) continue;
      const Row row{in.name, to_string(in.op), r.algorithm, moves_data(in.op) ? in.bytes : 0, {}};
      const auto [at, is_new] = place.try_emplace({row.name, row.operation, row.algorithm, row.bytes}, rows.size());
      if (is_new) rows.push_back(row);
      InstructionRecord& sum = rows[at->second].sum;
      sum.nodes += r.nodes;
      sum.last_completed = std::max(sum.last_completed, r.last_completed);
      sum.busy += r.busy;
      sum.messages += r.messages;
      sum.bytes += r.bytes;
    }
  }
  const auto nodes = static_cast<double>(running().size());
  const Columns<Row> columns{
      {{"name", "", "as the program has it"}, &Row::name},
      {{"operation", "", "what it does"}, &Row::operation},
      {{"algorithm", "", "how its messages are arranged"}, &Row::algorithm},
      {{"size", "B", "from a node to another; of a transfer or broadcast the whole"}, &Row::bytes},
      {{"executions", "1", "instructions, times the nodes that executed them"},
       [](const Row& r) { return r.sum.nodes; }},
      {{"mean", "ns", "from the start to the completion on a node; waiting for other nodes counts"},
       [this](const Row& r) { return ns(static_cast<double>(r.sum.busy) / r.sum.nodes); }},
      {{"time", "ns", "of all executions, per node with a program"},
       [&](const Row& r) { return ns(static_cast<double>(r.sum.busy) / nodes); }},
      {{"completed", "ns", "all nodes have gone on from the last of them"},
       [this](const Row& r) { return ns(r.sum.last_completed - start_); }},
      {{"messages", "1", "between nodes"}, [](const Row& r) { return r.sum.messages; }},
      {{"bytes", "1", "in messages"}, [](const Row& r) { return r.sum.bytes; }}};
  Table out = make_table({"operations", "Operations",
                          "One line per name, operation, algorithm and size: the time that nodes spent in such "
                          "instructions."},
                         columns, rows);
  show_columns(out, {"name", "operation", "algorithm", "size", "executions", "mean", "time", "completed"});
  return out;
}

Table Reporter::nodes() const {
  struct Row {
    std::size_t node;
    const NodeRecord& record;
  };
  std::vector<Row> rows;
  for (std::size_t n = 0; n < executor_.nodes().size(); ++n) rows.push_back({n, executor_.nodes()[n]});
  // Of nodes that run a program.
  const auto running = [](auto of) {
    return [of](const Row& r) { return r.record.program < 0 ? Value{} : as_value(of(r.record)); };
  };
  const Columns<Row> columns{
      {{"node", "1", "number"}, &Row::node},
      {{"program", "", "that it runs"},
       running([this](const NodeRecord& r) { return programs_[static_cast<std::size_t>(r.program)].name; })},
      {{"time", "ns", "until its program was over"}, running([this](const NodeRecord& r) { return ns(end_of(r)); })},
      {{"computing", "ns", "in computations"}, running([this](const NodeRecord& r) { return ns(r.computing); })},
      {{"communicating", "ns", "the rest"},
       running([this](const NodeRecord& r) { return ns(end_of(r) - r.computing); })},
      {{"software", "ns", "part of that: send and receive overheads, and combining in reductions"},
       running([this](const NodeRecord& r) { return ns(r.software); })},
      {{"messages_sent", "1", ""}, running([](const NodeRecord& r) { return r.sent; })},
      {{"messages_received", "1", ""}, running([](const NodeRecord& r) { return r.received; })},
      {{"bytes_sent", "1", ""}, running([](const NodeRecord& r) { return r.bytes_sent; })},
      {{"bytes_received", "1", ""}, running([](const NodeRecord& r) { return r.bytes_received; })}};
  return make_table({"nodes", "Nodes", "One line per node."}, columns, rows);
}

}  // namespace

void add_busiest_link(ReportData& report, Cycle cycles) {
  const auto links =
      std::find_if(report.tables.begin(), report.tables.end(), [](const Table& t) { return t.key == "links"; });
  const auto section =
      std::find_if(report.sections.begin(), report.sections.end(), [](const auto& s) { return s.key == "run"; });
  if (links == report.tables.end() || section == report.sections.end()) return;
  const auto name = find_column(*links, "link");
  const auto use = find_column(*links, "utilization");
  if (!name || !use) return;
  // Circuits that change with the phases of a program: the utilizations of the table are those of the phases.
  const auto words = find_column(*links, "phase") ? find_column(*links, "words") : std::nullopt;
  std::vector<std::pair<Value, double>> shares;  // by link, in the order of the table
  std::map<std::string, std::size_t> places;
  for (const std::vector<Value>& row : links->rows) {
    const auto* const share = std::get_if<double>(&row[*use]);
    const auto* const carried = words ? std::get_if<std::int64_t>(&row[*words]) : nullptr;
    const auto* const link = std::get_if<std::string>(&row[*name]);
    if (share == nullptr || link == nullptr || (words && carried == nullptr)) continue;
    const auto place = places.try_emplace(*link, shares.size()).first->second;
    if (place == shares.size()) shares.emplace_back(row[*name], 0);
    shares[place].second +=
        words ? 100.0 * static_cast<double>(*carried) / static_cast<double>(std::max<Cycle>(1, cycles)) : *share;
  }
  const auto busiest =
      std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (busiest == shares.end() || busiest->second <= 0) return;
  section->figures.push_back(
      {{"busiest_link", "", "that carried flits most of the time, the first of several"}, busiest->first, true});
  section->figures.push_back(
      {{"busiest_link_utilization", "%", "share of the time in which it carried flits"}, busiest->second, true});
}

ReportSection program_run(const ProgramRun& run) { return Reporter(run).run(); }

std::vector<Table> program_tables(const ProgramRun& run) {
  const Reporter reporter(run);
  return {reporter.operations(), reporter.nodes(), reporter.instructions()};
}

void add_program_chart(const ProgramRun& run, ReportData& report) {
  const CycleTimes times(run.period);
  SpanGroups groups;
  std::vector<NodeSpan> spans;
  // What nodes complete in one cycle has no order but theirs.
  std::vector<collectives::Execution> executions = run.executor.executions();
  std::stable_sort(executions.begin(), executions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.completed, a.node) < std::tie(b.completed, b.node);
  });
  executions.resize(std::min(executions.size(), collectives::Executor::kMostExecutions));
  for (const collectives::Execution& e : executions) {
    const auto program = static_cast<std::size_t>(run.executor.nodes()[e.node].program);
    const ProgramInstruction& in = run.programs[program].instructions[e.instruction];
    spans.push_back({e.node, groups(in.name.empty() ? to_string(in.op) : in.name), times.ns(e.started - run.start),
                     times.ns(e.completed - run.start)});
  }
  add_program_gantt(report, spans, groups, spans.size() < run.executor.completed());
}

ReportSection program_section(const std::vector<NodeProgram>& programs, const ProgramNodes& nodes,
                              std::vector<Figure> links) {
  std::int64_t instructions = 0;
  for (const NodeProgram& p : programs) instructions += static_cast<std::int64_t>(p.instructions.size());
  const auto ns = [&](Cycle c) { return static_cast<double>(c * nodes.period.ps) / 1e3; };
  ReportSection s{"programs", "Programs", {}};
  s.figures = {{{"nodes", "1", "that may run programs"}, std::int64_t{nodes.nodes}, true}};
  for (Figure& f : links) s.figures.push_back(std::move(f));
  s.figures.insert(s.figures.end(),
                   {{{"send_overhead", "ns", "of a message, at its source"}, ns(nodes.send_overhead), false},
                    {{"receive_overhead", "ns", "of a message, at its destination"}, ns(nodes.receive_overhead), false},
                    {{"instructions", "1", "of all programs, repetitions written out"}, instructions, false}});
  return s;
}

double program_progress(const std::vector<NodeProgram>& programs, const collectives::Executor& executor) {
  std::uint64_t all = 0;
  for (const NodeProgram& p : programs) {
    const auto nodes = std::count_if(p.nodes.begin(), p.nodes.end(), [&](NodeId n) { return executor.runs(n); });
    all += p.instructions.size() * static_cast<std::uint64_t>(nodes);
  }
  return static_cast<double>(executor.completed()) / static_cast<double>(std::max<std::uint64_t>(1, all));
}

}  // namespace weft
