// Collectives of which two nodes go by way of a third one, because the link between them is down.

#include <algorithm>
#include <utility>

#include "algorithms/optweb/semantics/semantics_phases.h"

namespace weft::optweb {

// After each phase of the collective, what the two have for each other goes to the third one, where it rests in the
// stripe of its source, and on to where it belongs. What one of the two combines without the other rests in the stripe
// of the other until then, and is the first one of what is combined at last.
std::vector<Phase> InstructionSemantics::detoured(const ProgramInstruction& in, const std::vector<Detour>& detours,
                                                  NodeId n) const {
  std::vector<Phase> out;
  const auto resting = [&](NodeId of) {
    return 2 * config_.interface_bytes * neighbours_.dmac(n, of).value() + in.scratch;
  };
  std::vector<Phase> phases = straight(in, n);
  for (std::size_t k = 0; k < phases.size(); ++k) {
    Phase& first = phases[k];
    Phase there;
    Phase on;
    const auto pass = [&](NodeId from, NodeId to, NodeId by) {
      for (const Piece& p : first.out) {
        if (n == from && p.peer == to) there.out.push_back({by, p.address, p.bytes, false});
      }
      for (const Piece& p : first.in) {
        if (n == to && p.peer == from) on.in.push_back({by, p.address, p.bytes, false});
      }
      if (n != by) return;
      const std::vector<Phase> of_source = straight(in, from);
      for (const Piece& p : of_source[k].out) {
        if (p.peer != to) continue;
        there.in.push_back({from, resting(from), p.bytes, false});
        on.out.push_back({to, resting(from), p.bytes, false});
      }
    };
    for (const Detour& d : detours) {
      pass(d.a, d.b, d.by);
      pass(d.b, d.a, d.by);
    }
    const auto passed = [&](const Piece& p) {
      return std::any_of(detours.begin(), detours.end(),
                         [&](const Detour& d) { return (d.a == n && d.b == p.peer) || (d.b == n && d.a == p.peer); });
    };
    const auto late = std::find_if(first.in.begin(), first.in.end(), passed);
    const NodeId missing = late == first.in.end() ? n : late->peer;
    std::erase_if(first.out, passed);
    std::erase_if(first.in, passed);
    if (first.reduces && missing != n) {
      on.reduces = true;
      on.reduction = first.reduction;
      on.address = first.address;
      on.bytes = first.bytes;
      first.address = resting(missing);
      on.in.insert(on.in.begin(), {n, 0, first.bytes, false});
      on.out.push_back({n, resting(missing), first.bytes, false});
    }
    for (Phase* const p : {&first, &there, &on}) out.push_back(std::move(*p));
  }
  return out;
}

}  // namespace weft::optweb
