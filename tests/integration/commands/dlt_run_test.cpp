// `weft dlt --run`: shares of a divisible load over simulated networks, against the linear program and sums of the
// differences; program files; wrong input.

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

const Arguments kSmall{"dlt", "--topology", "mesh", "--dims", "3,3", "--inject", "corner", "--sigma", "0.2"};

Json run_report(const Arguments& arguments, const ScratchFolder& folder) {
  const ProgramResult r = weft(with(arguments, {"--out", folder.path("out"), "--json"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  return r.status == 0 ? Json::parse(r.out) : Json();
}

Json run_report(const Arguments& arguments) { return run_report(arguments, ScratchFolder()); }

double network_figure(const Json& report, const char* key) {
  return report["figures"]["network"][key]["value"].get<double>();
}

const Json& answers(const Json& report) { return report["tables"]["network_answers"]["rows"]; }

// An ideal network without overheads, one cycle from node to node; `more`: keys of the section ideal.
std::string ideal(const ScratchFolder& folder, int nodes, const std::string& more = "") {
  return folder.write("ideal.yaml", "fabric: ideal\nideal: { nodes: " + std::to_string(nodes) + more +
                                        " }\nlink: { rate: 100Gb/s, flit: 64B }\n"
                                        "qos: { levels: { l: { message: 2KiB } } }\n"
                                        "traffic: [ { level: l, load: 0.1 } ]\nrun: { measure: 1us }\n"
                                        "endpoints: { send_overhead: 0cycles, receive_overhead: 0cycles }\n");
}

void expect_that_differences_add_up(const Json& report) {
  for (const Json& a : answers(report)) {
    double sum = a["finish"];
    for (const char* part :
         {"one_interface", "whole_messages", "result_order", "flits", "software", "latency", "network"}) {
      sum += a[part].get<double>();
    }
    EXPECT_NEAR(sum, a["simulated"].get<double>(), 1e-6 * sum) << a["answer"];
  }
}

// What the linear program says happens in a network of interfaces alone, but for whole flits and cycles of the
// messages, and a few cycles from node to node.
TEST(DltRun, IdealNetworkFinishesAsTheLinearProgram) {
  for (const Arguments& more :
       {Arguments{}, Arguments{"--rounds", "4"}, Arguments{"--rounds", "3", "--results", "0.5"}}) {
    const ScratchFolder folder;
    const Json report = run_report(with(with(kSmall, {"--run", ideal(folder, 9)}), more), folder);
    expect_that_differences_add_up(report);
    const double cycle = network_figure(report, "cycle");
    const double messages = 8 * network_figure(report, "rounds") + 8;
    for (const Json& a : answers(report)) {
      EXPECT_EQ(a["network"], 0.0) << a["answer"];
      EXPECT_EQ(a["software"], 0.0);
      EXPECT_LE(std::abs(a["flits"].get<double>()), messages * cycle);
      EXPECT_LE(a["latency"].get<double>(), messages * 4 * cycle);
    }
    const Json& best = answers(report).back();
    EXPECT_NEAR(best["simulated"].get<double>(), best["finish"].get<double>(), messages * 5 * cycle);
    EXPECT_NEAR(best["one_interface"].get<double>() + best["whole_messages"].get<double>(), 0,
                1e-5 * best["finish"].get<double>());
  }
}

// Shares that are not made for one interface: results are ready in another order than that of the nodes.
TEST(DltRun, TheOrderOfResultsIsNoMatterOfFlits) {
  const ScratchFolder folder;
  const Json report = run_report({"dlt", "--topology", "mesh", "--dims", "3", "--sigma", "0.3", "--inject", "0",
                                  "--run", ideal(folder, 3), "--load", "64MiB", "--results", "0.5"},
                                 folder);
  expect_that_differences_add_up(report);
  double least = 0;
  for (const Json& a : answers(report)) {
    EXPECT_LE(std::abs(a["flits"].get<double>()), 100.0) << a["answer"];  // a few cycles in 10 ms
    EXPECT_LE(a["result_order"], 0.0) << a["answer"];
    least = std::min(least, a["result_order"].get<double>());
  }
  EXPECT_LT(least, -500'000);
}

// The calculation with overheads and latencies is what the network does, to the cycle.
TEST(DltRun, IdealNetworkWithOverheadsAndLatencies) {
  const ScratchFolder folder;
  const std::string network = ideal(
      folder, 9, ", latency: 300ns, pairs: [ { from: 0, to: 5, latency: 2us }, { from: 3, to: 0, latency: 1us } ]");
  const Json report =
      run_report(with(kSmall, {"--run", network, "--load", "100003B", "--rounds", "2", "--results", "0.3"}), folder);
  for (const Json& a : answers(report)) {
    EXPECT_EQ(a["network"], 0.0) << a["answer"];
    EXPECT_GT(a["latency"].get<double>(), 300);
  }
  expect_that_differences_add_up(report);
}

// No network with one interface at the injection node is faster than the linear program for it.
TEST(DltRun, NoNetworkIsFasterThanTheBestSharesOfOneInterface) {
  for (const char* network : {"ideal", "ib", "opa", "iq", "tdm"}) {
    const Json report = run_report(with(kSmall, {"--run", network, "--load", "64KiB", "--results", "0.1"}));
    ASSERT_EQ(answers(report).size(), 4U) << network;
    expect_that_differences_add_up(report);
    const double best = answers(report).back()["finish"];
    for (const Json& a : answers(report)) EXPECT_GE(a["simulated"].get<double>(), best * (1 - 1e-6)) << network;
    EXPECT_DOUBLE_EQ(network_figure(report, "network_later"), answers(report).back()["simulated"].get<double>() / best);
  }
}

TEST(DltRun, TorusOfEveryKind) {
  for (const char* network : {"iq", "tdm"}) {
    const Json report = run_report({"dlt", "--topology", "torus", "--dims", "3,3", "--sigma", "0.3", "--run", network});
    EXPECT_EQ(report["figures"]["network"]["topology"]["value"], "torus 3x3");
  }
}

// Relays receive nothing; a slow node gets less; a root that does not compute keeps nothing.
TEST(DltRun, NodesOfDifferentSpeed) {
  const ScratchFolder folder;
  const std::string file = folder.write(
      "in.yaml",
      "fabric: dlt\ntopology: { kind: mesh, dims: [3, 3] }\nsigma: 0.2\ninject: [ { at: '0' } ]\n"
      "nodes: { 'sw[0]': { computes: false }, 'sw[4]': { computes: false }, 'sw[8]': { inverse_speed: 3 } }\n"
      "run: { fabric: ideal }\n");
  const Json report = run_report({"dlt", file}, folder);
  std::uint64_t bytes = 0;
  for (const Json& n : report["tables"]["network_nodes"]["rows"]) {
    if (n["answer"] != "interface") continue;
    bytes += n["bytes"].get<std::uint64_t>();
    EXPECT_NE(n["node"], "4 (1,1)");
    if (n["node"] == "0 (0,0)") {
      EXPECT_EQ(n["bytes"], 0);
    }
    if (n["node"] == "8 (2,2)") {
      EXPECT_LT(n["share"].get<double>(), 0.08);
    }
  }
  EXPECT_EQ(bytes, 1U << 20);
}

TEST(DltRun, ProgramFilesRunByThemselves) {
  const ScratchFolder folder;
  const std::string network = ideal(folder, 9);
  const Json report = run_report(with(kSmall, {"--run", network, "--rounds", "2"}), folder);
  const std::string file =
      folder.write("again.yaml",
                   "fabric: ideal\nideal: { nodes: 9 }\nlink: { rate: 100Gb/s, flit: 64B }\n"
                   "qos: { levels: { l: { message: 2KiB } } }\nprogram_file: out/programs_interface.yaml\n"
                   "endpoints: { send_overhead: 0cycles, receive_overhead: 0cycles }\n");
  const ProgramResult r = weft({"run", file, "--json", "--out", folder.path("again")});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(Json::parse(r.out)["figures"]["run"]["time"]["value"], answers(report).back()["simulated"]);
}

TEST(DltRun, PicturesAndSummary) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(kSmall, {"--run", "ib", "--out", folder.path("out")}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("interface speedup"), HasSubstr("network speedup"), HasSubstr("programs_*.yaml")));
  EXPECT_THAT(slurp(folder.path("out/timing_network_interface.svg")), HasSubstr("node 8 (2,2)"));
  EXPECT_THAT(slurp(folder.path("out/network_answers.csv")), HasSubstr("one_interface (ns)"));
}

TEST(DltRun, SameReportEveryTimeAndAgainFromItsReport) {
  const ScratchFolder folder;
  const std::string file = source_dir() + "/configs/dlt/mesh_5x5_network.yaml";
  const Json first = run_report({"dlt", file}, folder);
  EXPECT_EQ(first["tables"], run_report({"dlt", file})["tables"]);
  EXPECT_EQ(first["tables"], run_report({"dlt", folder.path("out/report.json")}, ScratchFolder())["tables"]);
  EXPECT_THAT(answers(first), Each(::testing::Truly([](const Json& a) { return a["simulated"] > 0; })));
}

TEST(DltRun, TooManyMessagesForTheLinearProgram) {
  const ScratchFolder folder;
  const ProgramResult r = weft({"dlt", "--topology", "mesh", "--dims", "8,8", "--sigma", "0.3", "--run", "ideal",
                                "--rounds", "40", "--out", folder.path("out")});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("run: 2520 messages, of 63 nodes in 40 rounds, are more than the 2048"));
}

struct WrongRun {
  std::string name;
  Arguments arguments;
  std::string said;
};

void PrintTo(const WrongRun& wrong, std::ostream* out) { *out << wrong.name; }

class WrongDltRun : public ::testing::TestWithParam<WrongRun> {};

TEST_P(WrongDltRun, ExitsWith2AndSaysWhy) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(with(kSmall, GetParam().arguments), {"--out", folder.path("out")}));
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_THAT(r.err, HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongDltRun,
    ::testing::Values(
        WrongRun{
            "no_file", {"--run", "nowhere.yaml"}, "expected a configuration file or one of ideal, tdm, ib, opa, iq"},
        WrongRun{"nodes",
                 {"--run", source_dir() + "/configs/tdm/mesh_4x4.yaml"},
                 "the load is spread over 9 nodes, one on every switch; the network "},
        WrongRun{"optweb",
                 {"--run", source_dir() + "/configs/optweb/programs.yaml"},
                 "fabric 'optweb' executes programs as instructions of its own"},
        WrongRun{"dlt",
                 {"--run", source_dir() + "/configs/dlt/mesh_5x5.yaml"},
                 "describes no network that can be simulated"},
        WrongRun{"two_injections", {"--run", "ib", "--inject", "8"}, "there are 2"},
        WrongRun{"rounds", {"--run", "ib", "--rounds", "0"}, "run.rounds: expected a whole number from 1 to 64"},
        WrongRun{"results", {"--run", "ib", "--results", "-1"}, "run.results: expected a decimal number"},
        WrongRun{"load", {"--run", "ib", "--load", "12"}, "run.load"},
        WrongRun{"too_long", {"--run", "ideal", "--load", "1000GiB"}, "more than the second that an instruction"},
        WrongRun{"load_alone",
                 {"--load", "1MiB"},
                 "--load 1MiB: error: needs --run, the network that the shares are sent over"}),
    [](const auto& view) { return view.param.name; });

}  // namespace
}  // namespace weft::test
