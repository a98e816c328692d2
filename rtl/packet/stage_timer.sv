/// Timer of a pipeline stage: says when something has waited for a number of cycles.
///
/// Timing     done_o is set from the cycle on that is Cycles after the first one of run_i, as long as run_i stays. With
///            clear_i the next cycle is the first one again.
/// Reset      nothing has waited.
/// Resources  $clog2(Cycles + 1) flip-flops.
module stage_timer #(
  parameter int unsigned Cycles = 1  ///< 0..16
) (
  input  logic clk_i,
  input  logic rst_ni,   ///< active low, synchronous
  input  logic run_i,
  input  logic clear_i,
  output logic done_o
);

  // Parameters out of range are refused at elaboration.
  if (Cycles > 16) $error("stage_timer: Cycles must be 0..16");

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, clear_i};
    assign done_o = run_i;
  end else begin : gen_count
    localparam int unsigned CountW = $clog2(Cycles + 1);
    logic [CountW-1:0] count_q;
    assign done_o = run_i && (count_q == CountW'(Cycles));
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !run_i || clear_i) count_q <= '0;
      else if (!done_o) count_q <= count_q + CountW'(1);
    end
  end
`ifdef COVERAGE
  `include "stage_timer_cover.svh"
`endif
endmodule
