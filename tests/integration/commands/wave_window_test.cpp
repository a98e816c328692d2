// The waveform of a window (observe.waves.from, until) is the same part of the waveform of everything, signal by
// signal, although cycles outside of the window are passed over.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

struct WindowCase {
  friend std::ostream& operator<<(std::ostream& out, const WindowCase& c) { return out << c.config; }
  std::string name;
  std::string config;
  std::string until;  // of the waveform of everything
  std::uint64_t from_ns = 0;
  std::uint64_t until_ns = 0;
  Arguments more;
};

class WaveWindow : public ::testing::TestWithParam<WindowCase> {
 protected:
  Vcd run(const std::string& times) {
    Arguments arguments{"run",        source_dir() + "/configs/" + GetParam().config,
                        "--out",      folder_.path("out"),
                        "--waves",    folder_.path("w.fst"),
                        "--set",      "observe.waves={" + times + "}",
                        "--overwrite"};
    const ProgramResult r = weft(with(arguments, GetParam().more));
    if (r.status != 0) throw std::runtime_error(r.err);
    summary_ = r.out;
    return read_fst(folder_.path("w.fst"));
  }

  ScratchFolder folder_;
  std::string summary_;
};

// "tdm.sw[0].out1_px.word[7:0]" -> "tdm.sw[0].out1_px.word"
std::string plain(const std::string& name) {
  const std::size_t range = name.rfind('[');
  return name.ends_with("]") && name.find(':', range) != std::string::npos ? name.substr(0, range) : name;
}

TEST_P(WaveWindow, IsThatPartOfTheWhole) {
  const WindowCase& c = GetParam();
  const Vcd whole = run("until: " + c.until);
  const std::string summary = summary_;
  const Vcd part = run(fmt::format("from: {}ns, until: {}ns", c.from_ns, c.until_ns));
  EXPECT_EQ(summary_, summary);
  EXPECT_EQ(part.names(), whole.names());
  EXPECT_GE(part.first_time(), c.from_ns * 1000);
  const std::uint64_t begin = part.first_time();
  const std::uint64_t end = c.until_ns * 1000;
  std::size_t moved = 0;
  std::size_t compared = 0;
  for (const std::string& range_name : whole.names()) {
    const std::string name = plain(range_name);
    const VcdSignal& all = whole.signal(name);
    const VcdSignal& some = part.signal(name);
    std::set<std::uint64_t> times{begin};
    for (const VcdSignal* s : {&all, &some}) {
      for (const VcdChange& change : s->changes) {
        if (change.time > begin && change.time < end) times.insert(change.time);
      }
    }
    for (const std::uint64_t time : times) {
      ASSERT_EQ(some.at(time), all.at(time)) << name << " at " << time << " ps";
      ++compared;
    }
    moved += times.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(compared, whole.names().size() / 2);
  if (whole.last_time() > begin + 1'000'000) {
    EXPECT_GE(moved, 10U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, WaveWindow,
    ::testing::Values(
        WindowCase{"planned", "tdm/mesh_4x4.yaml", "60us", 40'000, 48'000, {}},
        WindowCase{"from_the_beginning", "tdm/mesh_4x4.yaml", "60us", 0, 3'000, {}},
        WindowCase{"phases", "tdm/phases_8x8.yaml", "20us", 8'000, 11'000, {}},
        WindowCase{"rtl", "tdm/lockstep_4x4.yaml", "30us", 20'000, 23'000, {}},
        WindowCase{"host_rtl", "tdm/host_interface_lockstep.yaml", "12us", 8'000, 10'000, {}},
        WindowCase{"on_demand", "tdm/setup_4x4.yaml", "60us", 30'000, 38'000, {}},
        WindowCase{"to_the_end", "tdm/setup_4x4.yaml", "60us", 48'000, 60'000, {}},
        WindowCase{"behind_the_last_cycle", "tdm/setup_4x4.yaml", "60us", 48'255, 60'000, {}},
        WindowCase{"failures_of_circuits", "tdm/setup_faults.yaml", "100us", 55'000, 65'000, {}},
        WindowCase{"bundles", "tdm/setup_bundles.yaml", "40us", 10'000, 20'000, {}},
        WindowCase{"setup_unit", "tdm/setup_unit_lockstep.yaml", "20us", 10'000, 13'000, {}},
        WindowCase{"routers",
                   "packet/iq_mesh_8x8.yaml",
                   "16us",
                   14'000,
                   16'000,
                   {"--set", "qos.levels.data.message=320B", "--set", "run={warm_up: 2us, measure: 20us}"}},
        WindowCase{"routers_in_groups",
                   "packet/dragonfly.yaml",
                   "22us",
                   20'000,
                   22'000,
                   {"--set", "switch.architecture=iq", "--set", "run={warm_up: 2us, measure: 22us}"}},
        WindowCase{
            "levels", "packet/dragonfly.yaml", "22us", 20'000, 22'000, {"--set", "run={warm_up: 2us, measure: 22us}"}},
        WindowCase{"traffic", "optweb/traffic_8.yaml", "260us", 240'000, 248'000, {"--set", "run.measure=200us"}},
        WindowCase{"clocks",
                   "optweb/traffic_8.yaml",
                   "260us",
                   240'000,
                   248'000,
                   {"--set", "run.measure=200us", "--set", "clocks={phase: random, tolerance_ppm: 100}"}},
        WindowCase{"boxes", "optweb/boxes_4.yaml", "18us", 5'000, 9'000, {}},
        WindowCase{"control_rtl", "optweb/switch_control_rtl.yaml", "20us", 8'000, 12'000, {}},
        WindowCase{"failures", "optweb/failures_4.yaml", "130us", 95'000, 125'000, {}}),
    [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace weft::test
