// Properties of flit_store, proven without bound by scripts/formal. Reset may come back at any time; any flits come for
// which there are places, any queue that holds one is read. The ghost is any flit that has come for any fixed VL, and the
// number of those before it, kept from the pins alone.

(* anyconst *) logic [VlW-1:0] f_vl;
(* anyseq *)   logic           f_pick;   // follow a flit that comes now
(* anyseq *)   logic [RateW-1:0] f_which;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [CountW-1:0] f_total;  // flits of all VLs
logic [CountW-1:0] f_count;  // of the VL
logic [CountW-1:0] f_after;  // of the VL, without one that is read now
logic              f_read;
assign f_read  = pop_i && (pop_vl_i == f_vl);
assign f_after = f_count - CountW'(f_read);

always_comb begin
  assume (32'(f_vl) < NumVl);
  if (!f_started) assume (!rst_ni);
  if (rst_ni) begin
    assume (32'(push_i) <= Rate);
    assume (32'(push_vl_i) < NumVl);
    assume (32'(pop_vl_i) < NumVl);
    assume (32'(f_total) + 32'(push_i) <= Depth);
    assume (!f_read || (f_count != '0));
    assume (!pop_i || f_read || (f_total > f_count));
  end
end

logic              f_held;    // the flit is in the block
logic [CountW-1:0] f_before;  // flits before it
logic [Width-1:0]  f_data;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_total <= '0;
    f_count <= '0;
    f_held  <= 1'b0;
  end else begin
    f_total <= f_total + CountW'(push_i) - CountW'(pop_i);
    f_count <= f_after + ((push_vl_i == f_vl) ? CountW'(push_i) : '0);
    if (f_held) begin
      f_held   <= !(f_read && (f_before == '0));
      f_before <= f_before - CountW'(f_read);
    end else if (f_pick && (push_vl_i == f_vl) && (f_which < push_i)) begin
      f_held   <= 1'b1;
      f_before <= f_after + CountW'(f_which);
      f_data   <= push_data_i[f_which*Width +: Width];
    end
  end
end

always_comb if (f_started && rst_ni) begin
  // Flits of a VL leave in the order in which they came, as they came.
  if (f_held && (f_before == '0) && (pop_vl_i == f_vl)) begin
    a_flit: assert (data_o == f_data);
  end
  a_place: assert (!runs_over);
  // Reachability: each must have a witness.
  c_waits: cover (f_held && (f_before == CountW'(1)) && f_read);
  c_full:  cover (32'(f_total) == Depth);
end
