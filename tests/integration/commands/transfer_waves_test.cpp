// Messages as transactions in waveforms: on every fabric with signals one span of text for each message that the log
// has, from its generation to its delivery.

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "support/message_log.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kTransferEnd = 20'000'000;  // ps; the log has the messages that were generated before
constexpr const char* kTransferTraffic =
    "qos: { levels: { short: { message: 64B }, long: { message: 640B } } }\n"
    "run: { warm_up: 0ns, measure: 20us, drain: 100us, settle: false }\nobserve: { message_log: true }\n";
constexpr const char* kTransferLoads = "traffic: [ { level: short, load: 0.02 }, { level: long, load: 0.05 } ]\n";

struct TransferFabric {
  std::string name, yaml;
  std::uint32_t nodes = 0;
};
void PrintTo(const TransferFabric& fabric, std::ostream* out) { *out << fabric.name; }

/// Source, destination, level, begin and end in picoseconds.
using Span = std::tuple<std::uint32_t, std::uint32_t, std::string, std::int64_t, std::int64_t>;

class TransferWaves : public ::testing::TestWithParam<TransferFabric> {
 protected:
  ProgramResult run(const std::string& waves) const {
    const bool loads = GetParam().yaml.find("traffic:") == std::string::npos;
    folder_.write("in.yaml", GetParam().yaml + kTransferTraffic + (loads ? kTransferLoads : ""));
    return weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves=" + waves},
                {folder_.path()});
  }
  Vcd waves() const { return read_fst(folder_.path("w.fst")); }
  // Of one row. A text is there until the row is empty or has the next one.
  static void add_spans(const VcdSignal& row, std::uint32_t node, std::vector<Span>& out) {
    for (std::size_t i = 0; i < row.changes.size(); ++i) {
      const VcdChange& c = row.changes[i];
      if (c.value.empty()) continue;
      std::istringstream words(c.value);
      std::string number, to, level;
      std::uint32_t destination = 0;
      words >> number >> to >> destination >> level;
      EXPECT_EQ(to, "to") << c.value;
      if (c.time >= kTransferEnd) continue;
      ASSERT_LT(i + 1, row.changes.size()) << c.value << " does not end";
      out.emplace_back(node, destination, level, c.time, row.changes[i + 1].time);
    }
  }
  ScratchFolder folder_;
};

