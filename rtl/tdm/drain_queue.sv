/// Queue of slots that wait to become free, sorted by time: the head is due first, and of equal times the one that came
/// first. Part of setup_unit. C++ twin: the drained slots of sc_models/fabrics/tdm/setup/switch_circuits.h.
///
/// Insert     every entry that is due later moves one place on, in one cycle.
/// Pop        every entry moves one place forward. insert_i and pop_i never come together.
/// Full       an insertion into a full queue is dropped; full_o says so in its cycle.
/// Readout    entry `index_i`, for a management processor.
/// Reset      empty. Only the valid bits are reset.
/// Proven     rtl/tdm/drain_queue_formal.svh.
module drain_queue #(
  parameter int unsigned Depth = 16,  ///< entries, 1..1024
  parameter int unsigned TimeW = 32,  ///< bits of times, signed: 2..64
  parameter int unsigned DataW = 8,
  localparam int unsigned IndexW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              insert_i,
  input  logic [TimeW-1:0]  until_i,
  input  logic [DataW-1:0]  data_i,
  output logic              full_o,
  input  logic              pop_i,
  output logic              head_valid_o,
  output logic [TimeW-1:0]  head_until_o,
  output logic [DataW-1:0]  head_data_o,
  input  logic [IndexW-1:0] index_i,
  output logic              valid_o,
  output logic [DataW-1:0]  data_o
);

  if ((Depth < 1) || (Depth > 1024)) $error("drain_queue: Depth must be 1..1024");
  if ((TimeW < 2) || (TimeW > 64)) $error("drain_queue: TimeW must be 2..64");

  logic [Depth-1:0] valid_q;  // of a prefix
  logic [TimeW-1:0] until_q [0:Depth-1];
  logic [DataW-1:0] data_q  [0:Depth-1];

  logic [Depth-1:0] stays;  // entries that stay before the new one
  integer e;

  always_comb begin
    for (e = 0; e < Depth; e = e + 1) stays[e] = valid_q[e] && ($signed(until_q[e]) <= $signed(until_i));
  end

  assign full_o       = insert_i && valid_q[Depth-1];
  assign head_valid_o = valid_q[0];
  assign head_until_o = until_q[0];
  assign head_data_o  = data_q[0];
  assign valid_o      = (32'(index_i) < Depth) && valid_q[index_i];
  assign data_o       = data_q[index_i];

  for (genvar i = 0; i < Depth; i = i + 1) begin : gen_entry
    always_ff @(posedge clk_i) begin
      if (insert_i && !full_o && !stays[i]) begin
        if ((i == 0) || stays[(i > 0) ? i - 1 : 0]) begin
          until_q[i] <= until_i;
          data_q[i]  <= data_i;
        end else begin
          until_q[i] <= until_q[(i > 0) ? i - 1 : 0];
          data_q[i]  <= data_q[(i > 0) ? i - 1 : 0];
        end
      end else if (pop_i && (i + 1 < Depth)) begin
        until_q[i] <= until_q[(i + 1 < Depth) ? i + 1 : i];
        data_q[i]  <= data_q[(i + 1 < Depth) ? i + 1 : i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else if (insert_i && !full_o) begin
      valid_q <= Depth'({valid_q, 1'b1});
    end else if (pop_i) begin
      valid_q <= valid_q >> 1;
    end
  end

`ifndef SYNTHESIS
  a_apart:  assert property (@(posedge clk_i) disable iff (!rst_ni) !(insert_i && pop_i));
  a_pop:    assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> head_valid_o);
  a_sorted: assert property (@(posedge clk_i) disable iff (!rst_ni)
                             pop_i |=> !head_valid_o || ($signed(head_until_o) >= $signed($past(head_until_o))));
`endif
`ifdef COVERAGE
  `include "drain_queue_cover.svh"
`endif
`ifdef FORMAL
  `include "drain_queue_formal.svh"
`endif
endmodule
