#include "support/slot_trace.h"

#include <sstream>
#include <stdexcept>

namespace weft::test {

std::vector<TraceLine> parse_slot_trace(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  if (line != "cycle,switch,port,slot,source,destinations,circuit,message,word") {
    throw std::runtime_error("unexpected header of the slot trace: " + line);
  }
  std::vector<TraceLine> out;
  while (std::getline(lines, line)) {
    std::vector<std::string> f;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
    if (f.size() != 9) throw std::runtime_error("slot trace: " + line);
    out.push_back({std::stol(f[0]), static_cast<SwitchId>(std::stoul(f[1])), static_cast<PortId>(std::stoul(f[2])),
                   static_cast<Slot>(std::stoul(f[3])), f[4], f[5], static_cast<std::uint32_t>(std::stoul(f[6])),
                   std::stoul(f[7]), static_cast<std::uint32_t>(std::stoul(f[8]))});
  }
  return out;
}

}  // namespace weft::test
