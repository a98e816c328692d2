#pragma once
// Bench of slot_table: the column, swap_pending_o and swapped_o of every cycle against two plain SlotTables.

#include <functional>
#include <utility>

#include "tdm/pin_bench.h"
#include "tdm/table_reference.h"

namespace weft::pins {

template <class Dut>
class SlotTableBench final : public PinBench<Dut> {
 public:
  using Source = std::function<TableInputs()>;

  SlotTableBench(const sc_core::sc_module_name& name, const TableShape& shape)
      : PinBench<Dut>(name), reference_(shape) {
    Dut& dut = this->dut();
    dut.slot_i(slot_);
    dut.cfg_we_i(we_);
    dut.cfg_slot_i(cfg_slot_);
    dut.cfg_column_i(cfg_column_);
    dut.swap_i(swap_);
    dut.swap_pending_o(pending_);
    dut.swapped_o(swapped_);
    dut.column_o(column_);
  }

  /// Applies what `source` gives for so many cycles. The first cycle of the bench must be one of reset.
  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// Checks that nothing is left.
  void end() {
    cycles_.end(this->cycle());
    if (swaps_ != reference_.swaps()) {
      this->errors().add(this->cycle(), fmt::format("{} swaps instead of {}", swaps_, reference_.swaps()));
    }
  }

  const TableReference& reference() const { return reference_; }
  std::uint64_t swaps() const { return swaps_; }

 private:
  void drive() override {
    const TableInputs in = source_();
    this->rst_n().write(in.reset_n);
    slot_.write(static_cast<PinValue<decltype(Dut::slot_i)>>(in.slot));
    we_.write(in.write);
    cfg_slot_.write(static_cast<PinValue<decltype(Dut::cfg_slot_i)>>(in.write_slot));
    cfg_column_.write(to_pins<PinValue<decltype(Dut::cfg_column_i)>>(in.column));
    swap_.write(in.swap);
    TableOutputs out = reference_.step(in);
    if (known_) cycles_.expect(this->cycle(), std::move(out));
    checked_ = known_;
    known_ = known_ || !in.reset_n;
  }

  void monitor() override {
    if (!checked_) return;  // no reset yet
    const TableShape& shape = reference_.shape();
    const TableOutputs out{.column = shape.decode(from_pins(column_.read(), shape.column_bits())),
                           .pending = pending_.read(),
                           .swapped = swapped_.read()};
    if (out.swapped) ++swaps_;
    cycles_.observe(this->cycle(), out);
  }

  TableReference reference_;
  Scoreboard<TableOutputs> cycles_{"table", this->errors()};
  std::uint64_t swaps_ = 0;
  bool known_ = false;
  bool checked_ = false;  // this cycle is
  Source source_;

  sc_core::sc_signal<PinValue<decltype(Dut::slot_i)>> slot_{"slot"};
  sc_core::sc_signal<bool> we_{"cfg_we"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_slot_i)>> cfg_slot_{"cfg_slot"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_column_i)>> cfg_column_{"cfg_column"};
  sc_core::sc_signal<bool> swap_{"swap"};
  sc_core::sc_signal<bool> pending_{"swap_pending"};
  sc_core::sc_signal<bool> swapped_{"swapped"};
  sc_core::sc_signal<PinValue<decltype(Dut::column_o)>> column_{"column"};
};

}  // namespace weft::pins
