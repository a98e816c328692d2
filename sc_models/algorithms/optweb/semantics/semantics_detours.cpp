// Collectives of which two nodes go by way of a third one, because the link between them is down.

#include <algorithm>
#include <utility>

#include "algorithms/optweb/semantics/semantics_phases.h"

namespace weft::optweb {

// After each phase of the collective, what the two have for each other goes to the third one, where it rests in the
// stripe of its source, and on to where it belongs: piece by piece, but for the blocks that the first phase of an
// alltoall of two hops takes together. What one of the two combines without the other rests in the stripe of the other
// until then, and is the first one of what is combined at last. All of it rests at `scratch`, of two hops at
// `scratch2`.
std::vector<Phase> InstructionSemantics::detoured(const ProgramInstruction& in, const std::vector<Detour>& detours,
                                                  NodeId n) const {
  std::vector<Phase> out;
  const bool two_hops = !neighbours_.clique(in.group);
  const auto resting = [&](NodeId of) {
    return 2 * config_.interface_bytes * neighbours_.dmac(n, of).value() + (two_hops ? in.scratch2 : in.scratch);
  };
  const bool alltoall = two_hops && in.op == ProgramOp::alltoall;
  std::vector<Phase> phases = straight(in, n);
  for (std::size_t k = 0; k < phases.size(); ++k) {
    Phase& first = phases[k];
    struct Round {
      Phase there;
      Phase on;
    };
    std::vector<Round> rounds(1);
    // Of the pieces between two nodes, in which round the one number `i` goes round.
    const auto round = [&](NodeId from, NodeId to, std::size_t i) -> Round& {
      std::size_t number = alltoall && k == 0 ? 0 : i;
      if (alltoall && k == 1) number = alltoall_round(in, from, to, i);
      if (number >= rounds.size()) rounds.resize(number + 1);
      return rounds[number];
    };
    // visit(piece, its number) for those between two nodes.
    const auto each = [](const std::vector<Piece>& pieces, NodeId peer, auto&& visit) {
      std::size_t i = 0;
      for (const Piece& p : pieces) {
        if (p.peer == peer) visit(p, i++);
      }
    };
    const auto pass = [&](NodeId from, NodeId to, NodeId by) {
      if (n == from) {
        each(first.out, to, [&](const Piece& p, std::size_t i) {
          round(from, to, i).there.out.push_back({by, p.address, p.bytes, false});
        });
      }
      if (n == to) {
        each(first.in, from, [&](const Piece& p, std::size_t i) {
          round(from, to, i).on.in.push_back({by, p.address, p.bytes, false});
        });
      }
      if (n != by) return;
      each(straight(in, from)[k].out, to, [&](const Piece& p, std::size_t i) {
        const std::uint64_t at = resting(from) + (alltoall && k == 0 ? i * p.bytes : 0);
        round(from, to, i).there.in.push_back({from, at, p.bytes, false});
        round(from, to, i).on.out.push_back({to, at, p.bytes, false});
      });
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
      Phase& on = rounds.front().on;
      on.reduces = true;
      on.reduction = first.reduction;
      on.address = first.address;
      on.bytes = first.bytes;
      first.address = resting(missing);
      on.in.insert(on.in.begin(), {n, 0, first.bytes, false});
      on.out.push_back({n, resting(missing), first.bytes, false});
    }
    out.push_back(std::move(first));
    for (Round& r : rounds) {
      out.push_back(std::move(r.there));
      out.push_back(std::move(r.on));
    }
  }
  return out;
}

// In round t the groups A and B exchange the blocks of place A + B + t.
std::size_t InstructionSemantics::alltoall_round(const ProgramInstruction& in, NodeId from, NodeId to,
                                                 std::size_t place) const {
  const NodeGrid grid = grid_of(in);
  const std::size_t rounds = std::max(grid.size(0), grid.size(1));
  return (place + 2 * rounds - grid.rank(from, 1) - grid.rank(to, 1)) % rounds;
}

}  // namespace weft::optweb
