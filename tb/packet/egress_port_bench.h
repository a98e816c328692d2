#pragma once
// Bench of egress_port: every input pin from the traffic around the model's egress port, every output pin compared with
// that port in every cycle.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "packet/egress_traffic.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

template <class Dut>
class EgressPortBench final : public PinBench<Dut> {
 public:
  EgressPortBench(const sc_core::sc_module_name& name, const EgressShape& shape) : PinBench<Dut>(name), shape_(shape) {
    Dut& dut = this->dut();
    dut.cfg_we_i(cfg_we_);
    dut.cfg_high_i(cfg_high_);
    dut.cfg_index_i(cfg_index_);
    dut.cfg_sl_i(cfg_sl_);
    dut.cfg_weight_i(cfg_weight_);
    dut.limit_i(limit_);
    dut.minimum_i(minimum_);
    dut.maximum_i(maximum_);
    dut.shared_i(shared_);
    dut.next_minimum_i(next_minimum_);
    dut.next_maximum_i(next_maximum_);
    dut.next_shared_i(next_shared_);
    dut.room_o(room_);
    dut.reserve_i(reserve_);
    dut.flits_i(flits_);
    dut.head_i(head_);
    dut.vl_i(vl_);
    dut.sl_i(sl_);
    dut.size_i(size_);
    dut.data_i(data_);
    dut.credit_i(credit_);
    dut.credits_o(credits_);
    dut.grant_o(grant_);
    dut.grant_sl_o(grant_sl_);
    dut.grant_vl_o(grant_vl_);
    dut.link_valid_o(link_valid_);
    dut.link_head_o(link_head_);
    dut.link_tail_o(link_tail_);
    dut.link_vl_o(link_vl_);
    dut.link_data_o(link_data_);
  }

  /// Begins with a reset and an unused port of the model.
  void run(Cycle cycles, std::uint64_t seed) {
    const Cycle reset = 2 + static_cast<Cycle>(seed % 3);
    from_ = this->cycle() + 1 + reset;
    noise_.emplace(seed, "reset");
    traffic_.push_back(std::make_unique<EgressTraffic>(domain_, shape_, from_, seed));
    this->run_cycles(reset + cycles);
    messages_ += traffic_.back()->messages();
    traffic_.back()->end();
  }
  std::uint64_t messages() const { return messages_; }

 private:
  template <class Signal>
  static void write(Signal& signal, const Bits& bits) {
    signal.write(to_pins<std::remove_cvref_t<decltype(signal.read())>>(bits));
  }

  void drive() override {
    const bool reset = this->cycle() < from_;
    this->rst_n().write(!reset);
    const EgressShares& shares = traffic_.back()->shares();
    write(limit_, shares.limit);
    write(minimum_, shares.minimum);
    write(maximum_, shares.maximum);
    write(shared_, shares.shared);
    write(next_minimum_, shares.next_minimum);
    write(next_maximum_, shares.next_maximum);
    write(next_shared_, shares.next_shared);
    EgressInputs in(shape_);
    if (reset) {  // nothing that comes counts
      for (Bits* pins : in.all()) *pins = Bits::random(*noise_, pins->size());
    } else {
      in = traffic_.back()->inputs();
    }
    write(cfg_we_, in.cfg_we);
    write(cfg_high_, in.cfg_high);
    write(cfg_index_, in.cfg_index);
    write(cfg_sl_, in.cfg_sl);
    write(cfg_weight_, in.cfg_weight);
    write(reserve_, in.reserve);
    write(flits_, in.flits);
    write(head_, in.head);
    write(vl_, in.vl);
    write(sl_, in.sl);
    write(size_, in.size);
    write(data_, in.data);
    write(credit_, in.credit);
  }

  void monitor() override {
    if (this->cycle() < from_) return;
    EgressOutputs out(shape_);
    const auto read = [](Bits& bits, const auto& signal) { bits = from_pins(signal.read(), bits.size()); };
    read(out.room, room_);
    read(out.credits, credits_);
    read(out.grant, grant_);
    read(out.grant_sl, grant_sl_);
    read(out.grant_vl, grant_vl_);
    read(out.valid, link_valid_);
    read(out.head, link_head_);
    read(out.tail, link_tail_);
    read(out.vl, link_vl_);
    read(out.data, link_data_);
    const EgressOutputs expected = traffic_.back()->outputs(this->cycle());
    if (!(out == expected)) {
      // From here on the traffic, which follows the model, breaks the rules of the block.
      sc_core::sc_pause();
      this->errors().add(this->cycle(), fmt::format("{}\n  instead of {}", out.text(), expected.text()));
    }
  }

  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;

  const EgressShape shape_;
  ClockDomain domain_{"clock", Duration{10'000}};
  std::vector<std::unique_ptr<EgressTraffic>> traffic_;
  Cycle from_ = 0;
  std::optional<RandomStream> noise_;
  std::uint64_t messages_ = 0;

  Signal<decltype(Dut::cfg_we_i)> cfg_we_{"cfg_we"};
  Signal<decltype(Dut::cfg_high_i)> cfg_high_{"cfg_high"};
  Signal<decltype(Dut::cfg_index_i)> cfg_index_{"cfg_index"};
  Signal<decltype(Dut::cfg_sl_i)> cfg_sl_{"cfg_sl"};
  Signal<decltype(Dut::cfg_weight_i)> cfg_weight_{"cfg_weight"};
  Signal<decltype(Dut::limit_i)> limit_{"limit"};
  Signal<decltype(Dut::minimum_i)> minimum_{"minimum"};
  Signal<decltype(Dut::maximum_i)> maximum_{"maximum"};
  Signal<decltype(Dut::shared_i)> shared_{"shared"};
  Signal<decltype(Dut::next_minimum_i)> next_minimum_{"next_minimum"};
  Signal<decltype(Dut::next_maximum_i)> next_maximum_{"next_maximum"};
  Signal<decltype(Dut::next_shared_i)> next_shared_{"next_shared"};
  Signal<decltype(Dut::room_o)> room_{"room"};
  Signal<decltype(Dut::reserve_i)> reserve_{"reserve"};
  Signal<decltype(Dut::flits_i)> flits_{"flits"};
  Signal<decltype(Dut::head_i)> head_{"head"};
  Signal<decltype(Dut::vl_i)> vl_{"vl"};
  Signal<decltype(Dut::sl_i)> sl_{"sl"};
  Signal<decltype(Dut::size_i)> size_{"size"};
  Signal<decltype(Dut::data_i)> data_{"data"};
  Signal<decltype(Dut::credit_i)> credit_{"credit"};
  Signal<decltype(Dut::credits_o)> credits_{"credits"};
  Signal<decltype(Dut::grant_o)> grant_{"grant"};
  Signal<decltype(Dut::grant_sl_o)> grant_sl_{"grant_sl"};
  Signal<decltype(Dut::grant_vl_o)> grant_vl_{"grant_vl"};
  Signal<decltype(Dut::link_valid_o)> link_valid_{"link_valid"};
  Signal<decltype(Dut::link_head_o)> link_head_{"link_head"};
  Signal<decltype(Dut::link_tail_o)> link_tail_{"link_tail"};
  Signal<decltype(Dut::link_vl_o)> link_vl_{"link_vl"};
  Signal<decltype(Dut::link_data_o)> link_data_{"link_data"};
};

}  // namespace weft::pins
