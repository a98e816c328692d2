#pragma once
// Random damage to YAML texts, for tests that whatever a file holds is read or refused.

#include <string>
#include <vector>

#include "base/random.h"

namespace weft::test {

/// Fragments that YAML or the schema give a meaning, besides plain bytes.
inline const std::vector<std::string> kFragments{
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
    "0",
    "15",
    "32",
    "0B",
    "opa",
    "dateline",
};

/// A few random changes; `all`: documents from which pieces may come.
inline std::string mutate(std::string text, const std::vector<std::string>& all, RandomStream& random) {
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

}  // namespace weft::test
