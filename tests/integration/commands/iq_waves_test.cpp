// The waveform of input-queued routers, read back with fst2vcd: the packets on the links of NICs are those of the
// message log, flit by flit, and credits and buffers follow from what is on the links.

#include <map>
#include <sstream>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kIqPeriod = 5120;  // ps

// Three routers in a line with one NIC each: port 0 leads to the NIC, 1 up, 2 down.
constexpr const char* kIqYaml = R"(
fabric: packet
topology: { kind: mesh, dims: [3] }
link: { delay: 3cycles, credit_delay: 2cycles }
switch: { architecture: iq, iq: { vcs: 2, buffer: 512B, stages: { buffer_write: 1cycle, crossbar: 2cycles } } }
qos: { levels: { short: { message: 64B }, long: { message: 640B } } }
traffic:
  - { level: short, load: 0.1, source: bursts }
  - { level: long, load: 0.2 }
run: { warm_up: 0ns, measure: 10us, drain: 40us, settle: false }
observe: { message_log: true }
)";

class IqWavesTest : public ::testing::Test {
 protected:
  Vcd run(const std::vector<std::string>& more = {}) {
    folder_.write("in.yaml", kIqYaml);
    std::vector<std::string> arguments{"run", "in.yaml", "--out", "out", "--waves", "new/folder/waves.fst"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    result_ = weft(arguments, {folder_.path()});
    EXPECT_EQ(result_.status, 0) << result_.err;
    return read_fst(folder_.path("new/folder/waves.fst"));
  }
  ScratchFolder folder_;
  ProgramResult result_;
};

// Cycles of all flits on a link, told by packet.
struct Seen {
  std::uint64_t first = 0, last = 0, flits = 0;
};

std::vector<std::pair<std::string, Seen>> packets_on(const Vcd& vcd, const std::string& path, std::uint64_t cycles) {
  std::vector<std::pair<std::string, Seen>> out;
  std::map<std::uint64_t, std::size_t> under_way;  // VC: place in out
  for (std::uint64_t c = 0; c < cycles; ++c) {
    const std::uint64_t time = c * kIqPeriod;
    if (vcd.signal(path + "valid").number_at(time) != 1) continue;
    const auto vc = vcd.signal(path + "vc").number_at(time);
    const auto flit = vcd.signal(path + "flit").number_at(time);
    const std::string what = vcd.signal(path + "packet").at(time) + " " + vcd.signal(path + "level").at(time);
    if (flit == 0) {
      under_way[vc] = out.size();
      out.push_back({what, {c, c, 0}});
    }
    EXPECT_TRUE(under_way.contains(vc)) << path << c;
    auto& [name, seen] = out.at(under_way[vc]);
    EXPECT_EQ(name, what) << path << c;
    EXPECT_EQ(seen.flits, flit) << path << c;
    seen.last = c;
    ++seen.flits;
  }
  return out;
}

TEST_F(IqWavesTest, LinksShowThePacketsOfTheLogFlitByFlit) {
  const Vcd vcd = run();
  std::istringstream in(slurp(folder_.path("out/messages.csv")));
  std::map<std::string, std::map<std::uint64_t, std::string>> sent, arrived;  // NIC: cycle: packet
  std::string line;
  std::size_t n = 0;
  for (std::getline(in, line); std::getline(in, line); ++n) {
    std::vector<std::string> f;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) f.push_back(cell);
    const auto cycle = [&](std::size_t i) {
      return static_cast<std::uint64_t>(std::stod(f[i]) * 1000 / kIqPeriod + 0.5);
    };
    sent[f[3]][cycle(1)] = f[3] + ">" + f[4] + " " + f[5];
    arrived[f[4]][cycle(2)] = f[3] + ">" + f[4] + " " + f[5];
  }
  ASSERT_GT(n, 100U);
  for (const std::string nic : {"0", "1", "2"}) {
    std::map<std::uint64_t, std::string> on_link, off_link;
    for (const auto& [what, seen] : packets_on(vcd, "packet.nic[" + nic + "].", 1900)) {
      on_link[seen.first] = what;
      EXPECT_EQ(seen.flits, what.ends_with("long") ? 10U : 1U);
    }
    for (const auto& [what, seen] : packets_on(vcd, "packet.router[" + nic + "].port[0].", 1900)) {
      off_link[seen.last + 3] = what;  // the flight of its tail
    }
    for (const auto& [cycle, what] : sent[nic]) {
      EXPECT_TRUE(cycle >= 1880 || on_link[cycle] == what) << nic << " " << cycle << " " << on_link[cycle];
    }
    for (const auto& [cycle, what] : arrived[nic]) {
      EXPECT_TRUE(cycle >= 1880 || off_link[cycle] == what) << nic << " " << cycle << " " << off_link[cycle];
    }
  }
}

