/// Allocator of iSLIP's form: requesters ask for resources, each resource grants one requester in round robin, each
/// requester accepts one grant in round robin, and what is left goes on for more rounds. Pointers move in the first
/// round only. With one round and one request per requester it is a separable allocator whose inputs come first.
/// Source: McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM ToN 7(2), 1999.
///
/// Timing     combinational from request_i and from_i to the outputs; the pointers of the resources change at the end of
///            the cycle. The positions of the requesters are theirs, since their resources may have an order of their own.
/// Matrices   requester q and resource r have bit q * Resources + r.
/// Reset      all resources prefer requester 0.
/// Resources  Resources * $clog2(Requesters + 1) flip-flops.
module iq_allocator #(
  parameter int unsigned Requesters = 4,  ///< 1..256
  parameter int unsigned Resources  = 4,  ///< 1..256
  parameter int unsigned Rounds     = 1,  ///< 1..16
  localparam int unsigned Pairs = Requesters * Resources,
  localparam int unsigned FromW = $clog2(Resources + 1)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,     ///< active low, synchronous
  input  logic [Pairs-1:0]            request_i,
  input  logic [Requesters*FromW-1:0] from_i,     ///< per requester: the resource it prefers, 0..Resources
  output logic [Pairs-1:0]            match_o,    ///< at most one bit per requester and per resource
  output logic [Pairs-1:0]            first_o     ///< those of the first round
);

  // Parameters out of range are refused at elaboration.
  if ((Requesters < 1) || (Requesters > 256)) $error("iq_allocator: Requesters must be 1..256");
  if ((Resources < 1) || (Resources > 256)) $error("iq_allocator: Resources must be 1..256");
  if ((Rounds < 1) || (Rounds > 16)) $error("iq_allocator: Rounds must be 1..16");

  localparam int unsigned PointerW = $clog2(Requesters + 1);
  localparam int unsigned Last     = (Rounds > 0) ? (Rounds - 1) : 0;  // so that 0 ends with the message above

  logic [Resources*PointerW-1:0] pointer_q;  // requester that each resource prefers

  for (genvar n = 0; n <= Last; n = n + 1) begin : gen_round
    logic [Pairs-1:0]      earlier;   // matched in earlier rounds
    logic [Requesters-1:0] single;   // requesters without a match
    logic [Resources-1:0]  unused_by_any;
    logic [Pairs-1:0]      asked;
    logic [Pairs-1:0]      granted;
    logic [Pairs-1:0]      accepted;
    logic [Pairs-1:0]      matched;
    if (n == 0) begin : gen_first
      assign earlier = '0;
    end else begin : gen_later
      assign earlier = gen_round[n-1].matched;
    end
    assign matched = earlier | accepted;

    for (genvar r = 0; r < Resources; r = r + 1) begin : gen_grant
      logic [Requesters-1:0] column;
      logic [Requesters-1:0] grant;
      logic [Requesters-1:0] taken;
      for (genvar q = 0; q < Requesters; q = q + 1) begin : gen_column
        assign taken[q]                 = earlier[q*Resources + r];
        assign column[q]                = asked[q*Resources + r];
        assign granted[q*Resources + r] = grant[q];
      end
      assign unused_by_any[r] = taken == '0;
      round_robin #(.Requests(Requesters)) u_grant (
        .request_i(column), .from_i(pointer_q[r*PointerW +: PointerW]), .grant_o(grant)
      );
    end

    for (genvar q = 0; q < Requesters; q = q + 1) begin : gen_accept
      assign single[q] = earlier[q*Resources +: Resources] == '0;
      assign asked[q*Resources +: Resources] =
          single[q] ? (request_i[q*Resources +: Resources] & unused_by_any) : '0;
      round_robin #(.Requests(Resources)) u_accept (
        .request_i(granted[q*Resources +: Resources]), .from_i(from_i[q*FromW +: FromW]),
        .grant_o(accepted[q*Resources +: Resources])
      );
    end
  end

  assign first_o = gen_round[0].matched;
  assign match_o = gen_round[Last].matched;

  // Requesters whose number has bit `index` set: with a one-hot vector of the number + 1, its encoder.
  function [Requesters-1:0] next_mask(input integer index);
    integer q;
    begin
      for (q = 0; q < Requesters; q = q + 1) next_mask[q] = (((q + 1) >> index) % 2) == 1;
    end
  endfunction

  for (genvar r = 0; r < Resources; r = r + 1) begin : gen_pointer
    logic [Requesters-1:0] winner;
    logic [PointerW-1:0]   behind;  // the winner's number + 1
    for (genvar q = 0; q < Requesters; q = q + 1) begin : gen_winner
      assign winner[q] = first_o[q*Resources + r];
    end
    for (genvar b = 0; b < PointerW; b = b + 1) begin : gen_behind
      localparam logic [Requesters-1:0] NextMask = next_mask(b);
      assign behind[b] = (winner & NextMask) != '0;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pointer_q[r*PointerW +: PointerW] <= '0;
      else if (winner != '0) pointer_q[r*PointerW +: PointerW] <= behind;
    end
`ifndef SYNTHESIS
    a_one_winner: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(winner));
`endif
  end

`ifndef SYNTHESIS
  for (genvar q = 0; q < Requesters; q = q + 1) begin : gen_assert
    a_one_match: assert property (@(posedge clk_i) disable iff (!rst_ni)
                                  $onehot0(match_o[q*Resources +: Resources]));
  end
  a_asked: assert property (@(posedge clk_i) disable iff (!rst_ni) (match_o & ~request_i) == '0);
`endif
`ifdef FORMAL
  `include "iq_allocator_formal.svh"
`endif
`ifdef COVERAGE
  `include "iq_allocator_cover.svh"
`endif
endmodule
