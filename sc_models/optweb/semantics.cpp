#include "optweb/semantics.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <span>

#include "optweb/program.h"
#include "optweb/reduction.h"

namespace weft::optweb {
namespace {

struct Piece {
  NodeId peer = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool done = false;
};

// What comes from several nodes, to be combined: rank by rank the bytes they have sent.
struct Reducing {
  Reduction reduction;
  std::uint64_t address = 0;  // of the result
  std::uint64_t bytes = 0;
  std::vector<SparseMemory> from;
};

// A part of an instruction that a node executes at once: what goes out and what comes in, between two nodes in order.
struct Phase {
  std::vector<Piece> out;
  std::vector<Piece> in;
  bool reduces = false;  // then `in` is by rank
  Reducing reducing;
};

// ((0 + 1) + (2 + 3)) + 4: what comes first is the largest power of two that leaves something.
std::uint32_t fold(const Reduction& reduction, std::span<const std::uint32_t> elements) {
  if (elements.size() == 1) return elements.front();
  const std::size_t first = std::bit_floor(elements.size() - 1);
  return combine(reduction, fold(reduction, elements.first(first)), fold(reduction, elements.subspan(first)));
}

class Machine {
 public:
  Machine(const OptwebConfig& config, std::vector<SparseMemory>& memories)
      : config_(config), memories_(memories), nodes_(config.nodes), neighbours_(neighbours_of(config)) {
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
    std::size_t next = 0;                                          // instruction
    std::vector<Phase> phases;                                     // of the instruction under way, in reverse order
    std::deque<std::pair<std::uint64_t, SparseMemory>> to_itself;  // sent, and not yet received
    bool finished = false;
  };

  // Within the stripe that node `of` has for node `n`.
  std::uint64_t physical(NodeId of, NodeId n, std::uint64_t address) const {
    return 2 * config_.interface_bytes * neighbours_.dmac(of, n).value() + address;
  }

  static bool complete(const Phase& phase) {
    const auto done = [](const Piece& p) { return p.done; };
    return std::all_of(phase.out.begin(), phase.out.end(), done) && std::all_of(phase.in.begin(), phase.in.end(), done);
  }

  void finish(NodeId n) {
    const Phase& phase = nodes_[n].phases.back();
    if (phase.reduces) reduce(n, phase.reducing);
    nodes_[n].phases.pop_back();
  }

  void reduce(NodeId n, const Reducing& r) {
    constexpr std::uint64_t kPart = 4096;  // elements
    std::vector<std::vector<std::uint32_t>> rows(r.from.size(), std::vector<std::uint32_t>(kPart));
    std::vector<std::uint32_t> column(r.from.size());
    std::vector<std::uint32_t> out(kPart);
    const std::uint64_t all = r.bytes / kElementBytes;
    for (std::uint64_t done = 0; done < all; done += kPart) {
      const std::uint64_t part = std::min(kPart, all - done);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        r.from[i].read(done * kElementBytes, std::as_writable_bytes(std::span(rows[i]).first(part)));
      }
      for (std::uint64_t e = 0; e < part; ++e) {
        for (std::size_t i = 0; i < rows.size(); ++i) column[i] = rows[i][e];
        out[e] = fold(r.reduction, column);
      }
      memories_[n].write(r.address + done * kElementBytes, std::as_bytes(std::span(out).first(part)));
    }
  }

  // Goes on to the next phase that has something to do.
  void advance(NodeId n) {
    State& s = nodes_[n];
    while (!s.phases.empty() && complete(s.phases.back())) finish(n);
    while (s.phases.empty()) {
      if (s.program == nullptr || s.next == s.program->instructions.size()) {
        s.finished = true;
        return;
      }
      s.phases = phases(s.program->instructions[s.next++], n);
      std::reverse(s.phases.begin(), s.phases.end());
      post_to_itself(n);
      while (!s.phases.empty() && complete(s.phases.back())) finish(n);
    }
    work_.push_back(n);
  }

