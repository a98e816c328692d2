// Endpoints of fabrics whose links fail: each transfer ends once, and its client is told how.

#include <gtest/gtest.h>

#include "integration/endpoints/endpoint_bench.h"
#include "support/child.h"

namespace weft::test {
namespace {

using namespace endpoints;

// A link fails for some time: each transfer arrives or is lost, once, and its client is told which. Trees go round it,
// but what is on its wire is cut there as well; circuits that come and go are set up again, so nothing is lost.
TEST(EndpointFaults, TransfersArriveOrAreLost) {
  const std::vector<FabricCase> all = cases();
  for (const auto& [name, place, loses] : {std::tuple{"ib", "sw[0].port1", true},
                                           {"opa", "sw[0].port1", true},
                                           {"iq", "sw[0].port1", true},
                                           {"ib_torus", "sw[0].port1", true},
                                           {"ib_tree", "sw[0].port2", true},
                                           {"tdm_in_network", "sw[0].port1", false},
                                           {"tdm_in_network_adapter", "sw[0].port1", false}}) {
    SCOPED_TRACE(name);
    const auto fabric =
        std::find_if(all.begin(), all.end(), [&name = name](const FabricCase& c) { return c.name == name; });
    ASSERT_NE(fabric, all.end());
    const std::string faults = fmt::format("faults: [ {{ at: '{}', down: 500cycles, up: 4000cycles }} ]\n", place);
    const ChildResult child = in_child([&, nodes = fabric->nodes]() -> std::string {
      constexpr std::size_t kCount = 2000;
      Bench s(fabric->network + faults);
      const std::vector<Planned> plan = random_plan(s, 5, kCount, nodes);
      Sender sender(s.fabric(), plan);
      s.run();
      std::vector<int> ends(kCount);
      std::uint64_t lost = 0;
      for (std::size_t c = 0; c < 2; ++c) {
        for (const Told& t : s.recorders[c]->told) {
          if (plan.at(t.tag).client != c) return "told to the other client";
          if (t.what == 'l') continue;
          if (t.node != plan[t.tag].transfer.to) return "another node";
          ++ends[t.tag];
          lost += t.what == 'x' ? 1 : 0;
        }
      }
      if (std::count(ends.begin(), ends.end(), 1) != kCount) return "not every transfer has ended once";
      if (s.counter.lost != lost || s.counter.arrived + lost != kCount) return "records and clients do not agree";
      return lost > 0 ? "lost" : "";
    });
    ASSERT_TRUE(child.ok) << child.text;
    EXPECT_EQ(child.text, loses ? "lost" : "");
  }
}

}  // namespace
}  // namespace weft::test
