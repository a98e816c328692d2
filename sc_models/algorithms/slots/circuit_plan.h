#pragma once
// Everything that is known about a set of circuits before it runs: slots, tables, guaranteed bandwidth, predicted
// latency.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/circuit_timing.h"
#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_table.h"

namespace weft {

/// Constant latencies of the network, in cycles.
struct TdmTiming {
  std::uint32_t slots = 2;           ///< S
  Cycle pipeline = 0;                ///< output stage of a switch, towards links and hosts
  Cycle serdes = 0;                  ///< link between two switches
  std::vector<Cycle> adapters = {};  ///< that one adds to each directed link, by its number; empty: none has any
  /// From a switch's output slot to the next switch's input register.
  Cycle link() const { return pipeline + serdes; }
  Cycle adapter(LinkId link) const { return adapters.empty() ? 0 : adapters[link]; }
};

/// One source of one flow with all its destinations.
struct CircuitPlan {
  CircuitId id = 0;
  std::uint32_t flow = 0;  ///< index in the phase
  std::uint32_t tree = 0;
  NodeId source = kNoId;
  std::vector<NodeId> destinations;
  std::vector<Slot> injection;              ///< slots on the injection link, ascending
  std::vector<std::uint32_t> node_links;    ///< per such slot: which link of the node, from 0
  std::vector<std::uint32_t> hops;          ///< per destination: links between switches
  std::vector<std::vector<Cycle>> transit;  ///< [destination][injection slot]: cycles from host to host
};

/// Planes of parallel links that circuits keep to on every hop: wavelengths of planes. Channel w * planes + p,
/// wavelength w of plane p, is the link of that number in every bundle.
struct LinkChannels {
  std::uint32_t wavelengths = 1;
  std::uint32_t planes = 1;
  std::uint32_t count() const { return wavelengths * planes; }
  std::uint32_t wavelength(std::uint32_t channel) const { return channel / planes; }
  std::uint32_t plane(std::uint32_t channel) const { return channel % planes; }
};

struct PhasePlan {
  std::string name;
  std::vector<Flow> flows;
  AllocationOptions options;
  Allocation allocation;
  bool slots_given = false;  ///< the slots were there before, no allocator has chosen them
  LinkChannels channels;     ///< of an all-to-all schedule
  MinimumSlots minimum;
  std::vector<SlotTable> tables;      ///< per switch
  std::vector<CircuitPlan> circuits;  ///< ids count through all phases
};

/// Allocates the slots of `flows` and works out the rest. Throws InputError when they do not fit.
PhasePlan make_phase_plan(const Graph& graph, std::string name, std::vector<Flow> flows,
                          const AllocationOptions& options, const TdmTiming& timing, CircuitId first_circuit);

/// The same with slots that are already given. Throws RunError when they are wrong (check_allocation).
PhasePlan make_phase_plan(const Graph& graph, std::string name, std::vector<Flow> flows, Allocation given,
                          const AllocationOptions& options, const TdmTiming& timing, CircuitId first_circuit);

/// The circuits of `flows` without slots, which are found during the run.
PhasePlan make_open_plan(std::string name, std::vector<Flow> flows);

/// Slots that circuits have on each directed link; without slots those that they ask for (link_loads).
std::vector<std::uint32_t> reserved_slots(const Graph& graph, const PhasePlan& plan);

// Memory that the plan of a set of circuits takes, estimated before it is made.

struct PlanSize {
  std::uint64_t ports = 0;     ///< of all switches
  std::uint64_t slots = 0;     ///< of a frame; 0 for circuits that get their slots during the run
  std::uint64_t circuits = 0;  ///< sources of all flows
  std::uint64_t edges = 0;     ///< links of all circuits
  std::uint64_t routes = 0;    ///< of each circuit that are kept for its tries; 0: it has its slots
};

/// Bytes of the process that makes the plan and its report, within a factor of 1.5 from 20 MB on.
std::uint64_t plan_bytes(const PlanSize& size);

}  // namespace weft
