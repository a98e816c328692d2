// Results on a full disk: the exit status is 1, the message names the file and the reason, nothing that is not whole
// has its final name. Disks are small ones of memory, mounted where only the test sees them; where mounting is not
// allowed, the largest size of a file stands for them.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTdm = R"(
fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
pattern: tornado
sources: { arrivals: poisson, interval: 6us, message: 400B }
run: { measure: 2ms }
)";
constexpr const char* kPacket = R"(
fabric: packet
topology: { kind: torus, dims: [8, 8] }
qos: { levels: { a: { message: 64B } } }
traffic: [ { level: a, load: 0.7 } ]
run: { warm_up: 0ns, measure: 10us, drain: 10us }
)";
constexpr const char* kSetup = R"(
fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
setup: { mode: in_network }
circuits: [ { source: 0, destination: 15 } ]
sources: { message: 400B, messages: 3 }
)";
constexpr const char* kPrograms = R"(
fabric: packet
topology: { kind: torus, dims: [4, 4] }
qos: { levels: { a: { message: 64B } } }
routing: { ring: dateline }
program: [ { op: alltoall, size: 64B } ]
)";
constexpr const char* kOptweb =
    "fabric: optweb\nnodes: 8\nsequencer: { implementation: rtl }\nmeasure: { operations: [alltoall], sizes: [1MiB] "
    "}\n";

// `command` in a shell whose processes see a disk of `kib` KiB at "disk"; status 77 when there cannot be one.
ProgramResult on_small_disk(const ScratchFolder& folder, int kib, const std::string& command) {
  fs::create_directories(folder.path("disk"));
  // The files are copied out so that the test can look at them.
  const std::string script = fmt::format(
      "mount -t tmpfs -o size={}k tmpfs disk 2>/dev/null || exit 77; {}; status=$?; mkdir kept; cp -a disk/. kept; "
      "exit $status",
      kib, command);
  for (const std::string user : {"-m", "-Urm"}) {
    const ProgramResult r = run_program({"unshare", user, "sh", "-c", script}, {folder.path()});
    if (r.status != 77 && r.err.find("unshare:") == std::string::npos) return r;
  }
  return {77, "", ""};
}

// The same without a file longer than that: writes fail there, as on a disk that is full.
ProgramResult with_short_files(const ScratchFolder& folder, int kib, const std::string& command) {
  return run_program({"bash", "-c", fmt::format("trap '' XFSZ; ulimit -f {}; exec {}", kib, command)}, {folder.path()});
}

struct Disk {
  std::string name;
  const char* yaml;
  int kib;
  const char* measure = nullptr;  // instead of the configuration's time
};
void PrintTo(const Disk& d, std::ostream* out) { *out << d.name; }
std::string name_of(const ::testing::TestParamInfo<Disk>& info) { return info.param.name; }

class WavesOnDisk : public ::testing::TestWithParam<Disk> {
 protected:
  void SetUp() override { folder_.write("in.yaml", GetParam().yaml); }
  void expect_failure(const ProgramResult& r, const std::string& reason, const fs::path& place) const {
    EXPECT_EQ(r.status, 1) << r.err;
    EXPECT_THAT(r.err, AllOf(HasSubstr("w.fst: the waveform cannot be written: " + reason), HasSubstr("w.fst.part")));
    EXPECT_THAT(r.out, Not(HasSubstr("gtkwave")));
    EXPECT_THAT(slurp(folder_.path("out/report.json")), HasSubstr("the waveform cannot be written"));
    EXPECT_TRUE(fs::exists(place / "w.fst.part"));
    EXPECT_FALSE(fs::exists(place / "w.fst"));
    EXPECT_FALSE(fs::exists(place / "w.gtkw"));
  }
  ScratchFolder folder_;
};

class FullDisk : public WavesOnDisk {};
class ShortFiles : public WavesOnDisk {};

TEST_P(FullDisk, IsAFailureOfTheRun) {
  const std::string command = weft_program() + " run in.yaml --out out --waves disk/w.fst";
  const ProgramResult r = on_small_disk(folder_, GetParam().kib, command);
  if (r.status == 77) GTEST_SKIP() << "nothing can be mounted here; the tests of ShortFiles see the same errors";
  expect_failure(r, "No space left on device", folder_.path("kept"));
}

