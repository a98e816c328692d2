# Setup unit of a FiC switch (rtl/tdm/setup_unit.sv); keys, times and words have 64 bits, infos 32.
set(weft_needs Ports Slots Circuits)
set(weft_module setup_unit)
set(weft_rtl tdm/setup_unit tdm/setup_request tdm/slot_choice tdm/message_effect tdm/slot_drain tdm/circuit_records
    tdm/drain_queue tdm/release_table)
set(weft_fixed KeyW=64 TimeW=64 WordW=64 InfoW=32)
if(NOT weft_complete)
  return()
endif()
weft_clog2(PortW "${Ports}")
weft_clog2(RecordW "${Circuits}")
math(EXPR rows "2 * ${Ports}")
weft_clog2(RowW "${rows}")
weft_clog2(SlotW "${Slots}")
math(EXPR counts "${Slots} + 1")
weft_clog2(CountW "${counts}")
math(EXPR times "${Ports} * 64")
math(EXPR infos "${Ports} * 32")
math(EXPR froms "${Slots} * ${SlotW}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:slot_update_i:1 in:frame_i:64 in:ack_lag_i:${times} in:drain_lag_i:${times} in:own_info_i:32
    in:down_info_i:${infos} in:cmd_valid_i:1 in:cmd_op_i:2 out:cmd_ready_o:1 in:now_i:64 in:usable_i:${Ports}
    in:failed_i:${Ports} in:msg_from_i:${PortW} in:msg_kind_i:3 in:msg_key_i:64 in:msg_wanted_i:${CountW}
    in:msg_hold_i:64 in:msg_common_i:${Slots} in:msg_slots_i:${Slots} in:msg_source_i:${Slots}
    in:msg_lane_i:${SlotW} in:msg_lag_i:64 in:msg_start_i:64 in:msg_late_i:64
    in:msg_cleared_i:64 in:msg_words_i:64 in:msg_cause_i:2 in:msg_withdrawn_i:1 in:msg_forward_i:1 in:msg_info_i:32
    in:place_first_i:1 in:place_in_i:${PortW} in:place_outs_i:${Ports} in:place_hosts_i:${Ports}
    in:place_departure_i:64 in:place_start_i:64 in:place_wire_i:64 in:place_shift_i:${SlotW} out:snd_valid_o:1 out:snd_port_o:${PortW} out:snd_kind_o:3
    out:snd_key_o:64 out:snd_common_o:${Slots} out:snd_slots_o:${Slots} out:snd_source_o:${Slots}
    out:snd_lane_o:${SlotW} out:snd_lag_o:64 out:snd_start_o:64 out:snd_late_o:64
    out:snd_cleared_o:64 out:snd_words_o:64 out:snd_cause_o:2 out:snd_withdrawn_o:1 out:snd_forward_o:1
    out:snd_info_o:32 out:lut_valid_o:1 out:lut_op_o:2 out:lut_row_o:${RowW} out:lut_slots_o:${Slots} out:lut_key_o:64
    in:lut_ok_i:1 in:lut_free_i:${Slots} out:tbl_valid_o:1 out:tbl_write_o:1 out:tbl_set_o:1 out:tbl_count_o:${CountW}
    out:tbl_slots_o:${Slots} out:tbl_outs_o:${Ports} out:tbl_in_o:${PortW} out:tbl_from_o:${froms} in:tbl_at_i:64 out:drain_begin_o:${Ports}
    out:drain_end_o:${Ports} out:lost_valid_o:1 out:lost_key_o:64 out:free_valid_o:1 out:free_at_o:64 out:full_o:1
    in:index_i:${RecordW} out:rec_valid_o:1 out:rec_lost_o:1 out:rec_key_o:64 out:rec_first_o:1 out:rec_in_o:${PortW}
    out:rec_outs_o:${Ports} out:rec_slots_o:${Slots} out:rec_came_o:${Slots} out:drn_valid_o:1 out:drn_key_o:64 out:drn_first_o:1
    out:drn_in_o:${PortW} out:drn_outs_o:${Ports} out:drn_slots_o:${Slots} out:drn_came_o:${Slots})
set(weft_header cosim/tdm/verilated_setup_unit.h)
set(weft_member tdm.setup_unit)
set(weft_maker "verilated_setup_unit<V${name}, ${Ports}, ${Slots}, ${Circuits}>")
