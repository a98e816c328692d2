#pragma once
// Switch architectures that configurations of packet networks can name. A new one is a folder beside this file and a
// line in switch_architectures.cpp.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/records.h"
#include "fabrics/packet/common/switch_architecture.h"

namespace weft {

using SwitchArchitectures = Records<SwitchArchitecture>;
SwitchArchitectures& switch_architectures();

/// Words of those with a vocabulary of virtual lanes, for descriptions and messages.
std::string architectures_with(LaneVocabulary vocabulary);
/// Those of which one transfer crosses a part only, written as `form` says: {0} the word, {1} the part.
std::string other_crossings(fmt::format_string<std::string_view, std::string_view> form);

}  // namespace weft
