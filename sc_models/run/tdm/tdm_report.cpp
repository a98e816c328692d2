#include "run/tdm/tdm_report.h"
#include "run/adapters_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/places.h"
#include "observe/columns.h"
#include "observe/values.h"
#include "observe/vocabulary.h"
#include "run/network_view.h"
#include "run/tdm/frame_view.h"
#include "run/tdm/program_phases_report.h"
#include "run/tdm/tdm_board.h"
#include "run/tdm/tdm_checks.h"

namespace weft {
namespace {

constexpr const char* kSlotsUsed =
    "highest slot number in use + 1; with slot_update a hop takes the free slot that comes soonest, wherever in the "
    "frame it lies, so this can be more than N although a frame of N slots would do";

std::string implementation_text(const TdmConfig& config) {
  std::string out;
  const auto add = [&out](const char* block, const std::optional<BlockChoice>& choice) {
    if (!choice) return;
    if (!out.empty() && !out.ends_with(": ")) out += ", ";
    out += fmt::format("{} {}", block, to_string(*choice));
  };
  const SwitchImplementations& all = config.tdm_switch.all;
  add("slot_lut", all.slot_lut);
  add("data_path", all.data_path);
  if (!all.setup_unit.is_model()) add("setup_unit", all.setup_unit);
  if (!config.host.all.is_model()) add("host_interface", config.host.all);
  for (const SwitchInstances& i : config.tdm_switch.instances) {
    out += fmt::format("; {}: ", text_of(i.range));
    add("slot_lut", i.slot_lut);
    add("data_path", i.data_path);
    add("setup_unit", i.setup_unit);
  }
  for (const HostInterfaceConfig::Instances& i : config.host.instances) {
    const NodeRange& r = i.range;
    out += r.first == r.last ? fmt::format("; node[{}]: ", r.first) : fmt::format("; node[{}..{}]: ", r.first, r.last);
    add("host_interface", i.choice);
  }
  return out;
}

struct Occupancy {
  double mean = 0;
  double max = 0;
};

// Over the links that carry a circuit; host links included.
Occupancy occupancy(const TdmPlatform& platform, const PhasePlan& phase) {
  Occupancy o;
  std::size_t used = 0;
  const double frame = platform.config().tdm_switch.slots;
  for (const std::uint32_t load : reserved_slots(platform.graph(), phase)) {
    if (load == 0) continue;
    ++used;
    o.mean += 100.0 * load / frame;
    o.max = std::max(o.max, 100.0 * load / frame);
  }
  if (used > 0) o.mean /= static_cast<double>(used);
  return o;
}

Table phase_table(const TdmPlatform& platform, const std::vector<PhaseTimes>* times, Cycle last_cycle) {
  struct Row {
    const PhasePlan& plan;
    Occupancy occupancy;
    PhaseTimes times;
  };
  std::vector<Row> rows;
  for (std::size_t p = 0; p < platform.phases().size(); ++p) {
    const PhasePlan& plan = platform.phases()[p];
    rows.push_back({plan, occupancy(platform, plan), times != nullptr ? (*times)[p] : PhaseTimes{}});
  }
  const Graph& graph = platform.graph();
  Columns<Row> columns{
      {{"phase", "", "name"}, [](const Row& r) { return r.plan.name; }},
      {{"flows", "1", "flows"}, [](const Row& r) { return r.plan.flows.size(); }},
      {{"circuits", "1", "circuits (one per source of a flow)"}, [](const Row& r) { return r.plan.circuits.size(); }},
      {{"minimum_slots", "1",
        "N: largest number of slots requested on one directed link, host links included; with bundles of links by one "
        "circuit, if that is more"},
       [](const Row& r) { return r.plan.minimum.slots; }},
      {{"minimum_at", "", "a link that needs them"},
       [&](const Row& r) { return r.plan.minimum.slots == 0 ? std::string() : graph.link_name(r.plan.minimum.link); }},
      {{"slots_used", "1", kSlotsUsed}, [](const Row& r) { return r.plan.allocation.slots_used; }},
      {{"frame_slots", "1", "S: slots per frame"}, [&](const Row&) { return platform.config().tdm_switch.slots; }},
      {{"mean_occupancy", "%", "reserved slots over S, mean of the links that carry a circuit"},
       [](const Row& r) { return r.occupancy.mean; }},
      {{"max_occupancy", "%", "the same for the fullest link"}, [](const Row& r) { return r.occupancy.max; }}};
  const auto ns = [&](Cycle c) { return static_cast<double>(c * platform.config().tdm_switch.period.ps) / 1000.0; };
  const auto time = [&](Cycle PhaseTimes::*of) {
    return [&, of](const Row& r) {
      const Cycle c = r.times.*of;
      return c < 0 || c > last_cycle ? Value{} : Value{ns(c)};
    };
  };
  if (times != nullptr) {
    columns += Columns<Row>{
        {{"lut_requests", "1", "slot LUT requests made to set the phase up"},
         [](const Row& r) { return r.times.lut_requests; }},
        {{"setup_time", "ns", "from the first slot LUT request until all slots are reserved"},
         [&](const Row& r) {
           return r.times.setup_end < 0 ? Value{} : Value{ns(r.times.setup_end - r.times.setup_start)};
         }},
        {{"tables_ready", "ns", "time at which the shadow tables were written; S * t_c after their loading began"},
         time(&PhaseTimes::tables_ready)},
        {{"data_start", "ns", "time at which the tables took effect and sources could send"},
         time(&PhaseTimes::data_start)},
        {{"data_end", "ns", "time of the last delivery"}, time(&PhaseTimes::data_end)}};
  }
  return make_table({"phases", "Phases", "One line per set of circuits; phases run one after the other."}, columns,
                    rows);
}

}  // namespace

ReportData tdm_report_header(const TdmConfig& config) {
  ReportData r;
  r.title = config.title;
  r.config_file = config.file;
  r.seed = config.seed;
  r.implementation = implementation_text(config);
  return r;
}

void add_network_figures(const TdmPlatform& platform, ReportData& report) {
  const TdmConfig& c = platform.config();
  const Graph& g = platform.graph();
  std::int64_t links = 0;
  for (SwitchId sw = 0; sw < g.switches(); ++sw) {
    for (PortId p = 0; p < g.ports(sw); ++p) links += g.peer(sw, p).sw != kNoId ? 1 : 0;
  }
  const double gbps =
      static_cast<double>(c.tdm_switch.word_bits()) * 1000.0 / static_cast<double>(c.tdm_switch.period.ps);
  namespace v = vocabulary;
  ReportSection network{"network", "Network", {}};
  network.figures = {
      {v::kTopology, g.name(), true},
      {{"switches", "1", "FiC switches"}, std::int64_t{g.switches()}, true},
      {v::kNodes, std::int64_t{g.nodes()}, false},
      {{"directed_links", "1", "directed links between switches"}, links, false},
      {v::kCycle, static_cast<double>(c.tdm_switch.period.ps) / 1000.0, false},
      {v::refined(v::kLinkRate, "lanes * payload bits per cycle and lane"), gbps, true},
      {{"word_bits", "b", "payload of one slot"}, c.tdm_switch.word_bits(), false},
      {{"link_latency", "cycles", "constant latency from an output's slot to the next register: pipeline + SerDes"},
       c.tdm_switch.pipeline + c.tdm_switch.serdes,
       false}};
  add_adapters(adapter_delays(c.adapters, g), network);
  report.sections.push_back(std::move(network));
  add_board(c, g, report);
  page_of(report).network = network_view(g);
}

void add_plan_figures(const TdmPlatform& platform, ReportData& report) {
  const TdmConfig& c = platform.config();
  add_network_figures(platform, report);
  std::int64_t flows = 0;
  std::int64_t circuits = 0;
  std::int64_t minimum = 0;
  std::int64_t used = 0;
  for (const PhasePlan& p : platform.phases()) {
    flows += static_cast<std::int64_t>(p.flows.size());
    circuits += static_cast<std::int64_t>(p.circuits.size());
    minimum = std::max(minimum, std::int64_t{p.minimum.slots});
    used = std::max(used, std::int64_t{p.allocation.slots_used});
  }
  ReportSection slots{"slots", "Slots", {}};
  slots.figures = {
      {{"flows", "1", "flows of all phases"}, flows, false},
      {{"circuits", "1", "circuits of all phases: one per source of a flow"}, circuits, true},
      {{"allocator", "", "slot allocation policy"}, std::string(c.slots.allocator->name), false},
      {{"slot_update", "", "whether switches may change a circuit's slot from hop to hop"}, c.slots.slot_update, false},
      {{"frame_slots", "1", "S: slots per frame"}, std::int64_t{c.tdm_switch.slots}, true},
      {{"minimum_slots", "1", "N: slots needed at least, the largest load of a directed link in any phase"},
       minimum,
       true},
      {{"slots_used", "1", std::string(kSlotsUsed) + "; of all phases"}, used, true}};
  report.sections.push_back(std::move(slots));
  add_frame_views(platform, report);
  if (ReportSection s = alltoall_section(platform, nullptr); !s.figures.empty())
    report.sections.push_back(std::move(s));
  for (std::string& note : load_notes(c, platform.phases())) report.notes.push_back(std::move(note));
}

void add_plan_tables(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                     ReportData& report) {
  report.tables.push_back(phase_table(platform, nullptr, 0));
  report.tables.push_back(circuits.table(false));
  report.tables.push_back(links.plan_table());
  if (Table t = channels_table(platform, links, false); !t.rows.empty()) report.tables.push_back(std::move(t));
  add_adapters(platform.config().adapters, platform.graph(), platform.config().tdm_switch.period, report);
}

namespace {

// First cycle after each phase; -1: it has not begun.
std::vector<Cycle> phase_ends(const std::vector<PhaseTimes>& times, Cycle last_cycle) {
  std::vector<Cycle> out;
  for (const PhaseTimes& t : times)
    out.push_back(t.data_start < 0 ? -1 : (t.data_end >= 0 ? t.data_end : last_cycle) + 1);
  return out;
}

}  // namespace

void add_circuit_tables(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                        const std::vector<PhaseTimes>& steps, Cycle last_cycle, ReportData& report) {
  const std::vector<Cycle> ends = phase_ends(steps, last_cycle);
  const std::vector<std::uint32_t>& order = platform.program_phases().order;
  std::vector<Cycle> data_cycles(platform.phases().size(), 0);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].data_start < 0) continue;
    data_cycles[order.empty() ? s : order[s]] += std::max<Cycle>(0, ends[s] - steps[s].data_start);
  }
  const std::vector<PhaseTimes> times = order.empty() ? steps : times_of_phases(platform, steps);
  report.tables.push_back(phase_table(platform, &times, last_cycle));
  report.tables.push_back(circuits.table(true));
  report.tables.push_back(links.table(data_cycles, report.complete));
  if (Table t = channels_table(platform, links, report.complete); !t.rows.empty()) {
    report.tables.push_back(std::move(t));
  }
  if (Table hops = circuits.hops(); !hops.rows.empty()) report.tables.push_back(std::move(hops));
  add_adapters(platform.config().adapters, platform.graph(), platform.config().tdm_switch.period, report);
}

