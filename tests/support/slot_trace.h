#pragma once
// slot_trace.csv, read back.

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft::test {

/// A line of slot_trace.csv.
struct TraceLine {
  Cycle cycle = 0;
  SwitchId sw = 0;
  PortId port = 0;
  Slot slot = 0;
  std::string source;
  std::string destinations;
  std::uint32_t circuit = 0;
  std::uint64_t message = 0;
  std::uint32_t word = 0;
};
std::vector<TraceLine> parse_slot_trace(const std::string& csv);

}  // namespace weft::test
