#include "studies/schedule/schedule_replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fabrics/tdm/keys/tdm_schema.h"
#include "run/tdm/tdm_checks.h"

namespace weft {
namespace {

constexpr std::size_t kMostShortJobs = 20;

// The schedule decides about these.
void check_override(const std::string& text, Diagnostics& diagnostics) {
  const std::string key = text.substr(0, text.find('='));
  const auto within = [&](std::string_view part) {
    return key == part || (key.starts_with(part) && key[part.size()] == '.');
  };
  const Location where{"--set " + text};
  if (key == "switch.slots") {
    diagnostics.error(where, "the schedule decides about the slots per frame: use --slots");
  } else if (key == "setup.mode" || key == "setup.routes") {
    diagnostics.error(where, "a replay sets its circuits up in the network, on the routes of the schedule");
  } else if (!within("switch") && !within("setup")) {
    diagnostics.error(where, "expected a key of switch or setup, as switch.clock, setup.processing, setup.backoff");
  }
}

}  // namespace

TdmConfig replay_config(const TopologyConfig& topology, const RoutingConfig& routing, std::uint32_t slots,
                        std::uint64_t seed, const ReplayRequest& request) {
  Diagnostics diagnostics;
  for (const std::string& text : request.set) check_override(text, diagnostics);
  if (slots < 2 || slots > 4096) {
    diagnostics.error({fmt::format("--slots {}", slots)}, "a replay needs 2 to 4096 slots per frame");
  }
  diagnostics.throw_if_errors();
  const std::string text = fmt::format(
      "fabric: tdm\n"
      "topology: {{ kind: mesh, dims: [2, 1] }}\n"
      "switch: {{ slots: {} }}\n"
      "setup: {{ mode: in_network }}\n"
      "circuits: [{{ flow: replay, source: 0, destination: 1 }}]\n"
      "sources: {{ arrivals: saturated, message: 4KiB, messages: 1 }}\n",
      slots);
  const auto read = [](const ConfigDocument& document, Diagnostics& own) {
    return resolve_tdm(tdm_section({"tdm"}).read(document.root, "", own), document, own);
  };
  TdmConfig config = read_checked(parse_document(text, "replay", "."), request.set, diagnostics, read);
  config.file = "replay";
  diagnostics.throw_if_errors();
  config.topology = topology;
  config.routing = routing;
  config.seed = seed;
  config.phases.front().circuits.clear();  // those of the schedule come as a plan
  return config;
}

std::uint64_t ReplayedCircuit::carried(std::uint32_t frame) const {
  Cycle all = 0;
  for (const Slot s : used.empty() ? planned : used) {
    const auto before = [&](Cycle t) { return (t + frame - 1 - Cycle{s}) / frame; };
    all += before(end) - before(sends);
  }
  return static_cast<std::uint64_t>(all);
}

ScheduleReplay::ScheduleReplay(const TdmPlatform& platform, const jobs::Schedule& schedule,
                               const ReplayRequest& request)
    : platform_(platform), schedule_(schedule), request_(request) {
  if (!schedule.jobs.empty()) origin_ = schedule.jobs.front().start;
  Diagnostics diagnostics;
  check(diagnostics);
  diagnostics.throw_if_errors();
  for (const jobs::TimedCircuit& c : schedule.circuits) add(c);
}

Cycle ScheduleReplay::cycle_of(jobs::Time time) const {
  return CycleSpan{false, (time - origin_) * request_.time_unit.ps}.cycles(platform_.config().tdm_switch.period);
}

void ScheduleReplay::check(Diagnostics& diagnostics) const {
  const Location unit{"--time-unit " + to_string(request_.time_unit)};
  const std::size_t circuits = schedule_.circuits.size();
  if (circuits == 0) {
    diagnostics.error({"--run"}, "the schedule has no circuits, so there is nothing to replay");
    return;
  }
  if (circuits > kMostReplayedCircuits) {
    diagnostics.error({"--run"}, fmt::format("the schedule has {} circuits, and a replay takes {} at most", circuits,
                                             kMostReplayedCircuits));
    return;
  }
  jobs::Time last = origin_;
  for (const jobs::ScheduledJob& j : schedule_.jobs) last = std::max(last, j.end);
  if (Wide{last - origin_} * request_.time_unit.ps > kMostTime) {
    diagnostics.error(unit, fmt::format("the schedule lasts {} units, and a replay takes 4e18 ps (46 days) of "
                                        "simulated time at most: use a shorter unit",
                                        last - origin_));
    return;
  }
  std::size_t shown = 0;
  std::size_t told_short = schedule_.jobs.size();  // the last job told of
  for (const jobs::TimedCircuit& c : schedule_.circuits) {
    const jobs::ScheduledJob& job = schedule_.jobs[c.job];
    const Cycle run = cycle_of(job.end) - cycle_of(job.sends);
    if (run < Cycle{platform_.config().tdm_switch.slots} && told_short != c.job && shown < kMostShortJobs) {
      told_short = c.job;
      ++shown;
      diagnostics.error(unit, fmt::format("job {} runs for {} cycles, less than the {} of a frame: use a longer unit",
                                          job.id, run, platform_.config().tdm_switch.slots));
    }
  }
}

void ScheduleReplay::add(const jobs::TimedCircuit& circuit) {
  const jobs::ScheduledJob& job = schedule_.jobs[circuit.job];
  ReplayedCircuit r;
  r.job = circuit.job;
  r.flow = circuit.flow;
  r.source = circuit.tree.source;
  r.destinations = circuit.tree.destinations;
  r.planned = circuit.slots;
  r.start = cycle_of(job.start);
  r.sends = cycle_of(job.sends);
  r.end = cycle_of(job.end);

  TimedFlow f;
  f.name = circuit.flow;
  f.job = job.id;
  f.source = r.source;
  f.destinations = r.destinations;
  f.start = r.start;
  f.end = r.end;
  f.until = r.end;
  f.slots = static_cast<std::uint32_t>(circuit.slots.size());
  f.period = platform_.config().tdm_switch.period;
  const Cycle frame = platform_.config().tdm_switch.slots;
  // One message lasts for the whole job if it can be counted: a message that ends within is work for the simulation.
  const std::int64_t most = kMostWords - 1;
  f.message_words = static_cast<std::uint32_t>(std::min(most, (r.run() / frame + 1) * f.slots));
  if (request_.reconfiguration) {
    const auto carried = static_cast<std::int64_t>(r.carried(static_cast<std::uint32_t>(frame)));
    const std::int64_t messages = (carried + most - 1) / most;
    f.message_words = static_cast<std::uint32_t>(carried / messages);
    f.messages = static_cast<std::uint64_t>(messages);
    r.volume = static_cast<std::uint64_t>(messages * f.message_words);
  }
  if (request_.planned_slots) {
    f.allowed = SlotSet(platform_.config().tdm_switch.slots);
    for (const Slot s : circuit.slots) f.allowed.set(s);
  }
  plan_.flows.push_back(std::move(f));
  plan_.routes.push_back({make_circuit_route(platform_.graph(), circuit.tree)});
  circuits_.push_back(std::move(r));
}

void ScheduleReplay::read(const SetupNetwork& network) {
  for (std::uint32_t f = 0; f < circuits_.size(); ++f) {
    ReplayedCircuit& r = circuits_[f];
    const FlowLog& log = network.source(f).log();
    r.requests = log.requests;
    r.refused_no_slots = log.refusals[static_cast<std::size_t>(TeardownCause::no_slots)];
    r.refused_late = log.refusals[static_cast<std::size_t>(TeardownCause::late)];
    r.words = network.destination(f).received(f);
    for (std::size_t d = 1; d < r.destinations.size(); ++d) {
      r.words = std::min(r.words, network.destination(f, d).received(f));
    }
    if (log.circuits.empty()) continue;
    const CircuitLog& circuit = log.circuits.front();  // the only one: nothing fails, and nothing comes after a pause
    r.first_word = circuit.first_word;
    r.cleared = log.finished;
    for (auto s = circuit.slots.find_first(); s != SlotSet::npos; s = circuit.slots.find_next(s)) {
      r.used.push_back(static_cast<Slot>(s));
    }
  }
}

TdmRunResult ScheduleReplay::run(const TdmRunOptions& options) {
  return run_setup(platform_, plan_, options, [this](const SetupNetwork& network) { read(network); });
}

}  // namespace weft
