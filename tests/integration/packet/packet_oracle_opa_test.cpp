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

// Inputs 0, 1, 2 of MPort 0 send to outputs of MPort 1 over one link of 3 flits per cycle. The first is granted in 4;
// two cycles lie between the arrival of its head in the buffer and its start, so it moves 3, 1, 1 ... flits in 5, 6, 7
// ... One message at a time: the others follow when it has ended, in 5 + (flits - 3), and, coming from a full buffer,
// leave in a third of the time. Two: the second starts in 6 with the 2 flits per cycle that are left; 2, 2, 2, 1 ...:
// it has caught up in 9. Three: the third starts then, with the flit per cycle that is left. Messages that begin beside
// others leave the buffer at those rates, so all of them are delivered as many cycles later than the first as they
// start.
TEST(PacketOracleOpa, CentralLinkCarriesSeveralMessages) {
  const auto run = [](std::uint32_t at_once, std::uint32_t messages, std::uint32_t flits) {
    PacketBench bench = one_switch(6);
    bench.opa().mport_ports = 3;
    bench.opa().central_links = 1;
    bench.opa().central_messages = at_once;
    std::vector<OracleMessage> all;
    for (std::uint32_t i = 0; i < messages; ++i) all.push_back({.source = i, .destination = 3 + i, .flits = flits});
    return bench.run(all).delivered;
  };
  for (const std::uint32_t flits : {8U, 32U, 100U}) {
    const Cycle first = 9 + Cycle{flits};             // zero load, with one more crossing
    const Cycle burst = (Cycle{flits} + 2) / 3;       // cycles of a whole message that has come
    const Cycle second = first + (Cycle{flits} - 2);  // one at a time: starts after the last flit of the first
    EXPECT_THAT(run(1, 2, flits), ElementsAre(first, second));
    EXPECT_THAT(run(1, 3, flits), ElementsAre(first, second, second + burst));
    EXPECT_THAT(run(2, 2, flits), ElementsAre(first, first + 1));
    EXPECT_THAT(run(3, 2, flits), ElementsAre(first, first + 1));
    EXPECT_THAT(run(3, 3, flits), ElementsAre(first, first + 1, first + 4));
  }
}

// Inputs 0, 1, 2 of MPort 0 send to outputs 4, 5, 4, starting in 5, 6 and 9 as above; the third message has one flit
// per cycle. In 23 the first has left the link for output 4, so that the third is granted. With 20 flits some are still
// to come, and it leaves as it comes, until 43. With 10 flits all are there; the second message leaves one flit per
// cycle, as it began beside the first, so the third has two, until 28. The last message, of a higher level, is in the
// central buffer from 26 on, granted in 43 or 28 and in the output buffer from 45 or 30 on. There node 5 keeps the link
// busy with messages of two flits: decisions come in 30, 32 and so on.
TEST(PacketOracleOpa, MessagesLeaveTheCentralBufferNoFasterThanTheyCome) {
  for (const std::uint32_t flits : {20U, 10U}) {
    PacketBench bench = one_switch(8, 2);
    bench.opa().mport_ports = 4;
    bench.opa().central_links = 1;
    bench.opa().central_messages = 3;
    std::vector<OracleMessage> all = {{.source = 0, .destination = 4, .level = 1, .flits = 20},
                                      {.source = 1, .destination = 5, .level = 1, .flits = 20},
                                      {.source = 2, .destination = 4, .level = 1, .flits = flits}};
    for (int i = 0; i < 20; ++i) all.push_back({.source = 5, .destination = 4, .level = 1, .flits = 2});
    all.push_back({.generated = 20, .source = 3, .destination = 4, .level = 0, .flits = 2});
    EXPECT_EQ(bench.run(all).delivered.back(), (flits == 20 ? 46 : 30) + 3);
  }
}

// As many messages of one flit in a cycle as the rate says, with as many iterations, or as many as may be at once.
TEST(PacketOracleOpa, CentralLinkCarriesSeveralMessagesInOneCycle) {
  for (const std::uint32_t at_once : {1U, 2U, 3U}) {
    PacketBench bench = one_switch(6);
    bench.parameters.iterations = 3;
    bench.opa().mport_ports = 3;
    bench.opa().central_links = 1;
    bench.opa().central_messages = at_once;
    EXPECT_THAT(bench
                    .run({{.source = 0, .destination = 3, .flits = 1},
                          {.source = 1, .destination = 4, .flits = 1},
                          {.source = 2, .destination = 5, .flits = 1}})
                    .delivered,
                ElementsAre(10, 10, at_once == 2 ? 11 : 10));
  }
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
