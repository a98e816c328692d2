// Properties of setup_unit, proven without bound by scripts/formal at the smallest size: one circuit, of one output. Reset
// may come back at any time; any commands and messages come that keep to the data sheet and to docs/fic_setup.md. Each part
// is proven by itself, under assumptions about its pins; that the unit keeps to them is proven here. One slot of one row, any
// two, is followed in the slot LUT and the slot table, and the answers to one request.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [RowW-1:0]        f_row;     // outputs, then inputs
(* anyconst *) logic [SlotW-1:0]       f_slot;
(* anyconst *) logic                   f_update;
(* anyconst *) logic [TimeW-1:0]       f_frame;
(* anyconst *) logic [Ports*TimeW-1:0] f_ack_lag;
(* anyconst *) logic [Ports*TimeW-1:0] f_drain_lag;

// The command, whose pins have a meaning in its first cycle only, but for the state of the links.
logic             f_begins;   // a command is taken
logic             f_busy_q;   // before this cycle
logic [Ports-1:0] f_usable_q, f_failed_q;
assign f_begins = cmd_valid_i && cmd_ready_o;

// The slot LUT: who holds the slot.
logic             f_taken;
logic [KeyW-1:0]  f_owner;
logic             f_asks;     // for the slot, in the cycle before
logic [Slots-1:0] f_asked;    // slots asked for in the cycle before
logic             f_mine;     // the access is about the slot
assign f_mine = lut_valid_o && (lut_row_o == f_row) && lut_slots_o[f_slot];

// The slot table: whether an entry of the row, an output, is in force for the slot. Slots of an input have none.
logic f_entry;
logic f_writes;
assign f_writes = tbl_valid_o && tbl_write_o && tbl_slots_o[f_slot] && (32'(f_row) < Ports) && tbl_outs_o[PortW'(f_row)];

// The request that is worked on, and its answers.
logic             f_request;
logic [PortW-1:0] f_in;
logic [Ports-1:0] f_outs;
logic             f_acked;
logic             f_refused;
logic [Ports-1:0] f_passed;   // outputs that it has been sent to
logic             f_reserves; // a slot has been reserved for it
logic             f_full;     // a release or slots that drain were lost

