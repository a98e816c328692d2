#include "qos/decoupling.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace weft {
namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

// The largest number of entries that the share allows at this k, as advice; empty when there is none.
std::string fewer_entries(const TableRequest& request, const LevelRequest& level, std::uint64_t k_tenths) {
  const std::uint64_t n =
      level.share * request.entries * request.gmtu * k_tenths / (10 * share_sum(request) * level.mtu);
  return n == 0 ? ""
                : fmt::format(", or at most {} (distance {} or more)", entries_text(n), divide_up(request.entries, n));
}

std::string smaller_mtu(const TableRequest& request, const LevelRequest& level, std::uint64_t n,
                        std::uint64_t k_tenths) {
  const std::uint64_t mtu = level.share * request.entries * request.gmtu * k_tenths / (10 * share_sum(request) * n);
  return mtu == 0 ? "" : ", or an MTU of at most " + credits_text(mtu);
}

void check_fixed_k(const TableRequest& request, const std::vector<std::uint32_t>& counts, std::uint64_t k_tenths,
                   std::vector<RequestProblem>& problems) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    const std::uint64_t needed = least_k_tenths(request, level, counts[i]);
    if (needed <= k_tenths) continue;
    problems.push_back(
        {RequestKey::share, i,
         fmt::format("'{}': the share {} is below the smallest it can have with k = {}, min_phi = {} * {} "
                     "/ (N * GMTU * k) = {:.6f}; k of {} or more would do{}{}",
                     level.name, share_text(request, level), tenths(k_tenths), entries_text(counts[i]),
                     credits_text(level.mtu), min_share(request, level, counts[i], k_tenths), tenths(needed),
                     smaller_mtu(request, level, counts[i], k_tenths), fewer_entries(request, level, k_tenths))});
  }
}

}  // namespace

std::string entries_text(std::uint64_t n) { return fmt::format("{} {}", n, n == 1 ? "entry" : "entries"); }

std::string credits_text(std::uint64_t n) { return fmt::format("{} credit{}", n, n == 1 ? "" : "s"); }

std::string tenths(std::uint64_t value) { return decimal_text(value, 1); }

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
