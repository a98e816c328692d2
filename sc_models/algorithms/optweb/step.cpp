#include "algorithms/optweb/step.h"

#include "algorithms/optweb/relays/detoured_step.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::optweb {
namespace {

class Expander {
 public:
  Expander(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses)
      : in_(instruction), view_(view), addresses_(addresses), me_(view.node) {}

  Step expand() {
    if (units_of(in_.opcode) == kUserUnit || units_of(in_.opcode) == kDmacUnit) return {};
    if (in_.group >= view_.groups->size()) {
      step_.error = fmt::format("group {} has not been written", in_.group);
      return std::move(step_);
    }
    group_ = &(*view_.groups)[in_.group];
    if (!valid_nodes()) return std::move(step_);
    const std::uint64_t largest = chunked() ? chunk_bytes(in_.size, group_->size(), 0, view_.word_bytes) : in_.size;
    step_.rendezvous = largest > view_.eager_buffer;
    take_apart();
    return std::move(step_);
  }

 private:
  bool chunked() const { return (in_.flags & kChunked) != 0; }
  bool own_stripe() const { return (in_.flags & kOwnStripe) != 0; }
  bool relay() const { return (in_.flags & kRelay) != 0; }
  // By way of nodes outside of the groups (algorithms/optweb/relays/relays.h).
  bool by_relays() const { return chunked() && relay(); }
  const std::vector<NodeId>& nodes_of(std::uint32_t group) const { return (*view_.groups)[group]; }
  static bool among(const std::vector<NodeId>& nodes, NodeId n) {
    return std::find(nodes.begin(), nodes.end(), n) != nodes.end();
  }

  bool valid_nodes() {
    const auto there = [&](NodeId n) { return n < view_.nodes; };
    if (by_relays()) return valid_registers();
    const bool rounds = relay() && (in_.opcode == Opcode::kAlltoall || in_.opcode == Opcode::kAllgather);
    const bool numbers =
        in_.opcode == Opcode::kAlltoall && relay() ? in_.destination < view_.groups->size() : there(in_.destination);
    if (!std::all_of(group_->begin(), group_->end(), there) || !(rounds || there(in_.source)) || !numbers) {
      step_.error = "a node of the instruction does not exist";
    }
    return step_.error.empty();
  }

  // Entries of the group register table that the instruction names; of an allgather of broadcasts one for each root.
  bool valid_registers() {
    const std::size_t entries = view_.groups->size();
    const bool each = in_.opcode == Opcode::kAllgather && (in_.flags & kNoRoot) == 0;
    if (in_.source >= entries || in_.destination + (each ? nodes_of(in_.source).size() : 1) > entries) {
      step_.error = "a group of the instruction has not been written";
    }
    return step_.error.empty();
  }

  // Where links have failed, a transfer by all paths goes round nodes that have its instructions.
  bool on_way() const { return !chunked() || among(*group_, me_); }

  std::uint64_t size_of(NodeId n) const {
    if (!chunked()) return in_.size;
    const auto rank = static_cast<std::size_t>(std::find(group_->begin(), group_->end(), n) - group_->begin());
    return chunk_bytes(in_.size, group_->size(), rank, view_.word_bytes);
  }

  StripeResponse translate(std::uint64_t base, std::uint64_t bytes, std::uint32_t stripe) {
    const StripeResponse r = addresses_.translate({base, bytes, stripe});
    if (r.error != StripeError::kNone && step_.error.empty()) {
      step_.error = stripe_problem(r.error, base, bytes, stripe);
    }
    return r;
  }

  // The DMAC for a node, which has a link.
  std::uint32_t dmac(NodeId n) {
    const auto found = view_.neighbours.dmac(me_, n);
    if (!found && step_.error.empty()) step_.error = fmt::format("there is no link between nodes {} and {}", me_, n);
    return found.value_or(0);
  }

  // What lies in the stripe of node `of`.
  void send(NodeId of, std::uint64_t bytes, std::vector<NodeId> to) {
    send(of, in_.send_address, bytes, std::move(to));
  }
  void send(NodeId of, std::uint64_t address, std::uint64_t bytes, std::vector<NodeId> to) {
    for (const NodeId n : to) {
      dmac(n);
      step_.partners.push_back({n, true, bytes});
    }
    if (bytes == 0 || to.empty()) return;
    const std::uint32_t reader = dmac(of);
    const StripeResponse r = translate(address, bytes, reader);
    step_.streams.push_back({reader, r.address, bytes, r.interfaces, std::move(to)});
  }

  // Into the stripe of node `of`.
  void receive(NodeId from, NodeId of, std::uint64_t bytes) { receive(from, of, in_.receive_address, bytes); }
  void receive(NodeId from, NodeId of, std::uint64_t address, std::uint64_t bytes) {
    dmac(from);
    step_.partners.push_back({from, false, bytes});
    if (bytes == 0) return;
    const std::uint32_t writer = dmac(of);
    const StripeResponse r = translate(address, bytes, writer);
    step_.receives.push_back({from, writer, r.address, bytes, r.interfaces});
  }

