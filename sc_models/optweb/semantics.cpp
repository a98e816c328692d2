#include "optweb/semantics.h"

#include <algorithm>

#include "optweb/program.h"

namespace weft::optweb {
namespace {

struct Piece {
  NodeId peer = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool done = false;
};

// A part of an instruction that a node executes at once: what goes out and what comes in, at most one piece per peer.
struct Phase {
  std::vector<Piece> out;
  std::vector<Piece> in;
};

class Machine {
 public:
  Machine(const OptwebConfig& config, std::vector<SparseMemory>& memories)
      : config_(config), memories_(memories), nodes_(config.nodes) {
    for (std::uint32_t p = 0; p < config.programs.size(); ++p) {
      for (const NodeId n : config.programs[p].nodes) nodes_[n].program = &config.programs[p];
    }
  }

  bool run() {
    for (NodeId n = 0; n < config_.nodes; ++n) advance(n);
    while (!work_.empty()) {
      const NodeId n = work_.back();
      work_.pop_back();
      exchange(n);
    }
    return std::all_of(nodes_.begin(), nodes_.end(), [](const State& s) { return s.finished; });
  }

 private:
  struct State {
    const OptwebProgram* program = nullptr;
    std::size_t next = 0;       // instruction
    std::vector<Phase> phases;  // of the instruction under way, in reverse order
    bool finished = false;
  };

  std::uint64_t physical(NodeId stripe, std::uint64_t address) const {
    return 2 * config_.interface_bytes * stripe + address;
  }

  static bool complete(const Phase& phase) {
    const auto done = [](const Piece& p) { return p.done; };
    return std::all_of(phase.out.begin(), phase.out.end(), done) && std::all_of(phase.in.begin(), phase.in.end(), done);
  }

  // Goes on to the next phase that has something to do.
  void advance(NodeId n) {
    State& s = nodes_[n];
    while (!s.phases.empty() && complete(s.phases.back())) s.phases.pop_back();
    while (s.phases.empty()) {
      if (s.program == nullptr || s.next == s.program->instructions.size()) {
        s.finished = true;
        return;
      }
      s.phases = phases(s.program->instructions[s.next++], n);
      std::reverse(s.phases.begin(), s.phases.end());
      while (!s.phases.empty() && complete(s.phases.back())) s.phases.pop_back();
    }
    work_.push_back(n);
  }

  // Everything that node n and its peers are ready for.
  void exchange(NodeId n) {
    if (nodes_[n].phases.empty()) return;
    std::vector<NodeId> moved;
    for (Piece& out : nodes_[n].phases.back().out) {
      if (move(n, out)) moved.push_back(out.peer);
    }
    for (const Piece& in : nodes_[n].phases.back().in) {
      if (in.done || nodes_[in.peer].phases.empty()) continue;
      for (Piece& out : nodes_[in.peer].phases.back().out) {
        if (out.peer == n && move(in.peer, out)) moved.push_back(in.peer);
      }
    }
    if (moved.empty()) return;
    moved.push_back(n);
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    for (const NodeId m : moved) {
      if (complete(nodes_[m].phases.back())) advance(m);
    }
  }

  bool move(NodeId from, Piece& out) {
    State& peer = nodes_[out.peer];
    if (out.done || peer.phases.empty()) return false;
    for (Piece& in : peer.phases.back().in) {
      if (in.peer != from || in.done || in.bytes != out.bytes) continue;
      if (out.bytes > 0) memories_[out.peer].copy(memories_[from], out.address, in.address, out.bytes);
      in.done = out.done = true;
      return true;
    }
    return false;
  }

