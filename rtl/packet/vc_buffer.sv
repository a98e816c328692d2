/// Buffer of one virtual channel (VC): first in, first out, and what is written can be read in the same cycle.
///
/// Timing     valid_o and data_o are combinational in push_i and data_i when the buffer is empty. Registers change at the
///            end of the cycle. pop_i without valid_o has no effect.
/// Corners    the sender's credits keep the buffer from running over: push_i with Depth words inside is an error.
/// Reset      empty; the words are not reset, so they fit distributed RAM.
/// Resources  Depth * Width bits of memory, $clog2(Depth + 1) + 2 * $clog2(Depth) flip-flops.
module vc_buffer #(
  parameter int unsigned Width = 8,  ///< bits of a word, 1..4096
  parameter int unsigned Depth = 4   ///< words, 1..1024
) (
  input  logic             clk_i,
  input  logic             rst_ni,  ///< active low, synchronous
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o   ///< the oldest word; without valid_o of no meaning
);

  // Parameters out of range are refused at elaboration.
  if ((Width < 1) || (Width > 4096)) $error("vc_buffer: Width must be 1..4096");
  if ((Depth < 1) || (Depth > 1024)) $error("vc_buffer: Depth must be 1..1024");

  localparam int unsigned PlaceW = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned CountW = $clog2(Depth + 1);

  logic [Width-1:0]  word_q [0:Depth-1];
  logic [CountW-1:0] count_q;
  logic [PlaceW-1:0] read_q;
  logic [PlaceW-1:0] write_q;

  logic empty;
  logic take;
  assign empty   = count_q == '0;
  assign valid_o = !empty || push_i;
  assign data_o  = empty ? data_i : word_q[read_q];
  assign take    = pop_i && valid_o;

  always_ff @(posedge clk_i) begin
    if (push_i) word_q[write_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      read_q  <= '0;
      write_q <= '0;
    end else begin
      count_q <= count_q + CountW'(push_i) - CountW'(take);
      if (push_i) write_q <= (write_q == PlaceW'(Depth - 1)) ? '0 : (write_q + PlaceW'(1));
      if (take) read_q <= (read_q == PlaceW'(Depth - 1)) ? '0 : (read_q + PlaceW'(1));
    end
  end

`ifndef SYNTHESIS
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) push_i |-> count_q < CountW'(Depth));
`endif
`ifdef FORMAL
  `include "vc_buffer_formal.svh"
`endif
`ifdef COVERAGE
  `include "vc_buffer_cover.svh"
`endif
endmodule
