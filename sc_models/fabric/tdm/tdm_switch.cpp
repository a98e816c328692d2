#include "fabric/tdm/tdm_switch.h"

#include <fmt/format.h>

namespace weft {

TdmSwitch::TdmSwitch(sc_core::sc_module_name name, ClockDomain& domain, BlockSite site, const TdmSwitchPorts& ports,
                     BlockFactory& factory, const Observers& observers)
    : sc_module(name),
      domain_(domain),
      observers_(observers),
      id_(site.sw),
      in_(site.ports),
      out_(site.ports),
      latency_(ports.output_latency) {
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
  observers_.tell_hop([&](FabricObserver& o) { o.on_hop(id_, out, train); });
  if (!out_[out]) return;  // a table may name a port with nothing behind it: the word is lost there
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::train;
  transfer.train = train;
  transfer.train.start += latency_[out];
  out_[out]->send(transfer, delay_[out]);
}

void TdmSwitch::depart_cut(PortId out, const TrainCut& cut) {
  observers_.tell_hop([&](FabricObserver& o) { o.on_hop_cut(id_, out, cut); });
  if (!out_[out]) return;
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::cut;
  transfer.cut = cut;
  out_[out]->send(transfer, delay_[out]);
}

}  // namespace weft
