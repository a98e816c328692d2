#pragma once
// A manager or a memory of the tests (support/axi_agents.h), or one end of a stream (support/axi_stream_agents.h), at
// its pins, under the checker of both sides. `running` is low in reset; without it there is none.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

#include "support/axi_agents.h"
#include "support/axi_stream_agents.h"
#include "support/tlm_checker.h"
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
  std::uint64_t passed() const { return checker.bursts; }

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
  std::uint64_t passed() const { return checker.packets; }

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

/// At the end of a run, the first thing that is wrong at stations or sockets: against the rules, or left over; at
/// stations also that nothing has passed. Empty: nothing.
template <class Station>
std::string trouble_of(const std::vector<std::unique_ptr<Station>>& stations) {
  for (const auto& s : stations) {
    if (s->checker.violations > 0) return s->checker.first;
    if (s->checker.open() > 0) return fmt::format("{}: {} bursts or packets are left", s->name(), s->checker.open());
    if (s->passed() == 0) return fmt::format("{}: nothing has passed", s->name());
  }
  return "";
}
inline std::string trouble_of(const std::vector<std::unique_ptr<TlmChecker>>& sockets) {
  for (const auto& c : sockets) {
    if (c->violations > 0) return fmt::format("{} violations; {}", c->violations, c->first);
    if (c->unfinished() > 0) return fmt::format("{}: {} unfinished", c->name(), c->unfinished());
  }
  return "";
}

}  // namespace weft::test::endpoints