// From a disk without any room to one that is full at the end; FST files are written in blocks, and their end when they
// are closed.
INSTANTIATE_TEST_SUITE_P(Waves, FullDisk,
                         ::testing::Values(Disk{"tdm_at_the_beginning", kTdm, 4}, Disk{"tdm_at_the_end", kTdm, 300},
                                           Disk{"setup_at_the_beginning", kSetup, 4},
                                           Disk{"packet_at_the_beginning", kPacket, 4},
                                           Disk{"programs_at_the_beginning", kPrograms, 4},
                                           Disk{"packet_between", kPacket, 1024},
                                           Disk{"optweb_at_the_beginning", kOptweb, 16}),
                         name_of);

TEST_P(ShortFiles, AreAFailureOfTheRun) {
  const std::string command =
      fmt::format("{} run in.yaml --out out --waves w.fst --set run.measure={}", weft_program(), GetParam().measure);
  expect_failure(with_short_files(folder_, GetParam().kib, command), "File too large", folder_.path());
}

// The page of a report, of 1.2 MiB, has its place where these waveforms have none.
INSTANTIATE_TEST_SUITE_P(Waves, ShortFiles,
                         ::testing::Values(Disk{"tdm_at_the_end", kTdm, 2048, "16ms"},
                                           Disk{"packet_between", kPacket, 2048, "30us"}),
                         name_of);

// The first changes are written after some microseconds: the run ends there, not after its 2 ms.
TEST(FullDiskRun, EndsWhenTheWavesDo) {
  const ScratchFolder folder;
  folder.write("in.yaml", kPacket);
  const ProgramResult r = with_short_files(
      folder, 2048, weft_program() + " run in.yaml --out out --waves w.fst --json --set run.measure=2ms");
  EXPECT_EQ(r.status, 1) << r.err;
  const auto report = nlohmann::json::parse(r.out);
  EXPECT_EQ(report["complete"], false);
  EXPECT_LT(report["figures"]["run"]["cycles"]["value"].get<int>(), 40'000) << "of 390,000";
}

// What is written at the end goes to a disk that is full by then.
TEST(FullDiskRun, OfReports) {
  const ScratchFolder folder;
  folder.write("in.yaml", kPacket);
  const ProgramResult r = on_small_disk(folder, 8, weft_program() + " run in.yaml --out disk/out");
  if (r.status == 77) GTEST_SKIP() << "nothing can be mounted here; FullDiskRun.ShortReports tests the same errors";
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, ::testing::ContainsRegex("error: disk/out/[a-z_.]+: cannot be written: No space left on device"));
  EXPECT_FALSE(fs::exists(folder.path("kept/out/report.json")));
  for (const auto& entry : fs::directory_iterator(folder.path("kept/out"))) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".part")));
  }
}

TEST(FullDiskRun, ShortReports) {
  const ScratchFolder folder;
  folder.write("in.yaml", kPacket);
  const ProgramResult r = with_short_files(folder, 4, weft_program() + " run in.yaml --out out");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, ::testing::ContainsRegex("error: out/[a-z_.]+: cannot be written: File too large"));
  EXPECT_FALSE(fs::exists(folder.path("out/report.json")));
}

TEST(FullDiskRun, OfSlotTraces) {
  const ScratchFolder folder;
  folder.write("in.yaml", kTdm);
  const ProgramResult r =
      with_short_files(folder, 2048, weft_program() + " run in.yaml --out out --set observe.slot_trace=true");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("slot_trace.csv: cannot be written: File too large"));
  EXPECT_FALSE(fs::exists(folder.path("out/slot_trace.csv")));
  EXPECT_THAT(slurp(folder.path("out/report.json")), HasSubstr("slot_trace.csv: cannot be written"));
}

TEST(FullDiskRun, OfSchedules) {
  const ScratchFolder folder;
  const ProgramResult r = with_short_files(folder, 1, weft_program() + " alltoall --n 8 --out out");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("cannot be written: File too large"));
}

}  // namespace
}  // namespace weft::test
