// Exceptions to the tables SL2VL, SL2SC and SC2VL: on which lane a message goes over every link, which configurations
// are refused, and what the check for deadlocks makes of the lanes that are really taken.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schema/document.h"
#include "support/packet_runs.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What level 0 is on where: "nic[1]: 0" or "sw[2].port1: 3/5" (VL, and SC for opa).
class Lanes final : public PacketObserver {
 public:
  explicit Lanes(bool channels) : channels_(channels) {}
  bool wants_hops() const override { return true; }
  void on_inject(const PacketMessage& m) override { note(fmt::format("nic[{}]", m.source), m); }
  void on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle) override {
    note(fmt::format("sw[{}].port{}", sw, out), m);
  }
  std::string text() const {
    std::string out;
    for (const std::string& line : seen_) out += line + "; ";
    return out;
  }

 private:
  void note(const std::string& where, const PacketMessage& m) {
    if (m.level != 0) return;
    seen_.insert(where + fmt::format(": {}", m.lane) + (channels_ ? fmt::format("/{}", m.channel) : ""));
  }
  bool channels_;
  std::set<std::string> seen_;
};

// Three switches in a row, one NIC each (port 0), port 1 up, port 2 down; everybody sends to everybody.
const std::string kChain =
    "fabric: packet\ntopology: { kind: mesh, dims: [3] }\n"
    "qos:\n  levels: { a: { message: 128B }, b: { message: 64B } }\n"
    "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.2 } ]\n"
    "run: { warm_up: 0ns, measure: 20us, drain: 20us }\n";

std::string lanes_of_run(const std::string& yaml, const Overrides& set, bool channels = false) {
  Lanes lanes(channels);
  const PacketOutcome r = run_packet_yaml(
      yaml, set, [&](PacketRunOptions& o) { o.observers.push_back(&lanes); }, [&] { return lanes.text(); });
  EXPECT_EQ(r.error + r.failure, "");
  return r.noted;
}

TEST(LaneTablesTest, SlToVlByInputAndOutputPort) {
  EXPECT_EQ(lanes_of_run(kChain, {}),
            "nic[0]: 0; nic[1]: 0; nic[2]: 0; sw[0].port0: 0; sw[0].port1: 0; sw[1].port0: 0; sw[1].port1: 0; "
            "sw[1].port2: 0; sw[2].port0: 0; sw[2].port2: 0; ");
  EXPECT_EQ(lanes_of_run(kChain, {"qos.lane_maps=[{ at: 'nic[0..1]', lanes: { a: [3] } }, { at: 'nic[1]', lanes: { "
                                  "a: [4] } }, { at: 'sw[0..2].port0', lanes: { a: [2], b: [0] } }, { at: 'sw[1]', "
                                  "input: 1, lanes: { a: [5] } }]"}),
            "nic[0]: 3; nic[1]: 4; nic[2]: 0; sw[0].port0: 2; sw[0].port1: 0; sw[1].port0: 2; sw[1].port0: 5; "
            "sw[1].port1: 0; sw[1].port2: 0; sw[1].port2: 5; sw[2].port0: 2; sw[2].port2: 0; ");
}

TEST(LaneTablesTest, ChannelsBeginAtTheNicStayAndChangeWhereATableSaysSo) {
  const Overrides opa{"switch.architecture=opa"};
  const auto with = [&](const std::string& maps) {
    Overrides set = opa;
    set.push_back("qos.lane_maps=" + maps);
    return lanes_of_run(kChain, set, true);
  };
  // NIC 2 sends on SC 6, the others on SC 0; SC 6 has VL 6 unless a table says otherwise.
  EXPECT_EQ(with("[{ at: 'nic[2]', channels: { a: [6] } }]"),
            "nic[0]: 0/0; nic[1]: 0/0; nic[2]: 6/6; sw[0].port0: 0/0; sw[0].port0: 6/6; sw[0].port1: 0/0; "
            "sw[1].port0: 0/0; sw[1].port0: 6/6; sw[1].port1: 0/0; sw[1].port2: 0/0; sw[1].port2: 6/6; "
            "sw[2].port0: 0/0; sw[2].port2: 6/6; ");
  EXPECT_EQ(with("[{ at: 'nic[2]', channels: { a: [6] } }, { at: 'sw[1]', input: 1, channels: { a: [7] } }, { at: "
                 "'sw[0]', channel_lanes: { 7: 3, 0: 4 } }]"),
            "nic[0]: 0/0; nic[1]: 0/0; nic[2]: 6/6; sw[0].port0: 3/7; sw[0].port0: 4/0; sw[0].port1: 4/0; "
            "sw[1].port0: 0/0; sw[1].port0: 7/7; sw[1].port1: 0/0; sw[1].port2: 0/0; sw[1].port2: 7/7; "
            "sw[2].port0: 0/0; sw[2].port2: 6/6; ");
}

