#pragma once
// Bench of iq_router: link_bench.h, with the hops of heads.

#include <cstdint>

#include "iq/link_bench.h"
#include "iq/router_traffic.h"

namespace weft::pins {

template <class Dut>
class RouterBench final : public LinkBench<Dut, RouterTraffic, RouterShape> {
 public:
  using Shape = RouterShape;
  RouterBench(const sc_core::sc_module_name& name, const RouterShape& shape, std::uint64_t runs)
      : LinkBench<Dut, RouterTraffic, RouterShape>(name, shape, runs), shape_(shape) {
    Dut& dut = this->dut();
    dut.hop_first_i(first_);
    dut.hop_count_i(count_);
    dut.hop_vcs_i(vcs_);
  }

 private:
  void drive_more(const RouterTraffic* now, RandomStream* noise) override {
    HopPins hops(shape_);
    if (noise != nullptr) {
      for (Bits* pins : hops.all()) *pins = Bits::random(*noise, pins->size());
    } else {
      hops = now->hops();
    }
    this->write(first_, hops.first);
    this->write(count_, hops.count);
    this->write(vcs_, hops.vcs);
  }

  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;
  const RouterShape shape_;
  Signal<decltype(Dut::hop_first_i)> first_{"hop_first"};
  Signal<decltype(Dut::hop_count_i)> count_{"hop_count"};
  Signal<decltype(Dut::hop_vcs_i)> vcs_{"hop_vcs"};
};

}  // namespace weft::pins
