#include "support/random_packet_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {

namespace {

using Kind = RandomPacketCase::Kind;

std::uint32_t between(RandomStream& random, std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(random.below(high - low + 1));
}
bool chance(RandomStream& random, std::uint32_t one_in) { return random.below(one_in) == 0; }

struct Neighbours {
  SwitchId a, b;
  std::uint32_t from_a, from_b;  // directions
};

// Switches, trunks and end nodes by hand. The groups of ports of a switch lie in random order, with free ports between
// them, so that the borders of MPorts fall anywhere.
void build_by_hand(RandomPacketCase& c, RandomStream& random, std::uint32_t switches, std::uint32_t directions,
                   const std::vector<Neighbours>& links) {
  const std::uint32_t most_links = between(random, 1, 3);
  std::vector<std::vector<std::uint32_t>> width(switches, std::vector<std::uint32_t>(directions, 0));
  for (const Neighbours& link : links) {
    width[link.a][link.from_a] = width[link.b][link.from_b] = between(random, 1, most_links);
  }
  c.trunks.assign(switches, std::vector<RandomPacketCase::Trunk>(directions));
  const std::uint32_t most_nodes = between(random, 1, 4);
  for (SwitchId sw = 0; sw < switches; ++sw) {
    std::vector<std::uint32_t> groups(directions + 1);  // the last one: end nodes
    std::iota(groups.begin(), groups.end(), 0U);
    for (std::size_t i = groups.size(); i > 1; --i) std::swap(groups[i - 1], groups[random.below(i)]);
    const std::uint32_t nodes = between(random, 1, most_nodes);
    std::uint32_t port = 0, first_node = 0;
    for (const std::uint32_t group : groups) {
      if (chance(random, 5)) port += between(random, 1, 2);
      if (group == directions) {
        first_node = port;
        port += nodes;
      } else {
        c.trunks[sw][group] = {static_cast<PortId>(port), static_cast<std::uint16_t>(width[sw][group])};
        port += width[sw][group];
      }
    }
    c.graph.add_switch(static_cast<PortId>(port));
    for (std::uint32_t n = 0; n < nodes; ++n) c.graph.attach_node({sw, static_cast<PortId>(first_node + n)});
  }
  for (const Neighbours& link : links) {
    for (std::uint32_t i = 0; i < width[link.a][link.from_a]; ++i) {
      c.graph.connect({link.a, static_cast<PortId>(c.trunks[link.a][link.from_a].first + i)},
                      {link.b, static_cast<PortId>(c.trunks[link.b][link.from_b].first + i)});
    }
  }
}

// A random tree of switches, sometimes a chain, sometimes of more switches than one step of fetching ahead takes. A
// switch has its neighbours in the directions of their numbers.
void make_tree(RandomPacketCase& c, RandomStream& random) {
  const std::uint32_t switches = between(random, 2, chance(random, 4) ? 40 : 9);
  const bool chain = chance(random, 3);
  std::vector<Neighbours> links;
  c.next.assign(switches, std::vector<std::uint32_t>(switches, 0));
  for (SwitchId sw = 1; sw < switches; ++sw) {
    const SwitchId parent = chain ? sw - 1 : static_cast<SwitchId>(random.below(sw));
    links.push_back({parent, sw, sw, parent});
    for (SwitchId other = 0; other < sw; ++other) {
      c.next[sw][other] = parent;
      c.next[other][sw] = other == parent ? sw : c.next[other][parent];
    }
  }
  build_by_hand(c, random, switches, switches, links);
}

// Meshes and tori of one or two dimensions, dimension order. Direction 2d leads up in dimension d, 2d + 1 down.
void make_grid(RandomPacketCase& c, RandomStream& random, bool torus) {
  std::vector<std::uint32_t> dims{between(random, 2, 4), between(random, 1, 2)};
  if (torus) dims = chance(random, 3) ? std::vector<std::uint32_t>{3, 3} : std::vector{between(random, 3, 6), 1U};
  const std::uint32_t switches = dims[0] * dims[1];
  const auto coordinate = [&](SwitchId sw, std::uint32_t d) { return d == 0 ? sw % dims[0] : sw / dims[0]; };
  std::vector<Neighbours> links;
  c.next.assign(switches, std::vector<std::uint32_t>(switches, 0));
  for (SwitchId sw = 0; sw < switches; ++sw) {
    for (std::uint32_t d = 0; d < 2; ++d) {
      const std::uint32_t stride = d == 0 ? 1 : dims[0];
      const std::uint32_t at = coordinate(sw, d);
      if (at + 1 < dims[d]) links.push_back({sw, sw + stride, 2 * d, 2 * d + 1});
      if (torus && at + 1 == dims[d] && dims[d] > 2) {
        links.push_back({sw, sw - (dims[d] - 1) * stride, 2 * d, 2 * d + 1});
      }
    }
    for (SwitchId to = 0; to < switches; ++to) {
      const std::uint32_t d = coordinate(sw, 0) != coordinate(to, 0) ? 0 : 1;
      const std::uint32_t up = (coordinate(to, d) + dims[d] - coordinate(sw, d)) % dims[d];
      const bool downwards = torus ? 2 * up > dims[d] : coordinate(to, d) < coordinate(sw, d);
      c.next[sw][to] = 2 * d + (downwards ? 1 : 0);
    }
  }
  if (chance(random, 2)) {
    build_by_hand(c, random, switches, 4, links);
    return;
  }
  TopologyConfig config = topology_config(torus ? "torus" : "mesh", {{"dims", dims}});
  c.graph = build_topology(config);
  c.trunks.resize(switches);
  for (auto& trunks : c.trunks) {
    for (std::uint32_t direction = 0; direction < 4; ++direction) {
      trunks.push_back({static_cast<PortId>(1 + direction), 1});
    }
  }
}

void make_fat_tree(RandomPacketCase& c, RandomStream& random) {
  TopologyConfig config = topology_config("tree", {{"arity", c.arity = between(random, 2, 4)}, {"levels", 2U}});
  c.graph = build_topology(config);
  c.adaptive_up = chance(random, 2);
}

StageLatencies random_stages(RandomStream& random, std::uint32_t scale) {
  if (chance(random, 4)) return {};
  const auto cycles = [&](std::uint32_t low, std::uint32_t high) { return Cycle{between(random, low, high) * scale}; };
  const std::uint32_t far = chance(random, 2) ? 12 : 3;
  return {.input = cycles(0, 3),
          .routing = cycles(0, 3),
          .allocation = cycles(1, 4),
          .crossbar = cycles(0, 3),
          .output = cycles(1, 4),
          .link = cycles(1, far),
          .credit = cycles(1, far)};
}

// Shares of a buffer whose VL v must at some time have room for need[v] flits.
BufferShares random_shares(RandomStream& random, const std::vector<std::uint32_t>& need, bool separate) {
  const std::uint32_t extra = chance(random, 3) ? 0 : between(random, 1, chance(random, 2) ? 10 : 100);
  BufferShares shares;
  for (const std::uint32_t n : need) {
    shares.maximum.push_back(n + between(random, 0, extra));
    shares.minimum.push_back(separate ? shares.maximum.back() : between(random, 0, 1) * between(random, 0, n));
  }
  const std::uint32_t minima = std::accumulate(shares.minimum.begin(), shares.minimum.end(), 0U);
  shares.capacity = minima;
  if (separate) return shares;
  for (std::size_t v = 0; v < need.size(); ++v) {
    shares.capacity = std::max({shares.capacity, minima - shares.minimum[v] + need[v], shares.maximum[v]});
  }
  shares.capacity += between(random, 0, extra);
  return shares;
}

// Sizes and times of messages; returns the largest size per VL on which they may travel.
void make_messages(RandomPacketCase& c, RandomStream& random, const std::vector<std::uint32_t>& size_of_level) {
  const NodeId nodes = c.graph.nodes();
  const std::uint32_t count = between(random, 20, std::max(250U, 10 * nodes));
  const double load = chance(random, 3) ? 0.02 + 0.1 * random.uniform() : 0.2 + 2.0 * random.uniform();
  const bool hot_spot = chance(random, 4);
  const bool one_size = (c.kind == Kind::ring && c.parameters.least_places.empty()) || chance(random, 3);
  std::uint64_t flits = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    packet_oracle::OracleMessage message;
    message.source = static_cast<NodeId>(random.below(nodes));
    message.destination = static_cast<NodeId>((message.source + 1 + random.below(nodes - 1)) % nodes);
    if (hot_spot && message.source != 0 && chance(random, 2)) message.destination = 0;
    message.level = static_cast<ServiceLevel>(random.below(c.parameters.levels));
    message.flits = one_size ? size_of_level[message.level] : between(random, 1, size_of_level[message.level]);
    message.choice = static_cast<std::uint32_t>(random.below(1000));
    flits += message.flits;
    c.messages.push_back(message);
  }
  const auto span = 1 + static_cast<std::uint64_t>(static_cast<double>(flits) / (nodes * load));
  const std::uint64_t step = chance(random, 3) ? between(random, 2, 50) : 1;  // bursts in the same cycle
  for (auto& message : c.messages) message.generated = static_cast<Cycle>(random.below(span) / step * step);
  std::stable_sort(c.messages.begin(), c.messages.end(),
                   [](const auto& a, const auto& b) { return a.generated < b.generated; });
}

