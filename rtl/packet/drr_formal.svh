// Properties of drr, proven without bound by scripts/formal. Reset may come back at any time, quanta may be written at
// any time, inputs are free. The ghost is the scheduler as its paper describes it, the SLs visited one by one, kept from
// the pins alone: no wire of the block goes into it. The block must decide as it does in every cycle. f_sl is any fixed
// SL.

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

logic [NumSl*WeightW-1:0]  f_quantum;  // 0 until written
logic [LevelW*CountW-1:0]  f_deficit;
logic [SlW-1:0]            f_turn;
logic                      f_in_turn;

// The visit of this cycle.
logic [LevelW*CountW-1:0] f_v_deficit;
logic [SumW-1:0]          f_v_counter;
logic [SlW-1:0]           f_v_turn;
logic                     f_v_in_turn;
logic                     f_v_began;
logic                     f_v_saturated;
logic                     f_grant;
integer f_i;
always_comb begin
  f_v_deficit   = f_deficit;
  f_v_turn      = f_turn;
  f_v_counter   = '0;
  f_v_began     = 1'b0;
  f_v_saturated = 1'b0;
  f_grant       = 1'b0;
  f_v_in_turn   = f_in_turn;
  for (f_i = 0; f_i < LevelW; f_i = f_i + 1) begin
    if (decide_i && !f_active[f_i]) f_v_deficit[f_i*CountW +: CountW] = '0;
  end
  if (decide_i && rst_ni) begin
    if (!f_active[f_turn]) f_v_in_turn = 1'b0;
    if (WideW'(f_v_deficit[f_turn*CountW +: CountW]) < WideW'(f_sizes[f_turn*SizeW +: SizeW])) f_v_in_turn = 1'b0;
    for (f_i = 0; f_i < NumSl; f_i = f_i + 1) begin
      if (!f_v_in_turn && !f_v_began) begin
        f_v_turn = (32'(f_v_turn) == NumSl - 1) ? '0 : f_v_turn + SlW'(1);
        if (f_active[f_v_turn] && (f_quantum[f_v_turn*WeightW +: WeightW] != '0)) begin
          f_v_in_turn = 1'b1;
          f_v_began   = 1'b1;
          f_v_counter = SumW'(f_quantum[f_v_turn*WeightW +: WeightW]) + SumW'(f_v_deficit[f_v_turn*CountW +: CountW]);
          if (f_v_counter > Largest) begin
            f_v_counter   = Largest;
            f_v_saturated = 1'b1;
          end
          f_v_deficit[f_v_turn*CountW +: CountW] = CountW'(f_v_counter);
        end
      end
    end
    f_grant = f_v_in_turn
              && (WideW'(f_v_deficit[f_v_turn*CountW +: CountW]) >= WideW'(f_sizes[f_v_turn*SizeW +: SizeW]));
  end
  f_v_counter = SumW'(f_v_deficit[f_sl*CountW +: CountW]);
  if (!f_v_in_turn) f_v_turn = f_turn;
end

integer f_k;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_quantum <= '0;
    f_deficit <= '0;
    f_turn    <= SlW'(NumSl - 1);
    f_in_turn <= 1'b0;
  end else begin
    for (f_k = 0; f_k < NumSl; f_k = f_k + 1) begin
      if (cfg_we_i && (32'(cfg_sl_i) == f_k)) f_quantum[f_k*WeightW +: WeightW] <= cfg_weight_i;
    end
    for (f_k = 0; f_k < LevelW; f_k = f_k + 1) begin
      if (f_grant && (32'(f_v_turn) == f_k)) begin
        f_deficit[f_k*CountW +: CountW] <= CountW'(SumW'(f_v_deficit[f_k*CountW +: CountW])
                                                   - SumW'(f_sizes[f_k*SizeW +: SizeW]));
      end else f_deficit[f_k*CountW +: CountW] <= f_v_deficit[f_k*CountW +: CountW];
    end
    f_turn    <= f_v_turn;
    f_in_turn <= f_v_in_turn;
  end
end

logic f_dropped;  // f_sl was inactive at a decision in the last cycle, or in reset
always_ff @(posedge clk_i) f_dropped <= !rst_ni || (decide_i && !f_active[f_sl]);

// The registers of the block, as far as f_sl sees them, and what they were a cycle ago.
logic              f_is_in_turn;
logic [CountW-1:0] f_holds;
logic              f_idled;  // neither reset nor a decision in the last cycle
logic              f_was_in_turn;
logic [CountW-1:0] f_held_then;
logic [SlW-1:0]    f_turn_then;
assign f_is_in_turn = in_turn_q && (turn_q == f_sl);
assign f_holds      = deficit_q[f_sl*CountW +: CountW];
always_ff @(posedge clk_i) begin
  f_idled       <= rst_ni && !decide_i;
  f_was_in_turn <= f_is_in_turn;
  f_held_then   <= f_holds;
  f_turn_then   <= turn_q;
end

always_comb if (f_started) begin
  // The block decides as the visits do.
  a_grant:     assert (grant_o == f_grant);
  a_grant_sl:  assert (grant_sl_o == (f_grant ? f_v_turn : '0));
  a_saturated: assert (saturated_o == f_v_saturated);
  // A grant is asked for, goes to an active SL, and is covered by its counter.
  if (grant_o) begin
    a_decides: assert (decide_i && rst_ni);
    a_active:  assert (active_i[grant_sl_o]);
  end
  if (grant_o && (grant_sl_o == f_sl)) begin
    a_covered: assert (WideW'(f_v_counter) >= WideW'(f_sizes[f_sl*SizeW +: SizeW]));
  end
  // An SL that was inactive at a decision holds nothing.
  if (f_dropped) begin
    a_forgotten: assert (f_holds == '0);
  end
  // Without a decision the outputs are 0, and the place and what an SL holds stay.
  if (!decide_i) begin
    a_idle: assert (!grant_o && (grant_sl_o == '0) && !saturated_o);
  end
  if (f_idled) begin
    a_place_stays: assert (turn_q == f_turn_then);
  end
  if (f_idled) begin
    a_rest_stays: assert ((f_holds == f_held_then) && (f_is_in_turn == f_was_in_turn));
  end
  if (NeverFull) begin
    a_never_full: assert (!saturated_o);
  end
  // Reachability: each must have a witness.
  c_goes_on:   cover (grant_o && covers);
  c_carried:   cover (grant_o && move && (WideW'(quantum_q[next_sl]) < WideW'(next_size)));
  c_no_grant:  cover (move && !grant_o);
  c_saturated: cover (saturated_o);
end

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost, and a counter that can never be full is far enough from it: this makes the
// properties above inductive.
localparam logic [SumW-1:0] MaxDeficit = SumW'(2 ** SizeW - 2);  // smaller than a message
logic f_small;
integer f_c;
always_comb begin
  f_small = 1'b1;
  for (f_c = 0; f_c < LevelW; f_c = f_c + 1) begin
    if (SumW'(f_deficit[f_c*CountW +: CountW])
        > MaxDeficit + ((f_in_turn && (32'(f_turn) == f_c)) ? SumW'(2 ** WeightW - 1) : '0)) f_small = 1'b0;
  end
end
logic [NumSl-1:0] f_same;
for (genvar f_g = 0; f_g < NumSl; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = positive_q[f_g] ? ((quantum_q[f_g] == f_quantum[f_g*WeightW +: WeightW])
                                          && (quantum_q[f_g] != '0))
                                       : (f_quantum[f_g*WeightW +: WeightW] == '0);
end
always_comb if (f_started) begin
  if (NeverFull) begin
    l_small: assert (f_small);
  end
  l_quanta:   assert (f_same == '1);
  l_deficits: assert (deficits == f_deficit);
  l_turn:     assert ((turn_q == f_turn) && (32'(turn_q) < NumSl) && (in_turn_q == f_in_turn));
end
`endif
