#include "algorithms/qos/table_configurator.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/qos/entry_placement.h"
#include "algorithms/qos/least_round.h"
#include "algorithms/qos/table_bounds.h"
#include "algorithms/qos/weight_limit.h"
#include "base/text.h"

namespace weft {
namespace {

constexpr int kTablesTried = 3;  // each that has no place takes the time of a failed search

void check_shares(const TableRequest& request, std::vector<RequestProblem>& problems) {
  const std::uint64_t sum = share_sum(request);
  if (sum <= kWholeLink) return;
  std::uint64_t before = 0;
  std::size_t i = 0;
  while (before + request.levels[i].share <= kWholeLink) before += request.levels[i++].share;
  problems.push_back(
      {RequestKey::share, i,
       fmt::format("the shares add up to {}, above 1 from '{}' on: {} is left for it; lower some share by "
                   "{} in all",
                   decimal_text(sum, 6), request.levels[i].name, decimal_text(kWholeLink - before, 6),
                   decimal_text(sum - kWholeLink, 6))});
}

void check_mtus(const TableRequest& request, std::vector<RequestProblem>& problems) {
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    if (level.mtu > request.gmtu) {
      problems.push_back(
          {RequestKey::mtu, i,
           fmt::format("'{}': an MTU of {} credits is above the gmtu of {}; expected at most {}, or a gmtu "
                       "of at least {} credits",
                       level.name, level.mtu, request.gmtu, request.gmtu, level.mtu)});
    }
    if (level.mtu > request.max_weight) {
      problems.push_back({RequestKey::mtu, i,
                          fmt::format("'{}': an MTU of {} credits is above the {} that an entry can hold; expected at "
                                      "most {}, or max_weight of at least {}",
                                      level.name, level.mtu, request.max_weight, request.max_weight, level.mtu)});
    }
  }
}

// A larger table in which the distances have a place: the first of a few in which they need at most as many entries as
// there are.
std::optional<std::uint32_t> entries_that_fit(const TableRequest& request) {
  int tried = 0;
  TableRequest larger = request;
  for (std::uint32_t n = request.entries + 1; n <= kMaxTableEntries && tried < kTablesTried; ++n) {
    std::uint64_t needed = 0;
    for (const LevelRequest& level : request.levels) needed += least_entries(n, level.distance);
    if (needed > n) continue;
    larger.entries = n;
    if (placed_counts(larger)) return n;
    ++tried;
  }
  return std::nullopt;
}

// Advice is tried before it is given: enough entries need not be entries that can be placed.
bool check_counts(const TableRequest& request, std::vector<RequestProblem>& problems) {
  std::uint64_t needed = 0;
  std::string list;
  std::size_t most = 0;
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    const std::uint32_t n = least_entries(request.entries, level.distance);
    needed += n;
    list += fmt::format("{}'{}' {}", list.empty() ? "" : ", ", level.name, n);
    if (level.distance < request.levels[most].distance) most = i;
  }
  if (needed <= request.entries) return true;
  const LevelRequest& level = request.levels[most];
  const std::uint64_t others = needed - least_entries(request.entries, level.distance);
  std::string advice;
  if (others < request.entries) {
    const std::uint64_t left = request.entries - others;
    const auto distance = static_cast<std::uint32_t>((request.entries + left - 1) / left);
    TableRequest farther = request;
    farther.levels[most].distance = distance;
    if (placed_counts(farther)) {
      advice = fmt::format("; a distance of {} for '{}' would leave enough", distance, level.name);
    }
  }
  if (const auto n = entries_that_fit(request)) advice += fmt::format("; a table of {} entries would have enough", *n);
  if (advice.empty()) advice = "; larger distances or fewer service levels are needed";
  problems.push_back(
      {RequestKey::entries, 0,
       fmt::format("the distances need {} entries ({}), the table has {}{}", needed, list, request.entries, advice)});
  return false;
}

std::optional<Placement> place(const TableRequest& request, std::vector<RequestProblem>& problems) {
  if (!check_counts(request, problems)) return std::nullopt;
  PlacementResult result = place_entries(placement_of(request));
  if (result.failure) {
    const LevelRequest& level = request.levels[result.failure->level];
    problems.push_back(
        {RequestKey::distance, result.failure->level,
         fmt::format("'{}': {} to place its entries at most {} apart among those of the other service levels{}; "
                     "distances that divide one another and the {} entries are placed most easily",
                     level.name, result.failure->proven ? "there is no way" : "found no way", level.distance,
                     result.failure->distance_that_fits
                         ? fmt::format("; a distance of {} would do", *result.failure->distance_that_fits)
                         : "",
                     request.entries)});
  }
  return std::move(result.placement);
}

ArbitrationTable make_table(const TableRequest& request, const std::vector<std::vector<std::uint32_t>>& positions,
                            const Weights& weights) {
  ArbitrationTable table(request.entries, TableEntry{request.levels.front().sl, 0});
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto n = static_cast<std::uint32_t>(positions[i].size());
    for (std::uint32_t e = 0; e < n; ++e) {
      table[positions[i][e]] = {request.levels[i].sl, entry_weight(weights.totals[i], n, e)};
    }
  }
  return table;
}

