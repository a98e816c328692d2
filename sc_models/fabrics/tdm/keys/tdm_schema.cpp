// The one declaration of every key of a FiC configuration.

#include "fabrics/tdm/keys/tdm_schema.h"
#include "algorithms/slots/allocation.h"
#include "network/keys/port_range.h"
#include "network/patterns.h"

namespace weft {
namespace {

constexpr DataSize kMaxMessage{8LL * 1024 * 1024 * 1024 * 1024};

constexpr const char* kCompared = "in every cycle";
constexpr const char* kSetupCompared = "for every message";

Section<RawRouting> routing_section() {
  Section<RawRouting> s("routing", "Routes of circuits.");
  declare_routing(s, SwitchingKind::circuits);
  return s;
}

Section<RawSwitch> switch_section() {
  Section<RawInstance> instance("instance", "Exceptions for the named switches; later entries win over earlier ones.");
  instance.section("slot_lut", &RawInstance::slot_lut,
                   block_exception_section("slot_lut", "The slot LUT of these switches.", kCompared, "switches"));
  instance.section("data_path", &RawInstance::data_path,
                   block_exception_section("data_path", "The data path of these switches.", kCompared, "switches"));
  instance.section(
      "setup_unit", &RawInstance::setup_unit,
      block_exception_section("setup_unit", "The setup unit of these switches.", kSetupCompared, "switches"));

  Section<RawSwitch> s("switch", "The circuit switches; all are alike but for the exceptions in instances.");
  s.key("clock", &RawSwitch::clock, clock_type(), by_default("100MHz"),
        "Clock of all switches and links; one slot is one cycle.");
  s.key("slots", &RawSwitch::slots, whole<std::uint32_t>(2, 4096), by_default("8"), "S, time slots per TDM frame.");
  s.key("lanes", &RawSwitch::lanes, whole<std::uint32_t>(1, 64), by_default("4"), "Serial lanes bundled in one link.");
  s.key("lane_payload", &RawSwitch::lane_payload, data_size_type({1}, {65536}), by_default("85b"),
        "Payload one lane carries in one cycle; a word is lanes times this.");
  s.key("pipeline", &RawSwitch::pipeline, cycle_span_type(0), by_default("0cycles"),
        "Latency a switch adds behind its output register.");
  s.key("serdes", &RawSwitch::serdes, cycle_span_type(0), by_default("0cycles"),
        "Latency of the serializer, wire and deserializer between two switches.");
  s.key("reconfiguration", &RawSwitch::reconfiguration, cycle_span_type(1), by_default("1cycle"),
        "t_c, time to write one slot's column of the shadow table.");
  s.section("slot_lut", &RawSwitch::slot_lut, block_section("slot_lut", "The slot LUT of all switches.", kCompared));
  s.section("data_path", &RawSwitch::data_path,
            block_section("data_path", "The data path of all switches.", kCompared));
  s.section("setup_unit", &RawSwitch::setup_unit,
            block_section("setup_unit", "The setup unit of all switches, with setup.mode in_network.", kSetupCompared));
  s.key("instances", &RawSwitch::instances, map_of("<switches>", instance.type()), by_default("{}"),
        "Exceptions by switch, such as 'sw[5]' or 'sw[0..3]'; later entries win over earlier ones.");
  return s;
}

Section<RawHostInterface> host_interface_section() {
  Section<RawHostInterface> s("host_interface", "Interface of every node to its links, with planned circuits.");
  declare_block<RawHostInterface>(s, &RawHostInterface::implementation, &RawHostInterface::rtl, kCompared);
  s.key(
      "instances", &RawHostInterface::instances,
      map_of("<nodes>",
             block_exception_section("instance", "Exceptions for the named nodes; later entries win over earlier ones.",
                                     kCompared, "nodes")
                 .type()),
      by_default("{}"), "Exceptions by node, such as 'node[5]' or 'node[0..3]'; later entries win over earlier ones.");
  return s;
}

Section<RawSlots> slots_section() {
  Section<RawSlots> s("slots", "Allocation of slots to circuits.");
  s.key("allocator", &RawSlots::allocator, choice_of(slot_allocators().list()), by_default("first_fit"),
        "Allocation algorithm. " + meanings(slot_allocators().list()) + ".");
  s.key("slot_update", &RawSlots::slot_update, boolean_type(), by_default("false"),
        "Whether a circuit may change its slot from switch to switch.");
  s.key(
      "bundles", &RawSlots::bundles, choice<BundleSlots>(), optional("together; apart with setup.mode in_network"),
      "Parallel links between two switches. together: a bundle; each slot of a circuit takes any link of it that has "
      "the slot free; apart: a circuit has all its slots on one link, chosen by the number of its destination. With "
      "setup.mode in_network: together: each switch chooses a link that has all slots of the circuit free; apart: each "
      "link is a route of its own.");
  s.key("search_iterations", &RawSlots::search_iterations, whole<std::uint64_t>(1, 1'000'000'000), by_default("200000"),
        "search: number of moves tried.");
  return s;
}

Section<RawSetup> setup_section() {
  Section<RawSetup> s("setup", "Setup of circuits.");
  s.key("mode", &RawSetup::mode, choice<SetupMode>(), by_default("central"),
        "central: a central unit writes the slot LUTs during the run; preset: circuits are there from the "
        "start; in_network: sources request circuits when they have something to send, and requests travel from switch "
        "to switch.");
  s.key("processing", &RawSetup::processing, cycle_span_type(1), by_default("1cycle"),
        "t_proc, time one slot LUT request takes in the central unit; in_network: time a switch works on a request, "
        "release or teardown.");
  s.key("backoff", &RawSetup::backoff, cycle_span_type(1), by_default("64cycles"),
        "in_network: a source whose tries on all routes were refused waits for a random time up to this, which doubles "
        "with every further round up to 64 times.");
  s.key("routes", &RawSetup::routes, whole<std::uint32_t>(1, 64), by_default("4"),
        "in_network: number of routes of least length a source tries, but at least one for each link of a node "
        "(topology.node_links; with slots.bundles apart each pair of links); endpoints.collectives circuits: number of "
        "routes "
        "among which the plan chooses those of a round so that few share a link.");
  s.key("tries", &RawSetup::tries, whole<std::uint64_t>(1, 1'000'000'000), by_default("1000"),
        "in_network: refusals in a row after which a source gives its flow up.");
  return s;
}

// `inherited`: of a phase, which has what the top level says.
Section<RawSources> sources_section(bool inherited) {
  const auto fallback = [inherited](Fallback own) { return inherited ? optional("as at the top level") : own; };
  Section<RawSources> s(
      "sources", "Messages that the source of each circuit sends; in a phase, keys left out are as at the top level.");
  s.key("arrivals", &RawSources::arrivals, choice_of(arrival_processes().list()), fallback(by_default("saturated")),
        "When messages arrive at the source of a circuit. " + meanings(arrival_processes().list()) + ".");
  s.key("message", &RawSources::message, data_size_type({1}, kMaxMessage), fallback(by_default("4250B")),
        "Size of one message.");
  s.key("interval", &RawSources::interval, duration_type(kShortestTime, kLongestTime),
        fallback(optional("needed for periodic and poisson")),
        "periodic, poisson: (mean) time between two messages of one circuit.");
  s.key("messages", &RawSources::messages, whole<std::uint64_t>(1, 1'000'000'000'000),
        fallback(optional("as many as come during run.warm_up and run.measure")),
        "Number of messages each circuit sends; with it, run.measure has no effect.");
  return s;
}

Section<RawFlow> flow_section() {
  const auto node = [] { return whole<NodeId>(0, kMaxCircuitNode); };
  Section<RawFlow> s("circuits", "One flow: pairs of nodes that use the same slots.");
  s.key("source", &RawFlow::source, node(), optional("needed unless there are pairs"), "Node that sends.");
  s.key("destination", &RawFlow::destination, node(), optional("destination, destinations or pairs is needed"),
        "Node that receives.");
  s.key("destinations", &RawFlow::destinations, list_of(node(), 1, kAnyCount),
        optional("destination, destinations or pairs is needed"), "Nodes that receive, by multicast.");
  s.key("pairs", &RawFlow::pairs, list_of(list_of(node(), 2, 2), 1, kAnyCount),
        optional("destination, destinations or pairs is needed"),
        "Pairs [source, destination] of nodes that use the same slots.");
  s.key("flow", &RawFlow::flow, word_type(), optional("position in the list, from 0"),
        "Name of the flow, unique in its job.");
  s.key("job", &RawFlow::job, word_type(), optional("no job"), "Name of the job the flow belongs to.");
  s.key("slots", &RawFlow::slots, whole<std::uint32_t>(1, 4096), optional("slots_per_flow"),
        "m, slots per frame the flow asks for; at most switch.slots.");
  s.key("message", &RawFlow::message, data_size_type({1}, kMaxMessage), optional("sources.message"),
        "Size of one message of this flow.");
  s.key("start", &RawFlow::start, cycle_span_type(0, kLongestTime), optional("begin of the run"),
        "in_network: nothing is sent before.");
  s.key("messages", &RawFlow::messages, whole<std::uint64_t>(1, 1'000'000'000'000), optional("sources.messages"),
        "in_network: number of messages of this flow.");
  s.key("duration", &RawFlow::duration, cycle_span_type(1, kLongestTime), optional("a number of messages decides"),
        "in_network, arrivals saturated: time after the departure of the first word for which messages are generated.");
  Section<RawSlotChange> change("changes", "One change of the number of slots a flow wants.");
  change.key("at", &RawSlotChange::at, cycle_span_type(0, kLongestTime), required(), "Time from the start of the run.");
  change.key("slots", &RawSlotChange::slots, whole<std::uint32_t>(1, 4096), required(),
             "m, slots per frame wanted from then on.");
  s.key("changes", &RawFlow::changes, list_of(change.type(), 1, kAnyCount), optional("as many slots as at the start"),
        "in_network: bandwidth on demand, in the order of time.");
  return s;
}

// A key of RawPhase as a key of the top level, which derives from it.
template <class Raw, class T>
Given<T> Raw::*as(Given<T> RawPhase::*field) {
  return field;
}

// The keys a phase and the top level share.
template <class Raw>
void declare_circuits(Section<Raw>& s, const Section<RawFlow>& flow, const Section<RawSources>& sources,
                      Fallback slots_per_flow, const std::string& otherwise = "") {
  const std::string one = "circuits, circuits_file, pattern, alltoall or schedule_file" + otherwise + " is needed";
  s.key("circuits", as<Raw>(&RawPhase::circuits), list_of(flow.type(), 1, kAnyCount), optional(one), "The flows.");
  s.key("circuits_file", as<Raw>(&RawPhase::circuits_file), path_type(), optional(one),
        "Text file with the flows, a line 'source destination flow_id [job_id]' for each pair of nodes; '#' "
        "begins a "
        "comment.");
  s.key("pattern", as<Raw>(&RawPhase::pattern), word_type(), optional(one), pattern_meaning());
  s.key(
      "alltoall", as<Raw>(&RawPhase::alltoall), word_choice_type({"groups"}), optional(one),
      "Every node to every other on a 2-D mesh or torus, in the slots of the systematic schedule of 'weft alltoall'.");
  const auto channels = whole<std::uint32_t>(1, 256);
  s.key("wavelengths", as<Raw>(&RawPhase::wavelengths), channels, optional("1 with planes, else see there"),
        "With alltoall: wavelengths in each plane. Wavelength w of plane p is link w * planes + p of every bundle, so "
        "topology.trunk and topology.node_links are at least wavelengths * planes.");
  s.key("planes", as<Raw>(&RawPhase::planes), channels,
        optional("1 with wavelengths; with neither, one for each of the parallel links that bundles have"),
        "With alltoall: planes that the slots of the schedule are spread over.");
  s.key("schedule_file", as<Raw>(&RawPhase::schedule_file), path_type(), optional(one),
        "schedule.csv of 'weft alltoall' for this mesh or torus: every node to every other, in just these slots; "
        "wavelengths and planes in it are parallel links, as those of alltoall.");
  s.key("slots_per_flow", as<Raw>(&RawPhase::slots_per_flow), whole<std::uint32_t>(1, 4096), std::move(slots_per_flow),
        "m, slots per frame of each flow without its own number; at most switch.slots.");
  s.section("sources", as<Raw>(&RawPhase::sources), sources);
}

Section<RawObserve> observe_section() {
  Section<RawWaves> waves("waves", "Contents of the wave file of 'weft run --waves'.");
  waves.key("switches", &RawWaves::switches, list_of(switch_range_type(), 1, kAnyCount), optional("all switches"),
            "Switches whose signals are written.");
  declare_wave_times(waves);
  const auto own = []<class T>(Given<T> RawWorkloadRecords::*field) {
    return static_cast<Given<T> RawObserve::*>(field);
  };
  Section<RawObserve> s("observe", "Records besides the statistics.");
  s.key("slot_trace", &RawObserve::slot_trace, boolean_type(), by_default("false"),
        "Whether slot_trace.csv is written: one line per word and hop.");
  s.key("message_log", own(&RawWorkloadRecords::message_log), boolean_type(), by_default("false"), kMessageLogMeaning);
  s.key("profile", own(&RawWorkloadRecords::profile), profile_window_type(), optional("no profile"), kProfileMeaning);
  s.section("waves", &RawObserve::waves, waves);
  return s;
}

}  // namespace

Section<RawTdm> tdm_section(const std::vector<std::string>& fabrics) {
  const Section<RawFlow> flow = flow_section();
  Section<RawPhase> phase("phases", "One phase: circuits that are in place at the same time.");
  phase.key("name", &RawPhase::name, word_type(), required(), "Name of the phase, used in reports; unique.");
  declare_circuits(phase, flow, sources_section(true), optional("as at the top level"));

  Section<RawTdm> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  const Section<RawTopology> topology = topology_section(SwitchingKind::circuits);
  s.key("topology", &RawTdm::topology, topology.type(), required(), topology.info()->meaning);
  s.section("routing", &RawTdm::routing, routing_section());
  s.section("switch", &RawTdm::tdm_switch, switch_section());
  s.section("host_interface", &RawTdm::host_interface, host_interface_section());
  s.key(
      "board", &RawTdm::board, choice<BoardKind>(), by_default("none"),
      "fic: switches are FiC-SW boards, with the number of links, the rates and the latencies in fic_board; none: any "
      "number of links, and no latency but that of switch.");
  s.section("fic_board", &RawTdm::fic_board, board_section());
  s.section("slots", &RawTdm::slots, slots_section());
  s.section("setup", &RawTdm::setup, setup_section());
  declare_circuits(s, flow, sources_section(false), by_default("1"), ", traffic, trace or a program");
  s.key("phases", &RawTdm::phases, list_of(phase.type(), 1, kAnyCount), optional("a single phase named main"),
        "Phases, one after the other; each has its own circuits and sources.");
  declare_streams(s, optional("needed with traffic and trace"), optional("circuits, or a program"));
  declare_programs(s, ", program_file, traffic or circuits");
  declare_program_file(s, ", programs, traffic or circuits");
  Section<RawTdmEndpoints> endpoints("endpoints",
                                     "The nodes that run programs: the overhead of a message. Every pair of nodes "
                                     "that a program sends messages between has a circuit with slots_per_flow slots.");
  endpoints.key("collectives", &RawTdmEndpoints::collectives, choice<CollectivesOver>(), by_default("messages"),
                "messages: collectives are lowered to messages between pairs of nodes, whose circuits stay; circuits: "
                "they go over circuits of their own, multicasts and the slot schedule of an alltoall among them, which "
                "change with the program and share the whole frame; with setup.mode in_network they come and go.");
  declare_software(endpoints, "its circuit", "word", "its link is");
  endpoints.section("algorithms", &RawTdmEndpoints::algorithms, algorithms_section());
  s.section("endpoints", &RawTdm::endpoints, endpoints);
  declare_adapters(s, &RawTdm::adapters);
  declare_faults(s, &RawTdm::faults, "Links and switches that fail; for setup.mode in_network.");
  const auto from_workload = []<class T>(Given<T> RawWorkload::*field) {
    return static_cast<Given<T> RawTdm::*>(field);
  };
  s.section("run", from_workload(&RawWorkload::run), run_section(optional("20us with traffic and trace, else 0us")));
  s.section("observe", &RawTdm::observe, observe_section());
  return s;
}

}  // namespace weft
