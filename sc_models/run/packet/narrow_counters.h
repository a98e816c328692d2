#pragma once
// Deficit Tables whose counters have a limited width: whether InfiniBand's arbitration
// tables hold them, for which service levels (SLs) they can saturate, and where they did.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/ib_table_image.h"
#include "algorithms/qos/table_bounds.h"
#include "base/diagnostics.h"
#include "observe/statistic.h"
#include "run/packet/packet_platform.h"

namespace weft {

/// The Deficit Tables of a network have counters of limited width. The functions below need that, but for the last one.
bool narrow_counters(const PacketPlatform& platform);

/// Facts known before a run.
ReportSection narrow_counters_section(const PacketPlatform& platform);
/// The same as a warning at qos.dtable.counter_bits when a counter can saturate. Empty for other networks.
std::vector<Diagnostic> narrow_counters_warnings(const PacketPlatform& platform);

/// The counters of one output or NIC after a run.
struct Saturations {
  std::string port;  ///< as in qos.dtable.instances
  std::uint64_t count = 0;
  std::optional<std::uint64_t> credits_lost;  ///< RTL alone does not tell
};
/// Adds figures to the last section, a table and, when something saturated, a note. `ports`: all there are.
void add_saturations(const PacketPlatform& platform, const std::vector<Saturations>& ports, ReportData& report);

/// Both arbitration tables of an InfiniBand port, entry by entry.
Table ib_tables(const IbTableImage& image);

}  // namespace weft
