#pragma once
// The ends of the links of a network that a cut goes through, on one rank: what leaves for another rank is collected
// and handed over at the end of every window of cycles. A window is no longer than the shortest time between a decision
// and its effect behind a link, so everything comes before it is due, and every cycle is what it would be on one rank
// (conservative synchronization; Chandy and Misra, IEEE TSE 5(5), 1979, with the windows of Nicol, JACM 40(2), 1993).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "kernel/clock_domain.h"
#include "kernel/link.h"
#include "parallel/byte_buffer.h"
#include "parallel/part.h"

namespace weft {

/// Carrier: brings what a link carries to another rank. `Lane` is what it keeps of a link that leads here.
///   static constexpr std::size_t kMostForward, kMostBackward   bytes of one call
///   void write_forward(ByteWriter&, Transfer&)                 what it was is here no more
///   void read_forward(ByteReader&, Lane&, Transfer&)
///   void write_backward(ByteWriter&, const Transfer&) / void read_backward(ByteReader&, Transfer&)
template <class Protocol, class Carrier>
class CutLinks final : public Agent {
 public:
  using Transfer = typename Protocol::tlm_payload_type;
  /// `window`: cycles between two exchanges. `answers`: calls that a link has backward in a cycle at most; forward it
  /// has one. References must outlive the object.
  CutLinks(ClockDomain& domain, Ranks& ranks, Carrier& carrier, Cycle window, std::size_t answers)
      : domain_(domain), ranks_(ranks), carrier_(carrier), window_(window), answers_(answers) {}

  /// Both ends, one of which is null: elsewhere. Links come in the order of their numbers; an adapter adds `delay`
  /// cycles.
  void lead(const Graph& graph, const std::vector<RankId>& owners, LinkId link, LinkOutPort<Protocol>* from,
            LinkInPort<Protocol>* to, Cycle delay) {
    const PortRef out = graph.driver(link);
    const SwitchId in = graph.peer(out.sw, out.port).sw;
    if (from != nullptr) lead_out(owners[in], link, *from, delay);
    if (to != nullptr) lead_in(owners[out.sw], *to, delay);
  }
  /// Before time begins, after all links.
  void start() {
    constexpr std::size_t kLink = sizeof(std::uint16_t);
    for (const auto& n : neighbours_) {
      const std::size_t of_link = kLink + Carrier::kMostForward + answers_ * (kLink + Carrier::kMostBackward);
      const std::size_t links = std::max(n->outs.size(), n->ins.size());
      n->channel = &ranks_.open_channel(n->other, links * of_link * static_cast<std::size_t>(window_));
    }
    domain_.schedule(window_ - 1, Phase::exchange, *this, 0);
  }

  /// Is told of what leaves over the links from here, with the time of its arrival at the other end.
  void watch(std::function<void(LinkId, const Transfer&)> leaving) { leaving_ = std::move(leaving); }

  void due(Cycle now, std::uint32_t) override {
    const bool news =
        std::any_of(neighbours_.begin(), neighbours_.end(), [](const auto& n) { return !n->channel->out.empty(); });
    exchange();
    const Cycle next = news ? now + 1 : domain_.next_busy();
    domain_.schedule(next_exchange(ranks_, now, window_, next), Phase::exchange, *this, 0);
  }
  /// In a cycle of its own choice, by all ranks: everything decided so far is where it belongs.
  void exchange() {
    ranks_.exchange();
    for (const auto& n : neighbours_) n->take(carrier_);
  }
  /// What the carrier keeps of all links that lead here.
  template <class Visit>
  void each_lane(Visit&& visit) const {
    for (const auto& n : neighbours_) {
      for (const auto& lane : n->lanes) visit(lane);
    }
  }

 private:
  static constexpr std::uint16_t kBackward = 0x8000;
  /// The links to and from another rank, numbered alike there.
  struct Neighbour final : LinkReceiver<Protocol>, LinkSender<Protocol> {
    Neighbour(RankId its_other, CutLinks& cut) : other(its_other), whole(cut), carrier(cut.carrier_) {}
    void receive(PortId link, const Transfer& transfer) override {
      Transfer later = transfer;
      Protocol::delay(later, out_delays[link]);
      if (whole.leaving_) whole.leaving_(out_links[link], later);
      ByteWriter out(channel->out);
      out.put(link);
      carrier.write_forward(out, later);
    }
    void answer(PortId link, const Transfer& transfer) override {
      Transfer later = transfer;
      Protocol::delay(later, in_delays[link]);
      ByteWriter out(channel->out);
      out.put(static_cast<std::uint16_t>(link | kBackward));
      carrier.write_backward(out, later);
    }
    void take(Carrier& with) {
      for (ByteReader in(channel->in); !in.empty();) {
        const auto link = in.template get<std::uint16_t>();
        Transfer transfer;
        if ((link & kBackward) != 0) {
          with.read_backward(in, transfer);
          outs.at(link & ~kBackward)->answer(transfer, sc_core::SC_ZERO_TIME);
        } else {
          with.read_forward(in, lanes.at(link), transfer);
          ins.at(link)->send(transfer, sc_core::SC_ZERO_TIME);
        }
      }
    }

    RankId other;
    const CutLinks& whole;
    Carrier& carrier;
    RankChannel* channel = nullptr;
    std::vector<std::unique_ptr<LinkInPort<Protocol>>> outs;
    std::vector<std::unique_ptr<LinkOutPort<Protocol>>> ins;
    std::vector<LinkId> out_links;
    std::vector<Cycle> out_delays, in_delays;
    std::vector<typename Carrier::Lane> lanes;  // of `ins`
  };

  void lead_out(RankId to, LinkId link, LinkOutPort<Protocol>& from, Cycle delay) {
    Neighbour& n = neighbour(to);
    n.outs.push_back(std::make_unique<LinkInPort<Protocol>>(n, number(n.outs.size(), to)));
    n.out_links.push_back(link);
    n.out_delays.push_back(delay);
    from.bind(*n.outs.back());
  }
  void lead_in(RankId from, LinkInPort<Protocol>& to, Cycle delay) {
    Neighbour& n = neighbour(from);
    n.ins.push_back(std::make_unique<LinkOutPort<Protocol>>(&n, number(n.ins.size(), from)));
    n.in_delays.push_back(delay);
    n.lanes.emplace_back();
    n.ins.back()->bind(to);
  }
  Neighbour& neighbour(RankId other) {
    for (const auto& n : neighbours_) {
      if (n->other == other) return *n;
    }
    return *neighbours_.emplace_back(std::make_unique<Neighbour>(other, *this));
  }
  static PortId number(std::size_t links, RankId other) {
    if (links >= kBackward) {
      throw RunError(fmt::format("more than {} links between this rank and rank {}", kBackward, other));
    }
    return static_cast<PortId>(links);
  }

  ClockDomain& domain_;
  Ranks& ranks_;
  Carrier& carrier_;
  const Cycle window_;
  const std::size_t answers_;
  std::function<void(LinkId, const Transfer&)> leaving_;
  std::vector<std::unique_ptr<Neighbour>> neighbours_;
};

}  // namespace weft
