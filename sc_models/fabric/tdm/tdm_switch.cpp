#include "fabric/tdm/tdm_switch.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

TdmSwitch::TdmSwitch(sc_core::sc_module_name name, ClockDomain& domain, BlockSite site, const TdmSwitchPorts& ports,
                     BlockFactory& factory, const Observers& observers)
    : sc_module(name),
      domain_(domain),
      observers_(observers),
      id_(site.sw),
      in_(site.ports),
      out_(site.ports),
      latency_(ports.output_latency),
      slots_(site.slots),
      silent_(site.ports, false) {
  for (PortId p = 0; p < site.ports; ++p) {
    delay_.push_back(domain.time_of(latency_[p]));
    if (!ports.connected[p]) continue;
    in_[p] = std::make_unique<TdmInPort>(fmt::format("in[{}]", p).c_str(), *this, p);
    out_[p] = std::make_unique<TdmOutPort>(fmt::format("out[{}]", p).c_str());
  }
  site.path = this->name();
  data_path_ = factory.data_path(site, *this);
  slot_lut_ = factory.slot_lut(site);
}

TdmSwitch::~TdmSwitch() {  // see ~FicNetwork
  for (PortId p = static_cast<PortId>(in_.size()); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void TdmSwitch::swap(Cycle now, Cycle boundary) {
  data_path_->swap(now, boundary);
  observers_.tell([&](FabricObserver& o) { o.on_swap(id_, boundary); });
}

void TdmSwitch::receive(PortId in, const TdmTransfer& transfer) {
  if (transfer.kind == TdmTransfer::Kind::train) {
    data_path_->arrive(domain_.now(), in, transfer.train);
  } else {
    data_path_->arrive_cut(domain_.now(), in, transfer.cut);
  }
}

void TdmSwitch::depart(PortId out, const Train& train) {
  if (silent_[out]) return;
  if (!on_wire_.empty()) keep(out, train);
  observers_.tell_hop([&](FabricObserver& o) { o.on_hop(id_, out, train); });
  if (!out_[out]) return;  // a table may name a port with nothing behind it: the word is lost there
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::train;
  transfer.train = train;
  transfer.train.start += latency_[out];
  out_[out]->send(transfer, delay_[out]);
}

void TdmSwitch::depart_cut(PortId out, const TrainCut& asked) {
  TrainCut cut = asked;
  if (!on_wire_.empty()) {
    const auto it = find_on_wire(out, cut);
    if (it == on_wire_[out].end()) return;  // it never left, or its end was lost already
    cut.announced = it->words;
    cut.words = it->words = std::min(it->words, cut.words);
  }
  observers_.tell_hop([&](FabricObserver& o) { o.on_hop_cut(id_, out, cut); });
  if (!out_[out]) return;
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::cut;
  transfer.cut = cut;
  out_[out]->send(transfer, delay_[out]);
}

std::vector<Train>::iterator TdmSwitch::find_on_wire(PortId out, const TrainCut& cut) {
  return std::find_if(on_wire_[out].begin(), on_wire_[out].end(), [&](const Train& t) {
    return t.message == cut.message && t.first_word == cut.first_word && t.slot == cut.slot;
  });
}

// `start` of a train that is kept is its departure.
void TdmSwitch::keep(PortId out, const Train& train) {
  std::erase_if(on_wire_[out], [&](const Train& t) { return t.last(slots_) + latency_[out] < domain_.now(); });
  on_wire_[out].push_back(train);
}

void TdmSwitch::output_fails(Cycle now, PortId out) {
  silent_[out] = true;
  const auto before = [&](Cycle start, std::uint32_t words) {  // words in cycles earlier than now
    const Cycle n = now <= start ? 0 : (now - start + slots_ - 1) / Cycle{slots_};
    return static_cast<std::uint32_t>(std::min(n, Cycle{words}));
  };
  for (const Train& t : on_wire_[out]) {
    const std::uint32_t left = before(t.start, t.words);
    const std::uint32_t arrived = before(t.start + latency_[out], t.words);
    if (left < t.words) {
      const TrainCut cut{t.message, t.first_word, t.slot, left, t.words};
      observers_.tell_hop([&](FabricObserver& o) { o.on_hop_cut(id_, out, cut); });
    }
    if (arrived == t.words) continue;
    if (left > arrived) lost_(out, t.message, left - arrived);
    TdmTransfer transfer;
    transfer.kind = TdmTransfer::Kind::cut;
    transfer.cut = {t.message, t.first_word, t.slot, arrived, t.words};
    out_[out]->send(transfer, delay_[out]);
  }
  on_wire_[out].clear();
}

}  // namespace weft
