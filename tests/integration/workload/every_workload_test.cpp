// One workload, every fabric: each shipped program, and streams and a trace in the one grammar, run on all families,
// that of examples/own_fabric included. What was sent arrives; what a fabric refuses stands in a table with its
// physical reason. Sizes of programs are 1/256 of the shipped ones, whole ones with WEFT_SOAK.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/diagnostics.h"
#include "cli/families.h"
#include "observe/report.h"
#include "own_fabric/bus.h"
#include "schema/document.h"
#include "support/child.h"
#include "support/places.h"
#include "support/scratch.h"
#include "workload/program_file.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr int kNodes = 16;
constexpr const char* kLevels = "qos: { levels: { short: { message: 64B }, long: { message: 1KiB } } }\n";
constexpr const char* kRun = "run: { warm_up: 20us, measure: 100us, drain: 1ms }\nobserve: { message_log: true }\n";

// By name; 16 nodes each.
const std::map<std::string, std::string>& fabrics() {
  static const std::map<std::string, std::string> all = [] {
    const auto packet = [](const std::string& architecture, const std::string& topology) {
      return "fabric: packet\nswitch: { architecture: " + architecture + " }\ntopology: { " + topology + " }\n";
    };
    const auto tdm = [](const std::string& mode) {
      return "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nsetup: { mode: " + mode +
             " }\nswitch: { slots: 64, lane_payload: 128b }\n";
    };
    return std::map<std::string, std::string>{
        {"ideal", "fabric: ideal\nideal: { nodes: 16, latency: 20cycles }\n"},
        {"bus", "fabric: bus\nbus: { nodes: 16, width: 64B, arbitration: 1cycle }\n"},
        {"ib_torus", packet("ib", "kind: torus, dims: [4, 4]")},
        {"ib_tree", packet("ib", "kind: tree, arity: 4, levels: 2")},
        {"opa_mesh", packet("opa", "kind: mesh, dims: [4, 4]")},
        {"iq_mesh", packet("iq", "kind: mesh, dims: [4, 4]")},
        {"iq_torus", packet("iq", "kind: torus, dims: [4, 4]") + "routing: { ring: dateline }\n"},
        {"tdm_preset", tdm("preset")},
        {"tdm_central", tdm("central")},
        {"tdm_in_network", tdm("in_network")},
        {"optweb", "fabric: optweb\nnodes: 16\n"},
        {"optweb_dragonfly", "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n"}};
  }();
  return all;
}

std::string streams(const std::string& list) { return std::string(kLevels) + "traffic:\n" + list + kRun; }

// Loads are such that no fabric is saturated: OPTWEB nodes take part in one message at a time.
const std::map<std::string, std::string>& traffic() {
  static const std::map<std::string, std::string> all{
      {"uniform", streams("  - { level: short, load: 0.0005 }\n  - { level: long, load: 0.002 }\n")},
      {"permutation", streams("  - { level: long, load: 0.004, destinations: permutation }\n")},
      {"pattern", streams("  - { level: long, load: 0.004, destinations: pattern, pattern: matrix_transpose }\n")},
      {"hot_spot", streams("  - { level: long, load: 0.002, from: [0..7], to: [3, 12..15] }\n")},
      {"connections", streams("  - { level: short, load: 0.0005, source: constant_rate, connections: 2 }\n")},
      {"bursts", streams("  - { level: long, load: 0.002, source: bursts, burst: 4 }\n")},
      {"on_off", streams("  - { level: long, load: 0.002, source: on_off, on: 10us, off: 10us }\n")}};
  return all;
}

const std::vector<std::string> kPrograms = {"ft_16", "graph500_16", "graph500_scale20_16",
                                            "is_16", "mm_16",       "mm_summa_16"};
constexpr const char* kTrace = "trace";

std::vector<std::string> workloads() {
  std::vector<std::string> out = kPrograms;
  for (const auto& [name, yaml] : traffic()) out.push_back(name);
  out.emplace_back(kTrace);
  return out;
}

/// Why a fabric does not take a workload; empty: it does.
std::string refusal(const std::string& /*fabric*/, const std::string& /*workload*/) { return {}; }

