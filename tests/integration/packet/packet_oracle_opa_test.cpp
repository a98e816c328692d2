// MPorts and central buffers of the flit-by-flit reference of packet switches, against cycles computed by hand from
// docs/packet_switches.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/packet_bench.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;

// Both messages cross to port 2 through their own central buffers. Granted in 4; at 3 flits per cycle all move in 5 and
// are in the central buffers in 6, where central input 0 (link 0 of MPort 0) is granted. It moves in 7, so the other is
// granted in 7. At 1 flit per cycle the first moves in 7, 8, 9 and the second is granted in 9. OB decides in 8 and 11.
TEST(PacketOracleOpa, SecondAllocation) {
  for (const std::uint32_t rate : {1U, 3U}) {
    PacketBench bench = one_switch(3);
    bench.opa().mport_ports = 1;
    bench.opa().central_rate = rate;
    const std::vector<OracleMessage> both = {{.source = 1, .destination = 2, .flits = 3},
                                             {.source = 0, .destination = 2, .flits = 3}};
    EXPECT_THAT(bench.run(both).delivered, ElementsAre(15, 12));
    const std::vector<OracleMessage> later = {both[1],
                                              {.generated = 100, .source = 0, .destination = 2, .flits = 3},
                                              {.generated = 100, .source = 1, .destination = 2, .flits = 3}};
    // The input of node 0 uses link 1 now, where the pointer of the output is.
    EXPECT_THAT(bench.run(later).delivered, ElementsAre(12, 112, 115));
    // With one link, the pointer of the output has passed it.
    bench.opa().central_links = 1;
    EXPECT_THAT(bench.run(later).delivered, ElementsAre(12, 115, 112));
  }
}

TEST(PacketOracleOpa, CentralLinksAreShared) {
  const auto run = [](std::uint32_t links, std::uint32_t central) {
    PacketBench bench = one_switch(4);
    bench.opa().mport_ports = 2;
    bench.opa().central_links = links;
    bench.opa().central_rate = 1;
    bench.opa().central = shared_by_all(central, 1);
    return bench.run({{.source = 0, .destination = 2, .flits = 3}, {.source = 1, .destination = 3, .flits = 3}})
        .delivered;
  };
  EXPECT_THAT(run(1, 6), ElementsAre(12, 15));  // granted in 4 and 7, through the central crossbar in 7 and 10
  EXPECT_THAT(run(2, 6), ElementsAre(12, 13));  // both request link 0 in 4; the loser takes link 1 in 5
  // Room for one message: places come back in 7, 8, 9, so the second is granted in 9.
  EXPECT_THAT(run(2, 3), ElementsAre(12, 17));
}

// Inputs 1 and 2 request link 1, their pointers having passed link 0. In 104 link 0 is granted to input 0, which leaves
// room for one flit: link 1 passes input 1 over. All of it leaves the central buffer in 107, when input 1 is granted.
TEST(PacketOracleOpa, CentralLinkGrantsTheNextWhenRoomIsGone) {
  PacketBench bench = one_switch(6);
  bench.opa().mport_ports = 3;
  bench.opa().central = shared_by_all(4, 1);
  EXPECT_THAT(bench
                  .run({{.generated = 0, .source = 1, .destination = 3, .flits = 1},
                        {.generated = 50, .source = 2, .destination = 3, .flits = 1},
                        {.generated = 100, .source = 0, .destination = 3, .flits = 3},
                        {.generated = 100, .source = 1, .destination = 4, .flits = 3},
                        {.generated = 100, .source = 2, .destination = 5, .flits = 1}})
                  .delivered,
              ElementsAre(10, 60, 112, 115, 110));
}

// The pointer of the central link has passed input 0.
TEST(PacketOracleOpa, CentralLinkGrantsInTurn) {
  PacketBench bench = one_switch(4);
  bench.opa().mport_ports = 2;
  bench.opa().central_links = 1;
  bench.opa().central_rate = 1;
  EXPECT_THAT(bench
                  .run({{.generated = 0, .source = 0, .destination = 2, .flits = 3},
                        {.generated = 100, .source = 0, .destination = 2, .flits = 3},
                        {.generated = 100, .source = 1, .destination = 3, .flits = 3}})
                  .delivered,
              ElementsAre(12, 115, 112));
}

// The output buffer has room for one message. In cycle 4 the turn begins with MPort 4 mod 3 = 1, in cycle 6 with MPort
// 0. OB decides in 8 and puts the flits on the link in 9, 10, 11: the loser is granted 7 cycles after the winner.
TEST(PacketOracleOpa, MportsBeginInTurn) {
  for (const Cycle generated : {0, 2}) {
    PacketBench bench = one_switch(3);
    bench.opa().mport_ports = 1;
    bench.parameters.output = shared_by_all(3, 1);
    const std::vector<Cycle> delivered = bench
                                             .run({{.generated = generated, .source = 0, .destination = 2, .flits = 3},
                                                   {.generated = generated, .source = 1, .destination = 2, .flits = 3}})
                                             .delivered;
    EXPECT_EQ(delivered, (generated == 0 ? std::vector<Cycle>{19, 12} : std::vector<Cycle>{14, 21}));
  }
}

}  // namespace
}  // namespace weft::test
