// Whatever the file holds, the reader either gives a configuration or throws InputError.

#include <fstream>
#include <sstream>

#include "base/random.h"
#include "unit/config_support.h"

namespace weft {
namespace {

using test::kData;

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Fragments that YAML or the schema give a meaning, besides plain bytes.
const std::vector<std::string> kFragments{
    "\n",
    "  ",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&a ",
    "*a",
    "!!x ",
    "? ",
    "|\n",
    ">",
    "\"",
    "'",
    "#",
    "---\n",
    "null",
    "~",
    "-1",
    "1.5",
    "0x10",
    "1e9",
    "\t",
    "\r",
    "%",
    "\xff",
    "\xc3",
    "9999999999999999999999",
    "sw[3..1]:",
    "100MHz",
    "0cycles",
    "<<: *a\n",
    "true",
    "dims",
};

std::string mutate(std::string text, const std::vector<std::string>& all, RandomStream& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = random.below(12);
    switch (random.below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        text.insert(at, kFragments[random.below(kFragments.size())]);
        break;
      case 3:
        text.replace(at, length, kFragments[random.below(kFragments.size())]);
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, text.substr(random.below(text.size()), random.below(60)));
        break;
      default: {
        const std::string& other = all[random.below(all.size())];
        text.insert(at, other.substr(random.below(other.size()), random.below(60)));
      }
    }
  }
  return text;
}

TEST(ConfigFuzz, MutatedDocumentsNeverCrash) {
  const std::vector<std::string> documents{
      content_of(kData + "/config/full.yaml"), content_of(kData + "/config/child.yaml"),
      content_of(kData + "/config/base/common.yaml"), test::kHead,
      test::kBare + "circuits:\n  - &a { source: 0, destination: 1 }\n  - { pairs: [[1, 2]], flow: b }\n  - *a\n"};
  RandomStream random(1, "config fuzz");
  int valid = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutate(documents[random.below(documents.size())], documents, random);
    Diagnostics diagnostics;
    try {
      const FicConfig config = parse_config(text, "f.yaml", kData + "/config", {}, diagnostics);
      EXPECT_FALSE(config.phases.empty());
      EXPECT_GT(config.fic_switch.period.ps, 0);
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

TEST(ConfigFuzz, MutatedOverridesNeverCrash) {
  const std::vector<std::string> assignments{
      "switch.slots=16", "phases.0.traffic.message=2KiB", "topology={kind: torus, dims: [2, 2]}",
      "switch.instances.sw[0..3].slot_lut.implementation=rtl", "observe.waves.switches=['sw[1]']"};
  const std::string document = content_of(kData + "/config/full.yaml");
  RandomStream random(2, "config fuzz");
  for (int i = 0; i < 2000; ++i) {
    const std::string assignment = mutate(assignments[random.below(assignments.size())], assignments, random);
    Diagnostics diagnostics;
    try {
      parse_config(document, "f.yaml", kData + "/config", {assignment}, diagnostics);
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
      parse_config(document.substr(0, n), "f.yaml", kData + "/config", {}, diagnostics);
    } catch (const InputError& e) {
      EXPECT_FALSE(e.list().empty());
    }
  }
}

}  // namespace
}  // namespace weft
