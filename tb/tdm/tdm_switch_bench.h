#pragma once
// Bench of tdm_switch: one scoreboard per output, against two plain SlotTables and one register per input and label.

#include <functional>
#include <utility>
#include <vector>

#include "tdm/pin_bench.h"
#include "tdm/table_reference.h"

namespace weft::pins {

template <class Dut>
class TdmSwitchBench final : public PinBench<Dut> {
 public:
  using Source = std::function<SwitchInputs()>;
  using Watch = std::function<void(Cycle, std::uint32_t out, const std::optional<Word>&)>;

  TdmSwitchBench(const sc_core::sc_module_name& name, const TableShape& shape, std::uint32_t width)
      : PinBench<Dut>(name), reference_(shape, width) {
    for (std::uint32_t out = 0; out < shape.ports; ++out) {
      outputs_.emplace_back(fmt::format("output {}", out), this->errors());
    }
    Dut& dut = this->dut();
    dut.slot_i(slot_);
    dut.in_valid_i(in_valid_);
    dut.in_word_i(in_word_);
    dut.in_slot_i(in_slot_);
    dut.out_valid_o(out_valid_);
    dut.out_word_o(out_word_);
    dut.cfg_we_i(we_);
    dut.cfg_slot_i(cfg_slot_);
    dut.cfg_column_i(cfg_column_);
    dut.swap_i(swap_);
    dut.swap_pending_o(pending_);
    dut.swapped_o(swapped_);
  }

  /// Applies what `source` gives for so many cycles. The first cycle of the bench must be one of reset.
  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// Checks that nothing is left and that as many words were sent as were due.
  void end() {
    for (auto& output : outputs_) output.end(this->cycle());
    table_.end(this->cycle());
    if (sent() != due_) this->errors().add(this->cycle(), fmt::format("{} words sent, {} due", sent(), due_));
  }
  /// Called with every output in every checked cycle.
  void watch(Watch watch) { watch_ = std::move(watch); }

  const SwitchReference& reference() const { return reference_; }
  std::uint64_t sent() const {
    std::uint64_t sum = 0;
    for (const auto& output : outputs_) sum += output.observed();
    return sum;
  }

 private:
  void drive() override {
    const SwitchInputs in = source_();
    this->rst_n().write(in.table.reset_n);
    slot_.write(static_cast<PinValue<decltype(Dut::slot_i)>>(in.table.slot));
    in_valid_.write(to_pins<PinValue<decltype(Dut::in_valid_i)>>(in.valid));
    in_word_.write(to_pins<PinValue<decltype(Dut::in_word_i)>>(in.words));
    in_slot_.write(to_pins<PinValue<decltype(Dut::in_slot_i)>>(in.labels));
    we_.write(in.table.write);
    cfg_slot_.write(static_cast<PinValue<decltype(Dut::cfg_slot_i)>>(in.table.write_slot));
    cfg_column_.write(to_pins<PinValue<decltype(Dut::cfg_column_i)>>(in.table.column));
    swap_.write(in.table.swap);

    SwitchOutputs out = reference_.step(in);
    if (known_) {
      for (std::size_t port = 0; port < outputs_.size(); ++port) {
        if (!out.words[port]) continue;
        outputs_[port].expect(this->cycle(), *std::move(out.words[port]));
        ++due_;
      }
      table_.expect(this->cycle(), {.column = {}, .pending = out.pending, .swapped = out.swapped});
    }
    checked_ = known_;
    known_ = known_ || !in.table.reset_n;
  }

  void monitor() override {
    if (!checked_) return;  // no reset yet
    const Cycle now = this->cycle();
    const std::uint32_t width = reference_.width();
    const Bits valid = from_pins(out_valid_.read(), outputs_.size());
    const Bits words = from_pins(out_word_.read(), outputs_.size() * width);
    for (std::uint32_t port = 0; port < outputs_.size(); ++port) {
      Word word{words.slice(std::size_t{port} * width, width)};
      const bool sends = valid.get(port, 1) != 0;
      if (sends) {
        outputs_[port].observe(now, word);
      } else {
        outputs_[port].observe_nothing(now);
        if (word.bits.any()) this->errors().add(now, fmt::format("output {}: idle with {}", port, word.text()));
      }
      if (watch_) watch_(now, port, sends ? std::optional(std::move(word)) : std::nullopt);
    }
    table_.observe(now, {.column = {}, .pending = pending_.read(), .swapped = swapped_.read()});
  }

  SwitchReference reference_;
  std::vector<Scoreboard<Word>> outputs_;
  Scoreboard<TableOutputs> table_{"table", this->errors()};
  std::uint64_t due_ = 0;
  bool known_ = false;
  bool checked_ = false;  // this cycle is
  Source source_;
  Watch watch_;

  sc_core::sc_signal<PinValue<decltype(Dut::slot_i)>> slot_{"slot"};
  sc_core::sc_signal<PinValue<decltype(Dut::in_valid_i)>> in_valid_{"in_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::in_word_i)>> in_word_{"in_word"};
  sc_core::sc_signal<PinValue<decltype(Dut::in_slot_i)>> in_slot_{"in_slot"};
  sc_core::sc_signal<PinValue<decltype(Dut::out_valid_o)>> out_valid_{"out_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::out_word_o)>> out_word_{"out_word"};
  sc_core::sc_signal<bool> we_{"cfg_we"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_slot_i)>> cfg_slot_{"cfg_slot"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_column_i)>> cfg_column_{"cfg_column"};
  sc_core::sc_signal<bool> swap_{"swap"};
  sc_core::sc_signal<bool> pending_{"swap_pending"};
  sc_core::sc_signal<bool> swapped_{"swapped"};
};

}  // namespace weft::pins
