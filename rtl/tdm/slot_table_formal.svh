// Properties of slot_table, proven without bound by scripts/formal. Reset may come back at any time. f_slot is any
// fixed slot; the ghosts are its columns in the active and in the shadow table, kept from the pins by the rules of the
// data sheet.

(* anyconst *) logic [SlotW-1:0] f_slot;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

logic                    f_pending;  // a swap was requested in an earlier cycle
logic                    f_swap;     // this is the swap cycle
logic [Ports*EntryW-1:0] f_active_q, f_active;
logic [Ports*EntryW-1:0] f_shadow_q, f_shadow;
assign f_swap   = f_pending && (slot_i == '0);
assign f_active = f_swap ? f_shadow_q : f_active_q;
assign f_shadow = f_swap ? f_active_q : f_shadow_q;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_pending  <= 1'b0;
    f_active_q <= '0;
    f_shadow_q <= '0;
  end else begin
    f_pending  <= (f_pending && !f_swap) || swap_i;
    f_active_q <= f_active;
    f_shadow_q <= (cfg_we_i && (cfg_slot_i == f_slot)) ? cfg_column_i : f_shadow;
  end
end

// What the block itself holds for f_slot in the bank active in a cycle, and that of the cycle before in its bank.
logic                    f_in_reset;
logic                    f_bank_before;
logic                    f_at_boundary;  // the cycle before was slot 0 with a pending swap
logic [Ports*EntryW-1:0] f_held, f_held_before, f_kept;
assign f_held = written_q[{bank, f_slot}] ? mem_q[{bank, f_slot}] : '0;
assign f_kept = written_q[{f_bank_before, f_slot}] ? mem_q[{f_bank_before, f_slot}] : '0;
always_ff @(posedge clk_i) begin
  f_in_reset    <= !rst_ni;
  f_bank_before <= bank;
  f_held_before <= f_held;
end

always_comb if (f_started) begin
  a_pending: assert (swap_pending_o == f_pending);
  a_swapped: assert (swapped_o == f_swap);
  // The active bank changes in a swap cycle only: slot 0, and requested in an earlier cycle.
  if (!f_in_reset) begin
    a_boundary: assert ((bank == f_bank_before) || ((slot_i == '0) && f_pending));
    // Whatever was written in the last cycle, the table that was active in it is untouched.
    a_undisturbed: assert (f_kept == f_held_before);
  end
  // The column read is the last one written for its slot to the table that is active now.
  if (slot_i == f_slot) begin
    a_column: assert (column_o == f_active);
  end
`ifndef FORMAL_NO_LEMMAS
  // Lemma about the inside, which makes the properties above inductive: the banks hold the two tables.
  l_active: assert ((written_q[{bank_q, f_slot}] ? mem_q[{bank_q, f_slot}] : '0) == f_active_q);
  l_shadow: assert ((written_q[{!bank_q, f_slot}] ? mem_q[{!bank_q, f_slot}] : '0) == f_shadow_q);
`endif
  // Reachability: each must have a witness.
  c_swap:      cover (f_swap && swap_i);
  c_new:       cover (f_swap && (f_slot == '0) && (f_active != f_active_q));
  c_busy:      cover ((slot_i == f_slot) && (slot_i != '0) && (column_o != '0) && cfg_we_i && (cfg_slot_i == slot_i));
  c_wait:      cover (f_pending && (slot_i != '0) && swap_i);
end