ArbitrationTable random_table(RandomStream& random, std::uint32_t levels, std::uint32_t largest) {
  ArbitrationTable table;
  for (std::uint32_t sl = 0; sl < levels; ++sl) {
    table.push_back({static_cast<ServiceLevel>(sl), between(random, 1, chance(random, 3) ? 3 : 2 * largest)});
  }
  const std::uint32_t more = between(random, 0, 6);
  for (std::uint32_t i = 0; i < more; ++i) {
    table.push_back({static_cast<ServiceLevel>(random.below(levels)), between(random, 0, 2 * largest)});
  }
  for (std::size_t i = table.size(); i > 1; --i) std::swap(table[i - 1], table[random.below(i)]);
  return table;
}

void make_parameters(RandomPacketCase& c, RandomStream& random) {
  PacketParameters& p = c.parameters;
  const bool ring = c.kind == Kind::ring;
  p.architecture = chance(random, 2) ? &kIbArchitecture : &kOpaArchitecture;
  p.lanes = between(random, 1, 6);
  p.levels = between(random, 1, 4);
  p.stages = random_stages(random, c.scale);
  p.crossbar_rate = between(random, 1, 4);
  if (chance(random, 2)) p.iterations = between(random, 2, 4);
  if (chance(random, 3)) p.lane_pointer = LanePointer::on_request;
  if (chance(random, 2)) p.trunk = TrunkChoice::at_routing;
  OpaParameters opa;
  opa.central_rate = between(random, 1, 4);
  opa.mport_ports = between(random, 1, 4);
  opa.central_links = between(random, 1, 3);
  RandomStream own(c.seed, "messages on central links");  // of its own: the other draws stay
  if (chance(own, 2)) {
    opa.central_rate = between(own, 2, 6);
    opa.central_messages = between(own, 2, opa.central_rate);
    opa.central_links = between(own, 1, 2);
  }

  // VLs: the same everywhere, or (not in rings, whose bubbles are kept per VL) changing on the way.
  const bool changing = !ring && chance(random, 2);
  std::vector<VirtualLane> row;
  for (std::uint32_t sl = 0; sl < p.levels; ++sl) row.push_back(static_cast<VirtualLane>(random.below(p.lanes)));
  for (SwitchId sw = 0; sw < c.graph.switches(); ++sw) {
    for (auto& v : row) {
      if (changing) v = static_cast<VirtualLane>(random.below(p.lanes));
    }
    c.lane.push_back(row);
  }

  const bool mixed = ring && chance(random, 2);
  constexpr std::uint32_t kSizes[] = {1, 2, 4, 16, 40};
  const std::uint32_t largest = kSizes[random.below(std::size(kSizes))] * c.scale;
  std::vector<std::uint32_t> size_of_lane(p.lanes), size_of_level, need(p.lanes, 1);
  for (auto& size : size_of_lane) size = between(random, 1, largest);
  for (std::uint32_t sl = 0; sl < p.levels; ++sl) {
    size_of_level.push_back(ring && !mixed ? size_of_lane[c.lane[0][sl]] : between(random, 1, largest));
    for (const auto& lanes : c.lane) need[lanes[sl]] = std::max(need[lanes[sl]], size_of_level[sl]);
  }
  p.bubble = need;
  if (mixed) p.least_places = need;
  std::vector<std::uint32_t> twice = need;
  for (auto& n : twice) n *= 2;
  p.input = random_shares(random, need, ring);
  p.output = random_shares(random, ring ? twice : need, ring);
  opa.central = random_shares(random, need, false);
  p.nic = random_shares(random, need, false);
  p.nic_input = random_shares(random, need, false);
  p.own = opa;
  make_messages(c, random, size_of_level);
  for (LinkId l = 0; l < c.graph.link_count(); ++l) c.tables.push_back(random_table(random, p.levels, largest));
  if (!chance(random, 3)) return;
  p.adapters.resize(c.graph.link_count());
  for (Cycle& delay : p.adapters) delay = chance(random, 2) ? 0 : between(random, 1, 20) * c.scale;
}

}  // namespace

