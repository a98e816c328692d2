#include "algorithms/optweb/hops/steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "algorithms/optweb/step.h"

namespace weft::optweb {
namespace {

// A collective, as node `n` has it. Step d is among the nodes of a line, which differ from it at level d only.
class Collective {
 public:
  Collective(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, NodeId n)
      : out_(out), config_(config), grid_(grid), in_(out.in()), n_(n), steps_(grid.levels()) {
    for (std::size_t d = 0; d < steps_; ++d) {
      std::vector<NodeId> nodes = grid.line(n, d);
      const std::uint32_t number = out_.number_of(nodes);
      lines_.push_back({std::move(nodes), number});
    }
  }

  void barrier() {
    for (const Line& line : lines_) out_.emit(n_, out_.plain(Opcode::kBarrier), line.number);
  }

  // From the root to its line at the highest level, from all of these to their lines at the next one, and so on.
  void broadcast() {
    std::optional<NodeId> from;  // whom the node has it from
    for (std::size_t d = steps_; d-- > 0;) {
      if (!like_root(0, d)) continue;
      MachineInstruction i = out_.plain(Opcode::kBroadcast);
      i.source = root_line(d);
      if (from) {
        i.flags = kRelay;
        i.destination = *from;
        i.send_address = in_.receive;
      }
      out_.emit(n_, i, lines_[d].number);
      if (i.source == n_) continue;
      from = i.source;
      if (d > 0) fence();
    }
  }

  // Chunks of the data within the group of the root, each from there to its place in all groups, level by level, then
  // within the groups.
  void broadcast_chunks() {
    const bool first = like_root(1, steps_);
    MachineInstruction i = out_.plain(Opcode::kScatter);
    i.flags = kChunked | kOwnStripe;
    if (first) out_.emit(n_, i, lines_[0].number);
    if (first && n_ != in_.root) fence();
    for (std::size_t d = steps_; d-- > 1;) {
      if (!like_root(1, d)) continue;
      i = out_.plain(Opcode::kBroadcast);
      i.flags = kOwnStripe;
      i.source = root_line(d);
      i.size = chunk();
      if (i.source == n_ && n_ != in_.root) i.send_address = in_.receive;
      out_.emit(n_, i, lines_[d].number);
      if (i.source != n_) fence();
    }
    i = out_.plain(Opcode::kAllgather);
    i.flags = first ? kChunked : kChunked | kNoRoot;
    if (n_ != in_.root) i.send_address = in_.receive;
    out_.emit(n_, i, lines_[0].number);
  }

  // Block by block within the group of the root, then in the lines of these nodes.
  void scatter() {
    for (std::size_t d = 0; d < steps_; ++d) {
      if (!like_root(d + 1, steps_)) continue;
      MachineInstruction i = out_.plain(Opcode::kScatter);
      i.source = root_line(d);
      blocks(i, d);
    }
  }

  // The way of a scatter, the other way round.
  void gather() {
    for (std::size_t step = 0; step < steps_; ++step) {
      const std::size_t d = steps_ - 1 - step;
      const bool last = d == 0;
      MachineInstruction i = out_.plain(Opcode::kGather);
      i.destination = root_line(d);
      i.receive_address = last ? in_.receive : rest(step);
      if (step == 0) {
        out_.emit(n_, i, lines_[d].number, received(step, last));
      } else {
        i.flags = kRelay;
        const std::uint64_t base = i.receive_address;
        const std::vector<NodeId>& sources = lines_[d + 1].nodes;  // of what rests
        for (std::size_t u = 0; u < grid_.count(d + 1, steps_); ++u) {
          i.source = sources[u % sources.size()];
          i.send_address = rest(step - 1) + u / sources.size() * in_.bytes;
          i.receive_address = base + u * in_.bytes;
          out_.emit(n_, i, lines_[d].number, received(step, last));
        }
      }
      if (last || i.destination != n_) return;
      fence();
    }
  }

  // All blocks for a place together within the groups; then the blocks of all places, round by round.
  void alltoall() {
    MachineInstruction i = out_.plain(Opcode::kAlltoall);
    i.size = in_.bytes * grid_.count(1, steps_);
    i.receive_address = rest(0);
    out_.emit(n_, i, lines_[0].number, received(0, false));
    i.flags = kRelay;
    i.destination = lines_[0].number;
    for (std::size_t d = 1; d < steps_; ++d) {
      fence();
      i.size = in_.bytes * grid_.count(1, d);
      for (std::size_t u = 0; u < grid_.count(d + 1, steps_); ++u) {
        const std::uint64_t at = u * grid_.size(d) * i.size;
        i.send_address = rest(d - 1) + at;
        i.receive_address = (last(d) ? in_.receive : rest(d)) + at;
        for (i.source = 0; i.source < std::max(grid_.size(0), grid_.size(d)); ++i.source) {
          out_.emit(n_, i, lines_[d].number, received(d, last(d)));
        }
      }
    }
  }

  // Within the groups; then all that is there, block by block, in the lines of the next level.
  void allgather() {
    out_.emit(n_, out_.plain(Opcode::kAllgather), lines_[0].number);
    MachineInstruction i = out_.plain(Opcode::kAllgather);
    i.flags = kRelay;
    for (std::size_t d = 1; d < steps_; ++d) {
      fence();
      for (i.source = 0; i.source < grid_.count(0, d); ++i.source) {
        const NodeId owner = below(i.source, d);
        std::size_t level = d - 1;  // of the link over which it has come
        while (level > 0 && grid_.same(owner, n_, level, level + 1)) --level;
        i.destination = grid_.toward(n_, level, owner);
        i.send_address = in_.receive + grid_.number(owner, 0, level) * in_.bytes;
        i.receive_address = in_.receive + i.source * in_.bytes;
        out_.emit(n_, i, lines_[d].number);
      }
    }
  }

