// Every kind of error, with its exact place. Each file of tests/data/bad/config, .../qos and .../optweb begins with
// lines
// "# expect LINE:COLUMN MESSAGE" that name all errors it must give, in order ("LINE" is counted in that file;
// a file name in front of it means another file of the folder).

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/families.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using test::errors_of;
using test::kBare;
using test::kData;
using test::kHead;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

struct Expected {
  std::string place;    // file:line:column
  std::string message;  // how the message begins
};

std::vector<Expected> expectations(const fs::path& file) {
  std::vector<Expected> out;
  std::ifstream in(file);
  const std::string word = "# expect ";
  for (std::string line; std::getline(in, line) && line.starts_with(word);) {
    line.erase(0, word.size());
    const std::size_t blank = line.find(' ');
    std::string place = line.substr(0, blank);
    const bool other_file = place.find_first_not_of("0123456789:") != std::string::npos;
    place = other_file ? (file.parent_path() / place).string() : file.string() + ":" + place;
    out.push_back({place, line.substr(blank + 1)});
  }
  return out;
}

class BadConfig : public testing::TestWithParam<std::string> {};

TEST_P(BadConfig, IsReportedAtItsPlace) {
  const fs::path file = fs::path(kData) / "bad" / (GetParam() + ".yaml");
  const std::vector<Expected> expected = expectations(file);
  ASSERT_FALSE(expected.empty());
  Diagnostics diagnostics;
  std::vector<std::string> got;
  try {
    cli::read_design(cli::builtin_families(), load_document(file.string()), file.string(), {}, diagnostics);
  } catch (const InputError& e) {
    got = test::texts(e.list());
  }
  ASSERT_EQ(got.size(), expected.size()) << testing::PrintToString(got);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string kind = expected[i].message.starts_with("warning: ") ? "" : "error: ";
    EXPECT_THAT(got[i], StartsWith(expected[i].place + ": " + kind + expected[i].message));
  }
}

std::vector<std::string> bad_files() {
  std::vector<std::string> names;
  for (const std::string folder : {"config", "qos", "optweb"}) {
    for (const auto& entry : fs::directory_iterator(kData + "/bad/" + folder)) {
      if (entry.path().extension() == ".yaml") names.push_back(folder + "/" + entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, BadConfig, testing::ValuesIn(bad_files()),
                         [](const testing::TestParamInfo<std::string>& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST(ConfigErrors, WholeNumbersSayWhatIsExpected) {
  for (const char* bad : {"-3", "1.5", "0x10", "1e3", "99999999999999999999999", "four", "''", "'4 '", "+4", "0", "65",
                          "true", "4cycles", "1_000"}) {
    const auto errors = errors_of(kHead + "switch: { lanes: " + bad + " }\n");
    ASSERT_THAT(errors, SizeIs(1)) << bad;
    EXPECT_THAT(errors[0], StartsWith("t.yaml:4:18: error: switch.lanes: expected a whole number from 1 to 64, got '"));
  }
  EXPECT_THAT(errors_of(kHead + "seed: 18446744073709551616\n"),
              ElementsAre("t.yaml:4:7: error: seed: expected a whole number from 0 to 18446744073709551615, got "
                          "'18446744073709551616'"));
}

TEST(ConfigErrors, BooleansAreTrueAndFalseOnly) {
  for (const char* bad : {"yes", "no", "on", "True", "1", "0", "''"}) {
    EXPECT_THAT(errors_of(kHead + "observe: { slot_trace: " + bad + " }\n"),
                ElementsAre(StartsWith("t.yaml:4:24: error: observe.slot_trace: expected true or false, got '")));
  }
}

TEST(ConfigErrors, QuantitiesNeedTheirUnit) {
  EXPECT_THAT(errors_of(kHead + "switch: { clock: 100 }\n"),
              ElementsAre("t.yaml:4:18: error: switch.clock: '100' is not a frequency: the unit is missing (units: Hz, "
                          "kHz, MHz, GHz; example: 100MHz)"));
  EXPECT_THAT(
      errors_of(kHead + "switch: { pipeline: 3 }\n"),
      ElementsAre(HasSubstr("switch.pipeline: '3' is not a duration or number of cycles: the unit is missing")));
  EXPECT_THAT(errors_of(kHead + "run: { measure: 10MHz }\n"), ElementsAre(HasSubstr("unknown unit 'MHz'")));
  EXPECT_THAT(errors_of(kHead + "sources: { message: -1B }\n"), ElementsAre(HasSubstr("must not be negative")));
  EXPECT_THAT(errors_of(kHead + "sources: { message: 0.3b }\n"), ElementsAre(HasSubstr("not a whole number of b")));
  EXPECT_THAT(errors_of(kHead + "switch: { clock: 0Hz }\n"), ElementsAre(HasSubstr("faster than 0Hz")));
  EXPECT_THAT(errors_of(kHead + "switch: { clock: 300MHz }\n"), ElementsAre(HasSubstr("whole number of picoseconds")));
}

TEST(ConfigErrors, MissingCircuitsFile) {
  EXPECT_THAT(errors_of(kBare + "circuits_file: nowhere.txt\n"),
              ElementsAre("t.yaml:3:16: error: circuits_file: " + kData +
                          "/config/nowhere.txt: cannot be read: No such file or directory"));
}

TEST(ConfigErrors, WrongLinesOfCircuitsFilesAreCounted) {
  const fs::path file = fs::path(testing::TempDir()) / "weft-many-errors.txt";
  std::ofstream out(file);
  for (int i = 0; i < 50; ++i) out << "0 x f\n";
  out.close();
  const auto errors = errors_of(kBare + "circuits_file: " + file.string() + "\n");
  fs::remove(file);
  ASSERT_THAT(errors, SizeIs(20));
  EXPECT_EQ(errors[0], file.string() + ":1:3: error: destination: expected a node number from 0 to 999999, got 'x'");
  EXPECT_EQ(errors[19], file.string() +
                            ":20:3: error: destination: expected a node number from 0 to 999999, got 'x' "
                            "(and 30 more of this kind)");
}

}  // namespace
}  // namespace weft
