#pragma once
// IqRouterRtl on top of one Verilated size of iq_router. Included only where a Verilated class is at hand.

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/packet/iq_router_rtl.h"

namespace weft {

/// V: Verilated iq_router with these parameters.
template <class V, IqRouterRtlSize kSize>
class VerilatedIqRouter final : public VerilatedBlock<VerilatedIqRouter<V, kSize>, V, IqRouterRtl> {
  using Block = VerilatedBlock<VerilatedIqRouter, V, IqRouterRtl>;
  friend Block;

 public:
  VerilatedIqRouter(VerilatedContext& context, const std::string& name) : Block(context, name) {
    outputs_.flits.resize(kSize.ports);
    outputs_.credits.resize(kSize.ports);
  }

  const IqRouterOutputs& drive(const IqRouterInputs& in) override {
    V& top = this->top();
    rest(top);
    for (std::uint32_t p = 0; p < in.flits.size(); ++p) {
      const IqRouterInputs::Flit& flit = in.flits[p];
      if (!flit.valid) continue;
      set_bits(top.flit_valid_i, p, 1, 1);
      set_bits(top.flit_vc_i, p * kVcBits, kVcBits, flit.vc);
      set_bits(top.flit_tail_i, p, 1, flit.tail ? 1 : 0);
      each_word([&](std::uint32_t low, std::uint32_t bits) {
        set_bits(top.flit_data_i, p * kSize.width + low, bits, flit.word & mask(bits));
      });
      if (!flit.head) continue;
      set_bits(top.flit_head_i, p, 1, 1);
      set_bits(top.hop_first_i, p * kPortBits, kPortBits, flit.first);
      set_bits(top.hop_count_i, p * kCountBits, kCountBits, flit.count);
      set_bits(top.hop_vcs_i, p * kSize.vcs, kSize.vcs, flit.vcs);
    }
    for (std::uint32_t p = 0; p < in.credits.size(); ++p) {
      if (!in.credits[p].valid) continue;
      set_bits(top.credit_valid_i, p, 1, 1);
      set_bits(top.credit_vc_i, p * kVcBits, kVcBits, in.credits[p].vc);
    }
    this->low();
    for (std::uint32_t p = 0; p < kSize.ports; ++p) {
      IqRouterOutputs::Credit& credit = outputs_.credits[p];
      credit.valid = get_bits(top.credit_valid_o, p, 1) != 0;
      credit.vc = static_cast<std::uint8_t>(get_bits(top.credit_vc_o, p * kVcBits, kVcBits));
      IqRouterOutputs::Flit& flit = outputs_.flits[p];
      flit.valid = get_bits(top.flit_valid_o, p, 1) != 0;
      flit.head = get_bits(top.flit_head_o, p, 1) != 0;
      flit.tail = get_bits(top.flit_tail_o, p, 1) != 0;
      flit.vc = static_cast<std::uint8_t>(get_bits(top.flit_vc_o, p * kVcBits, kVcBits));
      flit.word = static_cast<std::uint32_t>(get_bits(top.flit_data_o, p * kSize.width, 32));
      flit.torn = false;
      each_word([&](std::uint32_t low, std::uint32_t bits) {
        const auto word = static_cast<std::uint32_t>(get_bits(top.flit_data_o, p * kSize.width + low, bits));
        flit.torn = flit.torn || word != (flit.word & mask(bits));
      });
    }
    return outputs_;
  }

  void end_cycle() override { this->edge(); }

  static auto inputs(V& top) {
    return std::tie(top.flit_valid_i, top.flit_vc_i, top.flit_head_i, top.flit_tail_i, top.flit_data_i, top.hop_first_i,
                    top.hop_count_i, top.hop_vcs_i, top.credit_valid_i, top.credit_vc_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.credit_valid_o, top.credit_vc_o, top.flit_valid_o, top.flit_vc_o, top.flit_head_o,
                    top.flit_tail_o, top.flit_data_o);
  }
  static constexpr std::uint32_t kVcBits = kSize.vcs > 1 ? std::bit_width(kSize.vcs - 1U) : 1;
  static constexpr std::uint32_t kPortBits = std::bit_width(kSize.ports - 1U);
  static constexpr std::uint32_t kCountBits = std::bit_width(kSize.trunk);
  static constexpr std::uint32_t kWidths[] = {kSize.ports,
                                              kSize.ports* kVcBits,
                                              kSize.ports,
                                              kSize.ports,
                                              kSize.ports* kSize.width,
                                              kSize.ports* kPortBits,
                                              kSize.ports* kCountBits,
                                              kSize.ports* kSize.vcs,
                                              kSize.ports,
                                              kSize.ports* kVcBits,
                                              kSize.ports,
                                              kSize.ports* kVcBits,
                                              kSize.ports,
                                              kSize.ports* kVcBits,
                                              kSize.ports,
                                              kSize.ports,
                                              kSize.ports* kSize.width};
  /// A cycle in which nothing arrives.
  static void rest(V& top) {
    std::apply([](auto&... pins) { (clear(pins), ...); }, inputs(top));
  }

 private:
  static constexpr std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t{0} >> (32 - bits); }
  template <class Visit>
  static void each_word(Visit&& visit) {
    for (std::uint32_t low = 0; low < kSize.width; low += 32) visit(low, std::min(kSize.width - low, 32U));
  }
  template <class Pin>
  static void clear(Pin& pin) {
    if constexpr (std::is_integral_v<Pin>) {
      pin = 0;
    } else {
      for (std::size_t i = 0; i < sizeof(pin) / sizeof(EData); ++i) pin[i] = 0;
    }
  }

  IqRouterOutputs outputs_;
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, IqRouterRtlSize kSize>
IqRouterBlock verilated_iq_router(const std::string& module) {
  static_assert(kSize.width >= 32, "the data of flits need 32 bits");
  return {module, [](const IqRouterNeed&) { return kSize; },
          [](VerilatedContext& context, const IqRouterRtlSize&, const std::string& name) {
            return std::make_unique<VerilatedIqRouter<V, kSize>>(context, name);
          }};
}

}  // namespace weft
