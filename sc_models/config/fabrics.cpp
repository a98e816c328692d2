#include "config/fabrics.h"

#include <array>

#include "config/dlt_schema.h"
#include "config/fic_schema.h"

namespace weft {
namespace {

struct Entry {
  const char* name;
  const char* meaning;
  std::shared_ptr<const SectionInfo> (*keys)();
};

constexpr std::array kFabrics{
    Entry{"fic", "Time-division multiplexed circuit switches (FiC-SW), with slot tables written by a central unit.",
          [] { return fic_section(fabric_names()).info(); }},
    Entry{"dlt",
          "A divisible load spread over a network of nodes with a compute time and links with a transfer time "
          "(`weft dlt`).",
          [] { return dlt_section(fabric_names()).info(); }},
};

}  // namespace

std::vector<std::string> fabric_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kFabrics));
  for (const Entry& e : kFabrics) names.emplace_back(e.name);
  return names;
}

std::vector<Fabric> fabrics() {
  std::vector<Fabric> out;
  out.reserve(std::size(kFabrics));
  for (const Entry& e : kFabrics) out.push_back({e.name, e.meaning, e.keys()});
  return out;
}

}  // namespace weft
