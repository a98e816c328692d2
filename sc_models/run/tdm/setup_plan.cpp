// From a configuration with setup.mode in_network to what its sources ask for.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/slots/flow.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"
#include "fabrics/tdm/setup/circuit_route.h"
#include "fabrics/tdm/setup/setup_network.h"
#include "run/tdm/tdm_checks.h"
#include "run/tdm/tdm_plan.h"
#include "run/tdm/tdm_run.h"

namespace weft {
namespace {

class Planner {
 public:
  /// `submitted`: messages come from endpoints.
  Planner(const TdmPlatform& platform, bool submitted)
      : platform_(platform), config_(platform.config()), submitted_(submitted), turns_(platform.graph()) {}

  SetupPlan plan() {
    SetupPlan out;
    const PhaseConfig& phase = config_.phases.front();
    for (const Flow& flow : platform_.phases().front().flows) {
      const std::size_t index = out.flows.size();
      const FlowConfig* own = index < phase.circuits.size() ? &phase.circuits[index] : nullptr;
      out.flows.push_back(timed(flow, phase, own));
      out.routes.push_back(routes(out.flows.back()));
    }
    diagnostics_.throw_if_errors();
    for (const FaultConfig& f : config_.faults) add_faults(f, out.faults);
    return out;
  }

 private:
  Cycle cycles(Duration d) const { return CycleSpan{false, d.ps}.cycles(config_.tdm_switch.period); }

  TimedFlow timed(const Flow& flow, const PhaseConfig& phase, const FlowConfig* own) {
    TimedFlow t;
    t.name = flow.name;
    t.job = flow.job;
    t.where = flow.where;
    t.source = flow.trees.front().source;
    t.destinations = flow.trees.front().destinations;
    t.slots = flow.slots;
    if (own != nullptr) {
      t.start = cycles(own->start);
      for (const SlotChangeConfig& c : own->changes) t.changes.push_back({cycles(c.at), c.slots});
    }
    if (submitted_) {
      t.submitted = true;
    } else {
      add_source(t, flow, phase, own);
    }
    return t;
  }

  void add_source(TimedFlow& t, const Flow& flow, const PhaseConfig& phase, const FlowConfig* own) {
    const DataSize message = own != nullptr && own->message ? *own->message : phase.sources.message;
    const std::int64_t bits = config_.tdm_switch.word_bits();
    const Location where = own != nullptr && own->message ? own->where : phase.sources.where;
    if (message.bits / bits >= kMostWords) {
      diagnostics_.error(where, fmt::format("{}: a message of {} has more than 2^31 words of {} bits", flow_text(flow),
                                            to_string(message), bits));
      return;
    }
    t.message_words = static_cast<std::uint32_t>(words_of(message, bits));
    t.arrivals = phase.sources.arrivals;
    t.interval = phase.sources.interval;
    t.period = config_.tdm_switch.period;
    t.until = cycles(config_.run.warm_up) + cycles(config_.run.measure);
    t.messages = phase.sources.messages;
    if (own != nullptr) {
      if (own->messages) t.messages = own->messages;
      if (own->duration) {
        t.duration = cycles(*own->duration);
        t.until = std::numeric_limits<Cycle>::max();
        t.messages.reset();
      }
    }
    check_length(t);
  }

  // Upper estimate of the flow's time with one slot, tries left out.
  void check_length(const TimedFlow& t) {
    const Wide frame = Wide{config_.tdm_switch.slots} * config_.tdm_switch.period.ps;
    const Wide spaced = t.arrivals == &kSaturatedArrivals ? Wide{0} : Wide{64} * t.interval.ps;
    const Wide messages = t.messages ? Wide{static_cast<std::int64_t>(*t.messages)} : Wide{1};
    const Wide data = messages * (Wide{t.message_words} * frame + spaced);
    if (data + Wide{t.start} * config_.tdm_switch.period.ps <= kMostTime) return;
    diagnostics_.error(t.where,
                       fmt::format("{} could last longer than 46 days of simulated time, which is more than can be "
                                   "counted in picoseconds: fewer or smaller messages",
                                   flow_text(t)));
  }

  FlowSource::Routes routes(const TimedFlow& t) {
    const std::size_t most = config_.setup.routes;
    return turns_.routes(minimal_trees(platform_.graph(), platform_.routing(), *config_.routing.algorithm, t.source,
                                       t.destinations, most),
                         most);
  }

  // One failure per cable, switch or group of links.
  void add_faults(const FaultConfig& f, std::vector<Fault>& out) const {
    const Graph& graph = platform_.graph();
    const PortRange& place = f.place;
    for (std::uint32_t n = place.first; n <= place.last; ++n) {
      Fault fault{place.where, n, kNoId, f.down, f.up.value_or(-1), {}, kNoId};
      if (place.nic) {
        fault.a = graph.attachment(n).sw;
        fault.port = graph.attachment(n).port;
        fault.nic = n;
        fault.ports = graph.node_links();
      } else if (place.port) {
        fault.port = static_cast<PortId>(*place.port);
      } else if (place.peer) {
        fault.b = *place.peer;
      }
      out.push_back(fault);
    }
  }

  const TdmPlatform& platform_;
  const TdmConfig& config_;
  const bool submitted_;
  RouteTurns turns_;
  Diagnostics diagnostics_;
};

}  // namespace

SetupPlan make_setup_plan(const TdmPlatform& platform) { return Planner(platform, false).plan(); }

SetupPlan make_submitted_plan(const TdmPlatform& platform) {
  SetupPlan plan = Planner(platform, true).plan();
  const std::vector<std::uint32_t> words = words_of_pairs(platform).longest;
  for (std::size_t f = 0; f < plan.flows.size(); ++f) plan.flows[f].message_words = words[f];
  return plan;
}

}  // namespace weft
