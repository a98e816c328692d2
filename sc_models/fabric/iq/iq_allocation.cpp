// VC and switch allocation of the input-queued router. Round robin among n with a pointer x grants the requester with
// the smallest (number - x) mod n, so requests can be gone through in any order.

#include <bit>

#include "fabric/iq/iq_router.h"

namespace weft {
namespace {

/// First set bit of `mask` in cyclic order from bit `from` on (0 <= from <= 32). Precondition: mask != 0.
std::uint32_t first_cyclic(std::uint32_t mask, std::uint32_t from) {
  const std::uint32_t behind = from >= 32 ? 0 : mask >> from << from;
  return static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : mask));
}

/// Steps from `pointer` to `number` in cyclic order among n. Both are at most n.
std::uint32_t distance(std::uint32_t number, std::uint32_t pointer, std::uint32_t n) {
  return number >= pointer ? number - pointer : number + n - pointer;
}

constexpr std::uint32_t kNoCandidate = ~std::uint32_t{0};

}  // namespace

template <class Visit>
void IqRouter::each_port(const PortSet& set, Visit&& visit) const {
  for (std::uint32_t w = 0; w < port_words_; ++w) {
    for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1) {
      visit(static_cast<PortId>(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))));
    }
  }
}

/// Number of the candidate a head requests, kNoCandidate when all VCs it may take are owned.
std::uint32_t IqRouter::first_candidate(const InputVc& input) const {
  const std::uint32_t n = input.count;
  if (n == 1) {
    const std::uint32_t free = port_[input.first].free & input.class_mask;
    return free == 0 ? kNoCandidate : first_cyclic(free, input.pointer % vcs_);
  }
  const std::uint32_t from = input.pointer % (n * vcs_);
  std::uint32_t best = kNoCandidate;
  std::uint32_t best_distance = kNoCandidate;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t free = port_[input.first + i].free & input.class_mask;
    if (free == 0) continue;
    // Candidates of this port: v n + i; the first from `from` on has the smallest v with v n + i >= from.
    const std::uint32_t candidate = first_cyclic(free, from <= i ? 0 : (from - i + n - 1) / n) * n + i;
    const std::uint32_t d = distance(candidate, from, n * vcs_);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

void IqRouter::grant_vc(std::uint32_t vc, std::uint32_t candidate, Cycle now) {
  InputVc& input = inputs_[vc];
  const PortId out = static_cast<PortId>(input.first + candidate % input.count);
  const std::uint32_t v = candidate / input.count;
  input.out_port = out;
  input.out = static_cast<Index>(out * vcs_ + v);
  input.state = State::owning;
  port_[out].free &= ~(1U << v);
  OutputVc& output = outputs_[input.out];
  output.owned = true;
  output.owner = static_cast<Index>(vc);
  if (parameters_.vc_allocation == 0) {
    activate(vc);
  } else {
    add_event(now + parameters_.vc_allocation, Event::owning, vc);
  }
}

void IqRouter::forget_granted() {
  std::size_t kept = 0;
  for (const Index vc : requesting_) {
    if (inputs_[vc].state == State::requesting) requesting_[kept++] = vc;
  }
  requesting_.resize(kept);
}

void IqRouter::allocate_vcs_separable(Cycle now) {
  const auto all = static_cast<std::uint32_t>(inputs_.size());
  std::size_t requests = 0;
  requested_.clear();
  for (const Index vc : requesting_) {
    InputVc& input = inputs_[vc];
    input.request = first_candidate(input);
    if (input.request == kNoCandidate) continue;
    ++requests;
    const std::uint32_t n = input.count;
    const std::uint32_t out =
        n == 1 ? input.first * vcs_ + input.request : (input.first + input.request % n) * vcs_ + input.request / n;
    OutputVc& output = outputs_[out];
    if (output.best == kNone) {
      requested_.push_back(static_cast<Index>(out));
      output.best = vc;
    } else if (distance(vc, output.pointer, all) < distance(output.best, output.pointer, all)) {
      output.best = vc;
    }
  }
  for (const Index out : requested_) {
    OutputVc& output = outputs_[out];
    const Index vc = output.best;
    output.best = kNone;
    output.pointer = static_cast<Index>(vc + 1);
    inputs_[vc].pointer = static_cast<std::uint16_t>(inputs_[vc].request + 1);
    grant_vc(vc, inputs_[vc].request, now);
  }
  vcs_changed_ = requests > requested_.size();
  forget_granted();
}

void IqRouter::allocate_vcs_islip(Cycle now) {
  const auto all = static_cast<std::uint32_t>(inputs_.size());
  bool lost = false;
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    requested_.clear();
    for (const Index vc : requesting_) {
      InputVc& input = inputs_[vc];
      if (input.state != State::requesting) continue;
      input.request = kNoCandidate;
      for (PortId p = input.first; p < input.first + input.count; ++p) {
        for (std::uint32_t free = port_[p].free & input.class_mask; free != 0; free &= free - 1) {
          const std::uint32_t out = p * vcs_ + static_cast<std::uint32_t>(std::countr_zero(free));
          OutputVc& output = outputs_[out];
          if (output.best == kNone) {
            requested_.push_back(static_cast<Index>(out));
            output.best = vc;
          } else if (distance(vc, output.pointer, all) < distance(output.best, output.pointer, all)) {
            output.best = vc;
          }
        }
      }
    }
    if (requested_.empty()) break;
    for (const Index out : requested_) {
      InputVc& input = inputs_[outputs_[out].best];
      const std::uint32_t n = input.count;
      const PortId p = port_of_[out];
      const std::uint32_t candidate = (out - p * vcs_) * n + (p - input.first);
      const std::uint32_t from = input.pointer % (n * vcs_);
      if (input.request == kNoCandidate ||
          distance(candidate, from, n * vcs_) < distance(input.request, from, n * vcs_)) {
        input.request = candidate;
      }
    }
    for (const Index out : requested_) {
      OutputVc& output = outputs_[out];
      const Index vc = output.best;
      output.best = kNone;
      InputVc& input = inputs_[vc];
      const PortId p = port_of_[out];
      if (input.request != (out - p * vcs_) * input.count + (p - input.first)) continue;
      if (round == 0) {
        output.pointer = static_cast<Index>(vc + 1);
        input.pointer = static_cast<std::uint16_t>(input.request + 1);
      }
      grant_vc(vc, input.request, now);
    }
  }
  forget_granted();
  for (const Index vc : requesting_) lost = lost || first_candidate(inputs_[vc]) != kNoCandidate;
  vcs_changed_ = lost;
}

