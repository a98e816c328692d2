#include "workload/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {
namespace {

struct RawRegion {
  Given<std::string> base;
  Given<DataSize> size;
  Given<NodeId> node;
};

struct RawMap {
  Given<std::vector<Placed<RawRegion>>> addresses;
};

Section<RawMap> map_section() {
  Section<RawRegion> region("region", "Addresses of one node.");
  region.key("base", &RawRegion::base, word_type(), required(), "First address, decimal or hexadecimal (0x...).");
  region.key("size", &RawRegion::size, data_size_type({8}, {std::int64_t{8} << 50}), required(),
             "Bytes from there on.");
  region.key("node", &RawRegion::node, whole<NodeId>(0, std::numeric_limits<NodeId>::max() - 1), required(),
             "Node whose target owns them, numbered from 0 there.");
  Section<RawMap> map("map", "Which node owns which addresses.");
  map.key("addresses", &RawMap::addresses, list_of(region.type(), 1, 65'536), required(), "The regions.");
  return map;
}

std::optional<std::uint64_t> number(const std::string& text) {
  const bool hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const char* const from = text.data() + (hexadecimal ? 2 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t out = 0;
  const auto [last, error] = std::from_chars(from, end, out, hexadecimal ? 16 : 10);
  if (error != std::errc() || last != end) return std::nullopt;
  return out;
}

}  // namespace

std::vector<AddressRegion> read_address_map(const std::string& file) {
  const ConfigDocument document = load_document(file, {"an address map", "addresses: ...", "addresses: [ ... ]"});
  Diagnostics diagnostics;
  const RawMap raw = map_section().read(document.root, "", diagnostics);
  std::vector<AddressRegion> out;
  for (std::size_t i = 0; i < raw.addresses.value.size(); ++i) {
    const auto& [r, where, valid] = raw.addresses.value[i];
    const std::string path = fmt::format("addresses.{}", i);
    const auto base = number(r.base.value);
    if (r.base.valid && !base) {
      diagnostics.error(r.base.where,
                        fmt::format("{}.base: expected an address such as 0x80000000, got '{}'", path, r.base.value));
    }
    if (!valid || !r.base.valid || !base || !r.size.valid || !r.node.valid) continue;
    if (r.size.value.bits % 8 != 0) {
      diagnostics.error(r.size.where,
                        fmt::format("{}.size: {} bits are no whole number of bytes", path, r.size.value.bits));
      continue;
    }
    const AddressRegion region{*base, static_cast<std::uint64_t>(r.size.value.bits / 8), r.node.value, where};
    if (region.goes_on_beyond_the_last_address()) {
      diagnostics.error(r.size.where, fmt::format("{}: {} bytes from {:#x} on go beyond the last address", path,
                                                  region.size, region.base));
      continue;
    }
    for (const AddressRegion& other : out) {
      if (!region.overlaps(other)) continue;
      diagnostics.error(where, fmt::format("{}: addresses from {:#x} on are those of node {} already ({})", path,
                                           std::max(region.base, other.base), other.node, other.where.text()));
    }
    out.push_back(region);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace weft
