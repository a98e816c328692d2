// The one declaration of every key of a packet network.

#include "fabrics/packet/keys/packet_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/qos/scheduler_factory.h"
#include "fabrics/packet/switch_architectures.h"
#include "network/keys/port_range.h"

namespace weft {
namespace {

constexpr const char* kPorts = "'sw[0..3]' (all their outputs) or 'sw[5].port2'";
constexpr const char* kPortsAndNics = "'sw[0..3]' (all their outputs), 'sw[5].port2' or 'nic[7]'";

Given<std::any>& raw_own(RawPacketSwitch& raw, std::size_t number) {
  if (raw.own.size() <= number) raw.own.resize(number + 1);
  return raw.own[number];
}

// "<architectures>: <meaning>", of a key that belongs to a vocabulary of virtual lanes.
std::string of_vocabulary(LaneVocabulary vocabulary, std::string_view meaning) {
  return fmt::format("{}: {}", architectures_with(vocabulary), meaning);
}
std::string of_channels(std::string_view meaning) { return of_vocabulary(LaneVocabulary::channels, meaning); }

Section<RawPacketRouting> routing_section() {
  Section<RawPacketRouting> s("routing", "Routes of messages, and the rule that keeps rings free of deadlock.");
  declare_routing(s, SwitchingKind::packets);
  s.key("roots", &RawPacketRouting::roots, whole<std::uint32_t>(1, kMaxRoots),
        optional("2 where every level has the VLs by default, else 1"),
        "up_down: roots, each with its own VL; destination d uses root d mod roots. More roots share the load.");
  s.key("ring", &RawPacketRouting::ring, choice<RingControl>(), by_default("bubble"),
        "torus: bubble (entering a ring needs room for two messages; architecture iq refuses it on rings of more than "
        "3), dateline (each level has a second VL, taken from the wrap-around link on) or none, which is refused where "
        "a deadlock is possible.");
  s.key("ties", &RawPacketRouting::ties, choice<RouteTies>(), by_default("random"),
        "torus: which of two equally long ways round a message takes.");
  s.key("deadlock_check", &RawPacketRouting::deadlock_check, boolean_type(), by_default("true"),
        "Whether a configuration in which messages can wait for each other in a cycle is refused; false: it runs, and "
        "a deadlock ends the run. Not for architecture iq, where it is always refused.");
  s.key("trunk", &RawPacketRouting::trunk, choice<TrunkChoice>(), by_default("first_free"),
        "When the port of a trunk is chosen: first_free (at allocation, the first that is free and has room) or "
        "at_routing (when the message is routed, at random; another one only if that port has no room). Not for "
        "architecture iq.");
  s.key("no_way", &RawPacketRouting::no_way, choice<Unroutable>(), by_default("discard"),
        "Treatment of a message without a remaining route when links are down: discard it, or let it wait (and others "
        "behind it).");
  return s;
}

Section<RawLink> link_section() {
  Section<RawLink> s("link", "The links; the time of one flit is the cycle of the whole network.");
  s.key("rate", &RawLink::rate, rate_type({1'000'000}, {100'000'000'000'000}), by_default("12.5GB/s"),
        "Bandwidth of a link per direction.");
  s.key("flit", &RawLink::flit, data_size_type({8}, {8 * 65536}), by_default("64B"),
        "Flow control unit; one credit is one flit. Flit over rate must be whole picoseconds.");
  s.key("delay", &RawLink::delay, cycle_span_type(1), by_default("1cycle"),
        "Flight of a flit; iq: at most 1000 cycles.");
  s.key("credit_delay", &RawLink::credit_delay, cycle_span_type(1), by_default("1cycle"),
        "Flight of a credit; iq: at most 1000 cycles.");
  return s;
}

// Keys of a block of ports that exists in RTL. `compared`: when lockstep compares.
template <class Raw>
void declare_port_block(Section<Raw>& s, const std::string& compared, const std::string& ports) {
  // As members of Raw, not of the part that they are declared in.
  constexpr Given<Implementation> Raw::*implementation = &Raw::implementation;
  constexpr Given<std::string> Raw::*rtl = &Raw::rtl;
  constexpr Given<std::vector<Named<RawBlock>>> Raw::*instances = &Raw::instances;
  declare_block(s, implementation, rtl, compared);
  Section<RawBlock> instance("instance", "Exceptions for the named ports; later entries win over earlier ones.");
  declare_block_exception(instance, &RawBlock::implementation, &RawBlock::rtl, compared, "ports");
  s.key("instances", instances, map_of("<ports>", instance.type()), by_default("{}"),
        "Exceptions by port, such as " + ports + ".");
}

Section<RawPacketSwitch> switch_section() {
  Section<RawStages> stages("stages", "Latency of each pipeline stage.");
  stages.key("input", &RawStages::input, cycle_span_type(0), by_default("1cycle"), "IB: write into the input buffer.");
  stages.key("routing", &RawStages::routing, cycle_span_type(0), by_default("1cycle"), "RT: routing of the head.");
  stages.key("allocation", &RawStages::allocation, cycle_span_type(1), by_default("1cycle"),
             "VA-SA: from the grant to the first flit on the crossbar.");
  stages.key("crossbar", &RawStages::crossbar, cycle_span_type(0), by_default("1cycle"),
             "X: through a crossbar into the next buffer.");
  stages.key("output", &RawStages::output, cycle_span_type(1), by_default("1cycle"),
             "OB: from the egress scheduler's decision to the first flit on the link.");
  Section<RawAllocation> allocation("allocation", "The allocation (VA-SA) of every cycle.");
  allocation.key("iterations", &RawAllocation::iterations, whole<std::uint32_t>(1, 16), by_default("1"),
                 "Rounds of requests and grants per cycle; after the first, inputs that lost request again, and so do "
                 "ports of more than one flit per cycle with capacity left in this cycle.");
  allocation.key("lane_pointer", &RawAllocation::lane_pointer, choice<LanePointer>(), by_default("on_grant"),
                 "When an input moves to its next VL: on a grant, or on a lost request as well (on_request).");
  Section<RawPacketSwitch> s("switch", "The packet switches; all are alike.");
  s.key("architecture", &RawPacketSwitch::architecture, choice_of(switch_architectures().list()),
        by_default(kUsualArchitecture.name), meanings(switch_architectures().list()) + ".");
  s.section("stages", &RawPacketSwitch::stages, stages);
  s.key("crossbar_rate", &RawPacketSwitch::crossbar_rate, whole<std::uint32_t>(1, kMaxFlitsPerCycle), by_default("1"),
        fmt::format(
            "Flits per cycle of a transfer over the crossbar{}. With 1 no output buffer fills faster than its link "
            "empties it, so a switch's egress scheduler rarely has a choice.",
            other_crossings(" ({0}: {1})")));
  s.section("allocation", &RawPacketSwitch::allocation, allocation);
  s.key("input_buffer", &RawPacketSwitch::input_buffer, data_size_type({8}, kMaxPacketBuffer), by_default("114688B"),
        "Buffer of each input port, shared by the VLs.");
  s.key("output_buffer", &RawPacketSwitch::output_buffer, data_size_type({8}, kMaxPacketBuffer), by_default("114688B"),
        "Buffer of each output port, shared by the VLs.");
  Section<RawPortBlock> egress(
      "egress", "The egress ports of the switches: output buffer, scheduler, credits of the next buffer.");
  declare_port_block(egress, "in every cycle", kPorts);
  s.section("egress", &RawPacketSwitch::egress, egress);
  const auto& architectures = switch_architectures().list();
  for (std::size_t i = 0; i < architectures.size(); ++i) {
    if (architectures[i]->keys == nullptr) continue;
    const Type<std::any> keys = architectures[i]->keys();
    s.numbered_key<raw_own>(architectures[i]->section, i, keys, by_default("{}"), keys.info.section->meaning);
  }
  return s;
}

Section<RawNic> nic_section() {
  Section<RawNic> s("nic", "The network interfaces.");
  s.key("buffer", &RawNic::buffer, data_size_type({8}, kMaxPacketBuffer), by_default("229376B"),
        "Sending buffer, shared by the VLs; messages without room wait in the application's queue.");
  s.key("input_buffer", &RawNic::input_buffer, data_size_type({8}, kMaxPacketBuffer), by_default("229376B"),
        "Receiving buffer, emptied at link speed.");
  return s;
}

Type<std::vector<Placed<RawTableEntry>>> table_type(std::size_t most_entries, std::uint32_t most_weight) {
  Section<RawTableEntry> entry("table", "One entry of an arbitration table.");
  entry.key("sl", &RawTableEntry::sl, word_type(), required(), "Service level, by name or by number.");
  entry.key("weight", &RawTableEntry::weight, whole<std::uint32_t>(0, most_weight), required(),
            "Weight in flits; an entry of weight 0 is skipped.");
  return list_of(entry.type(), 1, most_entries);
}

Section<RawQos> qos_inner_section() {
  Section<RawLevel> level("level", "One service level (SL); its number is its place in the list.");
  level.key("message", &RawLevel::message, data_size_type({8}, {8LL * 1024 * 1024 * 1024}), required(),
            "MTU, and size of the messages the sources generate; rounded up to flits.");
  level.key("packet", &RawLevel::packet, data_size_type({8}, {8LL * 1024 * 1024 * 1024}), optional("the message"),
            "Largest packet; messages are cut into packets, which are allocated and scheduled one by one.");
  level.key("traffic_class", &RawLevel::traffic_class, word_type(), optional("name of the level"),
            "Class (TC) that groups levels in reports.");
  level.key("lanes", &RawLevel::lanes, list_of(whole<std::uint32_t>(0, 31), 1, 32),
            optional("number of the level; its second VL follows after all first ones, and so on"),
            "VL of the level (SL2VL), or one for each lane class of the routing: two with datelines, one per hop, one "
            "per root.");
  level.key("channels", &RawLevel::channels, list_of(whole<std::uint32_t>(0, 31), 1, 32), optional("as lanes"),
            of_channels("service channel (SC) of the level (SL2SC), or one for each lane class."));
  level.key("quantum", &RawLevel::quantum, whole<std::uint32_t>(1, 1'000'000), optional("needed for drr"),
            "drr: flits per round.");
  level.key("share", &RawLevel::share, whole<std::uint32_t>(1, 1'000'000), optional("needed for scfq"),
            "scfq: parts of the link, in relation to those of the others.");
  level.key("priority", &RawLevel::priority, whole<std::uint32_t>(0, 31), optional("number of the level"),
            "strict_priority: the lowest number is served first.");
  Section<RawLaneSpace> space("lane_space", "Space of one VL in every buffer.");
  space.key("lane", &RawLaneSpace::lane, whole<std::uint32_t>(0, 31), required(), "Number of the VL.");
  space.key("minimum", &RawLaneSpace::minimum, data_size_type({0}, kMaxPacketBuffer),
            optional("two of the VL's largest messages"), "Guaranteed space, rounded up to flits.");
  space.key("maximum", &RawLaneSpace::maximum, data_size_type({8}, kMaxPacketBuffer),
            optional("all that the minima of the others leave"), "Largest space, rounded down to flits.");
  Section<RawDtable> dtable("dtable", "The Deficit Table scheduler.");
  dtable.key("table", &RawDtable::table, table_type(4096, 4'000'000'000), optional("needed with scheduler dtable"),
             "The arbitration table of every output and NIC, in order; `weft dtable` computes one.");
  dtable.key("counter_bits", &RawDtable::counter_bits, whole<std::uint32_t>(0, 32), by_default("0"),
             "Width of the deficit counters and the accumulated weight, which then saturate (8 in the standard tables "
             "of InfiniBand); 0: as wide as needed.");
  declare_port_block(dtable, "in every step", kPortsAndNics);
  Section<RawIbArbiter> ib("ib_arbiter", "The two-table arbiter of InfiniBand.");
  const auto ib_table = table_type(64, 255);
  ib.key("high", &RawIbArbiter::high, ib_table, optional("an empty table"), "High-priority table.");
  ib.key("low", &RawIbArbiter::low, ib_table, optional("an empty table"), "Low-priority table.");
  ib.key(
      "limit_of_high_priority", &RawIbArbiter::limit_of_high_priority, whole<std::uint32_t>(0, 255), by_default("255"),
      "Units of 64 flits (4096 B with flits of 64 B) of high priority before a low-priority message; 255: no limit.");
  declare_port_block(ib, "in every step", kPortsAndNics);
  Section<RawPortBlock> drr("drr", "Deficit round robin; the quanta are keys of the levels.");
  declare_port_block(drr, "in every step", kPortsAndNics);

  const auto numbers = list_of(whole<std::uint32_t>(0, 31), 1, 32);
  Section<RawLaneMap> map("lane_map", "Exceptions to the tables of some devices; later ones win.");
  map.key("at", &RawLaneMap::at, word_type(), required(),
          "Switches ('sw[5]', 'sw[0..3]'), their output port ('sw[5].port2') or a NIC ('nic[7]').");
  map.key("input", &RawLaneMap::input, whole<std::uint32_t>(0, 65535), optional("all"), "Input port of the switches.");
  map.key("lanes", &RawLaneMap::lanes, map_of("<level>", numbers), by_default("{}"),
          of_vocabulary(LaneVocabulary::lanes, "VL of levels there (SL2VL), or one for each lane class."));
  map.key(
      "channels", &RawLaneMap::channels, map_of("<level>", numbers), by_default("{}"),
      of_channels("service channel (SC) of levels; a NIC sends on it (SL2SC), at a switch messages continue with it."));
  map.key("channel_lanes", &RawLaneMap::channel_lanes, map_of("<channel>", whole<std::uint32_t>(0, 31)),
          by_default("{}"), of_channels("VL of service channels there (SC2VL)."));
  Section<RawVirtualFabric> fabric("virtual_fabric", of_channels("a virtual fabric."));
  fabric.key("traffic_class", &RawVirtualFabric::traffic_class, word_type(), required(),
             "Traffic class (TC) its messages belong to; the levels of that class serve it.");

  Section<RawQos> s("qos", "Service levels, virtual lanes and the egress schedulers.");
  s.key("levels", &RawQos::levels, map_of("<name>", level.type()), required(), "The service levels, SL 0 first.");
  s.key("lanes", &RawQos::lanes, whole<std::uint32_t>(1, 32), optional("as many as the tables name"),
        "VLs every port has; tables that name one beyond them are refused.");
  s.key("lane_maps", &RawQos::lane_maps, list_of(map.type(), 0, 4096), by_default("[]"),
        "Exceptions to the tables SL2VL, SL2SC and SC2VL, by device and port.");
  s.key("virtual_fabrics", &RawQos::virtual_fabrics, map_of("<name>", fabric.type()), by_default("{}"),
        of_channels("virtual fabrics, for traffic to name."));
  s.key("channel_lanes", &RawQos::channel_lanes, list_of(whole<std::uint32_t>(0, 31), 1, 32), optional("SC n to VL n"),
        of_channels("VL of each service channel (SC2VL), SC 0 first."));
  s.key("lane_space", &RawQos::lane_space, list_of(space.type(), 0, 32), by_default("[]"),
        "Exceptions to the space each VL has.");
  s.key("scheduler", &RawQos::scheduler, choice_of(scheduler_types().list()), by_default("round_robin"),
        "Egress scheduler of every output and NIC. " + meanings(scheduler_types().list()) + ".");
  s.section("dtable", &RawQos::dtable, dtable);
  s.section("ib_arbiter", &RawQos::ib_arbiter, ib);
  s.section("drr", &RawQos::drr, drr);
  return s;
}

Section<RawPacketStream> stream_section() {
  Section<RawPacketStream> s("traffic", "One stream of messages from every NIC.");
  declare_stream(s, "NIC", optional("the only level of virtual_fabric"));
  s.key("virtual_fabric", &RawPacketStream::virtual_fabric, word_type(), optional("level alone says it"),
        of_channels("virtual fabric; the level is that of its traffic class, and must be named if there are several."));
  return s;
}

Section<RawEndpoints> endpoints_section() {
  Section<RawEndpoints> s("endpoints", "The nodes that run programs: their NICs, and the overhead of a message.");
  s.key("nics", &RawEndpoints::nics, whole<std::uint32_t>(1, 64), by_default("1"),
        "NICs of a node: node n has those from n * nics on.");
  s.key(
      "spread", &RawEndpoints::spread, choice<NicSpread>(), by_default("packets"),
      "packets: the packets of a node take its NICs in turn. links: on meshes and tori with a NIC per link, a message "
      "takes the NIC of the link by which it leaves, and that of the link by which it arrives.");
  s.key("level", &RawEndpoints::level, word_type(), optional("the first level"),
        "Service level of the messages; its size is that of the packets they are cut into.");
  declare_software(s, "the NICs", "flit per NIC", "the NICs are");
  s.section("algorithms", &RawEndpoints::algorithms, algorithms_section());
  return s;
}

}  // namespace

const Given<std::any>& RawPacketSwitch::own_of(const SwitchArchitecture& wanted) const {
  static const Given<std::any> none;
  const auto& all = switch_architectures().list();
  const auto number = static_cast<std::size_t>(std::find(all.begin(), all.end(), &wanted) - all.begin());
  return number < own.size() ? own[number] : none;
}

Section<RawPacketFabric> packet_section(const std::vector<std::string>& fabrics) {
  Section<RawPacketFabric> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  const Section<RawTopology> topology = topology_section(SwitchingKind::packets);
  s.key("topology", &RawPacketFabric::topology, topology.type(), required(), topology.info()->meaning);
  s.section("routing", &RawPacketFabric::routing, routing_section());
  s.section("link", &RawPacketFabric::link, link_section());
  s.section("switch", &RawPacketFabric::packet_switch, switch_section());
  s.section("nic", &RawPacketFabric::nic, nic_section());
  const Section<RawQos> qos = qos_inner_section();
  s.key("qos", &RawPacketFabric::qos, qos.type(), required(), qos.info()->meaning);
  s.key("traffic", &RawPacketFabric::traffic, list_of(stream_section().type(), 0, 256),
        optional("traffic, trace or a program is needed"),
        "Messages that the NICs send; an empty list: none, where a design drives the endpoints itself.");
  s.key("trace", &RawPacketFabric::trace, path_type(), optional("traffic, trace or a program is needed"),
        kTraceMeaning);
  declare_programs(s, ", program_file, traffic or trace");
  declare_program_file(s, ", programs, traffic or trace");
  s.section("endpoints", &RawPacketFabric::endpoints, endpoints_section());
  declare_adapters(s, &RawPacketFabric::adapters);
  declare_faults(s, &RawPacketFabric::faults,
                 "Links that fail; trees route around them, elsewhere messages without a route are lost or wait "
                 "(routing.no_way).");
  s.section("run", &RawPacketFabric::run, run_section());
  Section<RawPacketObserve> observe("observe", "Records besides the statistics.");
  observe.key("message_log", &RawPacketObserve::message_log, boolean_type(), by_default("false"), kMessageLogMeaning);
  observe.key("profile", &RawPacketObserve::profile, profile_window_type(), optional("no profile"), kProfileMeaning);
  Section<RawPacketWaves> waves("waves", "Contents of the wave file of 'weft run --waves'.");
  waves.key("switches", &RawPacketWaves::switches, list_of(port_range_type(), 1, kAnyCount),
            optional("all switches and NICs"),
            "Whose signals are written: switches ('sw[0..3]'), single ports ('sw[5].port2'), NICs ('nic[7]').");
  declare_wave_times(waves);
  observe.section("waves", &RawPacketObserve::waves, waves);
  s.section("observe", &RawPacketFabric::observe, observe);
  return s;
}

}  // namespace weft
