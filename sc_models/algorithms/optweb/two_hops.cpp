#include "algorithms/optweb/two_hops.h"

#include "algorithms/optweb/step.h"

#include <algorithm>
#include <set>
#include <utility>

namespace weft::optweb {
namespace {

// A collective, as node `n` has it.
class Collective {
 public:
  Collective(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, NodeId n)
      : out_(out), config_(config), neighbours_(neighbours_of(config)), in_(out.in()), n_(n) {
    for (const std::uint32_t p : grid.places) near_.push_back(neighbours_.node(neighbours_.group(n), p));
    for (const std::uint32_t g : grid.groups) far_.push_back(neighbours_.node(g, neighbours_.place(n)));
    nears_ = out_.number_of(near_);
    fars_ = out_.number_of(far_);
    head_ = neighbours_.node(neighbours_.group(n), neighbours_.place(in_.root));
    next_ = neighbours_.node(neighbours_.group(in_.root), neighbours_.place(n));
  }

  void barrier() {
    out_.emit(n_, out_.plain(Opcode::kBarrier), nears_);
    out_.emit(n_, out_.plain(Opcode::kBarrier), fars_);
  }

  // From the root to its place in all groups, and from there within the groups.
  void broadcast() {
    if (n_ == head_) {
      out_.emit(n_, out_.plain(Opcode::kBroadcast), fars_);
      if (n_ != in_.root) fence();
    }
    MachineInstruction i = out_.plain(Opcode::kBroadcast);
    i.source = head_;
    if (n_ == head_ && n_ != in_.root) {
      i.flags = kRelay;
      i.destination = in_.root;
      i.send_address = in_.receive;
    }
    out_.emit(n_, i, nears_);
  }

  // Chunks of the data within the group of the root, each from there to its place in all groups, then within them.
  void broadcast_chunks() {
    const bool first = n_ == next_;
    MachineInstruction i = out_.plain(Opcode::kScatter);
    i.flags = kChunked | kOwnStripe;
    if (first) out_.emit(n_, i, nears_);
    if (first && n_ != in_.root) fence();
    i = out_.plain(Opcode::kBroadcast);
    i.flags = kOwnStripe;
    i.source = next_;
    i.size = chunk();
    if (first && n_ != in_.root) i.send_address = in_.receive;
    out_.emit(n_, i, fars_);
    if (!first) fence();
    i = out_.plain(Opcode::kAllgather);
    i.flags = first ? kChunked : kChunked | kNoRoot;
    if (n_ != in_.root) i.send_address = in_.receive;
    out_.emit(n_, i, nears_);
  }

  // Block by block within the group of the root.
  void scatter() {
    if (n_ == next_) {
      blocks(out_.plain(Opcode::kScatter));
      fence();
    }
    MachineInstruction i = out_.plain(Opcode::kScatter);
    i.source = next_;
    onwards(i);
  }

  // The way of a scatter, the other way round.
  void gather() {
    MachineInstruction i = out_.plain(Opcode::kGather);
    i.destination = next_;
    i.receive_address = in_.scratch;
    out_.emit(n_, i, fars_, {false, true});
    if (n_ != next_) return;
    fence();
    i = out_.plain(Opcode::kGather);
    i.flags = kRelay;
    i.send_address = in_.scratch;
    for (std::size_t g = 0; g < far_.size(); ++g) {
      i.source = far_[g];
      i.receive_address = in_.receive + g * in_.bytes;
      out_.emit(n_, i, nears_, {true, false});
    }
  }

  void alltoall() {
    MachineInstruction i = out_.plain(Opcode::kAlltoall);
    i.size = in_.bytes * far_.size();
    to_scratch(i);
    fence();
    i.flags = kRelay;
    i.size = in_.bytes;
    i.destination = nears_;
    for (i.source = 0; i.source < std::max(near_.size(), far_.size()); ++i.source) onwards(i);
  }

  void allgather() {
    MachineInstruction i = out_.plain(Opcode::kAllgather);
    out_.emit(n_, i, nears_);
    fence();
    i.flags = kRelay;
    i.send_address = in_.receive;
    for (i.source = 0; i.source < near_.size(); ++i.source) {
      i.receive_address = in_.receive + i.source * in_.bytes;
      i.destination = near_[i.source];
      out_.emit(n_, i, fars_);
    }
  }

  // In each group to the place of the root, and from these nodes to the root.
  void reduce() {
    MachineInstruction i = out_.reducing(Opcode::kReduce);
    i.destination = head_;
    i.receive_address = in_.scratch;
    out_.emit_reduce(n_, i, nears_, {false, true});
    if (n_ != head_) return;
    fence();
    i = out_.reducing(Opcode::kReduce);
    i.flags |= kRelay;
    i.send_address = in_.scratch;
    out_.emit_reduce(n_, i, fars_, {true, false});
  }

  // Block by block within the group.
  void reduce_scatter() {
    blocks(out_.reducing(Opcode::kReduceScatter));
    fence();
    onwards(out_.reducing(Opcode::kReduceScatter));
  }

  void allreduce() {
    to_scratch(out_.reducing(Opcode::kAllreduce));
    fence();
    onwards(out_.reducing(Opcode::kAllreduce));
  }

