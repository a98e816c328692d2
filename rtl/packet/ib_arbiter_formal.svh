// Properties of ib_arbiter, proven without bound by scripts/formal, whatever its two tables answer (they are proven by
// themselves): which table serves, and the limit of high priority. Reset may come back at any time, inputs are free. The
// ghost counts as the standard says.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

localparam logic [31:0] Most = 32'd254 * 32'd64;  // the largest limit: more counts as much

logic        f_chance;  // the low-priority table has its chance at the next decision
logic [31:0] f_count;   // credits of high priority since it had it

// The decision of this cycle.
logic        f_decides;
logic        f_high;
logic        f_low;
logic [31:0] f_sum;
always_comb begin
  f_decides = decide_i && rst_ni;
  f_low     = f_decides && low_any && (f_chance || !high_any);
  f_high    = f_decides && high_any && !f_low;
  f_sum     = (f_chance ? 32'd0 : f_count) + 32'(size_i[high_sl*SizeW +: SizeW]);
  if (f_sum > Most) f_sum = Most;
end
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_chance <= 1'b0;
    f_count  <= 32'd0;
  end else if (f_high) begin
    f_count  <= f_sum;
    f_chance <= (limit_i == 8'd0) || ((limit_i != 8'd255) && (f_sum >= 32'(limit_i) * 32'd64));
  end else if (f_low || (f_decides && f_chance)) begin
    f_count  <= 32'd0;
    f_chance <= 1'b0;
  end
end

always_comb if (f_started) begin
  a_grant: assert (grant_o == (f_high || f_low));
  if (f_high) begin
    a_high_sl: assert (grant_sl_o == high_sl);
  end
  if (f_low) begin
    a_low_sl: assert (grant_sl_o == low_sl);
  end
  a_quiet: assert (grant_o || (grant_sl_o == '0));
  // The table whose message goes is told, and its size.
  a_high_served: assert (high_serve == f_high);
  a_low_served:  assert (low_serve == f_low);
  if (grant_o) begin
    a_size: assert ((high_serve ? high_size : low_size) == size_i[grant_sl_o*SizeW +: SizeW]);
  end
  // An active SL of any table is not kept waiting.
  if (decide_i && rst_ni && low_any) begin
    a_works: assert (grant_o);
  end
  // Reachability: each must have a witness.
  c_chance:      cover (low_serve && high_any);
  c_chance_lost: cover (decide && expired_q && !low_any);
  c_one_message: cover (low_serve && high_any && (limit_i == 8'd0));
  c_no_limit:    cover (high_serve && low_any && (sent_q >= SentW'(64)) && (limit_i == 8'd255));
  c_counted:     cover (expired_q && (sent_q >= SentW'(128)));
end

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost: this makes the properties above inductive.
always_comb if (f_started) begin
  l_chance: assert (expired_q == f_chance);
  l_count:  assert (f_count == ((32'(sent_q) > Most) ? Most : 32'(sent_q)));
end
`endif
