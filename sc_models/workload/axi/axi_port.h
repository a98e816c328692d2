#pragma once
// Pins around the state behind them: a module of its own clock and reset that steps its core at each rising edge, with
// what the other side drives before it, and drives behind it what the core returns.

#include <systemc>

namespace weft::axi {

/// `Core`: Subordinate, Manager, StreamReceiver or StreamTransmitter; `PinSet`: Signals or StreamSignals.
template <class Core, class PinSet>
class Port final : public Core {
 public:
  using Pins = PinSet;
  SC_HAS_PROCESS(Port);
  Port(sc_core::sc_module_name name, Pins& pins, const typename Core::Options& options = {})
      : Core(name, Pins::kBus, options), pins_(pins) {
    if constexpr (requires { this->limit_ids(Pins::kIds); }) this->limit_ids(Pins::kIds);
    SC_METHOD(edge);
    this->sensitive << clk.pos();
    this->dont_initialize();
  }
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

 private:
  void edge() { pins_.drive(rst_n.read() ? this->clock(pins_.seen_by(*this)) : this->reset()); }
  Pins& pins_;
};

}  // namespace weft::axi
