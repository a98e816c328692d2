// `weft dlt` as a user starts it: results, files, pictures, and everything that can be wrong with its input.

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const Arguments kCorner{"dlt", "--topology", "mesh", "--dims", "5,5", "--inject", "corner", "--sigma", "0.3"};

double dlt_figure(const nlohmann::json& report, const std::string& section, const std::string& key) {
  return report["figures"][section][key]["value"].get<double>();
}

nlohmann::json dlt_report(const Arguments& arguments) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(arguments, {"--out", folder.path("out"), "--json"}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, IsEmpty());
  EXPECT_EQ(r.out, slurp(folder.path("out/report.json")));
  return nlohmann::json::parse(r.out);
}

TEST(Dlt, ThreeAnswersSideBySide) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(kCorner, {"--out", folder.path("out")}));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(
      r.out,
      AllOf(HasSubstr("predicted speedup            10.557"), HasSubstr("later than predicted         1.635"),
            HasSubstr("best speedup                 7.667"), HasSubstr("message speedup              7.574"),
            HasSubstr("binding links                2"), HasSubstr("note: the predicted speedup 10.557 is beyond")));
  for (const char* file : {"report.json", "report.html", "nodes.csv", "links.csv", "curve.csv", "curve_shares.csv"}) {
    ASSERT_TRUE(fs::exists(folder.path(std::string("out/") + file))) << file;
  }
  for (const char* picture : {"speedup", "shares", "timing_predicted", "timing_simulated", "timing_messages"}) {
    EXPECT_THAT(slurp(folder.path(std::string("out/") + picture + ".svg")),
                AllOf(HasSubstr("<svg"), HasSubstr("</svg>")));
    EXPECT_TRUE(fs::exists(folder.path(std::string("out/") + picture + ".gp")));
  }
  EXPECT_THAT(slurp(folder.path("out/timing_simulated.svg")), HasSubstr("node 24 (4,4)"));
  EXPECT_THAT(slurp(folder.path("out/nodes.csv")), HasSubstr("predicted_share"));
}

TEST(Dlt, AFileSaysTheSameAsTheOptions) {
  const auto options = dlt_report(kCorner);
  const auto file = dlt_report({"dlt", source_dir() + "/configs/dlt/mesh_5x5.yaml"});
  EXPECT_EQ(options["figures"], file["figures"]);
  EXPECT_EQ(options["tables"], file["tables"]);
  const auto other = dlt_report({"dlt", source_dir() + "/configs/dlt/mesh_5x5.yaml", "--set", "sigma=0.6"});
  EXPECT_NE(dlt_figure(other, "closed_form", "predicted_speedup"),
            dlt_figure(file, "closed_form", "predicted_speedup"));
}

TEST(Dlt, OptionsHaveTheirEffect) {
  const auto torus = dlt_report({"dlt", "--topology", "torus", "--dims", "5,5", "--sigma", "0.3"});
  EXPECT_NEAR(dlt_figure(torus, "closed_form", "predicted_speedup"), 15.892, 1e-3);
  const auto cube = dlt_report({"dlt", "--topology", "hypercube", "--dims", "3", "--sigma", "0.5", "--inject", "5"});
  EXPECT_NEAR(dlt_figure(cube, "closed_form", "predicted_speedup"), 1 + 3 + 3 * 0.5 + 0.25, 1e-12);
  const auto large = dlt_report({"dlt", "--topology", "hypercube", "--dims", "9", "--sigma", "0.5"});
  // 1 + sum over d of C(9, d) / 2^(d-1) = 1 + 2 (1.5^9 - 1)
  EXPECT_NEAR(dlt_figure(large, "closed_form", "predicted_speedup"), 1 + 2 * (std::pow(1.5, 9) - 1), 1e-9);
  const auto inner = dlt_report({"dlt", "--topology", "mesh", "--dims", "5,5", "--sigma", "0.3", "--inject", "2,2"});
  EXPECT_NEAR(dlt_figure(inner, "closed_form", "predicted_speedup"), 15.892, 1e-3);
  const auto whole = dlt_report(with(kCorner, {"--switching", "store_and_forward", "--routes", "least_load"}));
  EXPECT_LT(dlt_figure(whole, "closed_form", "predicted_speedup"), 7);
  EXPECT_TRUE(whole["tables"]["nodes"]["rows"][0]["message_share"].is_null());
  const auto two = dlt_report(with(kCorner, {"--inject", "24"}));
  EXPECT_FALSE(two["figures"].contains("closed_form"));
  EXPECT_THAT(two["notes"][0].get<std::string>(), HasSubstr("one injection point"));
  EXPECT_NEAR(dlt_figure(two, "linear_program", "best_speedup"), 2 + 4 / 0.3, 1e-6);
}

