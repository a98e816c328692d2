// Time and memory of a check: whatever stands in a file of up to 10 MB, the answer comes in 20 s of processor time and
// 2 GiB on one core.

#include <functional>
#include <nlohmann/json.hpp>

#include "algorithms/slots/circuit_plan.h"
#include "support/patience.h"
#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

const std::string kLimitsMesh = "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\n";
constexpr std::size_t kLargest = 10'000'000;

struct Usage {
  int status = -1;
  double seconds = 0;  ///< of the processor
  double mebibytes = 0;
  std::string said;
};

Usage measured(const ScratchFolder& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"python3", "-c", R"(
import json, os, subprocess, sys
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
said = p.stdout.read()
_, status, used = os.wait4(p.pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024,
                  said.decode(errors='replace')]))
)",
                                   weft_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProgramResult r = run_program(command, {folder.path()});
  const auto json = nlohmann::json::parse(r.out, nullptr, false);
  if (!json.is_array()) return {};
  return {json[0].get<int>(), json[1].get<double>(), json[2].get<double>(), json[3].get<std::string>()};
}

class CountedUsage : public ::testing::Test {
  void SetUp() override {
    if (!kUsageCounts) GTEST_SKIP() << "sanitizers take memory and time of their own";
  }
};
class PlanMemory : public CountedUsage {};
class CheckMemory : public CountedUsage {};
class RunMemory : public CountedUsage {};
class CheckOfASweep : public CountedUsage {};

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string numbered(const std::string& before, const std::string& after, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += before + std::to_string(i) + after;
  return out;
}