  // What a node sends to itself in one instruction and receives in another one.
  void post_to_itself(NodeId n) {
    State& s = nodes_[n];
    if (s.phases.size() != 1) return;
    Phase& phase = s.phases.back();
    const bool both = !phase.out.empty() && !phase.in.empty();
    for (Piece& out : phase.out) {
      if (out.peer != n || both) continue;
      s.to_itself.emplace_back(out.bytes, SparseMemory(out.bytes, 0, 0));
      s.to_itself.back().second.copy(memories_[n], out.address, 0, out.bytes);
      out.done = true;
    }
    for (Piece& in : phase.in) {
      if (in.peer != n || both || s.to_itself.empty() || s.to_itself.front().first != in.bytes) continue;
      memories_[n].copy(s.to_itself.front().second, 0, in.address, in.bytes);
      s.to_itself.pop_front();
      in.done = true;
    }
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
    Phase& phase = peer.phases.back();
    for (Piece& in : phase.in) {
      if (in.peer != from || in.done || in.bytes != out.bytes) continue;
      if (phase.reduces) {
        phase.reducing.from[static_cast<std::size_t>(&in - phase.in.data())].copy(memories_[from], out.address, 0,
                                                                                  out.bytes);
      } else if (out.bytes > 0) {
        memories_[out.peer].copy(memories_[from], out.address, in.address, out.bytes);
      }
      in.done = out.done = true;
      return true;
    }
    return false;
  }

