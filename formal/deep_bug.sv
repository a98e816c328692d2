/// A false property with a counterexample far beyond the base case of k-induction: scripts/formal must refute it, or its
/// prover proves too much.
module deep_bug (
  input logic clk_i
);
  logic [4:0] count_q;
  initial count_q = 5'd0;
  always_ff @(posedge clk_i) count_q <= count_q + 5'd1;
  always_comb a_never: assert (count_q != 5'd20);
endmodule
