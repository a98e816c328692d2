// weft dtable as its users see it: what it prints and writes, and what it says about requests that cannot be met.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

const std::string kTable4 = source_dir() + "/configs/packet/table4.yaml";

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Dtable, WritesTheTableOfThePaper) {
  const ScratchFolder folder;
  const ProgramResult result = weft({"dtable", kTable4, "--method", "paper", "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out, AllOf(StartsWith("Table 4, method paper\n"), HasSubstr("w paper                      3\n"),
                                HasSubstr("largest error paper          512.582 ppm"),
                                HasSubstr("largest error optimal        392.927 ppm")));
  const auto csv = lines(content(folder.path("out/table.csv")));
  ASSERT_EQ(csv.size(), 65U);
  EXPECT_EQ(csv[0], "index,sl,name,weight (credits)");
  EXPECT_EQ(csv[2], "1,1,VO,11");
  EXPECT_EQ(csv[64], "63,6,BK,17");
  const auto yaml = lines(content(folder.path("out/table.yaml")));
  ASSERT_EQ(yaml.size(), 4U + 64U);
  EXPECT_EQ(yaml[1], "qos:");
  EXPECT_EQ(yaml[2], "  dtable:");
  EXPECT_EQ(yaml[3], "    table:");
  EXPECT_EQ(yaml[5], "      - { sl: 1, weight: 11 }  # 1 VO");
  EXPECT_THAT(content(folder.path("out/report.html")), HasSubstr("Table 4"));
  EXPECT_THAT(content(folder.path("out/report.json")), Not(HasSubstr("seed")));
  EXPECT_TRUE(fs::exists(folder.path("out/service_levels.csv")));
}

TEST(Dtable, SaysTheSameInJsonAndInFiles) {
  const ScratchFolder folder;
  const ProgramResult result = weft({"dtable", kTable4, "--json", "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, content(folder.path("out/report.json")));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["figures"]["table"]["k"]["value"], 0.5);
  EXPECT_EQ(json["figures"]["table"]["w"]["value"], 2.8);
  EXPECT_EQ(json["figures"]["table"]["largest_weight"]["value"], 89);
  const auto& levels = json["tables"]["service_levels"]["rows"];
  ASSERT_EQ(levels.size(), 7U);
  std::vector<int> totals(7, 0);
  for (const auto& entry : json["tables"]["table"]["rows"]) {
    totals[entry["sl"].get<std::size_t>()] += entry["weight"].get<int>();
  }
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(levels[i]["total_weight"], totals[i]);
    EXPECT_EQ(levels[i]["total_weight"], levels[i]["total_weight_optimal"]);
    EXPECT_DOUBLE_EQ(levels[i]["wait_time"], levels[i]["wait"].get<double>() * 5.12);  // 64 B at 12.5 GB/s
  }
}

// Section 4.1 and figure 4 of the paper: Table 4's entries in the high-priority table, in the low-priority one 16
// deficits, 47 entries that are wasted, and the accumulated weight. The largest sum is CL's 94 + 31 (2048 B are 32).
TEST(Dtable, WritesTheTablesOfAnInfiniBandPort) {
  const ScratchFolder folder;
  const ProgramResult result = weft({"dtable", kTable4, "--method", "paper", "--json", "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto csv = lines(content(folder.path("out/ib_tables.csv")));
  ASSERT_EQ(csv.size(), 1U + 64 + 64);
  EXPECT_EQ(csv[0], "table,entry,vl,weight,holds");
  EXPECT_EQ(csv[2], "high,1,1,11,entry 1 of the Deficit Table");
  EXPECT_EQ(csv[64], "high,63,6,17,entry 63 of the Deficit Table");
  EXPECT_EQ(csv[65], "low,0,0,0,deficit of SL 0");
  EXPECT_EQ(csv[80], "low,15,0,0,deficit of SL 15");
  EXPECT_EQ(csv[128], "low,63,0,0,accumulated weight");
  for (std::size_t i = 0; i < 47; ++i) EXPECT_EQ(csv[81 + i], fmt::format("low,{},0,0,unused", 16 + i));
  const auto json = nlohmann::json::parse(result.out);
  const auto& figures = json["figures"]["ib_tables"];
  EXPECT_EQ(figures["fits_ib_tables"]["value"], "yes");
  EXPECT_EQ(figures["unused_low_entries"]["value"], 47);
  EXPECT_EQ(figures["can_saturate_8_bits"]["value"], "none");
  EXPECT_EQ(figures["never_saturate"]["value"], 7);
  EXPECT_EQ(json["tables"]["service_levels"]["rows"][3]["largest_counter"], 94 + 31);
  EXPECT_THAT(json["notes"].dump(), Not(HasSubstr("InfiniBand")));
}

TEST(Dtable, SaysWhyThereAreNoTablesForInfiniBand) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& gmtu) {
    // One SL of the whole link: each of its two entries has one of its largest messages.
    const std::string file = folder.write("r.yaml", "entries: 2\ngmtu: " + gmtu +
                                                        "\nservice_levels:\n  - { name: a, sl: 15, distance: 1, share: "
                                                        "1, mtu: " +
                                                        gmtu + " }\n");
    const ProgramResult r = weft({"dtable", file, "--json", "--out", folder.path("out")});
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out);
  };
  const auto fits = run("8192B");  // 128 credits: 128 + 127 = 255
  EXPECT_EQ(fits["figures"]["ib_tables"]["can_saturate_8_bits"]["value"], "none");
  EXPECT_EQ(fits["figures"]["ib_tables"]["never_saturate"]["value"], 8);
  EXPECT_TRUE(fs::exists(folder.path("out/ib_tables.csv")));
  const auto saturates = run("8256B");  // 129 credits: 129 + 128 = 257
  EXPECT_EQ(saturates["figures"]["ib_tables"]["can_saturate_8_bits"]["value"], "a");
  EXPECT_THAT(saturates["notes"].dump(), AllOf(HasSubstr("can saturate with a,"), HasSubstr("counters of 9 bits")));
  EXPECT_TRUE(fs::exists(folder.path("out/ib_tables.csv")));
  const auto beyond = run("16384B");  // 256 credits
  EXPECT_EQ(beyond["figures"]["ib_tables"]["fits_ib_tables"]["value"],
            "no: table entry 0 has weight 256; InfiniBand's are at most 255");
  EXPECT_TRUE(beyond["figures"]["ib_tables"]["unused_low_entries"]["value"].is_null());
  EXPECT_THAT(beyond["notes"].dump(), HasSubstr("there is no ib_tables.csv: table entry 0 has weight 256"));
  EXPECT_FALSE(fs::exists(folder.path("out/ib_tables.csv"))) << "that of the run before is gone";
}