PacketHop RandomPacketCase::route(SwitchId at, PortId in, const packet_oracle::OracleMessage& message,
                                  VirtualLane) const {
  PacketHop hop{.lane = lane[at][message.level]};
  const PortRef to = graph.attachment(message.destination);
  if (to.sw == at) {
    hop.first = to.port;
  } else if (kind == Kind::fat_tree) {
    if (at >= arity) {  // level 1: its down port to each leaf switch
      hop.first = static_cast<PortId>(to.sw);
    } else {
      hop.first = static_cast<PortId>(arity + (adaptive_up ? 0 : message.choice % arity));
      hop.count = static_cast<std::uint16_t>(adaptive_up ? arity : 1);
    }
  } else {
    const std::uint32_t direction = next[at][to.sw];
    const Trunk& out = trunks[at][direction];
    hop.first = out.first;
    hop.count = out.count;
    if (kind == Kind::ring) {
      const Trunk& behind = trunks[at][direction ^ 1U];
      hop.enters_ring = in < behind.first || in >= behind.first + behind.count;
    }
  }
  return hop;
}

VirtualLane RandomPacketCase::injection_lane(NodeId, ServiceLevel level) const { return lane[0][level]; }

std::unique_ptr<EgressScheduler> RandomPacketCase::scheduler(LinkId link) const {
  return std::make_unique<DeficitTable>(tables[link]);
}

