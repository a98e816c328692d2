#pragma once
// Cover properties of Verilated blocks that were made with them (weft_add_block(... COVERAGE), docs/howto/rtl.md).

#include <string>
#include <vector>

class VerilatedContext;

namespace weft {

/// Cover property of a block, for example `c_wraps` or `gen_entry[3].c_used` of "sw[5].port1 dtable".
struct CoverProperty {
  std::string scopes;  ///< name of the block's top module, as wave_scopes() makes it
  std::string name;    ///< behind it
  bool held = false;   ///< in any cycle so far
};

/// All of a context, in the order of their names.
std::vector<CoverProperty> cover_properties(VerilatedContext& context);

}  // namespace weft
