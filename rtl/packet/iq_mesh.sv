/// Mesh of input-queued routers (iq_router.sv) with one node each and dimension-order routing, x first: a whole network.
/// Nodes and routers are numbered x + Columns * y. It does in every cycle what docs/iq_router.md says of a mesh, and its
/// pins are those of the routers at their nodes: the NICs are outside. C++ twin: sc_models/fabrics/packet/iq on a mesh.
///
/// Ports      0 the node, 1 and 2 the neighbours at x + 1 and x - 1, 3 and 4 those at y + 1 and y - 1. At the edges the
///            ports without a neighbour are idle.
/// Heads      hold the coordinates of their destination, {y, x}, in the lowest bits of their data. Every VC may be used.
/// Timing     of a router as in iq_router.sv; flits take Link cycles from router to router, credits Credit cycles.
/// Vectors    of node n at [n*W +: W], W bits per node.
/// Corners    a destination outside the mesh, and errors of a neighbour as in iq_router.sv, are errors of the node;
///            assertions say so. A node may send to itself.
/// Reset      as of iq_router.sv; links are empty.
/// Resources  those of Columns * Rows routers and of their links; figures in docs/iq_rtl.md.
module iq_mesh #(
  parameter int unsigned Columns          = 4,   ///< routers in x, 1..16
  parameter int unsigned Rows             = 4,   ///< routers in y, 1..16; two routers at least
  parameter int unsigned Vcs              = 2,   ///< per port, 1..12
  parameter int unsigned Width            = 32,  ///< bits of a flit's data, 1..1024; a destination must fit
  parameter int unsigned Buffer           = 8,   ///< flits per VC, here and in the nodes, 1..1024
  parameter int unsigned BufferWrite      = 0,   ///< cycles of the stages, 0..16
  parameter int unsigned Routing          = 1,
  parameter int unsigned VcAllocation     = 1,
  parameter int unsigned SwitchAllocation = 1,
  parameter int unsigned Crossbar         = 1,
  parameter int unsigned Link             = 1,   ///< cycles of a flit between routers, 1..16
  parameter int unsigned Credit           = 1,   ///< of a credit between routers, 1..16
  parameter int unsigned Islip            = 0,   ///< allocation: iSLIP, else separable
  parameter int unsigned Iterations       = 1,   ///< of iSLIP, 1..16; 1 without
  parameter int unsigned WhenEmpty        = 0,   ///< a VC is free again with all credits back, else after the tail
  localparam int unsigned Nodes = Columns * Rows,
  localparam int unsigned VcW   = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,          ///< active low, synchronous
  // Flits from nodes, and their credits back.
  input  logic [Nodes-1:0]       flit_valid_i,
  input  logic [Nodes*VcW-1:0]   flit_vc_i,
  input  logic [Nodes-1:0]       flit_head_i,
  input  logic [Nodes-1:0]       flit_tail_i,
  input  logic [Nodes*Width-1:0] flit_data_i,
  output logic [Nodes-1:0]       credit_valid_o,
  output logic [Nodes*VcW-1:0]   credit_vc_o,
  // Flits to nodes, and their credits.
  output logic [Nodes-1:0]       flit_valid_o,
  output logic [Nodes*VcW-1:0]   flit_vc_o,
  output logic [Nodes-1:0]       flit_head_o,
  output logic [Nodes-1:0]       flit_tail_o,
  output logic [Nodes*Width-1:0] flit_data_o,
  input  logic [Nodes-1:0]       credit_valid_i,
  input  logic [Nodes*VcW-1:0]   credit_vc_i
);

  localparam int unsigned Ports   = 5;
  localparam int unsigned PortW   = 3;
  localparam int unsigned ColumnW = (Columns > 1) ? $clog2(Columns) : 1;
  localparam int unsigned RowW    = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned FlitW   = Width + VcW + 3;

  // Parameters out of range are refused at elaboration; those of routers by the routers.
  if ((Columns < 1) || (Columns > 16)) $error("iq_mesh: Columns must be 1..16");
  if ((Rows < 1) || (Rows > 16)) $error("iq_mesh: Rows must be 1..16");
  if (Nodes < 2) $error("iq_mesh: Rows must be at least 2 with one column");
  if ((Vcs < 1) || (Vcs > 12)) $error("iq_mesh: Vcs must be 1..12");
  if ((Width < ColumnW + RowW) || (Width > 1024)) $error("iq_mesh: Width must be 1024 at most and hold a destination");
  if ((Link < 1) || (Link > 16)) $error("iq_mesh: Link must be 1..16");
  if ((Credit < 1) || (Credit > 16)) $error("iq_mesh: Credit must be 1..16");

  // Outputs of the routers: flits {valid, head, tail, VC, data}, and credits {valid, VC}, per port.
  for (genvar n = 0; n < Nodes; n = n + 1) begin : gen_from
    logic [Ports*FlitW-1:0]   flits;
    logic [Ports*(1+VcW)-1:0] credits;
    logic                     unused;  // to the node, and at edges
    assign unused = &{1'b0, flits, credits};
  end

  for (genvar n = 0; n < Nodes; n = n + 1) begin : gen_router
    localparam int unsigned X = n % Columns;
    localparam int unsigned Y = n / Columns;

    logic [Ports-1:0]       in_valid;
    logic [Ports-1:0]       in_head;
    logic [Ports-1:0]       in_tail;
    logic [Ports*VcW-1:0]   in_vc;
    logic [Ports*Width-1:0] in_data;
    logic [Ports*PortW-1:0] hop;
    logic [Ports-1:0]       credit_valid;
    logic [Ports*VcW-1:0]   credit_vc;
    logic [Ports-1:0]       out_valid;
    logic [Ports-1:0]       out_head;
    logic [Ports-1:0]       out_tail;
    logic [Ports*VcW-1:0]   out_vc;
    logic [Ports*Width-1:0] out_data;
    logic [Ports-1:0]       back_valid;
    logic [Ports*VcW-1:0]   back_vc;

    iq_router #(
      .Ports(Ports), .Vcs(Vcs), .Width(Width), .Buffer(Buffer), .BufferWrite(BufferWrite), .Routing(Routing),
      .VcAllocation(VcAllocation), .SwitchAllocation(SwitchAllocation), .Crossbar(Crossbar), .Credit(0), .Islip(Islip),
      .Iterations(Iterations), .WhenEmpty(WhenEmpty)
    ) u_router (
      .clk_i, .rst_ni, .flit_valid_i(in_valid), .flit_vc_i(in_vc), .flit_head_i(in_head), .flit_tail_i(in_tail),
      .flit_data_i(in_data), .hop_first_i(hop), .hop_count_i({Ports{1'b1}}), .hop_vcs_i({Ports*Vcs{1'b1}}),
      .credit_valid_o(back_valid), .credit_vc_o(back_vc), .flit_valid_o(out_valid), .flit_vc_o(out_vc),
      .flit_head_o(out_head), .flit_tail_o(out_tail), .flit_data_o(out_data), .credit_valid_i(credit_valid),
      .credit_vc_i(credit_vc)
    );

    // The node.
    assign in_valid[0]                 = flit_valid_i[n];
    assign in_head[0]                  = flit_head_i[n];
    assign in_tail[0]                  = flit_tail_i[n];
    assign in_vc[0 +: VcW]             = flit_vc_i[n*VcW +: VcW];
    assign in_data[0 +: Width]         = flit_data_i[n*Width +: Width];
    assign credit_valid[0]             = credit_valid_i[n];
    assign credit_vc[0 +: VcW]         = credit_vc_i[n*VcW +: VcW];
    assign flit_valid_o[n]             = out_valid[0];
    assign flit_head_o[n]              = out_head[0];
    assign flit_tail_o[n]              = out_tail[0];
    assign flit_vc_o[n*VcW +: VcW]     = out_vc[0 +: VcW];
    assign flit_data_o[n*Width +: Width] = out_data[0 +: Width];
    assign credit_valid_o[n]           = back_valid[0];
    assign credit_vc_o[n*VcW +: VcW]   = back_vc[0 +: VcW];

    // The neighbours.
    for (genvar p = 1; p < Ports; p = p + 1) begin : gen_side
      localparam bit There = (p == 1) ? (X + 1 < Columns) : (p == 2) ? (X != 0) : (p == 3) ? (Y + 1 < Rows) : (Y != 0);
      if (There) begin : gen_link
        localparam int unsigned Other = (p == 1) ? n + 1 : (p == 2) ? n - 1 : (p == 3) ? n + Columns : n - Columns;
        localparam int unsigned Back  = (p % 2 == 1) ? p + 1 : p - 1;  // the port there that leads here
        delay_line #(.Width(FlitW), .Cycles(Link)) u_flits (
          .clk_i, .rst_ni, .data_i(gen_from[Other].flits[Back*FlitW +: FlitW]),
          .data_o({in_valid[p], in_head[p], in_tail[p], in_vc[p*VcW +: VcW], in_data[p*Width +: Width]})
        );
        delay_line #(.Width(1 + VcW), .Cycles(Credit)) u_credits (
          .clk_i, .rst_ni, .data_i(gen_from[Other].credits[Back*(1+VcW) +: 1+VcW]),
          .data_o({credit_valid[p], credit_vc[p*VcW +: VcW]})
        );
      end else begin : gen_edge
        assign {in_valid[p], in_head[p], in_tail[p], in_vc[p*VcW +: VcW], in_data[p*Width +: Width]} = '0;
        assign {credit_valid[p], credit_vc[p*VcW +: VcW]} = '0;
      end
    end

    for (genvar p = 0; p < Ports; p = p + 1) begin : gen_port
      assign gen_from[n].flits[p*FlitW +: FlitW] = {out_valid[p], out_head[p], out_tail[p], out_vc[p*VcW +: VcW],
                                                    out_data[p*Width +: Width]};
      assign gen_from[n].credits[p*(1+VcW) +: 1+VcW] = {back_valid[p], back_vc[p*VcW +: VcW]};

      // Routing: along x to the column of the destination, then along y.
      logic [31:0] to_x;
      logic [31:0] to_y;
      assign to_x = 32'(in_data[p*Width +: ColumnW]);
      assign to_y = 32'(in_data[p*Width + ColumnW +: RowW]);
      assign hop[p*PortW +: PortW] = (to_x != X) ? ((to_x > X) ? PortW'(1) : PortW'(2))
                                   : (to_y != Y) ? ((to_y > Y) ? PortW'(3) : PortW'(4)) : '0;
    end

`ifndef SYNTHESIS
    a_to: assert property (@(posedge clk_i) disable iff (!rst_ni) flit_valid_i[n] && flit_head_i[n] |->
                           (32'(flit_data_i[n*Width +: ColumnW]) < Columns) &&
                           (32'(flit_data_i[n*Width + ColumnW +: RowW]) < Rows));
`endif
  end
`ifdef COVERAGE
  `include "iq_mesh_cover.svh"
`endif
endmodule
