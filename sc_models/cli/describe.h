#pragma once
// Text of `weft describe`: every key with type, unit, default, range and meaning.

#include <string>

namespace weft {

std::string describe_text();
std::string describe_markdown();  ///< configs/README.md
std::string describe_json();

}  // namespace weft