// Names stand in comments of table.yaml: what is no text there would make the file unreadable.
TEST(Dtable, TableOfNamesWithControlCharactersCanBeIncluded) {
  const ScratchFolder folder;
  const std::string file =
      folder.write("r.yaml",
                   "entries: 4\nservice_levels:\n"
                   "  - { name: \"a\\e[1m\\u2028\\u0085x\", distance: 2, share: 0.5, mtu: 64B }\n");
  ASSERT_EQ(weft({"dtable", file, "--out", folder.path("out")}).status, 0);
  EXPECT_THAT(content(folder.path("out/table.yaml")), HasSubstr("# 0 a\\u001b[1m\\u2028"));
  const std::string config =
      folder.write("c.yaml",
                   "base: out/table.yaml\nfabric: packet\ntopology: { kind: mesh, dims: [2] }\n"
                   "qos: { levels: { a: { message: 64B } }, scheduler: dtable }\n"
                   "traffic: [ { level: a, load: 0.1 } ]\nrun: { warm_up: 0ns, measure: 1us }\n");
  const ProgramResult check = weft({"check", config});
  EXPECT_EQ(check.status, 0) << check.err;
}

TEST(Dtable, NamesUnusedEntriesAndScaledShares) {
  const ScratchFolder folder;
  const std::string file = folder.write("r.yaml",
                                        "entries: 4\nservice_levels:\n"
                                        "  - { name: a, sl: 3, distance: 2, share: 0.5, mtu: 64B }\n");
  const ProgramResult result = weft({"dtable", file, "--out", folder.path("out")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("unused entries               2"), HasSubstr("note: the shares add up to 0.5")));
  EXPECT_EQ(lines(content(folder.path("out/table.csv")))[2], "1,3,,0");
  EXPECT_THAT(content(folder.path("out/table.yaml")), HasSubstr("- { sl: 3, weight: 0 }  # 1 unused"));
}

struct Refused {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> said;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class RefusedTable : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedTable, ExitsWith2AndSaysWhereAndWhy) {
  const ScratchFolder folder;
  const std::string file = folder.write("in.yaml", content(kTable4));
  std::vector<std::string> arguments{"dtable", file, "--out", folder.path("out")};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const ProgramResult plain = weft(arguments);
  EXPECT_EQ(plain.status, 2);
  EXPECT_THAT(plain.out, IsEmpty());
  for (const std::string& said : GetParam().said) EXPECT_THAT(plain.err, HasSubstr(said));
  EXPECT_FALSE(fs::exists(folder.path("out"))) << "nothing may be half-done";
  arguments.push_back("--json");
  const auto json = nlohmann::json::parse(weft(arguments).out);
  EXPECT_EQ(json["ok"], false);
  ASSERT_FALSE(json["errors"].empty());
  EXPECT_THAT(plain.err, HasSubstr(json["errors"][0]["message"].get<std::string>()));
}