packet_oracle::OracleSetup RandomPacketCase::oracle_setup() const {
  return {.graph = graph,
          .parameters = parameters,
          .route = [this](SwitchId at, PortId in, const packet_oracle::OracleMessage& message,
                          VirtualLane arrived_on) { return route(at, in, message, arrived_on); },
          .injection_lane = [this](NodeId node, ServiceLevel level) { return injection_lane(node, level); },
          .scheduler = [this](LinkId link) { return scheduler(link); }};
}

std::string RandomPacketCase::describe() const {
  constexpr const char* kKinds[] = {"tree", "mesh", "ring", "fat tree"};
  const PacketParameters& p = parameters;
  const StageLatencies& s = p.stages;
  const auto& opa = std::any_cast<const OpaParameters&>(p.own);
  return fmt::format(
      "seed {}: {}{} of {} switches, {} nodes; {}, {} VLs, {} SLs, {} messages; stages ib {} rt {} va {} x {} ob {} "
      "link "
      "{} credit {}; rates {} and {}, {} iterations, pointer {}, trunk {}; MPorts of {} with {} links of {} messages; "
      "buffers: input "
      "{} output {} central {} nic {} and {}{}",
      seed, kKinds[static_cast<int>(kind)], p.least_places.empty() ? "" : " with messages of many sizes",
      graph.switches(), graph.nodes(), p.architecture == &kOpaArchitecture ? "OPA" : "IB", p.lanes, p.levels,
      messages.size(), s.input, s.routing, s.allocation, s.crossbar, s.output, s.link, s.credit, p.crossbar_rate,
      opa.central_rate, p.iterations, word_of(p.lane_pointer), word_of(p.trunk), opa.mport_ports, opa.central_links,
      opa.central_messages, p.input.capacity, p.output.capacity, opa.central.capacity, p.nic.capacity,
      p.nic_input.capacity, p.adapters.empty() ? "" : "; adapters");
}

RandomPacketCase random_packet_case(std::uint64_t seed, std::uint32_t scale) {
  RandomStream random(seed, "packet case");
  RandomPacketCase c;
  c.seed = seed;
  c.scale = scale;
  c.kind = static_cast<Kind>(random.below(4));
  switch (c.kind) {
    case Kind::tree:
      make_tree(c, random);
      break;
    case Kind::mesh:
      make_grid(c, random, false);
      break;
    case Kind::ring:
      make_grid(c, random, true);
      break;
    case Kind::fat_tree:
      make_fat_tree(c, random);
      break;
  }
  make_parameters(c, random);
  return c;
}

}  // namespace weft::test
