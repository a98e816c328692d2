/// Larger of two words, lane by lane, as signed numbers of 16 bits: one level of a reduction tree, with a register at
/// its output. `y_o` belongs to the operands of the cycle before.
module max_int16 #(
  parameter int unsigned Lanes = 2  ///< numbers in a word
) (
  input  logic                clk_i,
  input  logic [16*Lanes-1:0] a_i,
  input  logic [16*Lanes-1:0] b_i,
  output logic [16*Lanes-1:0] y_o
);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic signed [15:0] a, b;
    assign a = a_i[16*l+:16];
    assign b = b_i[16*l+:16];
    always_ff @(posedge clk_i) y_o[16*l+:16] <= a > b ? a : b;
  end

endmodule
