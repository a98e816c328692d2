// Reading requirement files: exact values, defaults, and every error with its place.

#include "studies/dtable/table_requirements.h"

#include <nlohmann/json.hpp>
#include <set>

#include "cli/describe.h"
#include "cli/families.h"
#include "schema/document.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string kOne = "service_levels:\n  - { name: a, distance: 2, share: 0.25, mtu: 100B }\n";

TableRequirements read(const std::string& text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  return parse_table_requirements(text, "r.yaml", ".", overrides, diagnostics);
}

std::vector<std::string> errors_in(const std::string& text, const Overrides& overrides = {}) {
  try {
    read(text, overrides);
  } catch (const InputError& e) {
    return test::texts(e.list());
  }
  return {};
}

TEST(TableRequirements, HaveDefaults) {
  const TableRequirements r = read(kOne);
  EXPECT_EQ(r.entries.value, 64U);
  EXPECT_EQ(r.credits(r.gmtu.value), 32U);
  EXPECT_EQ(r.link.bits_per_s, 100'000'000'000);
  EXPECT_EQ(r.max_weight.value, 65'535U);
  EXPECT_FALSE(r.k.value.has_value());
  EXPECT_FALSE(r.w.value.has_value());
  ASSERT_THAT(r.levels, SizeIs(1));
  EXPECT_EQ(r.levels[0].sl, 0U);
  EXPECT_EQ(r.levels[0].share.value, 250'000U);
  EXPECT_EQ(r.credits(r.levels[0].mtu.value), 2U) << "100 B are two flits of 64 B";
}

TEST(TableRequirements, ReadDecimalsExactly) {
  const auto share = [](const std::string& text) {
    return read(kOne, {"service_levels.0.share=" + text}).levels[0].share.value;
  };
  EXPECT_EQ(share("0.1"), 100'000U);
  EXPECT_EQ(share(".094"), 94'000U);
  EXPECT_EQ(share("0.000001"), 1U);
  EXPECT_EQ(share("1"), 1'000'000U);
  EXPECT_EQ(share("1.000"), 1'000'000U);
  EXPECT_EQ(share("'00.5'"), 500'000U);
  EXPECT_EQ(share("1e-1"), 100'000U);
  for (const std::string wrong :
       {"0", "0.0000001", "1.000001", "-0.1", "1e-7", "0.1.2", ".", "''", "10%", "9999999999999999999"}) {
    EXPECT_THAT(
        errors_in(kOne, {"service_levels.0.share=" + wrong}),
        ElementsAre(HasSubstr("share: expected a decimal number from 0.000001 to 1 with at most 6 decimals, got")))
        << wrong;
  }
  const TableRequirements r = read(kOne, {"k=0.5", "w=3"});
  EXPECT_EQ(r.k.value, 5U);
  EXPECT_EQ(r.w.value, 30U);
  EXPECT_THAT(errors_in(kOne, {"k=0.55"}), ElementsAre(HasSubstr("k: expected a decimal number from 0.1 to 100000")));
}

// The levels of the configuration that takes the table up have these names, and `sl: 1` there means the level 1.
TEST(TableRequirements, LevelsAreNotNamedByTheNumberOfAnother) {
  const auto named = [](const std::string& first, const std::string& second) {
    return errors_in("service_levels:\n  - { name: " + first + ", distance: 2, share: 0.5, mtu: 64B }\n  - { name: " +
                     second + ", distance: 2, share: 0.5, mtu: 64B }\n");
  };
  EXPECT_THAT(named("0", "'1'"), IsEmpty());
  EXPECT_THAT(named("7, sl: 7", "b2"), IsEmpty());
  EXPECT_THAT(named("1", "0"),
              ElementsAre("r.yaml:2:13: error: service_levels.0.name: expected a name, or the number of the level, "
                          "which is 0; any other number would be taken for another level",
                          "r.yaml:3:13: error: service_levels.1.name: expected a name, or the number of the level, "
                          "which is 1; any other number would be taken for another level"));
  EXPECT_THAT(named("a, sl: 2", "'1', sl: 3"), ElementsAre(HasSubstr("which is 3; any other number")));
  EXPECT_THAT(named("4, sl: 99", "b"), ElementsAre(HasSubstr("service_levels.0.sl: expected a whole number")))
      << "once";
}

TEST(TableRequirements, ReportEverythingAtOnceWithItsPlace) {
  EXPECT_THAT(errors_in("entries: 300\nlink: 12.5\nfabrik: fic\nservice_levels:\n"
                        "  - { name: a, distance: 2, share: 0.5, mtu: 64 }\n"
                        "  - { name: b, distanc: 2, share: 0.5, mtu: 64B }\n"),
              ElementsAre(StartsWith("r.yaml:1:10: error: entries: expected a whole number from 1 to 256"),
                          AllOf(StartsWith("r.yaml:2:7: error: link: '12.5'"), HasSubstr("the unit is missing")),
                          StartsWith("r.yaml:3:1: error: unknown key 'fabrik' at the top level"),
                          AllOf(StartsWith("r.yaml:5:46: error: service_levels.0.mtu: '64'"), HasSubstr("unit")),
                          StartsWith("r.yaml:6:5: error: required key 'distance' is missing"),
                          AllOf(StartsWith("r.yaml:6:16: error: unknown key 'distanc'"),
                                HasSubstr("did you mean 'distance'?"))));
}

TEST(TableRequirements, NamesAndNumbersAreUnique) {
  EXPECT_THAT(
      errors_in(kOne + "  - { name: a, sl: 0, distance: 2, share: 0.5, mtu: 64B }\n"),
      ElementsAre(StartsWith("r.yaml:3:13: error: service_levels.1: the name 'a' is that of service_levels.0"),
                  StartsWith("r.yaml:3:20: error: service_levels.1: the number 0 is that of service_levels.0")));
  // A number that follows from the place counts too.
  EXPECT_THAT(errors_in("service_levels:\n  - { name: a, sl: 1, distance: 2, share: 0.25, mtu: 100B }\n"
                        "  - { name: b, distance: 2, share: 0.5, mtu: 64B }\n"),
              ElementsAre(StartsWith("r.yaml:3:5: error: service_levels.1: the number 1")));
}

TEST(TableRequirements, MessagesHaveALimit) {
  EXPECT_THAT(errors_in(kOne, {"flit=1B", "gmtu=64KiB"}), ElementsAre(HasSubstr("gmtu: expected at most 65535 flits")));
  EXPECT_THAT(errors_in(kOne, {"flit=1B", "gmtu=65535B"}), IsEmpty());
}

TEST(TableRequirements, NeedServiceLevels) {
  EXPECT_THAT(errors_in("entries: 64\n"), ElementsAre(HasSubstr("required key 'service_levels' is missing")));
  EXPECT_THAT(errors_in("service_levels: []\n"),
              ElementsAre(HasSubstr("service_levels: expected 1 to 32 entries, got 0")));
}

TEST(TableRequirements, AreDescribed) {
  const auto files = nlohmann::json::parse(describe_json(cli::builtin_families())).at("files");
  std::set<std::string> keys;
  for (const auto& file : files) {
    if (file.at("command") != "dtable") continue;
    for (const auto& key : file.at("keys")) {
      keys.insert(key.at("key"));
      EXPECT_TRUE(key.at("meaning").get<std::string>().ends_with(".")) << key.at("key");
      if (!key.contains("default")) continue;
      EXPECT_THAT(errors_in(kOne, {key.at("key").get<std::string>() + "=" + key.at("default").get<std::string>()}),
                  IsEmpty());
    }
  }
  for (const char* key :
       {"entries", "flit", "gmtu", "link", "max_weight", "k", "w", "service_levels[].name", "service_levels[].sl",
        "service_levels[].distance", "service_levels[].share", "service_levels[].mtu"}) {
    EXPECT_TRUE(keys.count(key)) << key;
  }
  EXPECT_THAT(describe_text(cli::builtin_families()), HasSubstr("files for weft dtable - "));
  EXPECT_THAT(describe_pages(cli::builtin_families()).front().text,
              HasSubstr("[Files for `weft dtable`](keys/weft_dtable.md)"));
}

}  // namespace
}  // namespace weft
