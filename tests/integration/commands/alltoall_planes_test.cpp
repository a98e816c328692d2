// `weft alltoall` over wavelengths and planes, and its schedule run on parallel links of a FiC network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

nlohmann::json planes_report(Arguments arguments, const std::string& out) {
  arguments.insert(arguments.end(), {"--out", out, "--json"});
  const ProgramResult r = weft(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
  return nlohmann::json::parse(r.out);
}

nlohmann::json planes_figure(const nlohmann::json& report, const std::string& section, const std::string& key) {
  return report["figures"][section][key]["value"];
}

// A schedule spread over wavelengths and planes, from its file: the slots of every link are those of schedule.csv, and
// its slot tables those of 'weft alltoall'.
TEST(AllToAllPlanes, ThoseOfAFileAreParallelLinks) {
  const ScratchFolder folder;
  const auto study =
      planes_report({"alltoall", "--n", "4", "--wavelengths", "2", "--planes", "2"}, folder.path("schedule"));
  EXPECT_EQ(planes_figure(study, "time", "time_slots"), 4);
  EXPECT_EQ(planes_figure(study, "time", "tdm_frames"), 8);
  EXPECT_EQ(planes_figure(study, "time", "tdm_time"), 8 * 4 * 10);
  folder.write("run.yaml",
               "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4], trunk: 4, node_links: 4 }\nswitch: { slots: 4 }\n"
               "setup: { mode: preset }\nschedule_file: schedule/schedule.csv\n"
               "sources: { message: 340b, messages: 1 }\n");
  const auto report = planes_report({"run", folder.path("run.yaml")}, folder.path("out"));
  EXPECT_EQ(planes_figure(report, "alltoall", "wavelengths"), 2);
  EXPECT_EQ(planes_figure(report, "alltoall", "planes"), 2);
  EXPECT_EQ(planes_figure(report, "alltoall", "frames_used"), 8);
  EXPECT_EQ(planes_figure(report, "alltoall", "cycles_used"), planes_figure(report, "alltoall", "cycles_predicted"));
  EXPECT_EQ(slurp(folder.path("out/slot_tables.csv")), slurp(folder.path("schedule/slot_tables.csv")));
  std::map<std::string, std::string> lines;  // of schedule.csv, by "source,destination"
  std::istringstream csv(slurp(folder.path("schedule/schedule.csv")));
  std::string line;
  for (std::getline(csv, line); std::getline(csv, line);) {
    std::istringstream fields(line);
    std::string slot, source, destination, wavelength, plane;
    std::getline(fields, slot, ',');
    std::getline(fields, source, ',');
    std::getline(fields, destination, ',');
    std::getline(fields, wavelength, ',');
    std::getline(fields, plane);
    lines[source + "," + destination] = slot + " " + wavelength + " " + plane;
  }
  ASSERT_EQ(lines.size(), 240U);
  for (const auto& c : report["tables"]["circuits"]["rows"]) {
    const std::string key = std::to_string(c["source"].get<int>()) + "," + std::to_string(c["destination"].get<int>());
    EXPECT_EQ(c["slot_list"].get<std::string>() + " " + std::to_string(c["wavelength"].get<int>()) + " " +
                  std::to_string(c["plane"].get<int>()),
              lines.at(key));
  }
  const ProgramResult narrow = weft({"run", folder.path("run.yaml"), "--set", "topology.trunk=3"});
  EXPECT_EQ(narrow.status, 2);
  EXPECT_THAT(narrow.err, AllOf(HasSubstr("run.yaml:5:16: error: "),
                                HasSubstr("2 wavelengths times 2 planes; they need 4 parallel links between neighbours "
                                          "(topology.trunk, 3 here)")));
}

}  // namespace
}  // namespace weft::test
