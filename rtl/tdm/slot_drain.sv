/// Slots of circuits that have been given up, until they are free again: a frame after their table entries are out of effect
/// and, at the first switch, after the host has sent its last word. Part of setup_unit; part: drain_queue. C++ twin: drain() and
/// free_due() of sc_models/fabrics/tdm/setup/switch_circuits.cpp.
///
/// Insert     insert_i: slots_i of outputs outs_i, at the first switch of the circuit (first_i) also slots came_i of input in_i,
///            drain: they are due a frame after out_of_effect_i and, there, after now_i + host_lag_i; not before the next cycle.
/// Free       free_i while idle, with now_i stable until busy_o is low again: releases all that are due by now_i at the slot LUT,
///            oldest first, row by row: the lowest one in lut_rows_o, bit 0 that of input lut_in_o, then the outputs'. It never
///            comes together with insert_i.
///            done_o: the failed ports of slots that are released in this cycle.
/// Cycles     busy for 1, and for each set of slots 1 and one per row.
/// Full       full_o: an insertion finds no room and is lost.
/// Reset      empty.
/// Proven     rtl/tdm/slot_drain_formal.svh.
module slot_drain #(
  parameter int unsigned Ports = 5,   ///< 2..32
  parameter int unsigned Slots = 32,  ///< 2..256
  parameter int unsigned Depth = 16,  ///< sets of slots, 1..1024
  parameter int unsigned KeyW  = 16,
  parameter int unsigned TimeW = 32,  ///< 8..64
  localparam int unsigned PortW  = $clog2(Ports),
  localparam int unsigned IndexW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [TimeW-1:0]  frame_i,
  input  logic [TimeW-1:0]  now_i,
  // Insert
  input  logic              insert_i,
  input  logic [TimeW-1:0]  out_of_effect_i,
  input  logic [TimeW-1:0]  host_lag_i,
  input  logic [KeyW-1:0]   key_i,
  input  logic [Ports-1:0]  failed_i,
  input  logic [Ports-1:0]  outs_i,
  input  logic [Slots-1:0]  slots_i,
  input  logic [Slots-1:0]  came_i,
  input  logic [PortW-1:0]  in_i,
  input  logic              first_i,
  output logic              full_o,
  // Free
  input  logic              free_i,
  output logic              busy_o,
  output logic              lut_valid_o,
  output logic [Ports:0]    lut_rows_o,
  output logic [PortW-1:0]  lut_in_o,
  output logic [Slots-1:0]  lut_slots_o,
  output logic [KeyW-1:0]   lut_key_o,
  output logic [Ports-1:0]  done_o,
  output logic              head_valid_o,
  output logic [TimeW-1:0]  head_until_o,
  // Readout
  input  logic [IndexW-1:0] index_i,
  output logic              valid_o,
  output logic [KeyW-1:0]   key_o,
  output logic [Ports-1:0]  outs_o,
  output logic [Slots-1:0]  slots_o,
  output logic [Slots-1:0]  came_o,
  output logic [PortW-1:0]  in_o,
  output logic              first_o
);

  if ((Ports < 2) || (Ports > 32)) $error("slot_drain: Ports must be 2..32");
  if ((Slots < 2) || (Slots > 256)) $error("slot_drain: Slots must be 2..256");
  if ((TimeW < 8) || (TimeW > 64)) $error("slot_drain: TimeW must be 8..64");

  localparam int unsigned DataW = KeyW + 2 * Ports + 2 * Slots + PortW + 1;

  typedef enum logic [1:0] {StIdle, StLook, StRelease} state_e;

  state_e           state_q;
  logic [Ports:0]   rows_q;  // still to be released
  logic [Ports:0]   rows_left;
  logic             pop, due, head_first, unused_failed;
  logic [Ports-1:0] head_failed, head_outs, failed;
  logic [Slots-1:0] head_slots, head_came;
  assign rows_left = rows_q & (rows_q - (Ports + 1)'(1));
  assign pop       = (state_q == StRelease) && (rows_left == '0);
  assign due       = head_valid_o && ($signed(head_until_o) <= $signed(now_i));

  logic [TimeW-1:0] host_quiet, quiet, until_frame, due_at;
  assign host_quiet  = now_i + host_lag_i;
  assign quiet       = (first_i && ($signed(host_quiet) > $signed(out_of_effect_i))) ? host_quiet : out_of_effect_i;
  assign until_frame = quiet + frame_i;
  assign due_at      = ($signed(until_frame) > $signed(now_i)) ? until_frame : now_i + TimeW'(1);

  drain_queue #(.Depth(Depth), .TimeW(TimeW), .DataW(DataW)) i_queue (
    .clk_i, .rst_ni, .insert_i, .until_i(due_at), .data_i({key_i, failed_i, outs_i, slots_i, came_i, in_i, first_i}),
    .full_o, .pop_i(pop), .head_valid_o, .head_until_o,
    .head_data_o({lut_key_o, head_failed, head_outs, head_slots, head_came, lut_in_o, head_first}),
    .index_i, .valid_o, .data_o({key_o, failed, outs_o, slots_o, came_o, in_o, first_o})
  );
  assign unused_failed = ^failed;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (free_i) state_q <= StLook;
        StLook: begin
          rows_q  <= {head_outs, head_first};
          state_q <= due ? StRelease : StIdle;
        end
        default: begin
          rows_q <= rows_left;
          if (pop) state_q <= StLook;
        end
      endcase
    end
  end

  assign busy_o      = state_q != StIdle;
  assign lut_valid_o = state_q == StRelease;
  assign lut_rows_o  = rows_q;
  assign lut_slots_o = rows_q[0] ? head_came : head_slots;
  assign done_o      = pop ? head_failed : '0;

`ifndef SYNTHESIS
  a_slots: assert property (@(posedge clk_i) disable iff (!rst_ni) insert_i |-> (slots_i != '0) && (outs_i != '0));
  a_apart: assert property (@(posedge clk_i) disable iff (!rst_ni) !(busy_o && (insert_i || free_i)));
`endif
`ifdef COVERAGE
  `include "slot_drain_cover.svh"
`endif
`ifdef FORMAL
  `include "slot_drain_formal.svh"
`endif
endmodule
