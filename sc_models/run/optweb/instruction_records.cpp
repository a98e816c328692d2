#include "run/optweb/instruction_records.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "run/waves/transfer_streams.h"
#include "workload/wave_trigger.h"

namespace weft {
namespace {

// Number of a record: of the node, then of the instruction in the program that its sequencer has.
constexpr unsigned kNumberBits = 32;

// Place of an instruction in the program of the configuration, where several of the sequencer may be one.
std::uint32_t place_of(const OptwebPlatform& platform, const TransferRecord& t) {
  return platform.programs().nodes[t.from].lines[static_cast<std::uint32_t>(t.id)].index;
}

/// Numbers the levels of instructions.
class Levels {
 public:
  ServiceId of(const ProgramInstruction& in) {
    const std::string& name = in.name.empty() ? to_string(in.op) : in.name;
    const auto at = ids_.find(name);
    if (at != ids_.end()) return at->second;
    if (services.size() > std::numeric_limits<ServiceId>::max()) return 0;  // far more than anybody reads
    services.emplace_back().name = name;
    return ids_[name] = static_cast<ServiceId>(services.size() - 1);
  }
  std::vector<ServiceConfig> services;

 private:
  std::unordered_map<std::string, ServiceId> ids_;
};

}  // namespace

TrafficConfig instruction_levels(const OptwebConfig& config) {
  Levels levels;
  for (const NodeProgram& p : config.programs) {
    for (const ProgramInstruction& in : p.instructions) levels.of(in);
  }
  TrafficConfig out;
  out.services = std::move(levels.services);
  return out;
}

InstructionRecords::InstructionRecords(const OptwebPlatform& platform) : platform_(platform) {
  Levels levels;
  for (const NodeProgram& p : platform.config().programs) {
    std::vector<ServiceId>& of = level_of_.emplace_back();
    for (const ProgramInstruction& in : p.instructions) of.push_back(levels.of(in));
  }
  levels_.services = std::move(levels.services);
}

InstructionRecords::~InstructionRecords() = default;

bool InstructionRecords::wanted(const OptwebRunOptions& options) {
  return options.watch != nullptr || (!options.waves.empty() && options.shown.times.transfers);
}

void InstructionRecords::tell(const OptwebRunOptions& options) {
  if (options.watch != nullptr) {
    std::vector<std::string> names;  // which are still needed when the run is over
    for (const ServiceConfig& s : levels_.services) names.push_back(s.name);
    options.watch->begin(levels_, Duration{1},
                         [&platform = platform_, names = std::move(names)](
                             const TransferRecord& t, const std::string& begun, const std::string& over) {
                           return fmt::format("instruction {} of node {}, {}, fetched after {}, completed after {}",
                                              place_of(platform, t), t.from, names[t.service], begun, over);
                         });
    observers_.push_back(options.watch);
  }
  const auto& shown = options.shown.times.transfers;
  if (options.waves.empty() || !shown) return;
  streams_ = std::make_unique<TransferStreams>("", *shown, levels_, platform_.config().nodes);
  streams_->name_by([this](const TransferRecord& t, const std::string&) {
    return fmt::format("#{} {}", place_of(platform_, t), levels_.services[t.service].name);
  });
  observers_.push_back(streams_.get());
}

// The host has instructions of its own behind those of the program.
bool InstructionRecords::of_host(NodeId node, std::uint32_t number) const {
  return number >= platform_.programs().nodes[node].lines.size();
}

TransferRecord InstructionRecords::record(NodeId node, std::uint32_t number) const {
  const optweb::Line& l = platform_.programs().nodes[node].lines[number];
  TransferRecord t;
  t.id = std::uint64_t{node} << kNumberBits | number;
  t.from = t.to = node;
  t.service = level_of_[l.program][l.index];
  return t;
}

void InstructionRecords::on_issue(NodeId node, std::uint32_t number) {
  if (of_host(node, number)) return;
  for (TransferObserver* o : observers_) o->on_generate(record(node, number));
}

void InstructionRecords::on_execute(const OptwebExecution& e) {
  if (of_host(e.node, e.number)) return;
  TransferRecord t = record(e.node, e.number);
  t.generated = e.started;
  for (TransferObserver* o : observers_) o->on_arrive(t, e.completed);
}

}  // namespace weft
