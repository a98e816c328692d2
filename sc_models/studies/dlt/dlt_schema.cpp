// The one declaration of every key of a divisible-load configuration, and its step to the checked DltConfig.

#include "studies/dlt/dlt_schema.h"
#include "fabrics/packet/switch_architectures.h"
#include "network/keys/port_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {
namespace {

// Numbers are written as decimals of six places and read as millionths.
constexpr int kDecimals = 6;
constexpr std::uint64_t kOne = 1'000'000;
constexpr DataSize kMostLoad{8LL << 40};  // 1 TiB
constexpr std::uint32_t kMostRounds = 64;
constexpr std::uint64_t kMostResults = 100;

Type<std::uint64_t> speed_type() { return decimal_type(kDecimals, 1, 100'000 * kOne); }

double value_of(const Given<std::uint64_t>& millionths) {
  return static_cast<double>(millionths.value) / static_cast<double>(kOne);
}

Section<RawDltInjection> injection_section() {
  Section<RawDltInjection> s("inject", "One injection point.");
  s.key("at", &RawDltInjection::at, word_type(), required(),
        "corner, edge or centre of a mesh or torus, a node number, or coordinates such as '2,3', x first.");
  s.key("load", &RawDltInjection::load, speed_type(), optional("the linear program chooses"),
        "Load that starts here, relative to the other injection points; all of them have it or none.");
  return s;
}

Section<RawDltNode> node_section() {
  Section<RawDltNode> s("nodes", "Exceptions for the named nodes; later entries win over earlier ones.");
  s.key("inverse_speed", &RawDltNode::inverse_speed, speed_type(), optional("1"),
        "w, time to compute the whole load, relative to the node sigma is for.");
  s.key("computes", &RawDltNode::computes, boolean_type(), optional("true if the switch has an end node"),
        "false: the node only relays.");
  return s;
}

Section<RawDltLink> link_section() {
  Section<RawDltLink> s("links",
                        "Exceptions for the links, in both directions, between a switch of one range and a switch of "
                        "the other; later entries win over earlier ones.");
  s.key("from", &RawDltLink::from, switch_range_type(), required(), "Switches at one end.");
  s.key("to", &RawDltLink::to, switch_range_type(), required(), "Switches at the other end.");
  s.key("inverse_speed", &RawDltLink::inverse_speed, speed_type(), optional("1"),
        "z, time to pass the whole load, relative to the link sigma is for.");
  s.key("failed", &RawDltLink::failed, boolean_type(), by_default("false"), "true: the links are not there.");
  return s;
}

Section<RawDltRun> dlt_run_section() {
  Section<RawDltRun> s("run",
                       "The shares of all answers sent as messages over a simulated network, and the best shares for "
                       "one interface at the injection node.");
  s.key("fabric", &RawDltRun::fabric, path_type(), required(),
        "Configuration of a network with as many nodes, whose traffic or programs are ignored; or one of " +
            fmt::format("{}", fmt::join(dlt_network_words(), ", ")) +
            ": such a network with the topology of this file and its other keys at their defaults.");
  s.key("load", &RawDltRun::load, data_size_type(DataSize{8}, kMostLoad), by_default("1MiB"),
        "Size of the load. The time of a node to compute it follows from sigma and the rate of the network's links.");
  s.key("rounds", &RawDltRun::rounds, whole<std::uint32_t>(1, kMostRounds), by_default("1"),
        "Messages in which each node gets its share (multi-installment distribution).");
  s.key("results", &RawDltRun::results, decimal_type(kDecimals, 0, kMostResults * kOne), by_default("0"),
        "Size of the results that the nodes return, relative to their shares.");
  return s;
}

std::optional<DltRun> resolve_run(const RawDlt& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  if (!raw.run.given || !raw.run.valid) return std::nullopt;
  const RawDltRun& r = raw.run.value;
  DltRun out;
  out.where = r.fabric.where;
  const std::vector<std::string> words = dlt_network_words();
  const bool is_word = std::find(words.begin(), words.end(), r.fabric.value) != words.end();
  out.fabric = is_word ? r.fabric.value : document.resolve_path(r.fabric.value, r.fabric.where);
  out.load_where = r.load.given ? r.load.where : r.fabric.where;
  if (r.load.value.bits % 8 != 0) {
    diagnostics.error(r.load.where, fmt::format("run.load: expected whole bytes, got '{}'", to_string(r.load.value)));
  }
  out.load = static_cast<std::uint64_t>(r.load.value.bits / 8);
  out.rounds = r.rounds.value;
  out.results = value_of(r.results);
  if (raw.inject.value.size() > 1) {
    diagnostics.error(r.fabric.where,
                      fmt::format("run: the shares of one injection point are sent over a network; there are {}",
                                  raw.inject.value.size()));
  }
  return out;
}

std::vector<DltInjection> resolve_injections(const RawDlt& raw, Diagnostics& diagnostics) {
  std::vector<DltInjection> out;
  double sum = 0;
  std::size_t given = 0;
  for (const auto& entry : raw.inject.value) {
    if (!entry.valid) continue;
    const RawDltInjection& r = entry.value;
    out.push_back({r.at.where, r.at.value, r.load.given ? value_of(r.load) : 0});
    sum += out.back().load;
    given += r.load.given ? 1 : 0;
  }
  if (given != 0 && given != out.size()) {
    diagnostics.error(raw.inject.where, "inject: either all injection points have a load or none");
  }
  for (DltInjection& i : out) i.load = given == 0 ? 0 : i.load / sum;
  return out;
}

}  // namespace

std::vector<std::string> dlt_network_words() {
  std::vector<std::string> out{"ideal", "tdm"};
  for (const SwitchArchitecture* a : switch_architectures().list()) out.emplace_back(a->name);
  return out;
}

Section<RawDlt> dlt_section(const std::vector<std::string>& fabrics) {
  Section<RawDlt> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  const Section<RawTopology> topology = topology_section(SwitchingKind::circuits);
  s.key("topology", &RawDlt::topology, topology.type(), required(),
        "The network; each switch has one node or none (a hypercube is a mesh with 2 in every dimension).");
  s.key("sigma", &RawDlt::sigma, decimal_type(kDecimals, 1, kOne - 1), required(),
        "z*Tcm / (w*Tcp): time of a link to pass the load over the time of a node to compute it.");
  s.key("inject", &RawDlt::inject, list_of(injection_section().type(), 1, kAnyCount), required(),
        "Where the load enters the network.");
  s.key("switching", &RawDlt::switching, choice<DltSwitching>(), by_default("cut_through"),
        "cut_through: relay and compute while receiving; modified_store_and_forward: relay what is complete, compute "
        "while receiving; store_and_forward: relay and compute what is complete.");
  s.key("routes", &RawDlt::routes, choice<DltRoutes>(), by_default("fewest_nodes"),
        "Neighbour that feeds a node when the shares of the closed form are simulated: the one behind the source's "
        "link with the fewest nodes or the least load so far, or the one dimension order says.");
  s.key("nodes", &RawDlt::nodes, map_of("<switches>", node_section().type()), by_default("{}"),
        "Exceptions by node, such as 'sw[5]' or 'sw[0..3]'; later entries win over earlier ones.");
  s.key("links", &RawDlt::links, list_of(link_section().type(), 1, kAnyCount), optional("all links are alike"),
        "Exceptions for links.");
  s.key("run", &RawDlt::run, dlt_run_section().type(), optional("the shares are not sent over a network"),
        dlt_run_section().info()->meaning);
  return s;
}

DltConfig resolve_dlt(const RawDlt& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  DltConfig out;
  out.title = raw.title.value;
  out.topology = resolve_topology(raw.topology, document, diagnostics);
  if (out.topology.number("node_links") > 1) {
    diagnostics.error(out.topology.where,
                      "topology.node_links: expected 1; the answers of a divisible load are for nodes that send one "
                      "share after the other over one interface");
  }
  out.sigma = value_of(raw.sigma);
  out.sigma_where = raw.sigma.where;
  out.switching = raw.switching.value;
  out.routes = raw.routes.value;
  out.inject = resolve_injections(raw, diagnostics);
  for (const auto& entry : raw.nodes.value) {
    const auto range = parse_switch_range(entry.name, entry.where, "nodes", diagnostics);
    if (!range) continue;
    DltNodeException e{*range, {}, {}};
    if (entry.value.inverse_speed.given) e.inverse_speed = value_of(entry.value.inverse_speed);
    if (entry.value.computes.given) e.computes = entry.value.computes.value;
    out.nodes.push_back(e);
  }
  for (const auto& entry : raw.links.value) {
    if (!entry.valid) continue;
    const RawDltLink& r = entry.value;
    DltLinkException e{entry.where, r.from.value, r.to.value, {}, r.failed.value};
    if (r.inverse_speed.given) e.inverse_speed = value_of(r.inverse_speed);
    if (r.inverse_speed.given && e.failed) {
      diagnostics.error(r.inverse_speed.key_where, "links: a failed link has no speed");
    }
    out.links.push_back(e);
  }
  out.run = resolve_run(raw, document, diagnostics);
  return out;
}

}  // namespace weft
