// VC and switch allocation of the input-queued router. Round robin among n with a pointer x grants the requester with
// the smallest (number - x) mod n, so requests can be gone through in any order.

#include <bit>

#include "fabric/iq/iq_router.h"

namespace weft {
namespace {

std::uint32_t lowest(std::uint64_t set) { return static_cast<std::uint32_t>(std::countr_zero(set)); }

/// First set bit of `mask` in cyclic order from bit `from` on (0 <= from <= 32). Precondition: mask != 0. Bits above
/// those in use are not set, so the order among 32 is the order among those.
std::uint32_t first_cyclic(std::uint32_t mask, std::uint32_t from) {
  return (lowest(std::rotr(mask, static_cast<int>(from))) + from) & 31;
}

/// Steps from `pointer` to `number` in cyclic order among n. Both are at most n.
std::uint32_t distance(std::uint32_t number, std::uint32_t pointer, std::uint32_t n) {
  return number >= pointer ? number - pointer : number + n - pointer;
}

template <class Set, class Visit>
void each_port(const Set& set, std::uint32_t ports, Visit&& visit) {
  for (std::uint32_t w = 0; w * 64 < ports; ++w) {
    for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1) {
      visit(static_cast<PortId>(w * 64 + lowest(bits)));
    }
  }
}

template <class Set>
void add_port(Set& set, PortId port) {
  set[port / 64] |= std::uint64_t{1} << (port % 64);
}

template <class Set>
bool has_port(const Set& set, PortId port) {
  return (set[port / 64] >> (port % 64) & 1) != 0;
}

}  // namespace

/// Number of the candidate a head requests, kNoCandidate when all VCs it may take are owned.
std::uint32_t IqRouter::first_candidate(const InputVc& input) const {
  const std::uint32_t n = input.count;
  const std::uint32_t all = n * vcs_;
  const std::uint32_t from = input.pointer < all ? input.pointer : input.pointer % all;
  if (n == 1) {
    const std::uint32_t free = port_[input.first].free & class_mask_[input.lanes];
    return free == 0 ? kNoCandidate : first_cyclic(free, from);
  }
  std::uint32_t best = kNoCandidate;
  std::uint32_t best_distance = kNoCandidate;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t free = port_[input.first + i].free & class_mask_[input.lanes];
    if (free == 0) continue;
    // Candidates of this port: v n + i; the first from `from` on has the smallest v with v n + i >= from.
    const std::uint32_t candidate = first_cyclic(free, from <= i ? 0 : (from - i + n - 1) / n) * n + i;
    const std::uint32_t d = distance(candidate, from, all);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

/// An input VC requests an output VC, which keeps the requester it would grant.
void IqRouter::request(std::uint32_t out_vc, std::uint32_t in_vc) {
  OutputVc& output = outputs_[out_vc];
  const std::uint32_t all = all_inputs_;
  if (output.best != kNone && distance(in_vc, output.pointer, all) >= distance(output.best, output.pointer, all))
    return;
  output.best = static_cast<Index>(in_vc);
}

void IqRouter::grant_vc(std::uint32_t vc, std::uint32_t candidate, Cycle now) {
  InputVc& input = inputs_[vc];
  const std::uint32_t v = input.count == 1 ? candidate : candidate / input.count;
  const std::uint32_t out = input.count == 1 ? input.first : input.first + candidate % input.count;
  input.out = static_cast<Index>((out << vc_bits_) + v);
  port_[out].free &= ~(1U << v);
  OutputVc& output = outputs_[input.out];
  output.owner = static_cast<Index>(vc);
  Word& state = word(vc);
  state.requesting &= ~bit(vc);
  state.credit = output.credits > 0 ? state.credit | bit(vc) : state.credit & ~bit(vc);
  if (vc_allocation_ == 1) {
    state.next_active |= bit(vc);
  } else if (vc_allocation_ == 0) {
    state.active |= bit(vc);
  } else {
    mark(now + vc_allocation_, kOwning, vc);
  }
}

void IqRouter::allocate_vcs_separable(Cycle now) {
  std::size_t requests = 0;
  std::size_t requested = 0;
  for (std::uint32_t w = 0; w < word_count_; ++w) {
    for (std::uint64_t set = words_[w].requesting; set != 0; set &= set - 1) {
      const std::uint32_t vc = w * 64 + lowest(set);
      InputVc& input = inputs_[vc];
      const std::uint32_t candidate = first_candidate(input);
      if (candidate == kNoCandidate) continue;
      ++requests;
      input.request = static_cast<std::uint16_t>(candidate);
      const std::uint32_t n = input.count;
      const std::uint32_t out = n == 1 ? (static_cast<std::uint32_t>(input.first) << vc_bits_) + candidate
                                       : ((input.first + candidate % n) << vc_bits_) + candidate / n;
      if (outputs_[out].best == kNone) requested_[requested++] = static_cast<Index>(out);
      request(out, vc);
    }
  }
  for (std::size_t i = 0; i < requested; ++i) {
    OutputVc& output = outputs_[requested_[i]];
    const Index vc = output.best;
    output.best = kNone;
    output.pointer = static_cast<Index>(vc + 1);
    inputs_[vc].pointer = static_cast<std::uint16_t>(inputs_[vc].request + 1);
    grant_vc(vc, inputs_[vc].request, now);
  }
  vcs_changed_ = requests > requested;
}

void IqRouter::allocate_vcs_islip(Cycle now) {
  constexpr std::uint16_t kNotGranted = 0xffff;
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    std::size_t requested = 0;
    for (std::uint32_t w = 0; w < word_count_; ++w) {
      for (std::uint64_t set = words_[w].requesting; set != 0; set &= set - 1) {
        const std::uint32_t vc = w * 64 + lowest(set);
        InputVc& input = inputs_[vc];
        input.request = kNotGranted;
        for (std::uint32_t p = input.first; p < std::uint32_t{input.first} + input.count; ++p) {
          for (std::uint32_t free = port_[p].free & class_mask_[input.lanes]; free != 0; free &= free - 1) {
            const std::uint32_t out = (p << vc_bits_) + lowest(free);
            if (outputs_[out].best == kNone) requested_[requested++] = static_cast<Index>(out);
            request(out, vc);
          }
        }
      }
    }
    if (requested == 0) break;
    const auto candidate_of = [&](const InputVc& input, std::uint32_t out) {
      return vc_of(out) * input.count + (port_of(out) - input.first);
    };
    for (std::size_t i = 0; i < requested; ++i) {
      InputVc& input = inputs_[outputs_[requested_[i]].best];
      const std::uint32_t all = input.count * vcs_;
      const std::uint32_t from = input.pointer % all;
      const std::uint32_t candidate = candidate_of(input, requested_[i]);
      if (input.request == kNotGranted || distance(candidate, from, all) < distance(input.request, from, all)) {
        input.request = static_cast<std::uint16_t>(candidate);
      }
    }
    for (std::size_t i = 0; i < requested; ++i) {
      OutputVc& output = outputs_[requested_[i]];
      const Index vc = output.best;
      output.best = kNone;
      InputVc& input = inputs_[vc];
      if (input.request != candidate_of(input, requested_[i])) continue;
      if (round == 0) {
        output.pointer = static_cast<Index>(vc + 1);
        input.pointer = static_cast<std::uint16_t>(input.request + 1);
      }
      grant_vc(vc, input.request, now);
    }
  }
  vcs_changed_ = false;
  for (std::uint32_t w = 0; w < word_count_ && !vcs_changed_; ++w) {
    for (std::uint64_t set = words_[w].requesting; set != 0; set &= set - 1) {
      vcs_changed_ = vcs_changed_ || first_candidate(inputs_[w * 64 + lowest(set)]) != kNoCandidate;
    }
  }
}

