// From what a FiC file says to its phases: their circuits, and the sources they inherit.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "fabrics/tdm/keys/circuits_file.h"
#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

class PhaseResolver {
 public:
  PhaseResolver(const RawTdm& top, const ConfigDocument& document, Diagnostics& diagnostics)
      : top_(top), document_(document), diagnostics_(diagnostics) {}

  PhaseConfig resolve(const RawPhase& raw, const Location& where, const std::string& path) {
    PhaseConfig phase;
    phase.where = where;
    phase.name = raw.name.given ? raw.name.value : "main";
    const auto& slots_per_flow = raw.slots_per_flow.given ? raw.slots_per_flow : top_.slots_per_flow;
    if (raw.slots_per_flow.given) check_slots(raw.slots_per_flow, join_path(path, "slots_per_flow"));
    phase.slots_per_flow = slots_per_flow.value;
    phase.sources = sources(raw.sources, join_path(path, "sources"));
    check_one_source(raw, where, path);
    if (raw.pattern.given) {
      phase.pattern = raw.pattern.value;
      phase.pattern_where = raw.pattern.where;
    }
    if (raw.alltoall.given) {
      phase.alltoall = true;
      phase.schedule_where = raw.alltoall.where;
    }
    if (raw.schedule_file.valid) {
      phase.schedule_file = document_.resolve_path(raw.schedule_file.value, raw.schedule_file.where);
      phase.schedule_where = raw.schedule_file.where;
    }
    if (raw.wavelengths.given) phase.wavelengths = raw.wavelengths.value;
    if (raw.planes.given) phase.planes = raw.planes.value;
    check_channels(raw, raw.wavelengths, join_path(path, "wavelengths"));
    check_channels(raw, raw.planes, join_path(path, "planes"));
    if (phase.alltoall || raw.schedule_file.given) check_scheduled(raw, path);
    const auto has_slots = [](const Placed<RawFlow>& f) { return f.valid && f.value.slots.given; };
    const bool own_slots = raw.circuits.valid && !raw.circuits.value.empty() &&
                           std::all_of(raw.circuits.value.begin(), raw.circuits.value.end(), has_slots);
    warn_unused(raw.slots_per_flow, !own_slots,
                join_path(path, "slots_per_flow") + " has no effect: every circuit has slots of its own", diagnostics_);
    if (raw.circuits.valid)
      phase.circuits = flows(raw.circuits.value, phase.slots_per_flow, join_path(path, "circuits"));
    if (raw.circuits_file.valid) {
      phase.circuits = read_circuits_file(document_.resolve_path(raw.circuits_file.value, raw.circuits_file.where),
                                          raw.circuits_file.where, join_path(path, "circuits_file"),
                                          phase.slots_per_flow, diagnostics_);
    }
    return phase;
  }

  // The phase in which nodes send to each other; their messages say which circuits it has.
  PhaseConfig of_pairs() {
    PhaseConfig phase;
    phase.where = document_.root.where;
    phase.name = has_programs(top_) ? "programs" : "traffic";
    check_slots(top_.slots_per_flow, "slots_per_flow");
    phase.slots_per_flow = top_.slots_per_flow.value;
    return phase;
  }

  bool interval_is_used() const { return interval_is_used_; }

  void check_slots(const Given<std::uint32_t>& slots, const std::string& path) {
    const auto& frame = top_.tdm_switch.value.slots;
    if (!slots.valid || !frame.valid || slots.value <= frame.value) return;
    diagnostics_.error(slots.where, fmt::format("{}: expected a whole number from 1 to {} (switch.slots), got '{}'",
                                                path, frame.value, slots.value));
  }

 private:
  void check_one_source(const RawPhase& raw, const Location& where, const std::string& path) {
    std::vector<std::string> given;
    if (raw.circuits.given) given.push_back("circuits");
    if (raw.circuits_file.given) given.push_back("circuits_file");
    if (raw.pattern.given) given.push_back("pattern");
    if (raw.alltoall.given) given.push_back("alltoall");
    if (raw.schedule_file.given) given.push_back("schedule_file");
    if (given.size() == 1) return;
    const std::string prefix = path.empty() ? "" : path + ": ";
    if (given.empty()) {
      diagnostics_.error(where, prefix +
                                    "one of circuits, circuits_file, pattern, alltoall and schedule_file is needed" +
                                    (path.empty() ? ", or traffic, a trace or a program" : ""));
      return;
    }
    std::string names;
    for (const std::string& n : given) names += (names.empty() ? "" : n == given.back() ? " and " : ", ") + n;
    // At the last of the keys: the one before it was still fine.
    Location last = where;
    for (const Location& w : {raw.circuits.key_where, raw.circuits_file.key_where, raw.pattern.key_where,
                              raw.alltoall.key_where, raw.schedule_file.key_where}) {
      if (w.line == 0 || w.line >= last.line) last = w;
      if (w.line == 0) break;  // an override
    }
    diagnostics_.error(last,
                       fmt::format("{}only one of circuits, circuits_file, pattern, alltoall and schedule_file may "
                                   "be given; given are {}",
                                   prefix, names));
  }

