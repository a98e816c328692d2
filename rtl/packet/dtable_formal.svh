// Properties of dtable, proven without bound by scripts/formal. Reset may come back at any time, the table may be
// written at any time, inputs are free. The ghost is the scheduler as the paper describes it: the table walked entry by
// entry, counters per SL, kept from the pins alone: no wire of the block goes into it. The block must decide as it does
// in every cycle. f_sl is any fixed SL. The properties about one SL are stated on top of that.

(* anyconst *) logic [SlW-1:0] f_sl;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume (32'(f_sl) < NumSl);
end

localparam logic [SumW-1:0] Largest = SumW'({CountW{1'b1}});

logic [LevelW-1:0]       f_active;
logic [LevelW*SizeW-1:0] f_sizes;
assign f_active = LevelW'(active_i);
assign f_sizes  = (LevelW*SizeW)'(size_i);

// The walk of this cycle.
logic [NumEntries*SlW-1:0]     f_table_sl;
logic [NumEntries*WeightW-1:0] f_table_weight;  // 0 until written
logic [LevelW*CountW-1:0]      f_deficit;
logic [CountW-1:0]             f_accumulated;
logic [SlW-1:0]                f_selected_sl;
logic                          f_selected;
logic [EntryW-1:0]             f_position;

logic [LevelW*CountW-1:0] f_w_deficit;
logic [SumW-1:0]          f_w_accumulated;
logic [SlW-1:0]           f_w_sl;
logic                     f_w_selected;
logic [EntryW-1:0]        f_w_position;
logic                     f_w_moved;
logic                     f_w_saturated;
logic                     f_grant;
integer f_i;
always_comb begin
  f_w_deficit     = f_deficit;
  f_w_accumulated = SumW'(f_accumulated);
  f_w_sl          = f_selected_sl;
  f_w_selected    = f_selected;
  f_w_position    = f_position;
  f_w_moved       = 1'b0;
  f_w_saturated   = 1'b0;
  f_grant         = 1'b0;
  for (f_i = 0; f_i < LevelW; f_i = f_i + 1) begin
    if (decide_i && !f_active[f_i]) f_w_deficit[f_i*CountW +: CountW] = '0;
  end
  if (decide_i && rst_ni) begin
    if (!f_active[f_w_sl]) f_w_selected = 1'b0;
    if (!f_w_selected) f_w_accumulated = '0;
    if (f_w_selected && (WideW'(f_w_accumulated) < WideW'(f_sizes[f_w_sl*SizeW +: SizeW]))) begin
      f_w_deficit[f_w_sl*CountW +: CountW] = CountW'(f_w_accumulated);
      f_w_accumulated = '0;
      f_w_selected    = 1'b0;
    end
    for (f_i = 0; f_i < NumEntries; f_i = f_i + 1) begin
      if (!f_w_selected && !f_w_moved) begin
        f_w_position = (32'(f_w_position) == NumEntries - 1) ? '0 : f_w_position + EntryW'(1);
        if ((f_table_weight[f_w_position*WeightW +: WeightW] != '0) && f_active[f_table_sl[f_w_position*SlW +: SlW]]) begin
          f_w_selected    = 1'b1;
          f_w_moved       = 1'b1;
          f_w_sl          = f_table_sl[f_w_position*SlW +: SlW];
          f_w_accumulated = SumW'(f_table_weight[f_w_position*WeightW +: WeightW])
                            + SumW'(f_w_deficit[f_w_sl*CountW +: CountW]);
          f_w_deficit[f_w_sl*CountW +: CountW] = '0;
          if (f_w_accumulated > Largest) begin
            f_w_accumulated = Largest;
            f_w_saturated   = 1'b1;
          end
        end
      end
    end
    f_grant = f_w_selected && (WideW'(f_w_accumulated) >= WideW'(f_sizes[f_w_sl*SizeW +: SizeW]));
  end
end

// What f_sl holds: its accumulated weight or its deficit; before and after the walk and its grant.
logic [CountW-1:0] f_held;
logic [SumW-1:0]   f_available;
logic              f_sends;
logic [SizeW-1:0]  f_size;
assign f_held      = (f_selected && (f_selected_sl == f_sl)) ? f_accumulated : f_deficit[f_sl*CountW +: CountW];
assign f_available = (f_w_selected && (f_w_sl == f_sl)) ? f_w_accumulated
                                                        : SumW'(f_w_deficit[f_sl*CountW +: CountW]);
assign f_sends     = grant_o && (grant_sl_o == f_sl);
assign f_size      = f_sizes[f_sl*SizeW +: SizeW];

integer f_k;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_table_weight <= '0;
    f_deficit      <= '0;
    f_accumulated  <= '0;
    f_selected     <= 1'b0;
    f_selected_sl  <= '0;
    f_position     <= EntryW'(NumEntries - 1);
  end else begin
    if (cfg_we_i) begin
      for (f_k = 0; f_k < NumEntries; f_k = f_k + 1) begin
        if (32'(cfg_index_i) == f_k) begin
          f_table_sl[f_k*SlW +: SlW]             <= cfg_sl_i;
          f_table_weight[f_k*WeightW +: WeightW] <= cfg_weight_i;
        end
      end
    end
    f_deficit     <= f_w_deficit;
    f_position    <= f_w_position;
    f_selected_sl <= f_w_sl;
    f_selected    <= f_w_selected;
    f_accumulated <= CountW'(f_w_accumulated - (f_grant ? SumW'(f_sizes[f_w_sl*SizeW +: SizeW]) : '0));
  end
end

logic f_lost;     // f_sl is inactive at a decision
logic f_dropped;  // it was in the last cycle, or in reset
assign f_lost = decide_i && !f_active[f_sl];
always_ff @(posedge clk_i) f_dropped <= !rst_ni || f_lost;

// The registers of the block, as far as f_sl sees them, and what they were a cycle ago.
logic              f_is_selected;
logic [CountW-1:0] f_holds;
logic              f_idled;  // neither reset nor a decision in the last cycle
logic              f_was_selected;
logic [CountW-1:0] f_held_then;
logic [EntryW-1:0] f_entry_then;
assign f_is_selected = selected_q && (selected_sl_q == f_sl);
assign f_holds       = f_is_selected ? accumulated_q : deficit_q[f_sl*CountW +: CountW];
always_ff @(posedge clk_i) begin
  f_idled        <= rst_ni && !decide_i;
  f_was_selected <= f_is_selected;
  f_held_then    <= f_holds;
  f_entry_then   <= entry_q;
end

always_comb if (f_started) begin
  // The block decides as the walk does.
  a_grant:     assert (grant_o == f_grant);
  a_grant_sl:  assert (grant_sl_o == (f_grant ? f_w_sl : '0));
  a_saturated: assert (saturated_o == f_w_saturated);
  // A grant is asked for, goes to an active SL, and is covered by what the SL holds.
  if (grant_o) begin
    a_decides: assert (decide_i && rst_ni);
    a_active:  assert (active_i[grant_sl_o]);
  end
  if (f_sends) begin
    a_covered: assert (WideW'(f_available) >= WideW'(f_size));
  end
  // An SL that was inactive at a decision holds nothing.
  if (f_dropped) begin
    a_forgotten: assert ((deficit_q[f_sl*CountW +: CountW] == '0) && !f_is_selected);
  end
  if (!selected_q) begin
    a_nothing_left: assert (accumulated_q == '0);
  end
  // Without a decision the outputs are 0, and the place in the table and what an SL holds stay.
  if (!decide_i) begin
    a_idle: assert (!grant_o && (grant_sl_o == '0) && !saturated_o);
  end
  if (f_idled) begin
    a_place_stays: assert (entry_q == f_entry_then);
  end
  if (f_idled) begin
    a_rest_stays: assert ((f_holds == f_held_then) && (f_is_selected == f_was_selected));
  end
  if (NeverFull) begin
    a_never_full: assert (!saturated_o);
  end
  // Reachability: each must have a witness.
  c_goes_on:   cover (grant_o && covers);
  c_carried:   cover (f_sends && move && (WideW'(weight_q[next_entry]) < WideW'(f_size)));
  c_no_grant:  cover (move && !grant_o);
  c_lost:      cover (rst_ni && (f_deficit[f_sl*CountW +: CountW] != '0) && f_lost);
  c_kept:      cover (rst_ni && (f_held != '0) && !decide_i && !f_active[f_sl]);
  c_saturated: cover (saturated_o);
  c_rewritten: cover (cfg_we_i && move && (cfg_index_i == next_entry) && positive_q[next_entry]);
end

`ifdef FORMAL_ROUNDS
// Share of a round of the table, all SLs active at decisions and the table untouched since its begin, counters wide
// enough: SL f_sl
// sends its weight in the table, plus what it held at the begin, less what it holds at the end. It holds less than its
// largest message between its turns, so shares of many rounds are the weights.
localparam logic [7:0] OneEntry = 8'(2 ** WeightW - 1 + 2 ** SizeW - 2);
logic f_even;  // a whole round so far
logic [7:0] f_sent_in_round;
logic [7:0] f_held_at_begin;
logic [7:0] f_passed;  // weight of the entries of f_sl up to the selected one
logic [7:0] f_weight;  // of all
logic f_all;
logic f_wraps;
integer f_e;
always_comb begin
  f_passed = '0;
  f_weight = '0;
  for (f_e = 0; f_e < NumEntries; f_e = f_e + 1) begin
    if (f_table_sl[f_e*SlW +: SlW] == f_sl) begin
      f_weight = f_weight + 8'(f_table_weight[f_e*WeightW +: WeightW]);
      if (f_e <= 32'(f_position)) f_passed = f_passed + 8'(f_table_weight[f_e*WeightW +: WeightW]);
    end
  end
end
assign f_all   = (!decide_i || (active_i == '1)) && !cfg_we_i && rst_ni;
assign f_wraps = f_w_moved && (f_w_position <= f_position);  // a round ends, the next begins
always_ff @(posedge clk_i) begin
  if (!f_all) f_even <= 1'b0;
  else if (f_wraps) f_even <= 1'b1;
  if (f_wraps) begin
    f_held_at_begin <= 8'(f_held);
    f_sent_in_round <= f_sends ? 8'(f_size) : '0;
  end else if (f_sends) f_sent_in_round <= f_sent_in_round + 8'(f_size);
end
always_comb if (f_started) begin
  if (NeverFull && f_even && f_wraps && (active_i == '1)) begin
    a_share: assert (f_sent_in_round + 8'(f_held) == f_held_at_begin + f_weight);
  end
  // More than one entry and a deficit give.
  c_round: cover (NeverFull && f_even && f_wraps && (active_i == '1) && (f_sent_in_round > OneEntry) && (f_held != '0));
`ifndef FORMAL_NO_LEMMAS
  if (NeverFull && f_even) begin
    l_share: assert (f_sent_in_round + 8'(f_held) == f_held_at_begin + f_passed);
  end
`endif
end
`endif

`ifdef FORMAL_WAIT
// Waiting. f_sl is active at decisions with one head message that the counters can hold, its table entries have some positive
// weight, the table is left alone: it is granted within WaitBound decisions, whatever state the block has come to since
// its reset and whatever the others do with messages of at least one credit. Largest message L, so L rounds at the most:
// one step per entry, and as many as the others can send credits; they earn the weight of their entries in each round
// and hold at most L - 1 before. The selected one holds an entry's weight more, less the credit or more that it has sent
// of it. An SL never holds more in a state that is reached; in one that is not, it could, and the wait be longer.
localparam int unsigned MaxWeight = 2 ** WeightW - 1;
localparam int unsigned MaxSize   = 2 ** SizeW - 1;
localparam int unsigned WaitBound = MaxSize * NumEntries + MaxSize * (NumEntries - 1) * MaxWeight
                                    + (NumSl - 1) * (MaxSize - 1) + MaxWeight - 1;
localparam int unsigned WaitW     = $clog2(WaitBound + 1);
logic [WaitW-1:0] f_waited;  // decisions that did not grant f_sl
logic             f_waits;
logic [SizeW-1:0] f_size_q;
logic             f_has_entry;
integer f_n;
always_comb begin
  f_has_entry = 1'b0;
  for (f_n = 0; f_n < NumEntries; f_n = f_n + 1) begin
    if ((f_table_sl[f_n*SlW +: SlW] == f_sl) && (f_table_weight[f_n*WeightW +: WeightW] != '0)) f_has_entry = 1'b1;
  end
  for (f_n = 0; f_n < NumSl; f_n = f_n + 1) begin
    if (active_i[f_n]) assume (size_i[f_n*SizeW +: SizeW] != '0);
  end
  if (f_waits && decide_i) assume (f_size == f_size_q);
end
always_ff @(posedge clk_i) begin
  if (decide_i) f_size_q <= f_size;
  f_waits <= rst_ni && !f_sends && !f_lost && (decide_i || f_waits);
  if (!rst_ni || f_lost || f_sends || cfg_we_i || !f_has_entry) f_waited <= '0;
  else if (decide_i) f_waited <= f_waited + WaitW'(1);
end
always_comb if (f_started) begin
  a_wait: assert (32'(f_waited) < WaitBound);
  // The bound is reached: only its last decision is the grant.
  c_waited: cover (32'(f_waited) == WaitBound - 1);
end
`endif

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost, and a counter that can never be full is far enough from it: this makes the
// properties above inductive.
localparam logic [SumW-1:0] MaxDeficit = SumW'(2 ** SizeW - 2);  // smaller than a message
logic f_small;
integer f_c;
always_comb begin
  f_small = SumW'(f_accumulated) <= MaxDeficit + SumW'(2 ** WeightW - 1);
  for (f_c = 0; f_c < LevelW; f_c = f_c + 1) begin
    if (SumW'(f_deficit[f_c*CountW +: CountW]) > MaxDeficit) f_small = 1'b0;
  end
end
always_comb if (f_started) begin
  if (NeverFull) begin
    l_small: assert (f_small);
  end
  l_selected: assert (selected_q == f_selected);
  l_accumulated: assert (accumulated_q == f_accumulated);
  l_deficits: assert (deficits == f_deficit);
  l_entry: assert ((entry_q == f_position) && (32'(entry_q) < NumEntries));
  if (selected_q) begin
    l_selected_sl: assert ((selected_sl_q == f_selected_sl) && (f_deficit[f_selected_sl*CountW +: CountW] == '0));
  end else begin
    l_nothing: assert (f_accumulated == '0);
  end
end
logic [NumEntries-1:0] f_same;
for (genvar f_g = 0; f_g < NumEntries; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = positive_q[f_g] ? ((sl_q[f_g] == f_table_sl[f_g*SlW +: SlW])
                                          && (weight_q[f_g] == f_table_weight[f_g*WeightW +: WeightW])
                                          && (weight_q[f_g] != '0))
                                       : (f_table_weight[f_g*WeightW +: WeightW] == '0);
end
always_comb if (f_started) begin
  l_table: assert (f_same == '1);
end
`endif
