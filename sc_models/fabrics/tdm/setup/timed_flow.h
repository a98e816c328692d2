#pragma once
// Circuits that come and go: what the sources of a network ask for, and when, and which parts of the network fail.
//
// This is the entry for everything that wants dynamic circuits (a configuration file, a job schedule); it knows
// nothing of YAML. Times are cycles of the network's clock, counted from the start of the run.

#include <optional>
#include <string>
#include <vector>

#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_set.h"
#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/units.h"
#include "workload/arrivals.h"

namespace weft {

/// From `at` on the flow wants so many slots.
struct SlotChange {
  Cycle at = 0;
  std::uint32_t slots = 1;
};

/// One source sends messages to one destination, or each to several, over a circuit that is set up when there is
/// something to send and given back when everything sent has arrived and nothing is waiting.
struct TimedFlow {
  std::string name;
  std::string job;
  Location where;
  NodeId source = kNoId;
  std::vector<NodeId> destinations;
  Cycle start = 0;                  ///< nothing is sent before
  std::uint32_t slots = 1;          ///< m
  std::vector<SlotChange> changes;  ///< ascending, after `start`
  /// Messages are handed over one by one (FlowSource::submit) and may have any length; nothing else says when they
  /// come.
  bool submitted = false;
  std::uint32_t message_words = 1;  ///< of each; of the longest one that is submitted
  /// saturated: all messages are there at `start`; periodic: message k comes k intervals later; poisson: exponential
  /// gaps.
  const ArrivalProcess* arrivals = &kSaturatedArrivals;
  Duration interval;
  Duration period{1};                     ///< of the clock, which turns `interval` into cycles
  std::optional<std::uint64_t> messages;  ///< none: as many as come before `until`
  Cycle until = 0;                        ///< without a number of messages: none is generated in or after this cycle
  std::optional<Cycle> duration;          ///< saturated: messages come for so long after the first word left, no count
  std::optional<Cycle> end;  ///< saturated: no word leaves in this cycle or later, not even the rest of a message
  SlotSet allowed;           ///< slots it may ask for; without size: any
};

/// As messages name it.
inline std::string flow_text(const TimedFlow& flow) {
  NodePairs pairs;
  for (const NodeId to : flow.destinations) pairs.emplace_back(flow.source, to);
  return flow_text(flow.name, pairs);
}

/// Links (both directions and their control channels) or a whole switch that fail.
struct Fault {
  Location where;
  SwitchId a = kNoId;
  SwitchId b = kNoId;  ///< kNoId: switch a; else all links between a and b
  Cycle at = 0;
  Cycle recover = -1;          ///< repaired in this cycle; -1: never
  std::optional<PortId> port;  ///< only the link at this port of switch a
  NodeId nic = kNoId;          ///< the node at that port, if the link was named by it
  std::uint32_t ports = 1;     ///< with `port`: the links at so many ports from it on
};

}  // namespace weft