TEST(Dlt, HeterogeneousExample) {
  const auto report = dlt_report({"dlt", source_dir() + "/configs/dlt/two_injections.yaml"});
  EXPECT_FALSE(report["figures"].contains("closed_form"));
  const double best = dlt_figure(report, "linear_program", "best_speedup");
  EXPECT_GT(best, dlt_figure(report, "linear_program", "message_speedup"));
  EXPECT_LE(best, dlt_figure(report, "problem", "speedup_bound"));
  EXPECT_EQ(report["tables"]["links"]["rows"].size(), 62u);  // 64 of the torus, one pair failed
}

TEST(Dlt, LargeMeshInTime) {
  const auto report =
      dlt_report({"dlt", "--topology", "mesh", "--dims", "32,32", "--sigma", "0.1", "--inject", "centre"});
  EXPECT_NEAR(dlt_figure(report, "linear_program", "best_speedup"), 41, 1e-6);
}

TEST(Dlt, SameReportEveryTime) { EXPECT_EQ(dlt_report(kCorner), dlt_report(kCorner)); }

struct WrongDlt {
  std::string name;
  Arguments arguments;
  std::vector<std::string> said;
};

void PrintTo(const WrongDlt& wrong, std::ostream* out) { *out << wrong.name; }

class WrongDltOptions : public ::testing::TestWithParam<WrongDlt> {};

TEST_P(WrongDltOptions, ExitsWith2AndSaysWhy) {
  const ScratchFolder folder;
  const ProgramResult r = weft(with(with({"dlt"}, GetParam().arguments), {"--out", folder.path("out")}));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.out, IsEmpty());
  for (const std::string& said : GetParam().said) EXPECT_THAT(r.err, HasSubstr(said));
  EXPECT_FALSE(fs::exists(folder.path("out")));
}

Arguments mesh(const std::string& dims, const std::string& sigma, const Arguments& more = {}) {
  return with({"--topology", "mesh", "--dims", dims, "--sigma", sigma}, more);
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongDltOptions,
    ::testing::Values(
        WrongDlt{"nothing", {}, {"expected a configuration file or --topology"}},
        WrongDlt{"sigma_zero",
                 mesh("5,5", "0"),
                 {"--sigma 0: error: sigma: expected a decimal number from 0.000001 to 0.999999", "got '0'"}},
        WrongDlt{"sigma_one", mesh("5,5", "1"), {"with at most 6 decimals, got '1'"}},
        WrongDlt{"sigma_nan", mesh("5,5", "nan"), {"with at most 6 decimals, got 'nan'"}},
        WrongDlt{"sigma_seven_places", mesh("5,5", "0.3000001"), {"got '0.3000001'"}},
        WrongDlt{"sigma_text", mesh("5,5", "0.3x"), {"got '0.3x'"}},
        WrongDlt{"sigma_missing", {"--topology", "mesh", "--dims", "5,5"}, {"--topology needs --sigma"}},
        WrongDlt{"all_at_once",
                 {"--topology", "mash", "--dims", "5,5", "--sigma", "2", "--switching", "cutthrough"},
                 {"--topology mash: error: topology: unknown value 'mash' (expected one of: mesh, torus, hypercube); "
                  "did you "
                  "mean 'mesh'?",
                  "--sigma 2: error: sigma: ", "did you mean 'cut_through'?"}},
        WrongDlt{
            "dims_text", mesh("5,x", "0.3"), {"--dims 5,x: error: topology.dims.1: expected a whole number", "'x'"}},
        WrongDlt{"dims_zero", mesh("5,0", "0.3"), {"'0'"}},
        WrongDlt{"dims_missing", {"--topology", "mesh", "--sigma", "0.3"}, {"--topology needs --dims"}},
        WrongDlt{"too_large", mesh("100,100", "0.3"), {"mesh 100x100 has 10000 nodes", "at most 4096"}},
        WrongDlt{"far_too_large", mesh("60000,60000", "0.3"), {"from 1 to 4096, got '60000'"}},
        WrongDlt{
            "torus_of_one", {"--topology", "torus", "--dims", "5,1", "--sigma", "0.3"}, {"from 2 to 4096, got '1'"}},
        WrongDlt{"node_outside", mesh("5,5", "0.3", {"--inject", "25"}), {"node 25 does not exist", "nodes 0..24"}},
        WrongDlt{"place_outside", mesh("5,5", "0.3", {"--inject", "5,0"}), {"there is no node at 5,0 in mesh 5x5"}},
        WrongDlt{"place_short", mesh("5,5,5", "0.3", {"--inject", "1,1"}), {"there is no node at 1,1"}},
        WrongDlt{"place_unknown", mesh("5,5", "0.3", {"--inject", "cornr"}), {"did you mean 'corner'?"}},
        WrongDlt{"no_edge", mesh("2,2", "0.3", {"--inject", "edge"}), {"mesh 2x2 has no edge between corners"}},
        WrongDlt{"twice", mesh("5,5", "0.3", {"--inject", "0", "--inject", "corner"}), {"node 0 (0,0) is named twice"}},
        WrongDlt{
            "cube_dims", {"--topology", "hypercube", "--dims", "2,2", "--sigma", "0.3"}, {"from 1 to 12, got '2,2'"}},
        WrongDlt{"cube_large", {"--topology", "hypercube", "--dims", "13", "--sigma", "0.3"}, {"from 1 to 12"}},
        WrongDlt{"file_and_options", {source_dir() + "/configs/dlt/mesh_5x5.yaml", "--sigma", "0.3"}, {"use --set"}},
        WrongDlt{"set_without_file", mesh("5,5", "0.3", {"--set", "sigma=1"}), {"needs a configuration file"}},
        WrongDlt{"other_fabric",
                 {source_dir() + "/configs/tdm/mesh_4x4.yaml"},
                 {"mesh_4x4.yaml:", "fabric: 'dlt' is expected here", "describes 'tdm'"}},
        WrongDlt{"no_file", {"/nowhere/file.yaml"}, {"/nowhere/file.yaml: error: cannot be read"}}),
    [](const auto& view) { return view.param.name; });

