#include "optweb/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft::optweb {
namespace {

bool among(const std::vector<NodeId>& nodes, NodeId node) {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

std::optional<NodeGrid> two_hop_grid(const OptwebConfig& config, const OptwebInstruction& in);

class Assembler {
 public:
  explicit Assembler(const OptwebConfig& config) : config_(config), neighbours_(neighbours_of(config)) {}

  MachinePrograms assemble() {
    out_.nodes.resize(config_.nodes);
    for (std::uint32_t p = 0; p < config_.programs.size(); ++p) {
      const OptwebProgram& program = config_.programs[p];
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        line_ = {p, i};
        in_ = &program.instructions[i];
        group_ = group_number(in_->group);
        grid_ = two_hop_grid(config_, *in_);
        for (const NodeId n : program.nodes) add(n);
      }
    }
    return std::move(out_);
  }

 private:
  std::uint32_t group_number(const std::vector<NodeId>& group) {
    const auto [at, is_new] = numbers_.try_emplace(group, static_cast<std::uint32_t>(out_.groups.size()));
    if (is_new) out_.groups.push_back(group);
    return at->second;
  }

  void emit(NodeId node, Instruction i) { emit(node, i, group_); }
  void emit(NodeId node, Instruction i, std::uint32_t group, Rest rest = {}) {
    i.group = group;
    out_.nodes[node].instructions.push_back(i);
    out_.nodes[node].lines.push_back(line_);
    out_.nodes[node].rests.push_back(rest);
  }

  Instruction plain(Opcode opcode) const {
    Instruction i;
    i.opcode = opcode;
    i.send_address = in_->send;
    i.receive_address = in_->receive;
    i.size = in_->bytes;
    i.source = i.destination = in_->root;
    return i;
  }

  void add(NodeId n) {
    const bool single = in_->op == OptwebOp::send || in_->op == OptwebOp::recv || in_->op == OptwebOp::fence ||
                        in_->op == OptwebOp::compute;
    if (!among(single ? in_->at : in_->group, n)) return;
    if (grid_) {
      add_two_hops(n);
      return;
    }
    switch (in_->op) {
      case OptwebOp::barrier:
        emit(n, plain(Opcode::kBarrier));
        break;
      case OptwebOp::send:
        add_single(n, Opcode::kSend, n, *in_->destination);
        break;
      case OptwebOp::recv:
        add_single(n, Opcode::kRecv, *in_->source, n);
        break;
      case OptwebOp::sendrecv:
        add_exchange(n);
        break;
      case OptwebOp::transfer:
        add_transfer(n);
        break;
      case OptwebOp::scatter:
        emit(n, plain(Opcode::kScatter));
        break;
      case OptwebOp::gather:
        emit(n, plain(Opcode::kGather));
        break;
      case OptwebOp::broadcast:
        add_broadcast(n);
        break;
      case OptwebOp::alltoall:
        emit(n, plain(Opcode::kAlltoall));
        break;
      case OptwebOp::allgather:
        emit(n, plain(Opcode::kAllgather));
        break;
      case OptwebOp::reduce:
        // Nobody may be so late that the words of the others do not fit into the buffers of the root.
        if (in_->bytes > config_.eager_buffer) emit(n, plain(Opcode::kBarrier));
        emit(n, reducing(Opcode::kReduce));
        break;
      case OptwebOp::allreduce:
        add_allreduce(n);
        break;
      case OptwebOp::reduce_scatter:
        emit(n, reducing(Opcode::kReduceScatter));
        break;
      case OptwebOp::fence:
        emit(n, plain(Opcode::kFence));
        break;
      case OptwebOp::compute: {
        Instruction i = plain(Opcode::kCompute);
        i.size = static_cast<std::uint64_t>(in_->cycles);
        emit(n, i);
        break;
      }
    }
  }

  Instruction reducing(Opcode opcode) const {
    Instruction i = plain(opcode);
    i.flags = reduction_flags({in_->combine, in_->element});
    return i;
  }

  void add_single(NodeId node, Opcode opcode, NodeId source, NodeId destination) {
    Instruction i = plain(opcode);
    i.source = source;
    i.destination = destination;
    emit(node, i);
  }

  void add_exchange(NodeId n) {
    if (!in_->shift) {
      add_single(n, Opcode::kSendrecv, *in_->source, *in_->destination);
      return;
    }
    const std::vector<NodeId>& g = in_->group;
    const auto rank = static_cast<std::size_t>(std::lower_bound(g.begin(), g.end(), n) - g.begin());
    const auto shift = static_cast<std::size_t>(*in_->shift);
    add_single(n, Opcode::kSendrecv, g[(rank + g.size() - shift) % g.size()], g[(rank + shift) % g.size()]);
  }

  void add_transfer(NodeId n) {
    const NodeId s = *in_->source;
    const NodeId d = *in_->destination;
    if (!takes_all_paths(config_, *in_)) {
      if (neighbours_.hops(s, d) == 2) {
        relay_transfer(n);
        return;
      }
      if (n == s) add_single(n, Opcode::kSend, s, d);
      if (n == d) add_single(n, Opcode::kRecv, s, d);
      return;
    }
    Instruction i = plain(Opcode::kScatter);
    i.source = s;
    i.destination = d;
    i.flags = kChunked;
    const bool between = n != s && n != d;
    if (n != d) i.receive_address = in_->scratch;
    emit(n, i, group_, {false, between});
    emit(n, plain(Opcode::kFence));
    i.opcode = Opcode::kGather;
    i.receive_address = in_->receive;
    if (n != s) i.send_address = in_->scratch;
    emit(n, i, group_, {between, false});
  }

  void add_broadcast(NodeId n) {
    Instruction i = plain(Opcode::kBroadcast);
    if (!takes_all_paths(config_, *in_)) {
      emit(n, i);
      return;
    }
    i.opcode = Opcode::kScatter;
    i.flags = kChunked | kOwnStripe;
    emit(n, i);
    emit(n, plain(Opcode::kFence));
    i.opcode = Opcode::kAllgather;
    i.flags = kChunked;
    if (n != in_->root) i.send_address = in_->receive;
    emit(n, i);
  }

  void add_allreduce(NodeId n) {
    if (!takes_all_paths(config_, *in_)) {
      emit(n, reducing(Opcode::kAllreduce));
      return;
    }
    Instruction i = reducing(Opcode::kReduceScatter);
    i.flags |= kChunked;
    emit(n, i);
    emit(n, plain(Opcode::kFence));
    i = plain(Opcode::kAllgather);
    i.flags = kChunked | kNoRoot;
    i.send_address = in_->receive;
    emit(n, i);
  }

  // By way of the node between the two, in whose memory the data rest.
  void relay_transfer(NodeId n) {
    const NodeId s = *in_->source;
    const NodeId d = *in_->destination;
    const NodeId by = neighbours_.between(s, d);
    if (n == s) add_single(n, Opcode::kSend, s, by);
    if (n == d) add_single(n, Opcode::kRecv, by, d);
    if (n != by) return;
    Instruction i = plain(Opcode::kRecv);
    i.source = s;
    i.destination = by;
    i.receive_address = in_->scratch;
    emit(n, i, group_, {false, true});
    emit(n, plain(Opcode::kFence));
    i.opcode = Opcode::kSend;
    i.destination = d;
    i.send_address = in_->scratch;
    i.flags = kRelay;
    emit(n, i, group_, {true, false});
  }

  // Collectives of nodes that do not all have links to each other: within the group of a node, then among the nodes in
  // its place of all groups.
  void add_two_hops(NodeId n) {
    std::vector<NodeId> near;
    std::vector<NodeId> far;
    for (const std::uint32_t p : grid_->places) near.push_back(neighbours_.node(neighbours_.group(n), p));
    for (const std::uint32_t g : grid_->groups) far.push_back(neighbours_.node(g, neighbours_.place(n)));
    const std::uint32_t nears = group_number(near);
    const std::uint32_t fars = group_number(far);
    switch (in_->op) {
      case OptwebOp::barrier:
        emit(n, plain(Opcode::kBarrier), nears);
        emit(n, plain(Opcode::kBarrier), fars);
        break;
      case OptwebOp::broadcast:
        broadcast_two_hops(n, nears, fars);
        break;
      case OptwebOp::alltoall: {
        Instruction i = plain(Opcode::kAlltoall);
        i.size = in_->bytes * far.size();
        i.receive_address = in_->scratch;
        emit(n, i, nears, {false, true});
        emit(n, plain(Opcode::kFence), nears);
        i.flags = kRelay;
        i.size = in_->bytes;
        i.send_address = in_->scratch;
        i.receive_address = in_->receive;
        i.destination = nears;
        for (i.source = 0; i.source < std::max(near.size(), far.size()); ++i.source) {
          emit(n, i, fars, {true, false});
        }
        break;
      }
      case OptwebOp::allgather: {
        Instruction i = plain(Opcode::kAllgather);
        emit(n, i, nears);
        emit(n, plain(Opcode::kFence), nears);
        i.flags = kRelay;
        i.send_address = in_->receive;
        for (i.source = 0; i.source < near.size(); ++i.source) {
          i.receive_address = in_->receive + i.source * in_->bytes;
          i.destination = near[i.source];
          emit(n, i, fars);
        }
        break;
      }
      default: {  // allreduce
        Instruction i = reducing(Opcode::kAllreduce);
        i.receive_address = in_->scratch;
        emit(n, i, nears, {false, true});
        emit(n, plain(Opcode::kFence), nears);
        i.send_address = in_->scratch;
        i.receive_address = in_->receive;
        emit(n, i, fars, {true, false});
        break;
      }
    }
  }

  // From the root to its place in all groups, and from there within the groups.
  void broadcast_two_hops(NodeId n, std::uint32_t nears, std::uint32_t fars) {
    const NodeId head = neighbours_.node(neighbours_.group(n), neighbours_.place(in_->root));
    if (n == head) {
      emit(n, plain(Opcode::kBroadcast), fars);
      if (n != in_->root) emit(n, plain(Opcode::kFence), fars);
    }
    Instruction i = plain(Opcode::kBroadcast);
    i.source = head;
    if (n == head && n != in_->root) {
      i.flags = kRelay;
      i.destination = in_->root;
      i.send_address = in_->receive;
    }
    emit(n, i, nears);
  }

  const OptwebConfig& config_;
  Neighbours neighbours_;
  std::optional<NodeGrid> grid_;  // of an instruction with two hops
  MachinePrograms out_;
  std::map<std::vector<NodeId>, std::uint32_t> numbers_;
  const OptwebInstruction* in_ = nullptr;
  Line line_;
  std::uint32_t group_ = 0;
};

// The nodes of a collective that can be done in two hops, when one hop is not enough.
std::optional<NodeGrid> two_hop_grid(const OptwebConfig& config, const OptwebInstruction& in) {
  const bool can = in.op == OptwebOp::barrier || in.op == OptwebOp::broadcast || in.op == OptwebOp::alltoall ||
                   in.op == OptwebOp::allgather || in.op == OptwebOp::allreduce;
  const Neighbours neighbours = neighbours_of(config);
  if (!can || takes_all_paths(config, in) || neighbours.clique(in.group)) return std::nullopt;
  return grid_of(neighbours, in.group);
}

}  // namespace

