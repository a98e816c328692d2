#pragma once
// Observer of an OPTWEB network: statistics and waves see its models through nothing else. Times are picoseconds, since
// nodes may have clocks of their own. Calls come in order of their time.

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "fabrics/optweb/boxes/box_span.h"
#include "kernel/observer_list.h"

namespace weft {

// What OPTWEB nodes tell observers. Times are those of boundaries: cycle n of a node ends and n + 1 begins at boundary
// n + 1; the first cycle of an instruction is that of its fetch. They are picoseconds, as nodes may have clocks of
// their own.

/// An instruction that a node has completed.
struct OptwebExecution {
  NodeId node = kNoId;
  std::uint32_t number = 0;             ///< of the instruction in the order of execution
  Picoseconds started = 0;              ///< fetched
  std::optional<Picoseconds> sent;      ///< its last word, or notification of a barrier, has left the switch
  std::optional<Picoseconds> received;  ///< its last word has been counted and reported
  Picoseconds completed = 0;            ///< the sequencer knows that every unit is done
  std::uint64_t bytes_out = 0;          ///< over links
  std::uint64_t bytes_in = 0;           ///< over links
  bool rendezvous = false;
  bool unfenced = false;  ///< reads what was written since the last fence; the latencies make up for it
};

/// A transfer over a link that has been counted by its receiver.
struct OptwebDelivery {
  NodeId from = kNoId;
  NodeId to = kNoId;
  std::uint64_t bytes = 0;
  std::uint64_t words = 0;
  Picoseconds first = 0;    ///< its run begins on the link
  Picoseconds last = 0;     ///< its last word has left the sender
  Picoseconds counted = 0;  ///< by the receiver's word counter
  bool buffered = false;    ///< it came before its instruction
};

/// An access of a host that a configuration names.
struct OptwebHostEvent {
  std::uint32_t number = 0;  ///< its place in the configuration
  NodeId node = kNoId;
  Picoseconds opened = 0;  ///< its first word could pass
  Picoseconds over = 0;
};

/// Observer of an OPTWEB network.
class OptwebObserver {
 public:
  virtual ~OptwebObserver() = default;
  bool wants_hops() const { return false; }
  /// A node has begun with an instruction: its units have it.
  virtual void on_issue(NodeId /*node*/, std::uint32_t /*number*/) {}
  virtual void on_execute(const OptwebExecution& /*execution*/) {}
  virtual void on_deliver(const OptwebDelivery& /*delivery*/) {}
  /// A transfer from a node here that another rank's node has counted, which is told there by on_deliver().
  virtual void on_deliver_elsewhere(const OptwebDelivery& /*delivery*/) {}
  virtual void on_host(const OptwebHostEvent& /*event*/) {}
  /// on_box() is to be called; asked once, when the observer is added.
  virtual bool wants_boxes() const { return false; }
  /// A state of a box is over. Those of one place come in order and do not overlap.
  virtual void on_box(const OptwebBoxSpan& /*span*/) {}
};

using OptwebObservers = ObserverList<OptwebObserver>;

}  // namespace weft
