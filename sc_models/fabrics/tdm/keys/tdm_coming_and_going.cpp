// Circuits that come and go (setup.mode in_network), and failures: what concerns more than one key.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

constexpr Duration kLatest{1'000'000'000'000'000};  // as of durations in the schema

bool in_network(const RawTdm& raw) { return raw.setup.value.mode.value == SetupMode::in_network; }
// A wrong mode has been reported; it must not make everything else wrong.
bool mode_is_known(const RawTdm& raw) { return raw.setup.valid && raw.setup.value.mode.valid; }

template <class T>
void only_in_network(const Given<T>& key, const std::string& name, const RawTdm& raw, Diagnostics& diagnostics) {
  if (!key.given || !mode_is_known(raw) || in_network(raw)) return;
  diagnostics.error(key.key_where, fmt::format("{}: this key belongs to setup.mode in_network, the mode is '{}'", name,
                                               to_string(raw.setup.value.mode.value)));
}

template <class T>
void not_in_network(const Given<T>& key, const std::string& name, const std::string& why, Diagnostics& diagnostics) {
  if (key.given) diagnostics.error(key.key_where, fmt::format("{}: with setup.mode in_network {}", name, why));
}

}  // namespace

void resolve_coming_and_going(const RawFlow& raw, const RawTdm& top, const std::string& path, FlowConfig& flow,
                              Diagnostics& diagnostics) {
  only_in_network(raw.start, path + ".start", top, diagnostics);
  only_in_network(raw.messages, path + ".messages", top, diagnostics);
  only_in_network(raw.duration, path + ".duration", top, diagnostics);
  only_in_network(raw.changes, path + ".changes", top, diagnostics);
  const auto& clock = top.tdm_switch.value.clock;
  const Duration period = clock.valid ? *period_of(clock.value).value : Duration{1};  // a bad clock has been reported
  const auto time = [&](const Given<CycleSpan>& span, const std::string& name) {
    if (!span.value.in_cycles) return Duration{span.value.value};
    if (span.value.value <= kLatest.ps / period.ps) return Duration{span.value.value * period.ps};
    diagnostics.error(span.where, fmt::format("{}: '{}' of {} each are more than {}", name, to_string(span.value),
                                              to_string(period), to_string(kLatest)));
    return kLatest;
  };
  if (raw.changes.given && top.slots.value.slot_update.value && in_network(top)) {
    diagnostics.error(raw.changes.key_where,
                      path +
                          ".changes: words in more slots would overtake those in the slots that a circuit has; needs "
                          "slots.slot_update 'false'");
  }
  flow.start = time(raw.start, path + ".start");
  if (raw.messages.given) flow.messages = raw.messages.value;
  if (raw.duration.given) {
    flow.duration = time(raw.duration, path + ".duration");
    if (raw.messages.given) {
      diagnostics.error(raw.duration.key_where, path + ".duration: only one of messages and duration may be given");
    }
    const auto& arrivals = top.sources.value.arrivals;
    if (arrivals.valid && arrivals.value != &kSaturatedArrivals) {
      diagnostics.error(raw.duration.key_where, fmt::format("{}.duration: needs arrivals 'saturated', they are '{}'",
                                                            path, arrivals.value->name));
    }
  }
  const bool readable = clock.valid && (raw.start.valid || !raw.start.given);  // else there is nothing to compare with
  Duration last = flow.start;
  for (const auto& [change, where, valid] : raw.changes.value) {
    const std::string own = fmt::format("{}.changes.{}", path, flow.changes.size());
    const Duration at = time(change.at, own + ".at");
    flow.changes.push_back({at, change.slots.value});
    if (!valid || !change.at.valid) continue;
    if (at <= last && readable) {
      diagnostics.error(change.at.where, fmt::format("{}.at: must be after {} ({}), got '{}'", own,
                                                     flow.changes.size() == 1 ? "start" : "the change before",
                                                     to_string(last), to_string(change.at.value)));
    }
    last = at;
    const auto& frame = top.tdm_switch.value.slots;
    if (frame.valid && change.slots.valid && change.slots.value > frame.value) {
      diagnostics.error(change.slots.where,
                        fmt::format("{}.slots: expected a whole number from 1 to {} (switch.slots), got '{}'", own,
                                    frame.value, change.slots.value));
    }
  }
}

void check_in_network(const RawTdm& raw, const std::vector<PhaseConfig>& phases, Diagnostics& diagnostics) {
  const RawSetup& setup = raw.setup.value;
  if (!raw.faults.value.empty()) only_in_network(raw.faults, "faults", raw, diagnostics);
  if (!mode_is_known(raw)) return;
  const std::string no_effect = fmt::format(" has no effect with setup.mode '{}'", to_string(setup.mode.value));
  warn_unused(setup.backoff, in_network(raw), "setup.backoff" + no_effect, diagnostics);
  const bool rounds = raw.endpoints.value.collectives.value == CollectivesOver::circuits;
  warn_unused(setup.routes, in_network(raw) || rounds, "setup.routes" + no_effect, diagnostics);
  warn_unused(setup.tries, in_network(raw), "setup.tries" + no_effect, diagnostics);
  warn_unused(raw.tdm_switch.value.setup_unit.value.implementation, in_network(raw), "switch.setup_unit" + no_effect,
              diagnostics);
  const bool preset = setup.mode.value == SetupMode::preset;
  warn_unused(setup.processing, !preset, "setup.processing" + no_effect, diagnostics);
  warn_unused(raw.tdm_switch.value.reconfiguration, !preset || rounds || phases.size() > 1,
              fmt::format("switch.reconfiguration{} and circuits that stay", no_effect), diagnostics);
  if (!in_network(raw)) return;
  not_in_network(raw.phases, "phases", "circuits come and go by themselves; there are no phases", diagnostics);
  const std::string planned = "circuits find their slots in the network; a schedule of slots needs central or preset";
  not_in_network(raw.alltoall, "alltoall", planned, diagnostics);
  not_in_network(raw.schedule_file, "schedule_file", planned, diagnostics);
  not_in_network(raw.host_interface, "host_interface",
                 "hosts that ask for circuits have no other interface than the model", diagnostics);
  const std::string chosen = "the switches of a route choose the slots";
  not_in_network(raw.slots.value.allocator, "slots.allocator", chosen, diagnostics);
  not_in_network(raw.slots.value.search_iterations, "slots.search_iterations", chosen, diagnostics);
  for (const PhaseConfig& phase : phases) {
    for (const FlowConfig& flow : phase.circuits) {
      const auto other = std::find_if(flow.pairs.begin(), flow.pairs.end(),
                                      [&](const auto& p) { return p.first != flow.pairs.front().first; });
      if (other == flow.pairs.end()) continue;
      diagnostics.error(flow.where,
                        fmt::format("flow '{}' has the sources {} and {}; with setup.mode in_network a flow has one "
                                    "source, which asks for its circuit: give each source a flow of its own",
                                    flow.name, flow.pairs.front().first, other->first));
    }
  }
}

}  // namespace weft
