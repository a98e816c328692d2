#pragma once
// Options of slot allocation, and the slots that a flow gets (algorithms/slots/allocation.h).

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

struct AllocationOptions;
struct ColoringProblem;
struct Flow;

/// Slot allocator as one record; the table is in algorithms/slots/allocation.h.
struct Allocator {
  std::string_view name;     ///< word of slots.allocator
  std::string_view meaning;  ///< for descriptions
  /// Order in which flows are served.
  std::vector<std::size_t> (*order)(const std::vector<Flow>& flows) = nullptr;
  /// Colours all flows at once; null: each flow in its turn gets the lowest slots that are free.
  std::vector<std::uint32_t> (*color)(const ColoringProblem& problem, const AllocationOptions& options) = nullptr;
  bool searches = false;  ///< reads slots.search_iterations
};

extern const Allocator kFirstFit;

/// Flows as given.
std::vector<std::size_t> given_order(const std::vector<Flow>& flows);
/// Flows with the most tree edges first, equal ones as given.
std::vector<std::size_t> longest_first_order(const std::vector<Flow>& flows);

struct AllocationOptions {
  const Allocator* allocator = &kFirstFit;
  std::uint32_t slots = 0;  ///< S: slots per frame
  bool slot_update = false;
  Cycle hop_latency = 0;                ///< C: cycles from a switch's output slot to the next switch's input register
  std::vector<Cycle> adapters = {};     ///< that one adds to each directed link, by its number; empty: none has any
  std::uint64_t search_iterations = 0;  ///< search: limit of tabu moves per number of slots tried
  std::uint64_t seed = 1;               ///< search
};

/// Most slots a frame can have: slot numbers are 16 bits wide.
inline constexpr std::uint32_t kLargestFrame = 65535;

/// Links that the lanes of a flow take in bundles: [tree][edge][lane], nothing for an edge that is no bundle. Empty:
/// the network has no bundles.
using LaneLinks = std::vector<std::vector<std::vector<LinkId>>>;

/// Slots of one flow. Lane k of a circuit uses slot lanes(t, e)[k] on edge e of tree t.
struct FlowSlots {
  std::vector<Slot> common;                              ///< same-slot mode: the m slots, ascending
  std::vector<std::vector<std::vector<Slot>>> per_edge;  ///< slot_update: [tree][edge][lane]
  const std::vector<Slot>& lanes(std::size_t tree, std::size_t edge) const {
    return per_edge.empty() ? common : per_edge[tree][edge];
  }
  LaneLinks links = {};
  /// Link of a lane; `own`: of the edge.
  LinkId link(std::size_t tree, std::size_t edge, std::size_t lane, LinkId own) const {
    return links.empty() || links[tree][edge].empty() ? own : links[tree][edge][lane];
  }
};

}  // namespace weft
