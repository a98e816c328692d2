// The description comes from the declarations the reader uses; these tests hold the two together.

#include <gmock/gmock.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/describe.h"
#include "cli/families.h"
#include "fabrics/optweb/user/box_catalog.h"
#include "run/registry.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using test::errors_of;
using test::kBare;
using test::kHead;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

nlohmann::json described_keys() {
  return nlohmann::json::parse(describe_json(cli::builtin_families())).at("fabrics").at(0).at("keys");
}

// A file in which the place of the key exists, and the override that reaches it.
std::pair<std::string, std::string> place_of(const std::string& key) {
  std::string path = key;
  const auto replace = [&path](const std::string& from, const std::string& to) {
    if (const auto at = path.find(from); at != std::string::npos) path.replace(at, from.size(), to);
  };
  const bool phases = key.starts_with("phases");
  const bool changes = key.find("changes[]") != std::string::npos;
  const std::string circuits = fmt::format("circuits: [ {{ source: 0, destination: 1{} }} ]",
                                           changes ? ", changes: [ { at: 1us, slots: 1 } ]" : "");
  const bool has_circuits = key.find("circuits[]") != std::string::npos;
  replace("<switches>", "sw[1]");
  replace("phases[]", "phases.0");
  replace("circuits[]", "circuits.0");
  replace("changes[]", "changes.0");
  replace("faults[]", "faults.0");
  replace("adapters[]", "adapters.0");
  if (key.starts_with("traffic[]")) {
    replace("traffic[]", "traffic.0");
    return {kBare + "qos: { levels: { a: { message: 64B } } }\ntraffic: [ { level: a, load: 0.1 } ]\n", path};
  }
  const std::string faults = key.starts_with("faults") ? "faults: [ { at: 'sw[0]', down: 1us } ]\n" : "";
  const std::string adapters = key.starts_with("adapters") ? "adapters: [ { at: 'sw[0]', delay: 1us } ]\n" : "";
  const std::string content = has_circuits ? circuits : "pattern: tornado";
  if (phases) return {kBare + "phases: [ { name: p, " + content + " } ]\n", path};
  return {kBare + content + "\n" + faults + adapters, path};
}

/// Keys of instructions are those of all fabrics that run programs; one file has no place for all of them.
bool of_instruction(const std::string& key) { return key.starts_with("program[") || key.starts_with("programs."); }

TEST(ConfigDescribe, EveryDefaultIsAccepted) {
  int tried = 0;
  for (const auto& key : described_keys()) {
    if (!key.contains("default") || of_instruction(key.at("key"))) continue;
    const auto [text, path] = place_of(key.at("key"));
    const std::string assignment = path + "=" + key.at("default").get<std::string>();
    for (const std::string& error : errors_of(text, {assignment})) {
      // search_iterations may warn, nothing may fail
      ADD_FAILURE() << assignment << ": " << error;
    }
    ++tried;
  }
  EXPECT_GT(tried, 25);
}

TEST(ConfigDescribe, EveryKeyIsKnownToTheReader) {
  for (const auto& key : described_keys()) {
    if (key.at("key") == "base" || of_instruction(key.at("key"))) continue;  // base: read before the schema
    const auto [text, path] = place_of(key.at("key"));
    // A value no type but text accepts: the key must be found, whatever is said of the value.
    for (const std::string& error : errors_of(text, {path + "=[[{}]]"})) {
      EXPECT_THAT(error, Not(HasSubstr("unknown key"))) << path;
    }
  }
}

