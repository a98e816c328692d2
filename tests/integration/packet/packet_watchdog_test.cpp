// Invariants of every run, and reports of their violation: credits that get lost, deadlocks, and the accounting
// at the end. Faults are put in by the tests; what a report of a stall says is held against an observer that keeps its
// own list.

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "base/diagnostics.h"
#include "fabrics/packet/packet_network.h"
#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Takes credits away from a sender in one cycle.
class CreditThief final : public Agent {
 public:
  CreditThief(Cycle at, std::function<EgressPort&(PacketNetwork&)> where, VirtualLane lane, std::int32_t flits)
      : at_(at), where_(std::move(where)), lane_(lane), flits_(flits) {}
  void attach(PacketNetwork& network) {
    network_ = &network;
    network.domain().schedule(at_, Phase::prepare, *this, 0);
  }
  void due(Cycle, std::uint32_t) override {
    SharedBuffer& credits = where_(*network_).credits();
    credits.take(lane_, static_cast<std::uint32_t>(flits_ == 0 ? credits.room(lane_) : flits_));
  }

 private:
  Cycle at_;
  std::function<EgressPort&(PacketNetwork&)> where_;
  VirtualLane lane_;
  std::int32_t flits_;
  PacketNetwork* network_ = nullptr;
};

const std::string kStalledChain =
    "fabric: packet\ntopology: { kind: mesh, dims: [3] }\n"
    "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n"
    "traffic:\n  - { level: a, load: 0.3 }\n  - { level: b, load: 0.1 }\n"
    "run: { warm_up: 5us, measure: 50us, drain: 20us }\n";

PacketOutcome with_thief(const std::string& yaml, const Overrides& set, CreditThief& thief) {
  return run_packet_yaml(yaml, set, [&](PacketRunOptions& o) {
    o.prepare = [&](sc_core::sc_module& n) { thief.attach(dynamic_cast<PacketNetwork&>(n)); };
  });
}

TEST(PacketWatchdog, LostCreditsAreCaughtWithPortCreditsAndOldestMessage) {
  for (const char* architecture : {"ib", "opa"}) {
    // Port 1 of a switch of a chain leads up.
    CreditThief some(
        3000, [](PacketNetwork& n) -> EgressPort& { return *n.sw(0).egress(1); }, 1, 7);
    const PacketOutcome r = with_thief(kStalledChain, {std::string("switch.architecture=") + architecture}, some);
    EXPECT_THAT(r.failure, AllOf(HasSubstr("credits or space are not conserved, seen in cycle "),
                                 HasSubstr("packet.sw[0] output 1 VL 1: 7 credits are lost")))
        << r.error;
    EXPECT_FALSE(r.report["complete"].get<bool>());
    CreditThief all(
        3000, [](PacketNetwork& n) -> EgressPort& { return n.nic(2).egress(); }, 0, 0);
    const PacketOutcome stuck = with_thief(kStalledChain, {std::string("switch.architecture=") + architecture}, all);
    EXPECT_THAT(stuck.failure, AllOf(HasSubstr("packet.nic[2] VL 0: "), HasSubstr(" credits are lost"),
                                     HasSubstr("a message of 10 flits waits there with credits for "),
                                     HasSubstr("oldest: message of SL 0, 2 -> ")))
        << stuck.error;
  }
}

TEST(PacketWatchdog, CreditsFromNowhereAreCaughtToo) {
  CreditThief gift(
      3000, [](PacketNetwork& n) -> EgressPort& { return *n.sw(2).egress(2); }, 0, -3);
  EXPECT_THAT(with_thief(kStalledChain, {}, gift).failure,
              HasSubstr("packet.sw[2] output 2 VL 0: 3 credits more than the buffer behind the link has space"));
}

// Accounting alone finds what no watchdog has seen: credits that get lost when everything has arrived.
TEST(PacketWatchdog, TheEndOfARunFindsWhatIsLeftOver) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,1,a\n");
  const std::string yaml = two_nics("warm_up: 0ns, measure: 100ns", trace);
  CreditThief thief(
      1075, [](PacketNetwork& n) -> EgressPort& { return *n.sw(1).egress(0); }, 0, 1);
  EXPECT_THAT(with_thief(yaml, {}, thief).failure,
              HasSubstr("1 of credits of packet.sw[1] output 0 not back although nothing is under way"));
  CreditThief again(
      1075, [](PacketNetwork& n) -> EgressPort& { return *n.sw(1).egress(0); }, 0, 1);
  EXPECT_EQ(with_thief(yaml, {"run.settle=false"}, again).failure, "");
}

