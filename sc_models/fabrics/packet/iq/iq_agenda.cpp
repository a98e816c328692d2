#include "fabrics/packet/iq/iq_agenda.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace weft {

std::uint64_t IqAgenda::known_ahead(const IqParameters& p) {
  const Cycle flit = p.switch_allocation + p.crossbar + p.link + p.buffer_write;
  const Cycle credit = p.switch_allocation + p.crossbar + p.link + p.credit;
  // A NIC knows of a credit when the flit is sent to it: both ways may have an adapter.
  return static_cast<std::uint64_t>(std::max({flit, credit, p.routing + 1, p.vc_allocation}) + 2 * p.longest_adapter);
}

IqAgenda::IqAgenda(ClockDomain& domain, const IqParameters& parameters)
    : domain_(domain), mask_(std::bit_ceil(known_ahead(parameters) + 1) - 1) {}

std::uint32_t IqAgenda::add(Agent& member) {
  members_.push_back(&member);
  if (const std::size_t words = 1 + (members_.size() + 63) / 64; words > stride_) {
    stride_ = std::max(words, 2 * stride_);
    ring_.assign((mask_ + 1) * stride_, 0);
  }
  return static_cast<std::uint32_t>(members_.size() - 1);
}

void IqAgenda::begin(Cycle at) { domain_.schedule(at, Phase::transfer, *this, 0); }

void IqAgenda::due(Cycle now, std::uint32_t) {
  std::uint64_t* const set = &ring_[(static_cast<std::uint64_t>(now) & mask_) * stride_];
  set[0] = 0;
  if (RandomStream* order = domain_.order(); order != nullptr) {
    serve_shuffled(now, set, *order);
    return;
  }
  const std::size_t words = 1 + (members_.size() + 63) / 64;
  for (std::size_t w = 1; w < words; ++w) {
    for (std::uint64_t bits = std::exchange(set[w], 0); bits != 0; bits &= bits - 1) {
      members_[(w - 1) * 64 + static_cast<std::size_t>(std::countr_zero(bits))]->due(now, 0);
    }
  }
}

void IqAgenda::serve_shuffled(Cycle now, std::uint64_t* set, RandomStream& order) {
  std::vector<Agent*> all;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if ((set[1 + m / 64] >> (m % 64) & 1) != 0) all.push_back(members_[m]);
  }
  std::fill(set + 1, set + stride_, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::swap(all[i], all[i + order.below(all.size() - i)]);
    all[i]->due(now, 0);
  }
}

}  // namespace weft