TEST(ConfigDescribe, EveryKeyOfTheFullExampleIsDescribed) {
  std::set<std::string> names;
  for (const auto& key : described_keys()) names.insert(key.at("key"));
  for (const char* key : {"fabric",
                          "title",
                          "seed",
                          "base",
                          "topology.kind",
                          "topology.dims",
                          "topology.arity",
                          "topology.levels",
                          "topology.switches",
                          "topology.groups",
                          "topology.routers_per_group",
                          "topology.nodes_per_router",
                          "topology.global_links",
                          "topology.file",
                          "routing.algorithm",
                          "routing.order",
                          "switch.clock",
                          "switch.slots",
                          "switch.lanes",
                          "switch.lane_payload",
                          "switch.pipeline",
                          "switch.serdes",
                          "switch.reconfiguration",
                          "switch.slot_lut.implementation",
                          "switch.data_path.implementation",
                          "switch.setup_unit.implementation",
                          "switch.instances.<switches>.slot_lut.implementation",
                          "switch.instances.<switches>.data_path.implementation",
                          "switch.instances.<switches>.setup_unit.implementation",
                          "host_interface.implementation",
                          "host_interface.instances.<nodes>.implementation",
                          "slots.allocator",
                          "slots.slot_update",
                          "slots.search_iterations",
                          "setup.mode",
                          "setup.processing",
                          "setup.backoff",
                          "circuits[].changes[].at",
                          "faults[].at",
                          "circuits[].source",
                          "circuits[].destination",
                          "circuits[].destinations",
                          "circuits[].pairs",
                          "circuits[].flow",
                          "circuits[].job",
                          "circuits[].slots",
                          "circuits[].message",
                          "circuits_file",
                          "pattern",
                          "slots_per_flow",
                          "sources.arrivals",
                          "sources.message",
                          "sources.interval",
                          "sources.messages",
                          "phases[].name",
                          "phases[].circuits[].source",
                          "phases[].sources.interval",
                          "run.warm_up",
                          "run.measure",
                          "observe.slot_trace",
                          "observe.waves.switches",
                          "observe.waves.from",
                          "observe.waves.until"}) {
    EXPECT_TRUE(names.count(key)) << key;
  }
}

TEST(ConfigDescribe, SaysUnitDefaultRangeAndMeaning) {
  for (const auto& key : described_keys()) {
    EXPECT_TRUE(key.at("meaning").get<std::string>().ends_with(".")) << key.at("key");
    EXPECT_TRUE(key.at("required").get<bool>() || key.contains("default") || key.contains("without"));
  }
  const std::string text = describe_text(cli::builtin_families());
  EXPECT_THAT(text,
              HasSubstr("switch.lanes\n    Serial lanes bundled in one link.\n    type: whole number; default: 4; "
                        "range: 1 to 64\n"));
  EXPECT_THAT(text, HasSubstr("type: frequency (units: Hz, kHz, MHz, GHz); default: 100MHz"));
  std::string markdown;
  for (const Page& page : describe_pages(cli::builtin_families())) markdown += page.text;
  EXPECT_THAT(markdown, HasSubstr("| `lanes` | whole number |  | `4` | 1 to 64 | Serial lanes bundled in one link. |"));
  EXPECT_THAT(markdown, HasSubstr("### `switch.instances.<switches>`"));
  EXPECT_THAT(markdown, HasSubstr("Keys as in `circuits[]`."));
  EXPECT_THAT(markdown, HasSubstr("list of lists of whole numbers"));
}

TEST(ConfigDescribe, AKeyWithSeveralElementsShowsTheirKeys) {
  const Registry registry = cli::builtin_families();
  EXPECT_THAT(describe_key(registry, "traffic"), HasSubstr("\ntraffic\n    Messages that the nodes send"));
  EXPECT_THAT(describe_key(registry, "traffic"), HasSubstr("\ntraffic[].to_share\n    Share of the messages"));
  EXPECT_THAT(describe_key(registry, "qos.levels"), HasSubstr("\nqos.levels.<name>.message\n"));
  EXPECT_THAT(describe_key(registry, "traffic[].load"), Not(HasSubstr("to_share")));
  EXPECT_THAT(describe_key(registry, "pattern"), HasSubstr("matrix_transpose"));
}

TEST(ConfigDescribe, ListsWhatIsRegistered) {
  Registry registry = cli::builtin_families();
  EXPECT_THAT(describe_text(registry), Not(HasSubstr("registered by this program")));
  EXPECT_FALSE(nlohmann::json::parse(describe_json(registry)).contains("registered"));
  registry.blocks().packet.drr.add("own_drr", registry.blocks().packet.drr.builtin);
  registry.blocks().optweb_boxes.user_logic.add(
      "sorter", {"sorts", [](NodeId, const OptwebConfig&) { return std::make_unique<TimedUserLogic>(); }});
  EXPECT_THAT(describe_text(registry), HasSubstr("\n  own_drr (RTL for deficit round robin)\n"
                                                 "  sorter (user logic): sorts\n"));
  const auto listed = nlohmann::json::parse(describe_json(registry)).at("registered");
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[1], (nlohmann::json{{"kind", "user logic"}, {"name", "sorter"}, {"meaning", "sorts"}}));
}

}  // namespace
}  // namespace weft
