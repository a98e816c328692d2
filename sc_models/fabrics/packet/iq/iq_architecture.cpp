// The input-queued router as a record, and the keys of its section.

#include <fmt/format.h>

#include "fabrics/packet/iq/parameters.h"
#include "network/keys/block_keys.h"
#include "network/keys/port_range.h"
#include "schema/schema_types.h"

namespace weft {
namespace {

struct RawIqStages {
  Given<CycleSpan> buffer_write;
  Given<CycleSpan> routing;
  Given<CycleSpan> vc_allocation;
  Given<CycleSpan> switch_allocation;
  Given<CycleSpan> crossbar;
};

struct RawIqInstance {
  Given<RawBlock> router;
};

struct RawIq {
  Given<std::uint32_t> vcs;
  Given<DataSize> buffer;
  Given<RawIqStages> stages;
  Given<IqAllocation> allocator;
  Given<std::uint32_t> iterations;
  Given<IqReuse> reuse;
  Given<RawBlock> router;
  Given<std::vector<Named<RawIqInstance>>> instances;
};

Type<std::any> iq_keys() {
  Section<RawIqStages> stages("stages", "Latency of each stage of an input-queued router, at most 1000 cycles.");
  stages.key("buffer_write", &RawIqStages::buffer_write, cycle_span_type(0), by_default("0cycles"),
             "From the arrival of a flit until it can be used.");
  stages.key("routing", &RawIqStages::routing, cycle_span_type(0), by_default("1cycle"),
             "From a head at the front of its VC to its request for a VC.");
  stages.key("vc_allocation", &RawIqStages::vc_allocation, cycle_span_type(0), by_default("1cycle"),
             "From the grant of a VC to the first request for the switch.");
  stages.key("switch_allocation", &RawIqStages::switch_allocation, cycle_span_type(0), by_default("1cycle"),
             "From the grant of the switch until the flit enters the crossbar and its credit sets out.");
  stages.key("crossbar", &RawIqStages::crossbar, cycle_span_type(0), by_default("1cycle"),
             "From the input buffer to the link.");
  Section<RawIq> s("iq", "iq: the plain input-queued virtual-channel router.");
  s.key("vcs", &RawIq::vcs, whole<std::uint32_t>(1, kMostIqVcs), by_default("4"),
        "Virtual channels per input port; a multiple of the lane classes of the routing (2 with datelines).");
  s.key("buffer", &RawIq::buffer, data_size_type({8}, kMaxPacketBuffer), by_default("512B"),
        "Buffer of each VC, rounded down to flits, at most 65535 of them.");
  s.section("stages", &RawIq::stages, stages);
  s.key("allocator", &RawIq::allocator, choice<IqAllocation>(), by_default("separable"),
        "Allocation of VCs and switch: separable (input first, round robin) or islip.");
  s.key("iterations", &RawIq::iterations, whole<std::uint32_t>(1, kMostIqIterations), by_default("1"),
        "islip: rounds per cycle.");
  s.key("reuse", &RawIq::reuse, choice<IqReuse>(), by_default("after_tail"),
        "When an output VC can be given to the next packet: once the tail has left, or once all credits are back as "
        "well.");
  constexpr const char* kCompared = "in every cycle";
  Section<RawIqInstance> instance("instance",
                                  "Exceptions for the named switches; later entries win over earlier ones.");
  instance.section("router", &RawIqInstance::router,
                   block_exception_section("router", "The router of these switches.", kCompared, "switches"));
  s.section("router", &RawIq::router, block_section("router", "The router of all switches.", kCompared));
  s.key("instances", &RawIq::instances, map_of("<switches>", instance.type()), by_default("{}"),
        "Exceptions by switch, such as 'sw[5]' or 'sw[0..3]'; later entries win over earlier ones.");
  return own_keys(s);
}

void resolve_routers(const RawIq& raw, OwnSwitchConfig& out, Diagnostics& diagnostics) {
  const RawBlock& all = raw.router.value;
  out.router = block_choice(all.implementation, all.rtl);
  bool used = false;
  for (const auto& entry : raw.instances.value) {
    const auto range = parse_switch_range(entry.name, entry.where, "switch.iq.instances", diagnostics);
    if (!range) continue;
    const auto choice = block_exception(entry.value.router, out.router, "switch.iq.instances." + entry.name + ".router",
                                        used, diagnostics);
    if (choice) out.router_instances.push_back({*range, *choice});
  }
  warn_unused_block(all.rtl, out.router, used, "switch.iq.router", diagnostics);
}

OwnSwitchConfig resolve_iq(const Given<std::any>& section, const LinkUnits& units, Diagnostics& diagnostics) {
  const auto raw = keys_as<RawIq>(section.value);
  OwnSwitchConfig out;
  out.where = section.where;
  const auto place = [&](const char* key, const auto& given) {
    if (given.given) out.places.emplace_back(key, given.where);
  };
  const RawIqStages& stages = raw.stages.value;
  place("vcs", raw.vcs);
  place("buffer", raw.buffer);
  place("allocator", raw.allocator);
  place("iterations", raw.iterations);
  place("stages.buffer_write", stages.buffer_write);
  place("stages.routing", stages.routing);
  place("stages.vc_allocation", stages.vc_allocation);
  place("stages.switch_allocation", stages.switch_allocation);
  place("stages.crossbar", stages.crossbar);
  IqParameters p;
  p.vcs = raw.vcs.value;
  p.buffer = units.whole_flits(raw.buffer.value);
  p.buffer_write = units.cycles(stages.buffer_write);
  p.routing = units.cycles(stages.routing);
  p.vc_allocation = units.cycles(stages.vc_allocation);
  p.switch_allocation = units.cycles(stages.switch_allocation);
  p.crossbar = units.cycles(stages.crossbar);
  p.link = units.delay;
  p.credit = units.credit_delay;
  p.allocation = raw.allocator.value;
  p.iterations = raw.iterations.value;
  p.reuse = raw.reuse.value;
  out.parameters = p;
  resolve_routers(raw, out, diagnostics);
  return out;
}

// Each error at the key that is wrong; at its section when that was not given.
void check_iq(const OwnSwitchConfig& own, const SwitchSurroundings& around, Diagnostics& diagnostics) {
  for (const IqProblem& p : iq_problems(iq_parameters(own.parameters), around.routing, around.graph, false)) {
    const bool routing = p.key.starts_with("routing");
    if (!around.open && routing) continue;
    const Location& where = p.key == "topology"            ? around.topology_where
                            : p.key == "link.delay"        ? around.delay_where
                            : p.key == "link.credit_delay" ? around.credit_delay_where
                            : p.key == "routing.ring"      ? around.ring_where
                            : routing                      ? around.routing_where
                                                           : own.place_of(p.key);
    const bool own_key = p.key != "topology" && !p.key.starts_with("link") && !routing;
    diagnostics.error(where, (own_key ? "switch.iq." : "") + p.key + ": " + p.text);
  }
}

}  // namespace

const IqParameters& iq_parameters(const std::any& parameters) { return std::any_cast<const IqParameters&>(parameters); }

constinit const SwitchArchitecture kIqArchitecture{
    .name = "iq",
    .meaning =
        "a plain input-queued virtual-channel router (wormhole, no levels' scheduling), for comparison with other "
        "simulators",
    .vocabulary = LaneVocabulary::none,
    .flit_by_flit = true,
    .longest_adapter = 100'000,  // its agenda has a list for every cycle until something can arrive
    .routers = "input-queued routers",
    .section = "iq",
    .keys = iq_keys,
    .resolve = resolve_iq,
    .virtual_channels = [](const std::any& keys) { return keys_as<RawIq>(keys).vcs.value; },
    .check = check_iq,
    .keeps_order = [](const std::any&) { return false; },  // packets in different VCs overtake each other
    .zero_load_latency =
        [](const std::any& parameters, std::uint32_t switches, std::uint32_t flits) {
          return weft::zero_load_latency(iq_parameters(parameters), switches, flits);
        },
    .stages =
        [](const std::any& parameters) {
          const IqParameters& p = iq_parameters(parameters);
          return p.buffer_write + p.routing + p.vc_allocation + p.switch_allocation + p.crossbar;
        },
};

}  // namespace weft
