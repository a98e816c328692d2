#include "algorithms/optweb/program.h"

#include <algorithm>

#include "algorithms/optweb/two_hops.h"

namespace weft::optweb {
namespace {

bool among(const std::vector<NodeId>& nodes, NodeId node) {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

class Assembler {
 public:
  explicit Assembler(const OptwebConfig& config) : config_(config), neighbours_(neighbours_of(config)), out_(config) {}

  MachinePrograms assemble() {
    for (std::uint32_t p = 0; p < config_.programs.size(); ++p) {
      const NodeProgram& program = config_.programs[p];
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        in_ = &program.instructions[i];
        out_.begin({p, i});
        all_paths_ = takes_all_paths(config_, *in_);
        grid_ = two_hop_grid(config_, *in_);
        paths_ = in_->op == ProgramOp::transfer && all_paths_ ? paths_of(config_, *in_) : std::vector<NodeId>();
        rounds_ = all_paths_ ? std::vector<LegRound>() : relay_rounds(neighbours_, *in_);
        for (const NodeId n : program.nodes) add(n);
      }
    }
    return out_.take();
  }

 private:
  void add(NodeId n) {
    if (!rounds_.empty()) {  // nodes between others have a part, whether they are in the group or not
      emit_rounds(out_, rounds_, n);
      return;
    }
    const bool single = in_->op == ProgramOp::send || in_->op == ProgramOp::recv || in_->op == ProgramOp::fence ||
                        in_->op == ProgramOp::compute;
    if (!among(single ? in_->at : in_->group, n)) return;
    if (grid_) {
      emit_two_hops(out_, config_, *grid_, all_paths_, n);
      return;
    }
    switch (in_->op) {
      case ProgramOp::barrier:
        out_.emit(n, out_.plain(Opcode::kBarrier));
        break;
      case ProgramOp::send:
        out_.emit(n, out_.between(Opcode::kSend, n, *in_->destination));
        break;
      case ProgramOp::recv:
        out_.emit(n, out_.between(Opcode::kRecv, *in_->source, n));
        break;
      case ProgramOp::sendrecv:
        add_exchange(n);
        break;
      case ProgramOp::transfer:
        add_transfer(n);
        break;
      case ProgramOp::scatter:
        out_.emit(n, out_.plain(Opcode::kScatter));
        break;
      case ProgramOp::gather:
        out_.emit(n, out_.plain(Opcode::kGather));
        break;
      case ProgramOp::broadcast:
        add_broadcast(n);
        break;
      case ProgramOp::alltoall:
        out_.emit(n, out_.plain(Opcode::kAlltoall));
        break;
      case ProgramOp::allgather:
        out_.emit(n, out_.plain(Opcode::kAllgather));
        break;
      case ProgramOp::reduce:
        out_.emit_reduce(n, out_.reducing(Opcode::kReduce), out_.number_of(in_->group));
        break;
      case ProgramOp::allreduce:
        add_allreduce(n);
        break;
      case ProgramOp::reduce_scatter:
        out_.emit(n, out_.reducing(Opcode::kReduceScatter));
        break;
      case ProgramOp::fence:
        fence(n);
        break;
      case ProgramOp::compute: {
        MachineInstruction i = out_.plain(Opcode::kCompute);
        i.size = static_cast<std::uint64_t>(in_->cycles);
        out_.emit(n, i);
        break;
      }
    }
  }

  void fence(NodeId n) { out_.emit(n, out_.plain(Opcode::kFence)); }

  void add_exchange(NodeId n) {
    if (!in_->shift) {
      out_.emit(n, out_.between(Opcode::kSendrecv, *in_->source, *in_->destination));
      return;
    }
    const std::vector<NodeId>& g = in_->group;
    const auto rank = static_cast<std::size_t>(std::lower_bound(g.begin(), g.end(), n) - g.begin());
    const auto shift = static_cast<std::size_t>(*in_->shift);
    out_.emit(n,
              out_.between(Opcode::kSendrecv, g[(rank + g.size() - shift) % g.size()], g[(rank + shift) % g.size()]));
  }

  // By all paths: a scatter to the nodes by way of which it goes, and a gather from them. Where source and destination
  // have a link they are two of these nodes.
  void add_transfer(NodeId n) {
    const NodeId s = *in_->source;
    const NodeId d = *in_->destination;
    if (!all_paths_) {
      if (n == s) out_.emit(n, out_.between(Opcode::kSend, s, d));
      if (n == d) out_.emit(n, out_.between(Opcode::kRecv, s, d));
      return;
    }
    const bool on_way = among(paths_, n);
    const std::uint32_t group = out_.number_of(paths_);
    MachineInstruction i = out_.between(Opcode::kScatter, s, d);
    i.flags = kChunked;
    const bool between = on_way && n != s && n != d;
    if (n != d) i.receive_address = in_->scratch;
    if (on_way || n == s) out_.emit(n, i, group, {false, between});
    if (on_way) out_.emit(n, out_.plain(Opcode::kFence), group);
    i.opcode = Opcode::kGather;
    i.receive_address = in_->receive;
    if (n != s) i.send_address = in_->scratch;
    if (on_way || n == d) out_.emit(n, i, group, {between, false});
  }

  void add_broadcast(NodeId n) {
    MachineInstruction i = out_.plain(Opcode::kBroadcast);
    if (!all_paths_) {
      out_.emit(n, i);
      return;
    }
    i.opcode = Opcode::kScatter;
    i.flags = kChunked | kOwnStripe;
    out_.emit(n, i);
    fence(n);
    i.opcode = Opcode::kAllgather;
    i.flags = kChunked;
    if (n != in_->root) i.send_address = in_->receive;
    out_.emit(n, i);
  }

  void add_allreduce(NodeId n) {
    if (!all_paths_) {
      out_.emit(n, out_.reducing(Opcode::kAllreduce));
      return;
    }
    MachineInstruction i = out_.reducing(Opcode::kReduceScatter);
    i.flags |= kChunked;
    out_.emit(n, i);
    fence(n);
    i = out_.plain(Opcode::kAllgather);
    i.flags = kChunked | kNoRoot;
    i.send_address = in_->receive;
    out_.emit(n, i);
  }

  const OptwebConfig& config_;
  Neighbours neighbours_;
  Emitter out_;
  const ProgramInstruction* in_ = nullptr;
  bool all_paths_ = false;
  std::optional<NodeGrid> grid_;  // of a collective with two hops
  std::vector<NodeId> paths_;     // of a transfer by all of them
  std::vector<LegRound> rounds_;  // of what goes from node to node with two hops
};

}  // namespace

std::vector<NodeId> paths_of(const OptwebConfig& config, const ProgramInstruction& in) {
  const Neighbours& neighbours = neighbours_of(config);
  std::vector<NodeId> out;
  for (const NodeId n : in.group) {
    if (neighbours.hops(*in.source, n) < 2 && neighbours.hops(n, *in.destination) < 2) out.push_back(n);
  }
  return out;
}

bool takes_all_paths(const OptwebConfig& config, const ProgramInstruction& in) {
  if (in.path == ProgramPath::direct) return false;
  if (in.path == ProgramPath::automatic && in.bytes < config.multipath_from) return false;
  if (in.op == ProgramOp::transfer) {
    // With a link, source and destination are among them.
    const bool near = neighbours_of(config).hops(*in.source, *in.destination) < 2;
    return paths_of(config, in).size() > (near ? 2 : 1);
  }
  return in.group.size() > 2 && (neighbours_of(config).clique(in.group) || two_hop_grid(config, in));
}

std::uint32_t hops_of(const OptwebConfig& config, const ProgramInstruction& in) {
  const Neighbours& neighbours = neighbours_of(config);
  switch (in.op) {
    case ProgramOp::fence:
    case ProgramOp::compute:
      return 0;
    case ProgramOp::send:
      return in.at == std::vector<NodeId>{*in.destination} ? 0 : 1;
    case ProgramOp::recv:
      return in.at == std::vector<NodeId>{*in.source} ? 0 : 1;
    case ProgramOp::transfer:
      return takes_all_paths(config, in) ? 2 : neighbours.hops(*in.source, *in.destination);
    case ProgramOp::sendrecv:
      if (!relay_rounds(neighbours, in).empty()) return 2;
      return in.group.size() < 2 ? 0 : 1;
    default: {
      if (in.group.size() < 2) return 0;
      const bool two = two_hop_grid(config, in).has_value();
      if (takes_all_paths(config, in)) return two ? 3 : 2;
      return two ? 2 : 1;
    }
  }
}

MachinePrograms assemble(const OptwebConfig& config) { return Assembler(config).assemble(); }

NodeView view_of(const OptwebConfig& config, const MachinePrograms& programs, NodeId node) {
  return {node, config.nodes, config.word_bytes, config.eager_buffer, &programs.groups, neighbours_of(config)};
}

StripeGeometry geometry_of(const OptwebConfig& config) { return {config.interface_bytes, config.stripes}; }

}  // namespace weft::optweb
