#pragma once
// Implementation of a replaceable block: the model, its RTL, or both side by side.

#include "base/words.h"

namespace weft {

enum class Implementation { model, rtl, lockstep };
template <>
inline constexpr auto kWords<Implementation> = words("model", "rtl", "lockstep");

}  // namespace weft
