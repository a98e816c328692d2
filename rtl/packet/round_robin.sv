/// Round robin choice: the first request in cyclic order from a position on. The position belongs to the user, who moves
/// it as its rules say.
///
/// Timing     combinational.
/// Corners    no request: no grant. A position of Requests is position 0.
/// Reset      none, no registers.
module round_robin #(
  parameter int unsigned Requests = 4,  ///< 1..256
  localparam int unsigned FromW = $clog2(Requests + 1)
) (
  input  logic [Requests-1:0] request_i,
  input  logic [FromW-1:0]    from_i,    ///< 0..Requests
  output logic [Requests-1:0] grant_o    ///< one-hot, or 0
);

  // Parameters out of range are refused at elaboration.
  if ((Requests < 1) || (Requests > 256)) $error("round_robin: Requests must be 1..256");

  logic [Requests-1:0] beyond;  // requests from the position on
  logic [Requests-1:0] first_from;
  assign beyond     = request_i & ({Requests{1'b1}} << from_i);
  assign first_from = (beyond != '0) ? beyond : request_i;
  assign grant_o    = first_from & (~first_from + Requests'(1));
`ifdef COVERAGE
  `include "round_robin_cover.svh"
`endif
endmodule
