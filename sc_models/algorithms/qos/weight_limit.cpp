#include "algorithms/qos/weight_limit.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace weft {

WeightLimit::WeightLimit(const TableRequest& request, const std::vector<std::uint32_t>& counts, WeightRequest wanted,
                         double paper_error)
    : request_(request),
      counts_(counts),
      wanted_(std::move(wanted)),
      paper_error_(paper_error),
      round_(request, counts) {}

bool WeightLimit::accepts(std::uint64_t most) const {
  if (covers(most)) return true;
  if (!covers(most + 1)) return false;  // not the fraction of a credit that M lacks
  for (const LevelRequest& level : request_.levels) {
    if (level.mtu > most) return false;
  }
  WeightRequest limited = wanted_;
  limited.most = most;
  return optimal_weights(limited).largest_error(limited) <= paper_error_;
}

void WeightLimit::check_w(const Decoupling& parameters, std::vector<RequestProblem>& problems) const {
  const std::uint64_t w = parameters.w_tenths;
  const std::uint64_t most = largest_weight(request_, w);
  if (most > request_.max_weight) {
    const std::uint64_t highest = (10ULL * request_.max_weight + 9) / request_.gmtu;
    const bool lower = highest >= parameters.k_tenths && accepts(largest_weight(request_, highest));
    const std::string advice = lower                     ? fmt::format("; w of at most {} would do", tenths(highest))
                               : most <= kMaxEntryWeight ? fmt::format("; max_weight of {} or more would do", most)
                                                         : "";
    problems.push_back({RequestKey::w, 0,
                        fmt::format("w = {} makes entries of up to M = {} credits, an entry can hold {}{}", tenths(w),
                                    most, request_.max_weight, advice)});
    return;
  }
  if (accepts(most)) return;
  const std::string larger = larger_w(parameters);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (round_.enough(i, most)) continue;
    const LevelRequest& level = request_.levels[i];
    std::vector<std::string> ways;
    if (!larger.empty()) ways.push_back(larger);
    if (const auto distance = smaller_distance(i, most)) ways.push_back(*distance);
    problems.push_back(
        {RequestKey::share, i,
         fmt::format("'{}': the share {} is above the largest it can have with k = {} and w = {}, max_phi = {} * M / "
                     "(N * GMTU * k) = {:.6f} with M = {}{}",
                     level.name, share_text(request_, level), tenths(parameters.k_tenths), tenths(w),
                     entries_text(counts_[i]), max_share(request_, counts_[i], parameters.k_tenths, most),
                     credits_text(most), would_do(ways))});
  }
}

std::string WeightLimit::larger_w(const Decoupling& parameters) const {
  std::uint64_t searched = parameters.k_tenths;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    searched = std::max(searched, least_w_tenths(request_, request_.levels[i], counts_[i], parameters.k_tenths));
  }
  const std::uint64_t sure = divide_up(10 * round_.entry_credits(round_.hardest()), request_.gmtu);
  for (const std::uint64_t w : {std::min(searched, sure), std::max(searched, sure)}) {
    const std::uint64_t most = largest_weight(request_, w);
    if (w <= parameters.w_tenths || most > request_.max_weight || !accepts(most)) continue;
    return fmt::format("w of {} or more", tenths(w));
  }
  return {};
}

std::optional<std::string> WeightLimit::smaller_distance(std::size_t level, std::uint64_t most) const {
  if (most == 0) return std::nullopt;
  const std::uint64_t n = round_.fewest_entries(level, most);
  if (n > request_.entries) return std::nullopt;
  TableRequest changed = request_;
  LevelRequest& mended = changed.levels[level];
  mended.distance = static_cast<std::uint32_t>(request_.entries / n);
  if (!has_table(changed, most)) return std::nullopt;
  return fmt::format("at least {} (distance {}) for '{}'", entries_text(n), mended.distance, mended.name);
}