void add_run_figures(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                     const std::vector<PhaseTimes>& times, Cycle last_cycle, std::uint64_t messages,
                     ReportData& report) {
  const CycleTimes ns(platform.config().tdm_switch.period);
  ReportSection run{"run", "Run", {}};
  run.figures = {
      {vocabulary::kTime, ns.ns(times.back().data_end >= 0 ? times.back().data_end : last_cycle), true},
      {{"messages_sent", "1", "messages that left their host's queue"}, whole(messages), true},
      {{"messages_delivered", "1", "complete messages at their destinations, each destination of a multicast counted"},
       whole(circuits.delivered_messages()),
       true},
      {{"messages_measured", "1", "those of them generated after the warm-up; they make up the latency figures"},
       whole(circuits.measured()),
       false},
      {{"words_delivered", "1", "words of the delivered messages"}, whole(circuits.delivered_words()), false},
      {{"word_hops", "1", "words sent by switch outputs, those to hosts included"},
       report.complete ? Value{whole(links.word_hops())} : Value{},
       false}};
  const std::vector<Cycle> ends = phase_ends(times, last_cycle);
  const ServiceFigures all = circuits.all(ends, platform.graph().nodes());
  for (Figure& f : service_figures(all)) run.figures.push_back(std::move(f));
  for (Figure& f : circuits.transit_figures()) run.figures.push_back(std::move(f));
  report.sections.push_back(std::move(run));
  std::erase_if(report.sections, [](const ReportSection& s) { return s.key == "alltoall"; });  // the one of the plan
  if (ReportSection s = alltoall_section(platform, &times); !s.figures.empty()) report.sections.push_back(std::move(s));
  if (circuits.delivered_messages() > 0 && circuits.measured() == 0) {
    report.notes.emplace_back("nothing was measured: every message was generated during the warm-up (run.warm_up)");
  }
  report.tables.push_back(services_table("Services", "One line per phase, whose circuits are a service.",
                                         circuits.services(ends, platform.graph().nodes())));
  report.tables.push_back(circuits.histogram());
  add_circuit_tables(platform, circuits, links, times, last_cycle, report);
}

std::vector<Artifact> slot_table_artifacts(const TdmPlatform& platform) {
  std::vector<Artifact> out;
  for (const PhasePlan& p : platform.phases()) {
    const std::string name = platform.phases().size() == 1 ? "slot_tables" : "slot_tables_" + p.name;
    const std::uint32_t slots = platform.config().tdm_switch.slots;
    out.push_back({name + ".csv", slot_tables_csv(platform.graph(), p.flows, p.allocation, slots)});
    out.push_back({name + ".txt", slot_tables_text(platform.graph(), p.flows, p.allocation, slots)});
  }
  return out;
}

}  // namespace weft
