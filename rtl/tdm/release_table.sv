/// Releases of slots that the branches of multicast circuits have not all confirmed. Part of setup_unit. C++ twin: the
/// releases of sc_models/fabrics/tdm/setup/branch_answers.h.
///
/// Confirm    branch `branch_i` (one-hot port) of record `record_i`, whose branches are `outs_i`, confirms the release of
///            `slots_i`. In the same cycle all_o says whether it was the last branch, cleared_o the latest time that any
///            branch has named. A release that is not complete is kept; slots tell those of one record apart.
/// Drop       forgets all releases of the record.
/// Full       a release that finds no entry is dropped; full_o says so in its cycle.
/// Reset      empty. Only the valid bits are reset.
/// Proven     rtl/tdm/release_table_formal.svh.
module release_table #(
  parameter int unsigned Entries = 16,  ///< 1..1024
  parameter int unsigned Ports   = 5,   ///< 2..32
  parameter int unsigned Slots   = 32,  ///< 2..256
  parameter int unsigned TimeW   = 32,  ///< bits of times, signed: 2..64
  parameter int unsigned RecordW = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               confirm_i,
  input  logic               drop_i,
  input  logic [RecordW-1:0] record_i,
  input  logic [Slots-1:0]   slots_i,
  input  logic [Ports-1:0]   branch_i,
  input  logic [Ports-1:0]   outs_i,
  input  logic [TimeW-1:0]   cleared_i,
  output logic               all_o,
  output logic [TimeW-1:0]   cleared_o,
  output logic               full_o
);

  if ((Entries < 1) || (Entries > 1024)) $error("release_table: Entries must be 1..1024");
  if ((Ports < 2) || (Ports > 32)) $error("release_table: Ports must be 2..32");
  if ((Slots < 2) || (Slots > 256)) $error("release_table: Slots must be 2..256");
  if ((TimeW < 2) || (TimeW > 64)) $error("release_table: TimeW must be 2..64");

  localparam int unsigned IndexW = (Entries > 1) ? $clog2(Entries) : 1;

  logic [Entries-1:0] valid_q;
  logic [RecordW-1:0] record_q    [0:Entries-1];
  logic [Slots-1:0]   slots_q     [0:Entries-1];
  logic [Ports-1:0]   confirmed_q [0:Entries-1];
  logic [TimeW-1:0]   cleared_q   [0:Entries-1];

  logic              hit;
  logic              room;
  logic [IndexW-1:0] at;  // the release's entry, or the first free one
  logic [Ports-1:0]  confirmed;
  integer e;

  always_comb begin
    hit  = 1'b0;
    room = 1'b0;
    at   = '0;
    for (e = Entries - 1; e >= 0; e = e - 1) begin
      if (!valid_q[e]) begin
        room = 1'b1;
        at   = IndexW'(e);
      end
    end
    for (e = 0; e < Entries; e = e + 1) begin
      if (valid_q[e] && (record_q[e] == record_i) && (slots_q[e] == slots_i)) begin
        hit = 1'b1;
        at  = IndexW'(e);
      end
    end
    confirmed = hit ? (confirmed_q[at] | branch_i) : branch_i;
    all_o     = confirmed == outs_i;
    cleared_o = (hit && ($signed(cleared_q[at]) > $signed(cleared_i))) ? cleared_q[at] : cleared_i;
    full_o    = confirm_i && !all_o && !hit && !room;
  end

  always_ff @(posedge clk_i) begin
    if (confirm_i && !all_o && (hit || room)) begin
      record_q[at]    <= record_i;
      slots_q[at]     <= slots_i;
      confirmed_q[at] <= confirmed;
      cleared_q[at]   <= cleared_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else if (confirm_i) begin
      if (hit || (room && !all_o)) valid_q[at] <= !all_o;
    end else if (drop_i) begin
      for (e = 0; e < Entries; e = e + 1) begin
        if (record_q[e] == record_i) valid_q[e] <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  a_branch: assert property (@(posedge clk_i) disable iff (!rst_ni)
                             confirm_i |-> $onehot(branch_i) && ((branch_i & ~outs_i) == '0));
  a_apart:  assert property (@(posedge clk_i) disable iff (!rst_ni) !(confirm_i && drop_i));
`endif
`ifdef COVERAGE
  `include "release_table_cover.svh"
`endif
`ifdef FORMAL
  `include "release_table_formal.svh"
`endif
endmodule