// Between the routers 0 and 1: what is on the wire, in the buffer, at the sender and on its way back makes eight flits
// for each VC.
TEST_F(IqWavesTest, CreditsAndBuffersFollowFromTheLinks) {
  const Vcd vcd = run();
  const std::string out = "packet.router[0].port[1].", in = "packet.router[1].port[2].";
  std::uint64_t busy = 0, owned = 0;
  for (std::uint64_t c = 40; c < 1900; ++c) {
    for (const std::string v : {"0", "1"}) {
      // Sent in [c - k, c]: flits on the link count one by one.
      const auto flits = [&](std::uint64_t from, std::uint64_t to) {
        std::uint64_t n = 0;
        for (std::uint64_t t = from; t <= to; ++t) {
          n += vcd.signal(out + "valid").number_at(t * kIqPeriod) == 1 &&
                       vcd.signal(out + "vc").number_at(t * kIqPeriod) == std::stoull(v)
                   ? 1
                   : 0;
        }
        return n;
      };
      // A flit of cycle t is in the buffer from cycle t + 3 + 1 on, and its credit was taken three cycles before t.
      const auto credits = vcd.signal(out + "credits_vc" + v).number_at(c * kIqPeriod);
      const auto queued = vcd.signal(in + "queued_vc" + v).number_at(c * kIqPeriod);
      const auto before = vcd.signal(in + "queued_vc" + v).number_at((c - 1) * kIqPeriod);
      ASSERT_LE(credits + queued + flits(c - 3, c), 8U) << c;
      const std::uint64_t came = flits(c - 4, c - 4);
      ASSERT_LE(queued, before + came) << c;
      ASSERT_LE(before + came, queued + 1) << c;  // at most one leaves
      busy += queued > 0 ? 1 : 0;
      const std::string owner = vcd.signal(out + "owner_vc" + v).at(c * kIqPeriod);
      EXPECT_TRUE(owner.empty() || owner.starts_with("in0.vc") || owner.starts_with("in1.vc") ||
                  owner.starts_with("in2.vc"))
          << owner;
      owned += owner.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(busy, 100U);
  EXPECT_GT(owned, 300U);
}

// A flit leaves the router's buffer three cycles after it was sent, and its credit is back two cycles later, also where
// the NIC has nothing to do with it.
TEST_F(IqWavesTest, CreditsOfANicComeBackWhileItIsIdle) {
  folder_.write("in.yaml",
                "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nlink: { rate: 64GB/s }\n"
                "switch: { architecture: iq, iq: { vcs: 1, buffer: 256B } }\nqos: { levels: { s: { message: 64B } } }\n"
                "trace: t.csv\nrun: { warm_up: 0us, measure: 100ns, drain: 1us }\n");
  folder_.write("t.csv", "time_ns,source,destination,level\n10,0,1,s\n40,0,1,s\n");
  ASSERT_EQ(weft({"run", "in.yaml", "--waves", "w.fst"}, {folder_.path()}).status, 0);
  const Vcd vcd = read_fst(folder_.path("w.fst"));
  const auto credits = [&](std::uint64_t ns) { return vcd.signal("packet.nic[0].credits_vc0").number_at(ns * 1000); };
  for (const std::uint64_t sent : {10U, 40U}) {
    EXPECT_EQ(credits(sent - 1), 4U);
    EXPECT_EQ(credits(sent), 3U);
    EXPECT_EQ(credits(sent + 4), 3U);
    EXPECT_EQ(credits(sent + 5), 4U);
  }
}

TEST_F(IqWavesTest, LimitedToPlacesAndTimeAndWithoutEffectOnTheReport) {
  const Vcd whole = run();
  const std::string report = slurp(folder_.path("out/report.json"));
  ASSERT_EQ(weft({"run", "in.yaml", "--out", "out"}, {folder_.path()}).status, 0);
  EXPECT_TRUE(slurp(folder_.path("out/report.json")) == report);
  const Vcd part = run({"--set", "observe.waves.switches=['sw[0].port1', 'nic[2]']", "--set", "observe.waves.from=2us",
                        "--set", "observe.waves.until=4us"});
  EXPECT_TRUE(part.has("packet.router[0].port[1].valid"));
  EXPECT_TRUE(part.has("packet.nic[2].waiting"));
  EXPECT_FALSE(part.has("packet.router[0].port[0].valid"));
  EXPECT_FALSE(part.has("packet.nic[0].valid"));
  for (std::uint64_t time = 400 * kIqPeriod; time < 780 * kIqPeriod; time += kIqPeriod) {
    for (const std::string name : {"packet.router[0].port[1].packet", "packet.router[0].port[1].queued_vc1",
                                   "packet.router[0].port[1].owner_vc0", "packet.nic[2].credits_vc0"}) {
      ASSERT_EQ(part.signal(name).at(time), whole.signal(name).at(time)) << name << time;
    }
  }
  const std::string view = slurp(folder_.path("new/folder/waves.gtkw"));
  EXPECT_THAT(view, ::testing::HasSubstr("packet.router[0].port[1].packet"));
}

// A window behind the end of the run is told, in every network that has windows.
TEST_F(IqWavesTest, AWindowAfterTheEndIsTold) {
  for (const char* architecture : {"iq", "ib"}) {
    folder_.write("in.yaml", kIqYaml);
    const ProgramResult late =
        weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves.from=1ms", "--set",
              std::string("switch.architecture=") + architecture},
             {folder_.path()});
    ASSERT_EQ(late.status, 0) << late.err;
    EXPECT_THAT(late.out, ::testing::HasSubstr("the waveform is empty: observe.waves.from is ")) << architecture;
    EXPECT_THAT(late.out, ::testing::HasSubstr(", the run ended after ")) << architecture;
  }
  const std::string fic = source_dir() + "/configs/tdm/mesh_4x4.yaml";
  const ProgramResult late =
      weft({"run", fic, "--out", "out", "--waves", "w.fst", "--set", "observe.waves.from=1s"}, {folder_.path()});
  ASSERT_EQ(late.status, 0) << late.err;
  EXPECT_THAT(late.out, ::testing::HasSubstr("the waveform is empty: observe.waves.from is 1s, the run ended after "));
  EXPECT_THAT((run(), result_.out), ::testing::Not(::testing::HasSubstr("the waveform is empty")));
}

