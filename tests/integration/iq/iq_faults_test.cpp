// Input-queued networks whose links fail, and whose credits are audited: by hand, on trees and tori, and with credits
// that a test takes away. That single packets are lost and delivered in the right cycle: iq_oracle_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabrics/packet/iq/iq_network.h"
#include "schema/document.h"
#include "support/fault_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Overrides iq(Overrides more = {}) {
  more.insert(more.end(), {"switch.architecture=iq", "switch.iq.buffer=4KiB"});
  return more;
}

// The packet of one_message() (ten flits over links of ten cycles): by docs/iq_router.md its head reaches router 0 in
// cycle 10, asks for a VC in 11, wins the switch in 12 and is on the link in 14; it reaches router 1 in cycle 24, wins
// its switch in 26 and arrives in 38, its tail in 47. Over the first link its tail arrives in 19, over the one between
// the routers in 33.
TEST(IqFaults, APacketIsLostFromItsGrantUntilItsTailHasArrived) {
  for (int down = 1; down <= 50; ++down) {
    for (const std::string place : {"nic[0]", "sw[0].port1", "sw[1].port2", "sw[1]"}) {
      const std::string faults = fmt::format("[ {{ at: '{}', down: {}cycles }} ]", place, down);
      const PacketOutcome r = one_message(faults, iq({"routing.no_way=wait"}));
      ASSERT_EQ(r.error + r.failure, "") << place << " " << down;
      const bool cut = place == "nic[0]" ? down <= 19 : down >= 13 && down <= (place == "sw[1]" ? 47 : 33);
      const bool stalled = place == "nic[0]" ? false : down <= (place == "sw[1]" ? 26 : 12);
      EXPECT_EQ(fault(r, "cut"), cut ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(r, "stalled"), stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(r, "lost"), cut && !stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(r.figure("delivered"), !cut && !stalled ? 1 : 0) << place << " " << down;
      // Without waiting what stalled is lost, too.
      const PacketOutcome d = one_message(faults, iq());
      EXPECT_EQ(fault(d, "lost"), cut || stalled ? 1 : 0) << place << " " << down;
      EXPECT_EQ(fault(d, "stalled"), 0);
      EXPECT_EQ(d.report["figures"]["run"]["conserved"]["value"], "yes") << place << " " << down;
      expect_conserved(d);
    }
  }
}

TEST(IqFaults, WhatWaitsGoesOnWhenTheLinkIsBack) {
  for (const int up : {12, 50, 300}) {
    const PacketOutcome r = one_message(fmt::format("[ {{ at: 'sw[0].port1', down: 5cycles, up: {}cycles }} ]", up),
                                        iq({"routing.no_way=wait"}));
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
    // It gets its VC when the link is back instead of in cycle 11.
    EXPECT_NEAR(r.cell("services", 0, "latency_max").get<double>(), (47 + up - 11) * 5.12, 1e-6);
  }
  const PacketOutcome nic = one_message("[ { at: 'nic[0]', down: 0cycles, up: 100cycles } ]", iq());
  ASSERT_EQ(nic.error + nic.failure, "");
  EXPECT_NEAR(nic.cell("services", 0, "latency_max").get<double>(), (100 + 47) * 5.12, 1e-6);
}

// A worm of 100 flits through buffers of 4: it has been cut while its head is at its destination and its tail in its
// source, and all that was behind it moves on.
TEST(IqFaults, AWormThatIsCutGivesEverythingBack) {
  const ScratchFolder folder;
  const std::string trace =
      folder.write("t.csv", "time_ns,source,destination,level\n0,0,3,long\n5,0,3,short\n600,0,3,short\n");
  const PacketOutcome r = run_packet_yaml(
      "fabric: packet\ntopology: { kind: mesh, dims: [4] }\nswitch: { architecture: iq, iq: { vcs: 1, buffer: 256B } "
      "}\n"
      "qos: { levels: { long: { message: 6400B }, short: { message: 64B } } }\nrun: { warm_up: 0ns, measure: 3us }\n"
      "faults: [ { at: 'sw[1]-sw[2]', down: 60cycles, up: 70cycles } ]\ntrace: " +
      trace + "\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
  EXPECT_EQ(r.cell("faults", 0, "cut_messages"), 1);
  EXPECT_EQ(r.cell("faults", 0, "cut_flits"), 100);
  EXPECT_EQ(r.figure("delivered"), 2);
  expect_conserved(r);
}

// A head is on the link two cycles after it has won the switch.
TEST(IqFaults, TreesGoRoundWhatIsDown) { expect_detours(iq(), 2); }

// Takes credits away from a sender in one cycle.
class CreditThief final : public Agent {
 public:
  CreditThief(Cycle at, std::function<void(IqNetwork&)> take) : at_(at), take_(std::move(take)) {}
  void attach(IqNetwork& network) {
    network_ = &network;
    network.domain().schedule(at_, Phase::prepare, *this, 0);
  }
  void due(Cycle, std::uint32_t) override { take_(*network_); }

 private:
  Cycle at_;
  std::function<void(IqNetwork&)> take_;
  IqNetwork* network_ = nullptr;
};

const std::string kChain =
    "fabric: packet\ntopology: { kind: mesh, dims: [3] }\nswitch: { architecture: iq, iq: { vcs: 2 } }\n"
    "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n"
    "traffic:\n  - { level: a, load: 0.3 }\n  - { level: b, load: 0.1 }\n"
    "run: { warm_up: 5us, measure: 50us, drain: 20us }\n";

PacketOutcome with_thief(const std::string& yaml, const Overrides& set, Cycle at,
                         std::function<void(IqNetwork&)> take) {
  CreditThief thief(at, std::move(take));
  return run_packet_yaml(yaml, set, [&](PacketRunOptions& o) {
    o.prepare = [&](sc_core::sc_module& n) { thief.attach(dynamic_cast<IqNetwork&>(n)); };
  });
}

TEST(IqWatchdog, LostCreditsAreCaughtWithPortAndVc) {
  const PacketOutcome some = with_thief(kChain, {}, 3000, [](IqNetwork& n) { n.model(0).lose_credits(1, 1, 1); });
  EXPECT_THAT(some.failure,
              AllOf(HasSubstr("credits or space are not conserved, seen in cycle "),
                    HasSubstr("packet.router[0] output 1 VC 1: 1 credits are lost, neither at the sender nor "
                              "with a flit nor on their way back; ")))
      << some.error;
  EXPECT_FALSE(some.report["complete"].get<bool>());
  const PacketOutcome nic = with_thief(kChain, {}, 3000, [](IqNetwork& n) {
    for (std::uint32_t v = 0; v < 2; ++v) n.nic(2).lose_credits(v, n.nic(2).credits_here(v, n.domain().now()));
  });
  EXPECT_THAT(nic.failure,
              AllOf(HasSubstr("packet.nic[2] VC 0: "), HasSubstr(" credits are lost"), HasSubstr("oldest: ")))
      << nic.error;
}

TEST(IqWatchdog, CreditsFromNowhereAreCaughtToo) {
  const PacketOutcome one = with_thief(kChain, {"switch.iq.buffer=4KiB"}, 3000,
                                       [](IqNetwork& n) { n.model(2).take_credit(2, 1, n.domain().now()); });
  EXPECT_THAT(one.failure,
              HasSubstr("packet.router[2] output 2 VC 1: 1 credits more than the buffer behind the link has places"));
}

TEST(IqWatchdog, WhoWaitsForALinkThatIsDownIsNamed) {
  const PacketOutcome r =
      with_thief(kChain + "faults: [ { at: 'sw[0]-sw[1]', down: 2000cycles } ]\n", {"routing.no_way=wait"}, 3000,
                 [](IqNetwork& n) { n.model(2).lose_credits(0, 1, 1); });
  EXPECT_THAT(r.failure, AllOf(HasSubstr("packet.router[2] output 0 VC 1: 1 credits are lost"),
                               HasSubstr("; waits for a VC of output 1, whose link is down")));
}

// When all credits of a port are gone nothing moves there: without the audit the end of the run names who waits.
TEST(IqWatchdog, BlockedPortsAreNamed) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,1,a\n");
  const PacketOutcome r = with_thief(
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nswitch: { architecture: iq, iq: { vcs: 1 } }\n"
      "qos: { levels: { a: { message: 640B } } }\nrun: { warm_up: 0ns, measure: 100ns }\ntrace: " +
          trace + "\n",
      {}, 0, [](IqNetwork& n) { n.model(0).lose_credits(1, 0, 8); });
  EXPECT_THAT(
      r.failure,
      AllOf(HasSubstr("packet.router[0] output 1 VC 0: 8 credits are lost"),
            HasSubstr("a packet of 10 flits in input 0 VC 0 waits with 0 credits"),
            HasSubstr("packet.router[0] input 0 VC 0: message of SL 0, 0 -> 1, 10 flits; for output 1 with 0 credits"),
            HasSubstr("oldest: message of SL 0, 0 -> 1, 10 flits, generated in cycle 0, at ")));
}

}  // namespace
}  // namespace weft::test