void IqRouter::allocate_switch_separable(Cycle now) {
  PortSet requested;
  for (std::uint32_t w = 0; w * 64 < ports_; ++w) requested[w] = 0;
  for (std::uint32_t w = 0; w < word_count_; ++w) {
    for (std::uint64_t set = words_[w].ready(); set != 0;) {
      const PortId in = port_of(w * 64 + lowest(set));
      const std::uint32_t first = static_cast<std::uint32_t>(in) << vc_bits_;
      const std::uint32_t vcs = static_cast<std::uint32_t>(set >> (first % 64)) & all_vcs_;
      set &= ~(std::uint64_t{all_vcs_} << (first % 64));
      const std::uint32_t vc = first + first_cyclic(vcs, port_[in].vc_pointer);
      const PortId o = port_of(inputs_[vc].out);
      Port& out = port_[o];
      if (out.best == kNone) {
        add_port(requested, o);
      } else if (distance(in, out.grant_pointer, ports_) >= distance(port_of(out.best), out.grant_pointer, ports_)) {
        continue;
      }
      out.best = static_cast<Index>(vc);
    }
  }
  each_port(requested, ports_, [&](PortId o) {
    Port& out = port_[o];
    const Index vc = out.best;
    const PortId in = port_of(vc);
    out.best = kNone;
    out.grant_pointer = static_cast<PortId>(in + 1);
    send(in, vc, now);
  });
}

void IqRouter::allocate_switch_islip(Cycle now) {
  PortSet matched_in{};
  PortSet matched_out{};
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    PortSet requested{};
    for (std::uint32_t w = 0; w < word_count_; ++w) {
      for (std::uint64_t set = words_[w].ready(); set != 0; set &= set - 1) {
        const std::uint32_t vc = w * 64 + lowest(set);
        const PortId in = port_of(vc);
        const PortId o = port_of(inputs_[vc].out);
        if (has_port(matched_in, in) || has_port(matched_out, o)) continue;
        add_port(requested, o);
        Port& out = port_[o];
        if (out.best == kNone ||
            distance(in, out.grant_pointer, ports_) < distance(port_of(out.best), out.grant_pointer, ports_)) {
          out.best = static_cast<Index>(vc);
        }
      }
    }
    PortSet granted{};  // inputs
    each_port(requested, ports_, [&](PortId o) {
      const PortId in = port_of(port_[o].best);
      port_[o].best = kNone;
      const PortId pointer = port_[in].accept_pointer;
      add_port(granted, in);
      if (best_out_[in] == kNoPort || distance(o, pointer, ports_) < distance(best_out_[in], pointer, ports_)) {
        best_out_[in] = o;
      }
    });
    bool any = false;
    each_port(granted, ports_, [&](PortId in) {
      Port& input = port_[in];
      const PortId o = best_out_[in];
      best_out_[in] = kNoPort;
      any = true;
      const std::uint32_t first = static_cast<std::uint32_t>(in) << vc_bits_;
      std::uint32_t to_it = 0;
      for (std::uint32_t ready = ready_of(in); ready != 0; ready &= ready - 1) {
        if (port_of(inputs_[first + lowest(ready)].out) == o) to_it |= 1U << lowest(ready);
      }
      if (round == 0) {
        port_[o].grant_pointer = static_cast<PortId>(in + 1);
        input.accept_pointer = static_cast<PortId>(o + 1);
      }
      add_port(matched_in, in);
      add_port(matched_out, o);
      send(in, first + first_cyclic(to_it, input.vc_pointer), now);
    });
    if (!any) break;
  }
}

}  // namespace weft