// Cycles 195 and 196 begin at 998.4ns and 1003.52ns.
TEST_F(IqWavesTest, AWindowBetweenTwoCyclesIsTold) {
  for (const char* architecture : {"iq", "ib"}) {
    for (const bool empty : {true, false}) {
      folder_.write("in.yaml", kIqYaml);
      const ProgramResult r =
          weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves.from=999ns", "--set",
                std::string("observe.waves.until=") + (empty ? "1003ns" : "1004ns"), "--set",
                std::string("switch.architecture=") + architecture},
               {folder_.path()});
      ASSERT_EQ(r.status, 0) << r.err;
      EXPECT_EQ(r.out.find("the waveform is empty: no cycle begins between observe.waves.from and until") !=
                    std::string::npos,
                empty)
          << architecture << r.out;
    }
  }
}

// Of the three cycles from the grant to the link the compiled RTL has none: a flit is at its pins that much earlier.
TEST_F(IqWavesTest, PinsOfRoutersInRtlAreWhatGoesOverTheLinks) {
  const Vcd models = run({"--set", "run.measure=3us"});
  for (const std::string implementation : {"rtl", "lockstep"}) {
    const Vcd vcd = run({"--overwrite", "--set", "run.measure=3us", "--set",
                         "switch.iq.instances={'sw[1]': {router: {implementation: " + implementation + "}}}"});
    std::size_t flits = 0;
    for (std::uint64_t p = 0; p < 3; ++p) {
      const std::string port = "packet.router[1].port[" + std::to_string(p) + "].";
      const VcdSignal& valid = vcd.signal(port + "valid");
      const VcdSignal& pins = vcd.signal("packet.router[1].iq_router_rtl.iq_router.flit_valid_o");
      for (std::uint64_t c = 0; c < 600; ++c) {
        const bool there = valid.number_at((c + 3) * kIqPeriod) == 1;
        flits += there ? 1 : 0;
        ASSERT_EQ((pins.number_at(c * kIqPeriod) >> p & 1) == 1, there) << implementation << " " << p << " " << c;
        ASSERT_EQ(there, models.signal(port + "valid").number_at((c + 3) * kIqPeriod) == 1);
      }
    }
    EXPECT_GT(flits, 200U);
    EXPECT_NE(slurp(folder_.path("new/folder/waves.gtkw")).find("iq_router_rtl.iq_router.flit_valid_o[4:0]"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace weft::test
