/// Number of the bit that is set in a one-hot vector.
///
/// Timing     combinational.
/// Corners    no bit: 0. Several bits: their numbers ORed, which is of no use.
/// Reset      none, no registers.
module onehot_index #(
  parameter int unsigned Bits = 4,  ///< 1..256
  localparam int unsigned IndexW = (Bits > 1) ? $clog2(Bits) : 1
) (
  input  logic [Bits-1:0]   onehot_i,
  output logic [IndexW-1:0] index_o
);

  // Parameters out of range are refused at elaboration.
  if ((Bits < 1) || (Bits > 256)) $error("onehot_index: Bits must be 1..256");

  // Bits whose number has bit `index` set.
  function [Bits-1:0] index_mask(input integer index);
    integer b;
    begin
      for (b = 0; b < Bits; b = b + 1) index_mask[b] = ((b >> index) % 2) == 1;
    end
  endfunction
  for (genvar i = 0; i < IndexW; i = i + 1) begin : gen_index
    localparam logic [Bits-1:0] IndexMask = index_mask(i);
    assign index_o[i] = (onehot_i & IndexMask) != '0;
  end
`ifdef COVERAGE
  `include "onehot_index_cover.svh"
`endif
endmodule
