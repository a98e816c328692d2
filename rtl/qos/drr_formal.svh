// Properties of drr, proven without bound by scripts/formal. Reset may come back at any time, quanta may be written at
// any time, inputs are free. The ghost is the scheduler as its paper describes it, the SLs visited one by one, kept from
// the pins alone; the block must decide as it does in every cycle. f_sl is any fixed SL.

(* anyconst *) logic [SlW-1:0] f_sl;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume (32'(f_sl) < NumSl);
end

localparam logic [SumW-1:0] Largest = SumW'({CountW{1'b1}});

logic [LevelW-1:0] f_keep;  // SLs active in this cycle and at its end
assign f_keep = LevelW'(active_i & still_active_i);

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
  for (f_i = 0; f_i < LevelW; f_i = f_i + 1) begin
    if (!active[f_i]) f_v_deficit[f_i*CountW +: CountW] = '0;
  end
  f_v_in_turn = f_in_turn && active[f_turn];
  if (decide_i && rst_ni) begin
    if (WideW'(f_v_deficit[f_turn*CountW +: CountW]) < WideW'(sizes[f_turn*SizeW +: SizeW])) f_v_in_turn = 1'b0;
    for (f_i = 0; f_i < NumSl; f_i = f_i + 1) begin
      if (!f_v_in_turn && !f_v_began) begin
        f_v_turn = (32'(f_v_turn) == NumSl - 1) ? '0 : f_v_turn + SlW'(1);
        if (active[f_v_turn] && (f_quantum[f_v_turn*WeightW +: WeightW] != '0)) begin
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
              && (WideW'(f_v_deficit[f_v_turn*CountW +: CountW]) >= WideW'(sizes[f_v_turn*SizeW +: SizeW]));
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
      if (!f_keep[f_k]) f_deficit[f_k*CountW +: CountW] <= '0;
      else if (f_grant && (32'(f_v_turn) == f_k)) begin
        f_deficit[f_k*CountW +: CountW] <= CountW'(SumW'(f_v_deficit[f_k*CountW +: CountW])
                                                   - SumW'(sizes[f_k*SizeW +: SizeW]));
      end else f_deficit[f_k*CountW +: CountW] <= f_v_deficit[f_k*CountW +: CountW];
    end
    f_turn    <= f_v_turn;
    f_in_turn <= f_v_in_turn && f_keep[f_v_turn];
  end
end

logic f_dropped;  // f_sl was inactive at the end of the last cycle, or in reset
always_ff @(posedge clk_i) f_dropped <= !rst_ni || !f_keep[f_sl];

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
    a_covered: assert (WideW'(f_v_counter) >= WideW'(sizes[f_sl*SizeW +: SizeW]));
  end
  // An SL that was inactive holds nothing.
  if (f_dropped) begin
    a_forgotten: assert (deficits[f_sl*CountW +: CountW] == '0);
  end
  // Reachability: each must have a witness.
  c_goes_on:   cover (grant_o && covers);
  c_carried:   cover (grant_o && move && (WideW'(quantum_q[next_sl]) < WideW'(next_size)));
  c_no_grant:  cover (move && !grant_o);
  c_saturated: cover (saturated_o);
end

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost: this makes the properties above inductive.
logic [NumSl-1:0] f_same;
for (genvar f_g = 0; f_g < NumSl; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = positive_q[f_g] ? ((quantum_q[f_g] == f_quantum[f_g*WeightW +: WeightW])
                                          && (quantum_q[f_g] != '0))
                                       : (f_quantum[f_g*WeightW +: WeightW] == '0);
end
always_comb if (f_started) begin
  l_quanta:   assert (f_same == '1);
  l_deficits: assert (deficits == f_deficit);
  l_turn:     assert ((turn_q == f_turn) && (32'(turn_q) < NumSl) && (in_turn_q == f_in_turn));
end
`endif
