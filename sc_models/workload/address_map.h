#pragma once
// Address map of TLM-2.0 bridges in a YAML file: which node owns which addresses.
//
//   addresses:
//     - { base: 0x80000000, size: 64KiB, node: 5 }

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"

namespace weft {

struct AddressRegion {
  std::uint64_t base;
  std::uint64_t size;  ///< bytes, at least 1
  NodeId node;
  Location where;
  std::uint64_t last() const { return base + (size - 1); }
  bool goes_on_beyond_the_last_address() const { return last() < base; }
  bool overlaps(const AddressRegion& o) const { return base <= o.last() && o.base <= last(); }
};

/// Regions in the order of the file, none over the end of the addresses, none with another in it. Throws InputError
/// with everything that is wrong.
std::vector<AddressRegion> read_address_map(const std::string& file);

}  // namespace weft
