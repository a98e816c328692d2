#include "run/tdm/program_phases_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "observe/columns.h"
#include "observe/values.h"

namespace weft {
namespace {

constexpr std::size_t kMostSteps = 10'000;  // that are listed

struct CarriedRow {
  std::string name, operation, carrier, algorithm, refusal;
  std::uint64_t bytes = 0;
  std::size_t nodes = 0;
  std::uint64_t instructions = 0;
  std::size_t phases = 0;
  std::uint32_t slots = 0;  // of the circuit with the fewest
  std::string first_phase;
};

std::vector<CarriedRow> carried_rows(const TdmPlatform& platform) {
  std::vector<CarriedRow> rows;
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::uint64_t, std::size_t, std::string>,
           std::size_t>
      place;
  for (const CarriedCollective& c : platform.program_phases().collectives) {
    const ProgramInstruction& in = platform.config().programs[c.program].instructions[c.instruction];
    CarriedRow row;
    row.name = in.name;
    row.operation = to_string(in.op);
    row.carrier = c.algorithm.empty() ? "messages" : "circuits";
    row.algorithm = c.algorithm;
    row.refusal = c.refusal;
    row.bytes = moves_data(in.op) ? in.bytes : 0;
    row.nodes = in.group.size();
    row.phases = c.phases.size();
    for (const std::uint32_t p : c.phases) {
      for (const Flow& f : platform.phases()[p].flows)
        row.slots = row.slots == 0 ? f.slots : std::min(row.slots, f.slots);
    }
    if (!c.phases.empty()) row.first_phase = platform.phases()[c.phases.front()].name;
    const auto [at, is_new] = place.try_emplace(
        {row.name, row.operation, row.algorithm, row.refusal, row.bytes, row.nodes, row.first_phase}, rows.size());
    if (is_new) rows.push_back(std::move(row));
    ++rows[at->second].instructions;
  }
  return rows;
}

}  // namespace

void add_collectives(const TdmPlatform& platform, ReportData& report) {
  if (!platform.config().follows_programs()) return;
  const std::vector<CarriedRow> rows = carried_rows(platform);
  const auto over_circuits = [](auto of) {
    return [of](const CarriedRow& r) { return r.phases == 0 ? Value{} : as_value(of(r)); };
  };
  const Columns<CarriedRow> columns{
      {{"name", "", "as the program has it"}, &CarriedRow::name},
      {{"operation", "", "what it does"}, &CarriedRow::operation},
      {{"size", "B", "from a node to another; of a broadcast, reduce or allreduce the whole"}, &CarriedRow::bytes},
      {{"nodes", "1", "that take part"}, &CarriedRow::nodes},
      {{"instructions", "1", "of all programs, repetitions written out"}, &CarriedRow::instructions},
      {{"carried_by", "", "circuits of its own, or messages between pairs of nodes"}, &CarriedRow::carrier},
      {{"algorithm", "", "how its circuits are arranged"}, &CarriedRow::algorithm},
      {{"phase", "", "first one of its circuits"}, &CarriedRow::first_phase},
      {{"phases", "1", "that it goes through"}, over_circuits([](const CarriedRow& r) { return r.phases; })},
      {{"slots", "1", "per frame of each circuit, of the phase with the fewest"},
       over_circuits([](const CarriedRow& r) { return r.slots; })},
      {{"reason", "", "why it runs as messages"}, &CarriedRow::refusal}};
  report.tables.push_back(make_table({"collectives", "Collectives",
                                      "One line per name, operation, size and way in which a collective is carried "
                                      "(endpoints.collectives: circuits)."},
                                     columns, rows));
  std::uint64_t messages = 0;
  std::uint64_t all = 0;
  std::string first;
  for (const CarriedRow& r : rows) {
    all += r.instructions;
    if (r.carrier != "messages" || r.refusal.empty()) continue;
    if (messages == 0) first = fmt::format("{}: {}", r.operation, r.refusal);
    messages += r.instructions;
  }
  if (messages > 0) {
    report.notes.push_back(
        fmt::format("{} of {} collectives run as messages instead of over circuits of their own (table "
                    "collectives); first {}",
                    messages, all, first));
  }
}

void add_steps(const TdmPlatform& platform, const std::vector<PhaseTimes>& steps, Cycle last_cycle,
               ReportData& report) {
  if (!platform.config().follows_programs()) return;
  struct Row {
    std::size_t step;
    const PhasePlan& phase;
    const PhaseTimes& times;
    Cycle change;
  };
  const std::vector<std::uint32_t>& order = platform.program_phases().order;
  std::vector<Row> rows;
  Cycle changing = 0;
  std::int64_t changes = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const PhaseTimes& t = steps[s];
    const bool changed = s > 0 && t.data_start >= 0;
    const Cycle change = changed ? t.data_start - steps[s - 1].data_end : 0;
    changing += change;
    changes += changed ? 1 : 0;
    if (rows.size() < kMostSteps) rows.push_back({s + 1, platform.phases()[order[s]], t, change});
  }
  const CycleTimes times(platform.config().tdm_switch.period);
  const auto time = [&](Cycle PhaseTimes::*of) {
    return [&, of](const Row& r) {
      const Cycle c = r.times.*of;
      return c < 0 || c > last_cycle ? Value{} : Value{times.ns(c)};
    };
  };
  const Columns<Row> columns{
      {{"step", "1", "place in the order of phases, from 1"}, &Row::step},
      {{"phase", "", "whose circuits are in place"}, [](const Row& r) { return r.phase.name; }},
      {{"circuits", "1", "of that phase"}, [](const Row& r) { return r.phase.circuits.size(); }},
      {{"tables_ready", "ns", "time at which the shadow tables were written; S * t_c after their loading began"},
       time(&PhaseTimes::tables_ready)},
      {{"data_start", "ns", "time at which the tables took effect and sources could send"},
       time(&PhaseTimes::data_start)},
      {{"data_end", "ns", "everything sent has arrived, and no node sends more in this step"},
       time(&PhaseTimes::data_end)},
      {{"change", "ns", "from the end of the step before to data_start"},
       [&](const Row& r) { return r.step == 1 || r.times.data_start < 0 ? Value{} : Value{times.ns(r.change)}; }}};
  report.tables.push_back(
      make_table({"steps", "Steps", "One line per change of circuits, in the order of time; the first is their setup."},
                 columns, rows));
  const auto run =
      std::find_if(report.sections.begin(), report.sections.end(), [](const auto& s) { return s.key == "run"; });
  if (run == report.sections.end()) return;
  run->figures.push_back(
      {{"circuit_changes", "1", "times that the circuits changed with the programs"}, changes, true});
  run->figures.push_back({{"changing", "ns", "sum of the times from the end of a step to the start of the next"},
                          times.ns(changing),
                          true});
}

std::vector<PhaseTimes> times_of_phases(const TdmPlatform& platform, const std::vector<PhaseTimes>& steps) {
  const std::vector<std::uint32_t>& order = platform.program_phases().order;
  std::vector<PhaseTimes> out(platform.phases().size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    PhaseTimes& t = out[order[s]];
    const std::uint64_t requests = t.lut_requests + steps[s].lut_requests;
    const Cycle end = std::max(t.data_end, steps[s].data_end);
    if (t.setup_start < 0) t = steps[s];
    t.lut_requests = requests;
    t.data_end = end;
  }
  return out;
}

}  // namespace weft
