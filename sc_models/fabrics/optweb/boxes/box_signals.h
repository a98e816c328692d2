#pragma once
// Signals between the boxes of a node beside the words (fabrics/optweb/boxes/word_path.h), each an interface that an
// sc_port of the box that drives it is bound to:
//
//   notifications  link[j] -> registers -> control; those that an instruction uses: registers -> gate -> control
//                  control -> link[j]
//   words          gate -> link[j], and from the selectors to the node itself; link[j] -> buffers
//   control        buffers -> control: words begin to come; gate -> control: it opens; word counters -> control: the
//                  last word of a path is counted
//   done           control -> M_DMAC -> sequencer, user port -> changeover -> sequencer
//
// As words, signals are driven when something happens, not in each cycle, and say at which boundary it is there. Ports
// of links are numbered as the DMACs.

#include <cstdint>
#include <systemc>

#include "algorithms/optweb/command_sequencer.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/optweb/boxes/word_path.h"
#include "fabrics/optweb/protocol.h"

namespace weft {

struct Arrival;

/// Notifications on their way through a box.
class NotificationPathIf : public virtual sc_core::sc_interface {
 public:
  /// One of the node behind a port is at the input of the box at boundary `at`.
  virtual void pass(std::uint32_t port, const OptwebNotification& notification, Cycle at) = 0;
};

/// Notification registers -> control.
class RegisteredIf : public virtual sc_core::sc_interface {
 public:
  /// A notification of a port will be registered at boundary `at`.
  virtual void registered(std::uint32_t port, Cycle at) = 0;
};

/// Gate -> control.
class GateSignalsIf : public virtual sc_core::sc_interface {
 public:
  /// All receivers are ready: words may pass from boundary `at` on.
  virtual void opens(Cycle at) = 0;
  /// A notification that the instruction under way uses has passed the gate.
  virtual void used(std::uint32_t port, const OptwebNotification& notification) = 0;
};

/// Control -> links.
class LinkNotificationsIf : public virtual sc_core::sc_interface {
 public:
  /// A notification goes out by a port from cycle `now` on; returns the boundary at which it has left the switch.
  /// kNever: its link does not come back.
  virtual Cycle notify(std::uint32_t port, Cycle now, const OptwebNotification& notification) = 0;
};

/// Links, and the way from the node to itself -> receive buffers.
class ArrivingWordsIf : public virtual sc_core::sc_interface {
 public:
  /// Words of a transfer begin to come.
  virtual void begins(std::uint32_t port, OptwebTrain&& train) = 0;
  /// The transfer that began last ends later. `from`: boundary at which words arrive that the sender sends now.
  virtual void is_late(std::uint32_t port, Cycle last, Picoseconds ended, Cycle from) = 0;
  /// Its words come at another pace from a point on.
  virtual void turns(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) = 0;
};

/// Receive buffers -> control.
class BufferedWordsIf : public virtual sc_core::sc_interface {
 public:
  /// Words of a transfer have begun to come to the buffer of a port; the last one is there at boundary `last`.
  virtual void begun(std::uint32_t port, Cycle last) = 0;
  /// Their last one comes at another time than it was said.
  virtual void turned(std::uint32_t port, Arrival& arrival) = 0;
};

/// Word counters -> control.
class CountedWordsIf : public virtual sc_core::sc_interface {
 public:
  /// The words of a path have been counted.
  virtual void counted(const WordRoute& route) = 0;
};

/// Units behind the command sequencer -> sequencer.
class DoneIf : public virtual sc_core::sc_interface {
 public:
  /// Done pulse in cycle `now`.
  virtual void done(optweb::Units units, Cycle now) = 0;
};

}  // namespace weft