  std::vector<Phase> phases(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_transfer(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_broadcast(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_allreduce(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> relayed_transfer(const OptwebInstruction& in, NodeId n) const;
  std::vector<Phase> two_hops(const OptwebInstruction& in, NodeId n) const;
  void receive_reduced(Phase& phase, const OptwebInstruction& in, const std::vector<NodeId>& group,
                       std::uint64_t address, std::uint64_t bytes) const;
  /// Every node of `group` sends all of its data to every other one; the data lie in the own stripes.
  Phase allreduce(const OptwebInstruction& in, const std::vector<NodeId>& group, NodeId n, std::uint64_t send,
                  std::uint64_t receive) const;
  std::uint64_t chunk(const OptwebInstruction& in, std::size_t rank) const {
    return chunk_bytes(in.bytes, in.group.size(), rank, config_.word_bytes);
  }

  const OptwebConfig& config_;
  std::vector<SparseMemory>& memories_;
  std::vector<State> nodes_;
  std::vector<NodeId> work_;
  Neighbours neighbours_;
};

bool has(const std::vector<NodeId>& nodes, NodeId n) { return std::find(nodes.begin(), nodes.end(), n) != nodes.end(); }

void Machine::receive_reduced(Phase& phase, const OptwebInstruction& in, const std::vector<NodeId>& group,
                              std::uint64_t address, std::uint64_t bytes) const {
  if (bytes == 0) return;
  for (const NodeId m : group) phase.in.push_back({m, 0, bytes, false});
  phase.reduces = true;
  phase.reducing = {{in.combine, in.element}, address, bytes, {}};
  phase.reducing.from.resize(group.size(), SparseMemory(bytes, 0, 0));
}

Phase Machine::allreduce(const OptwebInstruction& in, const std::vector<NodeId>& group, NodeId n, std::uint64_t send,
                         std::uint64_t receive) const {
  Phase p;
  if (in.bytes == 0) return p;
  for (const NodeId m : group) p.out.push_back({m, physical(n, n, send), in.bytes, false});
  receive_reduced(p, in, group, physical(n, n, receive), in.bytes);
  return p;
}

// Block j of node m's buffer lies in stripe j; of data that belong to m as a whole, in stripe m.
std::vector<Phase> Machine::phases(const OptwebInstruction& in, NodeId n) const {
  Phase p;
  const auto sends = [&](NodeId to, NodeId stripe) {
    if (in.bytes > 0) p.out.push_back({to, physical(n, stripe, in.send), in.bytes, false});
  };
  const auto receives = [&](NodeId from, NodeId stripe) {
    if (in.bytes > 0) p.in.push_back({from, physical(n, stripe, in.receive), in.bytes, false});
  };
  const std::vector<NodeId>& g = in.group;
  const bool single = in.op == OptwebOp::send || in.op == OptwebOp::recv;
  if (in.op == OptwebOp::fence || in.op == OptwebOp::compute || !has(single ? in.at : g, n)) return {};
  const bool collective = !single && in.op != OptwebOp::transfer && in.op != OptwebOp::sendrecv;
  if (collective && in.op != OptwebOp::barrier && !neighbours_.clique(g)) return two_hops(in, n);
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
      if (neighbours_.hops(*in.source, *in.destination) == 2) return relayed_transfer(in, n);
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
    case OptwebOp::reduce:
      sends(in.root, in.root);
      if (n == in.root) receive_reduced(p, in, g, physical(n, n, in.receive), in.bytes);
      break;
    case OptwebOp::allreduce:
      if (takes_all_paths(config_, in)) return multipath_allreduce(in, n);
      return {allreduce(in, g, n, in.send, in.receive)};
    case OptwebOp::reduce_scatter:
      for (const NodeId m : g) sends(m, m);
      receive_reduced(p, in, g, physical(n, n, in.receive), in.bytes);
      break;
    default:
      break;
  }
  return {p};
}

// By way of the node in the place of the source and the group of the destination.
std::vector<Phase> Machine::relayed_transfer(const OptwebInstruction& in, NodeId n) const {
  const NodeId s = *in.source;
  const NodeId d = *in.destination;
  const NodeId by = d / neighbours_.places() * neighbours_.places() + s % neighbours_.places();
  Phase there;
  Phase on;
  if (in.bytes == 0) return {};
  if (n == s) there.out.push_back({by, physical(s, by, in.send), in.bytes, false});
  if (n == by) there.in.push_back({s, physical(by, s, in.scratch), in.bytes, false});
  if (n == by) on.out.push_back({d, physical(by, s, in.scratch), in.bytes, false});
  if (n == d) on.in.push_back({by, physical(d, by, in.receive), in.bytes, false});
  return {there, on};
}

// Within the group of a node first (broadcast: last), then among the nodes in its place of all groups.
std::vector<Phase> Machine::two_hops(const OptwebInstruction& in, NodeId n) const {
  const std::uint32_t places = neighbours_.places();
  std::vector<NodeId> near;
  std::vector<NodeId> far;
  for (const NodeId m : in.group) {
    if (m / places == n / places) near.push_back(m);
    if (m % places == n % places) far.push_back(m);
  }
  Phase first;
  Phase second;
  if (in.bytes == 0) return {};
  if (in.op == OptwebOp::broadcast) {
    const NodeId head = n / places * places + in.root % places;
    const std::uint64_t mine = n == in.root ? physical(n, n, in.send)
                               : n == head  ? physical(n, in.root, in.receive)
                                            : 0;
    for (const NodeId m : far) {
      if (n == in.root && m != n) first.out.push_back({m, mine, in.bytes, false});
    }
    if (n == head && n != in.root) first.in.push_back({in.root, mine, in.bytes, false});
    for (const NodeId m : near) {
      if (n == head && m != n) second.out.push_back({m, mine, in.bytes, false});
    }
    if (n != head) second.in.push_back({head, physical(n, head, in.receive), in.bytes, false});
  } else if (in.op == OptwebOp::alltoall) {
    for (const NodeId m : near) {
      first.out.push_back({m, physical(n, m, in.send), in.bytes * far.size(), false});
      first.in.push_back({m, physical(n, m, in.scratch), in.bytes * far.size(), false});
    }
    for (std::size_t g = 0; g < far.size(); ++g) {
      for (const NodeId m : near) {
        second.out.push_back({far[g], physical(n, m, in.scratch) + g * in.bytes, in.bytes, false});
        second.in.push_back({far[g], physical(n, m, in.receive) + g * in.bytes, in.bytes, false});
      }
    }
  } else if (in.op == OptwebOp::allgather) {
    for (const NodeId m : near) {
      first.out.push_back({m, physical(n, n, in.send), in.bytes, false});
      first.in.push_back({m, physical(n, m, in.receive), in.bytes, false});
    }
    for (const NodeId m : far) {
      for (std::size_t p = 0; p < near.size() && m != n; ++p) {
        second.out.push_back({m, physical(n, near[p], in.receive), in.bytes, false});
        second.in.push_back({m, physical(n, m, in.receive) + p * in.bytes, in.bytes, false});
      }
    }
  } else {  // allreduce
    first = allreduce(in, near, n, in.send, in.scratch);
    second = allreduce(in, far, n, in.scratch, in.receive);
  }
  return {first, second};
}

// Chunk i of all nodes, in stripe i, becomes chunk i of the result at node i, and then of all others.
std::vector<Phase> Machine::multipath_allreduce(const OptwebInstruction& in, NodeId n) const {
  Phase apart;
  Phase together;
  for (std::size_t r = 0; r < in.group.size(); ++r) {
    const NodeId i = in.group[r];
    const std::uint64_t bytes = chunk(in, r);
    if (bytes == 0) continue;
    apart.out.push_back({i, physical(n, i, in.send), bytes, false});
    if (i == n) {
      receive_reduced(apart, in, in.group, physical(n, n, in.receive), bytes);
      for (const NodeId m : in.group) {
        if (m != n) together.out.push_back({m, physical(n, n, in.receive), bytes, false});
      }
    } else {
      together.in.push_back({i, physical(n, i, in.receive), bytes, false});
    }
  }
  return {apart, together};
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
    const std::uint64_t source = physical(s, i, in.send);
    const std::uint64_t rest = physical(i, d, in.scratch);
    const std::uint64_t destination = physical(d, i, in.receive);
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
    const std::uint64_t source = physical(in.root, i, in.send);
    const std::uint64_t destination = physical(n, i, in.receive);
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
