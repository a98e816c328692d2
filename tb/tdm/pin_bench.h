#pragma once
// Common part of the pin-level benches: a 10 ns clock, the cycle count, the driver's and the monitor's turns, waves.
//
// Timing: cycle n begins with a rising edge. The driver runs at that edge and sets the inputs of cycle n; the block's
// registers still see those of cycle n-1. The monitor runs at the falling edge, in the middle of the cycle, when all
// combinational outputs have settled.

#include <verilated.h>
#include <verilated_fst_sc.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <systemc>

#include "tdm/pin_test.h"
#include "tdm/scoreboard.h"

namespace weft::pins {

/// Dut: a Verilated SystemC module with pins clk_i and rst_ni.
template <class Dut>
class PinBench : public sc_core::sc_module {
 public:
  ~PinBench() override {
    dut_.final();
    write_coverage(".dat");
  }

  /// File for waves of pins and internals. Call before the first cycle; ignored by blocks compiled without waves.
  void waves(const std::filesystem::path& file) {
    if constexpr (kHasWaves) {
      if (!file.parent_path().empty()) std::filesystem::create_directories(file.parent_path());
      waves_ = std::make_unique<VerilatedFstSc>();
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      dut_.trace(waves_.get(), 99);
      waves_->open(file.c_str());
    }
  }
  void close_waves() {
    if (waves_) waves_->close();
  }

  /// Errors since the last call of errors().clear().
  Errors& errors() { return errors_; }
  Cycle cycle() const { return cycle_; }

 protected:
  explicit PinBench(const sc_core::sc_module_name& name) : sc_module(name) {
    dut_.clk_i(clk_);
    dut_.rst_ni(rst_n_);
    SC_HAS_PROCESS(PinBench);
    SC_METHOD(rising_edge);
    sensitive << clk_.posedge_event();
    dont_initialize();
    SC_METHOD(falling_edge);
    sensitive << clk_.negedge_event();
    dont_initialize();
  }

  /// Sets the inputs of cycle().
  virtual void drive() = 0;
  /// Reads the outputs of cycle().
  virtual void monitor() = 0;

  void run_cycles(Cycle cycles) {
    if (cycles > 0) sc_core::sc_start(static_cast<double>(cycles) * 10, sc_core::SC_NS);
  }

  Dut& dut() { return dut_; }
  sc_core::sc_signal<bool>& rst_n() { return rst_n_; }

 private:
  static constexpr bool kHasWaves = requires(Dut & d, VerilatedFstSc* file) { d.trace(file, 99); };

  void rising_edge() {
    ++cycle_;
    drive();
  }
  void falling_edge() {
    if (cycle_ == 0) write_coverage(".first.dat");
    monitor();
  }

  struct EverTraced {
    EverTraced() { Verilated::traceEverOn(kHasWaves); }
  } ever_traced_;  // before the block is built
  // No edge falls on a multiple of 10 ns, where sc_start() ends.
  sc_core::sc_clock clk_{"clk", sc_core::sc_time(10, sc_core::SC_NS), 0.5, sc_core::sc_time(2, sc_core::SC_NS)};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Dut dut_{"dut"};
  std::unique_ptr<VerilatedFstSc> waves_;
  Errors errors_;
  Cycle cycle_ = -1;
};

}  // namespace weft::pins