  std::vector<NodeId> others(NodeId without) const {
    std::vector<NodeId> out;
    for (const NodeId n : *group_) {
      if (n != me_ && n != without) out.push_back(n);
    }
    return out;
  }

  void take_apart() {
    switch (in_.opcode) {
      case Opcode::kBarrier:
        step_.barrier = others(me_);
        for (const NodeId n : step_.barrier) {
          dmac(n);
          step_.partners.push_back({n, true, 0});
          step_.partners.push_back({n, false, 0});
        }
        break;
      case Opcode::kSend:
        send(relay() ? me_ : in_.destination, in_.size, {in_.destination});
        break;
      case Opcode::kRecv:
        receive(in_.source, own_stripe() ? me_ : in_.source, in_.size);
        break;
      case Opcode::kSendrecv:
        send(relay() ? me_ : in_.destination, in_.size, {in_.destination});
        receive(in_.source, own_stripe() ? me_ : in_.source, in_.size);
        break;
      case Opcode::kScatter:
        if (by_relays()) {
          scatter_to_relays();
        } else {
          scatter();
        }
        break;
      case Opcode::kGather:
        gather();
        break;
      case Opcode::kBroadcast:
        if (me_ == in_.source) {
          send(relay() ? in_.destination : me_, in_.size, others(me_));
        } else {
          receive(in_.source, own_stripe() ? me_ : in_.source, in_.size);
        }
        break;
      case Opcode::kAlltoall:
        alltoall();
        break;
      case Opcode::kAllgather:
        if (by_relays()) {
          allgather_from_relays();
        } else {
          allgather();
        }
        break;
      case Opcode::kReduce:
        send(relay() ? me_ : in_.destination, in_.size, {in_.destination});
        if (me_ == in_.destination) receive_reduced(*group_, me_, in_.size);
        break;
      case Opcode::kAllreduce:
        send(me_, in_.size, *group_);
        receive_reduced(*group_, me_, in_.size);
        break;
      case Opcode::kReduceScatter:
        reduce_scatter();
        break;
      default:
        step_.error = fmt::format("the node has no unit for '{}'", opcode_name(in_.opcode));
    }
  }

  void scatter() {
    const NodeId root = in_.source;
    for (const NodeId n : *group_) {
      if (me_ == root && !(chunked() && n == root)) send(n, size_of(n), {n});
    }
    if (!chunked()) {
      receive(root, relay() ? in_.destination : root, in_.size);
    } else if (me_ != root && on_way()) {
      receive(root, own_stripe() ? me_ : in_.destination, size_of(me_));
    }
  }

  void gather() {
    const NodeId root = in_.destination;
    const NodeId lies = relay() ? in_.source : chunked() && me_ == in_.source ? me_ : root;
    if (!(chunked() && me_ == root) && on_way()) send(lies, size_of(me_), {root});
    if (me_ != root) return;
    for (const NodeId n : *group_) {
      if (!(chunked() && n == root)) receive(n, n, size_of(n));
    }
  }

  // One round of the second hop sends a piece to every node of the group, each out of another stripe, and receives
  // each into another one: stripe (p + q + round) between the p-th and the q-th node of the group.
  void alltoall() {
    step_.streams.reserve(group_->size());
    step_.receives.reserve(group_->size());
    step_.partners.reserve(2 * group_->size());
    if (!relay()) {
      for (const NodeId n : *group_) {
        send(n, in_.size, {n});
        receive(n, n, in_.size);
      }
      return;
    }
    const std::vector<NodeId>& stripes = (*view_.groups)[in_.destination];
    const std::size_t rounds = std::max(stripes.size(), group_->size());
    const auto mine = static_cast<std::size_t>(std::find(group_->begin(), group_->end(), me_) - group_->begin());
    for (std::size_t q = 0; q < group_->size(); ++q) {
      const std::size_t stripe = (mine + q + in_.source) % rounds;
      if (stripe >= stripes.size()) continue;
      send(stripes[stripe], in_.send_address + q * in_.size, in_.size, {(*group_)[q]});
      receive((*group_)[q], stripes[stripe], in_.receive_address + q * in_.size, in_.size);
    }
  }

  // Chunked: the root of a broadcast has everything and gets nothing, and chunks stay where they are.
  void allgather() {
    if (relay()) {
      send(in_.destination, in_.size, others(me_));
      for (const NodeId n : others(me_)) receive(n, n, in_.size);
      return;
    }
    if (!chunked()) {
      send(me_, in_.size, *group_);
      for (const NodeId n : *group_) receive(n, n, in_.size);
      return;
    }
    const bool no_root = (in_.flags & kNoRoot) != 0;
    send(me_, size_of(me_), others(no_root ? me_ : in_.source));
    if (me_ == in_.source && !no_root) return;
    for (const NodeId n : others(me_)) receive(n, n, size_of(n));
  }

