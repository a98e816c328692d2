#include "run/setup_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostics.h"
#include "routing/minimal_routes.h"
#include "run/fic_limits.h"
#include "traffic/stream_supply.h"

namespace weft {
namespace {

class Planner {
 public:
  explicit Planner(const FicPlatform& platform) : platform_(platform), config_(platform.config()) {}

  SetupPlan plan() {
    SetupPlan out;
    const PhaseConfig& phase = config_.phases.front();
    for (const Flow& flow : platform_.phases().front().flows) {
      const std::size_t index = out.flows.size();
      const FlowConfig* own = index < phase.circuits.size() ? &phase.circuits[index] : nullptr;
      out.flows.push_back(timed(flow, phase, own));
      out.routes.push_back(routes(out.flows.back()));
    }
    for (const FaultConfig& f : config_.faults) out.faults.push_back(fault(f));
    check_overlaps(out.faults);
    diagnostics_.throw_if_errors();
    return out;
  }

 private:
  Cycle cycles(Duration d) const { return CycleSpan{false, d.ps}.cycles(config_.fic_switch.period); }

  TimedFlow timed(const Flow& flow, const PhaseConfig& phase, const FlowConfig* own) {
    TimedFlow t;
    t.name = flow.name;
    t.job = flow.job;
    t.where = flow.where;
    t.source = flow.trees.front().source;
    t.destination = flow.trees.front().destinations.front();
    t.slots = flow.slots;
    const DataSize message = own != nullptr && own->message ? *own->message : phase.traffic.message;
    const std::int64_t bits = config_.fic_switch.word_bits();
    const Location where = own != nullptr && own->message ? own->where : phase.traffic.where;
    if (message.bits / bits >= kMostWords) {
      diagnostics_.error(where, fmt::format("flow '{}': a message of {} has more than 2^31 words of {} bits", flow.name,
                                            to_string(message), bits));
      return t;
    }
    t.message_words = words_of(message, bits);
    t.arrivals = phase.traffic.arrivals;
    t.interval = phase.traffic.interval;
    t.period = config_.fic_switch.period;
    t.until = cycles(config_.run.warm_up) + cycles(config_.run.measure);
    t.messages = phase.traffic.messages;
    if (own != nullptr) {
      t.start = cycles(own->start);
      if (own->messages) t.messages = own->messages;
      if (own->duration) {
        t.duration = cycles(*own->duration);
        t.until = std::numeric_limits<Cycle>::max();
        t.messages.reset();
      }
      for (const SlotChangeConfig& c : own->changes) t.changes.push_back({cycles(c.at), c.slots});
    }
    check_length(t);
    return t;
  }

  // Upper estimate of the flow's time with one slot, tries left out.
  void check_length(const TimedFlow& t) {
    const Wide frame = Wide{config_.fic_switch.slots} * config_.fic_switch.period.ps;
    const Wide spaced = t.arrivals == Arrivals::saturated ? Wide{0} : Wide{64} * t.interval.ps;
    const Wide messages = t.messages ? Wide{static_cast<std::int64_t>(*t.messages)} : Wide{1};
    const Wide data = messages * (Wide{t.message_words} * frame + spaced);
    if (data + Wide{t.start} * config_.fic_switch.period.ps <= kMostTime) return;
    diagnostics_.error(t.where,
                       fmt::format("flow '{}' could last longer than 46 days of simulated time, which is more than "
                                   "can be counted in picoseconds: fewer or smaller messages",
                                   t.name));
  }

  FlowSource::Routes routes(const TimedFlow& t) const {
    FlowSource::Routes out;
    for (const auto& links : minimal_routes(platform_.graph(), platform_.routing(), config_.routing.algorithm, t.source,
                                            t.destination, config_.setup.routes)) {
      out.push_back(make_circuit_route(platform_.graph(), t.source, t.destination, links));
    }
    return out;
  }

  Fault fault(const FaultConfig& f) {
    const Graph& graph = platform_.graph();
    Fault out{f.where, f.a, f.b.value_or(kNoId), cycles(f.at), f.recover ? cycles(*f.recover) : -1};
    for (const SwitchId sw : {out.a, out.b}) {
      if (sw == kNoId || sw < graph.switches()) continue;
      diagnostics_.error(f.where, fmt::format("there is no switch {}: {} has switches 0 to {}", sw, graph.name(),
                                              graph.switches() - 1));
      return out;
    }
    if (out.b == kNoId) return out;
    bool joined = false;
    for (PortId p = 0; p < graph.ports(out.a); ++p) joined = joined || graph.peer(out.a, p).sw == out.b;
    if (!joined) {
      std::string neighbours;
      for (PortId p = 0; p < graph.ports(out.a); ++p) {
        if (graph.peer(out.a, p).sw != kNoId)
          neighbours += fmt::format("{}{}", neighbours.empty() ? "" : ", ", graph.peer(out.a, p).sw);
      }
      diagnostics_.error(f.where, fmt::format("there is no link between switches {} and {}; switch {} has links to {}",
                                              out.a, out.b, out.a, neighbours));
    }
    return out;
  }

  // The same link or switch cannot fail while it is down. A link of a switch that is down may.
  void check_overlaps(const std::vector<Fault>& faults) {
    const auto same = [](const Fault& x, const Fault& y) {
      return std::minmax(x.a, x.b) == std::minmax(y.a, y.b);  // a switch: b is kNoId in both
    };
    const auto until = [](const Fault& f) { return f.recover < 0 ? std::numeric_limits<Cycle>::max() : f.recover; };
    for (std::size_t i = 0; i < faults.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const Fault& x = faults[k];
        const Fault& y = faults[i];
        if (!same(x, y) || x.at > until(y) || y.at > until(x)) continue;
        const std::string what = x.b == kNoId ? fmt::format("switch {}", x.a) : fmt::format("link {}-{}", x.a, x.b);
        diagnostics_.error(y.where,
                           fmt::format("{} fails while it is down already: failures {} and {} overlap; expected "
                                       "the next failure after the repair",
                                       what, k, i));
      }
    }
  }

  const FicPlatform& platform_;
  const FicConfig& config_;
  Diagnostics diagnostics_;
};

}  // namespace

SetupPlan make_setup_plan(const FicPlatform& platform) { return Planner(platform).plan(); }

}  // namespace weft