// Sizes and times of a program divided by 256, sizes to whole words of 4 bytes.
std::string scaled(const std::string& program) {
  static const std::regex size("size: *([0-9]+)(B|KiB|MiB)");
  std::string out;
  auto rest = program.cbegin();
  for (std::smatch hit; std::regex_search(rest, program.cend(), hit, size); rest = hit.suffix().first) {
    const std::uint64_t unit = hit[2] == "B" ? 1 : hit[2] == "KiB" ? 1024 : 1024 * 1024;
    const std::uint64_t bytes = std::max<std::uint64_t>(1, std::stoull(hit[1]) * unit / 256 / 4) * 4;
    out += hit.prefix().str() + fmt::format("size: {}B", bytes);
  }
  return out + std::string(rest, program.cend());
}

// Bytes that the nodes of a program send to each other, each from its source to its destination.
std::uint64_t bytes_of_program(const ProgramFile& file) {
  std::uint64_t bytes = 0;
  for (const NodeProgram& p : file.programs) {
    for (const ProgramInstruction& i : p.instructions) {
      const std::uint64_t others = i.group.size() - 1;
      switch (i.op) {
        case ProgramOp::alltoall:
        case ProgramOp::allgather:
          bytes += i.at.size() * others * i.bytes;
          break;
        case ProgramOp::broadcast:
        case ProgramOp::gather:
          bytes += others * i.bytes;
          break;
        case ProgramOp::compute:
          break;
        default:
          ADD_FAILURE() << "the shipped programs had no " << to_string(i.op);
      }
    }
  }
  return bytes;
}

struct Result {
  std::string error;  ///< of the check or of the run
  nlohmann::json report;
  std::vector<std::string> messages;  ///< lines of the log
  double figure(const std::string& key) const { return report["figures"]["run"][key]["value"].get<double>(); }
};

Result run(const std::string& yaml) {
  const ChildResult child = in_child([&] {
    Registry registry = cli::builtin_families();
    registry.add(own::bus_family());
    Diagnostics diagnostics;
    nlohmann::json out{{"error", ""}};
    try {
      const auto design = cli::read_design(registry, parse_document(yaml, "t.yaml", "."), "t.yaml", {}, diagnostics);
      const auto plan = design->plan();
      const RunResult r = plan->run({});
      out["error"] = r.failure;
      out["report"] = nlohmann::json::parse(report_json(r.report));
      for (const Artifact& a : r.artifacts) {
        if (a.name == "messages.csv") out["log"] = a.content;
      }
    } catch (const InputError& e) {
      out["error"] = e.what();
    }
    return out.dump();
  });
  Result result;
  EXPECT_TRUE(child.ok) << child.text;
  if (!child.ok) return result;
  const auto json = nlohmann::json::parse(child.text);
  result.error = json["error"];
  if (json.contains("report")) result.report = json["report"];
  std::istringstream log(json.value("log", ""));
  std::string line;
  for (std::getline(log, line); std::getline(log, line);) result.messages.push_back(line);
  return result;
}

