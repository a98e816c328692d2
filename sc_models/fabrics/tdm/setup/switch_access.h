#pragma once
// Interfaces around the setup unit of a switch, which is a replaceable block: what it has access to (slot LUT, slot
// table, state of the links), and the unit itself. Model: switch_circuits.h; RTL: rtl/tdm/setup_unit.sv.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/tdm/setup/message.h"

namespace weft {

/// Change of the slot table: slots of some outputs get an input, or nothing.
struct TableChange {
  bool set = false;
  PortId in = kNoPort;       ///< if set
  std::vector<PortId> outs;  ///< in ascending order
  SlotSet slots;
  std::vector<Slot> from;  ///< the input's slot for each of these in ascending order; empty: the same
  bool operator==(const TableChange&) const = default;
};

/// Blocks and links of a switch, as its setup unit sees them.
class SwitchAccess {
 public:
  virtual ~SwitchAccess() = default;
  /// Throws RunError when the slot LUT refuses to reserve or to release.
  virtual SlotLutResponse ask(Cycle now, const SlotLutRequest& request, std::uint32_t flow) = 0;
  /// Cycle in which a change of so many columns of the slot table would be in effect.
  virtual Cycle in_force(Cycle now, std::uint32_t columns) = 0;
  /// Orders a change; the cycle in which it is in effect.
  virtual Cycle change(Cycle now, const TableChange& change) = 0;
  /// A circuit over the failed link of a port begins to give up its slots, has given them up.
  virtual void drain_begins(PortId port) = 0;
  virtual void drain_ends(Cycle now, PortId port) = 0;
  virtual bool usable(Cycle now, PortId port) const = 0;
  virtual bool failed(PortId port) const = 0;
  /// The failure that holds the link of a port down.
  virtual std::uint32_t holder(PortId port) const = 0;
};

/// Message that leaves a switch, and its port.
struct SetupSend {
  PortId port = kNoPort;
  SetupMessage message;
};

/// Slots that a switch holds for a circuit, or that drain.
struct CircuitHolding {
  CircuitKey key;
  bool first = false;  ///< the circuit comes from the host at `in`: its row is held as well
  PortId in = kNoPort;
  std::vector<PortId> outs;  ///< in ascending order
  SlotSet slots;
  bool in_table = false;   ///< the slot table has them
  std::vector<Slot> from;  ///< the input's slot for each of these in ascending order; empty: the same
  bool operator==(const CircuitHolding&) const = default;
  SlotSet in_slots() const {
    if (from.empty()) return slots;
    SlotSet all(slots.size());
    for (const Slot s : from) all.set(s);
    return all;
  }
};

/// Setup unit of a switch without its time: reaction to each message.
class SwitchCircuitsIf {
 public:
  virtual ~SwitchCircuitsIf() = default;
  /// Does what `message`, which came in through `from`, asks for in cycle `now`; what is to be sent is appended.
  virtual void handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) = 0;
  /// Gives up every circuit that crosses a failed link, by failure `fault` of the plan, and appends the flows they
  /// belong to. The messages that tell its neighbours still take processing: told() when such a message is sent.
  virtual void drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                           std::vector<std::uint32_t>& flows) = 0;
  /// A message that drop_failed() gave is sent in cycle `now`. Until all of a circuit have been, its slots are kept:
  /// the host may be sending, and a request for them must not come to the next switch before the teardown.
  virtual void told(Cycle now, const CircuitKey& key) = 0;
  /// Frees the slots whose time has come.
  virtual void free_due(Cycle now) = 0;
  /// Cycle of the next free_due() with an effect, -1: none.
  virtual Cycle next_free() const = 0;
  virtual std::vector<CircuitHolding> holdings() = 0;
};

/// Switch of a setup unit.
struct SetupSite {
  SwitchId sw = 0;
  PortId ports = 0;
  SetupTiming timing;
  std::vector<LinkId> host_links;  ///< by port: link from the host there, kNoId: there is none
};

/// Whether a message takes the switch's processing time; others pass at once.
constexpr bool is_processed(SetupMessage::Kind kind) {
  using Kind = SetupMessage::Kind;
  return kind == Kind::request || kind == Kind::withdraw || kind == Kind::released || kind == Kind::teardown;
}

/// First cycle in which the source may send for the switches behind the first one: unless other requests are in the way
/// of this one, which the first switch serves in cycle `now`, no word comes to a switch before its entry is in effect.
Cycle route_start(const SetupTiming& timing, Cycle now, const SetupMessage& request);

}  // namespace weft
