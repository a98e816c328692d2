#pragma once
// Signals on the pins of setup_unit, each of the type that Verilator gives its pin.

#include <systemc>

#include "tdm/pin_bits.h"

namespace weft::pins {

/// Dut: a Verilated setup_unit. Part of a module that has one: its signals belong to that module.
template <class Dut>
struct SetupUnitWires {
  explicit SetupUnitWires(Dut& dut) {
    dut.frame_i(frame);
    dut.ack_lag_i(ack_lag);
    dut.drain_lag_i(drain_lag);
    dut.own_info_i(own_info);
    dut.down_info_i(down_info);
    dut.cmd_valid_i(cmd_valid);
    dut.cmd_op_i(cmd_op);
    dut.cmd_ready_o(cmd_ready);
    dut.now_i(now);
    dut.usable_i(usable);
    dut.failed_i(failed);
    dut.msg_from_i(from);
    dut.msg_kind_i(kind);
    dut.msg_key_i(key);
    dut.msg_wanted_i(wanted);
    dut.msg_hold_i(hold);
    dut.msg_common_i(common);
    dut.msg_slots_i(slots);
    dut.msg_start_i(start);
    dut.msg_late_i(late);
    dut.msg_cleared_i(cleared);
    dut.msg_words_i(words);
    dut.msg_cause_i(cause);
    dut.msg_withdrawn_i(withdrawn);
    dut.msg_forward_i(forward);
    dut.msg_info_i(info);
    dut.place_first_i(first);
    dut.place_in_i(in);
    dut.place_outs_i(outs);
    dut.place_hosts_i(hosts);
    dut.place_departure_i(departure);
    dut.place_start_i(route_start);
    dut.snd_valid_o(snd_valid);
    dut.snd_port_o(snd_port);
    dut.snd_kind_o(snd_kind);
    dut.snd_key_o(snd_key);
    dut.snd_common_o(snd_common);
    dut.snd_slots_o(snd_slots);
    dut.snd_start_o(snd_start);
    dut.snd_late_o(snd_late);
    dut.snd_cleared_o(snd_cleared);
    dut.snd_words_o(snd_words);
    dut.snd_cause_o(snd_cause);
    dut.snd_withdrawn_o(snd_withdrawn);
    dut.snd_forward_o(snd_forward);
    dut.snd_info_o(snd_info);
    dut.lut_valid_o(lut_valid);
    dut.lut_op_o(lut_op);
    dut.lut_row_o(lut_row);
    dut.lut_slots_o(lut_slots);
    dut.lut_key_o(lut_key);
    dut.lut_ok_i(lut_ok);
    dut.lut_free_i(lut_free);
    dut.tbl_valid_o(tbl_valid);
    dut.tbl_write_o(tbl_write);
    dut.tbl_set_o(tbl_set);
    dut.tbl_count_o(tbl_count);
    dut.tbl_slots_o(tbl_slots);
    dut.tbl_outs_o(tbl_outs);
    dut.tbl_in_o(tbl_in);
    dut.tbl_at_i(tbl_at);
    dut.drain_begin_o(drain_begin);
    dut.drain_end_o(drain_end);
    dut.lost_valid_o(lost_valid);
    dut.lost_key_o(lost_key);
    dut.free_valid_o(free_valid);
    dut.free_at_o(free_at);
    dut.full_o(full);
    dut.index_i(index);
    dut.rec_valid_o(rec_valid);
    dut.rec_lost_o(rec_lost);
    dut.rec_key_o(rec_key);
    dut.rec_first_o(rec_first);
    dut.rec_in_o(rec_in);
    dut.rec_outs_o(rec_outs);
    dut.rec_slots_o(rec_slots);
    dut.drn_valid_o(drn_valid);
    dut.drn_key_o(drn_key);
    dut.drn_first_o(drn_first);
    dut.drn_in_o(drn_in);
    dut.drn_outs_o(drn_outs);
    dut.drn_slots_o(drn_slots);
  }