struct Hostile {
  std::string name;
  std::function<std::string()> yaml;
  std::string said;
  std::string other;  ///< content of a file `other` that it names
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

class HostileFile : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileFile, IsRefusedInTime) {
  const ScratchFolder folder;
  const std::string yaml = GetParam().yaml();
  ASSERT_LE(yaml.size(), kLargest);
  folder.write("c.yaml", yaml);
  folder.write("other", GetParam().other);
  const Usage used = measured(folder, {"check", "c.yaml"});
  EXPECT_EQ(used.status, 2);
  EXPECT_LT(used.seconds, 20);
  EXPECT_LT(used.mebibytes, 2048);
  EXPECT_THAT(used.said, HasSubstr(GetParam().said));
  EXPECT_LT(used.said.size(), 30'000U);
}

INSTANTIATE_TEST_SUITE_P(
    Of, HostileFile,
    ::testing::Values(
        Hostile{"aliases_of_long_text",
                [] {
                  return kLimitsMesh + "a: &a " + std::string(200'000, 'y') + "\nb: [" + repeated("*a,", 5000) + "]\n";
                },
                "the values of the document have more than 67108864 bytes here",
                {}},
        Hostile{"anchors_around_each_other",
                [] {
                  return kLimitsMesh + "a: " + numbered("&a", " [", 25) + repeated("x, ", 400'000) + repeated("]", 25) +
                         "\n";
                },
                "has more than 500000 values here",
                {}},
        Hostile{"unknown_keys",
                [] { return kLimitsMesh + numbered("switsh", ": 1\n", 100'000); },
                "unknown key 'switsh0' at the top level; did you mean 'switch'?",
                {}},
        Hostile{"unknown_keys_count",
                [] { return kLimitsMesh + numbered("switsh", ": 1\n", 100'000); },
                "(and 99980 more of this kind)",
                {}},
        Hostile{"long_key", [] { return kLimitsMesh + "{ k" + std::string(1000, 'k') + ": 1"; }, "YAML syntax", {}},
        Hostile{"long_quoted_key",
                [] { return "fabric: tdm\n\"" + std::string(1000, 'k') + "\": 1\n"; },
                "kkk... (1000 bytes) ...kkk",
                {}},
        Hostile{"long_value",
                [] { return kLimitsMesh + "pattern: " + std::string(9'900'000, 'k') + "\n"; },
                "kkk... (9900000 bytes) ...kkk",
                {}},
        Hostile{"open_brackets",
                [] { return kLimitsMesh + "a: " + std::string(9'900'000, '['); },
                "c.yaml:3:10004: error: more than 10000 brackets are open here",
                {}},
        Hostile{"taken_away_keys", [] { return "base: other\n" + kLimitsMesh + numbered("k", ": null\n", 100'000); },
                "one of circuits", numbered("k", ": 1\n", 100'000)},
        Hostile{"bases_of_bases", [] { return "base: [" + repeated("other, ", 20) + "]\n" + kLimitsMesh; },
                "unknown key 'x'", "x: {" + numbered("k", ": 1, ", 50'000) + "}\n"},
        Hostile{"ports",
                [] { return std::string("fabric: tdm\ntopology: { kind: file, file: other }\npattern: tornado\n"); },
                "other:1:24: error: 1048576 switches have 8589934592 ports, at most 20000000 are accepted",
                "switches 1048576 ports 8192\nnode 0 0:0\n"},
        Hostile{
            "deadlocks",
            [] {
              return std::string(
                  "fabric: packet\ntopology: { kind: mesh, dims: [128, 128] }\nswitch: { architecture: iq }\n"
                  "routing: { algorithm: up_down }\n"
                  "qos: { levels: { a: { message: 64B } } }\ntraffic: [ { level: a, load: 0.1 } ]\n"
                  "run: { warm_up: 0ns, measure: 1us }\n");
            },
            "c.yaml:2:11: error: looking for deadlocks on mesh 128x128 with 16384 switches would take about 81 s, more "
            "than the 20 s that a check may take (set by --max-time; a run has no such limit)",
            {}},
        Hostile{"routes",
                [] {
                  return std::string("fabric: tdm\ntopology: { kind: full_mesh, switches: 3000 }\npattern: tornado\n");
                },
                "c.yaml:2:11: error: looking for routes to 3000 nodes on 9000000 ports would take about ",
                {}},
        Hostile{"long_programs",
                [] {
                  return "base: " + source_dir() + "/configs/optweb/dragonfly_968.yaml\nprogram: [" +
                         repeated("{ op: alltoall, size: 64B }, ", 255) + "]\n";
                },
                "c.yaml:2:11: error: looking at the addresses of the programs of 968 nodes would take about ",
                {}},
        Hostile{"words_of_a_topology",
                [] { return std::string("fabric: tdm\ntopology: { kind: file, file: other }\npattern: tornado\n"); },
                "reading ends here, after 1000 errors", repeated("switch 1\n", 1'000'000)}),
    [](const auto& test) { return test.param.name; });

// Tornado on an n x n torus: every message goes (n + 1) / 2 - 1 links in each of two dimensions, and two to its nodes.
PlanSize tornado(std::uint64_t n, std::uint64_t slots) {
  const std::uint64_t nodes = n * n;
  return {nodes * 5, slots, nodes, nodes * (2 * ((n + 1) / 2 - 1) + 2)};
}

std::string tornado_yaml(std::uint64_t n, std::uint64_t slots) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: torus, dims: [{0}, {0}] }}\npattern: tornado\nswitch: {{ slots: {1} }}\n", n,
      slots);
}

TEST_F(PlanMemory, IsEstimatedWithinAFactorOfOneAndAHalf) {
  const ScratchFolder folder;
  for (const auto& [n, slots] : {std::pair{50, 256}, std::pair{64, 64}, std::pair{64, 1024}, std::pair{80, 512}}) {
    folder.write("c.yaml", tornado_yaml(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(slots)));
    const Usage used = measured(folder, {"check", "c.yaml"});
    ASSERT_EQ(used.status, 0) << used.said;
    const std::uint64_t bytes = plan_bytes(tornado(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(slots)));
    const double estimate = static_cast<double>(bytes) / (1 << 20);
    EXPECT_LT(used.mebibytes, 1.5 * estimate) << n << " " << slots;
    EXPECT_GT(used.mebibytes, estimate / 1.5) << n << " " << slots;
    const bool told = used.said.find(fmt::format("note: the plan of {} circuits on {} ports needs about ", n * n,
                                                 5 * n * n)) != std::string::npos;
    EXPECT_EQ(told, estimate >= 256) << used.said;
  }
}

TEST(CheckTime, CanBeSet) {
  const ScratchFolder folder;
  folder.write("c.yaml",
               "fabric: packet\ntopology: { kind: mesh, dims: [32, 32] }\nrouting: { algorithm: up_down }\nqos: { "
               "levels: { a: { message: 64B } } }\n"
               "traffic: [ { level: a, load: 0.1 } ]\nrun: { warm_up: 0ns, measure: 1us }\n");
  EXPECT_EQ(measured(folder, {"check", "c.yaml"}).status, 0);
  const Usage less = measured(folder, {"check", "c.yaml", "--max-time", "0.1"});
  EXPECT_EQ(less.status, 2);
  EXPECT_THAT(less.said, HasSubstr("more than the 0.1 s that a check may take"));
  EXPECT_EQ(measured(folder, {"run", "c.yaml"}).status, 0);
}

TEST_F(PlanMemory, IsToldBeforeItIsTaken) {
  const ScratchFolder folder;
  folder.write("c.yaml", tornado_yaml(1000, 1024));
  const Usage used = measured(folder, {"check", "c.yaml"});
  EXPECT_EQ(used.status, 2);
  EXPECT_LT(used.mebibytes, 500);
  EXPECT_LT(used.seconds, 10);
  EXPECT_THAT(used.said,
              HasSubstr("c.yaml:2:11: error: the plan of 1000000 circuits on 5000000 ports would need about "));
  EXPECT_THAT(used.said, HasSubstr("GiB of memory, more than the 2.0 GiB that may be used (set by --max-memory)"));
  folder.write("c.yaml", tornado_yaml(32, 64));
  EXPECT_EQ(measured(folder, {"check", "c.yaml"}).status, 0);
  EXPECT_THAT(measured(folder, {"run", "c.yaml", "--max-memory", "20MiB"}).said, HasSubstr("set by --max-memory"));
}

// What nothing estimates: a document of as many values as are accepted, of which the tree takes more.
TEST_F(CheckMemory, EndsACheckThatPassesIt) {
  const ScratchFolder folder;
  folder.write("c.yaml", kLimitsMesh + "circuits: [" + repeated("x, ", 400'000) + "]\n");
  const Usage used = measured(folder, {"check", "c.yaml", "--max-memory", "100MiB", "--json"});
  EXPECT_EQ(used.status, 2) << used.said;
  EXPECT_LT(used.mebibytes, 140);  // program text is not counted
  const std::string said = "the check needs more than the 100 MiB of memory that may be used (set by --max-memory)";
  EXPECT_THAT(used.said, HasSubstr("c.yaml: error: " + said));
  EXPECT_THAT(used.said, HasSubstr("\"message\": \"" + said + "\""));
}

TEST_F(RunMemory, ThatIsNotThereFailsTheRun) {
  const ScratchFolder folder;
  folder.write("c.yaml", kLimitsMesh + "circuits: [" + repeated("x, ", 400'000) + "]\n");
  const ProgramResult r =
      run_program({"sh", "-c", "ulimit -d 100000; exec \"$0\" run c.yaml", weft_program()}, {folder.path()});
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_EQ(r.err, "error: not enough memory\n");
}

// What nothing estimates: slots of many circuits in a long frame.
TEST(CheckTime, EndsACheckThatPassesIt) {
  const ScratchFolder folder;
  std::string circuits;
  for (int i = 0; i < 20'000; ++i) circuits += fmt::format("{} {} {}\n", i % 4096, (i + 1 + i / 4096 * 1000) % 4096, i);
  folder.write("circuits.txt", circuits);
  folder.write("c.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [64, 64] }\nswitch: { slots: 4096 }\n"
               "slots: { allocator: first_fit }\ncircuits_file: circuits.txt\n");
  const Usage used = measured(folder, {"check", "c.yaml", "--max-time", "0.5", "--json"});
  EXPECT_EQ(used.status, 2) << used.said;
  EXPECT_LT(used.seconds, 1.0);
  EXPECT_THAT(used.said,
              HasSubstr("the check takes more than the 0.5 s that a check may take (set by --max-time; a run "
                        "has no such limit)"));
  EXPECT_THAT(used.said, HasSubstr("\"failure\": \"bad input\""));
}

std::string sweep_of(std::size_t points, const std::string& key) {
  std::string values;
  for (std::size_t i = 1; i <= points; ++i) values += std::to_string(i) + ", ";
  return "sweep: c.yaml\naxes: [ { key: " + key + ", values: [" + values + "] } ]\n" +
         "metrics: { transit: { path: figures.run.transit_max } }\n";
}

TEST_F(CheckOfASweep, EndsWhenManyPointsAreWrong) {
  const ScratchFolder folder;
  folder.write("c.yaml", kLimitsMesh + "pattern: tornado\n");
  folder.write("s.yaml", sweep_of(3000, "switch.slotz"));
  const Usage used = measured(folder, {"check", "s.yaml"});
  EXPECT_EQ(used.status, 2);
  EXPECT_LT(used.seconds, 10);
  EXPECT_THAT(used.said, HasSubstr(" of 3000 points were checked"));
  EXPECT_THAT(used.said, HasSubstr("unknown key 'slotz'"));
}

TEST_F(CheckOfASweep, IsRefusedWhenAllPointsTogetherTakeTooLong) {
  const ScratchFolder folder;
  folder.write("c.yaml", kLimitsMesh + "pattern: tornado\n");
  folder.write("s.yaml", sweep_of(400, "slots.search_iterations"));
  const Usage used = measured(folder, {"check", "s.yaml", "--max-time", "1"});
  EXPECT_EQ(used.status, 2);
  EXPECT_LT(used.seconds, 10);
  EXPECT_THAT(used.said, HasSubstr("checking 400 points would take about "));
  // Also when these are few, each of which is quick enough.
  folder.write("c.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [64, 64] }\nswitch: { slots: 32 }\npattern: tornado\n");
  folder.write("s.yaml", sweep_of(40, "slots.search_iterations"));
  EXPECT_THAT(measured(folder, {"check", "s.yaml", "--max-time", "2"}).said,
              HasSubstr("checking 40 points would take about "));
  folder.write("c.yaml", kLimitsMesh + "pattern: tornado\n");
  folder.write("s.yaml", sweep_of(5, "slots.search_iterations"));
  EXPECT_EQ(measured(folder, {"check", "s.yaml", "--max-time", "1"}).status, 0);
}

}  // namespace
}  // namespace weft::test
