#pragma once
// A manager or a memory of the tests (support/axi_agents.h) at its pins, under the checker of both sides.

#include <systemc>
#include <type_traits>

#include "support/axi_agents.h"
#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_pins.h"

namespace weft::test::endpoints {

/// Plays one side of the pins, and checks both.
template <class Pins, class Side>
class AxiStation final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(AxiStation);
  AxiStation(sc_core::sc_module_name name, Pins& pins, Side& side, sc_core::sc_clock& clock)
      : sc_module(name), checker(this->name(), Pins::kBus), pins_(pins), side_(side) {
    SC_METHOD(edge);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  axi::Checker checker;

 private:
  void edge() {
    const axi::ManagerPins m = pins_.manager();
    const axi::SubordinatePins s = pins_.subordinate();
    checker.clock(m, s);
    if constexpr (std::is_same_v<Side, AxiTraffic>) {
      pins_.drive(side_.clock(s));
    } else {
      pins_.drive(side_.clock(m));
    }
  }
  Pins& pins_;
  Side& side_;
};

}  // namespace weft::test::endpoints
