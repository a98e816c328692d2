#pragma once
// rtl/packet/dtable.sv as a plain object with a clock to call.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "algorithms/qos/egress_scheduler.h"
#include "cosim/common/rtl_block.h"

namespace weft {

/// One cycle with a decision: decide(), then end_cycle().
class DtableRtl : public RtlBlock {
 public:
  struct Decision {
    std::optional<ServiceLevel> grant;
    bool saturated = false;
    bool operator==(const Decision&) const = default;
  };
  /// Sets the inputs of a cycle and reads its outputs. A second call before end_cycle() is the same cycle once more.
  virtual Decision decide(const EgressView& view) = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
};

/// Parameters of a compiled size.
struct DtableRtlSize {
  std::uint32_t levels = 0;
  std::uint32_t entries = 0;
  std::uint32_t weight_bits = 0;
  std::uint32_t size_bits = 0;
  std::uint32_t counter_bits = 0;
  bool operator==(const DtableRtlSize&) const = default;
};

// Compiled sizes of rtl/packet/dtable.sv: 16 SLs and 64 entries, 32 SLs and 128 entries, both with weights and sizes of
// 16 bits and counters that never saturate; and 16 SLs and 64 entries with weights and counters of 8 bits, as in
// InfiniBand's tables.

inline constexpr DtableRtlSize kSmallDtable{16, 64, 16, 16, 17};
inline constexpr DtableRtlSize kLargeDtable{32, 128, 16, 16, 17};
inline constexpr DtableRtlSize kIbDtable{16, 64, 8, 16, 8};

/// The compiled size that takes a table whose counters have `counter_bits` (0: as wide as it takes), if one does.
std::optional<DtableRtlSize> compiled_dtable(const ArbitrationTable& table, unsigned counter_bits);

/// Why the compiled RTL cannot stand for such a scheduler.
struct DtableRtlLimit {
  enum class Of { counters, table, level, weight, messages };
  Of of = Of::counters;
  std::size_t entry = 0;  ///< Of::level, Of::weight: whose
  std::string text;       ///< for the user
};

/// Nothing when the Verilated block of this size can. `largest_message`: credits. `counter_bits`: of the counters, 0:
/// as wide as it takes.
std::optional<DtableRtlLimit> dtable_rtl_limit(const DtableRtlSize& size, const ArbitrationTable& table,
                                               unsigned counter_bits, std::uint32_t largest_message);
/// The same for the compiled sizes.
std::optional<DtableRtlLimit> dtable_rtl_limit(const ArbitrationTable& table, unsigned counter_bits,
                                               std::uint32_t largest_message);

/// The block after reset with this table written. Precondition: compiled_dtable() has a size. `name`: scope in waves.
std::unique_ptr<DtableRtl> make_dtable_rtl(VerilatedContext& context, const ArbitrationTable& table,
                                           unsigned counter_bits, const std::string& name);

/// Block that can stand for the Deficit Table.
struct DtableBlock {
  std::string module = "dtable";      ///< name of its top module
  std::optional<DtableRtlSize> size;  ///< its parameters; none: the smallest compiled size that does
  std::function<std::optional<DtableRtlLimit>(const ArbitrationTable&, unsigned counter_bits,
                                              std::uint32_t largest_message)>
      limit = [](const ArbitrationTable& table, unsigned counter_bits, std::uint32_t largest_message) {
        return dtable_rtl_limit(table, counter_bits, largest_message);
      };
  std::function<std::unique_ptr<DtableRtl>(VerilatedContext&, const ArbitrationTable&, unsigned counter_bits,
                                           const std::string& name)>
      make = make_dtable_rtl;
};

}  // namespace weft
