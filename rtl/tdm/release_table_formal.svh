// Properties of release_table, proven without bound by scripts/formal. Reset may come back at any time. One release is followed
// from the pins alone: that of slots f_slots of record f_record, any two values.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [RecordW-1:0] f_record;
(* anyconst *) logic [Slots-1:0]   f_slots;
localparam int unsigned FormalW = $clog2(Entries + 2);
logic               f_open_q;       // some branches have confirmed it
logic [Ports-1:0]   f_confirmed_q;  // these
logic [TimeW-1:0]   f_cleared_q;    // the latest time that they have named
logic [FormalW-1:0] f_begun_q;      // incomplete confirmations since reset: no more releases are open

always_comb begin
  assume (!(confirm_i && drop_i));
  assume (!confirm_i || (branch_i != '0));
  assume ((branch_i & ~outs_i) == '0);
  assume ((branch_i & (branch_i - Ports'(1))) == '0);
  if (!f_started) assume (!rst_ni);
end

logic             f_mine;
logic [Ports-1:0] f_confirmed;
logic [TimeW-1:0] f_cleared;
assign f_mine      = confirm_i && (record_i == f_record) && (slots_i == f_slots);
assign f_confirmed = branch_i | (f_open_q ? f_confirmed_q : '0);
assign f_cleared   = (f_open_q && ($signed(f_cleared_q) > $signed(cleared_i))) ? f_cleared_q : cleared_i;

always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_open_q  <= 1'b0;
    f_begun_q <= '0;
  end else begin
    if (f_mine && !full_o) begin
      f_open_q      <= !all_o;
      f_confirmed_q <= f_confirmed;
      f_cleared_q   <= f_cleared;
    end
    if (drop_i && (record_i == f_record)) f_open_q <= 1'b0;
    if (confirm_i && !all_o && (32'(f_begun_q) <= Entries)) f_begun_q <= f_begun_q + FormalW'(1);
  end
end

logic [Entries-1:0] f_here;   // entries of the release
logic [Entries-1:0] f_other;  // such that have other values than the ghost
logic [FormalW-1:0] f_used;
integer f_e;
always_comb begin
  f_used = '0;
  for (f_e = 0; f_e < Entries; f_e = f_e + 1) begin
    f_here[f_e]  = valid_q[f_e] && (record_q[f_e] == f_record) && (slots_q[f_e] == f_slots);
    f_other[f_e] = f_here[f_e] && ((confirmed_q[f_e] != f_confirmed_q) || (cleared_q[f_e] != f_cleared_q));
    f_used       = f_used + FormalW'(valid_q[f_e]);
  end
end

always_comb if (f_started && rst_ni) begin
  if (f_mine) begin
    a_all:     assert (all_o == (f_confirmed == outs_i));
    a_cleared: assert (cleared_o == f_cleared);
    a_kept:    assert (!(full_o && f_open_q));
  end
  a_full: assert (!full_o || (confirm_i && !all_o));
  if (32'(f_begun_q) < Entries) begin
    a_room: assert (!full_o);
  end
`ifndef FORMAL_NO_LEMMAS
  // One entry has what the ghost has: this makes the properties inductive.
  l_one:  assert ((f_here & (f_here - Entries'(1))) == '0);
  l_open: assert (f_open_q == (f_here != '0));
  l_used: assert ((32'(f_begun_q) > Entries) || (f_used <= f_begun_q));
  l_same: assert (f_other == '0);
`endif
  // Reachability: each must have a witness.
  c_complete: cover (f_mine && f_open_q && all_o);
  c_later:    cover (f_mine && f_open_q && (cleared_o != cleared_i));
  c_dropped:  cover (f_open_q && drop_i && (record_i == f_record));
  c_full:     cover (f_mine && full_o);
end
