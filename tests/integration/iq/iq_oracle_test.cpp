// Input-queued networks against the slow reference: random parameters, networks and packets; every packet leaves and
// arrives in the same cycle, and links carry the same flits in any window. The order in which modules are served must
// not matter, and everything must be back at the end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "fabrics/packet/iq/iq_link_stats.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/topologies.h"
#include "support/child.h"
#include "support/iq_runs.h"

namespace weft::test {
namespace {

struct Case {
  TopologyConfig topology;
  bool valiant = false;
  IqParameters parameters;
  std::vector<oracle::IqPacket> packets;
  std::vector<LinkEvent> faults;
  std::vector<Cycle> adapters;
  bool discard = true;
};

TopologyConfig random_topology(RandomStream& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  TopologyConfig t;
  switch (random.below(5)) {
    case 0:
      t = IqSystem::mesh({2 + below(3), 1 + below(4)});
      break;
    case 1:
      t = IqSystem::torus({1 + below(6), 1 + below(5)});
      break;
    case 2:
      t = IqSystem::torus({2 + below(8)});
      break;
    case 3:
      t = IqSystem::mesh({2, 2, 1 + below(3)});
      break;
    default:
      return IqSystem::tree(1 + below(3), 2 + below(2));
  }
  t.values["nodes_per_switch"] = 1 + below(3);
  t.values["trunk"] = 1 + below(3);
  return t;
}

Case random_case(std::uint64_t seed) {
  RandomStream random(seed, "iq case");
  Case c;
  c.topology = random_topology(random);
  c.valiant = random.below(2) == 0;
  c.parameters = random_iq_parameters(random);
  if (seed % 3 != 0) c.parameters.region = 1;  // a region for each router
  const std::uint32_t nodes = IqSystem(c.topology).graph.nodes();
  const std::uint64_t longest = random.below(3) == 0 ? 1 : 1 + random.below(20);
  const std::size_t count = 60 + random.below(300);
  // From nearly empty to far beyond saturation.
  const std::uint64_t span = 1 + random.below(random.below(2) == 0 ? 40 : 4'000);
  const bool hot = random.below(4) == 0;
  for (std::size_t i = 0; i < count; ++i) {
    oracle::IqPacket p;
    p.generated = static_cast<Cycle>(random.below(span));
    p.source = static_cast<NodeId>(random.below(nodes));
    p.destination = static_cast<NodeId>(hot && random.below(2) == 0 ? 0 : random.below(nodes));
    p.flits = static_cast<std::uint32_t>(1 + random.below(longest));
    p.choice = static_cast<std::uint32_t>(random());
    c.packets.push_back(p);
  }
  std::stable_sort(c.packets.begin(), c.packets.end(),
                   [](const auto& a, const auto& b) { return a.generated < b.generated; });
  return c;
}

// Audits the credits of a network in every cycle.
class Audits final : public Agent {
 public:
  Audits(IqNetwork& network, Cycle until) : network_(network), until_(until) {
    network.domain().schedule(0, Phase::settle, *this, 0);
  }
  void due(Cycle now, std::uint32_t) override {
    if (const std::string found = network_.audit(); !found.empty()) throw std::runtime_error(found);
    if (now < until_) network_.domain().schedule(now + 1, Phase::settle, *this, 0);
  }

 private:
  IqNetwork& network_;
  Cycle until_;
};

// On every second link an adapter, in one case of three.
void add_adapters(Case& c, const Graph& graph, std::uint64_t seed) {
  RandomStream random(seed, "iq adapters");
  if (random.below(3) != 0) return;
  c.adapters.resize(graph.link_count());
  for (Cycle& delay : c.adapters) delay = static_cast<Cycle>(random.below(2) * (1 + random.below(30)));
}

// Links, and switches with all their links, that fail for some time or, if packets may be discarded, for good.
void add_faults(Case& c, const IqSystem& system, RandomStream& random) {
  const Graph& g = system.graph;
  c.discard = random.below(3) != 0;
  const Cycle span = c.packets.back().generated + 100;
  const std::uint64_t count = 1 + random.below(5);
  for (std::uint32_t f = 0; f < count; ++f) {
    const auto down = static_cast<Cycle>(random.below(static_cast<std::uint64_t>(span)));
    const Cycle up = down + 1 + static_cast<Cycle>(random.below(random.below(2) == 0 ? 10 : 300));
    const bool back = !c.discard || random.below(2) == 0;
    const auto sw = static_cast<SwitchId>(random.below(g.switches()));
    const auto fail = [&](PortId p) {
      c.faults.push_back({down, g.out_link(sw, p), false, f});
      // A NIC keeps its packets while its link is down.
      if (back || g.node_at(sw, p) != kNoId) c.faults.push_back({up, g.out_link(sw, p), true, f});
    };
    if (random.below(6) == 0) {
      for (PortId p = 0; p < g.ports(sw); ++p) {
        if (!g.is_free({sw, p})) fail(p);
      }
      continue;
    }
    PortId port = 0;
    do {
      port = static_cast<PortId>(random.below(g.ports(sw)));
    } while (g.is_free({sw, port}));
    fail(port);
  }
}

// The same, direction by direction.
std::vector<oracle::IqLinkChange> changes_of(const Case& c, const Graph& g) {
  std::vector<oracle::IqLinkChange> out;
  for (const LinkEvent& e : c.faults) {
    const PortRef from = g.driver(e.link);
    const NodeId node = g.node_at(from.sw, from.port);
    const PortRef peer = g.peer(from.sw, from.port);
    out.push_back({e.cycle, e.link, e.up});
    out.push_back({e.cycle, node != kNoId ? g.injection_link(node) : g.out_link(peer.sw, peer.port), e.up});
  }
  return out;
}

oracle::IqOutcome expected_of(const Case& c, const IqSystem& system) {
  LinkState links(system.graph);
  const auto routing = make_faulty_routing(*system.routing, system.options, system.graph, links);
  oracle::IqFaultPlan plan{links, *routing, changes_of(c, system.graph), c.discard};
  return oracle::run_iq(c.parameters, system.graph, *system.routing, c.packets, c.faults.empty() ? nullptr : &plan,
                        c.adapters);
}

// The links' flits of a run in a random window, and in those of a profile. In every second run begin and end become
// known only while time goes on, far enough ahead.
class LinkCounts final : public Agent {
 public:
  LinkCounts(IqNetwork& network, const Case& c, const IqSystem& system)
      : graph_(system.graph), random_(c.packets.size(), "window"), links_(network, graph_) {
    const auto span = static_cast<std::uint64_t>(c.packets.back().generated + 100);
    window_.first = static_cast<Cycle>(random_.below(4) == 0 ? 0 : random_.below(span));
    window_.last = window_.first + 1 + static_cast<Cycle>(random_.below(random_.below(2) == 0 ? 20 : span));
    ProfileShape shape;
    shape.window = 1 + static_cast<Cycle>(random_.below(random_.below(2) == 0 ? 5 : 200));
    shape.links = graph_.link_count();
    profile_ = std::make_unique<NetworkProfile>(shape, Window{0, Window::kOpen});
    links_.record(*profile_);
    const Cycle ahead = 2 + c.parameters.switch_allocation + c.parameters.crossbar;
    if (random_.below(2) == 0 || window_.first < ahead) {
      begin();
      end();
      return;
    }
    each([&](WindowedStats& s) { s.measure_from(0); });
    network.domain().schedule(window_.first - ahead, Phase::generate, *this, 0);
    network.domain().schedule(std::max(window_.first - ahead + 1, window_.last - ahead), Phase::generate, *this, 1);
  }
  void due(Cycle, std::uint32_t token) override { token == 0 ? begin() : end(); }
  // The first difference.
  std::string differences(Cycle now, const oracle::IqOutcome& expected) {
    links_.close(now);
    profile_->close(now);
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      const auto on_link = expected.flits.find(link);
      const auto count = [&](const Window& w) {
        if (on_link == expected.flits.end()) return std::ptrdiff_t{0};
        return std::count_if(on_link->second.begin(), on_link->second.end(), [&](Cycle c) { return w.holds(c); });
      };
      const std::string name = graph_.link_name(link);
      if (static_cast<std::int64_t>(links_.flits(link)) != count(window_)) {
        return fmt::format("{} has carried {} flits instead of {} in cycles {} .. {}", name, links_.flits(link),
                           count(window_), window_.first, window_.last - 1);
      }
      for (std::size_t k = 0; k < profile_->windows(); ++k) {
        const Window w = profile_->window(k);
        if (static_cast<std::int64_t>(profile_->carried(k, link)) == count(w)) continue;
        return fmt::format("{} has carried {} flits instead of {} in cycles {} .. {} of a profile", name,
                           profile_->carried(k, link), count(w), w.first, w.last - 1);
      }
    }
    return "";
  }

 private:
  template <class Tell>
  void each(Tell&& tell) {
    tell(links_);
    tell(*profile_);
  }
  void begin() {
    each([&](WindowedStats& s) { s.measure_from(window_.first); });
  }
  void end() {
    each([&](WindowedStats& s) { s.measure_until(window_.last); });
  }

  const Graph& graph_;
  RandomStream random_;
  Window window_;
  IqLinkStats links_;
  std::unique_ptr<NetworkProfile> profile_;
};

// Runs the model and compares it with `expected`; returns a description of the first difference.
std::string differences(const Case& c, const IqSystem& system, const oracle::IqOutcome& expected,
                        std::uint64_t shuffle_seed) {
  const ChildResult child = in_child([&]() -> std::string {
    ClockDomain clock("clock", Duration{1'000});
    IqNetwork network("net", clock, system.graph, c.parameters, *system.routing, c.adapters);
    IqListSource source(network, c.packets);
    IqSystemFaults faults(system, c.faults, c.discard);
    if (!c.faults.empty()) faults.attach(network);
    Audits audits(network, c.packets.back().generated + 2'000);
    LinkCounts counts(network, c, system);
    if (shuffle_seed != 0) network.domain().shuffle(shuffle_seed);
    network.domain().capture_failures();
    sc_core::sc_start();
    if (network.domain().failure()) std::rethrow_exception(network.domain().failure());
    if (network.outstanding() != 0) return "stuck" + stall_text(network.stalled());
    network.check_conservation(network.domain().now());
    const oracle::IqOutcome& found = source.outcome();
    for (std::size_t i = 0; i < c.packets.size(); ++i) {
      if (found.sent[i] == expected.sent[i] && found.delivered[i] == expected.delivered[i] &&
          found.lost[i] == expected.lost[i]) {
        continue;
      }
      return fmt::format(
          "packet {} of cycle {}: sent {} instead of {}, delivered {} instead of {}, lost {} instead of {}", i,
          c.packets[i].generated, found.sent[i], expected.sent[i], found.delivered[i], expected.delivered[i],
          found.lost[i], expected.lost[i]);
    }
    return counts.differences(network.domain().now(), expected);
  });
  return child.ok || !child.text.empty() ? child.text : "failed";
}

class IqOracle : public ::testing::TestWithParam<int> {};

TEST_P(IqOracle, EveryPacketInTheSameCycle) {
  for (int i = 0; i < 25 * soak(); ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 1'000'000 + i);
    Case c = random_case(seed);
    const IqSystem system(c.topology, c.valiant);
    add_adapters(c, system.graph, seed);
    const oracle::IqOutcome expected = expected_of(c, system);
    ASSERT_EQ(differences(c, system, expected, 0), "") << "seed " << seed << ", " << system.graph.name();
    if (i % 3 == 0) {
      ASSERT_EQ(differences(c, system, expected, seed + 1), "") << "shuffled, seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, IqOracle, ::testing::Range(0, 8));

class IqFaultsOracle : public ::testing::TestWithParam<int> {};

// Which packets are lost, and when, and when all the others arrive; credits agree in every cycle.
TEST_P(IqFaultsOracle, EveryPacketIsLostOrArrivesInTheSameCycle) {
  std::size_t lost = 0;
  for (int i = 0; i < 40 * soak(); ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 1'000'000 + 500'000 + i);
    Case c = random_case(seed);
    const IqSystem system(c.topology, c.valiant);
    RandomStream random(seed, "iq faults");
    add_faults(c, system, random);
    add_adapters(c, system.graph, seed);
    const oracle::IqOutcome expected = expected_of(c, system);
    lost += static_cast<std::size_t>(
        std::count_if(expected.lost.begin(), expected.lost.end(), [](Cycle t) { return t >= 0; }));
    ASSERT_EQ(differences(c, system, expected, i % 3 == 0 ? seed + 1 : 0), "")
        << "seed " << seed << ", " << system.graph.name();
  }
  EXPECT_GT(lost, 100U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, IqFaultsOracle, ::testing::Range(0, 8));

// A switch with more than 64 ports: sets of ports take more than one word.
TEST(IqOracle, ManyPorts) {
  for (const IqAllocation allocation : {IqAllocation::separable, IqAllocation::islip}) {
    Case c = random_case(4711);
    c.topology = IqSystem::mesh({2});
    c.topology.values["nodes_per_switch"] = 70U;
    c.topology.values["trunk"] = 30U;
    c.parameters.allocation = allocation;
    c.parameters.iterations = allocation == IqAllocation::islip ? 2 : 1;
    RandomStream random(1, "nodes");
    for (oracle::IqPacket& p : c.packets) {
      p.source = static_cast<NodeId>(random.below(140));
      p.destination = static_cast<NodeId>(random.below(140));
    }
    const IqSystem system(c.topology);
    const oracle::IqOutcome expected = expected_of(c, system);
    EXPECT_EQ(differences(c, system, expected, 0), "");
  }
}

}  // namespace
}  // namespace weft::test
