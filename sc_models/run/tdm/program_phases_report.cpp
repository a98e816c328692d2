#include "run/tdm/program_phases_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "fabrics/tdm/message.h"
#include "observe/columns.h"
#include "observe/values.h"

namespace weft {
namespace {

constexpr std::size_t kMostSteps = 10'000;  // that are listed

// From the first word to the last arrival, over the phases of a collective; 0: not predicted.
struct PredictedTime {
  Cycle frames = 0;
  Cycle cycles = 0;
};

struct CarriedRow {
  std::string name, operation, carrier, algorithm, refusal;
  std::uint64_t bytes = 0;
  std::size_t nodes = 0;
  std::uint64_t instructions = 0;
  std::size_t phases = 0;
  std::uint32_t slots = 0;  // of the circuit with the fewest
  std::uint32_t planes = 0;
  PredictedTime predicted;
  std::string first_phase;
};

// In one round all messages are known beforehand; in later ones a node first combines what it has received.
bool has_one_round(ProgramOp op) {
  return op != ProgramOp::reduce && op != ProgramOp::allreduce && op != ProgramOp::reduce_scatter;
}

// If the messages stand ready at the beginning of each phase: a word in every slot of the circuit from the first one
// on. Nothing where slots are found during the run.
PredictedTime predicted_time(const TdmPlatform& platform, const CarriedCollective& c, const ProgramInstruction& in) {
  const Cycle frame = platform.config().tdm_switch.slots;
  const DataSize message{moves_data(in.op) ? static_cast<std::int64_t>(in.bytes) * 8 : 0};
  const std::uint64_t last_word = words_of(message, platform.config().tdm_switch.word_bits()) - 1;
  PredictedTime time;
  for (const std::uint32_t p : c.phases) {
    Cycle end = 0;
    for (const CircuitPlan& circuit : platform.phases()[p].circuits) {
      if (std::find(in.group.begin(), in.group.end(), circuit.source) == in.group.end()) continue;
      if (circuit.injection.empty()) return {};
      const std::size_t slot = last_word % circuit.injection.size();
      const Cycle sent =
          Cycle{circuit.injection[slot]} + static_cast<Cycle>(last_word / circuit.injection.size()) * frame;
      for (const std::vector<Cycle>& transit : circuit.transit) end = std::max(end, sent + transit[slot]);
    }
    time.frames += end / frame + 1;
    time.cycles += end;
  }
  return time;
}

std::string reason(const CarriedRow& r) {
  if (!r.refusal.empty()) return r.refusal;
  if (r.nodes < 2) return "one node sends nothing";
  if (r.algorithm == "multicast" || r.algorithm == "multicasts") return "switches copy: one circuit reaches all";
  if (r.algorithm == "slot_schedule") return "the schedule of the grid needs fewer slots than the allocator";
  if (r.algorithm == "circuit_per_pair") return "every pair has data of its own";
  return "each round combines what the one before brought";
}

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
      if (c.algorithm == "slot_schedule") row.planes = std::max(row.planes, platform.phases()[p].channels.count());
    }
    if (!c.phases.empty() && has_one_round(in.op)) row.predicted = predicted_time(platform, c, in);
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
  const auto predicted = [](Cycle PredictedTime::*of) {
    return [of](const CarriedRow& r) { return r.predicted.frames == 0 ? Value{} : as_value(r.predicted.*of); };
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
      {{"planes", "1", "parallel links that the slot schedule of its circuits is spread over"},
       [](const CarriedRow& r) { return r.planes == 0 ? Value{} : as_value(r.planes); }},
      {{"frames", "1",
        "frames of its phases from the first word to the last arrival, by slots and routes, if the messages stand "
        "ready; without changes of circuits, and not of reductions, which take several rounds"},
       predicted(&PredictedTime::frames)},
      {{"cycles", "cycles", "the same to the cycle"}, predicted(&PredictedTime::cycles)},
      {{"reason", "", "why it is carried like that"}, reason}};
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
