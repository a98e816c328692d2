#pragma once
// Messages about networks that compiled RTL does not fit: a call of weft_add_block (docs/howto/rtl.md) makes a block
// that does.

#include <string>

namespace weft {

/// The end of such a message: "; CALL makes a block of this size"; nothing without a call.
inline std::string of_this_size(const std::string& call) {
  return call.empty() ? "" : "; " + call + " makes a block of this size";
}

}  // namespace weft