// A smaller MTU or a larger share for the SL that makes the round so large.
std::vector<std::string> WeightLimit::smaller_round() const {
  const std::size_t i = round_.hardest();
  const std::size_t j = round_.from();
  const LevelRequest& hardest = request_.levels[i];
  const LevelRequest& cause = request_.levels[j];
  std::vector<std::string> out;
  const std::uint64_t room = std::uint64_t{counts_[i]} * request_.max_weight;
  TableRequest changed = request_;
  changed.levels[j].mtu =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(cause.mtu, cause.share * room / (hardest.share * counts_[j])));
  if (changed.levels[j].mtu > 0 && has_table(changed, request_.max_weight)) {
    out.push_back(fmt::format("an MTU of at most {} for '{}'", credits_text(changed.levels[j].mtu), cause.name));
  }
  changed = request_;
  const std::uint64_t low = std::uint64_t{counts_[j]} * cause.mtu;
  const std::uint64_t both = hardest.share + cause.share;
  changed.levels[j].share = divide_up(low * both, room + low);
  changed.levels[i].share = both - changed.levels[j].share;
  if (changed.levels[i].share > 0 && has_table(changed, request_.max_weight)) {
    out.push_back(fmt::format("a share of {} for '{}', taken from that of '{}',",
                              decimal_text(changed.levels[j].share, 6), cause.name, hardest.name));
  }
  return out;
}

RequestProblem WeightLimit::explain() const {
  const std::size_t i = round_.hardest();
  const std::size_t j = round_.from();
  const LevelRequest& hardest = request_.levels[i];
  const LevelRequest& cause = request_.levels[j];
  const std::uint64_t needed = round_.entry_credits(i);
  std::vector<std::string> ways;
  if (round_.from_k()) {
    std::uint64_t least = 1;
    for (std::size_t l = 0; l < counts_.size(); ++l) {
      least = std::max(least, least_k_tenths(request_, request_.levels[l], counts_[l]));
    }
    const std::uint64_t highest = std::uint64_t{counts_[i]} * request_.max_weight * 10 * share_sum(request_) /
                                  (hardest.share * request_.entries * request_.gmtu);
    if (highest >= least) ways.push_back(fmt::format("k of at most {}", tenths(highest)));
    if (needed <= kMaxEntryWeight) ways.push_back(fmt::format("max_weight of {} or more", needed));
    return {RequestKey::k, 0,
            fmt::format("k = {} makes a pool of {} credits, in which '{}' (share {}, {}) needs entries of {}; an entry "
                        "can hold {}{}",
                        tenths(*request_.k_tenths), round_.credits(), hardest.name, share_text(request_, hardest),
                        entries_text(counts_[i]), credits_text(needed), request_.max_weight, would_do(ways))};
  }
  const std::optional<std::string> distance = smaller_distance(i, request_.max_weight);
  if (distance) ways.push_back(*distance);
  const std::vector<std::string> others = smaller_round();
  ways.insert(ways.end(), others.begin(), others.end());
  if (needed <= kMaxEntryWeight) ways.push_back(fmt::format("max_weight of {} or more", needed));
  // The SL whose own numbers can mend it is the one to look at.
  const bool blame_cause = !distance && !others.empty();
  std::string message =
      blame_cause ? fmt::format(
                        "'{}': its share {} with {} of at least {} makes a round of {} credits or more, in "
                        "which '{}' (share {}, {}) needs entries of {}; an entry can hold {}",
                        cause.name, share_text(request_, cause), entries_text(counts_[j]), credits_text(cause.mtu),
                        round_.credits(), hardest.name, share_text(request_, hardest), entries_text(counts_[i]),
                        credits_text(needed), request_.max_weight)
                  : fmt::format(
                        "'{}': its share {} on {} needs entries of {}, an entry can hold {}: '{}' (share {}, "
                        "{} of at least {}) makes a round of {} credits or more",
                        hardest.name, share_text(request_, hardest), entries_text(counts_[i]), credits_text(needed),
                        request_.max_weight, cause.name, share_text(request_, cause), entries_text(counts_[j]),
                        credits_text(cause.mtu), round_.credits());
  return {RequestKey::share, blame_cause ? j : i, message + would_do(ways)};
}

}  // namespace weft
