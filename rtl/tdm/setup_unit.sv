/// Setup unit of one FiC switch: works on the messages that set circuits up and take them down, one after the other.
/// It keeps a record of each circuit through the switch, asks and changes the slot LUT, orders changes of the slot table
/// and sends messages to the neighbours. Parts: setup_request (slot_choice), message_effect, circuit_records,
/// release_table, slot_drain (drain_queue). C++ twin: sc_models/fabrics/tdm/setup/switch_circuits.h, which makes the same
/// accesses and sends in the same order.
/// Source: FiC paper, sections II.A and III.D; protocol and messages: docs/fic_setup.md.
///
/// Commands   cmd_valid_i while cmd_ready_o: now_i and the message are taken in this cycle; the unit is busy until
///            cmd_ready_o is high again. usable_i and failed_i must be stable while it is busy.
///              0 message   received from port msg_from_i
///              1 failure   gives up all circuits over ports in failed_i, in the order of their keys; msg_info_i: of the
///                          teardowns. lost_valid_o: circuit lost_key_o is given up
///              2 told      a teardown of an earlier failure for circuit msg_key_i has left; after its last one the
///                          circuit's slots begin to drain
///              3 free      releases all slots whose time has come (free_valid_o, free_at_o: the first of them)
/// Messages   kinds 0 request, 1 ack, 2 accept, 3 withdraw, 4 release, 5 released, 6 teardown. For a request place_*_i
///            say what the circuit is in this switch: first of the route, input, outputs, outputs with a host behind,
///            cycles from the source's slot to the departure here, and the first cycle that the other switches allow.
///            Sent messages: one per cycle, to port snd_port_o. Fields that a kind does not use have any value.
/// Own slots  slot_update_i: a circuit may have other slots on each hop. A request then says in which slots its words come
///            (slots) and leave the host (source), in which of the former the word of the lowest of the latter comes (lane),
///            and how many cycles later (lag). place_wire_i: cycles from the slot before to the register here,
///            place_shift_i: the same modulo the frame. place_departure_i has no meaning.
/// Slot LUT   pins of slot_lut; its answer comes in the next cycle. Rows: outputs, then inputs.
/// Table      tbl_write_o = 0: cycle in which a change of tbl_count_o columns would take effect; 1: slots tbl_slots_o of
///            outputs tbl_outs_o get input tbl_in_o (with slot_update_i, each its slot in tbl_from_o), or nothing
///            (tbl_set_o = 0). tbl_at_i answers in the next cycle.
/// Links      drain_begin_o, drain_end_o: a circuit over a failed port begins to give up its slots, has given them up.
/// Cycles     a granted request keeps the unit busy for 2k + m + b + 8 cycles: k rows of the slot LUT, m slots, b outputs.
///            Refused: 2 (down), k + m + 6 (late), k + c + 4 (c slots found at the first switch; at a further one k + m + 4).
///            With slot_update_i those of slot_choice instead of m + 1 for the choice. A message about an unknown circuit: 1, another at most 8 and one per message sent.
///            A failure: Circuits + 1 for the search of each circuit and of none.
/// Full       full_o: no room for a circuit (the request is refused), a release or slots that drain (both are lost).
///            Circuits = Ports * Slots is always enough, since each of them holds a slot of an output.
/// Times      signed numbers of TimeW bits.
/// Reset      no circuits. Only valid bits and the state are reset. A command in reset is ignored.
/// Proven     rtl/tdm/setup_unit_formal.svh.
module setup_unit #(
  parameter int unsigned Ports    = 5,   ///< ports of the switch, 2..32
  parameter int unsigned Slots    = 32,  ///< largest frame, 2..256
  parameter int unsigned Circuits = 16,  ///< records; slots that drain; open releases: 1..1024 each
  parameter int unsigned KeyW     = 16,  ///< bits of a circuit's number
  parameter int unsigned TimeW    = 32,  ///< bits of times, 8..64
  parameter int unsigned WordW    = 32,  ///< bits of a word's number
  parameter int unsigned InfoW    = 8,   ///< bits about a refusal or failure that pass through
  localparam int unsigned PortW   = $clog2(Ports),
  localparam int unsigned RowW    = $clog2(2 * Ports),
  localparam int unsigned SlotW   = $clog2(Slots),
  localparam int unsigned CountW  = $clog2(Slots + 1),
  localparam int unsigned RecordW = (Circuits > 1) ? $clog2(Circuits) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Constants of the switch
  input  logic                   slot_update_i,
  input  logic [TimeW-1:0]       frame_i,      ///< slots of a frame
  input  logic [Ports*TimeW-1:0] ack_lag_i,    ///< cycles until a host has heard an ACK, and one
  input  logic [Ports*TimeW-1:0] drain_lag_i,  ///< cycles until a host's last word is in after a teardown
  input  logic [InfoW-1:0]       own_info_i,   ///< info of refusals
  input  logic [Ports*InfoW-1:0] down_info_i,  ///< the same where a port is down
  // Command
  input  logic                   cmd_valid_i,
  input  logic [1:0]             cmd_op_i,
  output logic                   cmd_ready_o,
  input  logic [TimeW-1:0]       now_i,
  input  logic [Ports-1:0]       usable_i,
  input  logic [Ports-1:0]       failed_i,
  input  logic [PortW-1:0]       msg_from_i,
  input  logic [2:0]             msg_kind_i,
  input  logic [KeyW-1:0]        msg_key_i,
  input  logic [CountW-1:0]      msg_wanted_i,
  input  logic [TimeW-1:0]       msg_hold_i,
  input  logic [Slots-1:0]       msg_common_i,
  input  logic [Slots-1:0]       msg_slots_i,
  input  logic [Slots-1:0]       msg_source_i,
  input  logic [SlotW-1:0]       msg_lane_i,
  input  logic [TimeW-1:0]       msg_lag_i,
  input  logic [TimeW-1:0]       msg_start_i,
  input  logic [TimeW-1:0]       msg_late_i,
  input  logic [TimeW-1:0]       msg_cleared_i,
  input  logic [WordW-1:0]       msg_words_i,
  input  logic [1:0]             msg_cause_i,  ///< 0 no slots, 1 down, 2 late, 3 fault
  input  logic                   msg_withdrawn_i,
  input  logic                   msg_forward_i,
  input  logic [InfoW-1:0]       msg_info_i,
  input  logic                   place_first_i,
  input  logic [PortW-1:0]       place_in_i,
  input  logic [Ports-1:0]       place_outs_i,
  input  logic [Ports-1:0]       place_hosts_i,
  input  logic [TimeW-1:0]       place_departure_i,
  input  logic [TimeW-1:0]       place_start_i,
  input  logic [TimeW-1:0]       place_wire_i,
  input  logic [SlotW-1:0]       place_shift_i,
  // Sent messages
  output logic                   snd_valid_o,
  output logic [PortW-1:0]       snd_port_o,
  output logic [2:0]             snd_kind_o,
  output logic [KeyW-1:0]        snd_key_o,
  output logic [Slots-1:0]       snd_common_o,
  output logic [Slots-1:0]       snd_slots_o,
  output logic [Slots-1:0]       snd_source_o,
  output logic [SlotW-1:0]       snd_lane_o,
  output logic [TimeW-1:0]       snd_lag_o,
  output logic [TimeW-1:0]       snd_start_o,
  output logic [TimeW-1:0]       snd_late_o,
  output logic [TimeW-1:0]       snd_cleared_o,
  output logic [WordW-1:0]       snd_words_o,
  output logic [1:0]             snd_cause_o,
  output logic                   snd_withdrawn_o,
  output logic                   snd_forward_o,
  output logic [InfoW-1:0]       snd_info_o,
  // Slot LUT
  output logic                   lut_valid_o,
  output logic [1:0]             lut_op_o,
  output logic [RowW-1:0]        lut_row_o,
  output logic [Slots-1:0]       lut_slots_o,
  output logic [KeyW-1:0]        lut_key_o,    ///< the circuit that it is about
  input  logic                   lut_ok_i,
  input  logic [Slots-1:0]       lut_free_i,
  // Slot table
  output logic                   tbl_valid_o,
  output logic                   tbl_write_o,
  output logic                   tbl_set_o,
  output logic [CountW-1:0]      tbl_count_o,
  output logic [Slots-1:0]       tbl_slots_o,
  output logic [Ports-1:0]       tbl_outs_o,
  output logic [PortW-1:0]       tbl_in_o,
  output logic [Slots*SlotW-1:0] tbl_from_o,
  input  logic [TimeW-1:0]       tbl_at_i,
  // Links and slots
  output logic [Ports-1:0]       drain_begin_o,
  output logic [Ports-1:0]       drain_end_o,
  output logic                   lost_valid_o,
  output logic [KeyW-1:0]        lost_key_o,
  output logic                   free_valid_o,
  output logic [TimeW-1:0]       free_at_o,
  output logic                   full_o,
  // Readout of record and of draining slots `index_i`
  input  logic [RecordW-1:0]     index_i,
  output logic                   rec_valid_o,
  output logic                   rec_lost_o,  ///< to a failure: out of the table
  output logic [KeyW-1:0]        rec_key_o,
  output logic                   rec_first_o,
  output logic [PortW-1:0]       rec_in_o,
  output logic [Ports-1:0]       rec_outs_o,
  output logic [Slots-1:0]       rec_slots_o,
  output logic [Slots-1:0]       rec_came_o,  ///< slots in which its words come
  output logic                   drn_valid_o,
  output logic [KeyW-1:0]        drn_key_o,
  output logic                   drn_first_o,
  output logic [PortW-1:0]       drn_in_o,
  output logic [Ports-1:0]       drn_outs_o,
  output logic [Slots-1:0]       drn_slots_o,
  output logic [Slots-1:0]       drn_came_o
);

  if ((Ports < 2) || (Ports > 32)) $error("setup_unit: Ports must be 2..32");
  if ((Slots < 2) || (Slots > 256)) $error("setup_unit: Slots must be 2..256");
  if ((Circuits < 1) || (Circuits > 1024)) $error("setup_unit: Circuits must be 1..1024");
  if ((TimeW < 8) || (TimeW > 64)) $error("setup_unit: TimeW must be 8..64");
  if (KeyW < 1) $error("setup_unit: KeyW must be at least 1");
  if (WordW < 1) $error("setup_unit: WordW must be at least 1");
  if (InfoW < 1) $error("setup_unit: InfoW must be at least 1");

  localparam logic [1:0] OpMessage = 2'd0, OpFailure = 2'd1, OpTold = 2'd2, OpFree = 2'd3;
  localparam logic [2:0] Request = 3'd0, Ack = 3'd1, Withdraw = 3'd3, Teardown = 3'd6;
  localparam logic [2:0] Send = 3'd1, SendAndClear = 3'd2, Clear = 3'd3, WithdrawAll = 3'd4, End = 3'd5;  // message_effect
  localparam logic [1:0] NoSlots = 2'd0, Down = 2'd1, Late = 2'd2, Fault = 2'd3;
  localparam logic [1:0] LutQuery = 2'd0, LutReserve = 2'd1, LutRelease = 2'd2;

  typedef enum logic [4:0] {
    StIdle, StBegin, StRequest, StInstall, StOnward, StSend,
    StFind, StAct, StBack, StMerge, StWithdraw, StHosts, StEnd, StClear, StCleared,
    StScan, StTake, StGiveUp, StFork, StTold
  } state_e;

  // Number of the lowest port of a set, 0 for none.
  function [PortW-1:0] port_of(input [Ports-1:0] set);
    integer p;
    begin
      port_of = '0;
      for (p = Ports - 1; p >= 0; p = p - 1) if (set[p]) port_of = PortW'(p);
    end
  endfunction

  state_e           state_q;
  state_e           then_q;  // behind StSend
  logic [TimeW-1:0] now_q;
  // The message that is worked on, then the one that is sent
  logic [2:0]         kind_q;
  logic [KeyW-1:0]    key_q;
  logic [Slots-1:0]   common_q, slots_q, source_q;
  logic [SlotW-1:0]   lane_q;
  logic [TimeW-1:0]   lag_q, start_q, late_q, cleared_q;
  logic [WordW-1:0]   words_q;
  logic [1:0]         cause_q;
  logic               withdrawn_q, forward_q;
  logic [InfoW-1:0]   info_q;
  logic [PortW-1:0]   from_q;
  logic [CountW-1:0]  wanted_q;
  logic [TimeW-1:0]   hold_q;
  // Place of the circuit of a request in this switch
  logic               first_q;
  logic [PortW-1:0]   in_q;
  logic [Ports-1:0]   outs_q, hosts_q;
  logic [TimeW-1:0]   departure_q, route_start_q, wire_q;
  logic [SlotW-1:0]   shift_q;
  // Progress
  logic [Ports-1:0]   todo_q;     // ports still to be sent to
  logic [Slots-1:0]   clear_q;    // slots that are given up
  logic               failing_q;  // a failure is worked on
  logic [RecordW-1:0] record_q, scan_q, best_q;
  logic               best_valid_q;
  logic [KeyW-1:0]    best_key_q;

  // Record of the circuit
  logic               room, hit, crosses, told_all, told;
  logic [RecordW-1:0] room_at, hit_at, record;
  logic [KeyW-1:0]    scan_key;
  logic               r_first, r_withdrawing, r_withdrawn;
  logic [PortW-1:0]   r_in;
  logic [Ports-1:0]   r_outs, r_hosts, r_accepted, r_ended, r_failed;
  logic [Slots-1:0]   r_slots, r_came, r_common;
  logic [WordW-1:0]   r_words;
  logic [1:0]         r_cause;
  logic [TimeW-1:0]   r_late, r_cleared;
  logic [InfoW-1:0]   r_info;
  logic [Ports-1:0]   in_set, branch, open, hosts_open, failed_here, notices;
  logic               ends, ends_host, loses;
  assign in_set      = Ports'(1) << r_in;
  assign branch      = Ports'(1) << from_q;
  assign open        = r_outs & ~r_ended;
  assign hosts_open  = open & r_hosts;
  assign failed_here = failed_i & (in_set | r_outs);
  assign notices     = (open | in_set) & ~failed_i;
  assign ends        = (state_q == StAct) && branch_ends;
  assign ends_host   = (state_q == StHosts) && (hosts_open != '0);
  assign loses       = (state_q == StCleared) && failing_q && (notices != '0);
  assign told        = (state_q == StTold) && hit;
  assign record      = (state_q == StIdle) ? index_i : (state_q == StTold) ? hit_at : record_q;

  // Effect of a message about it
  logic [2:0]         effect;
  logic [Ports-1:0]   effect_ports;
  logic               is_fault, branch_accepts, branch_confirms, branch_ends;
  assign is_fault = cause_q == Fault;
  message_effect #(.Ports(Ports)) i_effect (
    .kind_i(kind_q), .forward_i(forward_q), .fault_i(is_fault), .from_i(from_q), .in_i(r_in), .outs_i(r_outs),
    .accepted_i(r_accepted), .ended_i(r_ended), .withdrawing_i(r_withdrawing), .confirmed_i(confirmed_all),
    .effect_o(effect), .ports_o(effect_ports), .accepts_o(branch_accepts), .confirms_o(branch_confirms), .ends_o(branch_ends)
  );

  // A host that has not ended ends with a withdrawn teardown of no slots.
  logic               installs, accepts, withdraws, removes, notice, lost_one, ended_withdrawn;
  logic [Ports-1:0]   rec_failed, ended_branches;
  logic [Slots-1:0]   rec_mask, ended_common;
  logic [1:0]         ended_cause;
  logic [TimeW-1:0]   ended_late, rec_cleared;
  logic [InfoW-1:0]   ended_info;
  logic               any_end;
  assign installs        = state_q == StInstall;
  assign accepts         = (state_q == StAct) && branch_accepts;
  assign withdraws       = state_q == StWithdraw;
  assign removes         = (state_q == StCleared) && !loses;
  assign notice          = failing_q && snd_valid_o;
  assign lost_one        = state_q == StTold;
  assign any_end         = ends || ends_host;
  assign rec_failed      = (state_q == StCleared) ? failed_here : failed_i;
  assign rec_mask        = (state_q == StCleared) ? clear_q : chosen;
  assign rec_cleared     = loses ? out_of_force : ends_host ? '0 : cleared_q;
  assign ended_branches  = ends_host ? hosts_open : branch;
  assign ended_withdrawn = ends_host || withdrawn_q;
  assign ended_cause     = ends_host ? NoSlots : cause_q;
  assign ended_common    = ends_host ? '0 : common_q;
  assign ended_late      = ends_host ? '0 : late_q;
  assign ended_info      = ends_host ? own_info_i : info_q;

  circuit_records #(.Ports(Ports), .Slots(Slots), .Circuits(Circuits), .KeyW(KeyW), .TimeW(TimeW), .WordW(WordW),
                    .InfoW(InfoW)) i_records (
    .clk_i, .rst_ni, .key_i(key_q), .lost_i(lost_one), .hit_o(hit), .hit_at_o(hit_at), .room_o(room),
    .room_at_o(room_at), .scan_i(scan_q), .failed_i(rec_failed), .crosses_o(crosses), .scan_key_o(scan_key),
    .record_i(record), .install_i(installs), .accept_i(accepts), .end_i(any_end), .withdraw_i(withdraws),
    .remove_i(removes), .lose_i(loses), .notice_i(notice), .told_i(told), .first_i(first_q), .in_i(in_q),
    .outs_i(outs_q), .hosts_i(hosts_q), .slots_i(rec_mask), .came_i(came), .branch_i(ended_branches), .words_i(words_q),
    .withdrawn_i(ended_withdrawn), .cause_i(ended_cause), .common_i(ended_common), .late_i(ended_late),
    .cleared_i(rec_cleared), .info_i(ended_info),
    .valid_o(rec_valid_o), .lost_o(rec_lost_o), .key_o(rec_key_o), .first_o(r_first), .in_o(r_in), .outs_o(r_outs),
    .hosts_o(r_hosts), .slots_o(r_slots), .came_o(r_came), .accepted_o(r_accepted), .ended_o(r_ended),
    .withdrawing_o(r_withdrawing), .words_o(r_words), .withdrawn_o(r_withdrawn), .cause_o(r_cause),
    .common_o(r_common), .late_o(r_late), .cleared_o(r_cleared), .info_o(r_info), .failed_o(r_failed),
    .told_all_o(told_all)
  );
  assign {rec_first_o, rec_in_o, rec_outs_o, rec_slots_o, rec_came_o} = {r_first, r_in, r_outs, r_slots, r_came};

  // Slots of a request
  logic               begins, granted, too_few_or_late, is_late, ask_lut, reserve_lut, ask_table;
  logic [Ports:0]     ask_rows;
  logic [Slots-1:0]   ask_slots, common, chosen, came, source;
  logic [SlotW-1:0]   lane;
  logic [TimeW-1:0]   lag, first_word, late_by, ack_at;
  assign begins = (state_q == StBegin) && !refuses;
  assign ack_at = now_q + ack_lag_i[in_q*TimeW +: TimeW];
  setup_request #(.Ports(Ports), .Slots(Slots), .TimeW(TimeW)) i_request (
    .clk_i, .rst_ni, .update_i(slot_update_i), .frame_i(CountW'(frame_i)), .start_i(begins), .first_i(first_q),
    .outs_i(outs_q), .wanted_i(wanted_q), .common_i(common_q), .slots_i(slots_q), .source_i(source_q),
    .lane_i(lane_q), .shift_i(shift_q), .lag_i(lag_q), .wire_i(wire_q), .departure_i(departure_q), .ack_at_i(ack_at),
    .route_start_i(route_start_q), .hold_i(hold_q), .first_word_i(start_q), .lut_valid_o(ask_lut),
    .lut_reserve_o(reserve_lut), .lut_rows_o(ask_rows), .lut_slots_o(ask_slots), .lut_free_i, .tbl_ask_o(ask_table),
    .tbl_at_i, .granted_o(granted), .refused_o(too_few_or_late), .late_o(is_late), .late_by_o(late_by),
    .common_o(common), .slots_o(chosen), .came_o(came), .source_o(source), .lane_o(lane), .lag_o(lag),
    .first_word_o(first_word), .from_o(tbl_from_o)
  );

  // Slots that drain
  logic             drain_insert, drain_full, frees, freeing, free_lut;
  logic [TimeW-1:0] out_of_force, host_lag;
  logic [Ports-1:0] drain_failed;
  logic [Ports:0]   free_rows;
  logic [PortW-1:0] free_in;
  logic [Slots-1:0] free_slots, drain_slots, drain_came;
  logic [KeyW-1:0]  free_key;
  assign out_of_force = (state_q == StTold) ? r_cleared :
                        ($signed(cleared_q) > $signed(tbl_at_i)) ? cleared_q : tbl_at_i;
  assign host_lag     = drain_lag_i[r_in*TimeW +: TimeW];
  assign drain_insert = ((state_q == StCleared) && !loses) || (told && told_all);
  assign drain_failed = (state_q == StTold) ? r_failed : failed_here;
  assign drain_slots  = (state_q == StTold) ? r_slots : clear_q;
  assign drain_came   = slot_update_i ? r_came : drain_slots;  // then all of the circuit's are given up at once
  assign frees        = cmd_valid_i && cmd_ready_o && (cmd_op_i == OpFree);
  slot_drain #(.Ports(Ports), .Slots(Slots), .Depth(Circuits), .KeyW(KeyW), .TimeW(TimeW)) i_drain (
    .clk_i, .rst_ni, .frame_i, .now_i(now_q), .insert_i(drain_insert), .out_of_effect_i(out_of_force),
    .host_lag_i(host_lag), .key_i(key_q), .failed_i(drain_failed), .outs_i(r_outs), .slots_i(drain_slots),
    .came_i(drain_came), .in_i(r_in), .first_i(r_first), .full_o(drain_full), .free_i(frees), .busy_o(freeing),
    .lut_valid_o(free_lut), .lut_rows_o(free_rows), .lut_in_o(free_in), .lut_slots_o(free_slots), .lut_key_o(free_key), .done_o(drain_end_o),
    .head_valid_o(free_valid_o), .head_until_o(free_at_o), .index_i, .valid_o(drn_valid_o), .key_o(drn_key_o),
    .outs_o(drn_outs_o), .slots_o(drn_slots_o), .came_o(drn_came_o), .in_o(drn_in_o), .first_o(drn_first_o)
  );

  // Releases that not all branches have confirmed
  logic             confirm, confirmed_all, release_full, forget;
  logic [TimeW-1:0] release_cleared;
  assign confirm = (state_q == StAct) && branch_confirms;
  assign forget  = (state_q == StCleared) && ((r_slots & ~clear_q) == '0);
  release_table #(.Entries(Circuits), .Ports(Ports), .Slots(Slots), .TimeW(TimeW), .RecordW(RecordW)) i_releases (
    .clk_i, .rst_ni, .confirm_i(confirm), .drop_i(forget), .record_i(record_q), .slots_i(slots_q),
    .branch_i(branch), .outs_i(r_outs), .cleared_i(cleared_q), .all_o(confirmed_all), .cleared_o(release_cleared),
    .full_o(release_full)
  );

  // Steps
  logic [Ports-1:0] down, todo_left;
  logic             refuses;  // no room, a port that is down, no slots, or late: teardown to the input
  assign todo_left = todo_q & (todo_q - Ports'(1));
  assign down      = outs_q & ~usable_i;
  assign refuses   = (state_q == StBegin) ? (!room || (down != '0)) : too_few_or_late;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (!freeing) begin
          {kind_q, key_q, common_q, slots_q, source_q, lane_q, lag_q, start_q, late_q, cleared_q, words_q, cause_q} <=
            {msg_kind_i, msg_key_i, msg_common_i, msg_slots_i, msg_source_i, msg_lane_i, msg_lag_i, msg_start_i,
             msg_late_i, msg_cleared_i, msg_words_i, msg_cause_i};
          {withdrawn_q, forward_q, info_q} <= {msg_withdrawn_i, msg_forward_i, msg_info_i};
          {now_q, from_q, wanted_q, hold_q} <= {now_i, msg_from_i, msg_wanted_i, msg_hold_i};
          {first_q, in_q, outs_q, hosts_q, departure_q, route_start_q, wire_q, shift_q} <=
            {place_first_i, place_in_i, place_outs_i, place_hosts_i, place_departure_i, place_start_i, place_wire_i,
             place_shift_i};
          failing_q    <= cmd_op_i == OpFailure;
          scan_q       <= '0;
          best_valid_q <= 1'b0;
          if (cmd_valid_i) begin
            case (cmd_op_i)
              OpMessage: state_q <= (msg_kind_i == Request) ? StBegin : StFind;
              OpFailure: state_q <= StScan;
              OpTold:    state_q <= StTold;
              default: ;  // slot_drain frees
            endcase
          end
        end

        // A request
        StBegin: begin
          record_q <= room_at;
          state_q  <= StRequest;
        end
        StRequest: if (granted) begin
          {common_q, slots_q, source_q, lane_q, lag_q, start_q} <= {common, came, source, lane, lag, first_word};
          state_q <= StInstall;
        end
        StInstall: begin
          kind_q  <= Ack;
          todo_q  <= Ports'(1) << in_q;
          then_q  <= StOnward;
          state_q <= StSend;
        end
        StOnward: begin
          kind_q  <= Request;
          slots_q <= chosen;
          todo_q  <= outs_q;
          then_q  <= StIdle;
          state_q <= StSend;
        end

        StSend: begin
          todo_q <= todo_left;
          if (todo_left == '0) state_q <= then_q;
        end

        // A message about a circuit
        StFind: begin
          record_q <= hit_at;
          state_q  <= hit ? StAct : StIdle;
        end
        StAct: begin
          todo_q  <= effect_ports;
          then_q  <= (effect == SendAndClear) ? StBack : StIdle;
          clear_q <= (branch_confirms && !slot_update_i) ? slots_q : r_slots;  // own slots: slots_q are those of the source
          case (effect)
            Send, SendAndClear: state_q <= StSend;
            Clear:              state_q <= StClear;
            WithdrawAll:        state_q <= StWithdraw;
            End:                state_q <= StEnd;
            default:            state_q <= StIdle;
          endcase
          if (branch_accepts && (r_accepted != '0) && (r_words < words_q)) words_q <= r_words;
          if (branch_confirms) cleared_q <= release_cleared;
          if ((effect == Clear) && (kind_q == Teardown)) cleared_q <= '0;
          if (effect == SendAndClear) forward_q <= 1'b1;
        end
        StBack: begin
          forward_q <= 1'b0;
          todo_q    <= in_set;
          then_q    <= StIdle;
          state_q   <= StClear;
        end
        StWithdraw: begin
          kind_q  <= Withdraw;
          todo_q  <= open & ~r_hosts;
          then_q  <= StHosts;
          state_q <= StSend;
        end
        StHosts: state_q <= (ends_host && (hosts_open == open)) ? StEnd : StIdle;
        StEnd: begin  // all branches have come to nothing
          kind_q      <= Teardown;
          forward_q   <= 1'b0;
          withdrawn_q <= r_withdrawn;
          cause_q     <= r_cause;
          common_q    <= r_common;
          late_q      <= r_late;
          cleared_q   <= r_cleared;
          info_q      <= r_info;
          todo_q      <= in_set;
          then_q      <= StIdle;
          state_q     <= StClear;
        end
        StClear: state_q <= StCleared;
        StCleared: begin
          cleared_q <= out_of_force;
          if (failing_q) todo_q <= in_set & ~failed_i;
          state_q <= StSend;
        end

        // A failure: the circuits over it in the order of their keys
        StScan: begin
          if (crosses && (!best_valid_q || (scan_key < best_key_q))) begin
            best_valid_q <= 1'b1;
            best_q       <= scan_q;
            best_key_q   <= scan_key;
          end
          scan_q <= scan_q + RecordW'(1);
          if (32'(scan_q) == Circuits - 1) state_q <= StTake;
        end
        StTake: begin
          record_q     <= best_q;
          key_q        <= best_key_q;
          best_valid_q <= 1'b0;
          scan_q       <= '0;
          state_q      <= best_valid_q ? StGiveUp : StIdle;
        end
        StGiveUp: begin
          kind_q      <= Teardown;
          cause_q     <= Fault;
          withdrawn_q <= 1'b0;
          forward_q   <= 1'b0;
          common_q    <= '0;
          late_q      <= '0;
          cleared_q   <= '0;
          clear_q     <= r_slots;
          then_q      <= StFork;
          state_q     <= StClear;
        end
        StFork: begin
          forward_q <= 1'b1;
          todo_q    <= open & ~failed_i;
          then_q    <= StScan;
          state_q   <= StSend;
        end
        StTold: state_q <= StIdle;

        default: state_q <= StIdle;
      endcase
      if (refuses) begin
        kind_q      <= Teardown;
        cause_q     <= is_late ? Late : ((state_q == StBegin) && (down != '0)) ? Down : NoSlots;
        late_q      <= is_late ? late_by : '0;
        if (state_q == StRequest) common_q <= common;
        cleared_q   <= '0;
        withdrawn_q <= 1'b0;
        forward_q   <= 1'b0;
        info_q      <= ((state_q == StBegin) && (down != '0)) ? down_info_i[port_of(down)*InfoW +: InfoW] : own_info_i;
        todo_q      <= Ports'(1) << in_q;
        then_q      <= StIdle;
        state_q     <= StSend;
      end
    end
  end

  // Outputs
  logic [Ports:0]   lut_rows;
  logic [PortW-1:0] lut_in;
  assign cmd_ready_o     = (state_q == StIdle) && !freeing;
  assign snd_valid_o     = (state_q == StSend) && (todo_q != '0);
  assign snd_port_o      = port_of(todo_q);
  assign {snd_kind_o, snd_key_o, snd_common_o, snd_slots_o, snd_source_o, snd_lane_o, snd_lag_o, snd_start_o} =
         {kind_q, key_q, common_q, slots_q, source_q, lane_q, lag_q, start_q};
  assign {snd_late_o, snd_cleared_o, snd_words_o, snd_cause_o, snd_withdrawn_o, snd_forward_o, snd_info_o} =
         {late_q, cleared_q, words_q, cause_q, withdrawn_q, forward_q, info_q};

  assign lut_valid_o = ask_lut || free_lut;
  assign lut_op_o    = free_lut ? LutRelease : reserve_lut ? LutReserve : LutQuery;
  assign lut_rows    = free_lut ? free_rows : ask_rows;  // the lowest one: bit 0 that of the input, then the outputs'
  assign lut_in      = free_lut ? free_in : in_q;
  assign lut_row_o   = lut_rows[0] ? RowW'(Ports) + RowW'(lut_in) : RowW'(port_of(lut_rows[Ports:1]));
  assign lut_slots_o = free_lut ? free_slots : ask_slots;
  assign lut_key_o   = free_lut ? free_key : key_q;

  assign tbl_valid_o = ask_table || (state_q == StInstall) || (state_q == StClear);
  assign tbl_write_o = !ask_table;
  assign tbl_set_o   = state_q == StInstall;
  assign tbl_count_o = wanted_q;
  assign tbl_slots_o = (state_q == StClear) ? clear_q : chosen;
  assign tbl_outs_o  = (state_q == StClear) ? r_outs : outs_q;
  assign tbl_in_o    = in_q;

  assign drain_begin_o = (state_q == StCleared) ? failed_here : '0;
  assign lost_valid_o  = (state_q == StTake) && best_valid_q;
  assign lost_key_o    = best_key_q;
  assign full_o        = drain_full || release_full || ((state_q == StBegin) && !room && (down == '0));

`ifndef SYNTHESIS
  a_lut_done: assert property (@(posedge clk_i) disable iff (!rst_ni) reserve_lut || free_lut |=> lut_ok_i);
  a_held:     assert property (@(posedge clk_i) disable iff (!rst_ni)
                               (state_q == StClear) |-> ((clear_q & ~r_slots) == '0) && (clear_q != '0));
  a_receiver: assert property (@(posedge clk_i) disable iff (!rst_ni)
                               snd_valid_o |-> ((32'(snd_port_o) < Ports)));
`endif
`ifdef FORMAL
  `include "setup_unit_formal.svh"
`endif
`ifdef COVERAGE
  `include "setup_unit_cover.svh"
`endif
endmodule
