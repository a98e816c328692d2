// Use of links of packet networks, fed by hand.

#include <gtest/gtest.h>

#include "base/random.h"
#include "fabrics/packet/observe/packet_link_stats.h"

namespace weft {
namespace {

// Two nodes on one switch.
class PacketLinkStatsTest : public testing::Test {
 protected:
  PacketLinkStatsTest() : graph_("pair") {
    const SwitchId sw = graph_.add_switch(2);
    graph_.attach_node({sw, 0});
    graph_.attach_node({sw, 1});
  }
  static PacketMessage message(std::uint32_t flits, Cycle sent) {
    PacketMessage m;
    m.source = 0;
    m.destination = 1;
    m.flits = flits;
    m.generated = sent - 2;
    m.set_sent(sent);
    return m;
  }
  static std::int64_t flits(const PacketLinkStats& stats, std::size_t row) {
    return std::get<std::int64_t>(stats.links().rows.at(row).at(1));
  }
  Graph graph_;
};

TEST_F(PacketLinkStatsTest, FlitsInsideTheWindowCount) {
  PacketLinkStats stats(graph_, {100, 200});
  for (const Cycle sent : {96, 98, 150, 197, 199, 200}) {  // 1 of 5, 3, 5, 3, 1 and none
    stats.on_inject(message(5, sent));
    stats.on_hop(0, 1, message(5, sent), sent);
  }
  const Table t = stats.links();
  ASSERT_EQ(t.rows.size(), 2U);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(flits(stats, r), 13);
    EXPECT_DOUBLE_EQ(std::get<double>(t.rows[r][2]), 13);  // % of 100 cycles
  }
  EXPECT_EQ(std::get<std::string>(t.rows[0][0]), "sw[0].port1 -> node 1");
  EXPECT_EQ(std::get<std::string>(t.rows[1][0]), "node 0 -> sw[0]");
  EXPECT_EQ(stats.flit_hops(), 30U);
  EXPECT_EQ(stats.message_hops(), 6U);
}

TEST_F(PacketLinkStatsTest, AWindowCanBeginAnewAndEndLater) {
  PacketLinkStats stats(graph_, {0, Window::kOpen});
  const auto pass = [&](Cycle from, Cycle to) {
    for (Cycle c = from; c < to; ++c) stats.on_hop(0, 1, message(3, c), c);
  };
  pass(0, 50);
  stats.measure_from(100);
  pass(50, 400);
  stats.measure_until(500);
  pass(400, 600);
  stats.close(700);
  EXPECT_EQ(flits(stats, 0), 1200);  // 3 flits of 400 messages; the edges give as much as they take
}

// Two switches in a row; links take three cycles.
TEST(PacketOccupancy, FlitsAreInASwitchFromTheEndOfALinkToTheNext) {
  Graph graph("row");
  for (int s = 0; s < 2; ++s) {
    const SwitchId sw = graph.add_switch(2);
    graph.attach_node({sw, 0});
  }
  graph.connect({0, 1}, {1, 1});
  const auto occupancy = [&](Window window, bool again) {
    PacketLinkStats stats(graph, again ? Window{0, Window::kOpen} : window);
    stats.count_buffers(PacketLinks(graph, 3, {}));
    // 4 flits leave their node in cycle 100, switch 0 in cycle 110 and switch 1 in cycle 150: in switch 0 from cycle
    // 103, in switch 1 from cycle 113 on.
    PacketMessage m;
    m.source = 0;
    m.destination = 1;
    m.flits = 4;
    m.set_sent(100);
    stats.on_inject(m);
    stats.on_hop(0, 1, m, 110);
    if (again) {
      stats.measure_from(window.first);
      stats.measure_until(window.last);
    }
    stats.on_hop(1, 0, m, 150);
    stats.close(window.last);
    std::vector<double> out = stats.occupancy();
    for (double& v : out) v *= static_cast<double>(window.length());
    return out;
  };
  EXPECT_EQ(occupancy({0, 1000}, false), (std::vector<double>{4 * 7, 4 * 37}));
  EXPECT_EQ(occupancy({105, 140}, false), (std::vector<double>{5 + 6 + 7 + 7, 27 + 26 + 25 + 24}));
  EXPECT_EQ(occupancy({120, 200}, true), (std::vector<double>{0, 30 + 31 + 32 + 33}));
}

// Random messages through both switches, against counting tick by tick; adapters make one link longer. Some messages
// are on their way when the window begins or ends, and the measurement begins anew in half of the runs.
TEST(PacketOccupancy, IsWhatCountingGives) {
  Graph graph("row");
  for (int s = 0; s < 2; ++s) {
    const SwitchId sw = graph.add_switch(2);
    graph.attach_node({sw, 0});
  }
  graph.connect({0, 1}, {1, 1});
  std::vector<Cycle> adapters(graph.link_count());
  adapters[graph.out_link(0, 1)] = 40;
  const PacketLinks links(graph, 3, adapters);
  RandomStream random(1, "occupancy");
  for (int run = 0; run < 50; ++run) {
    const bool again = run % 2 == 1;
    const Window window{200 + static_cast<Cycle>(random.below(100)), 500 + static_cast<Cycle>(random.below(200))};
    PacketLinkStats stats(graph, again ? Window{0, Window::kOpen} : window);
    stats.count_buffers(links);
    std::vector<std::int64_t> held(2);  // in the window
    const auto pass = [&](Cycle from, Cycle until) {
      for (Cycle at = from; at + 200 < until; at += 1 + static_cast<Cycle>(random.below(20))) {
        const auto flits = static_cast<std::uint32_t>(1 + random.below(30));
        const Cycle first = at + 3 + static_cast<Cycle>(random.below(40));
        const Cycle second = first + 43 + static_cast<Cycle>(random.below(40));
        PacketMessage m;
        m.source = 0;
        m.destination = 1;
        m.flits = flits;
        m.set_sent(at);
        stats.on_inject(m);
        stats.on_hop(0, 1, m, first);
        stats.on_hop(1, 0, m, second);
        for (std::uint32_t f = 0; f < flits; ++f) {
          held[0] += window.overlap(at + 3 + f, first + f);
          held[1] += window.overlap(first + 43 + f, second + f);
        }
      }
    };
    if (again) {  // nothing is told of what lies behind the begin of a window
      pass(0, window.first);
      stats.measure_from(window.first);
      stats.measure_until(window.last);
    } else {
      pass(0, window.first + 200);
    }
    pass(window.first, 1000);
    stats.close(2000);
    const auto cycles = static_cast<double>(window.length());
    EXPECT_EQ(stats.occupancy(),
              (std::vector<double>{static_cast<double>(held[0]) / cycles, static_cast<double>(held[1]) / cycles}))
        << "run " << run;
  }
}

}  // namespace
}  // namespace weft
