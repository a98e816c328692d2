#pragma once
// Keys of the serial-link IP (link.serial), and what follows from them.

#include <cstdint>

#include "algorithms/optweb/optweb_config.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawOptwebSerial {
  Given<Frequency> clock;
  Given<std::uint32_t> bits;
  Given<std::uint64_t> efficiency;  ///< 1/10,000
  Given<CycleSpan> ecc;
  Given<OptwebPhase> phase;
  Given<std::uint32_t> fifo;
  Given<std::uint32_t> synchronizer;
};

Section<RawOptwebSerial> serial_section();
/// Precondition: `serial` is given. `rate`: link.rate; `clock`: of the nodes; a link passes a word in a cycle of it at
/// most.
void resolve_serial(const Given<RawOptwebSerial>& serial, const Given<Rate>& rate, Frequency clock,
                    std::int64_t word_bits, OptwebLinkConfig& out, Diagnostics& diagnostics);

}  // namespace weft
