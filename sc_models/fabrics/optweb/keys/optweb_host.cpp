#include "fabrics/optweb/keys/optweb_host.h"

#include <fmt/format.h>

#include <utility>

namespace weft {
namespace {

// They are made at once: between two looks at whether the run is to stop.
constexpr std::uint64_t kMostHostData = std::uint64_t{64} << 20;

}  // namespace

void check_whole_bytes(const Given<DataSize>& size, const std::string& path, Diagnostics& diagnostics) {
  if (!size.valid || size.value.bits % 8 == 0) return;
  diagnostics.error(size.where, fmt::format("{}: expected whole bytes, got '{}'", path, to_string(size.value)));
}

std::vector<OptwebHostAccess> host_accesses(const RawOptweb& raw, const OptwebSystemConfig& config,
                                            Diagnostics& diagnostics) {
  std::vector<OptwebHostAccess> out;
  const auto error = [&](const Location& where, std::string message) { diagnostics.error(where, std::move(message)); };
  const std::uint64_t stripe = 2 * config.interface_bytes;
  if (!raw.host.valid || config.stripes == 0 || stripe == 0) return out;
  for (std::size_t i = 0; i < raw.host.value.size(); ++i) {
    const auto& [r, where, valid] = raw.host.value[i];
    if (!valid || !r.node.valid || !r.op.valid || !r.at.valid || !r.stripe.valid || !r.address.valid || !r.size.valid) {
      continue;
    }
    const std::string path = fmt::format("host.{}", i);
    check_whole_bytes(r.address, path + ".address", diagnostics);
    check_whole_bytes(r.size, path + ".size", diagnostics);
    if (r.node.value >= config.nodes) {
      error(r.node.where, fmt::format("{}.node: expected 0 to {}, got '{}'", path, config.nodes - 1, r.node.value));
      continue;
    }
    if (r.stripe.value >= config.stripes) {
      error(r.stripe.where, fmt::format("{}.stripe: expected 0 to {} (memory.interfaces / 2 - 1), got '{}'", path,
                                        config.stripes - 1, r.stripe.value));
      continue;
    }
    const std::uint64_t first = bytes_of(r.address.value);
    const std::uint64_t bytes = bytes_of(r.size.value);
    if (first >= stripe) {
      error(r.address.where,
            fmt::format("{}.address: expected less than a stripe (2K), which has {}, got '{}'", path,
                        to_string(DataSize{static_cast<std::int64_t>(stripe) * 8}), to_string(r.address.value)));
      continue;
    }
    const bool write = r.op.value == OptwebHostOp::write;
    if (write && config.mode == OptwebMode::data && bytes > kMostHostData) {
      error(r.size.where, fmt::format("{}.size: expected at most {} of a write with data, got '{}' (several writes, or "
                                      "mode: timing, have no such limit)",
                                      path, to_string(DataSize{static_cast<std::int64_t>(kMostHostData) * 8}),
                                      to_string(r.size.value)));
      continue;
    }
    OptwebHostAccess a;
    a.where = where;
    a.node = r.node.value;
    a.at = {r.at.value.in_cycles ? r.at.value.value * config.period.ps : r.at.value.value};
    a.write = write;
    a.address = r.stripe.value * stripe + first;
    a.bytes = bytes;
    const std::uint64_t memory = stripe * config.stripes;
    if (a.bytes > memory - a.address) {
      error(r.size.where,
            fmt::format("{}.size: {} from relative address {:#x} of stripe {} on go beyond the memory of {}", path,
                        to_string(r.size.value), first, r.stripe.value,
                        to_string(DataSize{static_cast<std::int64_t>(memory) * 8})));
      continue;
    }
    out.push_back(a);
  }
  return out;
}

}  // namespace weft
