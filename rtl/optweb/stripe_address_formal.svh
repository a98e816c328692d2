// Properties of stripe_address, proven without bound by scripts/formal. Reset may come back at any time, inputs are
// free. The ghost keeps the request of the last cycle; all is stated with so many bits that nothing can
// wrap.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

localparam int unsigned FW = AddrW + IndexW + 3;

logic          f_asked;
logic [FW-1:0] f_base;
logic [FW-1:0] f_size;
logic [FW-1:0] f_index;
always_ff @(posedge clk_i) begin
  f_asked <= req_valid_i && rst_ni;
  f_base  <= FW'(req_base_i);
  f_size  <= FW'(req_size_i);
  f_index <= FW'(req_index_i);
end

localparam logic [FW-1:0] InHalf   = FW'(Capacity);
localparam logic [FW-1:0] InStripe = FW'(Capacity) + FW'(Capacity);

// Where stripe f_index begins, by counting.
logic [FW-1:0] f_begin;
integer f_i;
always_comb begin
  f_begin = '0;
  for (f_i = 0; f_i < Stripes; f_i = f_i + 1) begin
    if (FW'(f_i) < f_index) f_begin = f_begin + InStripe;
  end
end

logic        f_good;
logic [FW-1:0] f_address;
assign f_good    = rsp_valid_o && !rsp_range_o && !rsp_overlap_o;
assign f_address = FW'(rsp_address_o);

// Any byte of the piece, and any earlier piece.
(* anyseq *) logic [FW-1:0] f_byte;
(* anyseq *) logic        f_keep;
logic        f_kept;
logic [FW-1:0] f_kept_index;
logic [FW-1:0] f_kept_address;
logic [FW-1:0] f_kept_size;
always_ff @(posedge clk_i) begin
  if (!rst_ni) f_kept <= 1'b0;
  else if (f_keep && f_good) begin
    f_kept         <= 1'b1;
    f_kept_index   <= f_index;
    f_kept_address <= f_address;
    f_kept_size    <= f_size;
  end
end

always_comb if (f_started) begin
  a_answers: assert (rsp_valid_o == f_asked);
  if (f_asked) begin
    // Errors are exactly the pieces that do not lie in a stripe.
    a_range:   assert (rsp_range_o == ((f_index >= FW'(Stripes)) || (f_base >= InStripe)));
    a_overlap: assert (rsp_overlap_o == (!rsp_range_o && (f_base + f_size > InStripe)));
  end
  if (f_good) begin
    a_address: assert (f_address == f_base + f_begin);
    a_inside:  assert ((f_address >= f_begin) && (f_address + f_size <= f_begin + InStripe));
    a_memory:  assert (f_address + f_size <= InStripe * FW'(Stripes));
    // Every byte is in an interface that is named, and no interface is named without a byte.
    if (f_byte < f_size) begin
      a_byte: assert (rsp_interfaces_o[f_address + f_byte - f_begin >= InHalf]);
    end
    if (rsp_interfaces_o[0]) begin
      a_lower: assert ((f_size != '0) && (f_base < InHalf));
    end
    if (rsp_interfaces_o[1]) begin
      a_upper: assert ((f_size != '0) && (f_base + f_size - FW'(1) >= InHalf));
    end
    // Pieces of different stripes have no byte in common.
    if (f_kept && (f_kept_index != f_index)) begin
      a_disjoint: assert ((f_kept_address + f_kept_size <= f_address) || (f_address + f_size <= f_kept_address));
    end
  end else begin
    a_quiet: assert ((rsp_address_o == '0) && (rsp_interfaces_o == '0) && (rsp_valid_o || (!rsp_range_o && !rsp_overlap_o)));
  end
  // Reachability: each must have a witness.
  c_full:     cover (f_good && (f_base == '0) && (f_size == InStripe) && (f_index == FW'(Stripes) - FW'(1)));
  c_both:     cover (rsp_interfaces_o == 2'b11);
  c_upper:    cover (rsp_interfaces_o == 2'b10);
  c_empty:    cover (f_good && (f_size == '0) && (f_base != '0));
  c_overlap:  cover (rsp_overlap_o && (f_index == '0));
  c_range:    cover (rsp_range_o && (f_base == '0));
  c_disjoint: cover (f_good && f_kept && (f_kept_index > f_index) && (f_size != '0) && (f_kept_size != '0));
end

`ifndef FORMAL_NO_LEMMAS
always_comb if (f_started && f_kept) begin
  l_kept: assert ((f_kept_address >= InStripe * f_kept_index) && (f_kept_index < FW'(Stripes))
                  && (f_kept_address + f_kept_size <= InStripe * (f_kept_index + FW'(1))));
end
`endif