  // Chunk by chunk: within the groups, among the same places, and all chunks to all nodes of the groups.
  void allreduce_chunks() {
    MachineInstruction i = out_.reducing(Opcode::kReduceScatter);
    i.flags |= kChunked;
    to_scratch(i);
    fence();
    i = out_.reducing(Opcode::kAllreduce);
    i.size = chunk();
    onwards(i);
    fence();
    i = out_.plain(Opcode::kAllgather);
    i.flags = kChunked | kNoRoot;
    i.send_address = in_.receive;
    out_.emit(n_, i, nears_);
  }

 private:
  void fence() { out_.emit(n_, out_.plain(Opcode::kFence), nears_); }

  // Within the group; what is received rests.
  void to_scratch(MachineInstruction i) {
    i.receive_address = in_.scratch;
    out_.emit(n_, i, nears_, {false, true});
  }
  // The same block by block: what is for group B rests in the stripe of B.
  void blocks(MachineInstruction i) {
    i.flags |= kRelay;
    for (std::size_t g = 0; g < far_.size(); ++g) {
      i.send_address = in_.send + g * in_.bytes;
      i.destination = far_[g];
      to_scratch(i);
    }
  }
  // What rests, among the same places of all groups.
  void onwards(MachineInstruction i) {
    i.send_address = in_.scratch;
    out_.emit(n_, i, fars_, {true, false});
  }

  // Of the node, when its group shares the data.
  std::uint64_t chunk() const {
    const auto rank = static_cast<std::size_t>(std::find(near_.begin(), near_.end(), n_) - near_.begin());
    return chunk_bytes(in_.bytes, near_.size(), rank, config_.word_bytes);
  }

  Emitter& out_;
  const OptwebConfig& config_;
  Neighbours neighbours_;
  const ProgramInstruction& in_;
  NodeId n_;
  std::vector<NodeId> near_;  // of the node's group
  std::vector<NodeId> far_;   // in its place
  std::uint32_t nears_ = 0;
  std::uint32_t fars_ = 0;
  NodeId head_ = 0;  // in the node's group, in the place of the root
  NodeId next_ = 0;  // in the root's group, in the place of the node
};

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

std::optional<NodeGrid> two_hop_grid(const OptwebConfig& config, const ProgramInstruction& in) {
  const bool single = in.op == ProgramOp::send || in.op == ProgramOp::recv || in.op == ProgramOp::sendrecv ||
                      in.op == ProgramOp::transfer || in.op == ProgramOp::fence || in.op == ProgramOp::compute;
  const Neighbours& neighbours = neighbours_of(config);
  if (single || neighbours.clique(in.group)) return std::nullopt;
  return grid_of(neighbours, in.group);
}

std::vector<LegRound> relay_rounds(const Neighbours& neighbours, const ProgramInstruction& in) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  if (in.op == ProgramOp::transfer) pairs.emplace_back(*in.source, *in.destination);
  for (std::size_t r = 0; in.op == ProgramOp::sendrecv && in.shift && r < in.group.size(); ++r) {
    pairs.emplace_back(in.group[r], in.group[(r + static_cast<std::size_t>(*in.shift)) % in.group.size()]);
  }
  const auto is_far = [&](const auto& p) { return neighbours.hops(p.first, p.second) == 2; };
  if (std::none_of(pairs.begin(), pairs.end(), is_far)) return {};
  std::vector<LegRound> rounds;
  std::vector<Leg> second;
  std::multiset<NodeId> resting;
  for (const auto& [from, to] : pairs) {
    if (!is_far(std::pair{from, to})) continue;
    const NodeId by = neighbours.between(from, to);
    const std::uint64_t slot = resting.count(by);
    resting.insert(by);
    place({from, by, false, true, slot}, 0, rounds);
    second.push_back({by, to, true, false, slot});
  }
  const std::size_t first = rounds.size();
  for (const Leg& leg : second) place(leg, first, rounds);
  for (const auto& [from, to] : pairs) {
    if (!is_far(std::pair{from, to})) place({from, to, false, false, 0}, 0, rounds);
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
      if (staged.sent) {
        i.flags |= kRelay;
        i.send_address = in.scratch + sends->slot * in.bytes;
      }
    }
    if (receives != round.end()) {
      i.opcode = sends != round.end() ? Opcode::kSendrecv : Opcode::kRecv;
      i.source = receives->from;
      if (sends == round.end()) i.destination = n;
      staged.received = receives->rests;
      if (staged.received) {
        i.flags |= kOwnStripe;
        i.receive_address = in.scratch + receives->slot * in.bytes;
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

void emit_two_hops(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, bool chunks, NodeId n) {
  Collective c(out, config, grid, n);
  switch (out.in().op) {
    case ProgramOp::barrier:
      return c.barrier();
    case ProgramOp::broadcast:
      return chunks ? c.broadcast_chunks() : c.broadcast();
    case ProgramOp::scatter:
      return c.scatter();
    case ProgramOp::gather:
      return c.gather();
    case ProgramOp::alltoall:
      return c.alltoall();
    case ProgramOp::allgather:
      return c.allgather();
    case ProgramOp::reduce:
      return c.reduce();
    case ProgramOp::reduce_scatter:
      return c.reduce_scatter();
    case ProgramOp::allreduce:
      return chunks ? c.allreduce_chunks() : c.allreduce();
    default:
      return;
  }
}

}  // namespace weft::optweb
