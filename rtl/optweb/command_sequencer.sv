/// Command sequencer of an OPTWEB node: executes stored instructions strictly one after the other - fetch, dispatch to
/// the functional units, wait until all of them are done, next. C++ twin: sc_models/algorithms/optweb/command_sequencer.h, bit
/// exact. Source: OPTWEB paper (Mizutani et al., IEEE Trans. Computers 70(6), 2021), section 3.2.2 and Figure 6.
///
/// Program    the memory is a ring of Depth entries. The host writes entries (cfg_*), then rings the doorbell with their
///            number; they are executed in the order of their places, so a program of any length passes through.
///            free_o entries may be handed over; a doorbell for more does not count (doorbell_ok_o stays low).
/// Opcodes    0 barrier, 1 send, 2 recv, 3 sendrecv, 4 scatter, 5 gather, 6 broadcast, 7 alltoall, 8 allgather,
///            9 reduce, 10 allreduce, 11 reduce_scatter, 12 fence, 13 compute.
/// Units      bit 0 control register of the distributed switch, bit 1 dispatcher of M_DMAC, bit 2 user logic and
///            changeover switch. A barrier goes to the switch alone, a fence to M_DMAC, compute to the user logic, all
///            others to switch and M_DMAC.
/// Timing     last done in cycle t, or doorbell in cycle t when idle: fetch in t+1, decode in t+2, issue_o from t+3 on.
///            A bit of issue_o stays until its unit is ready; the fields hold until the next decode. A unit is done
///            after the cycle in which it accepted, at the earliest. elapsed_o counts from the fetch to the last done,
///            both included. completed_o, elapsed_o, illegal_o, stray_o, doorbell_ok_o are combinational.
/// Time       is an input, not a counter inside: a sequencer that waits has nothing to clock.
/// Corners    an opcode above 13, or an entry not written since reset, stops the sequencer: illegal_o for one cycle,
///            then idle, and all that was handed over is forgotten, a doorbell of this cycle included. A done of a unit
///            that runs nothing is without effect and shows in stray_o. An entry written in the cycle of its fetch is
///            fetched as it was. Depth need not be a power of two; writes at Depth and above are ignored.
/// Reset      idle, nothing handed over, next entry 0, no entry written. Only one bit per entry is reset, so the memory
///            fits block RAM (one write port, one synchronous read port).
/// Resources  Depth + 2 * InstrW + 2 * $clog2(Depth) + TimeW + 10 flip-flops or so, and the RAM; figures in
///            docs/optweb_rtl.md.
/// Proven     rtl/optweb/command_sequencer_formal.svh.
module command_sequencer #(
  parameter int unsigned Depth  = 256,  ///< entries of the instruction memory, 2..4096
  parameter int unsigned AddrW  = 33,   ///< bits of addresses and sizes
  parameter int unsigned NodeW  = 10,   ///< bits of a node's number
  parameter int unsigned GroupW = 8,    ///< bits of a group's number
  parameter int unsigned FlagsW = 8,    ///< bits that are handed to the units as they are
  parameter int unsigned TimeW  = 32,   ///< bits of the time
  localparam int unsigned EntryW = $clog2(Depth),
  localparam int unsigned CountW = $clog2(Depth + 1),
  /// {flags, group, destination, source, size, receive address, send address, opcode}
  localparam int unsigned InstrW = 4 + 3 * AddrW + 2 * NodeW + GroupW + FlagsW
) (
  input  logic              clk_i,
  input  logic              rst_ni,         ///< active low, synchronous
  // Host.
  input  logic              cfg_we_i,       ///< write an entry
  input  logic [EntryW-1:0] cfg_index_i,
  input  logic [InstrW-1:0] cfg_instr_i,
  input  logic              doorbell_i,     ///< so many more entries are to be executed
  input  logic [CountW-1:0] doorbell_count_i,
  output logic              doorbell_ok_o,  ///< the doorbell of this cycle counts
  output logic [CountW-1:0] free_o,         ///< entries that may be handed over
  output logic [EntryW-1:0] entry_o,        ///< next to be fetched
  output logic              idle_o,
  input  logic [TimeW-1:0]  time_i,         ///< cycle counter
  // Functional units.
  output logic [2:0]        issue_o,        ///< units the instruction is offered to
  input  logic [2:0]        ready_i,        ///< with issue_o: the unit accepts it in this cycle
  input  logic [2:0]        done_i,         ///< the unit has completed it
  output logic [3:0]        opcode_o,
  output logic [AddrW-1:0]  send_address_o,
  output logic [AddrW-1:0]  receive_address_o,
  output logic [AddrW-1:0]  size_o,
  output logic [NodeW-1:0]  source_o,
  output logic [NodeW-1:0]  destination_o,
  output logic [GroupW-1:0] group_o,
  output logic [FlagsW-1:0] flags_o,
  // What happens in this cycle.
  output logic              completed_o,    ///< the instruction is complete
  output logic [TimeW-1:0]  elapsed_o,      ///< its cycles, 0 unless completed_o
  output logic              illegal_o,      ///< the instruction does not exist
  output logic [2:0]        stray_o         ///< done without anything to complete
);

  // Parameters out of range are refused at elaboration.
  if ((Depth < 2) || (Depth > 4096)) $error("command_sequencer: Depth must be 2..4096");
  if (AddrW < 1) $error("command_sequencer: AddrW must be 1 or more");
  if (NodeW < 1) $error("command_sequencer: NodeW must be 1 or more");
  if (GroupW < 1) $error("command_sequencer: GroupW must be 1 or more");
  if (FlagsW < 1) $error("command_sequencer: FlagsW must be 1 or more");
  if (TimeW < 1) $error("command_sequencer: TimeW must be 1 or more");

  localparam logic [3:0] Barrier = 4'd0;
  localparam logic [3:0] Fence   = 4'd12;
  localparam logic [3:0] Compute = 4'd13;

  typedef enum logic [1:0] {Idle, Fetch, Decode, Run} state_e;

  logic [InstrW-1:0] mem_q [0:Depth-1];
  logic [Depth-1:0]  written_q;
  state_e            state_q;
  logic [EntryW-1:0] entry_q;
  logic [CountW-1:0] count_q;    // handed over, not yet fetched
  logic [InstrW-1:0] fetched_q;  // output register of the memory
  logic              fetched_written_q;
  logic [InstrW-1:0] instr_q;    // in hand
  logic [2:0]        waiting_q;  // units that have not accepted it
  logic [2:0]        running_q;  // units that have accepted it and are not done
  logic [TimeW-1:0]  begun_q;

  // Host side.
  logic [CountW-1:0] handed_over;
  logic              write;
  assign free_o        = CountW'(Depth) - count_q;
  assign doorbell_ok_o = doorbell_i && rst_ni && !illegal_o && (doorbell_count_i <= free_o);
  assign handed_over   = count_q + (doorbell_ok_o ? doorbell_count_i : '0);
  assign write         = cfg_we_i && rst_ni && (32'(cfg_index_i) < Depth);

  // Decoder.
  logic [3:0] opcode;
  logic [2:0] units;
  assign opcode    = fetched_q[3:0];
  assign illegal_o = (state_q == Decode) && rst_ni && (!fetched_written_q || (opcode > Compute));
  always_comb begin
    case (opcode)
      Barrier: units = 3'b001;
      Fence:   units = 3'b010;
      Compute: units = 3'b100;
      default: units = 3'b011;
    endcase
  end

  // Units.
  logic [2:0] waiting_d;
  logic [2:0] running_d;
  assign waiting_d   = waiting_q & ~ready_i;
  assign running_d   = (running_q & ~done_i) | (waiting_q & ready_i);
  assign completed_o = (state_q == Run) && rst_ni && (waiting_d == '0) && (running_d == '0);
  assign elapsed_o   = completed_o ? time_i - begun_q + TimeW'(1) : '0;
  assign stray_o     = rst_ni ? done_i & ~running_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      entry_q   <= '0;
      count_q   <= '0;
      waiting_q <= '0;
      running_q <= '0;
    end else begin
      count_q   <= handed_over;
      waiting_q <= waiting_d;
      running_q <= running_d;
      unique case (state_q)
        Idle: if (handed_over != '0) state_q <= Fetch;
        Fetch: begin
          entry_q <= (32'(entry_q) == Depth - 1) ? '0 : entry_q + EntryW'(1);
          count_q <= handed_over - CountW'(1);
          state_q <= Decode;
        end
        Decode: begin
          if (illegal_o) begin
            count_q <= '0;
            state_q <= Idle;
          end else begin
            waiting_q <= units;
            state_q   <= Run;
          end
        end
        Run: if (completed_o) state_q <= (handed_over != '0) ? Fetch : Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) mem_q[cfg_index_i] <= cfg_instr_i;
    if (state_q == Fetch) begin
      fetched_q         <= mem_q[entry_q];
      fetched_written_q <= written_q[entry_q];
      begun_q           <= time_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= '0;
    else if (write) written_q[cfg_index_i] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) instr_q <= '0;
    else if ((state_q == Decode) && !illegal_o) instr_q <= fetched_q;
  end

  assign idle_o  = state_q == Idle;
  assign entry_o = entry_q;
  assign issue_o = waiting_q;
  assign {flags_o, group_o, destination_o, source_o, size_o, receive_address_o, send_address_o, opcode_o} = instr_q;

`ifndef SYNTHESIS
  a_wait:      assert property (@(posedge clk_i) disable iff (!rst_ni) (state_q != Run) |->
                                (waiting_q == '0) && (running_q == '0));
  a_busy:      assert property (@(posedge clk_i) disable iff (!rst_ni) (state_q == Run) |->
                                (waiting_q | running_q) != '0);
  a_one_place: assert property (@(posedge clk_i) disable iff (!rst_ni) (waiting_q & running_q) == '0);
  a_fetch:     assert property (@(posedge clk_i) disable iff (!rst_ni) (state_q == Fetch) |-> count_q != '0);
  a_room:      assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(count_q) <= Depth);
`endif
`ifdef FORMAL
  `include "command_sequencer_formal.svh"
`endif
`ifdef COVERAGE
  `include "command_sequencer_cover.svh"
`endif
endmodule