  void check_channels(const RawPhase& raw, const Given<std::uint32_t>& key, const std::string& path) {
    if (!key.given || raw.alltoall.given) return;
    diagnostics_.error(key.key_where,
                       path + (raw.schedule_file.given ? ": the schedule_file has the wavelengths and planes"
                                                       : ": this key belongs to 'alltoall', whose slots it spreads"));
  }

  // A schedule says itself which slot every circuit has.
  void check_scheduled(const RawPhase& raw, const std::string& path) {
    if (raw.slots_per_flow.given) {
      diagnostics_.error(raw.slots_per_flow.key_where,
                         join_path(path, "slots_per_flow") + ": every circuit of an all-to-all schedule has one slot");
    }
    const auto& update = top_.slots.value.slot_update;
    if (update.valid && update.value) {
      diagnostics_.error(update.where, "slots.slot_update: an all-to-all schedule has the same slot on every hop");
    }
  }

  TdmSourcesConfig sources(const Given<RawSources>& section, const std::string& path) {
    const RawSources& own = section.value;
    const RawSources& top = top_.sources.value;
    const auto& arrivals = own.arrivals.given ? own.arrivals : top.arrivals;
    const auto& message = own.message.given ? own.message : top.message;
    const auto& interval = own.interval.given ? own.interval : top.interval;
    const auto& messages = own.messages.given ? own.messages : top.messages;
    TdmSourcesConfig out;
    out.where = section.where;
    if (arrivals.valid) out.arrivals = arrivals.value;
    out.message = message.value;
    if (messages.given) out.messages = messages.value;
    const bool timed = out.arrivals->offset != nullptr;
    interval_is_used_ = interval_is_used_ || timed || !arrivals.valid;
    if (timed) {
      out.interval = interval.value;
      if (!interval.given) {
        diagnostics_.error(arrivals.where,
                           fmt::format("{}: arrivals '{}' need the key 'interval'", path, out.arrivals->name));
      }
    } else if (own.interval.given && arrivals.valid) {
      interval_error(own.interval, path, fmt::format("arrivals are '{}'", out.arrivals->name));
    }
    if (!out.arrivals->sends && own.messages.given && arrivals.valid) {
      diagnostics_.error(own.messages.key_where, path + ".messages: nothing is sent with arrivals 'none'");
    }
    return out;
  }

  void interval_error(const Given<Duration>& interval, const std::string& path, const std::string& why) {
    diagnostics_.error(interval.key_where,
                       fmt::format("{}.interval: this key belongs to arrivals periodic and poisson, {}", path, why));
  }

  std::vector<FlowConfig> flows(const std::vector<Placed<RawFlow>>& list, std::uint32_t slots_per_flow,
                                const std::string& path) {
    std::vector<FlowConfig> out;
    std::map<std::pair<std::string, std::string>, std::size_t> seen;  // job, flow -> position
    for (const auto& [raw, where, valid] : list) {
      if (!valid) {
        out.emplace_back();  // keeps the positions of the others
        continue;
      }
      const std::string own_path = join_path(path, std::to_string(out.size()));
      FlowConfig flow;
      flow.where = where;
      flow.name = raw.flow.given ? raw.flow.value : std::to_string(out.size());
      flow.job = raw.job.value;
      check_slots(raw.slots, own_path + ".slots");
      flow.slots = raw.slots.given ? raw.slots.value : slots_per_flow;
      if (raw.message.given) flow.message = raw.message.value;
      resolve_coming_and_going(raw, top_, own_path, flow, diagnostics_);
      add_pairs(raw, where, own_path, flow);
      const auto [first, is_new] = seen.try_emplace({flow.job, flow.name}, out.size());
      const bool readable = (!raw.flow.given || raw.flow.valid) && (!raw.job.given || raw.job.valid);
      if (!is_new && readable) {
        diagnostics_.error(raw.flow.where, fmt::format("{}: the name '{}' belongs already to the flow at {}{}",
                                                       own_path, flow.name, out[first->second].where.text(),
                                                       raw.flow.given ? ""
                                                                      : " (a flow without 'flow' is named by its "
                                                                        "position in the list)"));
      }
      out.push_back(std::move(flow));
    }
    return out;
  }