  template <class Port>
  using Signal = sc_core::sc_signal<PinValue<Port>>;
  Signal<decltype(Dut::frame_i)> frame{"frame_i"};
  Signal<decltype(Dut::ack_lag_i)> ack_lag{"ack_lag_i"};
  Signal<decltype(Dut::drain_lag_i)> drain_lag{"drain_lag_i"};
  Signal<decltype(Dut::own_info_i)> own_info{"own_info_i"};
  Signal<decltype(Dut::down_info_i)> down_info{"down_info_i"};
  Signal<decltype(Dut::cmd_valid_i)> cmd_valid{"cmd_valid_i"};
  Signal<decltype(Dut::cmd_op_i)> cmd_op{"cmd_op_i"};
  Signal<decltype(Dut::cmd_ready_o)> cmd_ready{"cmd_ready_o"};
  Signal<decltype(Dut::now_i)> now{"now_i"};
  Signal<decltype(Dut::usable_i)> usable{"usable_i"};
  Signal<decltype(Dut::failed_i)> failed{"failed_i"};
  Signal<decltype(Dut::msg_from_i)> from{"msg_from_i"};
  Signal<decltype(Dut::msg_kind_i)> kind{"msg_kind_i"};
  Signal<decltype(Dut::msg_key_i)> key{"msg_key_i"};
  Signal<decltype(Dut::msg_wanted_i)> wanted{"msg_wanted_i"};
  Signal<decltype(Dut::msg_hold_i)> hold{"msg_hold_i"};
  Signal<decltype(Dut::msg_common_i)> common{"msg_common_i"};
  Signal<decltype(Dut::msg_slots_i)> slots{"msg_slots_i"};
  Signal<decltype(Dut::msg_start_i)> start{"msg_start_i"};
  Signal<decltype(Dut::msg_late_i)> late{"msg_late_i"};
  Signal<decltype(Dut::msg_cleared_i)> cleared{"msg_cleared_i"};
  Signal<decltype(Dut::msg_words_i)> words{"msg_words_i"};
  Signal<decltype(Dut::msg_cause_i)> cause{"msg_cause_i"};
  Signal<decltype(Dut::msg_withdrawn_i)> withdrawn{"msg_withdrawn_i"};
  Signal<decltype(Dut::msg_forward_i)> forward{"msg_forward_i"};
  Signal<decltype(Dut::msg_info_i)> info{"msg_info_i"};
  Signal<decltype(Dut::place_first_i)> first{"place_first_i"};
  Signal<decltype(Dut::place_in_i)> in{"place_in_i"};
  Signal<decltype(Dut::place_outs_i)> outs{"place_outs_i"};
  Signal<decltype(Dut::place_hosts_i)> hosts{"place_hosts_i"};
  Signal<decltype(Dut::place_departure_i)> departure{"place_departure_i"};
  Signal<decltype(Dut::place_start_i)> route_start{"place_start_i"};
  Signal<decltype(Dut::snd_valid_o)> snd_valid{"snd_valid_o"};
  Signal<decltype(Dut::snd_port_o)> snd_port{"snd_port_o"};
  Signal<decltype(Dut::snd_kind_o)> snd_kind{"snd_kind_o"};
  Signal<decltype(Dut::snd_key_o)> snd_key{"snd_key_o"};
  Signal<decltype(Dut::snd_common_o)> snd_common{"snd_common_o"};
  Signal<decltype(Dut::snd_slots_o)> snd_slots{"snd_slots_o"};
  Signal<decltype(Dut::snd_start_o)> snd_start{"snd_start_o"};
  Signal<decltype(Dut::snd_late_o)> snd_late{"snd_late_o"};
  Signal<decltype(Dut::snd_cleared_o)> snd_cleared{"snd_cleared_o"};
  Signal<decltype(Dut::snd_words_o)> snd_words{"snd_words_o"};
  Signal<decltype(Dut::snd_cause_o)> snd_cause{"snd_cause_o"};
  Signal<decltype(Dut::snd_withdrawn_o)> snd_withdrawn{"snd_withdrawn_o"};
  Signal<decltype(Dut::snd_forward_o)> snd_forward{"snd_forward_o"};
  Signal<decltype(Dut::snd_info_o)> snd_info{"snd_info_o"};
  Signal<decltype(Dut::lut_valid_o)> lut_valid{"lut_valid_o"};
  Signal<decltype(Dut::lut_op_o)> lut_op{"lut_op_o"};
  Signal<decltype(Dut::lut_row_o)> lut_row{"lut_row_o"};
  Signal<decltype(Dut::lut_slots_o)> lut_slots{"lut_slots_o"};
  Signal<decltype(Dut::lut_key_o)> lut_key{"lut_key_o"};
  Signal<decltype(Dut::lut_ok_i)> lut_ok{"lut_ok_i"};
  Signal<decltype(Dut::lut_free_i)> lut_free{"lut_free_i"};
  Signal<decltype(Dut::tbl_valid_o)> tbl_valid{"tbl_valid_o"};
  Signal<decltype(Dut::tbl_write_o)> tbl_write{"tbl_write_o"};
  Signal<decltype(Dut::tbl_set_o)> tbl_set{"tbl_set_o"};
  Signal<decltype(Dut::tbl_count_o)> tbl_count{"tbl_count_o"};
  Signal<decltype(Dut::tbl_slots_o)> tbl_slots{"tbl_slots_o"};
  Signal<decltype(Dut::tbl_outs_o)> tbl_outs{"tbl_outs_o"};
  Signal<decltype(Dut::tbl_in_o)> tbl_in{"tbl_in_o"};
  Signal<decltype(Dut::tbl_at_i)> tbl_at{"tbl_at_i"};
  Signal<decltype(Dut::drain_begin_o)> drain_begin{"drain_begin_o"};
  Signal<decltype(Dut::drain_end_o)> drain_end{"drain_end_o"};
  Signal<decltype(Dut::lost_valid_o)> lost_valid{"lost_valid_o"};
  Signal<decltype(Dut::lost_key_o)> lost_key{"lost_key_o"};
  Signal<decltype(Dut::free_valid_o)> free_valid{"free_valid_o"};
  Signal<decltype(Dut::free_at_o)> free_at{"free_at_o"};
  Signal<decltype(Dut::full_o)> full{"full_o"};
  Signal<decltype(Dut::index_i)> index{"index_i"};
  Signal<decltype(Dut::rec_valid_o)> rec_valid{"rec_valid_o"};
  Signal<decltype(Dut::rec_lost_o)> rec_lost{"rec_lost_o"};
  Signal<decltype(Dut::rec_key_o)> rec_key{"rec_key_o"};
  Signal<decltype(Dut::rec_first_o)> rec_first{"rec_first_o"};
  Signal<decltype(Dut::rec_in_o)> rec_in{"rec_in_o"};
  Signal<decltype(Dut::rec_outs_o)> rec_outs{"rec_outs_o"};
  Signal<decltype(Dut::rec_slots_o)> rec_slots{"rec_slots_o"};
  Signal<decltype(Dut::drn_valid_o)> drn_valid{"drn_valid_o"};
  Signal<decltype(Dut::drn_key_o)> drn_key{"drn_key_o"};
  Signal<decltype(Dut::drn_first_o)> drn_first{"drn_first_o"};
  Signal<decltype(Dut::drn_in_o)> drn_in{"drn_in_o"};
  Signal<decltype(Dut::drn_outs_o)> drn_outs{"drn_outs_o"};
  Signal<decltype(Dut::drn_slots_o)> drn_slots{"drn_slots_o"};
};

}  // namespace weft::pins
