/// Output VCs that the head of one input VC requests, and the one it prefers: VCs of a set at the ports first_i ..
/// first_i + count_i - 1. VC v of the port at offset i is candidate number v * count_i + i; the choice is round robin
/// over these numbers.
///
/// Order      output VCs are numbered v * Ports + port here. Within a hop that order is the order of the candidate
///            numbers, so round robin over it needs no sorting, and only the position has to be converted.
/// Timing     combinational; the pointer changes at the end of the cycle in which won_i has a bit set.
/// Reset      the first candidate is preferred.
/// Resources  $clog2(Trunk * Vcs + 1) flip-flops.
module hop_choice #(
  parameter int unsigned Ports = 5,   ///< 2..16
  parameter int unsigned Vcs   = 2,   ///< 1..16, Ports * Vcs <= 64
  parameter int unsigned Trunk = 1,   ///< most ports of a hop, 1..Ports
  parameter int unsigned Islip = 0,   ///< requests all candidates instead of the preferred one
  localparam int unsigned Outs   = Ports * Vcs,
  localparam int unsigned PortW  = $clog2(Ports),
  localparam int unsigned CountW = $clog2(Trunk + 1),
  localparam int unsigned FromW  = $clog2(Outs + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,     ///< active low, synchronous
  input  logic              request_i,  ///< the head requests VCs in this cycle
  input  logic [PortW-1:0]  first_i,
  input  logic [CountW-1:0] count_i,    ///< 1..Trunk
  input  logic [Vcs-1:0]    vcs_i,
  input  logic [Outs-1:0]   free_i,     ///< output VCs that can be given away
  input  logic [Outs-1:0]   won_i,      ///< one-hot: granted, in the round in which pointers move
  output logic [Outs-1:0]   request_o,
  output logic [FromW-1:0]  from_o      ///< position in request_o that is preferred
);

  // Parameters out of range are refused at elaboration.
  if ((Ports < 2) || (Ports > 16)) $error("hop_choice: Ports must be 2..16");
  if ((Vcs < 1) || (Vcs > 16)) $error("hop_choice: Vcs must be 1..16");
  if (Islip > 1) $error("hop_choice: Islip must be 0 or 1");
  if ((Trunk < 1) || (Trunk > Ports)) $error("hop_choice: Trunk must be 1..Ports");

  localparam int unsigned PointerW = $clog2(Trunk * Vcs + 1);

  logic [PointerW-1:0] pointer_q;  // candidate number, of whatever hop was granted last

  // Ports of the hop, and where they are won.
  logic [Ports-1:0] hop;
  logic [Outs-1:0]  candidate;
  logic [Ports-1:0] won_port;
  logic [Vcs-1:0]   won_vc;
  assign hop = Ports'(((32'(1) << count_i) - 32'(1)) << first_i);
  for (genvar p = 0; p < Ports; p = p + 1) begin : gen_port
    logic [Vcs-1:0] column;
    for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_vc
      assign candidate[v*Ports + p] = request_i && hop[p] && vcs_i[v] && free_i[v*Ports + p];
      assign column[v]              = won_i[v*Ports + p];
    end
    assign won_port[p] = column != '0;
  end
  for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_won_vc
    assign won_vc[v] = won_i[v*Ports +: Ports] != '0;
  end

  // Position of the pointer, modulo the number of candidates: one conversion for each size of hop.
  logic [FromW-1:0] from;
  always_comb begin
    from = '0;
    for (int unsigned n = 1; n <= Trunk; n++) begin
      if (32'(count_i) == n) begin
        from = FromW'(((32'(pointer_q) % (n * Vcs)) / n) * Ports + (32'(pointer_q) % n) + 32'(first_i));
      end
    end
  end
  assign from_o = from;

  if (Islip != 0) begin : gen_all
    assign request_o = candidate;
  end else begin : gen_preferred
    round_robin #(.Requests(Outs)) u_preferred (.request_i(candidate), .from_i(from), .grant_o(request_o));
  end

  // The number of the candidate that is granted, + 1.
  logic [PointerW-1:0] pointer_d;
  always_comb begin
    pointer_d = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (won_port[p] && won_vc[v]) begin
          pointer_d = pointer_d | PointerW'(v * 32'(count_i) + p - 32'(first_i) + 1);
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pointer_q <= '0;
    else if (won_i != '0) pointer_q <= pointer_d;
  end

`ifndef SYNTHESIS
  a_count: assert property (@(posedge clk_i) disable iff (!rst_ni) request_i |->
                            (count_i != '0) && (32'(count_i) <= Trunk) && (32'(first_i) + 32'(count_i) <= Ports));
  a_won:   assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(won_i) && ((won_i & ~candidate) == '0));
`endif
`ifdef COVERAGE
  `include "hop_choice_cover.svh"
`endif
endmodule
