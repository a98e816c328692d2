/// Input-queued virtual-channel (VC) wormhole router: buffers per VC at the inputs, VC and switch allocation (separable or
/// iSLIP), credits. It does in every cycle what docs/iq_router.md says; the model of that page, sc_models/fabrics/packet/iq,
/// gives the same pins for the same pins. Source: Dally, Towles, "Principles and Practices of Interconnection Networks",
/// 2004, chapters 16 to 19.
///
/// Outside    the flight of flits and credits on links; the routing, which knows of each head the hop it takes here: one
///            of hop_count_i ports from hop_first_i on, and one of the VCs hop_vcs_i (a lane class, or all).
/// Timing     a flit at the pins in cycle t is in its buffer from t + BufferWrite on. A head requests VCs Routing cycles
///            after it is the oldest flit, and the switch VcAllocation cycles after it got one. A flit that is granted the
///            switch in cycle t is at the output in t + SwitchAllocation + Crossbar, and its credit is in
///            t + SwitchAllocation + Credit. A credit at the pins counts in the same cycle. A stage of 0 cycles is
///            combinational: with all of them 0 so is the way from flit_valid_i to flit_valid_o, and links must have
///            registers.
/// Vectors    of port p at [p*W +: W], W bits per port.
/// Corners    flits beyond the credits, packets that mix in one VC, a hop that leads nowhere, or more credits than
///            the buffer has places are errors of the neighbour; assertions say so. Pins of a port are 0 without valid.
/// Reset      buffers are empty, all credits are there, all VCs free, all pointers 0. In the cycles of a reset nothing is
///            taken and nothing granted.
/// Resources  figures in docs/iq_rtl.md.
module iq_router #(
  parameter int unsigned Ports            = 5,   ///< 2..16
  parameter int unsigned Vcs              = 2,   ///< per port, 1..16, Ports * Vcs <= 64
  parameter int unsigned Trunk            = 1,   ///< most ports of a hop, 1..Ports
  parameter int unsigned Width            = 32,  ///< bits of a flit's data, 1..1024
  parameter int unsigned Buffer           = 8,   ///< flits per VC, here and behind every output, 1..1024
  parameter int unsigned BufferWrite      = 0,   ///< cycles of the stages, 0..16
  parameter int unsigned Routing          = 1,
  parameter int unsigned VcAllocation     = 1,
  parameter int unsigned SwitchAllocation = 1,
  parameter int unsigned Crossbar         = 1,
  parameter int unsigned Credit           = 0,   ///< of a credit inside the router, 0..16
  parameter int unsigned Islip            = 0,   ///< allocation: iSLIP, else separable
  parameter int unsigned Iterations       = 1,   ///< of iSLIP, 1..16; 1 without
  parameter int unsigned WhenEmpty        = 0,   ///< a VC is free again with all credits back, else after the tail
  localparam int unsigned PortW  = $clog2(Ports),
  localparam int unsigned VcW    = (Vcs > 1) ? $clog2(Vcs) : 1,
  localparam int unsigned CountW = $clog2(Trunk + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,          ///< active low, synchronous
  // Inputs: flits, and their credits back.
  input  logic [Ports-1:0]        flit_valid_i,
  input  logic [Ports*VcW-1:0]    flit_vc_i,
  input  logic [Ports-1:0]        flit_head_i,
  input  logic [Ports-1:0]        flit_tail_i,
  input  logic [Ports*Width-1:0]  flit_data_i,
  input  logic [Ports*PortW-1:0]  hop_first_i,     ///< with heads
  input  logic [Ports*CountW-1:0] hop_count_i,     ///< with heads, 1..Trunk
  input  logic [Ports*Vcs-1:0]    hop_vcs_i,       ///< with heads, not 0
  output logic [Ports-1:0]        credit_valid_o,
  output logic [Ports*VcW-1:0]    credit_vc_o,
  // Outputs: flits, and credits from behind.
  output logic [Ports-1:0]        flit_valid_o,
  output logic [Ports*VcW-1:0]    flit_vc_o,
  output logic [Ports-1:0]        flit_head_o,
  output logic [Ports-1:0]        flit_tail_o,
  output logic [Ports*Width-1:0]  flit_data_o,
  input  logic [Ports-1:0]        credit_valid_i,
  input  logic [Ports*VcW-1:0]    credit_vc_i
);

  // Parameters out of range are refused at elaboration; those of stages, buffers and iterations by the parts.
  if ((Ports < 2) || (Ports > 16)) $error("iq_router: Ports must be 2..16");
  if ((Vcs < 1) || (Vcs > 16)) $error("iq_router: Vcs must be 1..16");
  if (Islip > 1) $error("iq_router: Islip must be 0 or 1");
  if (WhenEmpty > 1) $error("iq_router: WhenEmpty must be 0 or 1");
  if (Ports * Vcs > 64) $error("iq_router: Ports must be at most 64 / Vcs");
  if (BufferWrite > 16) $error("iq_router: BufferWrite must be 0..16");
  if (SwitchAllocation > 16) $error("iq_router: SwitchAllocation must be 0..16");
  if (Crossbar > 16) $error("iq_router: Crossbar must be 0..16");
  if (Credit > 16) $error("iq_router: Credit must be 0..16");
  if ((Islip == 0) && (Iterations != 1)) $error("iq_router: Iterations must be 1 without Islip");

  localparam int unsigned All     = Ports * Vcs;
  localparam int unsigned FromW   = $clog2(All + 1);
  localparam int unsigned CreditW = $clog2(Buffer + 1);
  localparam int unsigned FlitW   = Vcs + CountW + PortW + Width + 2;
  localparam int unsigned WriteW  = 1 + VcW + FlitW;
  localparam int unsigned OutW    = Width + VcW + 3;  // of a flit at an output

  // Input VC v of port p has the number p * Vcs + v, output VC v of port p the number v * Ports + p (hop_choice.sv).
  logic [All-1:0]       free;
  logic [All-1:0]       has_credit;
  logic [All*All-1:0]   request;
  logic [All*FromW-1:0] from;
  logic [All*All-1:0]   match;
  logic [All*All-1:0]   won;
  logic [All-1:0]       ready;
  logic [All*All-1:0]   out;     // of each input VC its output VC
  logic [All*Ports-1:0] to;      // and its output port
  logic [All-1:0]       send;
  logic [Ports*Ports-1:0] passes;
  logic [All-1:0]       head;
  logic [All-1:0]       tail;
  logic [All*Width-1:0] data;

  iq_allocator #(.Requesters(All), .Resources(All), .Rounds(Iterations)) u_vc_allocator (
    .clk_i, .rst_ni, .request_i(request), .from_i(from), .match_o(match), .first_o(won)
  );
  iq_switch #(.Ports(Ports), .Vcs(Vcs), .Islip(Islip), .Iterations(Iterations)) u_switch (
    .clk_i, .rst_ni, .ready_i(ready), .to_i(to), .send_o(send), .cross_o(passes)
  );

  for (genvar p = 0; p < Ports; p = p + 1) begin : gen_input
    // Arrival.
    logic               valid;
    logic [VcW-1:0]     vc;
    logic [FlitW-1:0]   flit;
    logic [WriteW-1:0]  comes;
    logic [WriteW-1:0]  written;
    assign comes = {flit_valid_i[p] && rst_ni, flit_vc_i[p*VcW +: VcW], hop_vcs_i[p*Vcs +: Vcs],
                    hop_count_i[p*CountW +: CountW], hop_first_i[p*PortW +: PortW], flit_data_i[p*Width +: Width],
                    flit_tail_i[p], flit_head_i[p]};
    assign {valid, vc, flit} = written;
    delay_line #(.Width(WriteW), .Cycles(BufferWrite)) u_write (
      .clk_i, .rst_ni, .data_i(comes), .data_o(written)
    );

    for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_vc
      localparam int unsigned In = p * Vcs + v;
      logic own_ready;
      logic push;
      assign push = valid && (vc == VcW'(v));
      iq_input_vc #(
        .Ports(Ports), .Vcs(Vcs), .Trunk(Trunk), .Width(Width), .Buffer(Buffer), .Routing(Routing),
        .VcAllocation(VcAllocation), .Islip(Islip)
      ) u_vc (
        .clk_i, .rst_ni, .push_i(push), .flit_i(flit), .pop_i(send[In]),
        .data_o(data[In*Width +: Width]), .head_o(head[In]), .tail_o(tail[In]), .free_i(free),
        .request_o(request[In*All +: All]), .from_o(from[In*FromW +: FromW]), .match_i(match[In*All +: All]),
        .won_i(won[In*All +: All]), .credit_i(has_credit), .ready_o(own_ready), .out_o(out[In*All +: All])
      );
      assign ready[In] = own_ready && rst_ni;
      for (genvar o = 0; o < Ports; o = o + 1) begin : gen_to
        logic [Vcs-1:0] column;
        for (genvar w = 0; w < Vcs; w = w + 1) begin : gen_column
          assign column[w] = out[In*All + w*Ports + o];
        end
        assign to[In*Ports + o] = column != '0;
      end
    end

    // The credit of the flit that leaves.
    logic [VcW-1:0] sent_vc;
    always_comb begin
      sent_vc = '0;
      for (int unsigned v = 0; v < Vcs; v++) sent_vc = sent_vc | (send[p*Vcs + v] ? VcW'(v) : '0);
    end
    logic [VcW:0] credit;
    logic [VcW:0] credit_out;
    assign credit = {send[p*Vcs +: Vcs] != '0, sent_vc};
    assign {credit_valid_o[p], credit_vc_o[p*VcW +: VcW]} = credit_out;
    delay_line #(.Width(1 + VcW), .Cycles(SwitchAllocation + Credit)) u_credit (
      .clk_i, .rst_ni, .data_i(credit), .data_o(credit_out)
    );
  end

  for (genvar o = 0; o < Ports; o = o + 1) begin : gen_output
    logic [Vcs-1:0] used;  // VC that a flit takes
    for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_vc
      localparam int unsigned Out = v * Ports + o;
      logic [All-1:0]     sent;   // input VCs that send by this output VC
      logic [All-1:0]     given;  // that get it
      logic               taken_q;
      logic [CreditW-1:0] credit_q;
      logic [CreditW-1:0] credit;  // with the one that comes back
      for (genvar i = 0; i < All; i = i + 1) begin : gen_input_vc
        assign sent[i]  = send[i] && out[i*All + Out];
        assign given[i] = match[i*All + Out];
      end
      assign credit = credit_q + CreditW'(credit_valid_i[o] && (credit_vc_i[o*VcW +: VcW] == VcW'(v)));
      assign has_credit[Out] = credit != '0;
      assign used[v]         = sent != '0;
      if (WhenEmpty != 0) begin : gen_when_empty
        assign free[Out] = !taken_q && (credit == CreditW'(Buffer));
      end else begin : gen_after_tail
        assign free[Out] = !taken_q;
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          taken_q  <= 1'b0;
          credit_q <= CreditW'(Buffer);
        end else begin
          taken_q  <= (taken_q || (given != '0)) && ((sent & tail) == '0);
          credit_q <= credit - CreditW'(used[v]);
        end
      end
`ifndef SYNTHESIS
      a_credits: assert property (@(posedge clk_i) disable iff (!rst_ni)
                                  credit_valid_i[o] && (credit_vc_i[o*VcW +: VcW] == VcW'(v)) |->
                                  credit_q < CreditW'(Buffer));
      a_spent:   assert property (@(posedge clk_i) disable iff (!rst_ni) used[v] |-> credit != '0);
      a_owner:   assert property (@(posedge clk_i) disable iff (!rst_ni) given != '0 |-> !taken_q);
`endif
    end

    // Crossbar.
    logic [VcW-1:0]   flit_vc;
    logic             flit_valid;
    logic             flit_head;
    logic             flit_tail;
    logic [Width-1:0] flit_data;
    always_comb begin
      flit_vc = '0;
      for (int unsigned v = 0; v < Vcs; v++) flit_vc = flit_vc | (used[v] ? VcW'(v) : '0);
    end
    always_comb begin
      flit_valid = 1'b0;
      flit_head  = 1'b0;
      flit_tail  = 1'b0;
      flit_data  = '0;
      for (int unsigned p = 0; p < Ports; p++) begin
        for (int unsigned v = 0; v < Vcs; v++) begin
          if (passes[p*Ports + o] && send[p*Vcs + v]) begin
            flit_valid = 1'b1;
            flit_head  = flit_head | head[p*Vcs + v];
            flit_tail  = flit_tail | tail[p*Vcs + v];
            flit_data  = flit_data | data[(p*Vcs + v)*Width +: Width];
          end
        end
      end
    end
    logic [OutW-1:0] crossed;
    logic [OutW-1:0] leaving;
    assign crossed = {flit_valid, flit_head, flit_tail, flit_vc, flit_data};
    assign {flit_valid_o[o], flit_head_o[o], flit_tail_o[o], flit_vc_o[o*VcW +: VcW],
            flit_data_o[o*Width +: Width]} = leaving;
    delay_line #(.Width(OutW), .Cycles(SwitchAllocation + Crossbar)) u_cross (
      .clk_i, .rst_ni, .data_i(crossed), .data_o(leaving)
    );
  end

`ifndef SYNTHESIS
  for (genvar p = 0; p < Ports; p = p + 1) begin : gen_assert
    a_vc:  assert property (@(posedge clk_i) disable iff (!rst_ni) flit_valid_i[p] |->
                            32'(flit_vc_i[p*VcW +: VcW]) < Vcs);
    a_hop: assert property (@(posedge clk_i) disable iff (!rst_ni) flit_valid_i[p] && flit_head_i[p] |->
                            (hop_count_i[p*CountW +: CountW] != '0) && (hop_vcs_i[p*Vcs +: Vcs] != '0));
  end
`endif
`ifdef FORMAL
  `include "iq_router_formal.svh"
`endif
`ifdef COVERAGE
  `include "iq_router_cover.svh"
`endif
endmodule
