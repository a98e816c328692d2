#include "run/program_report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace weft {
namespace {

using collectives::InstructionRecord;
using collectives::NodeRecord;

constexpr double kPsPerUs = 1e6;

class Reporter {
 public:
  explicit Reporter(const ProgramRun& run)
      : programs_(run.programs),
        executor_(run.executor),
        period_(run.period),
        start_(run.start),
        cycles_(run.end - run.start) {}

  ReportSection run() const;
  Table instructions() const;
  Table operations() const;
  Table nodes() const;

 private:
  double us(double cycles) const { return cycles * static_cast<double>(period_.ps) / kPsPerUs; }
  double us(Cycle cycles) const { return us(static_cast<double>(cycles)); }
  static Value count(std::uint64_t n) { return static_cast<std::int64_t>(n); }
  // Of nodes that run a program.
  std::vector<const NodeRecord*> running() const {
    std::vector<const NodeRecord*> out;
    for (const NodeRecord& r : executor_.nodes()) {
      if (r.program >= 0) out.push_back(&r);
    }
    return out;
  }
  Cycle end_of(const NodeRecord& r) const { return r.finished >= 0 ? r.finished - start_ : cycles_; }

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
  for (const NodeRecord* r : nodes) {
    messages += r->sent;
    bytes += r->bytes_sent;
    const auto n = static_cast<double>(nodes.size());
    computing += us(r->computing) / n;
    software += us(r->software) / n;
    communicating += us(end_of(*r) - r->computing) / n;
  }
  s.figures = {
      {{"time", "us", "from the first instruction until the last message has arrived"}, us(cycles_), true},
      {{"computing", "us", "in computations, mean over the nodes with a program"}, computing, true},
      {{"communicating", "us", "until the end of its program, less its computations; mean over the nodes"},
       communicating,
       true},
      {{"software", "us", "part of that: send and receive overheads; mean over the nodes"}, software, false},
      {{"instructions", "1", "executed, over all nodes"}, count(executor_.completed()), true},
      {{"messages", "1", "between nodes"}, count(messages), true},
      {{"bytes", "1", "in messages"}, count(bytes), true},
  };
  return s;
}

Table Reporter::instructions() const {
  Table t{"instructions",
          "Instructions",
          "One line per instruction of a program, repetitions written out, over all nodes that executed it.",
          {},
          {}};
  t.columns = {{"program", "", "whose"},
               {"instruction", "1", "its place there"},
               {"name", "", "as the program has it"},
               {"operation", "", "what it does"},
               {"algorithm", "", "how its messages are arranged"},
               {"size", "B", "from a node to another; of a transfer or broadcast the whole"},
               {"nodes", "1", "that executed it"},
               {"start", "us", "the last node has come to it"},
               {"skew", "us", "between the first and the last node that came to it"},
               {"latency", "us", "from the last node that came to it to the last that went on"},
               {"completed", "us", "all nodes have gone on"},
               {"jitter", "ns", "between the first and the last node that went on"},
               {"messages", "1", "between nodes"},
               {"bytes", "1", "in messages"}};
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    const NodeProgram& program = programs_[p];
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      const ProgramInstruction& in = program.instructions[i];
      const InstructionRecord& r = executor_.instructions()[p][i];
      std::vector<Value> row{program.name, static_cast<std::int64_t>(i), in.name, to_string(in.op),
                             std::string(r.algorithm)};
      row.push_back(moves_data(in.op) ? count(in.bytes) : Value());
      row.emplace_back(std::int64_t{r.nodes});
      if (r.nodes == 0) {
        row.resize(t.columns.size());
      } else {
        row.emplace_back(us(r.last_started - start_));
        row.emplace_back(us(r.last_started - r.first_started));
        row.emplace_back(us(r.last_completed - r.last_started));
        row.emplace_back(us(r.last_completed - start_));
        row.emplace_back(us(r.last_completed - r.first_completed) * 1e3);
        row.push_back(count(r.messages));
        row.push_back(count(r.bytes));
      }
      t.rows.push_back(std::move(row));
    }
  }
  return t;
}