TEST(LaneTablesTest, WrongTablesAreRefused) {
  const auto errors = [](const std::string& map, Overrides set = {}) {
    set.push_back("qos.lane_maps=[" + map + "]");
    return packet_platform_errors(kChain, set);
  };
  const Overrides opa{"switch.architecture=opa"};
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { a: [4] } }", {"qos.lanes=4"}),
              ElementsAre(HasSubstr("qos.lane_maps.0.lanes.a: there is no VL 4, the ports have 4 (qos.lanes)")));
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { a: [3] } }", {"qos.lanes=4"}), IsEmpty());
  EXPECT_THAT(packet_platform_errors(kChain, {"qos.lanes=1"}),
              ElementsAre(HasSubstr("qos.levels.b: there is no VL 1, the ports have 1 (qos.lanes)")));
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { a: [15] } }"),
              ElementsAre(HasSubstr("VL 15 carries management traffic")));
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { c: [1] } }"), ElementsAre(HasSubstr("expected a level")));
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { a: [1, 2] } }"), ElementsAre(HasSubstr("expected 1 VL, got 2")));
  EXPECT_THAT(errors("{ at: 'sw[3]', lanes: { a: [1] } }"),
              ElementsAre(HasSubstr("qos.lane_maps: there is no sw[3], the last is sw[2]")));
  EXPECT_THAT(errors("{ at: 'sw[0]', input: 2, lanes: { a: [1] } }"),
              ElementsAre(HasSubstr("qos.lane_maps: sw[0] has nothing connected at port 2")));
  EXPECT_THAT(errors("{ at: 'nic[0]', input: 2, lanes: { a: [1] } }"), ElementsAre(HasSubstr("a NIC has no inputs")));
  EXPECT_THAT(errors("{ at: 'sw[0]', channels: { a: [1] } }"), ElementsAre(HasSubstr("belongs to architecture 'opa'")));
  EXPECT_THAT(errors("{ at: 'sw[0]', lanes: { a: [1] } }", opa),
              ElementsAre(HasSubstr("belongs to architecture 'ib'")));
  EXPECT_THAT(errors("{ at: 'sw[0]', channels: { a: [15] } }", opa),
              ElementsAre(HasSubstr("service channel 15 carries management traffic")));
  EXPECT_THAT(
      errors("{ at: 'sw[0]', channels: { a: [1] } }", opa),
      ElementsAre(HasSubstr("qos.lane_maps.0.channels.a: service channel 1 is that of the levels b and a; a channel "
                            "must tell the level")));
  EXPECT_THAT(errors("{ at: 'sw[0]', channel_lanes: { 40: 1 } }", opa),
              ElementsAre(HasSubstr("expected a service channel from 0 to 31 other than 15, got '40'")));
}

// A VL that only an exception uses must hold the messages that come there.
TEST(LaneTablesTest, BuffersAreCheckedForEveryLaneALevelCanTake) {
  EXPECT_THAT(
      packet_platform_errors(
          kChain, {"qos.lane_maps=[{ at: 'sw[1]', lanes: { a: [5] } }]", "qos.lane_space=[{ lane: 5, maximum: 64B }]"}),
      ElementsAre(HasSubstr(
          "qos.lane_space.0.maximum: VL 5 can have 1 flits, but needs 2 flits (128B) for its largest message")));
  const PacketOutcome r = run_packet_yaml(kChain, {"qos.lane_maps=[{ at: 'sw[1]', lanes: { a: [5] } }]"});
  EXPECT_EQ(r.error + r.failure, "");
}

const std::string kRing =
    "fabric: packet\ntopology: { kind: torus, dims: [4] }\nqos: { levels: { a: { message: 128B } } }\n"
    "traffic: [ { level: a, load: 0.2 } ]\nrun: { warm_up: 0ns, measure: 20us }\n";

