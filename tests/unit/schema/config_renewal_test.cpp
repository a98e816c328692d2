// Keys of earlier versions: a map `traffic` is read as `sources`.

#include "run/tdm/tdm_family.h"
#include "schema/document.h"
#include "support/scratch.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using test::errors_of;
using test::kBare;
using test::kData;
using test::kHead;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kNow = ": warning: traffic as a map is called 'sources' now";

constexpr std::int64_t kKibibyte = 8192;  // bits

struct RenewedConfig {
  TdmConfig config;
  std::vector<std::string> warnings;
  const TdmSourcesConfig& sources(std::size_t phase = 0) const { return config.phases.at(phase).sources; }
};

RenewedConfig renewed(const std::string& text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  TdmConfig config = parse_tdm_config(text, "t.yaml", kData + "/config", overrides, diagnostics);
  return {std::move(config), test::texts(diagnostics.list())};
}

TEST(ConfigRenewal, AMapCalledTrafficIsReadAsSources) {
  const std::string map = ": { arrivals: poisson, message: 1KiB, interval: 3us, messages: 7 }\n";
  const RenewedConfig now = renewed(kHead + "sources" + map), former = renewed(kHead + "traffic" + map);
  for (const RenewedConfig* c : {&now, &former}) {
    EXPECT_EQ(c->sources().arrivals, &kPoissonArrivals);
    EXPECT_EQ(c->sources().message.bits, kKibibyte);
    EXPECT_EQ(c->sources().interval.ps, 3'000'000);
    EXPECT_EQ(c->sources().messages, 7U);
    EXPECT_EQ(c->sources().where.text(), "t.yaml:4:10");
  }
  EXPECT_THAT(now.warnings, IsEmpty());
  EXPECT_THAT(former.warnings, ElementsAre("t.yaml:4:1" + kNow));
}

TEST(ConfigRenewal, TheFabricMayHaveItsFormerNameToo) {
  const RenewedConfig c = renewed(
      "fabric: fic\ntopology: { kind: mesh, dims: [4, 4] }\npattern: tornado\n"
      "traffic: { messages: 2 }\n");
  EXPECT_EQ(c.sources().messages, 2U);
  EXPECT_THAT(c.warnings, ::testing::UnorderedElementsAre("t.yaml:1:9: warning: fabric: 'fic' is now called 'tdm'",
                                                          "t.yaml:4:1" + kNow));
}

TEST(ConfigRenewal, OneWarningIsForAllPhases) {
  const RenewedConfig c = renewed(kBare +
                                  "phases:\n"
                                  "  - { name: a, pattern: tornado, traffic: { message: 2KiB } }\n"
                                  "  - { name: b, pattern: tornado, traffic: { arrivals: none } }\n"
                                  "  - { name: c, pattern: tornado, sources: { messages: 3 } }\n"
                                  "traffic: { message: 1KiB }\n");
  EXPECT_EQ(c.sources(0).message.bits, 2 * kKibibyte);
  EXPECT_EQ(c.sources(1).message.bits, kKibibyte);
  EXPECT_EQ(c.sources(1).arrivals, &kNoArrivals);
  EXPECT_EQ(c.sources(2).message.bits, kKibibyte);
  EXPECT_EQ(c.sources(2).messages, 3U);
  EXPECT_THAT(c.warnings, ElementsAre("t.yaml:4:34" + kNow));
}

TEST(ConfigRenewal, ErrorsPointToWhatWasWritten) {
  EXPECT_THAT(
      errors_of(kHead + "traffic: { message: 0B }\n"),
      ElementsAre("t.yaml:4:1" + kNow, StartsWith("t.yaml:4:21: error: sources.message: expected a data size")));
  EXPECT_THAT(errors_of(kHead + "sources: 5\ntraffic: { message: 1KiB }\n"),
              ElementsAre(StartsWith("t.yaml:4:10: error: sources: expected a section"), "t.yaml:5:1" + kNow));
}

// null takes away what a base has, under either name; without a base it takes away nothing and is an error.
TEST(ConfigRenewal, NullTakesAwayTheSourcesOfABase) {
  const test::ScratchFolder folder;
  for (const char* there : {"sources", "traffic"}) {
    const std::string base = folder.write("base.yaml", kHead + there + ": { message: 2KiB, messages: 9 }\n");
    for (const char* away : {"sources", "traffic"}) {
      if (std::string(there) == "traffic" && std::string(away) == "sources") continue;
      const RenewedConfig c = renewed("base: " + base + "\n" + away + ": null\n");
      EXPECT_EQ(c.sources().messages, std::nullopt) << there << " " << away;
      const bool renamed = std::string(there) == "sources" && std::string(away) == "traffic";
      EXPECT_EQ(c.warnings, renamed ? std::vector{"t.yaml:2:1" + kNow} : std::vector<std::string>()) << there;
    }
  }
  EXPECT_THAT(errors_of(kHead + "sources: { messages: 2 }\ntraffic: null\n"),
              Contains(StartsWith("t.yaml:5:1: error: traffic: expected a list")));
}

