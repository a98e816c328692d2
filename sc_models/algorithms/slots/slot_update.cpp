// First fit with slot update: every link only needs m free slots, and takes those that come soonest after the
// words arrive, so the words wait as little as possible. FiC paper, section III.D: "the slot LUT update in
// the current switch associates its own common available slot with the local slot of the next switch".

#include "algorithms/slots/allocators.h"

namespace weft {
namespace {

/// For each arrival in turn the free slot, not taken yet, that comes soonest after it. `free` has at least as
/// many.
std::vector<Slot> soonest_slots(const SlotSet& free, const std::vector<Cycle>& arrivals) {
  SlotSet left = free;
  std::vector<Slot> chosen;
  chosen.reserve(arrivals.size());
  for (const Cycle arrival : arrivals) {
    // The slot after `arrival mod frame`, else the first of the next frame.
    auto s = left.find_next(static_cast<std::size_t>(arrival) % left.size());
    if (s == SlotSet::npos) s = left.find_first();
    left.reset(s);
    chosen.push_back(static_cast<Slot>(s));
  }
  return chosen;
}

class SoonestFit {
 public:
  SoonestFit(SlotLutBank& luts, const AllocationOptions& options) : luts_(luts), options_(options) {}

  /// Slots per edge and lane; empty at the first edge without enough free slots, which is left in `failed`.
  /// `links`: of the lanes in bundles.
  std::vector<std::vector<Slot>> place(const CircuitTree& tree, std::uint32_t m, LinkId& failed,
                                       std::vector<std::vector<LinkId>>& links) {
    const auto frame = static_cast<Cycle>(luts_.slots());
    std::vector<std::vector<Slot>> slots(tree.edges.size());
    std::vector<std::vector<Cycle>> departures(tree.edges.size());
    for (std::size_t e = 0; e < tree.edges.size(); ++e) {
      const TreeEdge& edge = tree.edges[e];
      const SlotSet free = luts_.query_bundle(edge.link, luts_.all());
      if (free.count() < m) {
        failed = edge.link;
        return {};
      }
      if (edge.parent < 0) {  // the source puts its words into the lowest free slots
        auto s = free.find_first();
        for (std::uint32_t lane = 0; lane < m; ++lane, s = free.find_next(s)) {
          departures[e].push_back(static_cast<Cycle>(s));
        }
      } else {
        std::vector<Cycle> arrivals = departures[static_cast<std::size_t>(edge.parent)];
        const TreeEdge& before = tree.edges[static_cast<std::size_t>(edge.parent)];
        const Cycle adapter = options_.adapters.empty() ? 0 : options_.adapters[before.link];
        for (Cycle& t : arrivals) t += (before.parent < 0 ? 0 : options_.hop_latency) + adapter;
        departures[e] = soonest_departures(free, arrivals);
      }
      for (const Cycle t : departures[e]) slots[e].push_back(static_cast<Slot>(t % frame));
      links.push_back(luts_.reserve_in_bundle(edge.link, slots[e]));
    }
    return slots;
  }

 private:
  SlotLutBank& luts_;
  const AllocationOptions& options_;
};

}  // namespace

std::vector<Cycle> soonest_departures(const SlotSet& free, const std::vector<Cycle>& arrivals) {
  return departures_in_order(arrivals, soonest_slots(free, arrivals), static_cast<Cycle>(free.size()));
}

std::optional<AllocationFailure> soonest_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                             const std::vector<std::size_t>& order, const AllocationOptions& options,
                                             bool bundles, std::vector<FlowSlots>& flow_slots) {
  SoonestFit fit(luts, options);
  for (const std::size_t f : order) {
    for (const CircuitTree& tree : flows[f].trees) {
      LinkId failed = kNoId;
      std::vector<std::vector<LinkId>> links;
      auto slots = fit.place(tree, flows[f].slots, failed, links);
      if (failed != kNoId) return AllocationFailure{f, failed, luts.query_bundle(failed, luts.all()).count()};
      flow_slots[f].per_edge.push_back(std::move(slots));
      if (bundles) flow_slots[f].links.push_back(std::move(links));
    }
  }
  return std::nullopt;
}

}  // namespace weft
