#include "algorithms/optweb/hops/routes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "algorithms/optweb/step.h"

namespace weft::optweb {
namespace {

// Who sends to whom, in the order of ranks.
std::vector<std::pair<NodeId, NodeId>> ends_of(const ProgramInstruction& in) {
  std::vector<std::pair<NodeId, NodeId>> out;
  if (in.op == ProgramOp::transfer) out.emplace_back(*in.source, *in.destination);
  for (std::size_t r = 0; in.op == ProgramOp::sendrecv && in.shift && r < in.group.size(); ++r) {
    out.emplace_back(in.group[r], in.group[(r + static_cast<std::size_t>(*in.shift)) % in.group.size()]);
  }
  return out;
}

// Puts a leg into the first round from `first` on in which both of its nodes are free.
void place(const Leg& leg, std::size_t first, std::vector<LegRound>& rounds) {
  for (std::size_t r = first;; ++r) {
    if (r == rounds.size()) rounds.emplace_back();
    LegRound& round = rounds[r];
    if (std::any_of(round.begin(), round.end(), [&](const Leg& l) { return l.from == leg.from || l.to == leg.to; })) {
      continue;
    }
    round.push_back(leg);
    return;
  }
}

}  // namespace

std::uint32_t most_hops(const Neighbours& neighbours, const ProgramInstruction& in) {
  std::uint32_t out = 0;
  for (const auto& [from, to] : ends_of(in)) out = std::max(out, neighbours.hops(from, to));
  return out;
}

std::vector<LegRound> relay_rounds(const Neighbours& neighbours, const ProgramInstruction& in) {
  const std::uint32_t most = most_hops(neighbours, in);
  if (most < 2) return {};
  const std::vector<std::pair<NodeId, NodeId>> ends = ends_of(in);
  std::vector<std::vector<Leg>> phases(most);
  std::vector<std::map<NodeId, std::uint64_t>> resting(most);  // sizes that rest at a node after a phase
  for (const auto& [from, to] : ends) {
    if (neighbours.hops(from, to) < 2) continue;
    const std::vector<NodeId> route = neighbours.route(from, to);
    std::uint64_t at = 0;
    for (std::size_t hop = 0; hop + 1 < route.size(); ++hop) {
      Leg leg{route[hop], route[hop + 1]};
      leg.rested = hop > 0;
      leg.sent = at;
      leg.sent_second = hop > 0 && hop % 2 == 0;
      leg.rests = hop + 2 < route.size();
      leg.second = leg.rests && hop % 2 == 1;
      if (leg.rests) at = (leg.second ? in.scratch2 : in.scratch) + in.bytes * resting[hop][leg.to]++;
      leg.resting = at;
      phases[hop].push_back(leg);
    }
  }
  std::vector<LegRound> rounds;
  for (const std::vector<Leg>& phase : phases) {
    const std::size_t first = rounds.size();
    for (const Leg& leg : phase) place(leg, first, rounds);
  }
  for (const auto& [from, to] : ends) {
    if (neighbours.hops(from, to) < 2) place({from, to}, 0, rounds);
  }
  return rounds;
}

void emit_rounds(Emitter& out, const std::vector<LegRound>& rounds, NodeId n) {
  const ProgramInstruction& in = out.in();
  bool fenced = true;
  for (const LegRound& round : rounds) {
    const auto sends = std::find_if(round.begin(), round.end(), [&](const Leg& l) { return l.from == n; });
    const auto receives = std::find_if(round.begin(), round.end(), [&](const Leg& l) { return l.to == n; });
    StagedEnds staged;
    MachineInstruction i = out.plain(Opcode::kBarrier);
    if (sends != round.end()) {
      i.opcode = Opcode::kSend;
      i.source = n;
      i.destination = sends->to;
      staged.sent = sends->rested;
      staged.sent_second = sends->sent_second;
      if (staged.sent) {
        i.flags |= kRelay;
        i.send_address = sends->sent;
      }
    }
    if (receives != round.end()) {
      i.opcode = sends != round.end() ? Opcode::kSendrecv : Opcode::kRecv;
      i.source = receives->from;
      if (sends == round.end()) i.destination = n;
      staged.received = receives->rests;
      staged.second = receives->second;
      if (staged.received) {
        i.flags |= kOwnStripe;
        i.receive_address = receives->resting;
      }
    }
    if (i.opcode == Opcode::kBarrier) continue;
    if (staged.sent && !fenced) {
      out.emit(n, out.plain(Opcode::kFence));
      fenced = true;
    }
    out.emit(n, i, out.number_of(in.group), staged);
    if (staged.received) fenced = false;
  }
}

}  // namespace weft::optweb
