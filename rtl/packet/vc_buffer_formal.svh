// Properties of vc_buffer, proven without bound by scripts/formal. Reset may come back at any time; words come while there
// is room, and are read at any time. The ghost is any word that has come, with the number of those before it, kept from the
// pins alone.

(* anyseq *) logic f_pick;  // follow the word that comes now

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [CountW-1:0] f_count;
logic              f_read;
assign f_read = pop_i && ((f_count != '0) || push_i);

always_comb begin
  if (!f_started) assume (!rst_ni);
  if (rst_ni) assume (!push_i || (32'(f_count) < Depth));
end

logic              f_held;    // the word is inside
logic [CountW-1:0] f_before;  // words before it
logic [Width-1:0]  f_data;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_count <= '0;
    f_held  <= 1'b0;
  end else begin
    f_count <= f_count + CountW'(push_i) - CountW'(f_read);
    if (f_held) begin
      f_held   <= !(f_read && (f_before == '0));
      f_before <= f_before - CountW'(f_read);
    end else if (f_pick && push_i) begin
      f_held   <= (f_count != '0) || !pop_i;
      f_before <= f_count - CountW'(f_read);
      f_data   <= data_i;
    end
  end
end

`ifndef FORMAL_NO_LEMMAS
logic [31:0] f_place;  // of the word
assign f_place = 32'(read_q) + 32'(f_before) < Depth ? 32'(read_q) + 32'(f_before) : 32'(read_q) + 32'(f_before) - Depth;
always_comb if (f_started && rst_ni) begin
  l_count: assert ((count_q == f_count) && (32'(f_count) <= Depth));
  l_places: assert ((32'(read_q) < Depth) && (32'(write_q) < Depth) &&
                    ((32'(read_q) + 32'(count_q) == 32'(write_q)) || (32'(read_q) + 32'(count_q) == 32'(write_q) + Depth)));
  if (f_held) begin
    l_before: assert (f_before < f_count);
    l_word: assert (word_q[PlaceW'(f_place)] == f_data);
  end
end
`endif

always_comb if (f_started && rst_ni) begin
  // Words leave in the order in which they came, as they came; one that comes to an empty buffer is there at once.
  if (f_held && (f_before == '0)) begin
    a_word: assert (data_o == f_data);
  end
  if (f_count == '0) begin
    a_through: assert (data_o == data_i);
  end
  a_valid: assert (valid_o == ((f_count != '0) || push_i));
  // Reachability: each must have a witness.
  c_waits: cover (f_held && (f_before != '0) && f_read);
  c_full:  cover (32'(f_count) == Depth);
  c_read:  cover (f_held && (f_before == '0) && f_read);
end
