#pragma once
// Bench of slot_lut: requests on the pins, every response compared with the plain class, and in the cycles without one
// that the response pins hold their values.

#include <functional>
#include <utility>

#include "tdm/pin_bench.h"
#include "tdm/slot_lut_driver.h"

namespace weft::pins {

template <class Dut>
class SlotLutBench final : public PinBench<Dut> {
 public:
  using Source = std::function<SlotLutInputs()>;

  SlotLutBench(const sc_core::sc_module_name& name, std::uint32_t rows, std::uint32_t slots)
      : PinBench<Dut>(name), reference_(rows, slots), held_(reference_.reset_outputs()) {
    Dut& dut = this->dut();
    dut.req_valid_i(valid_);
    dut.req_op_i(op_);
    dut.req_row_i(row_);
    dut.req_slots_i(slots_);
    dut.rsp_valid_o(rsp_valid_);
    dut.rsp_ok_o(rsp_ok_);
    dut.rsp_free_o(rsp_free_);
    dut.rsp_first_o(rsp_first_);
  }

  /// Applies what `source` gives for so many cycles.
  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }

  /// Lets the block answer and checks that nothing is left.
  void end() {
    run(2, [this] { return SlotLutInputs{.slots = Bits(reference_.slots())}; });
    responses_.end(this->cycle());
  }

  const SlotLutReference& reference() const { return reference_; }
  std::uint64_t responses() const { return responses_.observed(); }

 private:
  void drive() override {
    const SlotLutInputs in = source_();
    this->rst_n().write(in.reset_n);
    valid_.write(in.valid);
    op_.write(in.op);
    row_.write(static_cast<PinValue<decltype(Dut::req_row_i)>>(in.row));
    slots_.write(to_pins<PinValue<decltype(Dut::req_slots_i)>>(in.slots));
    if (auto out = reference_.step(in)) responses_.expect(this->cycle() + 1, *std::move(out));
    if (was_reset_) held_ = reference_.reset_outputs();
    known_ = known_ || was_reset_;
    was_reset_ = !in.reset_n;
  }

  void monitor() override {
    if (!known_) return;  // no reset yet
    const Cycle now = this->cycle();
    const SlotLutOutputs out{.ok = rsp_ok_.read(),
                             .free = from_pins(rsp_free_.read(), reference_.slots()),
                             .first = static_cast<std::uint32_t>(rsp_first_.read())};
    if (rsp_valid_.read()) {
      responses_.observe(now, out);
      held_ = out;
    } else {
      responses_.observe_nothing(now);
      if (!(out == held_)) {
        this->errors().add(now, fmt::format("idle: {} instead of {}", out.text(), held_.text()));
      }
    }
  }

  SlotLutReference reference_;
  Scoreboard<SlotLutOutputs> responses_{"response", this->errors()};
  SlotLutOutputs held_;
  bool was_reset_ = false;  // in the cycle before
  bool known_ = false;
  Source source_;

  sc_core::sc_signal<bool> valid_{"req_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_op_i)>> op_{"req_op"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_row_i)>> row_{"req_row"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_slots_i)>> slots_{"req_slots"};
  sc_core::sc_signal<bool> rsp_valid_{"rsp_valid"};
  sc_core::sc_signal<bool> rsp_ok_{"rsp_ok"};
  sc_core::sc_signal<PinValue<decltype(Dut::rsp_free_o)>> rsp_free_{"rsp_free"};
  sc_core::sc_signal<PinValue<decltype(Dut::rsp_first_o)>> rsp_first_{"rsp_first"};
};

}  // namespace weft::pins
