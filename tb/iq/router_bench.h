#pragma once
// Bench of iq_router: every input pin from the traffic around the model's router, every output pin compared with that
// router in every cycle.

#include <memory>
#include <vector>

#include "iq/router_traffic.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

template <class Dut>
class RouterBench final : public PinBench<Dut> {
 public:
  /// A run begins with a reset and an unused router of the model, of which there are `runs`.
  RouterBench(const sc_core::sc_module_name& name, const RouterShape& shape, std::uint64_t runs)
      : PinBench<Dut>(name), shape_(shape) {
    Dut& dut = this->dut();
    dut.flit_valid_i(valid_);
    dut.flit_vc_i(vc_);
    dut.flit_head_i(head_);
    dut.flit_tail_i(tail_);
    dut.flit_data_i(data_);
    dut.hop_first_i(hop_first_);
    dut.hop_count_i(hop_count_);
    dut.hop_vcs_i(hop_vcs_);
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
      traffic_.push_back(std::make_unique<RouterTraffic>(sc_core::sc_gen_unique_name("traffic"), domain_, shape));
    }
  }

  void run(Cycle cycles, std::uint64_t seed) {
    // Short ones too: what is in the stages does not leave in the meantime.
    const Cycle reset = 2 + static_cast<Cycle>(seed % 3);
    now_ = traffic_[next_++].get();
    from_ = this->cycle() + reset;
    reset_.emplace(seed, "reset");
    now_->begin(from_, seed);
    this->run_cycles(reset + cycles);
    flits_ += now_->flits();
    now_->end();
  }
  std::uint64_t flits() const { return flits_; }

 private:
  // Nothing that comes during a reset counts.
  RouterInputs noise() {
    RouterInputs in(shape_);
    for (Bits* pins : {&in.valid, &in.vc, &in.head, &in.tail, &in.data, &in.hop_first, &in.hop_count, &in.hop_vcs,
                       &in.credit_valid, &in.credit_vc}) {
      *pins = Bits::random(*reset_, pins->size());
    }
    return in;
  }

  template <class Signal>
  static void write(Signal& signal, const Bits& bits) {
    signal.write(to_pins<std::remove_cvref_t<decltype(signal.read())>>(bits));
  }

  void drive() override {
    const bool reset = this->cycle() < from_;
    const RouterInputs in = reset ? noise() : now_->inputs();
    this->rst_n().write(!reset);
    write(valid_, in.valid);
    write(vc_, in.vc);
    write(head_, in.head);
    write(tail_, in.tail);
    write(data_, in.data);
    write(hop_first_, in.hop_first);
    write(hop_count_, in.hop_count);
    write(hop_vcs_, in.hop_vcs);
    write(credit_valid_, in.credit_valid);
    write(credit_vc_, in.credit_vc);
  }

  void monitor() override {
    if (this->cycle() < from_) return;
    RouterOutputs out(shape_);
    const auto read = [](Bits& bits, const auto& signal) { bits = from_pins(signal.read(), bits.size()); };
    read(out.credit_valid, credit_valid_out_);
    read(out.credit_vc, credit_vc_out_);
    read(out.valid, valid_out_);
    read(out.vc, vc_out_);
    read(out.head, head_out_);
    read(out.tail, tail_out_);
    read(out.data, data_out_);
    const RouterOutputs expected = now_->outputs(this->cycle());
    if (!(out == expected)) {
      // From here on the neighbours, who follow the model, break the rules of links for the block.
      sc_core::sc_pause();
      this->errors().add(this->cycle(), fmt::format("{}\n  instead of {}", out.text(), expected.text()));
    }
  }

  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;

  const RouterShape shape_;
  ClockDomain domain_{"clock", Duration{10'000}};
  std::vector<std::unique_ptr<RouterTraffic>> traffic_;
  RouterTraffic* now_ = nullptr;
  std::size_t next_ = 0;
  Cycle from_ = 0;
  std::optional<RandomStream> reset_;
  std::uint64_t flits_ = 0;

  Signal<decltype(Dut::flit_valid_i)> valid_{"flit_valid"};
  Signal<decltype(Dut::flit_vc_i)> vc_{"flit_vc"};
  Signal<decltype(Dut::flit_head_i)> head_{"flit_head"};
  Signal<decltype(Dut::flit_tail_i)> tail_{"flit_tail"};
  Signal<decltype(Dut::flit_data_i)> data_{"flit_data"};
  Signal<decltype(Dut::hop_first_i)> hop_first_{"hop_first"};
  Signal<decltype(Dut::hop_count_i)> hop_count_{"hop_count"};
  Signal<decltype(Dut::hop_vcs_i)> hop_vcs_{"hop_vcs"};
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