  void add_pairs(const RawFlow& raw, const Location& where, const std::string& path, FlowConfig& flow) {
    std::vector<std::string> given;
    if (raw.destination.given) given.push_back("destination");
    if (raw.destinations.given) given.push_back("destinations");
    if (raw.pairs.given) given.push_back("pairs");
    if (given.size() != 1) {
      std::string names;
      for (const std::string& n : given) names += (names.empty() ? "; given are " : " and ") + n;
      diagnostics_.error(where, fmt::format("{}: exactly one of destination, destinations and pairs is needed{}", path,
                                            names.empty() ? ", none is given" : names));
    } else if (raw.pairs.given && raw.source.given) {
      diagnostics_.error(raw.source.key_where, path + ".source: the pairs of this flow name its sources");
    } else if (!raw.pairs.given && !raw.source.given) {
      diagnostics_.error(where, fmt::format("required key 'source' is missing in section '{}'", path));
    }
    const auto add = [&](const auto& source, const auto& destination) {  // a wrong value has been reported
      if (!source.valid || !destination.valid) return;
      flow.pairs.emplace_back(source.value, destination.value);
      flow.places.emplace_back(source.where, destination.where);
    };
    if (raw.source.given && raw.destination.given) add(raw.source, raw.destination);
    for (const auto& d : raw.destinations.value) {
      if (raw.source.given) add(raw.source, d);
    }
    for (const auto& p : raw.pairs.value) {
      if (p.valid) add(p.value.at(0), p.value.at(1));
    }
  }

  const RawTdm& top_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  bool interval_is_used_ = false;
};

template <class T>
void refuse_beside_phases(const Given<T>& key, const char* name, Diagnostics& diagnostics) {
  if (!key.given) return;
  diagnostics.error(key.key_where,
                    fmt::format("{0}: with 'phases' each phase names its own {0}; here it has no meaning", name));
}

}  // namespace

// Names of phases become parts of file names.
static bool is_file_name(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= 64 && name.front() != '.' && std::all_of(name.begin(), name.end(), fits);
}

std::vector<PhaseConfig> resolve_phases(const RawTdm& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  PhaseResolver resolver(raw, document, diagnostics);
  std::vector<PhaseConfig> out;
  if (has_programs(raw) || has_traffic(raw)) {
    out.push_back(resolver.of_pairs());
    return out;
  }
  if (!raw.phases.given) {
    out.push_back(resolver.resolve(raw, document.root.where, ""));
    return out;
  }
  resolver.check_slots(raw.slots_per_flow, "slots_per_flow");
  refuse_beside_phases(raw.circuits, "circuits", diagnostics);
  refuse_beside_phases(raw.circuits_file, "circuits_file", diagnostics);
  refuse_beside_phases(raw.pattern, "pattern", diagnostics);
  refuse_beside_phases(raw.alltoall, "alltoall", diagnostics);
  refuse_beside_phases(raw.schedule_file, "schedule_file", diagnostics);
  refuse_beside_phases(raw.wavelengths, "wavelengths", diagnostics);
  refuse_beside_phases(raw.planes, "planes", diagnostics);
  if (!raw.phases.valid) return out;
  std::set<std::string> names;
  for (const auto& [phase, where, valid] : raw.phases.value) {
    if (!valid) {
      out.emplace_back();  // keeps the positions of the others
      continue;
    }
    const std::string path = "phases." + std::to_string(out.size());
    out.push_back(resolver.resolve(phase, where, path));
    if (phase.name.valid && !is_file_name(phase.name.value)) {
      diagnostics.error(phase.name.where,
                        fmt::format("{}.name: '{}' cannot be part of a file name: 1 to 64 letters, digits, '_', '-', "
                                    "'.', not beginning with a '.'",
                                    path, phase.name.value));
    }
    if (phase.name.valid && !names.insert(phase.name.value).second) {
      diagnostics.error(phase.name.where,
                        fmt::format("{}.name: there is already a phase named '{}'", path, phase.name.value));
    }
  }
  const auto& interval = raw.sources.value.interval;
  if (interval.given && !resolver.interval_is_used()) {
    diagnostics.error(interval.key_where,
                      "sources.interval: this key belongs to arrivals periodic and poisson, no phase has them");
  }
  return out;
}

}  // namespace weft
