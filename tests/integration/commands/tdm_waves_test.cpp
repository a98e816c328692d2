// The waveform of a lockstep run, read back with fst2vcd: model and RTL signals agree in time, and both show the words
// of the slot trace.

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/slot_trace.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kTdmPeriod = 10'000;  // ps

constexpr const char* kTdmYaml = R"(
fabric: tdm
topology: { kind: mesh, dims: [3, 2] }
switch: { slots: 6, serdes: 4cycles, data_path: { implementation: lockstep }, slot_lut: { implementation: lockstep } }
sources: { arrivals: poisson, interval: 900ns, message: 300B }
run: { measure: 6us }
observe: { slot_trace: true }
phases:
  - name: first
    circuits:
      - { flow: many, source: 0, destinations: [2, 5, 3] }
      - { flow: fat, source: 4, destination: 0, slots: 3 }
  - { name: second, pattern: bit_complement }
)";

const std::string kPorts[] = {"out0_host", "out1_px", "out2_mx", "out3_py", "out4_my"};

class Waves : public ::testing::Test {
 protected:
  // Runs the configuration, with the pattern of the second phase replaced where it does not fit 6 nodes.
  void run(const std::vector<std::string>& more = {}) {
    std::string yaml = kTdmYaml;
    yaml.replace(yaml.find("pattern: bit_complement"), 23, "pattern: tornado");
    folder_.write("in.yaml", yaml);
    std::vector<std::string> arguments{"run", "in.yaml", "--out", "out", "--waves", "waves.fst"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult r = weft(arguments, {folder_.path()});
    ASSERT_EQ(r.status, 0) << r.err;
    trace_ = parse_slot_trace(slurp(folder_.path("out/slot_trace.csv")));
    ASSERT_GT(trace_.size(), 500U);
  }
  Vcd waves() const { return read_fst(folder_.path("waves.fst")); }

  ScratchFolder folder_;
  std::vector<TraceLine> trace_;
};

// The flows of the first phase have names, those of the pattern have not.
std::string text_of(const TraceLine& line) {
  if (line.circuit < 2) return line.circuit == 0 ? "many" : "fat";
  const std::string first = line.destinations.substr(0, line.destinations.find(' '));
  return line.source + ">" + first + (first == line.destinations ? "" : "+");
}

// Waves and slot traces have a further cycle at the end of a run; a profile must not.
TEST_F(Waves, FilesOfEveryCycleDoNotChangeTheReport) {
  for (const char* config : {"mesh_4x4.yaml", "setup_4x4.yaml"}) {
    const auto profile = [&](const std::vector<std::string>& more) {
      std::vector<std::string> arguments{
          "run", source_dir() + "/configs/tdm/" + config, "--set", "observe.profile=3us", "--out", "p"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const ProgramResult r = weft(arguments, {folder_.path()});
      EXPECT_EQ(r.status, 0) << r.err;
      const std::string csv = slurp(folder_.path("p/profile.csv"));
      EXPECT_FALSE(csv.empty());
      return csv;
    };
    const std::string plain = profile({});
    EXPECT_EQ(profile({"--waves", "w.fst"}), plain) << config;
    EXPECT_EQ(profile({"--set", "observe.slot_trace=true"}), plain) << config;
  }
}

TEST_F(Waves, ModelRtlAndSlotTraceShowTheSameWords) {
  run();
  const Vcd vcd = waves();
  std::map<std::tuple<Cycle, SwitchId, PortId>, TraceLine> words;
  for (const TraceLine& line : trace_) words[{line.cycle, line.sw, line.port}] = line;
  const auto cycles = static_cast<Cycle>(vcd.last_time() / kTdmPeriod);
  ASSERT_GT(cycles, 500);
  ASSERT_LE(trace_.back().cycle, cycles);
  std::size_t seen = 0;
  for (SwitchId sw = 0; sw < 6; ++sw) {
    const std::string path = fmt::format("tdm.sw[{}].", sw);
    const VcdSignal& rtl_slot = vcd.signal(path + "data_path_rtl.tdm_switch.slot_i");
    const VcdSignal& rtl_valid = vcd.signal(path + "data_path_rtl.tdm_switch.out_valid_o");
    const VcdSignal& rtl_word = vcd.signal(path + "data_path_rtl.tdm_switch.out_word_o");
    for (Cycle c = 0; c < cycles; ++c) {
      const std::uint64_t time = static_cast<std::uint64_t>(c) * kTdmPeriod;
      ASSERT_EQ(vcd.signal(path + "slot").number_at(time), static_cast<std::uint64_t>(c % 6)) << sw << " " << c;
      ASSERT_EQ(rtl_slot.number_at(time), static_cast<std::uint64_t>(c % 6)) << sw << " " << c;
    }
    for (PortId p = 0; p < 5; ++p) {
      const std::string port = path + kPorts[p] + ".";
      const VcdSignal& valid = vcd.signal(port + "valid");
      for (Cycle c = 0; c < cycles; ++c) {
        const std::uint64_t time = static_cast<std::uint64_t>(c) * kTdmPeriod;
        const auto word = words.find({c, sw, p});
        const bool sends = word != words.end();
        const std::string bits = rtl_valid.at(time);
        const bool rtl_sends = bits.size() > p && bits[bits.size() - 1 - p] == '1';
        ASSERT_EQ(valid.number_at(time), sends ? 1U : 0U) << port << " cycle " << c;
        ASSERT_EQ(rtl_sends, sends) << port << " cycle " << c;
        ASSERT_EQ(vcd.signal(port + "circuit").at(time), sends ? text_of(word->second) : "") << port << " cycle " << c;
        if (!sends) continue;
        ++seen;
        ASSERT_EQ(vcd.signal(port + "message").number_at(time), word->second.message) << port << " cycle " << c;
        ASSERT_EQ(vcd.signal(port + "word").number_at(time), word->second.word) << port << " cycle " << c;
        // A word's bits in the RTL are its identity: the lower half is the number of the word in its message.
        std::string all = rtl_word.at(time);
        all.insert(0, 512 - std::min<std::size_t>(512, all.size()), '0');
        ASSERT_EQ(std::stoul(all.substr(512 - 64 * p - 32, 32), nullptr, 2), word->second.word)
            << port << " cycle " << c;
      }
    }
  }
  EXPECT_EQ(seen, trace_.size());
}

// A rising edge in every cycle and a falling one in its middle, on every block.
TEST_F(Waves, RtlClocksTickInEveryCycle) {
  run();
  const Vcd vcd = waves();
  for (SwitchId sw = 0; sw < 6; ++sw) {
    for (const std::string block : {"data_path_rtl.tdm_switch", "slot_lut_rtl.slot_lut"}) {
      const VcdSignal& clock = vcd.signal(fmt::format("tdm.sw[{}].{}.clk_i", sw, block));
      const std::uint64_t last = vcd.last_time() / kTdmPeriod - 1;
      for (std::uint64_t c = 1; c < last; ++c) {
        ASSERT_EQ(clock.at(c * kTdmPeriod), "1") << sw << block << c;
        ASSERT_EQ(clock.at(c * kTdmPeriod + kTdmPeriod / 2), "0") << sw << block << c;
      }
    }
  }
}

TEST_F(Waves, PhasesAndRequestsAreNamed) {
  run();
  const Vcd vcd = waves();
  std::vector<std::string> phases;
  for (const VcdChange& c : vcd.signal("tdm.phase").changes) {
    if (phases.empty() || phases.back() != c.value) phases.push_back(c.value);
  }
  EXPECT_THAT(phases, ::testing::ElementsAre("setup", "first", "second"));
  std::set<std::string> kinds;
  for (const VcdChange& c : vcd.signal("tdm.sw[0].setup.request").changes) kinds.insert(c.value.substr(0, 2));
  EXPECT_THAT(kinds, ::testing::IsSupersetOf({"=f", "+f", "-f"}));
}

TEST_F(Waves, LimitedToSwitchesAndTime) {
  run();
  const Vcd whole = waves();
  const auto size = fs::file_size(folder_.path("waves.fst"));
  run({"--set", "observe.waves.switches=['sw[1]', 'sw[3..4]']", "--set", "observe.waves.from=3us", "--set",
       "observe.waves.until=4us"});
  const Vcd part = waves();
  EXPECT_LT(fs::file_size(folder_.path("waves.fst")), size / 2);
  for (SwitchId sw = 0; sw < 6; ++sw) {
    const bool watched = sw == 1 || sw == 3 || sw == 4;
    EXPECT_EQ(part.has(fmt::format("tdm.sw[{}].slot", sw)), watched) << sw;
    EXPECT_EQ(part.has(fmt::format("tdm.sw[{}].data_path_rtl.tdm_switch.slot_i", sw)), watched) << sw;
    EXPECT_EQ(part.has(fmt::format("tdm.sw[{}].slot_lut_rtl.slot_lut.clk_i", sw)), watched) << sw;
  }
  EXPECT_EQ(part.first_time(), 3'000'000U);
  EXPECT_LT(part.last_time(), 4'000'000U);
  std::size_t busy = 0;
  for (const std::string& name : {std::string("tdm.sw[1].out0_host.valid"), std::string("tdm.sw[4].out4_my.valid"),
                                  std::string("tdm.sw[1].out2_mx.circuit"), std::string("tdm.frame"),
                                  std::string("tdm.sw[4].data_path_rtl.tdm_switch.out_valid_o")}) {
    for (std::uint64_t time = 3'000'000; time < 4'000'000; time += kTdmPeriod) {
      ASSERT_EQ(part.signal(name).at(time), whole.signal(name).at(time)) << name << " at " << time;
    }
    busy += part.signal(name).changes.size();
  }
  EXPECT_GT(busy, 20U);
}

// Rows of the view that show a pin below `pins`; each of them has to be in the file.
std::size_t rows_of_view(const std::string& view, const std::string& pins, const Vcd& vcd) {
  std::istringstream lines(view);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find(pins);
    if (name == std::string::npos) continue;
    ++rows;
    EXPECT_TRUE(vcd.has(line.substr(name, line.find('[', name + pins.size()) - name))) << line;
  }
  return rows;
}

// The pins of the setup unit, with what it has worked on last in a cycle: every row of the view is in the file, and
// every kind of message comes.
TEST(SetupWaves, ShowTheSetupUnit) {
  const ScratchFolder folder;
  const ProgramResult r =
      weft({"run", source_dir() + "/configs/tdm/setup_unit_lockstep.yaml", "--out", folder.path("out"), "--waves",
            folder.path("waves.fst"), "--set", "observe.waves.until=20us"});
  ASSERT_EQ(r.status, 0) << r.err;
  const Vcd vcd = read_fst(folder.path("waves.fst"));
  const std::string pins = "tdm.sw[0].setup_unit_rtl.setup_unit.";
  std::set<std::uint64_t> kinds;
  for (const VcdChange& c : vcd.signal(pins + "msg_kind_i").changes) kinds.insert(std::stoul(c.value, nullptr, 2));
  EXPECT_GE(kinds.size(), 5U);
  EXPECT_EQ(rows_of_view(slurp(folder.path("waves.gtkw")), pins, vcd), 5U);
}

// The pins of the host interfaces beside their switch: every row of the view is in the file, and words leave and
// arrive.
TEST(HostWaves, ShowTheHostInterface) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"run", source_dir() + "/configs/tdm/host_interface_lockstep.yaml", "--out",
                                folder.path("out"), "--waves", folder.path("waves.fst"), "--set",
                                "observe.waves.until=20us", "--set", "observe.waves.switches=[\"sw[4]\"]"});
  ASSERT_EQ(r.status, 0) << r.err;
  const Vcd vcd = read_fst(folder.path("waves.fst"));
  const std::string pins = "tdm.host[4].interface_rtl.host_interface.";
  for (const char* pin : {"out_valid_o", "rx_valid_o"}) EXPECT_GT(vcd.signal(pins + pin).changes.size(), 20U) << pin;
  EXPECT_FALSE(vcd.has("tdm.host[3].interface_rtl.host_interface.clk_i"));
  EXPECT_EQ(rows_of_view(slurp(folder.path("waves.gtkw")), pins, vcd), 5U);
}

// Models only: no RTL in the file, and the same words.
TEST_F(Waves, WithoutRtl) {
  run();
  const Vcd both = waves();
  run({"--set", "switch.data_path.implementation=model", "--set", "switch.slot_lut.implementation=model"});
  const Vcd model = waves();
  EXPECT_FALSE(model.has("tdm.sw[0].data_path_rtl.tdm_switch.clk_i"));
  for (const std::string& name : model.names()) {
    const std::string plain = name.substr(
        0, name.rfind('[') == std::string::npos || name.back() != ']' ? std::string::npos : name.rfind('['));
    const auto& a = model.signal(plain).changes;
    const auto& b = both.signal(plain).changes;
    ASSERT_LE(a.size(), b.size()) << name;  // the RTL's registers empty themselves after the last delivery
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a[i].time, b[i].time) << name;
      ASSERT_EQ(a[i].value, b[i].value) << name;
    }
    if (a.size() < b.size()) {
      EXPECT_GT(b[a.size()].time, model.last_time()) << name;
    }
  }
}

}  // namespace
}  // namespace weft::test
