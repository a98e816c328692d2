#pragma once
// The interfaces of optweb_rtl.h on top of Verilated classes. Included only where a Verilated class is at hand.
//
// step() is one clock cycle: inputs with the clock low, outputs, rising edge. What a block at rest has to say about
// waiting is told from the pins alone.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "base/diagnostics.h"
#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft::optweb {

/// link_sync with words of 64 bits.
template <class V>
class VerilatedLinkSync final : public VerilatedBlock<VerilatedLinkSync<V>, V, LinkSyncRtl> {
 public:
  VerilatedLinkSync(VerilatedContext& context, std::uint32_t gap, const std::string& name)
      : VerilatedBlock<VerilatedLinkSync, V, LinkSyncRtl>(context, name), settles_after_(2 * gap + 6) {}

  LinkSyncOutputs step(const LinkSyncInputs& in) override {
    V& top = this->top();
    top.tx_notify_i = in.notify;
    top.tx_valid_i = in.valid;
    top.tx_data_i = in.word;
    top.link_active_i = in.link_active;
    top.link_data_i = in.link_word;
    this->low();
    LinkSyncOutputs out;
    out.notify_ready = top.tx_notify_ready_o != 0;
    out.ready = top.tx_ready_o != 0;
    out.link_active = top.link_active_o != 0;
    out.link_word = top.link_data_o;
    out.notified = top.rx_notify_o != 0;
    out.received = top.rx_valid_o != 0;
    out.received_word = top.rx_data_o;
    this->edge();
    const bool same = controls(in) == controls(inputs_) && controls(out) == controls(outputs_);
    same_for_ = same ? std::min(same_for_ + 1, settles_after_) : 1;
    inputs_ = in;
    outputs_ = out;
    return out;
  }

  /// Turns of notifications and data take fewer cycles than settles_after_, so what stays the same for so long stays.
  bool steady(const LinkSyncInputs& in) const override {
    return same_for_ >= settles_after_ && controls(in) == controls(inputs_);
  }

  static auto inputs(V& top) {
    return std::tie(top.tx_notify_i, top.tx_valid_i, top.tx_data_i, top.link_active_i, top.link_data_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.tx_notify_ready_o, top.tx_ready_o, top.link_active_o, top.link_data_o, top.rx_notify_o,
                    top.rx_valid_o, top.rx_data_o);
  }
  static constexpr std::uint32_t kWidths[] = {1, 1, 64, 1, 64, 1, 1, 1, 64, 1, 1, 64};
  static void rest(V& top) { top.tx_notify_i = top.tx_valid_i = top.link_active_i = 0; }
  static constexpr bool kHolds = true;  // word cycles are fewer than those of the node

 private:
  static LinkSyncInputs controls(LinkSyncInputs in) {
    in.word = in.link_word = 0;
    return in;
  }
  static LinkSyncOutputs controls(LinkSyncOutputs out) {
    out.link_word = out.received_word = 0;
    return out;
  }
  std::uint32_t settles_after_;
  std::uint32_t same_for_ = 0;
  LinkSyncInputs inputs_;
  LinkSyncOutputs outputs_;
};

/// stripe_address with addresses of kRtlAddressBits and numbers of 8 bits.
/// It answers kLatency cycles later than one that answers in the next.
template <class V, unsigned kLatency = 0>
class VerilatedStripeAddress final : public VerilatedBlock<VerilatedStripeAddress<V, kLatency>, V, StripeAddressRtl> {
 public:
  using VerilatedBlock<VerilatedStripeAddress, V, StripeAddressRtl>::VerilatedBlock;

  StripeResponse translate(const StripeRequest& request) override {
    if ((request.base | request.size) >> kRtlAddressBits != 0 || request.index > 255) {
      throw RunError(
          fmt::format("stripe_address RTL: Ra {:#x}, {} bytes, stripe {}: more than addresses of {} bits and "
                      "numbers of 8",
                      request.base, request.size, request.index, kRtlAddressBits));
    }
    V& top = this->top();
    top.req_valid_i = 1;
    top.req_base_i = request.base;
    top.req_size_i = request.size;
    set_pin(top.req_index_i, request.index);
    this->low();
    this->edge();
    this->wait(kLatency);
    StripeResponse response;
    if (top.rsp_valid_o == 0) throw RunError("stripe_address RTL: a request without a response");
    response.address = top.rsp_address_o;
    response.interfaces = top.rsp_interfaces_o;
    if (top.rsp_range_o != 0) response.error = StripeError::kRange;
    if (top.rsp_overlap_o != 0) response.error = StripeError::kOverlap;
    return response;
  }

  static auto inputs(V& top) { return std::tie(top.req_valid_i, top.req_base_i, top.req_size_i, top.req_index_i); }
  static auto outputs(V& top) {
    return std::tie(top.rsp_valid_o, top.rsp_address_o, top.rsp_interfaces_o, top.rsp_range_o, top.rsp_overlap_o);
  }
  static constexpr std::uint32_t kWidths[] = {1, kRtlAddressBits, kRtlAddressBits, 8, 1, kRtlAddressBits, 2, 1, 1};
  static void rest(V& top) { top.req_valid_i = 0; }
};

/// command_sequencer with the sizes of optweb_rtl.h.
template <class V>
class VerilatedCommandSequencer final : public VerilatedBlock<VerilatedCommandSequencer<V>, V, CommandSequencerRtl> {
 public:
  using VerilatedBlock<VerilatedCommandSequencer, V, CommandSequencerRtl>::VerilatedBlock;

