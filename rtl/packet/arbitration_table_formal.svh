// Properties of arbitration_table, proven without bound by scripts/formal. Reset may come back at any time, entries may be
// written at any time, inputs are free but for serve_i, which needs any_o. The ghost is the table as the standard describes
// it, the entries visited one by one, kept from the pins alone: no wire of the block goes into it.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  if (rst_ni) assume (!serve_i || any_o);
end

logic [LevelW-1:0] f_active;
assign f_active = LevelW'(active_i);

logic [NumEntries*SlW-1:0]     f_sls;
logic [NumEntries*WeightW-1:0] f_weights;  // 0 until written
logic [EntryW-1:0]             f_entry;
logic [SlW-1:0]                f_turn_sl;
logic [WeightW-1:0]            f_left;

// The visit of this cycle.
logic               f_on;     // the turn goes on
logic               f_found;  // or that of f_next begins
logic [EntryW-1:0]  f_next;
logic [SlW-1:0]     f_sl;
logic [WeightW-1:0] f_available;
integer f_i;
always_comb begin
  f_on    = (f_left != '0) && f_active[f_turn_sl];
  f_found = 1'b0;
  f_next  = f_entry;
  for (f_i = 0; f_i < NumEntries; f_i = f_i + 1) begin
    if (!f_found) begin
      f_next = (32'(f_next) == NumEntries - 1) ? '0 : f_next + EntryW'(1);
      if (f_active[f_sls[f_next*SlW +: SlW]] && (f_weights[f_next*WeightW +: WeightW] != '0)) f_found = 1'b1;
    end
  end
  f_sl        = f_on ? f_turn_sl : f_sls[f_next*SlW +: SlW];
  f_available = f_on ? f_left : f_weights[f_next*WeightW +: WeightW];
end

integer f_k;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_weights <= '0;
    f_entry   <= EntryW'(NumEntries - 1);
    f_turn_sl <= '0;
    f_left    <= '0;
  end else begin
    for (f_k = 0; f_k < NumEntries; f_k = f_k + 1) begin
      if (cfg_we_i && (32'(cfg_index_i) == f_k)) begin
        f_sls[f_k*SlW +: SlW]             <= cfg_sl_i;
        f_weights[f_k*WeightW +: WeightW] <= cfg_weight_i;
      end
    end
    if (serve_i) begin
      // The last message of a turn may be larger than what is left, and nothing of that is remembered.
      f_left    <= (32'(size_i) >= 32'(f_available)) ? '0 : f_available - WeightW'(size_i);
      f_entry   <= f_on ? f_entry : f_next;
      f_turn_sl <= f_sl;
    end
  end
end

// The registers of the block a cycle ago, and whether nothing was served in it.
logic               f_idled;
logic [EntryW-1:0]  f_entry_then;
logic [WeightW-1:0] f_left_then;
always_ff @(posedge clk_i) begin
  f_idled      <= rst_ni && !serve_i;
  f_entry_then <= entry_q;
  f_left_then  <= left_q;
end

always_comb if (f_started) begin
  a_any: assert (any_o == (f_on || f_found));
  if (any_o) begin
    a_sl:     assert (sl_o == f_sl);
    a_active: assert (f_active[sl_o]);
  end
  if (f_idled) begin
    a_turn_stays: assert ((entry_q == f_entry_then) && (left_q == f_left_then));
  end
  // Reachability: each must have a witness.
  c_goes_on:   cover (rst_ni && serve_i && live);
  c_overdrawn: cover (rst_ni && serve_i && (32'(size_i) > 32'(available)));
  c_turn_lost: cover (rst_ni && serve_i && (left_q != '0) && !live);
  c_wraps:     cover (rst_ni && serve_i && !live && (next_entry < entry_q));
end

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost: this makes the properties above inductive.
logic [NumEntries-1:0] f_same;
for (genvar f_g = 0; f_g < NumEntries; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = positive_q[f_g] ? ((weight_q[f_g] == f_weights[f_g*WeightW +: WeightW])
                                          && (sl_q[f_g] == f_sls[f_g*SlW +: SlW]) && (weight_q[f_g] != '0))
                                       : (f_weights[f_g*WeightW +: WeightW] == '0);
end
always_comb if (f_started) begin
  l_entries: assert (f_same == '1);
  l_turn:    assert ((entry_q == f_entry) && (32'(entry_q) < NumEntries) && (left_q == f_left) &&
                     (turn_sl_q == f_turn_sl));
end
`endif
