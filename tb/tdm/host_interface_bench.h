#pragma once
// Bench of host_interface: every output pin in every cycle, against HostReference.

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <type_traits>

#include "tdm/host_reference.h"
#include "tdm/pin_bench.h"

namespace weft::pins {

template <class Dut>
class HostInterfaceBench final : public PinBench<Dut> {
 public:
  using Source = std::function<HostInputs(const HostReference&)>;
  using Watch = std::function<void(Cycle, const HostInputs&, const HostOutputs&)>;

  HostInterfaceBench(const sc_core::sc_module_name& name, const HostShape& shape)
      : PinBench<Dut>(name), shape_(shape), reference_(shape) {
    Dut& dut = this->dut();
    dut.slot_i(slot_);
    dut.msg_valid_i(msg_valid_);
    dut.msg_last_i(msg_last_);
    dut.msg_ready_o(msg_ready_);
    dut.out_valid_o(out_valid_);
    dut.out_circuit_o(out_circuit_);
    dut.out_index_o(out_index_);
    dut.out_first_o(out_first_);
    dut.out_last_o(out_last_);
    dut.data_i(data_);
    dut.out_word_o(out_word_);
    dut.in_slot_i(in_slot_);
    dut.in_valid_i(in_valid_);
    dut.in_last_i(in_last_);
    dut.in_word_i(in_word_);
    dut.rx_valid_o(rx_valid_);
    dut.rx_circuit_o(rx_circuit_);
    dut.rx_index_o(rx_index_);
    dut.rx_first_o(rx_first_);
    dut.rx_last_o(rx_last_);
    dut.rx_word_o(rx_word_);
    dut.rx_stray_o(rx_stray_);
    dut.cfg_we_i(cfg_we_);
    dut.cfg_slot_i(cfg_slot_);
    dut.cfg_out_i(cfg_out_);
    dut.cfg_in_i(cfg_in_);
    dut.swap_i(swap_);
    dut.swap_pending_o(swap_pending_);
    dut.swapped_o(swapped_);
    dut.in_swapped_o(in_swapped_);
  }

  /// Applies what `source` gives for so many cycles. The first cycle of the bench must be one of reset.
  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// Called in every checked cycle with the inputs and what the pins show.
  void watch(Watch watch) { watch_ = std::move(watch); }
  const HostReference& reference() const { return reference_; }

 private:
  template <class Signal>
  static void write(Signal& signal, const Bits& bits) {
    signal.write(to_pins<std::remove_cvref_t<decltype(signal.read())>>(bits));
  }
  static Bits number(std::uint32_t value, std::uint32_t width) {
    Bits bits(width);
    bits.set(0, width, value);
    return bits;
  }
  Bits column(const HostColumn& entries) const {
    Bits bits(std::size_t{shape_.links} * shape_.entry_bits());
    for (std::uint32_t link = 0; link < shape_.links; ++link) {
      if (!entries[link]) continue;
      const std::uint64_t valid = std::uint64_t{1} << shape_.circuit_bits();
      bits.set(std::size_t{link} * shape_.entry_bits(), shape_.entry_bits(), valid | *entries[link]);
    }
    return bits;
  }

  void drive() override {
    in_.emplace(source_(reference_));
    this->rst_n().write(in_->reset_n);
    write(slot_, number(in_->slot, shape_.slot_bits()));
    write(msg_valid_, in_->message);
    write(msg_last_, in_->last);
    write(data_, in_->data);
    write(in_slot_, number(in_->label, shape_.slot_bits()));
    write(in_valid_, in_->in_valid);
    write(in_last_, in_->in_last);
    write(in_word_, in_->in_word);
    cfg_we_.write(in_->write);
    write(cfg_slot_, number(in_->write_slot, shape_.slot_bits()));
    write(cfg_out_, column(in_->out));
    write(cfg_in_, column(in_->in));
    swap_.write(in_->swap);
    expected_.emplace(reference_.step(*in_));
    checked_ = known_;
    known_ = known_ || !in_->reset_n;
  }

