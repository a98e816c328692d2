#pragma once
// Endpoints: the doors of a fabric's nodes, for everybody who sends: traffic sources, traces, programs, TLM-2.0
// initiators. A client hands transfers over and is told, if it asks for it, when they have left and arrived; how a
// fabric carries them is its own affair.
//
// Order: sends of different clients in one cycle enter the queues of a node in the order (node, client, tag), whatever
// order the clients were called in, so shuffled modules give the same results. Calls of a client come as soon as their
// cause is known, within a cycle in no particular order; the cycle they name is the first one in which the client may
// act on it, always a later one than the present.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "base/units.h"
#include "kernel/record.h"

namespace weft {

/// Number of a client at its fabric, in the order in which they were attached.
using ClientId = std::uint16_t;

/// News that a client wants of a transfer. Who wants to know of its arrival is told of its loss.
enum class Notify : std::uint8_t { none = 0, left = 1, arrived = 2, both = 3 };
constexpr bool wants(Notify notify, Notify what) {
  return (static_cast<unsigned>(notify) & static_cast<unsigned>(what)) != 0;
}

/// Step of a transfer on a fabric that does not change by steps, or that is in the step it belongs to.
inline constexpr std::uint32_t kPresentStep = ~std::uint32_t{0};

/// A message for the network.
struct Transfer {
  NodeId to = kNoId;
  std::uint32_t step = kPresentStep;  ///< of the circuits that carry it; it waits for that step (Endpoints::reach)
  std::span<const NodeId> group{};    ///< destinations of a multicast, instead of `to`; copied by send()
  std::uint64_t bytes = 0;            ///< 0 is allowed: a message without data
  ServiceId service = 0;
  std::uint32_t choice = 0;         ///< random number of the source, for routing with a choice
  RandomStream* choices = nullptr;  ///< of the source, for the packets behind the first; null: `choice` for all
  ClientId client = 0;
  Notify notify = Notify::none;
  std::uint64_t tag = 0;  ///< for the client
};

/// A transfer from a part of the network that another process runs.
struct ForeignTransfer {
  NodeId from = kNoId;
  NodeId to = kNoId;
  std::uint64_t bytes = 0;
  std::uint64_t word = 0;  ///< what its client calls it there
};

/// Somebody who sends. `at`: see above.
class Client {
 public:
  virtual ~Client() = default;
  /// The last unit of a transfer has left the interface of its source.
  virtual void left(std::uint64_t /*tag*/, Cycle /*at*/) {}
  /// The last unit has arrived at a destination.
  virtual void arrived(std::uint64_t /*tag*/, NodeId /*node*/, Cycle /*at*/) {}
  /// It will not arrive there; `cause`, as in "is lost: <cause>".
  virtual void lost(std::uint64_t /*tag*/, NodeId /*node*/, Cycle /*at*/, std::string_view /*cause*/) {}

  // Of a network that several processes run, each with a client of its own: what arrives is told to the one where the
  // destination is.

  /// What that client has to know of a transfer, in place of its tag.
  virtual std::uint64_t word(std::uint64_t tag) const { return tag; }
  virtual void arrived_from_afar(const ForeignTransfer& /*transfer*/, Cycle /*at*/) {}
};

/// Properties of a service.
struct Capabilities {
  bool ordered = false;      ///< transfers from one node to another arrive in the order in which they were sent
  bool multicast = false;    ///< a transfer to a group enters the network once
  bool dynamic = true;       ///< any node can be sent to, not only those that the plan knows
  std::uint64_t unit = 1;    ///< bytes of a flit or word
  std::uint64_t packet = 0;  ///< bytes of the largest packet; 0: transfers travel whole
};

/// All endpoints of a fabric.
class Endpoints {
 public:
  virtual ~Endpoints() = default;
  virtual std::uint32_t nodes() const = 0;
  virtual Capabilities of(ServiceId service) const = 0;
  /// Before the first send. The client must outlive the fabric's last call of it.
  virtual ClientId attach(Client& client) = 0;
  /// From inside the clock's agenda, in Phase::prepare or Phase::generate: generated in the present cycle. From
  /// outside: in the next cycle that the clock can still serve. Throws RunError for a node, service or group that there
  /// is not.
  virtual void send(NodeId from, const Transfer& transfer) = 0;
  /// Fabrics whose circuits change by steps, as their clients go on: all further sends of the node belong to this step
  /// or to later ones. From inside the clock's agenda.
  virtual void reach(NodeId /*node*/, std::uint32_t /*step*/) {}
  /// A send from this node comes soon: what it needs may be fetched into the cache.
  virtual void expect(NodeId /*from*/) const {}
};

/// Throws RunError for a node, service or group that there is not. `services`: how many there are.
void check_transfer(const Endpoints& endpoints, NodeId from, const Transfer& transfer, std::size_t services);

}  // namespace weft
