#include "fabrics/tdm/tdm_switch.h"

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
      silent_(site.ports, kNoId) {
  for (PortId p = 0; p < site.ports; ++p) {
    delay_.push_back(domain.time_of(latency_[p]));
    wire_.push_back(latency_[p] + ports.adapter[p]);
    if (!ports.connected[p]) continue;
    in_[p] = std::make_unique<TdmInPort>(*this, p);
    out_[p] = std::make_unique<TdmOutPort>();
  }
  site.path = this->name();
  data_path_ = factory.data_path(site, *this);
  slot_lut_ = factory.slot_lut(site);
}

TdmSwitch::~TdmSwitch() {  // see ~TdmNetwork
  for (PortId p = static_cast<PortId>(in_.size()); p-- > 0;) {
    out_[p].reset();
    in_[p].reset();
  }
}

void TdmSwitch::swap(Cycle now, Cycle boundary) {
  data_path_->swap(now, boundary);
  observers_.tell([&](TdmObserver& o) { o.on_swap(id_, boundary); });
}

void TdmSwitch::receive(PortId in, const TdmTransfer& transfer) {
  if (transfer.kind == TdmTransfer::Kind::train) {
    data_path_->arrive(domain_.now(), in, transfer.train);
  } else {
    data_path_->arrive_cut(domain_.now(), in, transfer.cut);
  }
}

void TdmSwitch::depart(PortId out, const Train& train) {
  if (silent_[out] != kNoId) {
    stop(out, train, 0);
    return;
  }
  if (!on_wire_.empty()) keep(out, train);
  observers_.tell_hop([&](TdmObserver& o) { o.on_hop(id_, out, train); });
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
    const auto it =
        std::find_if(on_wire_[out].begin(), on_wire_[out].end(), [&](const Train& t) { return cut.names(t); });
    if (it == on_wire_[out].end()) {  // it never left, or its end was lost already
      cut_stopped(out, cut);
      return;
    }
    cut.announced = it->words;
    cut.words = it->words = std::min(it->words, cut.words);
  }
  observers_.tell_hop([&](TdmObserver& o) { o.on_hop_cut(id_, out, cut); });
  if (!out_[out]) return;
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::cut;
  transfer.cut = cut;
  out_[out]->send(transfer, delay_[out]);
}

// `start` of a train that is kept is its departure.
void TdmSwitch::keep(PortId out, const Train& train) {
  std::erase_if(on_wire_[out], [&](const Train& t) { return over(out, t); });
  on_wire_[out].push_back(train);
}

void TdmSwitch::stop(PortId out, const Train& train, std::uint32_t left) {
  std::erase_if(stopped_[out], [&](const Stopped& s) { return over(out, s.train); });
  stopped_[out].push_back({train, silent_[out], left});
  lost_({out, silent_[out], train.message, false, std::int64_t{train.words} - left});
}

void TdmSwitch::cut_stopped(PortId out, const TrainCut& cut) {
  const auto it =
      std::find_if(stopped_[out].begin(), stopped_[out].end(), [&](const Stopped& s) { return cut.names(s.train); });
  if (it == stopped_[out].end()) return;
  const std::uint32_t words = std::clamp(cut.words, it->left, it->train.words);
  lost_({out, it->fault, cut.message, false, std::int64_t{words} - it->train.words});
  it->train.words = words;
}

void TdmSwitch::output_fails(Cycle now, PortId out, std::uint32_t fault) {
  silent_[out] = fault;
  for (const Train& t : on_wire_[out]) {
    const std::uint32_t left = t.words_before(now, slots_);
    const std::uint32_t arrived = t.words_before(now - wire_[out], slots_);
    if (left < t.words) {
      const TrainCut cut{t.message, t.first_word, t.slot, left, t.words};
      observers_.tell_hop([&](TdmObserver& o) { o.on_hop_cut(id_, out, cut); });
      stop(out, t, left);
    }
    if (arrived == t.words) continue;
    if (left > arrived) lost_({out, fault, t.message, true, std::int64_t{left} - arrived});
    TdmTransfer transfer;
    transfer.kind = TdmTransfer::Kind::cut;
    transfer.cut = {t.message, t.first_word, t.slot, arrived, t.words};
    out_[out]->send(transfer, delay_[out]);
  }
  on_wire_[out].clear();
}

}  // namespace weft