struct WrongDltFile {
  std::string name;
  std::string yaml;
  std::vector<std::string> said;
};

void PrintTo(const WrongDltFile& wrong, std::ostream* out) { *out << wrong.name; }

class WrongDltFiles : public ::testing::TestWithParam<WrongDltFile> {};

// `weft check` must find what `weft dlt` finds.
TEST_P(WrongDltFiles, ExitWith2AndSayWhereAndWhy) {
  const ScratchFolder folder;
  const std::string file = folder.write("in.yaml", GetParam().yaml);
  for (const Arguments& arguments : {Arguments{"dlt", file, "--out", folder.path("out")}, Arguments{"check", file}}) {
    const ProgramResult r = weft(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.out, IsEmpty());
    for (const std::string& said : GetParam().said) EXPECT_THAT(r.err, HasSubstr(said)) << arguments[0];
    EXPECT_FALSE(fs::exists(folder.path("out")));
  }
}

const std::string kDltHead = "fabric: dlt\ntopology: { kind: mesh, dims: [3, 3] }\n";
const std::string kLoad = kDltHead + "sigma: 0.3\ninject: [ { at: corner } ]\n";

INSTANTIATE_TEST_SUITE_P(
    Of, WrongDltFiles,
    ::testing::Values(
        WrongDltFile{"sigma",
                     kDltHead + "sigma: 1.5\ninject: [ { at: corner } ]\n",
                     {"in.yaml:3:8: error: sigma: expected a decimal number from 0.000001 to 0.999999 with"}},
        WrongDltFile{"several",
                     kDltHead + "sigm: 0.5\ninject: [ { at: corner, lod: 3 } ]\nswitching: cut\n",
                     {"in.yaml:3:1: error: unknown key 'sigm'", "did you mean 'sigma'?", "unknown key 'lod'",
                      "in.yaml:5:12: error: switching: unknown value 'cut'"}},
        WrongDltFile{"load_of_one",
                     kDltHead + "sigma: 0.5\ninject: [ { at: '0', load: 1 }, { at: '8' } ]\n",
                     {"in.yaml:4:", "either all injection points have a load or none"}},
        WrongDltFile{"too_large",
                     "fabric: dlt\ntopology: { kind: mesh, dims: [100, 100] }\nsigma: 0.3\ninject: [ { at: '0' } ]\n",
                     {"in.yaml:2:11: error: mesh 100x100 has 10000 nodes"}},
        WrongDltFile{
            "place", kDltHead + "sigma: 0.5\ninject: [ { at: '9' } ]\n", {"in.yaml:4:17: error: inject: node 9"}},
        WrongDltFile{"unknown_node",
                     kLoad + "nodes: { 'sw[9]': { inverse_speed: 2 } }\n",
                     {"in.yaml:5:10: error: there is no sw[9]: mesh 3x3 has sw[0] to sw[8]"}},
        WrongDltFile{
            "speed", kLoad + "nodes: { 'sw[1]': { inverse_speed: 0 } }\n", {"in.yaml:5:36: error: ", "from 0.000001"}},
        WrongDltFile{"no_such_link",
                     kLoad + "links: [ { from: 'sw[0]', to: 'sw[8]', inverse_speed: 2 } ]\n",
                     {"in.yaml:5:10: error: links: no link joins these switches"}},
        WrongDltFile{"failed_speed",
                     kLoad + "links: [ { from: 'sw[0]', to: 'sw[1]', inverse_speed: 2, failed: true } ]\n",
                     {"a failed link has no speed"}},
        WrongDltFile{"cut_off",
                     kLoad + "links: [ { from: 'sw[8]', to: 'sw[0..7]', failed: true } ]\n",
                     {"in.yaml:4:17: error: no link leads from the injection to node 8 (2,2)"}},
        WrongDltFile{
            "nobody", kLoad + "nodes: { 'sw[0..8]': { computes: false } }\n", {"no node of the network computes"}},
        WrongDltFile{
            "named_place_in_a_tree",
            "fabric: dlt\ntopology: { kind: full_mesh, switches: 4 }\nsigma: 0.3\ninject: [ { at: corner } ]\n",
            {"in.yaml:4:17: error: inject: 'corner' has a meaning in a mesh"}}),
    [](const auto& view) { return view.param.name; });

