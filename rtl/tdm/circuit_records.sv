/// Records of the circuits through a FiC switch: what each holds, and what its branches have answered. Part of setup_unit.
/// C++ twin: sc_models/fabrics/tdm/setup/switch_circuits.h and branch_answers.h.
///
/// Search     hit_o, hit_at_o: record of circuit key_i, among those lost to a failure (lost_i) or the others; room_o,
///            room_at_o: a free record. crosses_o: record scan_i is of a circuit over a port in failed_i.
/// Record     the outputs are the fields of record record_i. Strobes change it at the end of the cycle, one at a time:
///              install_i   key, place and slots of a new circuit; came_i: slots in which its words come
///              accept_i    branches branch_i have accepted, waiting for word words_i: the lowest is kept
///              end_i       branches branch_i have come to nothing. Their teardowns are merged: cause, info and withdrawn of
///                          the one with the highest rank (down before taken before late before withdrawn; the first of
///                          equals), the slots common to all that were refused, the latest lateness, the latest time
///              withdraw_i  the others have been asked to end
///              remove_i    slots_i are given up; the last ones end the record
///              lose_i      lost to a failure at ports failed_i; slots_i are given up at time cleared_i
///              notice_i    a teardown of a lost circuit is about to leave; told_i: has left; the last one ends the record
/// Reset      no records. Only valid bits are reset.
/// Proven     rtl/tdm/circuit_records_formal.svh.
module circuit_records #(
  parameter int unsigned Ports    = 5,   ///< 2..32
  parameter int unsigned Slots    = 32,  ///< 2..256
  parameter int unsigned Circuits = 16,  ///< 1..1024
  parameter int unsigned KeyW     = 16,
  parameter int unsigned TimeW    = 32,  ///< 8..64
  parameter int unsigned WordW    = 32,
  parameter int unsigned InfoW    = 8,
  localparam int unsigned PortW   = $clog2(Ports),
  localparam int unsigned RecordW = (Circuits > 1) ? $clog2(Circuits) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Search
  input  logic [KeyW-1:0]    key_i,
  input  logic               lost_i,
  output logic               hit_o,
  output logic [RecordW-1:0] hit_at_o,
  output logic               room_o,
  output logic [RecordW-1:0] room_at_o,
  input  logic [RecordW-1:0] scan_i,
  input  logic [Ports-1:0]   failed_i,
  output logic               crosses_o,
  output logic [KeyW-1:0]    scan_key_o,
  // Record
  input  logic [RecordW-1:0] record_i,
  input  logic               install_i,
  input  logic               accept_i,
  input  logic               end_i,
  input  logic               withdraw_i,
  input  logic               remove_i,
  input  logic               lose_i,
  input  logic               notice_i,
  input  logic               told_i,
  input  logic               first_i,
  input  logic [PortW-1:0]   in_i,
  input  logic [Ports-1:0]   outs_i,
  input  logic [Ports-1:0]   hosts_i,
  input  logic [Slots-1:0]   slots_i,
  input  logic [Slots-1:0]   came_i,
  input  logic [Ports-1:0]   branch_i,
  input  logic [WordW-1:0]   words_i,
  input  logic               withdrawn_i,
  input  logic [1:0]         cause_i,
  input  logic [Slots-1:0]   common_i,
  input  logic [TimeW-1:0]   late_i,
  input  logic [TimeW-1:0]   cleared_i,
  input  logic [InfoW-1:0]   info_i,
  output logic               valid_o,
  output logic               lost_o,
  output logic [KeyW-1:0]    key_o,
  output logic               first_o,
  output logic [PortW-1:0]   in_o,
  output logic [Ports-1:0]   outs_o,
  output logic [Ports-1:0]   hosts_o,
  output logic [Slots-1:0]   slots_o,
  output logic [Slots-1:0]   came_o,
  output logic [Ports-1:0]   accepted_o,
  output logic [Ports-1:0]   ended_o,
  output logic               withdrawing_o,
  output logic [WordW-1:0]   words_o,
  output logic               withdrawn_o,
  output logic [1:0]         cause_o,
  output logic [Slots-1:0]   common_o,
  output logic [TimeW-1:0]   late_o,
  output logic [TimeW-1:0]   cleared_o,
  output logic [InfoW-1:0]   info_o,
  output logic [Ports-1:0]   failed_o,
  output logic               told_all_o  ///< one teardown is left to be told
);

  if ((Ports < 2) || (Ports > 32)) $error("circuit_records: Ports must be 2..32");
  if ((Slots < 2) || (Slots > 256)) $error("circuit_records: Slots must be 2..256");
  if ((Circuits < 1) || (Circuits > 1024)) $error("circuit_records: Circuits must be 1..1024");
  if ((TimeW < 8) || (TimeW > 64)) $error("circuit_records: TimeW must be 8..64");

  localparam logic [1:0] NoSlots = 2'd0, Late = 2'd2;

  logic [Circuits-1:0] valid_q, lost_q;
  logic [KeyW-1:0]     key_q       [0:Circuits-1];
  logic                first_q     [0:Circuits-1];
  logic [PortW-1:0]    in_q        [0:Circuits-1];
  logic [Ports-1:0]    outs_q      [0:Circuits-1];
  logic [Ports-1:0]    hosts_q     [0:Circuits-1];
  logic [Slots-1:0]    slots_q     [0:Circuits-1];
  logic [Slots-1:0]    came_q      [0:Circuits-1];  // in which its words come
  logic [Ports-1:0]    accepted_q  [0:Circuits-1];
  logic [Ports-1:0]    ended_q     [0:Circuits-1];
  logic                withdraw_q  [0:Circuits-1];
  logic [WordW-1:0]    words_q     [0:Circuits-1];
  logic                withdrawn_q [0:Circuits-1];
  logic [1:0]          cause_q     [0:Circuits-1];
  logic [Slots-1:0]    common_q    [0:Circuits-1];
  logic [TimeW-1:0]    late_q      [0:Circuits-1];
  logic [TimeW-1:0]    cleared_q   [0:Circuits-1];  // of a lost circuit: out of effect
  logic [InfoW-1:0]    info_q      [0:Circuits-1];
  logic [Ports-1:0]    failed_q    [0:Circuits-1];
  logic [PortW:0]      untold_q    [0:Circuits-1];

  // Rank of a branch's teardown: another route helps against what is down, other slots against those that are taken,
  // and only then is time all that is missing.
  function [1:0] rank(input withdrawn, input [1:0] cause);
    begin
      if (withdrawn) rank = 2'd0;
      else if (cause == Late) rank = 2'd1;
      else if (cause == NoSlots) rank = 2'd2;
      else rank = 2'd3;
    end
  endfunction

  integer r;
  always_comb begin
    room_o    = 1'b0;
    room_at_o = '0;
    hit_o     = 1'b0;
    hit_at_o  = '0;
    for (r = Circuits - 1; r >= 0; r = r - 1) begin
      if (!valid_q[r]) begin
        room_o    = 1'b1;
        room_at_o = RecordW'(r);
      end
      if (valid_q[r] && (lost_q[r] == lost_i) && (key_q[r] == key_i)) begin
        hit_o    = 1'b1;
        hit_at_o = RecordW'(r);
      end
    end
  end

  assign scan_key_o = key_q[scan_i];
  assign crosses_o  = valid_q[scan_i] && !lost_q[scan_i] &&
                      (failed_i[in_q[scan_i]] || ((failed_i & outs_q[scan_i]) != '0));

  assign valid_o       = (32'(record_i) < Circuits) && valid_q[record_i];
  assign lost_o        = lost_q[record_i];
  assign key_o         = key_q[record_i];
  assign first_o       = first_q[record_i];
  assign in_o          = in_q[record_i];
  assign outs_o        = outs_q[record_i];
  assign hosts_o       = hosts_q[record_i];
  assign slots_o       = slots_q[record_i];
  assign came_o        = came_q[record_i];
  assign accepted_o    = accepted_q[record_i];
  assign ended_o       = ended_q[record_i];
  assign withdrawing_o = withdraw_q[record_i];
  assign words_o       = words_q[record_i];
  assign withdrawn_o   = withdrawn_q[record_i];
  assign cause_o       = cause_q[record_i];
  assign common_o      = common_q[record_i];
  assign late_o        = late_q[record_i];
  assign cleared_o     = cleared_q[record_i];
  assign info_o        = info_q[record_i];
  assign failed_o      = failed_q[record_i];
  assign told_all_o    = untold_q[record_i] == (PortW + 1)'(1);

  logic             alone;   // no branch has ended before
  logic             wins;    // the branch's teardown is that of the highest rank
  logic             merges;  // slots and lateness are those of both
  logic             later, longer, last;
  logic [Slots-1:0] kept;
  assign alone  = ended_o == '0;
  assign wins   = alone || (rank(withdrawn_i, cause_i) > rank(withdrawn_o, cause_o));
  assign merges = !alone && !(wins ? withdrawn_o : withdrawn_i);
  assign later  = alone || ($signed(cleared_i) > $signed(cleared_o));
  assign longer = $signed(late_i) > $signed(late_o);
  assign kept   = slots_o & ~slots_i;
  assign last   = (remove_i && (kept == '0)) || (told_i && told_all_o);

  always_ff @(posedge clk_i) begin
    if (install_i) begin
      key_q[record_i]       <= key_i;
      first_q[record_i]     <= first_i;
      in_q[record_i]        <= in_i;
      outs_q[record_i]      <= outs_i;
      hosts_q[record_i]     <= hosts_i;
      slots_q[record_i]     <= slots_i;
      came_q[record_i]      <= came_i;
      accepted_q[record_i]  <= '0;
      ended_q[record_i]     <= '0;
      withdraw_q[record_i]  <= 1'b0;
      untold_q[record_i]    <= '0;
    end
    if (accept_i) begin
      accepted_q[record_i] <= accepted_o | branch_i;
      if ((accepted_o == '0) || (words_i < words_o)) words_q[record_i] <= words_i;
    end
    if (end_i) begin
      ended_q[record_i]    <= ended_o | branch_i;
      withdraw_q[record_i] <= 1'b1;
      if (wins) begin
        withdrawn_q[record_i] <= withdrawn_i;
        cause_q[record_i]     <= cause_i;
        info_q[record_i]      <= info_i;
      end
      if (merges) common_q[record_i] <= common_i & common_o;
      else if (wins) common_q[record_i] <= common_i;
      if (merges ? longer : wins) late_q[record_i] <= late_i;
      if (later) cleared_q[record_i] <= cleared_i;
    end
    if (withdraw_i) withdraw_q[record_i] <= 1'b1;
    if (remove_i) slots_q[record_i] <= kept;
    if (lose_i) begin
      failed_q[record_i]  <= failed_i;
      cleared_q[record_i] <= cleared_i;
    end
    if (notice_i) untold_q[record_i] <= untold_q[record_i] + (PortW + 1)'(1);
    if (told_i) untold_q[record_i] <= untold_q[record_i] - (PortW + 1)'(1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      lost_q  <= '0;
    end else begin
      if (install_i) valid_q[record_i] <= 1'b1;
      if (install_i) lost_q[record_i] <= 1'b0;
      if (lose_i) lost_q[record_i] <= 1'b1;
      if (last) valid_q[record_i] <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  a_free:   assert property (@(posedge clk_i) disable iff (!rst_ni) install_i |-> !valid_o);
  a_one:    assert property (@(posedge clk_i) disable iff (!rst_ni) install_i |-> !(hit_o && !lost_i));
  a_used:   assert property (@(posedge clk_i) disable iff (!rst_ni)
                             accept_i || end_i || withdraw_i || remove_i || lose_i |-> valid_o && !lost_o);
  a_lost:   assert property (@(posedge clk_i) disable iff (!rst_ni) notice_i || told_i |-> valid_o && lost_o);
  a_held:   assert property (@(posedge clk_i) disable iff (!rst_ni)
                             remove_i |-> (slots_i != '0) && ((slots_i & ~slots_o) == '0));
  a_branch: assert property (@(posedge clk_i) disable iff (!rst_ni)
                             accept_i || end_i |-> (branch_i != '0) && ((branch_i & ~outs_o) == '0));
  a_apart:  assert property (@(posedge clk_i) disable iff (!rst_ni)
                             $onehot0({install_i, accept_i, end_i, withdraw_i, remove_i, lose_i, notice_i, told_i}));
`endif
`ifdef COVERAGE
  `include "circuit_records_cover.svh"
`endif
`ifdef FORMAL
  `include "circuit_records_formal.svh"
`endif
endmodule
