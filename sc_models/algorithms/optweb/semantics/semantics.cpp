#include "algorithms/optweb/semantics/semantics.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <span>

#include "algorithms/optweb/reduction.h"
#include "algorithms/optweb/semantics/semantics_phases.h"

namespace weft::optweb {
namespace {

// A phase as it is executed: of what is to be combined, rank by rank the bytes that have come.
struct Running : Phase {
  explicit Running(Phase phase) : Phase(std::move(phase)) {
    if (reduces) from.resize(in.size(), SparseMemory(bytes, 0, 0));
  }
  std::vector<SparseMemory> from;
};

// ((0 + 1) + (2 + 3)) + 4: what comes first is the largest power of two that leaves something.
template <class Combine>
std::uint32_t fold(const Combine& combine, std::span<const std::uint32_t> elements) {
  if (elements.size() == 1) return elements.front();
  const std::size_t first = std::bit_floor(elements.size() - 1);
  return combine(fold(combine, elements.first(first)), fold(combine, elements.subspan(first)));
}

class Machine {
 public:
  Machine(const OptwebConfig& config, std::vector<SparseMemory>& memories, const std::function<bool()>& stop,
          const OwnCombine& own)
      : config_(config), memories_(memories), stop_(stop), own_(own), nodes_(config.nodes), meaning_(config) {
    for (std::uint32_t p = 0; p < config.programs.size(); ++p) {
      for (const NodeId n : config.programs[p].nodes) nodes_[n].program = &config.programs[p];
    }
  }

  bool run() {
    for (NodeId n = 0; n < config_.nodes; ++n) advance(n);
    while (!work_.empty() && !stopped()) {
      const NodeId n = work_.back();
      work_.pop_back();
      exchange(n);
    }
    return !stopped_ && std::all_of(nodes_.begin(), nodes_.end(), [](const State& s) { return s.finished; });
  }

 private:
  bool stopped() { return stopped_ = stopped_ || (stop_ && stop_()); }

  struct State {
    const NodeProgram* program = nullptr;
    std::size_t next = 0;                                          // instruction
    std::vector<Running> phases;                                   // of the instruction under way, in reverse order
    std::deque<std::pair<std::uint64_t, SparseMemory>> to_itself;  // sent, and not yet received
    bool finished = false;
  };

  static bool complete(const Running& phase) {
    const auto done = [](const Piece& p) { return p.done; };
    return std::all_of(phase.out.begin(), phase.out.end(), done) && std::all_of(phase.in.begin(), phase.in.end(), done);
  }

  void finish(NodeId n) {
    const Running& phase = nodes_[n].phases.back();
    if (phase.reduces) reduce(n, phase);
    nodes_[n].phases.pop_back();
  }

  void reduce(NodeId n, const Running& r) {
    if (const CombineElements own = own_ ? own_(n) : CombineElements{}) {
      reduce(n, r, own);
    } else {
      reduce(n, r, [&](std::uint32_t a, std::uint32_t b) { return combine(r.reduction, a, b); });
    }
  }

  template <class Combine>
  void reduce(NodeId n, const Running& r, const Combine& two) {
    constexpr std::uint64_t kPart = 4096;  // elements
    std::vector<std::vector<std::uint32_t>> rows(r.from.size(), std::vector<std::uint32_t>(kPart));
    std::vector<std::uint32_t> column(r.from.size());
    std::vector<std::uint32_t> out(kPart);
    const std::uint64_t all = r.bytes / kElementBytes;
    for (std::uint64_t done = 0; done < all && !stopped(); done += kPart) {
      const std::uint64_t part = std::min(kPart, all - done);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        r.from[i].read(done * kElementBytes, std::as_writable_bytes(std::span(rows[i]).first(part)));
      }
      for (std::uint64_t e = 0; e < part; ++e) {
        for (std::size_t i = 0; i < rows.size(); ++i) column[i] = rows[i][e];
        out[e] = fold(two, column);
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
      std::vector<Phase> phases = meaning_.phases(s.program->instructions[s.next++], n);
      for (; !phases.empty(); phases.pop_back()) s.phases.emplace_back(std::move(phases.back()));
      post_to_itself(n);
      while (!s.phases.empty() && complete(s.phases.back())) finish(n);
    }
    work_.push_back(n);
  }

  // What a node sends to itself in one instruction and receives in another one.
  void post_to_itself(NodeId n) {
    State& s = nodes_[n];
    if (s.phases.size() != 1) return;
    Running& phase = s.phases.back();
    const bool both = !phase.out.empty() && !phase.in.empty();
    for (Piece& out : phase.out) {
      if (out.peer != n || both) continue;
      s.to_itself.emplace_back(out.bytes, SparseMemory(out.bytes, 0, 0));
      s.to_itself.back().second.copy(memories_[n], out.address, 0, out.bytes, stop_);
      out.done = true;
    }
    for (Piece& in : phase.in) {
      if (in.peer != n || both || s.to_itself.empty() || s.to_itself.front().first != in.bytes) continue;
      memories_[n].copy(s.to_itself.front().second, 0, in.address, in.bytes, stop_);
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
    Running& phase = peer.phases.back();
    for (Piece& in : phase.in) {
      if (in.peer != from || in.done || in.bytes != out.bytes) continue;
      if (phase.reduces) {
        phase.from[static_cast<std::size_t>(&in - phase.in.data())].copy(memories_[from], out.address, 0, out.bytes,
                                                                         stop_);
      } else if (out.bytes > 0) {
        memories_[out.peer].copy(memories_[from], out.address, in.address, out.bytes, stop_);
      }
      in.done = out.done = true;
      return true;
    }
    return false;
  }

  const OptwebConfig& config_;
  std::vector<SparseMemory>& memories_;
  const std::function<bool()>& stop_;
  const OwnCombine& own_;
  bool stopped_ = false;
  std::vector<State> nodes_;
  std::vector<NodeId> work_;
  InstructionSemantics meaning_;
};

}  // namespace

bool execute_semantics(const OptwebConfig& config, std::vector<SparseMemory>& memories,
                       const std::function<bool()>& stop, const OwnCombine& own) {
  return Machine(config, memories, stop, own).run();
}

}  // namespace weft::optweb
