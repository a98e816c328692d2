#include "algorithms/qos/schedulers.h"

#include <bit>
#include <numeric>
#include <stdexcept>

namespace weft {

std::optional<std::uint64_t> Scfq::common_multiple(const std::vector<std::uint32_t>& shares) {
  std::uint64_t multiple = 1;
  for (const std::uint32_t share : shares) {
    if (share == 0) continue;
    const std::uint64_t factor = share / std::gcd(multiple, std::uint64_t{share});
    if (__builtin_mul_overflow(multiple, factor, &multiple)) return std::nullopt;
  }
  return multiple;
}

Scfq::Scfq(const std::vector<std::uint32_t>& shares) {
  const auto multiple = common_multiple(shares);
  if (!multiple) throw std::invalid_argument("the least common multiple of the shares does not fit 64 bits");
  for (std::size_t sl = 0; sl < shares.size(); ++sl) {
    if (shares[sl] == 0) continue;
    per_credit_[sl] = *multiple / shares[sl];
    served_ |= 1U << sl;
  }
}

std::optional<ServiceLevel> Scfq::pick(const EgressView& view) {
  const std::uint32_t ready = view.active & served_;
  std::optional<ServiceLevel> first;
  for (std::uint32_t left = ready; left != 0; left &= left - 1) {
    const auto sl = static_cast<ServiceLevel>(std::countr_zero(left));
    if ((tagged_ >> sl & 1U) == 0) tag_[sl] = Tag{view.head[sl]} * per_credit_[sl];
    if (!first || tag_[sl] < tag_[*first]) first = sl;
  }
  tagged_ = ready;
  return first;
}

void Scfq::sent(ServiceLevel sl, const EgressView& after) {
  const Tag passed = tag_[sl];  // the virtual time goes on to this tag
  for (std::uint32_t left = tagged_; left != 0; left &= left - 1) {
    tag_[static_cast<std::size_t>(std::countr_zero(left))] -= passed;
  }
  tagged_ &= after.active & ~(1U << sl);
}

constinit const SchedulerType kScfqScheduler{
    .name = "scfq",
    .meaning = "self-clocked fair queueing",
    .level_key = "share",
    .needs_level_key = true,
    .make = [](const SchedulerConfig& c) -> std::unique_ptr<EgressScheduler> {
      return std::make_unique<Scfq>(c.shares);
    },
    .check =
        [](const SchedulerConfig& c, std::vector<std::string>& errors) {
          check_count(errors, "shares", c.shares.size());
          if (!Scfq::common_multiple(c.shares)) {
            errors.push_back("the least common multiple of the shares does not fit 64 bits; use rounder shares");
          }
        },
    .served = [](const SchedulerConfig& c) { return levels_with(c.shares); },
};

}  // namespace weft