INSTANTIATE_TEST_SUITE_P(
    Of, RefusedTable,
    ::testing::Values(
        Refused{
            "shares_above_one",
            {"--set", "service_levels.0.share=0.2"},
            {"in.yaml:13:45: error: the shares add up to 1.106, above 1 from 'CL' on", "lower some share by 0.106"}},
        Refused{"too_many_entries",
                {"--set", "service_levels.1.distance=2"},
                {"in.yaml:5:10: error: the distances need 80 entries ('NC' 32, 'VO' 32, 'VI' 8", "the table has 64"}},
        Refused{"mtu_above_gmtu",
                {"--set", "gmtu=1KiB"},
                {"in.yaml:12:54: error: 'VI': an MTU of 32 credits is above the gmtu of 16",
                 "in.yaml:13:56: error: 'CL': an MTU of 32 credits"}},
        Refused{"share_below_min",
                {"--set", "k=0.4"},
                {"in.yaml:10:44: error: 'NC': the share 0.094 is below the smallest",
                 "k of 0.5 or more, an MTU of at most 2 credits or at most 25 entries (distance 4) would do",
                 "in.yaml:12:44: error: 'VI'"}},
        Refused{"share_above_max",
                {"--set", "k=0.5", "--set", "w=2"},
                {"in.yaml:13:45: error: 'CL': the share 0.35 is above the largest", "w of 2.8 or more would do"}},
        Refused{"weight_limit",
                {"--set", "max_weight=64"},
                {"in.yaml:13:45: error: 'CL': its share 0.35 on 4 entries needs entries of 90 credits, an entry can "
                 "hold 64",
                 "max_weight of 90 or more would do"}},
        Refused{"k_given", {"--set", "k=100000"}, {"--set k=100000: error: k = 100000 makes a pool of 204800000"}},
        Refused{"paper_above_limit",
                {"--set", "max_weight=90", "--method", "paper"},
                {"in.yaml:13:45: error: 'CL': method paper gives it entries of 94 credits, above 90"}},
        Refused{"w_below_k", {"--set", "w=0.3"}, {"--set w=0.3: error: w = 0.3 is too small"}},
        Refused{
            "unit_missing", {"--set", "gmtu=2048"}, {"--set gmtu=2048: error: gmtu: '2048'", "the unit is missing"}},
        Refused{"unknown_key", {"--set", "gmut=2048B"}, {"unknown key 'gmut'", "did you mean 'gmtu'?"}}),
    [](const auto& refused) { return refused.param.name; });

TEST(DtableCommandLine, KnowsTwoMethods) {
  const ProgramResult result = weft({"dtable", kTable4, "--method", "best"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--method"), HasSubstr("optimal")));
}

TEST(DtableCommandLine, SaysHowARequirementsFileBegins) {
  const ScratchFolder folder;
  const ProgramResult result = weft({"dtable", folder.write("empty.yaml", "")});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("the file is empty; a requirements file begins with 'entries: ...'"));
}

// Each command tells which one reads a file that it cannot read.
TEST(DtableCommandLine, FilesOfOtherCommandsAreToldWithTheirCommand) {
  const std::map<std::string, std::string> commands{{"packet/table4.yaml", "dtable"},
                                                    {"optweb/cost.yaml", "optweb cost"},
                                                    {"packet/sweep_saturation.yaml", "sweep"},
                                                    {"workloads/ft_16.yaml", "check"}};
  const std::map<std::string, Arguments> readers{
      {"sweep", {"sweep"}}, {"dtable", {"dtable"}}, {"dlt", {"dlt"}}, {"optweb cost", {"optweb", "cost"}}};
  for (const auto& [file, right] : commands) {
    const std::string path = source_dir() + "/configs/" + file;
    for (const auto& [command, words] : readers) {
      if (command == right) continue;
      Arguments arguments = words;
      arguments.push_back(path);
      const ProgramResult result = weft(arguments);
      EXPECT_EQ(result.status, 2);
      EXPECT_THAT(result.err, HasSubstr(fmt::format("error: the keys of this file are those of 'weft {0}', not of "
                                                    "'weft {1}': weft {0} {2}\n",
                                                    right, command, path)));
      EXPECT_EQ(lines(result.err).size(), 1U) << result.err;
    }
  }
  for (const auto& [file, right] :
       std::map<std::string, std::string>{{"packet/first.yaml", "run"}, {"dlt/mesh_5x5.yaml", "dlt"}}) {
    const std::string path = source_dir() + "/configs/" + file;
    const ProgramResult result = weft({"dtable", path});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr("'weft dtable' reads others: weft " + right + " " + path + "\n"));
    EXPECT_EQ(lines(result.err).size(), 1U) << result.err;
  }
}

TEST(DtableCommandLine, NeedsAReadableFile) {
  EXPECT_EQ(weft({"dtable"}).status, 2);
  const ProgramResult result = weft({"dtable", "no_such.yaml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("no_such.yaml"));
}

}  // namespace
}  // namespace weft::test
