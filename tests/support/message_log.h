#pragma once
// messages.csv of a run, read back: generated, sent, delivered (ns), source, destination, level, flits; in the order of
// deliveries.

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "support/scratch.h"

namespace weft::test {

struct LoggedMessage {
  std::int64_t generated = 0, delivered = 0;  // ps
  std::uint32_t from = 0, to = 0;
  std::string level;
  std::int64_t sent = 0;  // ps
  std::int64_t flits = 0;
};

inline std::vector<LoggedMessage> logged_messages_of(const std::string& text) {
  const auto picoseconds = [](const std::string& ns) { return std::llround(std::stod(ns) * 1000); };
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  std::vector<LoggedMessage> out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<std::string> c;
    for (std::string cell; std::getline(cells, cell, ',');) c.push_back(cell);
    out.push_back({picoseconds(c.at(0)), picoseconds(c.at(2)), static_cast<std::uint32_t>(std::stoul(c.at(3))),
                   static_cast<std::uint32_t>(std::stoul(c.at(4))), c.at(5), picoseconds(c.at(1)),
                   std::stoll(c.at(6))});
  }
  return out;
}

inline std::vector<LoggedMessage> logged_messages(const std::string& path) { return logged_messages_of(slurp(path)); }

}  // namespace weft::test
