#pragma once
// Implementation of a replaceable block: the model, its RTL, or both side by side.

#include <string>

#include "base/diagnostics.h"
#include "base/words.h"

namespace weft {

enum class Implementation { model, rtl, lockstep };
template <>
inline constexpr auto kWords<Implementation> = words("model", "rtl", "lockstep");

/// Choice for one place: how the block is implemented, and by which RTL if not by the model alone.
struct BlockChoice {
  Implementation implementation = Implementation::model;
  Location where;      ///< of the implementation
  std::string rtl;     ///< name of a registered block (cosim/common/named_blocks.h); empty: Weft's own RTL
  Location rtl_where;  ///< of the name

  bool is_model() const { return implementation == Implementation::model; }
  bool same_as(const BlockChoice& other) const { return implementation == other.implementation && rtl == other.rtl; }
};

/// "lockstep", or "lockstep (my_dtable)" with a block of that name.
std::string to_string(const BlockChoice& choice);

}  // namespace weft
