#pragma once
// The keys `implementation` and `rtl` of a replaceable block: one declaration, one reader, for every fabric.

#include <optional>
#include <string>

#include "base/implementation.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawBlock {
  Given<Implementation> implementation;
  Given<std::string> rtl;
};

/// Type of a key that chooses an implementation.
Type<Implementation> implementation_type();
/// What is said of it; `compared`: when lockstep pairs are, as "in every cycle".
std::string implementation_meaning(const std::string& compared);
/// Of the key `rtl`.
inline constexpr const char* kRtlMeaning =
    "Name of a registered RTL block (from a plug-in or the program) used instead of Weft's own RTL.";

/// Declares both keys for all instances of a block, and for exceptions, which keep what they do not say.
template <class Raw>
void declare_block(Section<Raw>& s, Given<Implementation> Raw::*implementation, Given<std::string> Raw::*rtl,
                   const std::string& compared) {
  s.key("implementation", implementation, implementation_type(), by_default("model"), implementation_meaning(compared));
  s.key("rtl", rtl, word_type(), optional("Weft's own"), kRtlMeaning);
}
template <class Raw>
void declare_block_exception(Section<Raw>& s, Given<Implementation> Raw::*implementation, Given<std::string> Raw::*rtl,
                             const std::string& compared, const std::string& all) {
  s.key("implementation", implementation, implementation_type(), optional("as for all " + all),
        implementation_meaning(compared));
  s.key("rtl", rtl, word_type(), optional("as for all " + all), kRtlMeaning);
}

/// Both keys as a section, for all instances and for exceptions.
Section<RawBlock> block_section(const std::string& name, const std::string& meaning, const std::string& compared);
Section<RawBlock> block_exception_section(const std::string& name, const std::string& meaning,
                                          const std::string& compared, const std::string& all);

/// The choice for all instances.
BlockChoice block_choice(const Given<Implementation>& implementation, const Given<std::string>& rtl);
/// That of an exception: `all` where it says nothing. A name without effect is a warning: `path` of its section.
BlockChoice block_exception(const Given<Implementation>& implementation, const Given<std::string>& rtl,
                            const BlockChoice& all, const std::string& path, Diagnostics& diagnostics);
/// The same for a section; nothing when it is not there. `used` becomes true when it takes the name of `all`.
std::optional<BlockChoice> block_exception(const Given<RawBlock>& block, const BlockChoice& all,
                                           const std::string& path, bool& used, Diagnostics& diagnostics);
/// Warns of a name that has no effect, since all instances are models; `used`: an exception uses it.
void warn_unused_block(const Given<std::string>& rtl, const BlockChoice& all, bool used, const std::string& path,
                       Diagnostics& diagnostics);

}  // namespace weft
