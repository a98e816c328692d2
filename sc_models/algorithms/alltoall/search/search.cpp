#include "algorithms/alltoall/search/search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/search/orbit_coloring.h"
#include "algorithms/alltoall/search/orbit_tabu.h"
#include "algorithms/alltoall/search/slot_moves.h"

namespace weft::alltoall {
namespace {

/// Memory that a search on orbits may take; larger ones are left out.
constexpr double kMostBytes = 1 << 30;

/// Exchanges of Kempe chains in the place of one move of the other searches: they are that much quicker, and cooling
/// has to be slow.
constexpr std::uint64_t kKempe = 20;

class Search {
 public:
  Search(const Schedule& start, const SearchOptions& options, const std::function<void(const Progress&)>& progress,
         const std::atomic<bool>& stop)
      : progress_(progress),
        moves_(options.moves),
        random_(options.seed, "alltoall.search"),
        budget_(options.iterations, options.time_limit_s, stop),
        best_(start),
        bound_(static_cast<std::uint32_t>(lower_bounds(start.grid).slots())) {
    budget_.poll = [this](std::uint64_t conflicts) {
      if (budget_.seconds() - reported_ >= 0.5) report(conflicts);
    };
  }

  SearchResult run() {
    report(0);
    for (std::uint32_t round = 0; best_.slots > bound_ && !budget_.over(); ++round) {
      if (!search_round(round)) break;
    }
    SearchResult result{best_, bound_, budget_.used, budget_.seconds(), SearchEnd::kBoundReached};
    if (best_.slots > bound_) {
      result.end = budget_.stopped()             ? SearchEnd::kStopped
                   : budget_.out_of_iterations() ? SearchEnd::kIterations
                   : budget_.out_of_time()       ? SearchEnd::kTimeLimit
                                                 : SearchEnd::kTooLarge;
    }
    trying_ = best_.slots;
    report(0);
    return result;
  }

 private:
  /// False when there is nothing that could be tried.
  bool search_round(std::uint32_t round) {
    const std::uint64_t used = budget_.used;
    const std::uint32_t slots = best_.slots;
    if (moves_ != SearchMoves::kempe && moves_ != SearchMoves::repack) color(round);
    trying_ = best_.slots - 1;
    if (moves_ == SearchMoves::all || moves_ == SearchMoves::repack) {
      repack(best_, bound_, moves_in(round, 0), kMostBytes, random_, budget_);
    }
    if (moves_ == SearchMoves::kempe) kempe(best_, bound_, kKempe * moves_in(round, 0), kMostBytes, random_, budget_);
    return budget_.used > used || best_.slots < slots;
  }

  /// The bound first, then halving the way to the best schedule.
  void color(std::uint32_t round) {
    std::uint32_t hopeless = bound_;  // fewer slots than this are left for the next round
    bool first = true;
    while (hopeless < best_.slots && !budget_.over()) {
      trying_ = first ? bound_ : (hopeless + best_.slots) / 2;
      first = false;
      std::optional<Schedule> found = attempt(round);
      if (!found) {
        hopeless = trying_ + 1;
        continue;
      }
      best_ = std::move(*found);
      report(0);
    }
  }

  /// Twice the moves in every round, so that what the early rounds spend hardly matters.
  static std::uint64_t moves_in(std::uint32_t round, std::uint32_t orbits) {
    return (std::uint64_t{5000} + 4 * std::uint64_t{orbits}) << std::min(round, 8u);
  }

