#include "algorithms/qos/decoupling.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/qos/least_round.h"
#include "base/text.h"

namespace weft {
namespace {

// What would mend a share that is too small at this k, each tried; `places`: what needs another placement, too, which
// can take a second.
std::vector<std::string> ways_to_less(const TableRequest& request, std::size_t i, std::uint64_t n,
                                      std::uint64_t k_tenths, bool places) {
  const LevelRequest& level = request.levels[i];
  std::vector<std::string> out;
  const std::uint64_t k = least_k_tenths(request, level, n);
  const std::uint64_t most =
      request.w_tenths ? std::min<std::uint64_t>(request.max_weight, largest_weight(request, *request.w_tenths))
                       : request.max_weight;
  TableRequest changed = request;
  changed.k_tenths = static_cast<std::uint32_t>(k);
  if (places && k <= request.w_tenths.value_or(k) && has_table(changed, most)) {
    out.push_back(fmt::format("k of {} or more", tenths(k)));
  }
  const std::uint64_t room = level.share * request.entries * request.gmtu * k_tenths;
  const std::uint64_t mtu = room / (10 * share_sum(request) * n);
  if (mtu > 0) out.push_back("an MTU of at most " + credits_text(mtu));
  const std::uint64_t entries = room / (10 * share_sum(request) * level.mtu);
  if (entries == 0 || !places) return out;
  // Placing can round a distance down, and so give more entries than it needs.
  constexpr std::uint32_t kTries = 4;
  changed = request;
  LevelRequest& farther = changed.levels[i];
  farther.distance = static_cast<std::uint32_t>(divide_up(request.entries, entries));
  for (std::uint32_t t = 0; t < kTries && farther.distance <= request.entries; ++t) {
    const auto counts = placed_counts(changed);
    if (counts && (*counts)[i] <= entries) {
      out.push_back(fmt::format("at most {} (distance {})", entries_text(entries), farther.distance));
      break;
    }
    farther.distance += std::max(1U, farther.distance / 3);
  }
  return out;
}

constexpr std::size_t kTried = 3;  // problems whose mending is tried by placing the entries

void check_fixed_k(const TableRequest& request, const std::vector<std::uint32_t>& counts, std::uint64_t k_tenths,
                   std::vector<RequestProblem>& problems) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    if (least_k_tenths(request, level, counts[i]) <= k_tenths) continue;
    problems.push_back(
        {RequestKey::share, i,
         fmt::format("'{}': the share {} is below the smallest it can have with k = {}, min_phi = {} * {} "
                     "/ (N * GMTU * k) = {:.6f}{}",
                     level.name, share_text(request, level), tenths(k_tenths), entries_text(counts[i]),
                     credits_text(level.mtu), min_share(request, level, counts[i], k_tenths),
                     would_do(ways_to_less(request, i, counts[i], k_tenths, problems.size() < kTried)))});
  }
}

}  // namespace

std::string entries_text(std::uint64_t n) { return fmt::format("{} {}", n, n == 1 ? "entry" : "entries"); }

std::string credits_text(std::uint64_t n) { return fmt::format("{} credit{}", n, n == 1 ? "" : "s"); }

std::string tenths(std::uint64_t value) { return decimal_text(value, 1); }

std::string would_do(const std::vector<std::string>& ways) {
  std::string out;
  for (std::size_t i = 0; i < ways.size(); ++i) out += (i == 0 ? "; " : i + 1 < ways.size() ? ", " : " or ") + ways[i];
  return out.empty() ? out : out + " would do";
}

std::string share_text(const TableRequest& request, const LevelRequest& level) {
  std::string asked = decimal_text(level.share, 6);
  const std::uint64_t sum = share_sum(request);
  if (sum == kWholeLink) return asked;
  return fmt::format("{} ({:.6f} of all that is asked for)", asked,
                     static_cast<double>(level.share) / static_cast<double>(sum));
}

std::uint64_t least_k_tenths(const TableRequest& request, const LevelRequest& level, std::uint64_t n) {
  return std::max<std::uint64_t>(
      1, divide_up(10 * n * level.mtu * share_sum(request), level.share * request.entries * request.gmtu));
}

std::uint64_t least_w_tenths(const TableRequest& request, const LevelRequest& level, std::uint64_t n,
                             std::uint64_t k_tenths) {
  return std::max(k_tenths, divide_up(level.share * request.entries * k_tenths, share_sum(request) * n));
}

double min_share(const TableRequest& request, const LevelRequest& level, std::uint64_t n, std::uint64_t k_tenths) {
  return static_cast<double>(10 * n * level.mtu) /
         static_cast<double>(std::uint64_t{request.entries} * request.gmtu * k_tenths);
}

double max_share(const TableRequest& request, std::uint64_t n, std::uint64_t k_tenths, std::uint64_t most) {
  return static_cast<double>(10 * n * most) /
         static_cast<double>(std::uint64_t{request.entries} * request.gmtu * k_tenths);
}

std::uint64_t largest_weight(const TableRequest& request, std::uint64_t w_tenths) {
  return request.gmtu * w_tenths / 10;
}

Decoupling find_decoupling(const TableRequest& request, const std::vector<std::uint32_t>& counts,
                           std::vector<RequestProblem>& problems) {
  Decoupling out{0, 0, 0, 0};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t k = least_k_tenths(request, request.levels[i], counts[i]);
    if (k <= out.k_tenths) continue;
    out.k_tenths = k;
    out.k_from = i;
  }
  if (request.k_tenths) {
    out.k_tenths = *request.k_tenths;
    check_fixed_k(request, counts, out.k_tenths, problems);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t w = least_w_tenths(request, request.levels[i], counts[i], out.k_tenths);
    if (w <= out.w_tenths) continue;
    out.w_tenths = w;
    out.w_from = i;
  }
  if (request.w_tenths) {
    out.w_tenths = *request.w_tenths;
    if (out.w_tenths < out.k_tenths) {
      problems.push_back(
          {RequestKey::w, 0,
           request.k_tenths
               ? fmt::format("w = {} is below k = {}; expected w >= k", tenths(out.w_tenths), tenths(out.k_tenths))
               : fmt::format("w = {} is too small: '{}' needs k = {} (its share {} on {} of at "
                             "least {}), and w must be at least k",
                             tenths(out.w_tenths), request.levels[out.k_from].name, tenths(out.k_tenths),
                             share_text(request, request.levels[out.k_from]), entries_text(counts[out.k_from]),
                             credits_text(request.levels[out.k_from].mtu))});
    }
  }
  return out;
}

}  // namespace weft
