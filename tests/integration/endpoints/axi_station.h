#pragma once
// A manager or a memory of the tests (support/axi_agents.h), or one end of a stream (support/axi_stream_agents.h), at
// its pins, under the checker of both sides. `running` is low in reset; without it there is none.

#include <systemc>
#include <type_traits>

#include "support/axi_agents.h"
#include "support/axi_stream_agents.h"
#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_pins.h"
#include "workload/axi/axi_stream_checker.h"
#include "workload/axi/axi_stream_pins.h"

namespace weft::test::endpoints {

template <class Pins, class Side>
class AxiStation final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(AxiStation);
  AxiStation(sc_core::sc_module_name name, Pins& pins, Side& side, sc_core::sc_clock& clock,
             const sc_core::sc_signal<bool>* running = nullptr)
      : sc_module(name), checker(this->name(), Pins::kBus), pins_(pins), side_(side), running_(running) {
    SC_METHOD(edge);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  axi::Checker checker;

 private:
  void edge() {
    if (running_ != nullptr && !running_->read()) {
      checker.reset();
      return pins_.drive(side_.reset());
    }
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
  const sc_core::sc_signal<bool>* const running_;
};

template <class Pins, class Side>
class StreamStation final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(StreamStation);
  StreamStation(sc_core::sc_module_name name, Pins& pins, Side& side, sc_core::sc_clock& clock,
                const sc_core::sc_signal<bool>* running = nullptr)
      : sc_module(name), checker(this->name()), pins_(pins), side_(side), running_(running) {
    SC_METHOD(edge);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  axi::StreamChecker checker;

 private:
  void edge() {
    if (running_ != nullptr && !running_->read()) {
      checker.reset();
      return pins_.drive(side_.reset());
    }
    const axi::StreamPins p = pins_.transmitter();
    checker.clock(p, pins_.tready.read());
    if constexpr (std::is_same_v<Side, StreamTraffic>) {
      pins_.drive(side_.clock(pins_.tready.read()));
    } else {
      pins_.drive(side_.clock(p));
    }
  }
  Pins& pins_;
  Side& side_;
  const sc_core::sc_signal<bool>* const running_;
};

}  // namespace weft::test::endpoints