// Keeps its own list of what is under way.
class Oldest final : public PacketObserver {
 public:
  void on_generate(const PacketMessage& m) override { open.emplace(m.sequence, m.generated); }
  void on_deliver(const PacketMessage& m, Cycle) override { open.erase(m.sequence); }
  std::string text() const {
    Cycle oldest = std::numeric_limits<Cycle>::max();
    for (const auto& [sequence, generated] : open) oldest = std::min(oldest, generated);
    return fmt::format("generated in cycle {},", oldest);
  }
  std::map<std::uint32_t, Cycle> open;
};

const std::string kStalledRing =
    "fabric: packet\ntopology: { kind: torus, dims: [5], nodes_per_switch: 2 }\n"
    "routing: { ring: none, deadlock_check: false }\n"
    "switch: { input_buffer: 1280B, output_buffer: 1280B }\n"
    "qos: { levels: { a: { message: 640B } } }\n"
    "traffic: [ { level: a, load: 1, destinations: pattern, pattern: tornado } ]\n"
    "run: { warm_up: 0ns, measure: 400us, drain: 100us }\n";

TEST(PacketWatchdog, ADeadlockEndsTheRunWithTheWaitingPorts) {
  for (const char* architecture : {"ib", "opa"}) {
    const Overrides set{std::string("switch.architecture=") + architecture};
    Oldest oldest;
    const PacketOutcome r = run_packet_yaml(
        kStalledRing, set, [&](PacketRunOptions& o) { o.observers.push_back(&oldest); }, [&] { return oldest.text(); });
    ASSERT_EQ(r.error, "");
    EXPECT_THAT(r.failure, AllOf(HasSubstr("nothing has moved since cycle "), HasSubstr("packet.sw[0] output "),
                                 HasSubstr("message of SL 0, "), HasSubstr("credits for 0 flits"), HasSubstr("and "),
                                 HasSubstr("oldest: message of SL 0, "), HasSubstr(r.noted)));
    EXPECT_LT(r.figure("cycles"), 500'000 / 5.12);
    // The remedies keep the same ring going.
    Overrides bubble = set;
    bubble.insert(bubble.end(), {"routing.ring=bubble", "switch.output_buffer=1920B"});
    EXPECT_EQ(run_packet_yaml(kStalledRing, bubble).failure, "");
    Overrides dateline = set;
    dateline.insert(dateline.end(),
                    {"routing.ring=dateline", "switch.output_buffer=2560B", "switch.input_buffer=2560B"});
    EXPECT_EQ(run_packet_yaml(kStalledRing, dateline).failure, "");
  }
}

// As long as anything moves somewhere there is no stall; but at the end of the run everything has to arrive.
TEST(PacketWatchdog, ADeadlockInAPartOfTheNetworkIsFoundAtTheEnd) {
  const ScratchFolder folder;
  std::string lines = "time_ns,source,destination,level\n";
  for (int t = 0; t < 6000; ++t) lines += fmt::format("{},0,1,b\n", 100 * t);
  const std::string trace = folder.write("t.csv", lines);
  const PacketOutcome r = run_packet_yaml(kStalledRing + "trace: " + trace + "\n",
                                          {"qos.levels={a: {message: 640B}, b: {message: 64B}}",
                                           "switch.output_buffer=1536B", "switch.input_buffer=1536B"});
  ASSERT_EQ(r.error, "");
  EXPECT_THAT(r.failure, HasSubstr("nothing has moved since cycle "));
  EXPECT_GT(r.figure("cycles"), 500'000 / 5.12);
}

// A message that is generated just before a look of the watchdog, after a long time without any.
TEST(PacketWatchdog, AnIdleNetworkIsNotAStall) {
  const ScratchFolder folder;
  std::string lines = "time_ns,source,destination,level\n";
  for (int c = 30'000; c < 32'500; ++c) lines += fmt::format("{},0,1,a\n", c * 5.12);
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\n"
      "link: { delay: 300cycles }\nrun: { warm_up: 0ns, measure: 200us }\ntrace: ";
  EXPECT_EQ(run_packet_yaml(yaml + folder.write("t.csv", lines) + "\n").failure, "");
}

// Sixteen messages of 1,600 flits wait, and every step covers one flit of one of them: 25,600 cycles without a grant.
TEST(PacketWatchdog, LongWorkOfASchedulerIsNotAStall) {
  const ScratchFolder folder;
  std::string levels, table, lines = "time_ns,source,destination,level\n";
  for (int l = 0; l < 16; ++l) {
    const int lane = l < 15 ? l : 16;
    levels += fmt::format("    l{}: {{ message: 100KiB, quantum: 1, lanes: [{}] }}\n", l, lane);
    table += fmt::format("{}{{ sl: l{}, weight: 1 }}", l == 0 ? "" : ", ", l);
    lines += fmt::format("0,0,1,l{}\n", l);
  }
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos:\n  levels:\n" + levels +
      "switch: { input_buffer: 4MiB, output_buffer: 4MiB }\nnic: { buffer: 4MiB, input_buffer: 4MiB }\ntrace: " +
      folder.write("t.csv", lines) + "\nrun: { warm_up: 0ns, measure: 1ms, drain: 1ms }\n";
  for (const Overrides& set :
       {Overrides{"qos.scheduler=dtable", "qos.dtable.table=[" + table + "]"}, Overrides{"qos.scheduler=drr"}}) {
    const PacketOutcome r = run_packet_yaml(yaml, set);
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.figure("delivered"), 16);
    EXPECT_GT(r.cell("services", 0, "queueing_max").get<double>(), 14'000 * 5.12);
  }
}

class AccountingObserver final : public PacketObserver {
 public:
  void on_generate(const PacketMessage& m) override { generated.insert(m.sequence); }
  void on_inject(const PacketMessage& m) override { entered.insert(m.sequence); }
  void on_deliver(const PacketMessage& m, Cycle) override { ++delivered[m.sequence]; }
  std::string text() const {
    for (const auto& [sequence, times] : delivered) {
      if (times != 1) return "delivered more than once";
    }
    if (delivered.size() != entered.size()) return "not everything that entered was delivered";
    return fmt::format("{} {}", generated.size(), delivered.size());
  }
  std::set<std::uint32_t> generated, entered;
  std::map<std::uint32_t, int> delivered;
};

// Much more than the network takes: at the end what had not entered is withdrawn, the rest arrives.
TEST(PacketWatchdog, EverythingThatEnteredArrivesAtTheEnd) {
  for (const char* architecture : {"ib", "opa", "iq"}) {
    AccountingObserver accounting;
    const PacketOutcome r = run_packet_yaml(
        "fabric: packet\ntopology: { kind: mesh, dims: [3, 3] }\n"
        "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n"
        "traffic:\n  - { level: a, load: 0.8 }\n  - { level: b, load: 0.4, source: bursts }\n"
        "run: { warm_up: 1us, measure: 60us, drain: 1us }\nnic: { buffer: 4KiB }\n",
        {std::string("switch.architecture=") + architecture},
        [&](PacketRunOptions& o) { o.observers.push_back(&accounting); }, [&] { return accounting.text(); });
    ASSERT_EQ(r.error + r.failure, "") << architecture;
    EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
    EXPECT_GT(r.figure("withdrawn"), 0);
    EXPECT_GT(r.figure("settling"), 0);
    EXPECT_EQ(r.noted, fmt::format("{} {}", r.figure("generated"), r.figure("delivered")));
    EXPECT_EQ(r.figure("generated"), r.figure("delivered") + r.figure("withdrawn"));
    // The measurement ended before.
    EXPECT_GT(r.figure("missing"), 0);
    EXPECT_NEAR(r.figure("drain"), 1000, 6);
  }
}

TEST(PacketWatchdog, AccountingFindsAMessageThatComesBackTwiceOrAsAnother) {
  const PacketObservers nobody;
  MessageAccounting accounting(nobody);
  PacketMessage& a = accounting.make(0, 1, 0, 4, 0);
  PacketMessage& b = accounting.make(0, 1, 0, 4, 0);
  accounting.deliver(a, 5);
  EXPECT_THROW(accounting.deliver(a, 6), RunError);
  accounting.withdraw(b);
  MessageAccounting other(nobody);
  PacketMessage& c = other.make(0, 1, 0, 4, 0);
  c.sequence = 2;
  other.deliver(c, 5);
  EXPECT_EQ(other.outstanding(), 0U);
  EXPECT_THROW(other.check_closed(), RunError);
  MessageAccounting right(nobody);
  right.deliver(right.make(0, 1, 0, 4, 0), 5);
  EXPECT_NO_THROW(right.check_closed());
}

}  // namespace
}  // namespace weft::test
