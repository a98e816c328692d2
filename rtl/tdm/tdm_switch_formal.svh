// Properties of tdm_switch with its slot table, proven without bound by scripts/formal. Reset may come back at any
// time. f_output and f_slot are any fixed output and slot, f_input and f_label any fixed input register; the ghosts are
// the table entry of the first pair and the content of the second, kept from the pins by the rules of the data sheet.
// FORMAL_DATA_PATH leaves out the ghost of the table: whatever the slot table does (proven by itself), the data path
// obeys its column. That part is inductive and proven for real sizes; the whole for small ones.

(* anyconst *) logic [PortW-1:0] f_output;
(* anyconst *) logic [SlotW-1:0] f_slot;
(* anyconst *) logic [PortW-1:0] f_input;
(* anyconst *) logic [SlotW-1:0] f_label;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume (32'(f_output) < Ports);
  assume (32'(f_input) < Ports);
end

// The entry of (f_output, f_slot) in both tables.
logic              f_pending, f_swap;
logic [EntryW-1:0] f_active_q, f_active, f_shadow_q, f_shadow;
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
    f_shadow_q <= (cfg_we_i && (cfg_slot_i == f_slot)) ? cfg_column_i[f_output*EntryW +: EntryW] : f_shadow;
  end
end

// Register (f_input, f_label) before this cycle's write: what last arrived with that label.
logic             f_full;
logic [Width-1:0] f_word;
logic             f_arrives;
assign f_arrives = in_slot_i[f_input*SlotW +: SlotW] == f_label;
always_ff @(posedge clk_i) begin
  if (!rst_ni) f_full <= 1'b0;
  else if (f_arrives) begin
    f_full <= in_valid_i[f_input];
    f_word <= in_word_i[f_input*Width +: Width];
  end
end

logic [EntryW-1:0] f_entry;   // what the block takes for the entry of f_output in this cycle
logic             f_now;      // the output sends slot f_slot in this cycle
logic             f_idle;     // its entry names nothing
logic             f_named;    // its entry names the register
logic             f_out_valid;
logic [Width-1:0] f_out_word;
assign f_entry     = column[f_output*EntryW +: EntryW];
assign f_now       = slot_i == f_slot;
assign f_idle      = !f_entry[EntryW-1] || (32'(f_entry[SlotW +: PortW]) >= Ports);
assign f_named     = f_entry == {1'b1, f_input, f_label};
assign f_out_valid = out_valid_o[f_output];
assign f_out_word  = out_word_o[f_output*Width +: Width];

always_comb if (f_started) begin
  a_pending: assert (swap_pending_o == f_pending);
  a_swapped: assert (swapped_o == f_swap);
`ifndef FORMAL_DATA_PATH
  // The entry is the last one written for its slot to the table that is active now.
  if (f_now) begin
    a_entry: assert (f_entry == f_active);
  end
`endif
  // An output sends nothing that its table does not name.
  if (f_now && f_idle) begin
    a_idle: assert (!f_out_valid);
  end
  // It sends what the named register held before this cycle, exactly when that was a word: nothing invented, lost,
  // or early.
  if (f_now && f_named) begin
    a_complete: assert (f_out_valid == f_full);
    a_word:     assert (!f_full || (f_out_word == f_word));
  end
  a_quiet: assert (f_out_valid || (f_out_word == '0));
  // Reachability: each must have a witness.
  c_send:    cover (f_now && f_named && f_out_valid && (f_out_word != '0));
  c_old:     cover (f_now && f_named && f_out_valid && f_arrives && (in_word_i[f_input*Width +: Width] != f_out_word));
  c_emptied: cover (f_now && f_named && !f_full && (f_word != '0) && !f_arrives);
  c_swap:    cover (f_swap && f_now && f_named && f_out_valid);
end

`ifndef FORMAL_NO_LEMMAS
// Lemma about the inside, which makes the properties above inductive: the named register is the ghost.
for (genvar i = 0; i < Ports; i = i + 1) begin : gen_lemma
  always_comb if (f_started && (32'(f_input) == i)) begin
    assert (gen_input[i].valid_q[f_label] == f_full);
    assert (!f_full || (gen_input[i].mem_q[f_label] == f_word));
  end
end
`endif
