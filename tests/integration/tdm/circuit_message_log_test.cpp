// The message log of circuits with sources of their own: one line per message and destination, and the numbers of the
// report from it.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

#include "support/scratch.h"
#include "support/tdm_runs.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using nlohmann::json;

struct CircuitMessage {
  double generated, sent, delivered;
  std::string source, destination, phase, circuit;
  int words;
};

std::vector<CircuitMessage> log_of(const Outcome& run) {
  EXPECT_EQ(run.error + run.failure, "");
  std::istringstream log(run.messages);
  std::string line;
  std::getline(log, line);
  EXPECT_EQ(line, "generated (ns),sent (ns),delivered (ns),source,destination,phase,job,flow,words");
  std::vector<CircuitMessage> out;
  while (std::getline(log, line)) {
    std::vector<std::string> c;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) c.push_back(cell);
    out.push_back(
        {std::stod(c.at(0)), std::stod(c.at(1)), std::stod(c.at(2)), c[3], c[4], c.at(5), c.at(7), std::stoi(c.at(8))});
  }
  EXPECT_TRUE(std::is_sorted(out.begin(), out.end(), [](const CircuitMessage& a, const CircuitMessage& b) {
    return a.delivered < b.delivered ||
           (a.delivered == b.delivered && std::stoi(a.destination) < std::stoi(b.destination));
  }));
  return out;
}

double mean(const std::vector<CircuitMessage>& messages, const std::function<double(const CircuitMessage&)>& of) {
  return std::accumulate(messages.begin(), messages.end(), 0.0,
                         [&](double sum, const CircuitMessage& m) { return sum + of(m); }) /
         static_cast<double>(messages.size());
}

// Latency and its queueing are means over the lines, and each circuit has as many as the report says.
void expect_report(const Outcome& run, const std::vector<CircuitMessage>& messages) {
  EXPECT_NEAR(mean(messages, [](const auto& m) { return m.delivered - m.generated; }),
              run.figure("run", "latency_mean").get<double>(), 1e-6);
  EXPECT_NEAR(mean(messages, [](const auto& m) { return m.sent - m.generated; }),
              run.figure("run", "queueing").get<double>(), 1e-6);
}

constexpr const char* kLoggedMesh =
    "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 8 }\nseed: 3\n"
    "observe: { message_log: true }\n";

TEST(CircuitMessageLog, HasEveryMeasuredMessageOfEachPhase) {
  const Outcome run = run_yaml(std::string(kLoggedMesh) + R"(
setup: { mode: preset }
phases:
  - name: first
    circuits:
      - { flow: one, source: 0, destination: 8 }
      - { flow: many, source: 4, destinations: [0, 2, 6] }
    sources: { arrivals: poisson, interval: 2us, message: 1020b }
  - name: second
    circuits: [{ flow: back, source: 8, destination: 0 }]
    sources: { arrivals: periodic, interval: 1us, message: 340b, messages: 40 }
run: { warm_up: 10us, measure: 100us }
)");
  const std::vector<CircuitMessage> messages = log_of(run);
  std::map<std::string, std::map<std::string, std::int64_t>> lines;  // by phase and circuit
  for (const CircuitMessage& m : messages) {
    ++lines[m.phase][m.circuit];
    EXPECT_LE(m.generated, m.sent);
    EXPECT_LT(m.sent, m.delivered);
    EXPECT_EQ(m.words, m.phase == "first" ? 3 : 1);
  }
  std::map<std::string, std::map<std::string, std::int64_t>> told;
  for (const json& row : run.table("circuits")) {
    told[row["phase"].get<std::string>()][row["flow"].get<std::string>()] += row["messages"].get<std::int64_t>();
  }
  EXPECT_EQ(lines, told);
  EXPECT_GT(lines["first"]["many"], 60);
  EXPECT_EQ(lines["first"]["many"] % 3, 0);
  EXPECT_GT(lines["second"]["back"], 20);
}

TEST(CircuitMessageLog, GivesTheLatenciesOfTheReport) {
  for (const char* setup : {"preset", "in_network"}) {
    const Outcome run = run_yaml(std::string(kLoggedMesh) + "setup: { mode: " + setup + R"( }
circuits:
  - { flow: a, source: 0, destination: 8 }
  - { flow: b, source: 3, destination: 5 }
  - { flow: c, source: 7, destination: 1 }
sources: { arrivals: poisson, interval: 1500ns, message: 1360b }
run: { warm_up: 5us, measure: 200us }
)");
    const std::vector<CircuitMessage> messages = log_of(run);
    EXPECT_GT(messages.size(), 300U) << setup;
    expect_report(run, messages);
    EXPECT_GE(std::min_element(messages.begin(), messages.end(),
                               [](const auto& a, const auto& b) { return a.generated < b.generated; })
                  ->generated,
              5000)
        << "messages of the warm-up are not measured";
  }
}

// The log and the waveform with messages as transactions, of circuits that come and go: both have all of them.
TEST(CircuitMessageLog, StandsBesideTheWaveform) {
  const ScratchFolder folder;
  for (const char* setup : {"preset", "in_network"}) {
    const Outcome run =
        run_yaml(std::string("fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 8 }\n"
                             "observe: { message_log: true, waves: { transfers: {} } }\n") +
                     "setup: { mode: " + setup + R"( }
circuits: [{ flow: a, source: 0, destination: 8 }]
sources: { arrivals: periodic, interval: 2us, message: 340b, messages: 5 }
run: { warm_up: 0us }
)",
                 {}, [&](TdmRunOptions& options) { options.waves = folder.path("w.fst"); });
    EXPECT_EQ(log_of(run).size(), 5U) << setup;
    const Vcd waves = read_fst(folder.path("w.fst"));
    const auto row = std::find_if(waves.names().begin(), waves.names().end(),
                                  [](const std::string& name) { return name.find("transfers") != std::string::npos; });
    ASSERT_NE(row, waves.names().end()) << setup;
    EXPECT_GT(waves.signal(*row).changes.size(), 5U) << setup << " " << *row;
  }
}

}  // namespace
}  // namespace weft::test
