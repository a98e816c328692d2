#pragma once
// Keys of bit errors of links (link.errors) and of what links do when they fail.

#include <cstdint>

#include "algorithms/optweb/optweb_config.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawOptwebErrors {
  Given<double> rate;
  Given<std::uint32_t> check;
};

Section<RawOptwebErrors> errors_section();
/// Precondition: `errors` is given.
void resolve_errors(const Given<RawOptwebErrors>& errors, std::uint32_t word_bytes, OptwebLinkConfig& out,
                    Diagnostics& diagnostics);

}  // namespace weft
