// Waves of circuits with sources of their own: messages as transactions, and the time around a message, held against
// the tables of the report and the trace of slots.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

struct OwnSources {
  std::string name, config;
  std::vector<std::string> set;
  std::string table;  // one row for each destination of a circuit
};
void PrintTo(const OwnSources& sources, std::ostream* out) { *out << sources.name; }

class CircuitWaves : public ::testing::TestWithParam<OwnSources> {
 protected:
  ProgramResult run(const std::vector<std::string>& set) const {
    std::vector<std::string> arguments{
        "run", source_dir() + "/configs/tdm/" + GetParam().config, "--out", "out", "--waves", "w.fst"};
    for (const auto* all : {&GetParam().set, &set}) {
      for (const std::string& s : *all) arguments.insert(arguments.end(), {"--set", s});
    }
    return weft(arguments, {folder_.path()});
  }
  // Rows of the table of circuits, which name a circuit, its source and a destination.
  Json rows() const {
    return Json::parse(slurp(folder_.path("out/report.json"))).at("tables").at(GetParam().table).at("rows");
  }
  // Of flows, which have a row for all of them.
  static std::size_t destinations(const Json& row) {
    const Json& at = row.at("destination");
    if (!at.is_string()) return 1;
    const auto text = at.get<std::string>();
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
  }
  ScratchFolder folder_;
};

// Number of a message from its circuit's name, and the words behind it.
const std::regex kTransaction(R"((\S+) #(\d+) to .* (\d+) words)");

TEST_P(CircuitWaves, HaveATransactionForEachMessage) {
  const ProgramResult r = run({R"(observe.waves={switches: ["sw[0]"], transfers: {rows: 32}})"});
  ASSERT_EQ(r.status, 0) << r.err;
  const Vcd vcd = read_fst(folder_.path("w.fst"));
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> shown;  // by circuit and source
  for (const std::string& name : vcd.names()) {
    std::smatch node;
    if (!std::regex_match(name, node, std::regex(R"(transfers\.node\[(\d+)\]\.row\d+)"))) continue;
    const VcdSignal& row = vcd.signal(name);
    for (std::size_t i = 0; i < row.changes.size(); ++i) {
      std::smatch text;
      if (row.changes[i].value.empty()) continue;
      ASSERT_TRUE(std::regex_match(row.changes[i].value, text, kTransaction)) << row.changes[i].value;
      ++shown[{text[1], std::stoul(node[1])}];
      ASSERT_LT(i + 1, row.changes.size()) << row.changes[i].value << " does not end";
    }
  }
  // A message to several destinations is one; circuits of another phase may have the same name.
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> expected;
  for (const Json& row : rows()) {
    const std::string phase = row.value("phase", "main");
    const auto count = row.at("messages").get<std::uint64_t>() / destinations(row);
    if (count == 0) continue;
    std::uint64_t& most =
        expected[{(phase == "main" ? "" : phase + "/") + row.at("flow").get<std::string>(), row.at("source")}];
    most = std::max(most, count);
  }
  EXPECT_GT(expected.size(), 2U);
  EXPECT_EQ(shown, expected);
}

// The slowest message of each circuit and destination: its latency is that of the report, its last word leaves the
// last switch a fixed time before it has arrived.
TEST_P(CircuitWaves, FindTheSlowestMessage) {
  ASSERT_EQ(run({"observe.waves.switches=[\"sw[0]\"]"}).status, 0);
  const Json all = rows();
  std::size_t found = 0;
  for (const Json& row : all) {
    if (row.at("messages") == 0 || ++found > 4) continue;
    const double slowest = row.at("latency_max").get<double>();  // ns
    const auto trigger = [&](double longer) {
      const Json& to = row.at("destination");
      const std::string one =
          destinations(row) > 1 ? "" : "destination: " + (to.is_string() ? to.get<std::string>() : to.dump()) + ", ";
      return fmt::format("observe.waves={{switches: [\"sw[0]\"], trigger: {{source: {}, {}latency: {}ns}}}}",
                         row.at("source").dump(), one, longer);
    };
    const ProgramResult r = run({trigger(slowest - 1)});
    ASSERT_EQ(r.status, 0) << r.err;
    std::smatch told;
    const std::regex text(
        R"(message (\d+) of '(\S+)' from node (\d+) to node (\d+), generated after ([^,]+), delivered after (\S+))");
    ASSERT_TRUE(std::regex_search(r.out, told, text)) << r.out;
    EXPECT_THAT(told[2].str(), ::testing::EndsWith(row.at("flow").get<std::string>()));
    const auto ns = [](const std::string& time) {
      std::size_t end = 0;
      const double value = std::stod(time, &end);
      const std::string unit = time.substr(end);
      return value * (unit == "ps" ? 1e-3 : unit == "ns" ? 1 : unit == "us" ? 1e3 : 1e6);
    };
    EXPECT_NEAR(ns(told[6]) - ns(told[5]), slowest, 1e-3) << told[0];
    const Vcd part = read_fst(folder_.path("w.fst"));
    EXPECT_LE(static_cast<double>(part.first_time()), ns(told[5]) * 1000);
    EXPECT_GE(static_cast<double>(part.last_time()), ns(told[6]) * 1000);
    EXPECT_THAT(run({trigger(slowest)}).out, HasSubstr("the waveform is empty: no message fits")) << row;
  }
  EXPECT_GE(found, 3U);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, CircuitWaves,
    ::testing::Values(OwnSources{"planned", "mesh_4x4.yaml", {"run={warm_up: 0ns, measure: 30us}"}, "circuits"},
                      OwnSources{"phases", "phases_8x8.yaml", {"run.warm_up=0ns", "sources.messages=3"}, "circuits"},
                      OwnSources{"set_up", "setup_multicast.yaml", {"run.warm_up=0ns"}, "flows"},
                      OwnSources{"faults", "setup_faults.yaml", {"run.warm_up=0ns"}, "flows"}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace weft::test
