// Pictures of networks on the page of a report: every link under its own name, no two vertices in one place.

#include "run/network_view.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "run/program_gantt.h"

namespace weft {
namespace {

Graph graph_of_kind(const std::string& kind, std::map<std::string, TopologyValue, std::less<>> values) {
  return build_topology(topology_config(kind, std::move(values)));
}

void expect_complete(const Graph& graph) {
  const NetworkView view = network_view(graph);
  ASSERT_EQ(view.switches.size(), graph.switches()) << graph.name();
  ASSERT_EQ(view.nodes.size(), graph.nodes()) << graph.name();
  EXPECT_EQ(view.links.size(), view.all_links) << graph.name();
  std::set<std::string> names;
  for (const NetworkView::Link& l : view.links) {
    names.insert(l.name);
    EXPECT_NE(l.from, l.to) << l.name;
    EXPECT_LT(std::max(l.from, l.to), graph.switches() + graph.nodes()) << l.name;
  }
  EXPECT_EQ(names.size(), view.links.size()) << graph.name();
  std::set<std::pair<long, long>> places;
  for (const auto* list : {&view.switches, &view.nodes}) {
    for (const NetworkView::Place& p : *list) places.emplace(std::lround(p.x * 100), std::lround(p.y * 100));
  }
  EXPECT_EQ(places.size(), view.switches.size() + view.nodes.size()) << graph.name();
}

TEST(NetworkView, HasEveryLinkOnceAndEveryVertexInAPlaceOfItsOwn) {
  using Numbers = std::vector<std::uint32_t>;
  expect_complete(graph_of_kind("mesh", {{"dims", Numbers{4, 3}}}));
  expect_complete(graph_of_kind("mesh", {{"dims", Numbers{5}}}));
  expect_complete(graph_of_kind("torus", {{"dims", Numbers{4, 4, 3}}}));
  expect_complete(graph_of_kind("tree", {{"arity", 4U}, {"levels", 3U}}));
  expect_complete(graph_of_kind("full_mesh", {{"switches", 9U}}));
  expect_complete(graph_of_kind(
      "dragonfly", {{"groups", 5U}, {"routers_per_group", 4U}, {"nodes_per_router", 2U}, {"global_links", 1U}}));
}

TEST(NetworkView, LaysOutNetworksOfNoKindByForces) {
  Graph ring("ring");
  constexpr std::uint32_t kSwitches = 6;
  for (SwitchId s = 0; s < kSwitches; ++s) ring.add_switch(3);
  for (SwitchId s = 0; s < kSwitches; ++s) ring.connect({s, 0}, {(s + 1) % kSwitches, 1});
  for (SwitchId s = 0; s < kSwitches; ++s) ring.attach_node({s, 2});
  expect_complete(ring);
  const NetworkView view = network_view(ring);
  EXPECT_EQ(view.switches[2].x, network_view(ring).switches[2].x);  // without chance
}

TEST(NetworkView, LeavesOutWhatIsTooMuchForAPicture) {
  const NetworkView view = network_view(graph_of_kind("mesh", {{"dims", std::vector<std::uint32_t>{128, 128}}}));
  EXPECT_TRUE(view.switches.empty());
  EXPECT_TRUE(view.links.empty());
  EXPECT_EQ(view.all_links, 4U * 128 * 127 + 2 * 128 * 128);
}

TEST(NetworkView, DrawsTheGroupsOfALargeDragonfly) {
  constexpr std::uint32_t kGroups = 21;
  constexpr std::uint32_t kRouters = 40;
  const Graph graph = graph_of_kind(
      "dragonfly",
      {{"groups", kGroups}, {"routers_per_group", kRouters}, {"nodes_per_router", 1U}, {"global_links", kGroups - 1}});
  for (const bool direct : {false, true}) {
    const NetworkView view = direct ? direct_network_view(graph) : network_view(graph);
    EXPECT_TRUE(view.merged);
    EXPECT_EQ(view.switches.size(), kGroups);
    EXPECT_TRUE(view.nodes.empty());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between;
    std::set<std::string> names;
    for (const NetworkView::Link& l : view.links) {
      ++between[{l.from, l.to}];
      names.insert(l.name);
    }
    EXPECT_EQ(between.size(), kGroups * (kGroups - 1));
    for (const auto& [ends, links] : between) EXPECT_EQ(links, kRouters) << ends.first << " to " << ends.second;
    EXPECT_EQ(names.size(), view.links.size());
    EXPECT_EQ(view.all_links, kGroups * kRouters * (kRouters - 1 + kGroups - 1) + (direct ? 0 : 2 * graph.nodes()));
  }
}

TEST(NetworkView, NodesOnTheirSwitchesHaveLinksOfTheirOwnNames) {
  const NetworkView view = direct_network_view(graph_of_kind("full_mesh", {{"switches", 3U}}));
  EXPECT_TRUE(view.nodes.empty());
  EXPECT_EQ(view.links.size(), 6U);
  EXPECT_EQ(view.all_links, 6U);
  EXPECT_EQ(view.links.front().name, "node[0] -> node[1]");
}

TEST(ProgramGantt, JoinsWhatFollowsAndKeepsWhatTookMost) {
  ReportData report;
  SpanGroups groups;
  std::vector<NodeSpan> spans;
  for (int i = 0; i < 100'000; ++i) {  // more than a row holds: long work, short waits
    spans.push_back({0, groups("work"), i * 10.0, i * 10.0 + 9});
    spans.push_back({0, groups("wait"), i * 10.0 + 9, i * 10.0 + 10});
  }
  spans.push_back({1, groups("wait"), 0, 5});
  spans.push_back({1, groups("wait"), 5, 7});
  add_program_gantt(report, spans, groups, false);
  const Chart& chart = page_of(report).charts.at(0).chart;
  EXPECT_EQ(chart.groups, (std::vector<std::string>{"work", "wait"}));
  ASSERT_EQ(chart.boxes.size(), 2U);
  EXPECT_EQ(chart.boxes[0].group, 0U);
  EXPECT_NEAR(chart.boxes[0].end, 1'000'000, 1e-6);
  EXPECT_EQ(chart.boxes[1].end, 7);
  ReportData none;
  add_program_gantt(none, {}, groups, false);
  EXPECT_EQ(none.page, nullptr);
}

}  // namespace
}  // namespace weft