  std::optional<Schedule> attempt(std::uint32_t round) {
    std::vector<SymmetryPlan> plans = symmetry_plans(best_.grid, trying_);
    std::erase_if(plans,
                  [&](const SymmetryPlan& p) { return orbit_coloring_bytes(best_.grid, p, trying_) > kMostBytes; });
    if (moves_ == SearchMoves::tabu || moves_ == SearchMoves::recombine) {
      std::erase_if(plans, [](const SymmetryPlan& p) { return p.group->size() > 1; });
    }
    if (plans.empty()) return std::nullopt;
    const bool recombine = moves_ == SearchMoves::all || moves_ == SearchMoves::recombine;
    // Two rounds of three with the most promising plan, the third with the others in turn.
    const std::size_t other = plans.size() > 1 ? 1 + round / 3 % (plans.size() - 1) : 0;
    const OrbitColoring problem(best_.grid, plans[round % 3 == 2 ? other : 0]);
    OrbitSlots slots;
    if (!evolve(problem, moves_in(round, problem.orbits), recombine ? std::min(4 * round, 20u) : 0, slots))
      return std::nullopt;
    return problem.expand(slots);
  }

  /// Two colourings, their children in both directions, both improved, the parents replaced; every ten generations
  /// one comes back from ten generations ago. Source: Moalic and Gondran, "Variations on memetic algorithms for graph
  /// coloring problems" (2018).
  bool evolve(const OrbitColoring& problem, std::uint64_t moves, std::uint32_t generations, OrbitSlots& slots) {
    constexpr std::uint32_t kCycle = 10;
    OrbitTabu tabu(problem, random_);
    std::array<OrbitSlots, 2> parents;
    std::uint64_t fewest = ~std::uint64_t{0}, fewest_of_cycle = fewest;
    OrbitSlots best_of_cycle, best_before;
    for (std::uint32_t generation = 0; generation <= generations && !budget_.over(); ++generation) {
      std::array<OrbitSlots, 2> children;
      for (std::size_t i = 0; i < 2; ++i) {
        children[i] =
            generation == 0 ? greedy_slots(problem, random_) : crossover(problem, parents[i], parents[1 - i], random_);
      }
      for (OrbitSlots& child : children) {
        const std::uint64_t conflicts = tabu.run(child, moves, budget_);
        if (conflicts == 0) {
          slots = child;
          return true;
        }
        fewest = std::min(fewest, conflicts);
        if (fewest > problem.orbits / 50 + 5) return false;  // far away: more slots first
        if (conflicts < fewest_of_cycle) fewest_of_cycle = conflicts, best_of_cycle = child;
      }
      parents = std::move(children);
      if ((generation + 1) % kCycle == 0) {
        if (!best_before.empty()) parents[0] = best_before;
        best_before = best_of_cycle;
        fewest_of_cycle = ~std::uint64_t{0};
      }
      if (distance(problem, parents[0], parents[1]) * 100 < problem.orbits) return false;  // as good as one
    }
    return false;
  }

  void report(std::uint64_t conflicts) {
    reported_ = budget_.seconds();
    if (progress_) progress_({reported_, budget_.used, best_.slots, trying_, conflicts, bound_});
  }

  const std::function<void(const Progress&)>& progress_;
  SearchMoves moves_;
  RandomStream random_;
  SearchBudget budget_;
  Schedule best_;
  std::uint32_t bound_;
  std::uint32_t trying_ = 0;
  double reported_ = 0;
};

}  // namespace

double search_bytes(const Grid& grid, std::uint32_t slots) {
  double bytes = slot_table_bytes(grid, slots);
  if (bytes > kMostBytes) bytes = 0;
  for (const SymmetryPlan& plan : symmetry_plans(grid, slots)) {
    const double colouring = orbit_coloring_bytes(grid, plan, slots);
    if (colouring <= kMostBytes) bytes = std::max(bytes, colouring);
  }
  return bytes;
}

double smallest_search_bytes(const Grid& grid, std::uint32_t slots) {
  double bytes = slot_table_bytes(grid, slots);
  for (const SymmetryPlan& plan : symmetry_plans(grid, slots)) {
    bytes = std::min(bytes, orbit_coloring_bytes(grid, plan, slots));
  }
  return bytes;
}

SearchResult search(const Schedule& start, const SearchOptions& options,
                    const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop) {
  return Search(start, options, progress, stop).run();
}

}  // namespace weft::alltoall