  void reduce_scatter() {
    const std::vector<NodeId>& sources = by_relays() ? nodes_of(in_.destination) : *group_;
    for (const NodeId n : *group_) {
      if (among(sources, me_)) send(n, size_of(n), {n});
    }
    receive_reduced(sources, relay() && !chunked() ? in_.destination : me_, size_of(me_));
  }

  // The chunks of all roots, each in the stripe of its root.
  void scatter_to_relays() {
    for (const NodeId root : nodes_of(in_.source)) {
      for (const NodeId n : *group_) {
        if (me_ == root) send(n, size_of(n), {n});
      }
      receive(root, root, size_of(me_));
    }
  }

  // Each chunk to its group, of which the root has all of them; a chunk that has been combined here, to all.
  void allgather_from_relays() {
    const bool no_root = (in_.flags & kNoRoot) != 0;
    const std::vector<NodeId> here{me_};
    const std::vector<NodeId>& lies = no_root ? here : nodes_of(in_.source);
    for (std::size_t i = 0; i < lies.size(); ++i) {
      std::vector<NodeId> to = nodes_of(in_.destination + static_cast<std::uint32_t>(i));
      if (!no_root) std::erase(to, lies[i]);
      const bool mine = among(to, me_);
      send(lies[i], size_of(me_), std::move(to));
      for (const NodeId n : *group_) {
        if (mine) receive(n, n, size_of(n));
      }
    }
  }

  // From all of `from`, into the stripe of node `of`.
  void receive_reduced(const std::vector<NodeId>& from, NodeId of, std::uint64_t bytes) {
    step_.reduction = reduction_of(in_.flags);
    for (const NodeId n : from) receive(n, of, bytes);
    const bool whole = in_.size % kElementBytes == 0 && (in_.send_address | in_.receive_address) % kElementBytes == 0;
    if (!whole && step_.error.empty()) step_.error = "size and addresses of a reduction are not whole elements";
  }

  const MachineInstruction& in_;
  const NodeView& view_;
  StripeAddressIf& addresses_;
  NodeId me_;
  const std::vector<NodeId>* group_ = nullptr;
  Step step_;
};

}  // namespace

std::uint8_t reduction_flags(const Reduction& r) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(r.combine) << 4 | static_cast<unsigned>(r.element) << 6);
}

Reduction reduction_of(std::uint8_t flags) {
  const unsigned combine = flags >> 4 & 3U;
  return {combine > 2 ? ProgramCombine::sum : static_cast<ProgramCombine>(combine),
          (flags >> 6 & 1U) != 0 ? ProgramElement::float32 : ProgramElement::int32};
}

Operation operation_of(const MachineInstruction& i) {
  const bool chunked = (i.flags & kChunked) != 0;
  const bool relay = (i.flags & kRelay) != 0;
  Operation o{i.opcode, i.group, 0, 0, i.flags};
  switch (i.opcode) {
    case Opcode::kSend:
    case Opcode::kRecv:
    case Opcode::kSendrecv:
      return {Opcode::kSend, 0, 0, 0, 0};
    case Opcode::kScatter:
      o.source = i.source;
      if (chunked && (i.flags & kOwnStripe) == 0) o.destination = i.destination;
      break;
    case Opcode::kGather:
      o.destination = i.destination;
      if (chunked) o.source = i.source;
      break;
    case Opcode::kBroadcast:
      o.source = i.source;
      o.flags = 0;  // where the root reads is its own business
      break;
    case Opcode::kReduce:
      o.destination = i.destination;
      break;
    case Opcode::kAllgather:
      if ((chunked && (i.flags & kNoRoot) == 0) || relay) o.source = i.source;
      break;
    case Opcode::kAlltoall:
      if (relay) o.source = i.source;
      break;
    default:
      break;
  }
  return o;
}

std::uint64_t chunk_bytes(std::uint64_t bytes, std::size_t count, std::size_t n, std::uint32_t word_bytes) {
  const std::uint64_t words = (bytes + word_bytes - 1) / word_bytes;
  const std::uint64_t chunk = (words + count - 1) / count * word_bytes;
  const std::uint64_t before = std::min(bytes, chunk * n);
  return std::min(chunk, bytes - before);
}

Step expand(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses) {
  const auto plain = [&] { return Expander(instruction, view, addresses).expand(); };
  if (view.detours == nullptr) return plain();
  const auto detours = view.detours->find(instruction.group);
  if (detours == view.detours->end()) return plain();
  return detoured_step(instruction, view, addresses, detours->second, [&](NodeId node, StripeAddressIf& of) {
    NodeView there = view;
    there.node = node;
    return Expander(instruction, there, of).expand();
  });
}

}  // namespace weft::optweb
