#include "optweb/step.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::optweb {
namespace {

class Expander {
 public:
  Expander(const Instruction& instruction, const NodeView& view, StripeAddressIf& addresses)
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

  bool valid_nodes() {
    const auto there = [&](NodeId n) { return n < view_.nodes; };
    if (!std::all_of(group_->begin(), group_->end(), there) || !there(in_.source) || !there(in_.destination)) {
      step_.error = "a node of the instruction does not exist";
    }
    return step_.error.empty();
  }

  std::uint64_t size_of(NodeId n) const {
    if (!chunked()) return in_.size;
    const auto rank = static_cast<std::size_t>(std::find(group_->begin(), group_->end(), n) - group_->begin());
    return chunk_bytes(in_.size, group_->size(), rank, view_.word_bytes);
  }

  StripeResponse translate(std::uint64_t base, std::uint64_t bytes, std::uint32_t stripe) {
    const StripeResponse r = addresses_.translate({base, bytes, stripe});
    if (r.error != StripeError::kNone && step_.error.empty()) {
      step_.error =
          r.error == StripeError::kRange
              ? fmt::format("relative address {:#x} of stripe {} does not exist", base, stripe)
              : fmt::format("{} bytes from relative address {:#x} on reach beyond the end of a stripe", bytes, base);
    }
    return r;
  }

  void send(std::uint32_t reader, std::uint64_t bytes, std::vector<NodeId> to) {
    if (bytes == 0 || to.empty()) return;
    const StripeResponse r = translate(in_.send_address, bytes, reader);
    step_.streams.push_back({reader, r.address, bytes, r.interfaces, std::move(to)});
  }

  void receive(NodeId from, std::uint32_t writer, std::uint64_t bytes) {
    if (bytes == 0) return;
    const StripeResponse r = translate(in_.receive_address, bytes, writer);
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
        break;
      case Opcode::kSend:
        send(in_.destination, in_.size, {in_.destination});
        break;
      case Opcode::kRecv:
        receive(in_.source, in_.source, in_.size);
        break;
      case Opcode::kSendrecv:
        send(in_.destination, in_.size, {in_.destination});
        receive(in_.source, in_.source, in_.size);
        break;
      case Opcode::kScatter:
        scatter();
        break;
      case Opcode::kGather:
        gather();
        break;
      case Opcode::kBroadcast:
        if (me_ == in_.source) {
          send(me_, in_.size, others(me_));
        } else {
          receive(in_.source, in_.source, in_.size);
        }
        break;
      case Opcode::kAlltoall:
        for (const NodeId n : *group_) {
          send(n, in_.size, {n});
          receive(n, n, in_.size);
        }
        break;
      case Opcode::kAllgather:
        allgather();
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
      receive(root, root, in_.size);
    } else if (me_ != root) {
      receive(root, own_stripe() ? me_ : in_.destination, size_of(me_));
    }
  }

  void gather() {
    const NodeId root = in_.destination;
    if (!(chunked() && me_ == root)) send(chunked() && me_ == in_.source ? me_ : root, size_of(me_), {root});
    if (me_ != root) return;
    for (const NodeId n : *group_) {
      if (!(chunked() && n == root)) receive(n, n, size_of(n));
    }
  }

  // Chunked: the root of a broadcast has everything and gets nothing, and chunks stay where they are.
  void allgather() {
    if (!chunked()) {
      send(me_, in_.size, *group_);
      for (const NodeId n : *group_) receive(n, n, in_.size);
      return;
    }
    send(me_, size_of(me_), others(in_.source));
    if (me_ == in_.source) return;
    for (const NodeId n : others(me_)) receive(n, n, size_of(n));
  }

  const Instruction& in_;
  const NodeView& view_;
  StripeAddressIf& addresses_;
  NodeId me_;
  const std::vector<NodeId>* group_ = nullptr;
  Step step_;
};

}  // namespace

std::uint64_t chunk_bytes(std::uint64_t bytes, std::size_t count, std::size_t n, std::uint32_t word_bytes) {
  const std::uint64_t words = (bytes + word_bytes - 1) / word_bytes;
  const std::uint64_t chunk = (words + count - 1) / count * word_bytes;
  const std::uint64_t before = std::min(bytes, chunk * n);
  return std::min(chunk, bytes - before);
}

Step expand(const Instruction& instruction, const NodeView& view, StripeAddressIf& addresses) {
  return Expander(instruction, view, addresses).expand();
}

}  // namespace weft::optweb
