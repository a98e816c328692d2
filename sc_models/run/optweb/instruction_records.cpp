#include "run/optweb/instruction_records.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace weft {
namespace {

// Number of a record: of the node, then of the last step in the program that its sequencer has.
constexpr unsigned kNumberBits = 32;

const optweb::Line& line_of(const OptwebPlatform& platform, const TransferRecord& t) {
  return platform.programs().nodes[t.from].lines[static_cast<std::uint32_t>(t.id)];
}

// "allgather", with a name that the program gives it "allgather gradients".
std::string operation(const OptwebPlatform& platform, const TransferRecord& t) {
  const ProgramInstruction& in = optweb::instruction_at(platform.config(), line_of(platform, t));
  const std::string op = to_string(in.op);
  return in.name.empty() || in.name == op ? op : op + " " + in.name;
}

}  // namespace

TrafficConfig instruction_levels() {
  TrafficConfig out;
  for (const std::string_view op : kWords<ProgramOp>) out.services.emplace_back().name = op;
  return out;
}

void InstructionRecords::open(const OptwebRunOptions& options) {
  WaveRecords::Texts texts;
  texts.found = [&platform = platform_](const TransferRecord& t, const std::string& fetched, const std::string& over) {
    return fmt::format("instruction {} of node {}, {}, fetched after {}, completed after {}",
                       line_of(platform, t).index, t.from, operation(platform, t), fetched, over);
  };
  texts.row = [&platform = platform_](const TransferRecord& t, const std::string&) {
    return fmt::format("#{} {}", line_of(platform, t).index, operation(platform, t));
  };
  waves_.open(options.watch, shown(options), instruction_levels(), platform_.config().nodes, Duration{1},
              std::move(texts));
}

bool InstructionRecords::same(NodeId node, std::uint32_t number) const {
  const std::vector<optweb::Line>& lines = platform_.programs().nodes[node].lines;
  return number + 1 < lines.size() && lines[number].program == lines[number + 1].program &&
         lines[number].index == lines[number + 1].index;
}

TransferRecord InstructionRecords::record(NodeId node, std::uint32_t number) const {
  while (same(node, number)) ++number;
  TransferRecord t;
  t.id = std::uint64_t{node} << kNumberBits | number;
  t.from = t.to = node;
  t.service = static_cast<ServiceId>(optweb::instruction_at(platform_.config(), line_of(platform_, t)).op);
  return t;
}

// The host has instructions of its own behind those of the program.
void InstructionRecords::on_issue(NodeId node, std::uint32_t number) {
  if (number >= platform_.programs().nodes[node].lines.size()) return;
  if (number == 0 || !same(node, number - 1)) waves_.begin(record(node, number));
}

void InstructionRecords::on_execute(const OptwebExecution& e) {
  if (e.number >= platform_.programs().nodes[e.node].lines.size()) return;
  if (e.number == 0 || !same(e.node, e.number - 1)) started_[e.node] = e.started;
  if (same(e.node, e.number)) return;
  TransferRecord t = record(e.node, e.number);
  t.generated = started_[e.node];
  waves_.arrive(t, e.completed);
}

}  // namespace weft
