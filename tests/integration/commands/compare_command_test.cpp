// `weft compare`: differences of configurations and figures, marks of what the confidence intervals do not explain, and
// programs on several networks.

#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr const char* kComparedNet = R"(fabric: packet
topology: { kind: mesh, dims: [4, 4] }
qos: { levels: { data: { message: 512B } } }
traffic: [{ level: data, load: 0.2 }]
run: { warm_up: 10us, measure: 60us, drain: 60us }
)";

class Compare : public ::testing::Test {
 protected:
  ProgramResult call(std::vector<std::string> arguments) {
    return weft(std::move(arguments), {scratch_.path(), 0, {}});
  }
  void run(const std::string& out, std::vector<std::string> settings = {}) {
    scratch_.write("net.yaml", kComparedNet);
    std::vector<std::string> arguments{"run", "net.yaml", "--out", out, "--quiet"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const ProgramResult r = call(arguments);
    ASSERT_EQ(r.status, 0) << r.err;
  }
  ScratchFolder scratch_;
};

TEST_F(Compare, EqualReportsDifferInNothing) {
  run("a");
  run("b");
  const ProgramResult r = call({"compare", "a", "b/report.json"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("no difference"), Not(HasSubstr("latency_mean"))));
}

TEST_F(Compare, QuantitiesAreComparedAndNotTheirUnits) {
  run("a", {"link.rate=100Gb/s", "run.measure=60us"});
  run("b", {"link.rate=100Gbps", "run.measure=60000ns"});
  run("c", {"link.rate=100Gbps", "run.measure=60001ns"});
  EXPECT_THAT(call({"compare", "a", "b"}).out, HasSubstr("no difference"));
  const Json j = Json::parse(call({"compare", "a", "b", "c", "--json"}).out);
  EXPECT_EQ(j["configuration"]["run.measure"], Json({"60us", "60000ns", "60001ns"}));
  EXPECT_FALSE(j["configuration"].contains("link.rate"));
}

// What only the command line says.
TEST_F(Compare, OptionsOfTheCommand) {
  const std::string table = source_dir() + "/configs/packet/table4.yaml";
  ASSERT_EQ(call({"dtable", table, "--out", "optimal", "--quiet"}).status, 0);
  ASSERT_EQ(call({"dtable", table, "--method", "paper", "--out", "paper", "--quiet"}).status, 0);
  const Json j = Json::parse(call({"compare", "optimal", "paper", "--json"}).out);
  EXPECT_EQ(j["configuration"], Json({{"--method", {nullptr, "paper"}}}));
}

TEST_F(Compare, QuantitiesInLists) {
  scratch_.write("optweb.yaml", "fabric: optweb\nnodes: 4\nmeasure: { operations: [scatter], sizes: [64B, 1KiB] }\n");
  EXPECT_EQ(call({"run", "optweb.yaml", "--out", "a", "--quiet"}).status, 0);
  EXPECT_EQ(call({"run", "optweb.yaml", "--out", "b", "--quiet", "--set", "measure.sizes=[512b, 1024B]"}).status, 0);
  EXPECT_EQ(call({"run", "optweb.yaml", "--out", "c", "--quiet", "--set", "measure.sizes=[512b, 1088B]"}).status, 0);
  EXPECT_THAT(call({"compare", "a", "b"}).out, HasSubstr("no difference"));
  EXPECT_THAT(call({"compare", "a", "c"}).out, HasSubstr(R"(["64B","1KiB"]  ["512b","1088B"])"));
}

TEST_F(Compare, FiguresOfOtherUnitsAreNotEqual) {
  run("a");
  Json report = Json::parse(slurp(scratch_.path("a/report.json")));
  report["figures"]["run"]["latency_mean"]["unit"] = "us";
  scratch_.write("us.json", report.dump());
  const ProgramResult r = call({"compare", "a", "us.json"});
  EXPECT_THAT(r.out + r.err, HasSubstr("sections.run.latency_mean does not have the same unit in all reports"));
  EXPECT_THAT(r.out, HasSubstr("figures: 64 of 65 are equal"));
}

TEST_F(Compare, DifferencesAndIntervals) {
  run("a");
  run("b", {"traffic.0.load=0.5"});
  run("c", {"seed=9"});
  const ProgramResult text = call({"compare", "a", "b"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("traffic.0.load  0.2  0.5"), HasSubstr(" *"),
                              HasSubstr("* more than the confidence intervals of both explain")));
  const ProgramResult r = call({"compare", "a", "b", "c", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const Json j = Json::parse(r.out);
  EXPECT_EQ(j["schema"], "weft-compare/1");
  EXPECT_EQ(j["configuration"].size(), 2U);
  EXPECT_EQ(j["configuration"]["traffic.0.load"], Json({"0.2", "0.5", "0.2"}));
  EXPECT_EQ(j["configuration"]["seed"], Json({"1", "1", "9"}));
  const Json& mean = j["figures"]["tables.services[service=data].latency_mean"];
  const double a = mean["values"][0];
  const double b = mean["values"][1];
  EXPECT_DOUBLE_EQ(mean["differences"][1], b - a);
  EXPECT_DOUBLE_EQ(mean["relative"][1], (b - a) / a);
  EXPECT_GT(mean["half_widths"][0], 0);
  EXPECT_EQ(mean["beyond_intervals"], Json({nullptr, true, false}));
  // The report has the same number.
  const Json report = Json::parse(slurp(scratch_.path("b/report.json")));
  EXPECT_EQ(report["tables"]["services"]["rows"][0]["latency_mean"], b);
  // Figures without intervals are not marked, and other tables are compared by the names of their lines.
  EXPECT_EQ(j["figures"]["sections.run.accepted"]["beyond_intervals"][1], nullptr);
  std::size_t links = 0;
  for (const auto& [place, figure] : j["figures"].items()) links += place.starts_with("tables.links[link=") ? 1 : 0;
  EXPECT_GT(links, 40U);
}

TEST_F(Compare, FilesInAFolder) {
  run("a");
  run("b", {"link.rate=40Gb/s", "title='<b> | c'"});
  ASSERT_EQ(call({"compare", "a", "b", "--out", "c", "--html", "page.html"}).status, 0);
  ASSERT_EQ(call({"compare", "a", "b", "--out", "c"}).status, 0) << "its own files it replaces";
  const std::string page = slurp(scratch_.path("c/compare.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("<!doctype html>"), HasSubstr("link.rate"), HasSubstr("\\u003cb> | c"),
                          Not(HasSubstr("<b> | c"))));
  EXPECT_EQ(page, slurp(scratch_.path("page.html")));
  ASSERT_EQ(call({"compare", "a", "b", "--html", "page.html"}).status, 0) << "its own page it replaces";
  scratch_.write("mine.yaml", "fabric: tdm\n");
  const ProgramResult other = call({"compare", "a", "b", "--html", "mine.yaml"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("mine.yaml: error: exists and is not a page of Weft"));
  EXPECT_EQ(slurp(scratch_.path("mine.yaml")), "fabric: tdm\n");
  EXPECT_EQ(Json::parse(slurp(scratch_.path("c/compare.json"))),
            Json::parse(call({"compare", "a", "b", "--json"}).out));
  EXPECT_THAT(slurp(scratch_.path("c/compare.md")), HasSubstr("| link.rate |"));
}

// A flit per cycle is a rate of its own in each of them; rates in Gb/s are compared.
TEST_F(Compare, FlitsOfDifferentRates) {
  run("a");
  run("slower", {"link.rate=50Gb/s"});
  run("longer", {"link.flit=128B", "link.rate=200Gb/s"});
  run("more", {"traffic.0.load=0.3"});
  for (const std::string other : {"slower", "longer"}) {
    const Json j = Json::parse(call({"compare", "a", other, "--json"}).out);
    EXPECT_THAT(j["notes"].dump(), HasSubstr("compare Gb/s, not flits/cycle/node")) << other;
    EXPECT_TRUE(j["figures"]["sections.run.accepted"]["differences"][1].is_null()) << other;
    EXPECT_TRUE(j["figures"]["sections.run.accepted_rate"]["differences"][1].is_number()) << other;
  }
  const Json j = Json::parse(call({"compare", "a", "more", "--json"}).out);
  EXPECT_EQ(j["notes"], Json::array());
  EXPECT_TRUE(j["figures"]["sections.run.accepted"]["differences"][1].is_number());
}

TEST_F(Compare, ProgramsOnSeveralNetworks) {
  scratch_.write("ring.yaml",
                 "nodes: 16\nprogram:\n  - { op: sendrecv, shift: 1, size: 8KiB }\n  - { op: compute, time: 5us }\n");
  const std::string packet = "fabric: packet\nqos: { levels: { data: { message: 4KiB } } }\nprogram_file: ring.yaml\n";
  scratch_.write("torus.yaml", packet + "topology: { kind: torus, dims: [4, 4] }\nrouting: { ring: dateline }\n");
  scratch_.write("switch.yaml", packet + "topology: { kind: tree, arity: 16, levels: 1 }\n");
  scratch_.write("fic.yaml",
                 "fabric: tdm\ntopology: { kind: torus, dims: [4, 4] }\nsetup: { mode: preset }\n"
                 "program_file: ring.yaml\n");
  for (const std::string name : {"torus", "switch", "fic"}) {
    const ProgramResult r = call({"run", name + ".yaml", "--quiet"});
    ASSERT_EQ(r.status, 0) << r.err;
  }
  const ProgramResult text = call({"compare", "out/torus", "out/switch", "out/fic"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("program"), HasSubstr("packet torus 4x4"), HasSubstr("tdm torus 4x4"),
                              HasSubstr("  ring ")));
  const Json j = Json::parse(call({"compare", "out/torus", "out/switch", "out/fic", "--json"}).out);
  const Json report = Json::parse(slurp(scratch_.path("out/fic/report.json")));
  EXPECT_EQ(j["programs"]["times"]["ring"][2], report["figures"]["run"]["time"]["value"]);
  // Of each instruction, whatever its algorithm.
  const std::string latency = "tables.instructions[program=program,instruction=0,name=sendrecv].latency";
  EXPECT_THAT(text.out, HasSubstr(latency));
  EXPECT_EQ(j["figures"][latency]["values"][2], report["tables"]["instructions"]["rows"][0]["latency"]);
  // Two runs of a program on one network differ in something else.
  ASSERT_EQ(call({"run", "torus.yaml", "--out", "out/torus_2", "--set", "link.rate=10Gb/s", "--quiet"}).status, 0);
  EXPECT_FALSE(Json::parse(call({"compare", "out/torus", "out/torus_2", "--json"}).out).contains("programs"));
}

TEST_F(Compare, WhatIsNoReportIsRefused) {
  run("a");
  scratch_.write("list.json", "[1, 2]");
  scratch_.write("text.json", "{\"schema\": \n oh}");
  const auto refused = [&](const std::vector<std::string>& reports, const std::string& why) {
    std::vector<std::string> arguments{"compare"};
    arguments.insert(arguments.end(), reports.begin(), reports.end());
    const ProgramResult r = call(arguments);
    EXPECT_EQ(r.status, 2) << why;
    EXPECT_THAT(r.err, HasSubstr(why));
  };
  refused({"a"}, "expected two reports or more");
  refused({"a", "nowhere"}, "nowhere: error: cannot be read");
  Json report = Json::parse(slurp(scratch_.path("a/report.json")));
  report["tables"]["services"]["columns"][1]["key"] = 5;
  scratch_.write("number.json", report.dump());
  refused({"a", "number.json"}, "number.json: error: tables.services: is not what a report has there");
  refused({"a", "list.json"}, "list.json: error: is no report: expected the key schema with 'weft-report/2'");
  refused({"a", "text.json"}, "text.json:2:");
  scratch_.write("large.json", "{\"title\": \"\\\"1e400\", \"schema\":\n 1e400}");
  refused({"a", "large.json"}, "large.json:2:2: error: expected a report (JSON): 1e400 is too large for a number");
  Json wrong = Json::parse(slurp(scratch_.path("a/report.json")));
  wrong["title"] = 7;
  scratch_.write("wrong.json", wrong.dump());
  refused({"a", "wrong.json"}, "wrong.json: error: title: expected a value of type string, got number");
  wrong["title"] = "a";
  wrong["figures"]["run"] = 7;
  scratch_.write("wrong.json", wrong.dump());
  refused({"wrong.json", "a"}, "wrong.json: error: figures.run: is not what a report has there");
  refused({"a", "net.yaml"}, "net.yaml:1:");
  refused({}, "reports is required");
  const ProgramResult r = call({"compare", "a", "nowhere", "--json"});
  EXPECT_EQ(Json::parse(r.out)["ok"], false);
}

}  // namespace
}  // namespace weft::test