WeightPlan make_plan(const TableRequest& request, const TablePlan& plan, const WeightRequest& wanted, Weights weights,
                     std::uint64_t w_tenths) {
  WeightPlan out;
  out.table = make_table(request, plan.positions, weights);
  out.w_tenths = w_tenths;
  out.most = std::min<std::uint64_t>(request.max_weight, largest_weight(request, w_tenths));
  out.largest_error = weights.largest_error(wanted);
  std::vector<std::uint32_t> mtus(kMaxServiceLevels, 1);
  for (const LevelRequest& level : request.levels) mtus[level.sl] = level.mtu;
  const std::vector<std::uint64_t> waits = wait_bounds(out.table, mtus);
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    out.max_shares.push_back(max_share(request, plan.positions[i].size(), plan.decoupling.k_tenths, out.most));
    out.errors.push_back(weights.error(wanted, i));
    out.waits.push_back(waits[request.levels[i].sl]);
  }
  out.weights = std::move(weights);
  return out;
}

// The paper's way looks at M only afterwards: w is raised until M covers its largest entry.
void plan_paper(const TableRequest& request, const WeightRequest& wanted, TablePlan& plan) {
  Weights weights = paper_weights(wanted);
  std::uint64_t needed = 0;
  std::size_t who = 0;
  for (std::size_t i = 0; i < wanted.levels.size(); ++i) {
    const std::uint64_t largest = largest_entry_weight(weights.totals[i], wanted.levels[i].entries);
    if (largest > needed) who = i;
    needed = std::max(needed, largest);
  }
  std::uint64_t w = plan.decoupling.w_tenths;
  if (largest_weight(request, w) < needed && !request.w_tenths) w = divide_up(10 * needed, request.gmtu);
  plan.paper = make_plan(request, plan, wanted, std::move(weights), w);
  const std::uint64_t most = plan.paper.most;
  if (needed <= most) return;
  plan.paper_problem = {RequestKey::share, who,
                        fmt::format("'{}': method paper gives it entries of {} credits, above {} ({}); method optimal "
                                    "stays within it",
                                    request.levels[who].name, needed, most,
                                    most == request.max_weight ? "what an entry can hold" : "M = GMTU * w")};
}

// M is a whole number: where GMTU * w is cut, it may not reach the shares that w stands for. The paper's weights lie
// within the M of its own w, so with that the optimal ones are at least as close; where an entry cannot hold the
// paper's weights, what it can hold is used instead.
void plan_optimal(const TableRequest& request, WeightRequest wanted, const WeightLimit& limit, TablePlan& plan) {
  std::uint64_t& w = plan.decoupling.w_tenths;
  plan.optimal = make_plan(request, plan, wanted, optimal_weights(wanted), w);
  if (plan.optimal.largest_error <= plan.paper.largest_error) return;
  if (!plan.paper_problem) {
    w = plan.paper.w_tenths;
  } else if (!request.w_tenths && !limit.covers(wanted.most)) {
    w = std::max(w, divide_up(std::uint64_t{10} * request.max_weight, request.gmtu));
  } else {
    return;
  }
  wanted.most = std::min<std::uint64_t>(request.max_weight, largest_weight(request, w));
  plan.optimal = make_plan(request, plan, wanted, optimal_weights(wanted), w);
}

}  // namespace

std::optional<TablePlan> configure_table(const TableRequest& request, std::vector<RequestProblem>& problems) {
  const std::size_t before = problems.size();
  check_shares(request, problems);
  check_mtus(request, problems);
  std::optional<Placement> placement = place(request, problems);
  // Bounds on shares mean something only once the entries and the shares themselves are sound.
  if (problems.size() != before) return std::nullopt;

  TablePlan plan;
  plan.positions = std::move(placement->positions);
  plan.rounded = placement->rounded;
  std::vector<std::uint32_t> counts;
  for (const auto& p : plan.positions) counts.push_back(static_cast<std::uint32_t>(p.size()));
  plan.decoupling = find_decoupling(request, counts, problems);
  if (problems.size() != before) return std::nullopt;

  WeightRequest wanted;
  wanted.pool_tenths = plan.pool_tenths = std::uint64_t{request.entries} * request.gmtu * plan.decoupling.k_tenths;
  wanted.most = std::min<std::uint64_t>(request.max_weight, largest_weight(request, plan.decoupling.w_tenths));
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    wanted.levels.push_back({level.share, counts[i], level.mtu});
    plan.wanted.push_back(static_cast<double>(level.share) / static_cast<double>(share_sum(request)));
    plan.min_shares.push_back(min_share(request, level, counts[i], plan.decoupling.k_tenths));
  }
  plan_paper(request, wanted, plan);
  const WeightLimit limit(request, counts, wanted, plan.paper.largest_error);
  if (request.w_tenths) {
    limit.check_w(plan.decoupling, problems);
  } else if (!limit.accepts(request.max_weight)) {
    problems.push_back(limit.explain());
  }
  if (problems.size() != before) return std::nullopt;
  plan_optimal(request, wanted, limit, plan);
  return plan;
}

}  // namespace weft