// Messages that the protocol has, from ports that are there.
logic        f_fit;
logic [31:0] f_number;  // of slots in which words come
integer      f_s;
always_comb begin
  f_fit    = 1'b1;
  f_number = '0;
  for (f_s = 0; f_s < Slots; f_s = f_s + 1) f_number = f_number + 32'(msg_slots_i[f_s]);
  if ((32'(frame_i) < 2) || (32'(frame_i) > Slots)) f_fit = 1'b0;
  if (f_busy_q && ((usable_i != f_usable_q) || (failed_i != f_failed_q))) f_fit = 1'b0;
  if (f_begins) begin
    if ((cmd_op_i == OpMessage) && ((32'(msg_from_i) >= Ports) || (msg_kind_i == 3'd7))) f_fit = 1'b0;
    if ((cmd_op_i == OpMessage) && (msg_kind_i == Request)) begin
      if ((32'(place_in_i) >= Ports) || (place_outs_i == '0) || place_outs_i[place_in_i]) f_fit = 1'b0;
      if ((place_hosts_i & ~place_outs_i) != '0) f_fit = 1'b0;
      if ((msg_wanted_i == '0) || (msg_wanted_i > CountW'(frame_i))) f_fit = 1'b0;
      if ((msg_common_i >> frame_i) != '0) f_fit = 1'b0;
      if (!place_first_i && !slot_update_i && (f_number != 32'(msg_wanted_i))) f_fit = 1'b0;
    end
  end
  // A circuit's number is not used twice: at the request no record has it, nor slots that drain.
  if ((state_q == StBegin) && (hit || (drn_valid_o && (drn_key_o == key_q)))) f_fit = 1'b0;
  // A branch confirms a release of slots that the circuit has.
  if ((state_q == StAct) && branch_confirms && !slot_update_i && ((slots_q == '0) || ((slots_q & ~r_slots) != '0))) f_fit = 1'b0;
  // The slot LUT answers with slots that it has been asked for, and knows the one that is followed.
  if ((lut_free_i & ~f_asked) != '0) f_fit = 1'b0;
  if (f_asks && (lut_free_i[f_slot] == f_taken)) f_fit = 1'b0;
end
always_comb begin
  assume ((32'(f_row) < 2 * Ports) && (32'(f_slot) < Slots));
  assume (slot_update_i == f_update);
  assume (frame_i == f_frame);
  assume (ack_lag_i == f_ack_lag);
  assume (drain_lag_i == f_drain_lag);
  if (!f_started) assume (!rst_ni);
  if (rst_ni) assume (f_fit);
end

always_ff @(posedge clk_i) begin
  f_usable_q <= usable_i;
  f_failed_q <= failed_i;
  f_asked    <= lut_slots_o;
  if (!rst_ni) begin
    f_busy_q  <= 1'b0;
    f_taken   <= 1'b0;
    f_asks    <= 1'b0;
    f_entry   <= 1'b0;
    f_request <= 1'b0;
    f_full    <= 1'b0;
  end else begin
    f_busy_q <= f_begins || (f_busy_q && !cmd_ready_o);
    f_asks   <= f_mine && (lut_op_o == LutQuery);
    f_full   <= f_full || drain_full || release_full;
    if (f_mine && (lut_op_o == LutReserve)) f_taken <= 1'b1;
    if (f_mine && (lut_op_o == LutRelease)) f_taken <= 1'b0;
    if (f_writes) f_entry <= tbl_set_o;
    if (f_begins) f_request <= (cmd_op_i == OpMessage) && (msg_kind_i == Request);
    else if (cmd_ready_o) f_request <= 1'b0;
  end
end
always_ff @(posedge clk_i) begin
  if (f_mine && (lut_op_o == LutReserve)) f_owner <= lut_key_o;
  if (f_begins) begin
    f_in       <= place_in_i;
    f_outs     <= place_outs_i;
    f_acked    <= 1'b0;
    f_refused  <= 1'b0;
    f_passed   <= '0;
    f_reserves <= 1'b0;
  end else begin
    if (snd_valid_o && (snd_kind_o == Ack)) f_acked <= 1'b1;
    if (snd_valid_o && (snd_kind_o == Teardown)) f_refused <= 1'b1;
    if (snd_valid_o && (snd_kind_o == Request)) f_passed[snd_port_o] <= 1'b1;
    if (lut_valid_o && (lut_op_o == LutReserve)) f_reserves <= 1'b1;
  end
end

// Cycles that the command has kept the unit busy, messages that it has sent, and what the data sheet says of a request.
localparam int unsigned FormalW = $clog2(2 * Ports * (Slots + Circuits + 8));
logic [FormalW-1:0] f_cycles, f_sent, f_expected;
logic [FormalW-1:0] f_rows, f_wanted, f_found, f_branches;  // k, m, c, b of the data sheet
logic [FormalW-1:0] f_left;     // slots that a refusal names as free
logic [1:0]         f_cause;
logic               f_command;  // a message about a circuit
logic               f_first;
logic               f_looks;    // the request asks the slot LUT
integer f_i;
always_comb begin
  f_left     = '0;
  f_branches = '0;
  for (f_i = 0; f_i < Slots; f_i = f_i + 1) f_left = f_left + FormalW'(snd_common_o[f_i]);
  for (f_i = 0; f_i < Ports; f_i = f_i + 1) f_branches = f_branches + FormalW'(f_outs[f_i]);
  f_rows = f_branches + FormalW'(f_first);
  if (f_acked) f_expected = FormalW'(2) * f_rows + f_wanted + f_branches + FormalW'(8);
  else if (!f_looks) f_expected = FormalW'(2);
  else if (f_cause == Late) f_expected = f_rows + f_wanted + FormalW'(6);
  else f_expected = f_rows + f_found + FormalW'(4);
end
always_ff @(posedge clk_i) begin
  f_cycles <= f_begins ? '0 : f_cycles + FormalW'(!cmd_ready_o);
  f_sent   <= f_begins ? '0 : f_sent + FormalW'(snd_valid_o);
  if (f_begins) begin
    f_command <= (cmd_op_i == OpMessage) && (msg_kind_i != Request);
    f_first   <= place_first_i;
    f_wanted  <= FormalW'(msg_wanted_i);
    f_looks   <= 1'b0;
  end else if (lut_valid_o) f_looks <= 1'b1;
  if (f_request && snd_valid_o && (snd_kind_o == Teardown)) begin
    f_cause <= snd_cause_o;
    f_found <= f_first ? f_left : f_wanted;
  end
end

// Whether a record or slots that drain have the slot, as the readout shows them.
logic [Ports-1:0] f_output, f_input;
logic             f_record, f_drains;
assign f_output = (32'(f_row) < Ports) ? (Ports'(1) << f_row) : '0;
assign f_input  = (32'(f_row) < Ports) ? '0 : (Ports'(1) << (f_row - RowW'(Ports)));
assign f_record = rec_valid_o && (rec_key_o == f_owner) &&
                  ((((rec_outs_o & f_output) != '0) && rec_slots_o[f_slot]) ||
                   (rec_first_o && f_input[rec_in_o] && (slot_update_i ? rec_came_o[f_slot] : rec_slots_o[f_slot])));
assign f_drains = drn_valid_o && (drn_key_o == f_owner) &&
                  ((((drn_outs_o & f_output) != '0) && drn_slots_o[f_slot]) ||
                   (drn_first_o && f_input[drn_in_o] && drn_came_o[f_slot]));

logic f_to_input, f_to_output;  // where an answer may go now
assign f_to_input  = !f_acked && !f_refused && (snd_port_o == f_in);
assign f_to_output = f_acked && f_outs[snd_port_o] && !f_passed[snd_port_o];

logic [7:0] f_strobes;  // of the records
assign f_strobes = {installs, accepts, any_end, withdraws, removes, loses, notice, told};

always_comb if (f_started && rst_ni) begin
  // A slot is reserved when it is free, and released by the circuit that has it, when its entry is out of the table.
  if (f_mine && (lut_op_o == LutReserve)) begin
    a_free: assert (!f_taken);
  end
  if (f_mine && (lut_op_o == LutRelease)) begin
    a_own: assert (f_taken && (lut_key_o == f_owner));
    a_out: assert (!f_entry);
  end
  // Entries come into the table for slots that the circuit has reserved, and no two for the same slot of an output.
  if (f_writes && tbl_set_o) begin
    a_set: assert (f_taken && !f_entry && (f_owner == key_q));
  end
  if (f_writes && !tbl_set_o) begin
    a_clear: assert (f_entry && (f_owner == key_q));
  end
  // A request is answered once: it is acknowledged and goes on to each output, or refused and nothing of it stays.
  if (f_request && snd_valid_o) begin
    a_once:   assert ((snd_kind_o == Request) ? f_to_output : f_to_input);
    a_kinds:  assert ((snd_kind_o == Request) || (snd_kind_o == Ack) || (snd_kind_o == Teardown));
    a_holds:  assert (f_reserves == (snd_kind_o != Teardown));
  end
  if (f_request && cmd_ready_o) begin
    a_answer: assert (f_acked ? (!f_refused && (f_passed == f_outs)) : (f_refused && (f_passed == '0)));
  end
  // While the unit is ready nothing is done but what slot_drain does.
  a_quiet: assert (!cmd_ready_o || !(snd_valid_o || lut_valid_o || tbl_valid_o || lost_valid_o));
  // The parts are used as their proofs assume.
  a_one_strobe: assert ((f_strobes & (f_strobes - 8'd1)) == '0);
  if (accepts || any_end || withdraws || removes || loses) begin
    a_record: assert (rec_valid_o && !rec_lost_o);
  end
  if (installs) begin
    a_new: assert (!rec_valid_o && (chosen != '0));
  end
  if (accepts || any_end) begin
    a_branch: assert ((ended_branches != '0) && ((ended_branches & ~r_outs) == '0));
  end
  if (removes) begin
    a_part: assert ((clear_q != '0) && ((clear_q & ~r_slots) == '0));
  end
  if (notice) begin
    a_notice: assert (rec_valid_o && rec_lost_o);
  end
  if (drain_insert) begin
    a_drains: assert ((drain_slots != '0) && (r_outs != '0) && !freeing && !frees);
  end
  a_confirms: assert (!(confirm && forget));
  if (state_q == StRequest) begin
    a_request: assert ((outs_q == f_outs) && (in_q == f_in) && (first_q == f_first));
  end
  // A slot is taken as long as a record has it, or slots that drain, and no longer; nothing is left behind.
  if ((Circuits == 1) && cmd_ready_o && (index_i == '0) && !f_full) begin
    a_kept: assert (f_taken == (f_record || f_drains));
  end
  // The cycles of the data sheet.
  if (f_busy_q && f_request && cmd_ready_o && !slot_update_i) begin
    a_cycles: assert (f_cycles == f_expected);
  end
  if (f_busy_q && f_command && cmd_ready_o) begin
    a_short: assert (f_cycles <= FormalW'(8) + f_sent);
  end
  // Reachability: each must have a witness.
  c_granted: cover (f_request && f_acked && (f_passed == f_outs));
  c_refused: cover (f_request && f_refused && (f_outs != '0));
  c_freed:   cover (f_mine && (lut_op_o == LutRelease));
  c_lost:    cover (lost_valid_o);
  c_told:    cover (told && told_all);
end