  std::vector<Phase> phases(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_transfer(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_broadcast(const OptwebInstruction& in, NodeId n) const;
  std::uint64_t chunk(const OptwebInstruction& in, std::size_t rank) const {
    return chunk_bytes(in.bytes, in.group.size(), rank, config_.word_bytes);
  }

  const OptwebConfig& config_;
  std::vector<SparseMemory>& memories_;
  std::vector<State> nodes_;
  std::vector<NodeId> work_;
};

bool has(const std::vector<NodeId>& nodes, NodeId n) { return std::find(nodes.begin(), nodes.end(), n) != nodes.end(); }

// Block j of node m's buffer lies in stripe j; of data that belong to m as a whole, in stripe m.
std::vector<Phase> Machine::phases(const OptwebInstruction& in, NodeId n) const {
  Phase p;
  const auto sends = [&](NodeId to, NodeId stripe) {
    p.out.push_back({to, physical(stripe, in.send), in.bytes, false});
  };
  const auto receives = [&](NodeId from, NodeId stripe) {
    p.in.push_back({from, physical(stripe, in.receive), in.bytes, false});
  };
  const std::vector<NodeId>& g = in.group;
  const bool single = in.op == OptwebOp::send || in.op == OptwebOp::recv;
  if (in.op == OptwebOp::fence || in.op == OptwebOp::compute || !has(single ? in.at : g, n)) return {};
  switch (in.op) {
    case OptwebOp::barrier:
      for (const NodeId m : g) {
        if (m == n) continue;
        p.out.push_back({m, 0, 0, false});
        p.in.push_back({m, 0, 0, false});
      }
      break;
    case OptwebOp::send:
      sends(*in.destination, *in.destination);
      break;
    case OptwebOp::recv:
      receives(*in.source, *in.source);
      break;
    case OptwebOp::sendrecv: {
      NodeId to = in.destination.value_or(0);
      NodeId from = in.source.value_or(0);
      for (std::size_t r = 0; in.shift && r < g.size(); ++r) {
        const auto shift = static_cast<std::size_t>(*in.shift);
        if (g[r] == n) to = g[(r + shift) % g.size()];
        if (g[(r + shift) % g.size()] == n) from = g[r];
      }
      sends(to, to);
      receives(from, from);
      break;
    }
    case OptwebOp::transfer:
      if (takes_all_paths(config_, in)) return multipath_transfer(in, n);
      if (n == *in.source) sends(*in.destination, *in.destination);
      if (n == *in.destination) receives(*in.source, *in.source);
      break;
    case OptwebOp::scatter:
      for (const NodeId m : g) {
        if (n == in.root) sends(m, m);
      }
      receives(in.root, in.root);
      break;
    case OptwebOp::gather:
      sends(in.root, in.root);
      for (const NodeId m : g) {
        if (n == in.root) receives(m, m);
      }
      break;
    case OptwebOp::broadcast:
      if (takes_all_paths(config_, in)) return multipath_broadcast(in, n);
      for (const NodeId m : g) {
        if (n == in.root && m != n) sends(m, n);
      }
      if (n != in.root) receives(in.root, in.root);
      break;
    case OptwebOp::alltoall:
      for (const NodeId m : g) {
        sends(m, m);
        receives(m, m);
      }
      break;
    case OptwebOp::allgather:
      for (const NodeId m : g) {
        sends(m, n);
        receives(m, m);
      }
      break;
    default:
      break;
  }
  return {p};
}

// Chunk i: from stripe i of the source by way of node i into stripe i of the destination.
std::vector<Phase> Machine::multipath_transfer(const OptwebInstruction& in, NodeId n) const {
  const NodeId s = *in.source;
  const NodeId d = *in.destination;
  Phase there;
  Phase on;
  for (std::size_t r = 0; r < in.group.size(); ++r) {
    const NodeId i = in.group[r];
    const std::uint64_t bytes = chunk(in, r);
    if (bytes == 0) continue;
    const std::uint64_t source = physical(i, in.send);
    const std::uint64_t rest = physical(d, in.scratch);
    const std::uint64_t destination = physical(i, in.receive);
    if (n == s && i != s) there.out.push_back({i, source, bytes, false});
    if (n == i && i != s) there.in.push_back({s, i == d ? destination : rest, bytes, false});
    if (n == i && i != d) on.out.push_back({d, i == s ? source : rest, bytes, false});
    if (n == d && i != d) on.in.push_back({i, destination, bytes, false});
  }
  return {there, on};
}

// Chunk i: from stripe i of the root to stripe i of node i, and from there to stripe i of all others.
std::vector<Phase> Machine::multipath_broadcast(const OptwebInstruction& in, NodeId n) const {
  Phase apart;
  Phase together;
  for (std::size_t r = 0; r < in.group.size(); ++r) {
    const NodeId i = in.group[r];
    const std::uint64_t bytes = chunk(in, r);
    if (bytes == 0) continue;
    const std::uint64_t source = physical(i, in.send);
    const std::uint64_t destination = physical(i, in.receive);
    if (n == in.root && i != n) apart.out.push_back({i, source, bytes, false});
    if (n == i && i != in.root) apart.in.push_back({in.root, destination, bytes, false});
    if (n == i) {
      for (const NodeId m : in.group) {
        if (m != i && m != in.root) together.out.push_back({m, i == in.root ? source : destination, bytes, false});
      }
    } else if (n != in.root) {
      together.in.push_back({i, destination, bytes, false});
    }
  }
  return {apart, together};
}

}  // namespace

bool execute_semantics(const OptwebConfig& config, std::vector<SparseMemory>& memories) {
  return Machine(config, memories).run();
}

}  // namespace weft::optweb
