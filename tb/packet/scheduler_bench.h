#pragma once
// Bench of dtable, drr and ib_arbiter: inputs on the pins, grant and saturation compared with the plain class in every
// cycle.

#include <functional>
#include <utility>

#include "packet/scheduler_driver.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

/// Type of the values of the port that names an entry; drr has none.
template <class Dut>
struct IndexPin {
  using Value = bool;
};
template <class Dut>
requires requires(Dut& d) { d.cfg_index_i; }
struct IndexPin<Dut> {
  using Value = PinValue<decltype(Dut::cfg_index_i)>;
};

template <class Dut>
class SchedulerBench final : public PinBench<Dut> {
 public:
  using Source = std::function<SchedulerInputs()>;
  using Taken = std::function<void(std::optional<ServiceLevel>)>;
  using Watch = std::function<void(const SchedulerOutputs&)>;

  SchedulerBench(const sc_core::sc_module_name& name, const SchedulerShape& shape)
      : PinBench<Dut>(name), reference_(shape) {
    Dut& dut = this->dut();
    dut.cfg_we_i(we_);
    if constexpr (kTable) dut.cfg_index_i(index_);
    dut.cfg_sl_i(sl_);
    dut.cfg_weight_i(weight_);
    dut.decide_i(decide_);
    dut.active_i(active_);
    dut.size_i(size_);
    dut.grant_o(grant_);
    dut.grant_sl_o(grant_sl_);
    if constexpr (kSaturates) dut.saturated_o(saturated_);
    if constexpr (kTwoTables) {
      dut.cfg_high_i(high_);
      dut.limit_i(limit_);
    }
  }

  /// Applies what `source` gives for so many cycles; `taken` is told what is granted.
  void run(Cycle cycles, Source source, Taken taken) {
    source_ = std::move(source);
    taken_ = std::move(taken);
    this->run_cycles(cycles);
  }
  /// Called with the pins of every cycle.
  void watch(Watch watch) { watch_ = std::move(watch); }

  std::uint64_t grants() const { return grants_; }
  std::uint64_t saturations() const { return saturations_; }

 private:
  static constexpr bool kTable = requires(Dut & d) { d.cfg_index_i; };
  static constexpr bool kSaturates = requires(Dut & d) { d.saturated_o; };
  static constexpr bool kTwoTables = requires(Dut & d) { d.cfg_high_i; };

  template <class Value>
  static Value levels(std::uint32_t set, std::uint32_t count) {
    Bits bits(count);
    bits.set(0, count, set);
    return to_pins<Value>(bits);
  }

  void drive() override {
    const SchedulerInputs in = source_();
    const SchedulerShape& shape = reference_.shape();
    const SchedulerOutputs out = reference_.decide(in);
    if (in.reset_n) taken_(out.grant);
    reference_.end_cycle(in, out);
    this->rst_n().write(in.reset_n);
    we_.write(in.write);
    if constexpr (kTable) {
      index_.write(static_cast<IndexValue>(in.index));
      sl_.write(static_cast<SlValue>(in.entry.sl));
    } else {
      sl_.write(static_cast<SlValue>(in.index));
    }
    weight_.write(static_cast<PinValue<decltype(Dut::cfg_weight_i)>>(in.entry.weight));
    high_.write(in.high);
    limit_.write(in.limit);
    decide_.write(in.decide);
    active_.write(levels<LevelsValue>(in.view.active, shape.levels));
    Bits sizes(std::size_t{shape.levels} * shape.size_bits);
    for (std::uint32_t sl = 0; sl < shape.levels; ++sl) {
      sizes.set(std::size_t{sl} * shape.size_bits, shape.size_bits, in.view.head[sl]);
    }
    size_.write(to_pins<PinValue<decltype(Dut::size_i)>>(sizes));
    expected_ = out;
    known_ = known_ || !in.reset_n;
  }

  void monitor() override {
    if (!known_) return;  // no reset yet
    SchedulerOutputs out;
    const auto sl = static_cast<ServiceLevel>(grant_sl_.read());
    if (grant_.read()) out.grant = sl;
    out.saturated = saturated_.read();
    if (!(out == expected_)) {
      this->errors().add(this->cycle(), fmt::format("{} instead of {}", out.text(), expected_.text()));
    }
    if (!out.grant && sl != 0) this->errors().add(this->cycle(), fmt::format("grant_sl_o is {} without a grant", sl));
    grants_ += out.grant ? 1 : 0;
    saturations_ += out.saturated ? 1 : 0;
    if (watch_) watch_(out);
  }

  using IndexValue = typename IndexPin<Dut>::Value;
  using SlValue = PinValue<decltype(Dut::cfg_sl_i)>;
  using LevelsValue = PinValue<decltype(Dut::active_i)>;

  SchedulerReference reference_;
  SchedulerOutputs expected_;
  bool known_ = false;
  std::uint64_t grants_ = 0;
  std::uint64_t saturations_ = 0;
  Source source_;
  Taken taken_;
  Watch watch_;

  sc_core::sc_signal<bool> we_{"cfg_we"};
  sc_core::sc_signal<IndexValue> index_{"cfg_index"};
  sc_core::sc_signal<SlValue> sl_{"cfg_sl"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_weight_i)>> weight_{"cfg_weight"};
  sc_core::sc_signal<bool> high_{"cfg_high"};
  sc_core::sc_signal<std::uint32_t> limit_{"limit"};
  sc_core::sc_signal<bool> decide_{"decide"};
  sc_core::sc_signal<LevelsValue> active_{"active"};
  sc_core::sc_signal<PinValue<decltype(Dut::size_i)>> size_{"size"};
  sc_core::sc_signal<bool> grant_{"grant"};
  sc_core::sc_signal<PinValue<decltype(Dut::grant_sl_o)>> grant_sl_{"grant_sl"};
  sc_core::sc_signal<bool> saturated_{"saturated"};
};

}  // namespace weft::pins