Table Reporter::operations() const {
  Table t{"operations",
          "Operations",
          "One line per name, operation, algorithm and size: the time that nodes spent in such instructions.",
          {},
          {}};
  t.columns = {{"name", "", "as the program has it"},
               {"operation", "", "what it does"},
               {"algorithm", "", "how its messages are arranged"},
               {"size", "B", "from a node to another; of a transfer or broadcast the whole"},
               {"executions", "1", "instructions, times the nodes that executed them"},
               {"mean", "us", "from the start to the completion on a node; waiting for other nodes counts"},
               {"time", "us", "of all executions, per node with a program"},
               {"messages", "1", "between nodes"},
               {"bytes", "1", "in messages"}};
  using Key = std::tuple<std::string, std::string, std::string, std::uint64_t>;
  std::vector<std::pair<Key, InstructionRecord>> sums;  // in the order of the programs
  std::map<Key, std::size_t> place;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    for (std::size_t i = 0; i < programs_[p].instructions.size(); ++i) {
      const ProgramInstruction& in = programs_[p].instructions[i];
      const InstructionRecord& r = executor_.instructions()[p][i];
      if (r.nodes == 0) continue;
      const Key key{in.name, to_string(in.op), r.algorithm, moves_data(in.op) ? in.bytes : 0};
      const auto [at, is_new] = place.try_emplace(key, sums.size());
      if (is_new) sums.push_back({key, {}});
      InstructionRecord& sum = sums[at->second].second;
      sum.nodes += r.nodes;
      sum.busy += r.busy;
      sum.messages += r.messages;
      sum.bytes += r.bytes;
    }
  }
  const auto nodes = static_cast<double>(running().size());
  for (const auto& [key, sum] : sums) {
    const auto& [name, operation, algorithm, bytes] = key;
    t.rows.push_back({name, operation, algorithm, count(bytes), std::int64_t{sum.nodes},
                      us(static_cast<double>(sum.busy) / sum.nodes), us(static_cast<double>(sum.busy) / nodes),
                      count(sum.messages), count(sum.bytes)});
  }
  return t;
}

Table Reporter::nodes() const {
  Table t{"nodes", "Nodes", "One line per node.", {}, {}};
  t.columns = {{"node", "1", "number"},
               {"program", "", "that it runs"},
               {"time", "us", "until its program was over"},
               {"computing", "us", "in computations"},
               {"communicating", "us", "the rest"},
               {"software", "us", "part of that: send and receive overheads"},
               {"messages_sent", "1", ""},
               {"messages_received", "1", ""},
               {"bytes_sent", "1", ""},
               {"bytes_received", "1", ""}};
  for (std::size_t n = 0; n < executor_.nodes().size(); ++n) {
    const NodeRecord& r = executor_.nodes()[n];
    std::vector<Value> row{static_cast<std::int64_t>(n)};
    if (r.program < 0) {
      row.resize(t.columns.size());
    } else {
      const Cycle end = end_of(r);
      row.insert(row.end(),
                 {programs_[static_cast<std::size_t>(r.program)].name, us(end), us(r.computing), us(end - r.computing),
                  us(r.software), count(r.sent), count(r.received), count(r.bytes_sent), count(r.bytes_received)});
    }
    t.rows.push_back(std::move(row));
  }
  return t;
}

}  // namespace

ReportSection program_run(const ProgramRun& run) { return Reporter(run).run(); }

std::vector<Table> program_tables(const ProgramRun& run) {
  const Reporter reporter(run);
  return {reporter.operations(), reporter.nodes(), reporter.instructions()};
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
  for (const NodeProgram& p : programs) all += p.instructions.size() * p.nodes.size();
  return static_cast<double>(executor.completed()) / static_cast<double>(std::max<std::uint64_t>(1, all));
}

}  // namespace weft
