#pragma once
// The key `faults` of every fabric in which links and switches can fail: one declaration, one reader.

#include <cstdint>
#include <string>
#include <vector>

#include "network/places.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawFault {
  Given<std::string> at;
  Given<CycleSpan> down;
  Given<CycleSpan> up;
  Given<CycleSpan> every;
  Given<std::uint32_t> times;
};
using RawFaults = std::vector<Placed<RawFault>>;

Type<RawFaults> faults_type();

/// Declares the key; `meaning` says what becomes of traffic on this fabric.
template <class Raw>
void declare_faults(Section<Raw>& section, Given<RawFaults> Raw::*field, std::string meaning) {
  section.key("faults", field, faults_type(), by_default("[]"), std::move(meaning));
}

/// The faults that are right, each time of those that come again as one of its own; everything else is reported.
/// `period`: of a cycle.
std::vector<FaultConfig> resolve_faults(const Given<RawFaults>& raw, Duration period, Diagnostics& diagnostics);

}  // namespace weft