class EveryWorkload : public ::testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  const std::string& fabric() const { return GetParam().first; }
  const std::string& workload() const { return GetParam().second; }
  bool is_optweb() const { return fabric().rfind("optweb", 0) == 0; }
  /// OPTWEB compares every byte of every memory with what MPI says, unless there are too many.
  bool compares_data() const { return is_optweb() && is_program() && soak() == 1; }
  bool is_program() const { return std::find(kPrograms.begin(), kPrograms.end(), workload()) != kPrograms.end(); }
  /// The configuration of a fabric with the workload.
  std::string yaml(const std::string& fabric, const ScratchFolder& folder) const {
    std::string network = fabrics().at(fabric);
    if (fabric.rfind("optweb", 0) == 0) network += compares_data() ? "verify: data\n" : "mode: timing\n";
    if (workload() == kTrace) {
      std::string lines = "time_ns,source,destination,level\n";
      for (const std::string& m : trace()) lines += m + "\n";
      return network + kLevels + "trace: " + folder.write("t.csv", lines) + "\n" + kRun;
    }
    if (!is_program()) return network + traffic().at(workload());
    const std::string file = program_file(folder);
    const bool levels = fabric.rfind("tdm", 0) != 0 && fabric.rfind("optweb", 0) != 0;
    return network + (levels ? "qos: { levels: { data: { message: 2KiB } } }\n" : "") + "program_file: " + file + "\n";
  }
  std::string program_file(const ScratchFolder& folder) const {
    const std::string text = slurp(source_dir() + "/configs/workloads/" + workload() + ".yaml");
    return folder.write("program.yaml", soak() > 1 ? text : scaled(text));
  }
  /// Behind the warm-up, so that all of it is measured; every ordered pair once.
  static std::vector<std::string> trace() {
    std::vector<std::string> out;
    int i = 0;
    for (int shift = 1; shift < kNodes; ++shift) {
      for (int from = 0; from < kNodes; ++from, ++i) {
        out.push_back(
            fmt::format("{},{},{},{}", 20'010 + 300 * i, from, (from + shift) % kNodes, i % 3 == 0 ? "long" : "short"));
      }
    }
    return out;
  }
};

TEST_P(EveryWorkload, RunsOrIsRefusedForAReason) {
  const ScratchFolder folder;
  const Result r = run(yaml(fabric(), folder));
  if (const std::string why = refusal(fabric(), workload()); !why.empty()) {
    EXPECT_THAT(r.error, HasSubstr(why));
    return;
  }
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.report["complete"], true);
  if (is_program()) {
    EXPECT_GT(r.figure("time"), 0);
    // OPTWEB executes the program's operations themselves; all others as the same messages as an ideal network.
    if (is_optweb()) {
      const auto sent = static_cast<double>(bytes_of_program(read_program_file(load_document(program_file(folder)))));
      EXPECT_GT(sent, 0);
      if (fabric() == "optweb") {
        EXPECT_EQ(r.figure("bytes"), sent) << "a link between every two nodes";
      } else {
        EXPECT_GE(r.figure("bytes"), sent);
        EXPECT_LE(r.figure("bytes"), 2 * sent) << "at most two hops";
      }
      double words = 0;  // each as received as sent, or the run has failed
      for (const auto& link : r.report["tables"]["links"]["rows"]) words += link["words"].get<double>();
      EXPECT_GE(32 * words, r.figure("bytes"));
      EXPECT_LT(32 * (words - r.figure("transfers")), r.figure("bytes")) << "only last words are not full";
      if (compares_data()) {
        EXPECT_EQ(r.report["figures"]["run"]["verified"]["value"], true);
        EXPECT_GT(r.figure("verified_bytes"), 0);
      }
      return;
    }
    const Result ideal = run(yaml("ideal", folder));
    for (const char* same : {"messages", "bytes", "instructions"})
      EXPECT_EQ(r.figure(same), ideal.figure(same)) << same;
    EXPECT_GT(r.figure("messages"), 0);
    return;
  }
  EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
  EXPECT_EQ(r.report["figures"]["run"]["saturated_levels"]["value"], "none");
  EXPECT_EQ(r.figure("missing"), 0);
  EXPECT_EQ(r.figure("generated"), r.figure("delivered") + r.figure("withdrawn"));
  EXPECT_GT(r.messages.size(), 4U);
  if (workload() != kTrace) return;
  // The log against the file: source, destination and level of each message.
  std::vector<std::string> sent;
  for (const std::string& m : trace()) sent.push_back(m.substr(m.find(',') + 1));
  std::vector<std::string> arrived;
  for (const std::string& line : r.messages) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    arrived.push_back(cells.at(3) + "," + cells.at(4) + "," + cells.at(5));
  }
  std::sort(sent.begin(), sent.end());
  std::sort(arrived.begin(), arrived.end());
  EXPECT_EQ(arrived, sent);
}

std::vector<std::pair<std::string, std::string>> all() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [fabric, yaml] : fabrics()) {
    for (const std::string& workload : workloads()) out.emplace_back(fabric, workload);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Fabrics, EveryWorkload, ::testing::ValuesIn(all()),
                         [](const auto& p) { return p.param.first + "_" + p.param.second; });

}  // namespace
}  // namespace weft::test
