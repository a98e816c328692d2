#pragma once
// Adapter in the way of a directed link: a module that passes everything on a constant whole number of cycles later,
// data forward and answers (credits) backward. Both are passed on at once, with their later cycles, so what an adapter
// holds is with the receiver already, for accounting and audits as on any other link.
//
// A protocol that takes adapters has a function delay(transfer, cycles), which moves the cycles of a transfer.

#include <memory>
#include <systemc>
#include <vector>

#include <fmt/format.h>

#include "kernel/link.h"

namespace weft {

template <class Protocol>
class LinkAdapter final : public sc_core::sc_module, public LinkReceiver<Protocol>, public LinkSender<Protocol> {
 public:
  using Transfer = typename Protocol::tlm_payload_type;
  LinkAdapter(sc_core::sc_module_name name, Cycle cycles, sc_core::sc_time time)
      : sc_module(name), cycles_(cycles), time_(time), in_(*this, 0), out_(this, 0) {}

  LinkInPort<Protocol>& in() { return in_; }
  LinkOutPort<Protocol>& out() { return out_; }
  Cycle cycles() const { return cycles_; }

  void receive(PortId, const Transfer& transfer) override {
    Transfer later = transfer;
    Protocol::delay(later, cycles_);
    out_.send(later, time_);
  }
  void answer(PortId, const Transfer& transfer) override {
    Transfer later = transfer;
    Protocol::delay(later, cycles_);
    in_.answer(later, time_);
  }

 private:
  const Cycle cycles_;
  const sc_core::sc_time time_;
  LinkInPort<Protocol> in_;
  LinkOutPort<Protocol> out_;
};

/// Adapters of a network, which owns them.
template <class Protocol>
using LinkAdapters = std::vector<std::unique_ptr<LinkAdapter<Protocol>>>;

/// As bind_links() without adapters. `delays`: cycles that the adapter of each directed link adds, by its number; 0: it
/// has none; empty: no link has. Adapters become modules `adapter[<link>]` of the network under construction. Links of
/// which one end is elsewhere are left to `cut(link, out, in, delay)`, with null for that end.
template <class Protocol, class Switches, class Nodes, class Clock, class Cut>
LinkAdapters<Protocol> bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes,
                                  const std::vector<Cycle>& delays, const Clock& clock, Cut&& cut) {
  LinkAdapters<Protocol> out;
  bind_links(graph, switches, nodes, [&](LinkId link, LinkOutPort<Protocol>* from, LinkInPort<Protocol>* to) {
    const Cycle delay = delays.empty() ? 0 : delays[link];
    if (from == nullptr || to == nullptr) return cut(link, from, to, delay);
    if (delay == 0) return from->bind(*to);
    auto& adapter = *out.emplace_back(
        std::make_unique<LinkAdapter<Protocol>>(fmt::format("adapter[{}]", link).c_str(), delay, clock.time_of(delay)));
    from->bind(adapter.in());
    adapter.out().bind(*to);
  });
  return out;
}

/// Likewise of a whole network.
template <class Protocol, class Switches, class Nodes, class Clock>
LinkAdapters<Protocol> bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes,
                                  const std::vector<Cycle>& delays, const Clock& clock) {
  return bind_links<Protocol>(graph, switches, nodes, delays, clock, [](LinkId, const auto*, const auto*, Cycle) {});
}

}  // namespace weft
