#pragma once
// SetupUnitRtl on top of one Verilated size of setup_unit. Included only where a Verilated class is at hand.

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/tdm/tdm_rtl.h"

namespace weft {

/// V: Verilated setup_unit with these parameters, KeyW = TimeW = WordW = 64 and InfoW = 32.
template <class V, std::uint32_t kPorts, std::uint32_t kSlots, std::uint32_t kCircuits>
class VerilatedSetupUnit final
    : public VerilatedBlock<VerilatedSetupUnit<V, kPorts, kSlots, kCircuits>, V, SetupUnitRtl> {
 public:
  using VerilatedBlock<VerilatedSetupUnit, V, SetupUnitRtl>::VerilatedBlock;

  void configure(std::uint32_t frame, bool slot_update, const std::vector<Cycle>& ack_lag,
                 const std::vector<Cycle>& drain_lag) override {
    V& top = this->top();
    top.frame_i = frame;
    top.slot_update_i = slot_update ? 1 : 0;
    for (std::size_t p = 0; p < ack_lag.size(); ++p) {
      set_bits(top.ack_lag_i, p * 64, 64, static_cast<std::uint64_t>(ack_lag[p]));
      set_bits(top.drain_lag_i, p * 64, 64, static_cast<std::uint64_t>(drain_lag[p]));
    }
  }

  void run(const SetupCommand& command, SetupSurroundings& surroundings) override {
    try {
      step(command, surroundings);
    } catch (...) {
      this->break_off();
      throw;
    }
  }

  Cycle next_free() const override {
    return this->top().free_valid_o != 0 ? static_cast<Cycle>(this->top().free_at_o) : -1;
  }
  std::vector<SetupRecord> records(std::uint32_t slots) override {
    V& top = this->top();
    return read(slots, [&](std::vector<SetupRecord>& out) {
      if (top.rec_valid_o == 0) return;
      out.push_back({top.rec_lost_o != 0, top.rec_key_o, top.rec_first_o != 0, static_cast<PortId>(top.rec_in_o),
                     top.rec_outs_o, set_of(top.rec_slots_o, slots)});
    });
  }
  std::vector<SetupRecord> draining(std::uint32_t slots) override {
    V& top = this->top();
    return read(slots, [&](std::vector<SetupRecord>& out) {
      if (top.drn_valid_o == 0) return;
      out.push_back({false, top.drn_key_o, top.drn_first_o != 0, static_cast<PortId>(top.drn_in_o), top.drn_outs_o,
                     set_of(top.drn_slots_o, slots)});
    });
  }

  static auto inputs(V& top) {
    return std::tie(top.slot_update_i, top.frame_i, top.ack_lag_i, top.drain_lag_i, top.own_info_i, top.down_info_i,
                    top.cmd_valid_i, top.cmd_op_i, top.now_i, top.usable_i, top.failed_i, top.msg_from_i,
                    top.msg_kind_i, top.msg_key_i, top.msg_wanted_i, top.msg_hold_i, top.msg_common_i, top.msg_slots_i,
                    top.msg_source_i, top.msg_lane_i, top.msg_lag_i, top.msg_start_i, top.msg_late_i, top.msg_cleared_i,
                    top.msg_words_i, top.msg_cause_i, top.msg_withdrawn_i, top.msg_forward_i, top.msg_info_i,
                    top.place_first_i, top.place_in_i, top.place_outs_i, top.place_hosts_i, top.place_departure_i,
                    top.place_start_i, top.place_wire_i, top.place_shift_i, top.lut_ok_i, top.lut_free_i, top.tbl_at_i,
                    top.index_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.cmd_ready_o, top.snd_valid_o, top.snd_port_o, top.snd_kind_o, top.snd_common_o, top.snd_slots_o,
                    top.snd_source_o, top.snd_lane_o, top.snd_cause_o, top.snd_withdrawn_o, top.snd_forward_o,
                    top.lut_valid_o, top.lut_op_o, top.lut_row_o, top.lut_slots_o, top.tbl_valid_o, top.tbl_write_o,
                    top.tbl_set_o, top.tbl_count_o, top.tbl_slots_o, top.tbl_outs_o, top.tbl_in_o, top.tbl_from_o,
                    top.drain_begin_o, top.drain_end_o, top.lost_valid_o, top.free_valid_o);
  }
  static constexpr std::uint32_t kPortBits = std::bit_width(kPorts - 1U);
  static constexpr std::uint32_t kCountBits = std::bit_width(kSlots);
  static constexpr std::uint32_t kSlotBits = std::bit_width(kSlots - 1U);
  /// Times, keys and constants are not counted: numbers that may be any; nor what only slots of each switch's own have.
  static constexpr std::uint32_t kWidths[] = {0,          0, 0,         0,      0,          0,      1,
                                              2,          0, kPorts,    kPorts, kPortBits,  3,      0,
                                              kCountBits, 0, kSlots,    kSlots, 0,          0,      0,
                                              0,          0, 0,         0,      2,          1,      1,
                                              0,          1, kPortBits, kPorts, kPorts,     0,      0,
                                              0,          0, 1,         kSlots, 0,          0,  // inputs
                                              1,          1, kPortBits, 3,      kSlots,     kSlots, 0,
                                              0,          2, 1,         1,      1,          2,      kPortBits + 1,
                                              kSlots,     1, 1,         1,      kCountBits, kSlots, kPorts,
                                              kPortBits,  0, kPorts,    kPorts, 1,          1};
  static void rest(V& top) { top.cmd_valid_i = 0; }

 private:
  void step(const SetupCommand& command, SetupSurroundings& surroundings) {
    V& top = this->top();
    set_command(top, command);
    this->low();
    this->edge();
    top.cmd_valid_i = 0;
    this->low();
    while (top.cmd_ready_o == 0) {
      if (top.full_o != 0) surroundings.full();
      SlotLutResponse answer;
      if (top.lut_valid_o != 0) {
        const bool input = top.lut_row_o >= kPorts;
        answer = surroundings.lut(static_cast<SlotLutOp>(top.lut_op_o), input,
                                  static_cast<PortId>(input ? top.lut_row_o - kPorts : top.lut_row_o),
                                  set_of(top.lut_slots_o, command.message.common.size()), top.lut_key_o);
      }
      Cycle at = 0;
      if (top.tbl_valid_o != 0 && top.tbl_write_o == 0) at = surroundings.table_question(top.tbl_count_o);
      if (top.tbl_valid_o != 0 && top.tbl_write_o != 0) {
        const SlotSet slots = set_of(top.tbl_slots_o, command.message.common.size());
        at = surroundings.table_change(top.tbl_set_o != 0, static_cast<PortId>(top.tbl_in_o), top.tbl_outs_o, slots,
                                       from(top, slots), top.snd_key_o);
      }
      if (top.lost_valid_o != 0) surroundings.lost(top.lost_key_o);
      if (top.drain_begin_o != 0) surroundings.drain_begins(top.drain_begin_o);
      if (top.drain_end_o != 0) surroundings.drain_ends(top.drain_end_o);
      if (top.snd_valid_o != 0) {
        surroundings.send(static_cast<PortId>(top.snd_port_o), sent(top, command.message.common.size()));
      }
      const bool asked = top.lut_valid_o != 0;
      const bool ordered = top.tbl_valid_o != 0;
      this->edge();
      if (asked) {
        top.lut_ok_i = answer.ok ? 1 : 0;
        set_slots(top.lut_free_i, answer.free);
      }
      if (ordered) set_pin(top.tbl_at_i, at);
      this->low();
    }
  }
  template <class Port>
  static SlotSet set_of(const Port& port, std::size_t slots) {
    SlotSet out(slots);
    for (std::size_t s = 0; s < slots; ++s) {
      if (get_bits(port, s, 1) != 0) out.set(s);
    }
    return out;
  }
  template <class Port>
  static void set_slots(Port& port, const SlotSet& slots) {
    for (std::size_t s = 0; s < kSlots; ++s) set_bits(port, s, 1, s < slots.size() && slots.test(s) ? 1 : 0);
  }
  // The input's slots of a change of the table; empty: the same as the outputs'.
  static std::vector<Slot> from(const V& top, const SlotSet& slots) {
    std::vector<Slot> out;
    if (top.slot_update_i == 0 || top.tbl_set_o == 0) return out;
    for (const Slot s : slot_list(slots)) {
      out.push_back(static_cast<Slot>(get_bits(top.tbl_from_o, std::size_t{s} * kSlotBits, kSlotBits)));
    }
    return out;
  }
  static void set_command(V& top, const SetupCommand& c) {
    const SetupPins& m = c.message;
    top.cmd_valid_i = 1;
    set_pin(top.cmd_op_i, c.op);
    set_pin(top.now_i, c.now);
    set_pin(top.usable_i, c.usable);
    set_pin(top.failed_i, c.failed);
    set_pin(top.own_info_i, c.own_info);
    for (std::size_t p = 0; p < c.down_info.size(); ++p) set_bits(top.down_info_i, p * 32, 32, c.down_info[p]);
    set_pin(top.msg_from_i, c.from);
    set_pin(top.msg_kind_i, m.kind);
    set_pin(top.msg_key_i, m.key);
    set_pin(top.msg_wanted_i, c.wanted);
    set_pin(top.msg_hold_i, c.hold);
    set_slots(top.msg_common_i, m.common);
    set_slots(top.msg_slots_i, m.slots);
    set_slots(top.msg_source_i, m.source);
    set_pin(top.msg_lane_i, m.lane);
    set_pin(top.msg_lag_i, m.lag);
    set_pin(top.msg_start_i, m.start);
    set_pin(top.msg_late_i, m.late);
    set_pin(top.msg_cleared_i, m.cleared);
    set_pin(top.msg_words_i, m.words);
    set_pin(top.msg_cause_i, m.cause);
    top.msg_withdrawn_i = m.withdrawn ? 1 : 0;
    top.msg_forward_i = m.forward ? 1 : 0;
    set_pin(top.msg_info_i, m.info);
    top.place_first_i = c.first ? 1 : 0;
    set_pin(top.place_in_i, c.in);
    set_pin(top.place_outs_i, c.outs);
    set_pin(top.place_hosts_i, c.hosts);
    set_pin(top.place_departure_i, c.departure);
    set_pin(top.place_start_i, c.route_start);
    set_pin(top.place_wire_i, c.wire);
    set_pin(top.place_shift_i, c.wire % static_cast<Cycle>(top.frame_i));
  }
  static SetupPins sent(const V& top, std::size_t slots) {
    SetupPins m;
    m.kind = top.snd_kind_o;
    m.key = top.snd_key_o;
    m.common = set_of(top.snd_common_o, slots);
    m.slots = set_of(top.snd_slots_o, slots);
    m.source = set_of(top.snd_source_o, slots);
    m.lane = top.snd_lane_o;
    m.lag = static_cast<Cycle>(top.snd_lag_o);
    m.start = static_cast<Cycle>(top.snd_start_o);
    m.late = static_cast<Cycle>(top.snd_late_o);
    m.cleared = static_cast<Cycle>(top.snd_cleared_o);
    m.words = top.snd_words_o;
    m.cause = top.snd_cause_o;
    m.withdrawn = top.snd_withdrawn_o != 0;
    m.forward = top.snd_forward_o != 0;
    m.info = top.snd_info_o;
    return m;
  }
  // All records, or all slots that drain, by the readout.
  template <class Take>
  std::vector<SetupRecord> read(std::uint32_t, Take&& take) {
    std::vector<SetupRecord> out;
    for (std::uint32_t i = 0; i < kCircuits; ++i) {
      set_pin(this->top().index_i, i);
      this->low();
      take(out);
    }
    return out;
  }
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, std::uint32_t kPorts, std::uint32_t kSlots, std::uint32_t kCircuits>
SetupUnitBlock verilated_setup_unit(const std::string& module) {
  return {module, {kPorts, kSlots}, [](VerilatedContext& context, const std::string& name) {
            return std::make_unique<VerilatedSetupUnit<V, kPorts, kSlots, kCircuits>>(context, name);
          }};
}

}  // namespace weft
