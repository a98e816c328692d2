#pragma once
// The key `adapters` of every fabric whose links may have some: one declaration, one reader.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "network/link_adapters.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawAdapter {
  Given<std::string> at;
  Given<CycleSpan> delay;
};
using RawAdapters = std::vector<Placed<RawAdapter>>;

Type<RawAdapters> adapters_type();

/// Declares the key.
template <class Raw>
void declare_adapters(Section<Raw>& section, Given<RawAdapters> Raw::*field) {
  section.key("adapters", field, adapters_type(), by_default("[]"),
              "Adapters inserted into chosen links, which add delay; delays on one link add up.");
}

/// The adapters that are right; everything else is reported. `period`: of a cycle. `longest`: delay that one may have,
/// and `with`, what that is due to, as in "with architecture iq ".
std::vector<AdapterConfig> resolve_adapters(const Given<RawAdapters>& raw, Duration period, Diagnostics& diagnostics,
                                            Cycle longest = std::numeric_limits<Cycle>::max(),
                                            std::string_view with = {});

}  // namespace weft
