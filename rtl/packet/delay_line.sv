/// Delay of a word by a fixed number of cycles.
///
/// Timing     data_o is data_i of Cycles cycles ago; with Cycles = 0 a wire.
/// Reset      all stages are 0.
/// Resources  Cycles * Width flip-flops.
module delay_line #(
  parameter int unsigned Width  = 8,  ///< 1..65536
  parameter int unsigned Cycles = 1   ///< 0..64
) (
  input  logic             clk_i,
  input  logic             rst_ni,  ///< active low, synchronous
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // Parameters out of range are refused at elaboration.
  if ((Width < 1) || (Width > 65536)) $error("delay_line: Width must be 1..65536");
  if (Cycles > 64) $error("delay_line: Cycles must be 0..64");

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni};
    assign data_o = data_i;
  end else begin : gen_stages
    logic [Cycles*Width-1:0] stage_q;  // the youngest lowest
    assign data_o = stage_q[(Cycles-1)*Width +: Width];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) stage_q <= '0;
      else stage_q <= (Cycles*Width)'({stage_q, data_i});
    end
  end
endmodule
