// Properties of drain_queue, proven without bound by scripts/formal. Reset may come back at any time. Two entries are followed
// from the pins alone: those with data f_data[0] and f_data[1], any two different values. Each is in the queue once at most, so
// an entry is known by its data.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [DataW-1:0] f_data0;
(* anyconst *) logic [DataW-1:0] f_data1;
localparam int unsigned FormalW = $clog2(Depth + 2);
logic [FormalW-1:0] f_count_q;            // entries in the queue
logic               f_in0_q, f_in1_q;     // the entries followed are in it
logic               f_first0_q;           // entry 0 came before entry 1
logic [TimeW-1:0]   f_until0_q, f_until1_q;

logic f_enters, f_enters0, f_enters1, f_head0, f_head1;
assign f_enters  = insert_i && !full_o;
assign f_enters0 = f_enters && (data_i == f_data0);
assign f_enters1 = f_enters && (data_i == f_data1);
assign f_head0   = head_valid_o && (head_data_o == f_data0);
assign f_head1   = head_valid_o && (head_data_o == f_data1);

always_comb begin
  assume (f_data0 != f_data1);
  assume (!(insert_i && pop_i));
  assume (!(insert_i && f_in0_q && (data_i == f_data0)));
  assume (!(insert_i && f_in1_q && (data_i == f_data1)));
  if (!f_started) assume (!rst_ni);
end

always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_count_q <= '0;
    f_in0_q   <= 1'b0;
    f_in1_q   <= 1'b0;
  end else begin
    f_count_q <= f_count_q + FormalW'(f_enters) - FormalW'(pop_i && head_valid_o);
    if (f_enters0) begin
      f_in0_q    <= 1'b1;
      f_until0_q <= until_i;
      f_first0_q <= !f_in1_q;
    end
    if (f_enters1) begin
      f_in1_q    <= 1'b1;
      f_until1_q <= until_i;
      f_first0_q <= f_in0_q;
    end
    if (pop_i && f_head0) f_in0_q <= 1'b0;
    if (pop_i && f_head1) f_in1_q <= 1'b0;
  end
end

// The readout of the cycle before, while nothing came or left since.
logic              f_still_q, f_showed_q;
logic [IndexW-1:0] f_index_q;
logic [DataW-1:0]  f_data_q;
always_ff @(posedge clk_i) begin
  f_still_q  <= rst_ni && !insert_i && !pop_i;
  f_showed_q <= valid_o;
  f_index_q  <= index_i;
  f_data_q   <= data_o;
end

// Entry 0 is due before entry 1, both in the queue.
logic f_sooner0;
assign f_sooner0 = ($signed(f_until0_q) < $signed(f_until1_q)) || ((f_until0_q == f_until1_q) && f_first0_q);

always_comb if (f_started && rst_ni) begin
  a_valid: assert (head_valid_o == (f_count_q != '0));
  a_full:  assert (full_o == (insert_i && (32'(f_count_q) == Depth)));
  // An entry at the head is one that has come, with its time.
  if (f_head0) begin
    a_known: assert (f_in0_q);
    a_until: assert (head_until_o == f_until0_q);
  end
  // The one that is due first is the first of the two to leave, of equal times the one that came first.
  if (f_in0_q && f_in1_q) begin
    a_order: assert (f_sooner0 ? !f_head1 : !f_head0);
  end
  // None is lost: the last one left is at the head.
  if (f_in0_q && (f_count_q == FormalW'(1))) begin
    a_kept: assert (f_head0);
  end
  // Readout
  a_readout: assert (valid_o == (32'(index_i) < 32'(f_count_q)));
  if (valid_o && (index_i == '0)) begin
    a_shown: assert (data_o == head_data_o);
  end
  // Every place shows an entry that is in the queue, no two the same, and those due first come first: so it shows all.
  if (valid_o && (data_o == f_data0)) begin
    a_shows_known: assert (f_in0_q);
  end
  if (f_still_q && f_showed_q && valid_o && (f_data_q == f_data0)) begin
    a_shows_once: assert ((data_o != f_data0) || (index_i == f_index_q));
    if (data_o == f_data1) begin
      a_shows_order: assert (f_sooner0 == (f_index_q < index_i));
    end
  end
  // Reachability: each must have a witness.
  c_overtakes: cover (pop_i && f_head0 && f_in1_q && !f_first0_q);
  c_equal:     cover (pop_i && f_head0 && f_in1_q && (f_until0_q == f_until1_q));
  c_full:      cover (full_o);
  c_shows:     cover (f_still_q && f_showed_q && valid_o && (f_data_q == f_data0) && (data_o == f_data1));
end

`ifndef FORMAL_NO_LEMMAS
// The entries are those of the ghosts, in their order: this makes the properties inductive.
logic [Depth-1:0]       f_found0, f_found1, f_prefix, f_first, f_second;
logic [Depth*Depth-1:0] f_sorted, f_once, f_order;  // one entry before another
for (genvar f_e = 0; f_e < Depth; f_e = f_e + 1) begin : gen_formal
  assign f_found0[f_e] = valid_q[f_e] && (data_q[f_e] == f_data0);
  assign f_found1[f_e] = valid_q[f_e] && (data_q[f_e] == f_data1);
  assign f_prefix[f_e] = valid_q[f_e] == (f_e < 32'(f_count_q));
  assign f_first[f_e]  = !f_found0[f_e] || (f_in0_q && (until_q[f_e] == f_until0_q));
  assign f_second[f_e] = !f_found1[f_e] || (f_in1_q && (until_q[f_e] == f_until1_q));
  for (genvar f_b = 0; f_b < Depth; f_b = f_b + 1) begin : gen_before
    assign f_sorted[f_e*Depth+f_b] = (f_b >= f_e) || !valid_q[f_e] || ($signed(until_q[f_b]) <= $signed(until_q[f_e]));
    assign f_once[f_e*Depth+f_b] = (f_b >= f_e) || !((f_found0[f_b] && f_found0[f_e]) || (f_found1[f_b] && f_found1[f_e]));
    assign f_order[f_e*Depth+f_b] = (f_b >= f_e) || !(f_sooner0 ? (f_found1[f_b] && f_found0[f_e]) :
                                                                  (f_found0[f_b] && f_found1[f_e]));
  end
end
always_comb if (f_started && rst_ni) begin
  l_count:  assert (32'(f_count_q) <= Depth);
  l_prefix: assert (f_prefix == '1);
  l_mine:   assert ((f_first == '1) && (f_second == '1));
  l_there:  assert ((!f_in0_q || (f_found0 != '0)) && (!f_in1_q || (f_found1 != '0)));
  l_once:   assert (f_once == '1);
  l_sorted: assert (f_sorted == '1);
  l_order:  assert (f_order == '1);
  l_showed: assert (!f_still_q || ((f_showed_q == ((32'(f_index_q) < Depth) && valid_q[f_index_q])) &&
                                   (!f_showed_q || (f_data_q == data_q[f_index_q]))));
end
`endif
