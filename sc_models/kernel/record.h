#pragma once
// Records of transfers, as statistics of any fabric see them. No SystemC here.
//
// A transfer is a piece of data that a client hands to an endpoint: a message. However many packets or words it becomes
// in the network, it is generated once, and delivered once to each of its destinations. Times are ticks of the fabric:
// cycles of its clock, or picoseconds where nodes have clocks of their own.

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

/// Number of a service: a service level, a class of circuits.
using ServiceId = std::uint16_t;

/// A transfer on its way from one node to another; of several destinations one record each.
struct TransferRecord {
  std::uint64_t id = 0;  ///< in order of generation, from 1; the records of a multicast have the same
  NodeId from = kNoId;
  NodeId to = kNoId;
  ServiceId service = 0;
  std::uint64_t bytes = 0;
  std::uint64_t units = 1;  ///< flits or words that it has on a link
  Cycle generated = 0;      ///< handed to the endpoint
  Cycle entered = 0;        ///< its first unit leaves the interface of its source
  Cycle pipeline = 0;       ///< constant part of the time before, in the interface
  Cycle serialization = 0;  ///< of the units behind the first, at the rate of the interface
};

/// Observer of the transfers of a fabric. Records are valid during the call only. Calls come in order of their tick,
/// within one tick in no particular order, so observers must not depend on it.
class TransferObserver {
 public:
  virtual ~TransferObserver() = default;
  /// `generated`, destinations and sizes are known.
  virtual void on_generate(const TransferRecord& /*transfer*/) {}
  /// `entered` is known.
  virtual void on_enter(const TransferRecord& /*transfer*/) {}
  /// Its last unit has arrived at `transfer.to`.
  virtual void on_arrive(const TransferRecord& /*transfer*/, Cycle /*now*/) {}
  /// It will not arrive at `transfer.to`.
  virtual void on_lose(const TransferRecord& /*transfer*/, Cycle /*now*/) {}
  /// It was taken back before it entered the network.
  virtual void on_withdraw(const TransferRecord& /*transfer*/) {}
};

/// Transfers of a fabric by number: generated = delivered + lost + withdrawn + open. A delivery to each destination of
/// a multicast counts.
struct TransferCounts {
  std::uint64_t generated = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t withdrawn = 0;
  std::uint64_t open() const { return generated - delivered - lost - withdrawn; }
};

}  // namespace weft
