// The waveform of a packet network, read back with fst2vcd: the messages on links are those of the message log, buffers
// and credits follow from them by hand, and the Verilated table agrees with the model in every cycle.

#include <filesystem>
#include <map>

#include "support/message_log.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kPacketPeriod = 5120;  // ps

// Two switches, two NICs each; port 2 of switch 0 leads to switch 1.
constexpr const char* kPacketYaml = R"(
fabric: packet
topology: { kind: mesh, dims: [2], nodes_per_switch: 2 }
qos:
  levels: { NC: { message: 192B }, BE: { message: 1024B } }
  scheduler: dtable
  dtable: { table: [ { sl: NC, weight: 2 }, { sl: BE, weight: 7 } ], implementation: lockstep }
traffic:
  - { level: NC, load: 0.3, source: bursts }
  - { level: BE, load: 0.5, source: bursts }
run: { warm_up: 0ns, measure: 10us, drain: 20us, settle: false }
observe: { message_log: true }
)";

struct Logged {
  std::uint64_t sent;  // cycle of the first flit
  std::string ends, level;
  std::uint64_t flits;
};

class PacketWavesTest : public ::testing::Test {
 protected:
  Vcd run(const std::vector<std::string>& more = {}) {
    folder_.write("in.yaml", kPacketYaml);
    std::vector<std::string> arguments{"run", "in.yaml", "--out", "out", "--waves", "waves.fst"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult r = weft(arguments, {folder_.path()});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, ::testing::HasSubstr("waves: gtkwave waves.gtkw   (view of waves.fst)"));
    return read_fst(folder_.path("waves.fst"));
  }
  // Messages of a NIC by their first cycle.
  std::map<std::uint64_t, Logged> sent_by(const std::string& nic) {
    std::map<std::uint64_t, Logged> out;
    for (const LoggedMessage& m : logged_messages(folder_.path("out/messages.csv"))) {
      if (std::to_string(m.from) != nic) continue;
      const auto cycle = static_cast<std::uint64_t>(m.sent) / kPacketPeriod;
      out[cycle] = {cycle, nic + ">" + std::to_string(m.to), m.level, static_cast<std::uint64_t>(m.flits)};
    }
    return out;
  }
  ScratchFolder folder_;
};

TEST_F(PacketWavesTest, LinksShowTheMessagesOfTheLogFlitByFlit) {
  const Vcd vcd = run();
  for (const std::string nic : {"0", "3"}) {
    const std::string path = "packet.nic[" + nic + "].";
    const auto log = sent_by(nic);
    ASSERT_GT(log.size(), 50U);
    const Logged* on_link = nullptr;
    std::uint64_t until = 0;
    // The log has the messages generated in the window only.
    for (std::uint64_t c = 0; c < 1900; ++c) {
      if (const auto m = log.find(c); m != log.end()) {
        on_link = &m->second;
        until = c + m->second.flits;
      }
      const bool valid = on_link != nullptr && c < until;
      const std::uint64_t time = c * kPacketPeriod;
      ASSERT_EQ(vcd.signal(path + "valid").number_at(time), valid ? 1U : 0U) << path << c;
      ASSERT_EQ(vcd.signal(path + "message").at(time), valid ? on_link->ends : "") << path << c;
      ASSERT_EQ(vcd.signal(path + "level").at(time), valid ? on_link->level : "") << path << c;
      if (!valid) continue;
      ASSERT_EQ(vcd.signal(path + "flit").number_at(time), c - on_link->sent) << path << c;
      ASSERT_EQ(vcd.signal(path + "vl").number_at(time), on_link->level == "NC" ? 0U : 1U) << path << c;
    }
  }
}

// Credits are taken in the cycle of the decision, one before the first flit, and a buffer loses a flit in each cycle in
// which one is on the link.
TEST_F(PacketWavesTest, BuffersAndCreditsMoveAsTheMessagesSay) {
  const Vcd vcd = run();
  const auto log = sent_by("0");
  const VcdSignal& queued = vcd.signal("packet.nic[0].queued");
  std::size_t seen = 0;
  for (const auto& [cycle, m] : log) {
    if (cycle < 2 || cycle > 1900) continue;
    const VcdSignal& credits = vcd.signal(m.level == "NC" ? "packet.nic[0].credits_vl0" : "packet.nic[0].credits_vl1");
    const auto before = credits.number_at((cycle - 2) * kPacketPeriod);
    const auto after = credits.number_at((cycle - 1) * kPacketPeriod);
    ASSERT_LT(after, before) << cycle;
    // In the same cycle at most one flit's worth comes back from the switch.
    ASSERT_LE(before - after, m.flits) << cycle;
    ASSERT_GE(before - after + 1, m.flits) << cycle;
    const auto full = queued.number_at((cycle - 1) * kPacketPeriod);
    ASSERT_GE(full, m.flits) << cycle;
    ++seen;
  }
  EXPECT_GT(seen, 50U);
}

TEST_F(PacketWavesTest, TheVerilatedTableAgreesWithTheModelInEveryCycle) {
  const Vcd vcd = run();
  std::size_t weights = 0;
  for (const std::string path : {"packet.sw[0].out[2].", "packet.nic[1]."}) {
    const std::string rtl = path + "dtable_rtl.dtable.";
    bool begun = false;
    for (std::uint64_t c = 1; c < 1900; ++c) {
      const std::uint64_t time = c * kPacketPeriod;
      const auto weight = vcd.signal(path + "dtable.accumulated_weight").number_at(time);
      ASSERT_EQ(vcd.signal(rtl + "accumulated_q").number_at(time), weight) << path << c;
      weights += weight > 0 ? 1 : 0;
      // Before the first selection the RTL stands on its last entry, the model on the last of the table.
      if (begun) {
        ASSERT_EQ(vcd.signal(rtl + "entry_q").number_at(time), vcd.signal(path + "dtable.entry").number_at(time)) << c;
      }
      begun = begun || vcd.signal(rtl + "decide_i").number_at(time) == 1;
      ASSERT_EQ(vcd.signal(rtl + "clk_i").at(time), "1") << c;
      ASSERT_EQ(vcd.signal(rtl + "clk_i").at(time + kPacketPeriod / 2), "0") << c;
    }
    EXPECT_TRUE(begun);
  }
  EXPECT_GT(weights, 20U);
}