void IqRouter::allocate_switch_separable(Cycle now) {
  PortSet requested{};
  each_port(ready_ports_, [&](PortId in) {
    const std::uint32_t vc = in * vcs_ + first_cyclic(port_[in].ready, port_[in].vc_pointer);
    const PortId o = inputs_[vc].out_port;
    Port& out = port_[o];
    if (out.best_in == kNoPort) {
      requested[o / 64] |= std::uint64_t{1} << (o % 64);
    } else if (distance(in, out.grant_pointer, ports_) >= distance(out.best_in, out.grant_pointer, ports_)) {
      return;
    }
    out.best_in = in;
  });
  each_port(requested, [&](PortId o) {
    Port& out = port_[o];
    const PortId in = out.best_in;
    out.best_in = kNoPort;
    out.grant_pointer = static_cast<PortId>(in + 1);
    send(in, in * vcs_ + first_cyclic(port_[in].ready, port_[in].vc_pointer), now);
  });
}

void IqRouter::allocate_switch_islip(Cycle now) {
  PortSet inputs = ready_ports_;  // not yet matched
  PortSet matched_out{};
  for (std::uint32_t round = 0; round < parameters_.iterations; ++round) {
    PortSet requested{};
    each_port(inputs, [&](PortId in) {
      for (std::uint32_t ready = port_[in].ready; ready != 0; ready &= ready - 1) {
        const PortId o = inputs_[in * vcs_ + static_cast<std::uint32_t>(std::countr_zero(ready))].out_port;
        if ((matched_out[o / 64] >> (o % 64) & 1) != 0) continue;
        requested[o / 64] |= std::uint64_t{1} << (o % 64);
        Port& out = port_[o];
        if (out.best_in == kNoPort ||
            distance(in, out.grant_pointer, ports_) < distance(out.best_in, out.grant_pointer, ports_)) {
          out.best_in = in;
        }
      }
    });
    PortSet granted{};  // inputs
    each_port(requested, [&](PortId o) {
      const PortId in = port_[o].best_in;
      port_[o].best_in = kNoPort;
      Port& input = port_[in];
      granted[in / 64] |= std::uint64_t{1} << (in % 64);
      if (input.best_out == kNoPort ||
          distance(o, input.accept_pointer, ports_) < distance(input.best_out, input.accept_pointer, ports_)) {
        input.best_out = o;
      }
    });
    bool any = false;
    each_port(granted, [&](PortId in) {
      Port& input = port_[in];
      const PortId o = input.best_out;
      input.best_out = kNoPort;
      any = true;
      std::uint32_t to_it = 0;
      for (std::uint32_t ready = input.ready; ready != 0; ready &= ready - 1) {
        const auto v = static_cast<std::uint32_t>(std::countr_zero(ready));
        if (inputs_[in * vcs_ + v].out_port == o) to_it |= 1U << v;
      }
      if (round == 0) {
        port_[o].grant_pointer = static_cast<PortId>(in + 1);
        input.accept_pointer = static_cast<PortId>(o + 1);
      }
      inputs[in / 64] &= ~(std::uint64_t{1} << (in % 64));
      matched_out[o / 64] |= std::uint64_t{1} << (o % 64);
      send(in, in * vcs_ + first_cyclic(to_it, input.vc_pointer), now);
    });
    if (!any) break;
  }
}

}  // namespace weft
