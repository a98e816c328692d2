#include "fabrics/packet/switch_architectures.h"

#include "fabrics/packet/iq/parameters.h"
#include "fabrics/packet/opa/opa_parameters.h"

namespace weft {

SwitchArchitectures& switch_architectures() {
  static SwitchArchitectures table{
      &kIbArchitecture,
      &kOpaArchitecture,
      &kIqArchitecture,
  };
  return table;
}

std::string architectures_with(LaneVocabulary vocabulary) {
  std::string out;
  for (const SwitchArchitecture* a : switch_architectures()) {
    if (a->vocabulary == vocabulary) out += (out.empty() ? "" : ", ") + std::string(a->name);
  }
  return out;
}

std::string other_crossings(fmt::format_string<std::string_view, std::string_view> form) {
  std::string out;
  for (const SwitchArchitecture* a : switch_architectures()) {
    if (!a->crossing.empty()) out += fmt::vformat(form, fmt::make_format_args(a->name, a->crossing));
  }
  return out;
}

}  // namespace weft