TEST(LaneTablesTest, TheDeadlockCheckSeesTheLanesThatAreTaken) {
  const std::string dateline = "routing.ring=dateline";
  EXPECT_THAT(packet_platform_errors(kRing, {dateline}), IsEmpty());
  // Both classes on one VL everywhere close the ring again.
  EXPECT_THAT(packet_platform_errors(kRing, {dateline, "qos.lane_maps=[{ at: 'sw[0..3]', lanes: { a: [0, 0] } }]"}),
              ElementsAre(HasSubstr(
                  ": error: qos.lane_maps.0: with this exception messages can wait for each other in a cycle: ")));
  // The second of three.
  EXPECT_THAT(
      packet_platform_errors(kRing + "routing: { ring: dateline }\n",
                             {"qos.lane_maps=[{ at: 'sw[0]', lanes: { a: [0, 2] } }, { at: 'sw[0..3]', lanes: { a: "
                              "[0, 0] } }, { at: 'nic[0]', lanes: { a: [3, 3] } }]"}),
      ElementsAre(HasSubstr(": error: qos.lane_maps.1: with this exception messages can wait")));
  // A circle that is there without them.
  EXPECT_THAT(packet_platform_errors(kRing + "routing: { ring: none }\n",
                                     {"qos.lane_maps=[{ at: 'nic[0]', lanes: { a: [0] } }]"}),
              ElementsAre(AllOf(HasSubstr("test.yaml:6:10: error: routing: messages can wait for each other"),
                                HasSubstr("; the exceptions in qos.lane_maps do not prevent it"))));
  EXPECT_THAT(packet_platform_errors(kRing, {dateline, "qos.lane_maps=[{ at: 'sw[0..3]', lanes: { a: [2, 3] } }]"}),
              IsEmpty());
  // Without a remedy a change of the VL at one switch is one.
  const std::string none = "routing.ring=none";
  EXPECT_THAT(packet_platform_errors(kRing, {none}), ElementsAre(HasSubstr("in a cycle")));
  EXPECT_THAT(packet_platform_errors(kRing, {"qos.lane_maps=[{ at: 'sw[1]', lanes: { a: [1] } }]"}),
              ElementsAre(HasSubstr("takes messages of its ring from VL")));
  EXPECT_THAT(packet_platform_errors(kRing, {"qos.lane_maps=[{ at: 'sw[0..3]', lanes: { a: [1] } }]"}), IsEmpty());
}

TEST(LaneTablesTest, LinksOfATrunkShareTheirTables) {
  const std::string trunk = "topology={ kind: mesh, dims: [3], trunk: 2 }";
  EXPECT_THAT(packet_platform_errors(kChain, {trunk, "qos.lane_maps=[{ at: 'sw[0].port2', lanes: { a: [1] } }]"}),
              ElementsAre(HasSubstr("sw[0].port2 is one of 2 links of a trunk")));
  EXPECT_THAT(packet_platform_errors(kChain, {trunk, "qos.lane_maps=[{ at: 'sw[0]', lanes: { a: [1] } }]"}), IsEmpty());
}

// Each of the tables, and whatever else the network tells; only circles of VLs depend on the tables.
TEST(LaneTablesTest, WrongTablesHideNoOtherErrors) {
  EXPECT_THAT(packet_platform_errors(
                  kChain, {"topology={ kind: mesh, dims: [3], trunk: 2 }",
                           "qos.lane_maps=[{ at: 'sw[0].port2', lanes: { a: [1] } }, { at: 'sw[9]', lanes: { a: "
                           "[1] } }, { at: 'sw[1].port2', lanes: { a: [1] } }]",
                           "switch.input_buffer=64B", "trace=none.csv", "faults=[{ at: 'sw[7]', down: 1us }]"}),
              testing::UnorderedElementsAre(
                  HasSubstr("sw[0].port2 is one of 2 links of a trunk"), HasSubstr("qos.lane_maps: there is no sw[9]"),
                  HasSubstr("sw[1].port2 is one of 2 links of a trunk"), HasSubstr("switch.input_buffer of 1 flits"),
                  HasSubstr("trace: "), HasSubstr("faults.0.at: there is no sw[7]")));
}

TEST(LaneTablesTest, VirtualFabricsNameALevelByItsTrafficClass) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [3] }\nswitch: { architecture: opa }\n"
      "qos:\n  levels: { a: { message: 128B }, b: { message: 64B, traffic_class: bulk }, c: { message: 64B, "
      "traffic_class: bulk } }\n  virtual_fabrics: { mpi: { traffic_class: a }, storage: { traffic_class: bulk } }\n"
      "traffic: [ { virtual_fabric: mpi, load: 0.2 }, { virtual_fabric: storage, level: c, load: 0.1 } ]\n"
      "run: { warm_up: 0ns, measure: 20us }\n";
  const PacketOutcome r = run_packet_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_GT(r.cell("services", 0, "messages").get<double>(), 0);
  EXPECT_EQ(r.cell("services", 1, "messages"), 0);
  EXPECT_GT(r.cell("services", 2, "messages").get<double>(), 0);
  EXPECT_THAT(packet_platform_errors(yaml, {"traffic=[{ virtual_fabric: storage, load: 0.1 }]"}),
              ElementsAre(HasSubstr("traffic class 'bulk' has 2 levels; name one with the key 'level'")));
  EXPECT_THAT(packet_platform_errors(yaml, {"traffic.1.level=a"}),
              ElementsAre(HasSubstr("'a' is of traffic class 'a', virtual fabric 'storage' of 'bulk'")));
  EXPECT_THAT(packet_platform_errors(yaml, {"traffic.0.virtual_fabric=mpx"}),
              ElementsAre(HasSubstr("did you mean 'mpi'")));
  EXPECT_THAT(packet_platform_errors(
                  yaml, {"qos.virtual_fabrics.mpi.traffic_class=bulky", "traffic=[{ level: a, load: 0.1 }]"}),
              ElementsAre(HasSubstr("no level is of class 'bulky'; did you mean 'bulk'?")));
}

}  // namespace
}  // namespace weft::test
