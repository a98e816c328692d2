#pragma once

namespace weft {
inline constexpr const char* kVersion = "0.2.0";
}  // namespace weft
