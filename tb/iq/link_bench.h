#pragma once
// Common part of the benches of input-queued RTL: every pin of flits and credits from the traffic around the model,
// every output pin compared with the model in every cycle.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "iq/link_traffic.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

template <class Dut, class Traffic, class Shape>
class LinkBench : public PinBench<Dut> {
 public:
  /// A run begins with a reset and an unused model, of which there are `runs`.
  LinkBench(const sc_core::sc_module_name& name, const Shape& shape, std::uint64_t runs)
      : PinBench<Dut>(name), links_(shape.links()) {
    Dut& dut = this->dut();
    dut.flit_valid_i(valid_);
    dut.flit_vc_i(vc_);
    dut.flit_head_i(head_);
    dut.flit_tail_i(tail_);
    dut.flit_data_i(data_);
    dut.credit_valid_o(credit_valid_out_);
    dut.credit_vc_o(credit_vc_out_);
    dut.flit_valid_o(valid_out_);
    dut.flit_vc_o(vc_out_);
    dut.flit_head_o(head_out_);
    dut.flit_tail_o(tail_out_);
    dut.flit_data_o(data_out_);
    dut.credit_valid_i(credit_valid_);
    dut.credit_vc_i(credit_vc_);
    for (std::uint64_t r = 0; r < runs; ++r) {
      traffic_.push_back(std::make_unique<Traffic>(sc_core::sc_gen_unique_name("traffic"), domain_, shape));
    }
  }

  void run(Cycle cycles, std::uint64_t seed) {
    // Short ones too: what is in the stages does not leave in the meantime.
    const Cycle reset = 2 + static_cast<Cycle>(seed % 3);
    now_ = traffic_[next_++].get();
    from_ = this->cycle() + reset;
    random_.emplace(seed, "reset");
    now_->begin(from_, seed);
    this->run_cycles(reset + cycles);
    flits_ += now_->flits();
    now_->end();
  }

  /// As run(), and keeps the pins of each cycle.
  void record(Cycle cycles, std::uint64_t seed) {
    recording_ = true;
    run(cycles, seed);
    recording_ = false;
  }
  /// A reset, then the inputs that were recorded once more: no model runs, the outputs are those of then.
  void replay() {
    const Cycle reset = 2;
    from_ = this->cycle() + reset;
    replaying_ = true;
    this->run_cycles(reset + static_cast<Cycle>(recorded_.size()) - 1);
    replaying_ = false;
  }

  /// That left in all runs.
  std::uint64_t flits() const { return flits_; }

 protected:
  /// Sets further pins of a cycle; `noise`: a reset is on, nothing that comes counts. Null for `now` in replay().
  virtual void drive_more(const Traffic*, RandomStream* /*noise*/) {}

  template <class Signal>
  static void write(Signal& signal, const Bits& bits) {
    signal.write(to_pins<std::remove_cvref_t<decltype(signal.read())>>(bits));
  }
  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;

 private:
  struct Recorded {
    LinkPins in, out;
  };

  const Recorded& recorded_now() const { return recorded_.at(static_cast<std::size_t>(this->cycle() - from_)); }

  void drive() override {
    const bool reset = this->cycle() < from_;
    this->rst_n().write(!reset);
    if (reset) {
      LinkPins noise(links_);
      for (Bits* pins : noise.all()) *pins = Bits::random(*random_, pins->size());
      write_all(noise);
    } else {
      write_all(replaying_ ? recorded_now().in : now_->inputs());
    }
    drive_more(replaying_ ? nullptr : now_, reset ? &*random_ : nullptr);
  }

  void write_all(const LinkPins& in) {
    write(valid_, in.valid);
    write(vc_, in.vc);
    write(head_, in.head);
    write(tail_, in.tail);
    write(data_, in.data);
    write(credit_valid_, in.credit_valid);
    write(credit_vc_, in.credit_vc);
  }

  void monitor() override {
    if (this->cycle() < from_) return;
    LinkPins out(links_);
    const auto read = [](Bits& bits, const auto& signal) { bits = from_pins(signal.read(), bits.size()); };
    read(out.credit_valid, credit_valid_out_);
    read(out.credit_vc, credit_vc_out_);
    read(out.valid, valid_out_);
    read(out.vc, vc_out_);
    read(out.head, head_out_);
    read(out.tail, tail_out_);
    read(out.data, data_out_);
    const LinkPins expected = replaying_ ? recorded_now().out : now_->outputs(this->cycle());
    if (recording_) recorded_.push_back({now_->inputs(), out});
    if (!(out == expected)) {
      // From here on the neighbours, who follow the model, break the rules of links for the block.
      sc_core::sc_pause();
      this->errors().add(this->cycle(), fmt::format("{}\n  instead of {}", out.text(), expected.text()));
    }
  }

  const LinkShape links_;
  ClockDomain domain_{"clock", Duration{10'000}};
  std::vector<std::unique_ptr<Traffic>> traffic_;
  Traffic* now_ = nullptr;
  std::size_t next_ = 0;
  Cycle from_ = 0;
  std::optional<RandomStream> random_;
  std::uint64_t flits_ = 0;
  bool recording_ = false;
  bool replaying_ = false;
  std::vector<Recorded> recorded_;

  Signal<decltype(Dut::flit_valid_i)> valid_{"flit_valid"};
  Signal<decltype(Dut::flit_vc_i)> vc_{"flit_vc"};
  Signal<decltype(Dut::flit_head_i)> head_{"flit_head"};
  Signal<decltype(Dut::flit_tail_i)> tail_{"flit_tail"};
  Signal<decltype(Dut::flit_data_i)> data_{"flit_data"};
  Signal<decltype(Dut::credit_valid_i)> credit_valid_{"credit_valid"};
  Signal<decltype(Dut::credit_vc_i)> credit_vc_{"credit_vc"};
  Signal<decltype(Dut::credit_valid_o)> credit_valid_out_{"credit_valid_out"};
  Signal<decltype(Dut::credit_vc_o)> credit_vc_out_{"credit_vc_out"};
  Signal<decltype(Dut::flit_valid_o)> valid_out_{"flit_valid_out"};
  Signal<decltype(Dut::flit_vc_o)> vc_out_{"flit_vc_out"};
  Signal<decltype(Dut::flit_head_o)> head_out_{"flit_head_out"};
  Signal<decltype(Dut::flit_tail_o)> tail_out_{"flit_tail_out"};
  Signal<decltype(Dut::flit_data_o)> data_out_{"flit_data_out"};
};

}  // namespace weft::pins