// A message is granted in the cycle before its first flit, and in no other.
TEST_F(PacketWavesTest, GrantsOfTheVerilatedTableAreInTheirCycle) {
  const Vcd vcd = run();
  for (const std::string nic : {"0", "3"}) {
    const std::string rtl = "packet.nic[" + nic + "].dtable_rtl.dtable.";
    const auto log = sent_by(nic);
    std::size_t seen = 0;
    for (std::uint64_t c = 1; c < 1900; ++c) {
      const auto m = log.find(c + 1);
      const bool granted = vcd.signal(rtl + "grant_o").number_at(c * kPacketPeriod) == 1;
      ASSERT_EQ(granted, m != log.end()) << nic << " " << c;
      if (!granted) continue;
      ++seen;
      ASSERT_EQ(vcd.signal(rtl + "grant_sl_o").number_at(c * kPacketPeriod), m->second.level == "NC" ? 0U : 1U) << c;
    }
    EXPECT_GT(seen, 50U);
  }
}

// The same for the other schedulers in RTL, whose view has their pins and registers.
TEST_F(PacketWavesTest, GrantsOfOtherVerilatedSchedulersAreInTheirCycle) {
  struct Case {
    std::string name, set, shown;
  };
  for (const auto& [name, set, shown] : {Case{"drr", "qos.drr={ implementation: lockstep }", "turn_q[3:0]"},
                                         Case{"ib_arbiter",
                                              "qos.ib_arbiter={ high: [ { sl: NC, weight: 2 } ], low: [ { sl: BE, "
                                              "weight: 7 } ], limit_of_high_priority: 1, "
                                              "implementation: rtl }",
                                              "sent_q[13:0]"}}) {
    const Vcd vcd = run({"--set", "qos.dtable=null", "--set", "qos.scheduler=" + name, "--set", set, "--set",
                         "qos.levels.NC.quantum=2", "--set", "qos.levels.BE.quantum=7", "--overwrite"});
    const std::string rtl = "packet.nic[0]." + name + "_rtl." + name + ".";
    const auto log = sent_by("0");
    std::size_t seen = 0;
    for (std::uint64_t c = 1; c < 1900; ++c) {
      const auto m = log.find(c + 1);
      const bool granted = vcd.signal(rtl + "grant_o").number_at(c * kPacketPeriod) == 1;
      ASSERT_EQ(granted, m != log.end()) << name << " " << c;
      if (!granted) continue;
      ++seen;
      ASSERT_EQ(vcd.signal(rtl + "grant_sl_o").number_at(c * kPacketPeriod), m->second.level == "NC" ? 0U : 1U) << c;
    }
    EXPECT_GT(seen, 50U) << name;
    EXPECT_THAT(slurp(folder_.path("waves.gtkw")), ::testing::HasSubstr(rtl + shown));
  }
}

TEST_F(PacketWavesTest, LimitedToPlacesAndTime) {
  const Vcd whole = run();
  const Vcd part = run({"--set", "observe.waves.switches=['sw[0].port2', 'nic[3]']", "--set", "observe.waves.from=2us",
                        "--set", "observe.waves.until=4us"});
  EXPECT_TRUE(part.has("packet.sw[0].out[2].valid"));
  EXPECT_TRUE(part.has("packet.nic[3].valid"));
  EXPECT_TRUE(part.has("packet.nic[3].dtable_rtl.dtable.clk_i"));
  EXPECT_FALSE(part.has("packet.sw[0].out[1].valid"));
  EXPECT_FALSE(part.has("packet.nic[0].valid"));
  EXPECT_FALSE(part.has("packet.nic[0].dtable_rtl.dtable.clk_i"));
  EXPECT_GE(part.first_time(), 2'000'000U);
  EXPECT_LT(part.last_time(), 4'000'000U + kPacketPeriod);  // the cycle in which the end lies is whole
  for (std::uint64_t time = 400 * kPacketPeriod; time < 780 * kPacketPeriod; time += kPacketPeriod) {
    for (const std::string name :
         {"packet.sw[0].out[2].message", "packet.nic[3].queued", "packet.nic[3].dtable.entry"}) {
      ASSERT_EQ(part.signal(name).at(time), whole.signal(name).at(time)) << name << time;
    }
  }
}

// Looking changes nothing.
TEST_F(PacketWavesTest, TheReportIsTheSameWithWaves) {
  run();
  const std::string with = slurp(folder_.path("out/report.json"));
  ASSERT_EQ(weft({"run", "in.yaml", "--out", "out"}, {folder_.path()}).status, 0);
  EXPECT_TRUE(slurp(folder_.path("out/report.json")) == with);
}

TEST_F(PacketWavesTest, WrongPlacesAreRefused) {
  folder_.write("in.yaml", kPacketYaml);
  const ProgramResult place =
      weft({"run", "in.yaml", "--waves", "w.fst", "--set", "observe.waves.switches=['sw[2]']"}, {folder_.path()});
  EXPECT_EQ(place.status, 2);
  EXPECT_THAT(place.err, ::testing::HasSubstr("observe.waves.switches.0: there is no sw[2], the last is sw[1]"));
}

}  // namespace
}  // namespace weft::test
