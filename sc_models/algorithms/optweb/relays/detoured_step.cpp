#include "algorithms/optweb/relays/detoured_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace weft::optweb {
namespace {

// For the steps of other nodes, of which only lengths are wanted.
class NoAddresses final : public StripeAddressIf {
 public:
  StripeResponse translate(const StripeRequest&) override { return {}; }
};

class Detourer {
 public:
  using Whole = std::function<Step(NodeId, StripeAddressIf&)>;
  Detourer(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses,
           const GroupDetours& detours, const Whole& whole)
      : in_(instruction),
        view_(view),
        addresses_(addresses),
        detours_(detours),
        whole_of_(whole),
        me_(view.node),
        whole_(whole(view.node, addresses)) {}

  Step step() {
    if (!whole_.error.empty()) return whole_;
    out_.rendezvous = whole_.rendezvous;
    switch (detours_.step) {
      case DetourStep::instruction:
        return without();
      case DetourStep::to_relay:
        return to_relay();
      case DetourStep::from_relay:
        return from_relay();
      case DetourStep::none:
        break;
    }
    return whole_;
  }

 private:
  // Whether the node goes round its link to another one.
  bool round(NodeId n) const {
    return std::any_of(detours_.detours.begin(), detours_.detours.end(),
                       [&](const Detour& d) { return (d.a == me_ && d.b == n) || (d.b == me_ && d.a == n); });
  }

  // What is left of the instruction.
  Step without() {
    out_ = whole_;
    std::erase_if(out_.partners, [&](const Partner& p) { return round(p.node); });
    std::erase_if(out_.barrier, [&](NodeId n) { return round(n); });
    std::erase_if(out_.receives, [&](const Receive& r) { return round(r.from); });
    if (const Receive* const late = first_late()) {
      const std::uint32_t writer = view_.neighbours.dmac(me_, late->from).value();
      const StripeResponse place = translate(in_.receive_address, late->bytes, writer);
      for (Receive& r : out_.receives) {
        r.writer = writer;
        r.address = place.address;
        r.interfaces = place.interfaces;
      }
    }
    for (Stream& s : out_.streams) std::erase_if(s.to, [&](NodeId n) { return round(n); });
    std::erase_if(out_.streams, [](const Stream& s) { return s.to.empty(); });
    return std::move(out_);
  }

