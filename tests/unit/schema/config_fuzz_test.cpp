// Whatever the file holds, the reader either gives a configuration or throws InputError.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "run/tdm/tdm_family.h"
#include "unit/schema/config_support.h"
#include "unit/schema/yaml_mutation.h"

namespace weft {
namespace {

using test::kData;
using test::mutate;

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(ConfigFuzz, MutatedDocumentsNeverCrash) {
  const std::vector<std::string> documents{
      content_of(kData + "/config/full.yaml"),
      content_of(kData + "/config/child.yaml"),
      content_of(kData + "/config/base/common.yaml"),
      test::kHead,
      test::kHead + "traffic: { message: 1KiB }\nsources: { messages: 3 }\n",
      test::kBare + "circuits:\n  - &a { source: 0, destination: 1 }\n  - { pairs: [[1, 2]], flow: b }\n  - *a\n"};
  RandomStream random(1, "config fuzz");
  int valid = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutate(documents[random.below(documents.size())], documents, random);
    Diagnostics diagnostics;
    try {
      const TdmConfig config = parse_tdm_config(text, "f.yaml", kData + "/config", {}, diagnostics);
      EXPECT_FALSE(config.phases.empty());
      EXPECT_GT(config.tdm_switch.period.ps, 0);
      ++valid;
    } catch (const InputError& e) {
      EXPECT_FALSE(e.list().empty());
      for (const Diagnostic& d : e.list()) EXPECT_FALSE(d.message.empty());
    } catch (const std::exception& e) {
      FAIL() << e.what() << " for:\n" << text;
    }
  }
  EXPECT_GT(valid, 50);  // not every mutation hits something that matters
}

// Line and column, both within the text.
TEST(ConfigFuzz, EveryErrorOfYamlHasAPlace) {
  const std::vector<std::string> documents{content_of(kData + "/config/full.yaml"), "a: [b, {c: d}]\ne: 'f'\n",
                                           "a: [[["};
  RandomStream random(3, "config fuzz");
  int errors = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutate(documents[random.below(documents.size())], documents, random);
    try {
      parse_yaml(text, "f.yaml");
    } catch (const InputError& e) {
      ++errors;
      const auto lines = std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }) + 1;
      for (const Diagnostic& d : e.list()) {
        EXPECT_EQ(d.where.file, "f.yaml");
        EXPECT_GE(d.where.line, 1) << d.text() << " for:\n" << text;
        EXPECT_LE(d.where.line, lines) << d.text() << " for:\n" << text;
        EXPECT_GE(d.where.column, 1) << d.text() << " for:\n" << text;
      }
    }
  }
  EXPECT_GT(errors, 50);
}

TEST(ConfigFuzz, MutatedOverridesNeverCrash) {
  const std::vector<std::string> assignments{"switch.slots=16",
                                             "phases.0.sources.message=2KiB",
                                             "topology={kind: torus, dims: [2, 2]}",
                                             "switch.instances.sw[0..3].slot_lut.implementation=rtl",
                                             "observe.waves.switches=['sw[1]']",
                                             "phases.1.traffic.messages=3"};
  const std::string document = content_of(kData + "/config/full.yaml");
  RandomStream random(2, "config fuzz");
  for (int i = 0; i < 2000; ++i) {
    const std::string assignment = mutate(assignments[random.below(assignments.size())], assignments, random);
    Diagnostics diagnostics;
    try {
      parse_tdm_config(document, "f.yaml", kData + "/config", {assignment}, diagnostics);
    } catch (const InputError& e) {
      EXPECT_FALSE(e.list().empty());
    }
  }
}

TEST(ConfigFuzz, EveryTruncationOfTheFullExampleIsHandled) {
  const std::string document = content_of(kData + "/config/full.yaml");
  for (std::size_t n = 0; n < document.size(); n += 3) {
    Diagnostics diagnostics;
    try {
      parse_tdm_config(document.substr(0, n), "f.yaml", kData + "/config", {}, diagnostics);
    } catch (const InputError& e) {
      EXPECT_FALSE(e.list().empty());
    }
  }
}

}  // namespace
}  // namespace weft