bool takes_all_paths(const OptwebConfig& config, const OptwebInstruction& in) {
  const bool automatic = in.path == OptwebPath::automatic && in.bytes >= config.multipath_from;
  const bool all = in.path == OptwebPath::multipath || (automatic && neighbours_of(config).clique(in.group));
  return all && in.group.size() > 2;
}

Neighbours neighbours_of(const OptwebConfig& config) { return {config.nodes, config.groups}; }

std::uint32_t hops_of(const OptwebConfig& config, const OptwebInstruction& in) {
  const Neighbours neighbours = neighbours_of(config);
  switch (in.op) {
    case OptwebOp::fence:
    case OptwebOp::compute:
      return 0;
    case OptwebOp::send:
      return in.at == std::vector<NodeId>{*in.destination} ? 0 : 1;
    case OptwebOp::recv:
      return in.at == std::vector<NodeId>{*in.source} ? 0 : 1;
    case OptwebOp::transfer:
      return takes_all_paths(config, in) ? 2 : neighbours.hops(*in.source, *in.destination);
    default:
      if (in.group.size() < 2) return 0;
      return takes_all_paths(config, in) || two_hop_grid(config, in) ? 2 : 1;
  }
}

MachinePrograms assemble(const OptwebConfig& config) { return Assembler(config).assemble(); }

const OptwebInstruction& instruction_at(const OptwebConfig& config, const Line& line) {
  return config.programs[line.program].instructions[line.index];
}

NodeView view_of(const OptwebConfig& config, const MachinePrograms& programs, NodeId node) {
  return {node, config.nodes, config.word_bytes, config.eager_buffer, &programs.groups, neighbours_of(config)};
}

StripeGeometry geometry_of(const OptwebConfig& config) { return {config.interface_bytes, config.stripes}; }

}  // namespace weft::optweb