  // In each group to the place of the root, and from these nodes on.
  void reduce() {
    for (std::size_t d = 0; d < steps_; ++d) {
      MachineInstruction i = out_.reducing(Opcode::kReduce);
      i.destination = root_line(d);
      if (d > 0) i.flags |= kRelay;
      onwards(i, d);
      out_.emit_reduce(n_, i, lines_[d].number, received(d, last(d)));
      if (last(d) || i.destination != n_) return;
      fence();
    }
  }

  // Block by block within the group.
  void reduce_scatter() {
    for (std::size_t d = 0; d < steps_; ++d) blocks(out_.reducing(Opcode::kReduceScatter), d);
  }

  void allreduce() {
    for (std::size_t d = 0; d < steps_; ++d) {
      MachineInstruction i = out_.reducing(Opcode::kAllreduce);
      onwards(i, d);
      out_.emit(n_, i, lines_[d].number, received(d, last(d)));
      if (!last(d)) fence();
    }
  }

  // Chunk by chunk: within the groups, among the same places, and all chunks to all nodes of the groups.
  void allreduce_chunks() {
    for (std::size_t d = 0; d < steps_; ++d) {
      MachineInstruction i = out_.reducing(d == 0 ? Opcode::kReduceScatter : Opcode::kAllreduce);
      if (d == 0) {
        i.flags |= kChunked;
      } else {
        i.size = chunk();
      }
      onwards(i, d);
      out_.emit(n_, i, lines_[d].number, received(d, last(d)));
      fence();
    }
    MachineInstruction i = out_.plain(Opcode::kAllgather);
    i.flags = kChunked | kNoRoot;
    i.send_address = in_.receive;
    out_.emit(n_, i, lines_[0].number);
  }

 private:
  struct Line {
    std::vector<NodeId> nodes;
    std::uint32_t number = 0;  // in the group register table
  };

  bool last(std::size_t d) const { return d + 1 == steps_; }
  // In the places of the root at the levels `first` to `end` - 1.
  bool like_root(std::size_t first, std::size_t end) const { return grid_.same(n_, in_.root, first, end); }
  // The node of a line that is in the place of the root.
  NodeId root_line(std::size_t d) const { return grid_.toward(n_, d, in_.root); }
  // The node with these places below a level, of which there are grid_.count(0, level).
  NodeId below(std::size_t number, std::size_t level) const {
    NodeId out = n_;
    for (std::size_t l = 0; l < level; ++l) {
      out = grid_.toward(out, l, lines_[l].nodes[number % grid_.size(l)]);
      number /= grid_.size(l);
    }
    return out;
  }
  // Where data rest after a step.
  std::uint64_t rest(std::size_t step) const { return is_second(step) ? in_.scratch2 : in_.scratch; }
  static bool is_second(std::size_t step) { return step % 2 == 1; }
  static StagedEnds received(std::size_t step, bool is_last) {
    return {step > 0, !is_last, !is_last && is_second(step), step > 0 && is_second(step - 1)};
  }

  void fence() { out_.emit(n_, out_.plain(Opcode::kFence), lines_[0].number); }

  // From where it rests to where it rests next.
  void onwards(MachineInstruction& i, std::size_t d) const {
    if (d > 0) i.send_address = rest(d - 1);
    if (!last(d)) i.receive_address = rest(d);
  }

  // Blocks for the levels above, one by one: that for place a of the next level rests in the stripe of the node there.
  void blocks(MachineInstruction i, std::size_t d) {
    onwards(i, d);
    if (last(d)) {
      out_.emit(n_, i, lines_[d].number, received(d, true));
      return;
    }
    i.flags |= kRelay;
    const std::uint64_t from = i.send_address;
    const std::vector<NodeId>& next = lines_[d + 1].nodes;
    for (std::size_t u = 0; u < grid_.count(d + 1, steps_); ++u) {
      i.send_address = from + u * in_.bytes;
      i.destination = next[u % next.size()];
      i.receive_address = rest(d) + u / next.size() * in_.bytes;
      out_.emit(n_, i, lines_[d].number, received(d, false));
    }
    fence();
  }

  // Of the node, when its group shares the data.
  std::uint64_t chunk() const { return chunk_bytes(in_.bytes, grid_.size(0), grid_.rank(n_, 0), config_.word_bytes); }

  Emitter& out_;
  const OptwebConfig& config_;
  const NodeGrid& grid_;
  const ProgramInstruction& in_;
  NodeId n_;
  std::size_t steps_;
  std::vector<Line> lines_;  // by level
};

}  // namespace

std::optional<NodeGrid> step_grid(const OptwebConfig& config, const ProgramInstruction& in) {
  const bool single = in.op == ProgramOp::send || in.op == ProgramOp::recv || in.op == ProgramOp::sendrecv ||
                      in.op == ProgramOp::transfer || in.op == ProgramOp::fence || in.op == ProgramOp::compute;
  const Neighbours& neighbours = neighbours_of(config);
  if (single || neighbours.clique(in.group)) return std::nullopt;
  return grid_of(neighbours, in.group);
}

void emit_steps(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, bool chunks, NodeId n) {
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