TEST_P(TransferWaves, HaveASpanForEachMessage) {
  const ProgramResult r = run("{transfers: {rows: 64}}");
  ASSERT_EQ(r.status, 0) << r.err;
  const Vcd vcd = waves();
  std::vector<Span> spans;
  for (std::uint32_t n = 0; n < GetParam().nodes; ++n) {
    const std::string node = fmt::format("transfers.node[{}].", n);
    for (int row = 0; row < 64; ++row) add_spans(vcd.signal(fmt::format("{}row{}", node, row)), n, spans);
    EXPECT_EQ(vcd.signal(node + "more").number_at(kTransferEnd), 0U);
  }
  std::vector<Span> expected;
  for (const LoggedMessage& m : logged_messages(folder_.path("out/messages.csv"))) {
    if (m.generated < static_cast<std::int64_t>(kTransferEnd))
      expected.emplace_back(m.from, m.to, m.level, m.generated, m.delivered);
  }
  std::sort(spans.begin(), spans.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_GT(expected.size(), 20U);
  EXPECT_EQ(spans, expected);
  EXPECT_THAT(slurp(folder_.path("w.gtkw")), HasSubstr("transfers.node[1].row0\n"));
}

TEST_P(TransferWaves, AreThoseOfTheChosenNodesAndLevels) {
  const ProgramResult r = run("{transfers: {nodes: [2, 1, 2], levels: [long], rows: 1}}");
  ASSERT_EQ(r.status, 0) << r.err;
  const Vcd vcd = waves();
  EXPECT_FALSE(vcd.has("transfers.node[0].row0"));
  EXPECT_FALSE(vcd.has("transfers.node[1].row1"));
  for (const char* node : {"transfers.node[1].", "transfers.node[2]."}) {
    const VcdSignal& row = vcd.signal(std::string(node) + "row0");
    EXPECT_GT(row.changes.size(), 2U);
    for (const VcdChange& c : row.changes) {
      if (!c.value.empty()) {
        EXPECT_THAT(c.value, HasSubstr(" long 640 B"));
      }
      EXPECT_EQ(vcd.signal(std::string(node) + "row0_valid").number_at(c.time), c.value.empty() ? 0U : 1U);
    }
  }
}

TEST_P(TransferWaves, WrongChoicesAreErrors) {
  const auto error = [&](const std::string& waves) {
    const ProgramResult r = run(waves);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error("{transfers: {nodes: [99]}}"),
              HasSubstr("observe.waves.transfers.nodes: expected a node from 0 to "));
  EXPECT_THAT(error("{transfers: {levels: [short, logn]}}"),
              HasSubstr("observe.waves.transfers.levels.1: there is no 'logn'; did you mean 'long'?"));
  EXPECT_THAT(error("{transfers: {rows: 65}}"),
              HasSubstr("observe.waves.transfers.rows: expected a whole number from 1 to 64, got '65'"));
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics, TransferWaves,
    ::testing::Values(
        TransferFabric{"ib", "fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\n", 4},
        TransferFabric{"iq", "fabric: packet\ntopology: { kind: torus, dims: [3] }\nswitch: { architecture: iq }\n", 3},
        TransferFabric{"ideal", "fabric: ideal\nideal: { nodes: 4, latency: 100ns }\n", 4},
        TransferFabric{"tdm",
                       "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\n"
                       "switch: { slots: 4, clock: 100MHz }\n",
                       4},
        TransferFabric{
            "optweb",
            "fabric: optweb\nnodes: 4\ntraffic: [ { level: short, load: 0.004 }, { level: long, load: 0.02 } ]\n", 4}),
    [](const auto& test) { return test.param.name; });

// Instructions of programs: one row of each node has all of them, one behind the other; the last completion of an
// operation is that of the report.
TEST(TransferWavesOfPrograms, HaveTheInstructions) {
  const ScratchFolder folder;
  folder.write(
      "p.yaml",
      "fabric: optweb\nnodes: 4\n"
      "program: [ { op: barrier }, { op: alltoall, size: 4KiB, name: swap }, { op: allgather, size: 64KiB } ]\n");
  const auto run = [&](const std::string& waves) {
    return weft({"run", "p.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves=" + waves},
                {folder.path()});
  };
  ASSERT_EQ(run("{transfers: {rows: 1}}").status, 0);
  const Vcd vcd = read_fst(folder.path("w.fst"));
  std::map<std::string, std::uint64_t> over;  // ps
  for (std::uint32_t n = 0; n < 4; ++n) {
    const VcdSignal& row = vcd.signal(fmt::format("transfers.node[{}].row0", n));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < row.changes.size(); ++i) {
      const std::string& text = row.changes[i].value;
      if (text.empty()) continue;
      if (texts.empty() || texts.back() != text) texts.push_back(text);
      ASSERT_LT(i + 1, row.changes.size()) << text << " does not end";
      over[text] = std::max(over[text], row.changes[i + 1].time);
    }
    EXPECT_THAT(texts, ::testing::ElementsAre("#0 barrier", "#1 alltoall swap", "#2 allgather")) << n;
    EXPECT_EQ(vcd.signal(fmt::format("transfers.node[{}].more", n)).number_at(vcd.last_time()), 0U);
  }
  const auto rows =
      nlohmann::json::parse(slurp(folder.path("out/report.json"))).at("tables").at("instructions").at("rows");
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) {
    const std::string name = row.at("name"), operation = row.at("operation");
    const std::string text =
        fmt::format("#{} {}{}", row.at("instruction").get<int>(), operation, name == operation ? "" : " " + name);
    // It is completed at the end of the cycle in which its row ends.
    const double completed = row.at("completed").get<double>() * 1000;
    EXPECT_EQ(static_cast<double>(over.at(text) + 5'000), completed) << text;
  }
  const ProgramResult last = run("{trigger: {level: alltoall, number: 4}}");
  EXPECT_THAT(last.out, HasSubstr(", alltoall swap, fetched after"));
  EXPECT_THAT(last.out, HasSubstr(fmt::format("completed after {}us",
                                              static_cast<double>(over.at("#1 alltoall swap") + 5'000) / 1e6)));
  EXPECT_THAT(run("{trigger: {level: alltoall, number: 5}}").out, HasSubstr("no message fits observe.waves.trigger"));
}

// A broadcast by all paths is three steps in the sequencers of four nodes, and one instruction in each.
TEST(TransferWavesOfPrograms, CountInstructionsNotTheirSteps) {
  const ScratchFolder folder;
  folder.write("p.yaml", "fabric: optweb\nnodes: 4\nprogram: [ { op: broadcast, size: 64KiB, path: multipath } ]\n");
  const auto run = [&](const std::string& trigger) {
    return weft({"run", "p.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves.trigger=" + trigger},
                {folder.path()});
  };
  const ProgramResult last = run("{level: broadcast, number: 4}");
  ASSERT_EQ(last.status, 0) << last.err;
  const auto row =
      nlohmann::json::parse(slurp(folder.path("out/report.json"))).at("tables").at("instructions").at("rows").at(0);
  const double completed = row.at("completed").get<double>() / 1000;
  EXPECT_THAT(last.out, HasSubstr("instruction 0 of node "));
  EXPECT_THAT(last.out, HasSubstr(fmt::format(", broadcast, fetched after 5ns, completed after {}us", completed)));
  EXPECT_THAT(run("{number: 5}").out, HasSubstr("no message fits"));
  EXPECT_THAT(run(fmt::format("{{latency: {}us}}", completed - 0.1)).out, HasSubstr("around instruction 0"));
}

TEST(OptwebWavesOfAPart, HaveTheChosenNodesAndTime) {
  const ScratchFolder folder;
  folder.write("p.yaml", "fabric: optweb\nnodes: 4\nprogram: [ { op: barrier }, { op: alltoall, size: 4KiB } ]\n");
  const auto run = [&](const std::string& waves) {
    return weft({"run", "p.yaml", "--out", "out", "--waves", "w.fst", "--set", "observe.waves=" + waves},
                {folder.path()});
  };
  ASSERT_EQ(run("{}").status, 0);
  const Vcd whole = read_fst(folder.path("w.fst"));
  ASSERT_EQ(run("{nodes: [2, 1], from: 300ns, until: 900ns}").status, 0);
  const Vcd part = read_fst(folder.path("w.fst"));
  EXPECT_FALSE(part.has("optweb.node[0].sequencer.state"));
  EXPECT_TRUE(whole.has("optweb.node[0].sequencer.state"));
  EXPECT_EQ(part.first_time(), 300'000U);
  EXPECT_LT(part.last_time(), 900'000U);
  EXPECT_GE(part.last_time(), 890'000U);
  for (const char* name : {"optweb.node[1].sequencer.instruction", "optweb.node[2].link[3].out_active"}) {
    for (std::uint64_t t = 300'000; t < 900'000; t += 5'000)
      ASSERT_EQ(part.signal(name).at(t), whole.signal(name).at(t)) << name << " at " << t;
    EXPECT_GT(part.signal(name).changes.size(), 1U);
  }
  EXPECT_EQ(run("{nodes: [4]}").status, 2);
}

}  // namespace
}  // namespace weft::test