// Whatever their spelling.
TEST(ConfigRenewal, TheLastOverrideWins) {
  const std::string map = ": { arrivals: periodic, interval: 5us, message: 1KiB }\n";
  const std::string set_former = "traffic.message=2KiB", set_now = "sources.message=3KiB";
  const RenewedConfig over_now = renewed(kHead + "sources" + map, {set_former});
  EXPECT_EQ(over_now.sources().message.bits, 2 * kKibibyte);
  EXPECT_EQ(over_now.sources().interval.ps, 5'000'000);
  EXPECT_EQ(over_now.sources().where.text(), "t.yaml:4:10");
  EXPECT_THAT(over_now.warnings, ElementsAre("--set traffic.message=2KiB" + kNow));

  const RenewedConfig over_former = renewed(kHead + "traffic" + map, {set_now});
  EXPECT_EQ(over_former.sources().message.bits, 3 * kKibibyte);
  EXPECT_THAT(over_former.warnings, ElementsAre("t.yaml:4:1" + kNow));

  for (const char* name : {"sources", "traffic"}) {
    EXPECT_EQ(renewed(kHead + name + map, {set_former, set_now}).sources().message.bits, 3 * kKibibyte) << name;
    const RenewedConfig c = renewed(kHead + name + map, {set_now, set_former});
    EXPECT_EQ(c.sources().message.bits, 2 * kKibibyte) << name;
    EXPECT_EQ(c.warnings.size(), 1U) << name;
    const RenewedConfig whole = renewed(kHead + name + map, {"traffic={message: 4KiB, messages: 9}"});
    EXPECT_EQ(whole.sources().message.bits, 4 * kKibibyte) << name;
    EXPECT_EQ(whole.sources().arrivals, &kPeriodicArrivals) << name;
    // Without arrivals that have an interval, one would be an error.
    const RenewedConfig less = renewed(kHead + name + map, {"traffic.interval=null", "traffic.arrivals=saturated"});
    EXPECT_EQ(less.sources().arrivals, &kSaturatedArrivals) << name;
  }
  EXPECT_EQ(renewed(kHead, {set_former}).sources().message.bits, 2 * kKibibyte);
}

TEST(ConfigRenewal, OverridesReachIntoPhases) {
  const std::string phases = kBare +
                             "phases:\n  - { name: a, pattern: tornado, sources: { message: 1KiB, messages: 4 } }\n"
                             "  - { name: b, pattern: tornado }\n";
  const RenewedConfig c = renewed(phases, {"phases.0.traffic.message=2KiB", "phases.1.traffic.messages=3"});
  EXPECT_EQ(c.sources(0).message.bits, 2 * kKibibyte);
  EXPECT_EQ(c.sources(0).messages, 4U);
  EXPECT_EQ(c.sources(1).messages, 3U);
  EXPECT_THAT(c.warnings, ElementsAre("--set phases.0.traffic.message=2KiB" + kNow));
}

TEST(ConfigRenewal, AFileWinsOverItsBases) {
  const test::ScratchFolder folder;
  folder.write("former.yaml", kHead + "traffic: { message: 1KiB, messages: 5 }\n");
  folder.write("now.yaml", kHead + "sources: { message: 1KiB, messages: 5 }\n");
  folder.write("over_former.yaml", "base: former.yaml\nsources: { message: 2KiB }\n");
  folder.write("over_now.yaml", "base: now.yaml\ntraffic: { message: 2KiB }\n");
  folder.write("away.yaml", "base: former.yaml\nsources: null\n");
  const auto load = [&](const std::string& name, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    TdmConfig config = load_tdm_config(folder.path(name), overrides, diagnostics);
    return RenewedConfig{std::move(config), test::texts(diagnostics.list())};
  };
  const RenewedConfig over_former = load("over_former.yaml"), over_now = load("over_now.yaml");
  for (const RenewedConfig* c : {&over_former, &over_now}) {
    EXPECT_EQ(c->sources().message.bits, 2 * kKibibyte);
    EXPECT_EQ(c->sources().messages, 5U);
  }
  EXPECT_THAT(over_former.warnings, ElementsAre(EndsWith("former.yaml:4:1" + kNow)));
  EXPECT_THAT(over_now.warnings, ElementsAre(EndsWith("over_now.yaml:2:1" + kNow)));
  EXPECT_FALSE(load("away.yaml").sources().messages);
  // Which of two bases wins, a tree does not tell.
  folder.write("middle.yaml", "base: former.yaml\nsources: { message: 2KiB }\n");
  folder.write("top.yaml", "base: middle.yaml\n");
  folder.write("list.yaml", "base: [former.yaml, now.yaml]\n");
  for (const char* name : {"top.yaml", "list.yaml"}) {
    try {
      load(name);
      ADD_FAILURE() << name;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("call both 'sources'")) << name;
    }
  }
  for (const char* name : {"over_former.yaml", "over_now.yaml"}) {
    EXPECT_EQ(load(name, {"traffic.message=3KiB"}).sources().message.bits, 3 * kKibibyte) << name;
    EXPECT_EQ(load(name, {"sources.message=3KiB"}).sources().message.bits, 3 * kKibibyte) << name;
  }
}

}  // namespace
}  // namespace weft