  SequencerOutputs step(const SequencerInputs& in) override {
    V& top = this->top();
    top.cfg_we_i = in.write && in.index < kRtlSequencerDepth;
    if (top.cfg_we_i != 0) {
      set_pin(top.cfg_index_i, in.index);
      write(in.instruction);
    }
    top.doorbell_i = in.doorbell;
    // A count that the pins do not hold is refused as any that is too large.
    set_pin(top.doorbell_count_i, std::min(in.count, 2 * kRtlSequencerDepth - 1));
    top.ready_i = in.ready & kAllUnits;
    top.done_i = in.done & kAllUnits;
    top.time_i = in.time;
    this->low();
    SequencerOutputs out;
    out.issue = top.issue_o;
    out.instruction = instruction_;
    out.entry = top.entry_o;
    out.free = top.free_o;
    out.idle = top.idle_o != 0;
    out.doorbell_ok = top.doorbell_ok_o != 0;
    out.completed = top.completed_o != 0;
    out.elapsed = top.elapsed_o;
    out.illegal = top.illegal_o != 0;
    out.stray = top.stray_o;
    running_ = static_cast<Units>((running_ & ~in.done) | (top.issue_o & in.ready));
    this->edge();
    read();
    return out;
  }

  bool rests() const override { return this->top().idle_o != 0 || (this->top().issue_o | running_) != 0; }
  Units issue() const override { return this->top().issue_o; }
  const MachineInstruction& instruction() const override { return instruction_; }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_index_i, top.cfg_instr_i, top.doorbell_i, top.doorbell_count_i, top.ready_i,
                    top.done_i, top.time_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.doorbell_ok_o, top.free_o, top.entry_o, top.idle_o, top.issue_o, top.opcode_o,
                    top.send_address_o, top.receive_address_o, top.size_o, top.source_o, top.destination_o, top.group_o,
                    top.flags_o, top.completed_o, top.elapsed_o, top.illegal_o, top.stray_o);
  }
  static constexpr std::uint32_t kEntryBits = std::bit_width(kRtlSequencerDepth - 1U);
  static constexpr std::uint32_t kInstructionBits =
      4 + 3 * kRtlAddressBits + 2 * kRtlNodeBits + kRtlGroupBits + kRtlFlagsBits;
  static constexpr std::uint32_t kWidths[] = {1,
                                              kEntryBits,
                                              kInstructionBits,
                                              1,
                                              kEntryBits + 1,
                                              3,
                                              3,
                                              32,  // inputs
                                              1,
                                              kEntryBits + 1,
                                              kEntryBits,
                                              1,
                                              3,
                                              4,
                                              kRtlAddressBits,
                                              kRtlAddressBits,
                                              kRtlAddressBits,
                                              kRtlNodeBits,
                                              kRtlNodeBits,
                                              kRtlGroupBits,
                                              kRtlFlagsBits,
                                              1,
                                              32,
                                              1,
                                              3};
  static void rest(V& top) {
    top.cfg_we_i = 0;
    top.doorbell_i = 0;
    top.ready_i = 0;
    top.done_i = 0;
  }

 private:
  void write(const MachineInstruction& i) {
    if (const auto limit = instruction_rtl_limit(i)) throw RunError("command_sequencer RTL: " + *limit);
    std::size_t low = 0;
    const auto field = [&](unsigned width, std::uint64_t value) {
      set_bits(this->top().cfg_instr_i, low, width, value);
      low += width;
    };
    field(4, static_cast<std::uint64_t>(i.opcode));
    field(kRtlAddressBits, i.send_address);
    field(kRtlAddressBits, i.receive_address);
    field(kRtlAddressBits, i.size);
    field(kRtlNodeBits, i.source);
    field(kRtlNodeBits, i.destination);
    field(kRtlGroupBits, i.group);
    field(kRtlFlagsBits, i.flags);
  }
  void read() {
    const V& top = this->top();
    instruction_.opcode = static_cast<Opcode>(top.opcode_o);
    instruction_.send_address = top.send_address_o;
    instruction_.receive_address = top.receive_address_o;
    instruction_.size = top.size_o;
    instruction_.source = top.source_o;
    instruction_.destination = top.destination_o;
    instruction_.group = top.group_o;
    instruction_.flags = top.flags_o;
  }

  MachineInstruction instruction_;  // as the pins show it
  Units running_ = 0;               // accepted and not done, from the pins
};

// Verilated modules as blocks to register. `module`: the top module.

template <class V, std::uint32_t kGap>
LinkSyncBlock verilated_link_sync(const std::string& module) {
  return {module,
          [](std::uint32_t gap) {
            return gap == kGap
                       ? std::nullopt
                       : std::optional(fmt::format("a gap of {} cycles between runs; the RTL has {}", gap, kGap));
          },
          [](VerilatedContext& context, std::uint32_t gap, const std::string& name) {
            return std::make_unique<VerilatedLinkSync<V>>(context, gap, name);
          }};
}

template <class V, std::uint32_t kStripes, std::uint64_t kCapacity, unsigned kLatency = 0>
StripeAddressBlock verilated_stripe_address(const std::string& module) {
  return {module,
          [](const StripeGeometry& g) {
            return g.stripes == kStripes && g.capacity == kCapacity
                       ? std::nullopt
                       : std::optional(fmt::format("{} memory I/Os with interfaces of {} bytes; the RTL has {} and {}",
                                                   g.stripes, g.capacity, kStripes, kCapacity));
          },
          [](VerilatedContext& context, const StripeGeometry&, const std::string& name) {
            return std::make_unique<VerilatedStripeAddress<V, kLatency>>(context, name);
          }};
}

template <class V>
CommandSequencerBlock verilated_command_sequencer(const std::string& module) {
  return {module, command_sequencer_rtl_limit, [](VerilatedContext& context, std::uint32_t, const std::string& name) {
            return std::make_unique<VerilatedCommandSequencer<V>>(context, name);
          }};
}

}  // namespace weft::optweb