// Programs with factors of such sizes send the simplex method round in circles with its first rules.
TEST(Dlt, LoadsAndSpeedsOfSeveralOrdersOfMagnitude) {
  const std::string begin = "fabric: dlt\nsigma: 0.5\ntopology: { kind: mesh, dims: ";
  const ScratchFolder folder;
  folder.write("grid.yaml", begin +
                                "[4, 3] }\ninject: [ { at: '6', load: 1 }, { at: '3', load: 1 } ]\nlinks:\n"
                                "  - { from: 'sw[5]', to: 'sw[6]', inverse_speed: 0.001 }\n"
                                "  - { from: 'sw[6]', to: 'sw[10]', inverse_speed: 0.00002 }\n");
  // Node 3 in the corner has half of the load, itself and two links of twice the speed of a node.
  EXPECT_NEAR(dlt_figure(dlt_report({"dlt", folder.path("grid.yaml")}), "linear_program", "best_speedup"), 10, 1e-9);
  folder.write("line.yaml", begin +
                                "[4] }\ninject: [ { at: '2', load: 0.000001 }, { at: '0', load: 1 } ]\nnodes:\n"
                                "  'sw[0]': { inverse_speed: 100000 }\n  'sw[2]': { inverse_speed: 7.3 }\n"
                                "  'sw[3]': { inverse_speed: 50000 }\n");
  // As fast as all nodes together, in units of node 2.
  EXPECT_NEAR(dlt_figure(dlt_report({"dlt", folder.path("line.yaml")}), "linear_program", "best_speedup"),
              7.3 * (1e-5 + 1 + 1 / 7.3 + 2e-5), 1e-9);
}

TEST(Dlt, CheckAndRunKnowTheFabric) {
  const std::string file = source_dir() + "/configs/dlt/two_injections.yaml";
  EXPECT_EQ(weft({"check", file}).status, 0);
  EXPECT_THAT(weft({"check", file}).out, HasSubstr("two_injections.yaml: ok"));
  EXPECT_EQ(nlohmann::json::parse(weft({"check", file, "--json"}).out)["ok"], true);
  EXPECT_EQ(weft({"check", file, "--out", "x"}).status, 2);
  const ProgramResult run = weft({"run", file});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("use 'weft dlt'"));
  const ScratchFolder folder;
  const std::string sweep =
      folder.write("sweep.yaml", "sweep: " + file + "\naxes: [ { key: sigma, values: [0.1, 0.2] } ]\n" +
                                     "metrics: { m: { path: figures.problem.sigma } }\n");
  for (const char* command : {"sweep", "check"}) {
    const ProgramResult r = weft({command, sweep});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("sweep.yaml:1:8: error: sweep: fabric 'dlt' is not run"));
  }
}

}  // namespace
}  // namespace weft::test
