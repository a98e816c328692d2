/// Delay of a word by a fixed number of cycles.
///
/// Timing     data_o is data_i of Cycles cycles ago; with Cycles = 0 a wire.
/// Reset      all stages are 0.
/// Resources  Cycles * Width flip-flops.
module delay_line #(
  parameter int unsigned Width  = 8,  ///< 1..4096
  parameter int unsigned Cycles = 1   ///< 0..64
) (
  input  logic             clk_i,
  input  logic             rst_ni,  ///< active low, synchronous
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // Parameters out of range are refused at elaboration.
  if ((Width < 1) || (Width > 4096)) $error("delay_line: Width must be 1..4096");
  if (Cycles > 64) $error("delay_line: Cycles must be 0..64");

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni};
    assign data_o = data_i;
  end else begin : gen_stages
    for (genvar s = 0; s < Cycles; s = s + 1) begin : gen_stage
      logic [Width-1:0] stage_q;
      logic [Width-1:0] stage_d;
      if (s == 0) begin : gen_first
        assign stage_d = data_i;
      end else begin : gen_next
        assign stage_d = gen_stage[s-1].stage_q;
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) stage_q <= '0;
        else stage_q <= stage_d;
      end
    end
    assign data_o = gen_stage[Cycles-1].stage_q;
  end
`ifdef COVERAGE
  `include "delay_line_cover.svh"
`endif
endmodule
