#include "network/keys/block_keys.h"

namespace weft {
namespace {

void warn_of_name(const Given<std::string>& rtl, const std::string& path, Diagnostics& diagnostics) {
  diagnostics.warning(rtl.key_where, path + ".rtl has no effect with implementation 'model'");
}

}  // namespace

Type<Implementation> implementation_type() { return choice<Implementation>(); }

std::string implementation_meaning(const std::string& compared) {
  return "C++ model, Verilated RTL, or both compared " + compared + ".";
}

Section<RawBlock> block_section(const std::string& name, const std::string& meaning, const std::string& compared) {
  Section<RawBlock> s(name, meaning);
  declare_block(s, &RawBlock::implementation, &RawBlock::rtl, compared);
  return s;
}

Section<RawBlock> block_exception_section(const std::string& name, const std::string& meaning,
                                          const std::string& compared, const std::string& all) {
  Section<RawBlock> s(name, meaning);
  declare_block_exception(s, &RawBlock::implementation, &RawBlock::rtl, compared, all);
  return s;
}

BlockChoice block_choice(const Given<Implementation>& implementation, const Given<std::string>& rtl) {
  return {implementation.value, implementation.where, rtl.value, rtl.where};
}

BlockChoice block_exception(const Given<Implementation>& implementation, const Given<std::string>& rtl,
                            const BlockChoice& all, const std::string& path, Diagnostics& diagnostics) {
  BlockChoice out = all;
  if (implementation.given) {
    out.implementation = implementation.value;
    out.where = implementation.where;
  }
  if (rtl.given) {
    out.rtl = rtl.value;
    out.rtl_where = rtl.where;
    if (out.is_model()) warn_of_name(rtl, path, diagnostics);
  }
  return out;
}

std::optional<BlockChoice> block_exception(const Given<RawBlock>& block, const BlockChoice& all,
                                           const std::string& path, bool& used, Diagnostics& diagnostics) {
  if (!block.given) return std::nullopt;
  const BlockChoice choice = block_exception(block.value.implementation, block.value.rtl, all, path, diagnostics);
  used = used || (!choice.is_model() && !block.value.rtl.given);
  return choice;
}

void warn_unused_block(const Given<std::string>& rtl, const BlockChoice& all, bool used, const std::string& path,
                       Diagnostics& diagnostics) {
  if (rtl.given && all.is_model() && !used) warn_of_name(rtl, path, diagnostics);
}

}  // namespace weft