  // visit(source, destination, relay) for both directions of all detours.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const Detour& d : detours_.detours) {
      visit(d.a, d.b, d.by);
      visit(d.b, d.a, d.by);
    }
  }

  static std::optional<std::uint64_t> bytes(const Step& step, NodeId to) {
    for (const Partner& p : step.partners) {
      if (p.node == to && p.sends) return p.bytes;
    }
    return std::nullopt;
  }
  // What `from` has for `to`; nothing when it is not to send anything, not even 0 bytes.
  std::optional<std::uint64_t> bytes(NodeId from, NodeId to) const {
    if (from == me_) return bytes(whole_, to);
    NoAddresses none;
    return bytes(whole_of_(from, none), to);
  }

  Step to_relay() {
    if (!whole_.barrier.empty()) return {};
    each([&](NodeId from, NodeId to, NodeId by) {
      if (from == me_) send_instead(to, by);
      if (by == me_) rest(from, to);
    });
    return std::move(out_);
  }

  // What is read for `to` goes to the relay; the same data may go to several.
  void send_instead(NodeId to, NodeId by) {
    const std::optional<std::uint64_t> sent = bytes(whole_, to);
    if (!sent) return;
    out_.partners.push_back({by, true, *sent});
    for (const Stream& s : whole_.streams) {
      if (std::find(s.to.begin(), s.to.end(), to) == s.to.end()) continue;
      const auto same =
          std::find_if(out_.streams.begin(), out_.streams.end(), [&](const Stream& o) { return o.reader == s.reader; });
      if (same != out_.streams.end()) {
        same->to.push_back(by);
      } else {
        out_.streams.push_back({s.reader, s.address, s.bytes, s.interfaces, {by}});
      }
    }
  }

  // In the stripe of its source.
  void rest(NodeId from, NodeId to) {
    const std::optional<std::uint64_t> sent = bytes(from, to);
    if (!sent) return;
    out_.partners.push_back({from, false, *sent});
    if (*sent == 0) return;
    const std::uint32_t writer = view_.neighbours.dmac(me_, from).value();
    const StripeResponse r = translate(in_.receive_address, *sent, writer);
    out_.receives.push_back({from, writer, r.address, *sent, r.interfaces});
  }

  StripeResponse translate(std::uint64_t base, std::uint64_t length, std::uint32_t stripe) {
    const StripeResponse r = addresses_.translate({base, length, stripe});
    if (r.error != StripeError::kNone && out_.error.empty()) out_.error = stripe_problem(r.error, base, length, stripe);
    return r;
  }

  Step from_relay() {
    if (!whole_.barrier.empty()) return tell();
    combine_rest();
    each([&](NodeId from, NodeId to, NodeId by) {
      if (by == me_) send_on(from, to);
      if (to == me_) receive_instead(from, by);
    });
    return std::move(out_);
  }

  // The relay and those that it stands between hear from each other.
  Step tell() {
    const auto meet = [&](NodeId n) {
      if (std::find(out_.barrier.begin(), out_.barrier.end(), n) != out_.barrier.end()) return;
      out_.barrier.push_back(n);
      out_.partners.push_back({n, true, 0});
      out_.partners.push_back({n, false, 0});
    };
    each([&](NodeId from, NodeId, NodeId by) {
      if (from == me_) meet(by);
      if (by == me_) meet(from);
    });
    std::sort(out_.barrier.begin(), out_.barrier.end());
    return std::move(out_);
  }

  void send_on(NodeId from, NodeId to) {
    const std::optional<std::uint64_t> sent = bytes(from, to);
    if (!sent) return;
    out_.partners.push_back({to, true, *sent});
    if (*sent == 0) return;
    const std::uint32_t reader = view_.neighbours.dmac(me_, from).value();
    const StripeResponse r = translate(in_.send_address, *sent, reader);
    out_.streams.push_back({reader, r.address, *sent, r.interfaces, {to}});
  }

  void receive_instead(NodeId from, NodeId by) {
    for (const Partner& p : whole_.partners) {
      if (p.node == from && !p.sends) out_.partners.push_back({by, false, p.bytes});
    }
    for (const Receive& r : whole_.receives) {
      if (r.from == from) out_.receives.push_back({by, r.writer, r.address, r.bytes, r.interfaces});
    }
  }

  // Of a reduction, the first stream that comes late; null: none does. What is combined without it rests in the stripe
  // of its source, which nothing else passes meanwhile.
  const Receive* first_late() const {
    const auto late =
        std::find_if(whole_.receives.begin(), whole_.receives.end(), [&](const Receive& r) { return round(r.from); });
    return whole_.reduction && late != whole_.receives.end() ? &*late : nullptr;
  }

  // What the instruction has combined already is the first of the streams; it passes from the node to itself.
  void combine_rest() {
    const Receive* const late = first_late();
    if (late == nullptr) return;
    out_.reduction = whole_.reduction;
    const std::uint32_t reader = view_.neighbours.dmac(me_, late->from).value();
    const StripeResponse r = translate(in_.send_address, late->bytes, reader);
    out_.streams.push_back({reader, r.address, late->bytes, r.interfaces, {me_}});
    out_.receives.push_back({me_, late->writer, late->address, late->bytes, late->interfaces});
    out_.partners.push_back({me_, true, late->bytes});
    out_.partners.push_back({me_, false, late->bytes});
  }

  const MachineInstruction& in_;
  const NodeView& view_;
  StripeAddressIf& addresses_;
  const GroupDetours& detours_;
  const Whole& whole_of_;
  NodeId me_;
  Step whole_;
  Step out_;
};

}  // namespace

std::string stripe_problem(StripeError error, std::uint64_t base, std::uint64_t bytes, std::uint32_t stripe) {
  return error == StripeError::kRange
             ? fmt::format("relative address {:#x} of stripe {} does not exist", base, stripe)
             : fmt::format("{} bytes from relative address {:#x} of stripe {} on reach beyond its end", bytes, base,
                           stripe);
}

Step detoured_step(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses,
                   const GroupDetours& detours, const std::function<Step(NodeId, StripeAddressIf&)>& whole) {
  return Detourer(instruction, view, addresses, detours, whole).step();
}

}  // namespace weft::optweb
