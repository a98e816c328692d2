// What ranks of an OPTWEB network tell each other of their transfers and instructions.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/transfer_ledger.h"

namespace weft {
namespace {

std::string instruction_name(NodeId node, std::uint32_t number) {
  return "node " + std::to_string(node) + " instruction " + std::to_string(number);
}

// Two ledgers as one: nodes 0 and 1 here, 2 and 3 there.
struct Ledgers {
  Ledgers() {
    here.divide([](NodeId n) { return n < 2; }, [this](const TransferLedger::Sent& s) { to_there.push_back(s); });
    there.divide([](NodeId n) { return n >= 2; }, [](const TransferLedger::Sent&) { FAIL(); });
  }
  TransferLedger here{4, instruction_name};
  TransferLedger there{4, instruction_name};
  std::vector<TransferLedger::Sent> to_there;
};

TEST(OptwebRanks, ReceiversCompareWhatBothEndsSay) {
  Ledgers l;
  const optweb::Operation operation{};
  l.here.post(0, 5, operation, {{.node = 3, .sends = true, .bytes = 64}});
  EXPECT_TRUE(l.here.unmatched().empty()) << "it is the other rank's affair";
  ASSERT_EQ(l.to_there.size(), 1U);
  l.there.hear(l.to_there.front());
  ASSERT_EQ(l.there.unmatched().size(), 1U);
  EXPECT_EQ(l.there.unmatched().front().pair, 3U);
  EXPECT_NE(l.there.unmatched().front().line.find("node 0 instruction 5: sends 64 bytes"), std::string::npos);
  l.there.post(3, 1, operation, {{.node = 0, .sends = false, .bytes = 64}});
  EXPECT_TRUE(l.there.unmatched().empty());

  l.there.post(2, 1, operation, {{.node = 1, .sends = false, .bytes = 65}});
  l.here.post(1, 0, operation, {{.node = 2, .sends = true, .bytes = 64}});
  EXPECT_THROW(l.there.hear(l.to_there.back()), RunError);
}

OptwebExecution executed(NodeId node, Picoseconds from, Picoseconds to) {
  OptwebExecution e;
  e.node = node;
  e.started = from;
  e.sent = from + 10;
  e.received = to - 5;
  e.completed = to;
  e.bytes_out = e.bytes_in = 100;
  return e;
}

// The same events told to one object, and to the one of each node's rank.
TEST(OptwebRanks, StatisticsOfAllRanksAreThoseOfOne) {
  const std::vector<std::vector<std::uint32_t>> rows{{0}, {0}, {0}};
  OptwebStats one(rows, 1);
  std::vector<OptwebStats> ranks(2, OptwebStats(rows, 1));
  ranks[0].divide([](NodeId n) { return n == 0; });
  ranks[1].divide([](NodeId n) { return n != 0; });
  const OptwebDelivery far{0, 2, 100, 4, 1020, 1060, 1090, true};
  const OptwebDelivery near{1, 2, 100, 4, 1030, 1070, 1095, false};
  for (OptwebStats* s : {&one, &ranks[1]}) {
    s->on_deliver(far);
    s->on_deliver(near);
  }
  ranks[0].on_deliver_elsewhere(far);
  one.on_execute(executed(0, 1000, 1400));
  ranks[0].on_execute(executed(0, 1000, 1400));
  for (OptwebStats* s : {&one, &ranks[1]}) {
    s->on_execute(executed(1, 900, 1300));
    s->on_execute(executed(2, 1010, 1500));
    s->on_host({0, 2, 100, 1600});
  }
  const std::vector<std::string> all{ranks[0].numbers(), ranks[1].numbers()};
  for (OptwebStats& s : ranks) {
    s.collect(all);
    EXPECT_EQ(s.numbers(), one.numbers());
    EXPECT_EQ(s.slowest(), 2U);
    EXPECT_TRUE(s.rows().front().complete());
    EXPECT_EQ(s.transfers(false).latency.messages(), 2U);
    EXPECT_EQ(s.buffered(), 1U);
  }
}

}  // namespace
}  // namespace weft