  void monitor() override {
    if (!checked_) return;  // no reset yet
    HostOutputs out(shape_);
    const auto read = [](Bits& bits, const auto& signal) { bits = from_pins(signal.read(), bits.size()); };
    read(out.ready, msg_ready_);
    read(out.out.valid, out_valid_);
    read(out.out.circuit, out_circuit_);
    read(out.out.index, out_index_);
    read(out.out.first, out_first_);
    read(out.out.last, out_last_);
    read(out.out.word, out_word_);
    read(out.in.valid, rx_valid_);
    read(out.in.circuit, rx_circuit_);
    read(out.in.index, rx_index_);
    read(out.in.first, rx_first_);
    read(out.in.last, rx_last_);
    read(out.in.word, rx_word_);
    read(out.stray, rx_stray_);
    out.pending = swap_pending_.read();
    out.swapped = swapped_.read();
    out.in_swapped = in_swapped_.read();
    if (!(out == *expected_)) {
      this->errors().add(this->cycle(), fmt::format("{}\n  instead of {}", out.text(), expected_->text()));
    }
    if (watch_) watch_(this->cycle(), *in_, out);
  }

  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;

  const HostShape shape_;
  HostReference reference_;
  std::optional<HostInputs> in_;
  std::optional<HostOutputs> expected_;
  bool known_ = false;
  bool checked_ = false;  // this cycle is
  Source source_;
  Watch watch_;

  Signal<decltype(Dut::slot_i)> slot_{"slot"};
  Signal<decltype(Dut::msg_valid_i)> msg_valid_{"msg_valid"};
  Signal<decltype(Dut::msg_last_i)> msg_last_{"msg_last"};
  Signal<decltype(Dut::msg_ready_o)> msg_ready_{"msg_ready"};
  Signal<decltype(Dut::out_valid_o)> out_valid_{"out_valid"};
  Signal<decltype(Dut::out_circuit_o)> out_circuit_{"out_circuit"};
  Signal<decltype(Dut::out_index_o)> out_index_{"out_index"};
  Signal<decltype(Dut::out_first_o)> out_first_{"out_first"};
  Signal<decltype(Dut::out_last_o)> out_last_{"out_last"};
  Signal<decltype(Dut::data_i)> data_{"data"};
  Signal<decltype(Dut::out_word_o)> out_word_{"out_word"};
  Signal<decltype(Dut::in_slot_i)> in_slot_{"in_slot"};
  Signal<decltype(Dut::in_valid_i)> in_valid_{"in_valid"};
  Signal<decltype(Dut::in_last_i)> in_last_{"in_last"};
  Signal<decltype(Dut::in_word_i)> in_word_{"in_word"};
  Signal<decltype(Dut::rx_valid_o)> rx_valid_{"rx_valid"};
  Signal<decltype(Dut::rx_circuit_o)> rx_circuit_{"rx_circuit"};
  Signal<decltype(Dut::rx_index_o)> rx_index_{"rx_index"};
  Signal<decltype(Dut::rx_first_o)> rx_first_{"rx_first"};
  Signal<decltype(Dut::rx_last_o)> rx_last_{"rx_last"};
  Signal<decltype(Dut::rx_word_o)> rx_word_{"rx_word"};
  Signal<decltype(Dut::rx_stray_o)> rx_stray_{"rx_stray"};
  Signal<decltype(Dut::cfg_we_i)> cfg_we_{"cfg_we"};
  Signal<decltype(Dut::cfg_slot_i)> cfg_slot_{"cfg_slot"};
  Signal<decltype(Dut::cfg_out_i)> cfg_out_{"cfg_out"};
  Signal<decltype(Dut::cfg_in_i)> cfg_in_{"cfg_in"};
  Signal<decltype(Dut::swap_i)> swap_{"swap"};
  Signal<decltype(Dut::swap_pending_o)> swap_pending_{"swap_pending"};
  Signal<decltype(Dut::swapped_o)> swapped_{"swapped"};
  Signal<decltype(Dut::in_swapped_o)> in_swapped_{"in_swapped"};
};

}  // namespace weft::pins
