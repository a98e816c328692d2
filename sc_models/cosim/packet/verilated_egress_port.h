#pragma once
// One Verilated size of egress_port as an EgressPortRtl. Included only where a Verilated class is at hand.

#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/packet/egress_port_rtl.h"

namespace weft {

/// V: Verilated egress_port with these parameters.
template <class V, EgressPortRtlSize kSize>
class VerilatedEgressPort final : public VerilatedBlock<VerilatedEgressPort<V, kSize>, V, EgressPortRtl> {
 public:
  VerilatedEgressPort(VerilatedContext& context, const EgressPortNeed& need, const std::string& name)
      : VerilatedBlock<VerilatedEgressPort, V, EgressPortRtl>(context, name), need_(need) {
    outputs_.room.resize(need.lanes);
    outputs_.credits.resize(need.lanes);
    prepare(this->top());
  }

  const EgressPortOutputs& drive(const EgressPortInputs& in) override {
    V& top = this->top();
    for (std::uint32_t v = 0; v < need_.lanes; ++v) {
      set_bits(top.reserve_i, v * kPlaceBits, kPlaceBits, in.reserve.empty() ? 0 : in.reserve[v]);
      set_bits(top.credit_i, v * kNextBits, kNextBits, in.credit.empty() ? 0 : in.credit[v]);
    }
    set_bits(top.flits_i, 0, kRateBits, in.words.size());
    top.head_i = in.head ? 1 : 0;
    set_bits(top.vl_i, 0, kLaneBits, in.lane);
    set_bits(top.sl_i, 0, kLevelBits, in.level);
    set_bits(top.size_i, 0, kSize.scheduler.size_bits, in.flits);
    for (std::size_t i = 0; i < in.words.size(); ++i) set_bits(top.data_i, i * kSize.width, 32, in.words[i]);
    this->low();
    EgressPortOutputs& out = outputs_;
    out.grant = {top.grant_o != 0, static_cast<ServiceLevel>(top.grant_sl_o), static_cast<VirtualLane>(top.grant_vl_o)};
    out.flit = {top.link_valid_o != 0, top.link_head_o != 0, top.link_tail_o != 0,
                static_cast<VirtualLane>(top.link_vl_o), static_cast<std::uint32_t>(get_bits(top.link_data_o, 0, 32))};
    for (std::uint32_t v = 0; v < need_.lanes; ++v) {
      out.room[v] = static_cast<std::uint32_t>(get_bits(top.room_o, v * kPlaceBits, kPlaceBits));
      out.credits[v] = static_cast<std::uint32_t>(get_bits(top.credits_o, v * kNextBits, kNextBits));
    }
    return out;
  }
  void end_cycle() override { this->edge(); }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_high_i, top.cfg_index_i, top.cfg_sl_i, top.cfg_weight_i, top.limit_i,
                    top.minimum_i, top.maximum_i, top.shared_i, top.next_minimum_i, top.next_maximum_i,
                    top.next_shared_i, top.reserve_i, top.flits_i, top.head_i, top.vl_i, top.sl_i, top.size_i,
                    top.data_i, top.credit_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.room_o, top.credits_o, top.grant_o, top.grant_sl_o, top.grant_vl_o, top.link_valid_o,
                    top.link_head_o, top.link_tail_o, top.link_vl_o, top.link_data_o);
  }
  /// A cycle in which nothing comes.
  static void rest(V& top) {
    for (std::uint32_t v = 0; v < kSize.lanes; ++v) {
      set_bits(top.reserve_i, v * kPlaceBits, kPlaceBits, 0);
      set_bits(top.credit_i, v * kNextBits, kNextBits, 0);
    }
    top.flits_i = 0;
  }

  /// Sets the shares of both buffers, which stay, and writes the tables.
  void prepare(V& top) {
    shares(need_.output, kPlaceBits, top.minimum_i, top.maximum_i, top.shared_i);
    shares(need_.next, kNextBits, top.next_minimum_i, top.next_maximum_i, top.next_shared_i);
    rest(top);
    const SchedulerConfig& s = need_.scheduler;
    set_pin(top.limit_i, s.limit_of_high_priority);
    top.cfg_we_i = 1;
    const auto write = [&](bool high, std::size_t index, std::uint32_t sl, std::uint32_t weight) {
      top.cfg_high_i = high ? 1 : 0;
      set_bits(top.cfg_index_i, 0, kEntryBits, index);
      set_bits(top.cfg_sl_i, 0, kLevelBits, sl);
      set_bits(top.cfg_weight_i, 0, kSize.scheduler.weight_bits, weight);
      this->tick(top);
    };
    const auto table = [&](bool high, const ArbitrationTable& entries) {
      for (std::size_t i = 0; i < entries.size(); ++i) write(high, i, entries[i].sl, entries[i].weight);
    };
    // A configuration may hold what other schedulers are made from.
    switch (egress_scheduler(*s.type)) {
      case 0:
        table(false, s.table);
        break;
      case 1:
        for (std::size_t sl = 0; sl < s.quanta.size(); ++sl) {
          write(false, 0, static_cast<std::uint32_t>(sl), s.quanta[sl]);
        }
        break;
      default:
        table(true, s.high);
        table(false, s.low);
    }
    top.cfg_we_i = 0;
  }

  static constexpr std::uint32_t bits(std::uint32_t numbers) { return numbers > 1 ? std::bit_width(numbers - 1) : 1; }
  static constexpr std::uint32_t kLevelBits = bits(kSize.scheduler.levels);
  static constexpr std::uint32_t kLaneBits = bits(kSize.lanes);
  static constexpr std::uint32_t kEntryBits = bits(kSize.scheduler.entries);
  static constexpr std::uint32_t kPlaceBits = bits(kSize.depth + 1);
  static constexpr std::uint32_t kNextBits = bits(kSize.next_depth + 1);
  static constexpr std::uint32_t kRateBits = bits(kSize.rate + 1);
  static constexpr std::uint32_t kPlaces = kSize.lanes * kPlaceBits;
  static constexpr std::uint32_t kNexts = kSize.lanes * kNextBits;
  static constexpr std::uint32_t kWidths[] = {1,
                                              1,
                                              kEntryBits,
                                              kLevelBits,
                                              kSize.scheduler.weight_bits,
                                              8,
                                              kPlaces,
                                              kPlaces,
                                              kPlaceBits,
                                              kNexts,
                                              kNexts,
                                              kNextBits,
                                              kPlaces,
                                              kRateBits,
                                              1,
                                              kLaneBits,
                                              kLevelBits,
                                              kSize.scheduler.size_bits,
                                              kSize.rate* kSize.width,
                                              kNexts,
                                              kPlaces,
                                              kNexts,
                                              1,
                                              kLevelBits,
                                              kLaneBits,
                                              1,
                                              1,
                                              1,
                                              kLaneBits,
                                              kSize.width};

 private:
  template <class Numbers, class Number>
  static void shares(const BufferShares& of, std::uint32_t width, Numbers& minimum, Numbers& maximum, Number& shared) {
    for (std::uint32_t v = 0; v < kSize.lanes; ++v) {  // VLs that are not used have no space
      set_bits(minimum, v * width, width, v < of.minimum.size() ? of.minimum[v] : 0);
      set_bits(maximum, v * width, width, v < of.maximum.size() ? of.maximum[v] : 0);
    }
    set_bits(shared, 0, width, of.capacity - std::accumulate(of.minimum.begin(), of.minimum.end(), std::uint32_t{0}));
  }

  EgressPortNeed need_;
  EgressPortOutputs outputs_;
};

/// A Verilated module as a block to register. `module`: its top module; kScheduler: parameter Scheduler.
template <class V, EgressPortRtlSize kSize, unsigned kScheduler>
EgressPortBlock verilated_egress_port(const std::string& module) {
  return {module, [](unsigned) { return kSize; }, [](unsigned scheduler) { return scheduler == kScheduler; },
          [](VerilatedContext& context, const EgressPortNeed& need, const std::string& name) {
            return std::make_unique<VerilatedEgressPort<V, kSize>>(context, need, name);
          }};
}

}  // namespace weft
