/// Data path of one FiC switch (FiC-SW): time-division-multiplexed circuit switching. Every input port has one register
/// per slot. In every cycle the word arriving on input i with slot label in_slot_i is stored in register (i, label),
/// and output o sends the word of the register that its entry of the slot table names for the current slot, or idles.
/// Several outputs may name one register (multicast). Source: FiC paper, sections II.B and III.F.
///
/// Timing     out_* is combinational in slot_i and shows the registers as they were before this cycle's write. So a word
///            that arrives in slot a and leaves in slot b stays ((b - a - 1) mod frame) + 1 cycles: a whole frame when
///            a == b. The links and SerDes after the outputs register the word. Table writes and swaps: slot_table.sv.
/// Corners    An idle input (in_valid_i low) empties the register of its label. An idle entry, an entry whose in_port is
///            not a port, or an empty register gives out_valid_o = 0 and a zero word.
/// Reset      table idle, all registers empty; the words are not reset.
/// Resources  words: per input a RAM of 2**SlotW words with one write port and Ports asynchronous read ports
///            (distributed RAM, one copy per output); Ports * 2**SlotW valid flip-flops; a multiplexer tree over the
///            inputs per output; the slot table. Figures in rtl/README.md.
/// Proven     rtl/tdm/tdm_switch_formal.svh.
module tdm_switch #(
  parameter int unsigned Ports = 5,    ///< ports of the switch, 1..64; port 0 is the host
  parameter int unsigned Slots = 32,   ///< largest frame, 2..256 slots
  parameter int unsigned Width = 340,  ///< payload bits of a link per cycle, 1 and up
  localparam int unsigned PortW  = (Ports > 1) ? $clog2(Ports) : 1,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned EntryW = 1 + PortW + SlotW  ///< {valid, in_port, in_slot}
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,       ///< active low, synchronous
  input  logic [SlotW-1:0]        slot_i,       ///< network-wide slot counter; 0 begins a frame
  input  logic [Ports-1:0]        in_valid_i,
  input  logic [Ports*Width-1:0]  in_word_i,
  input  logic [Ports*SlotW-1:0]  in_slot_i,    ///< label of the slot arriving on each input; slot_i for the host
  output logic [Ports-1:0]        out_valid_o,
  output logic [Ports*Width-1:0]  out_word_o,   ///< zero when not valid
  input  logic                    cfg_we_i,     ///< write a column of the shadow table
  input  logic [SlotW-1:0]        cfg_slot_i,
  input  logic [Ports*EntryW-1:0] cfg_column_i,
  input  logic                    swap_i,       ///< pulse: exchange the tables at the next frame boundary
  output logic                    swap_pending_o,
  output logic                    swapped_o     ///< first cycle (slot 0) of the new table
);

  // Parameters out of range are refused at elaboration, those of the table there.
  if (Width < 1) $error("tdm_switch: Width must be 1 or more");

  localparam int unsigned Depth  = 2 ** SlotW;
  localparam int unsigned Leaves = 2 ** PortW;

  logic [Ports*EntryW-1:0] column;

  slot_table #(
    .Ports(Ports),
    .Slots(Slots)
  ) u_table (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .slot_i        (slot_i),
    .cfg_we_i      (cfg_we_i),
    .cfg_slot_i    (cfg_slot_i),
    .cfg_column_i  (cfg_column_i),
    .swap_i        (swap_i),
    .swap_pending_o(swap_pending_o),
    .swapped_o     (swapped_o),
    .column_o      (column)
  );

  for (genvar i = 0; i < Ports; i = i + 1) begin : gen_input
    logic [Width-1:0] mem_q [0:Depth-1];
    logic [Depth-1:0] valid_q;
    /* verilator tracing_off */ logic [SlotW-1:0] label; /* verilator tracing_on */  // in_slot_i again

    assign label = in_slot_i[i*SlotW +: SlotW];

    always_ff @(posedge clk_i) begin
      if (in_valid_i[i]) mem_q[label] <= in_word_i[i*Width +: Width];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= '0;
      else         valid_q[label] <= in_valid_i[i];
    end
  end

  for (genvar o = 0; o < Ports; o = o + 1) begin : gen_output
    logic             from_valid;
    logic [PortW-1:0] from_port;
    logic [SlotW-1:0] from_slot;
    assign {from_valid, from_port, from_slot} = column[o*EntryW +: EntryW];

    // No waves of the tree, which shows registers again and would be half of a waveform.
    // verilator tracing_off

    // Binary multiplexer tree over the inputs: node 1 is the root, nodes Leaves and up are the inputs.
    for (genvar k = 2 * Leaves - 1; k > 0; k = k - 1) begin : gen_node
      logic             valid;
      logic [Width-1:0] word;
      if (k >= Leaves + Ports) begin : gen_none
        assign valid = 1'b0;
        assign word  = '0;
      end else if (k >= Leaves) begin : gen_leaf
        assign valid = gen_input[k-Leaves].valid_q[from_slot];
        assign word  = gen_input[k-Leaves].mem_q[from_slot];
      end else begin : gen_mux
        localparam int unsigned SelectBit = PortW - $clog2(k + 1);
        assign valid = from_port[SelectBit] ? gen_node[2*k+1].valid : gen_node[2*k].valid;
        assign word  = from_port[SelectBit] ? gen_node[2*k+1].word : gen_node[2*k].word;
      end
    end


    // verilator tracing_on

    assign out_valid_o[o]                = from_valid && gen_node[1].valid;
    assign out_word_o[o*Width +: Width] = out_valid_o[o] ? gen_node[1].word : '0;
  end

`ifndef SYNTHESIS
  for (genvar o = 0; o < Ports; o = o + 1) begin : gen_check
    a_named: assert property (@(posedge clk_i) disable iff (!rst_ni)
                              out_valid_o[o] |-> column[o*EntryW + EntryW - 1]);
    a_quiet: assert property (@(posedge clk_i) disable iff (!rst_ni)
                              !out_valid_o[o] |-> (out_word_o[o*Width +: Width] == '0));
  end
`endif
`ifdef FORMAL
  `include "tdm_switch_formal.svh"
`endif
`ifdef COVERAGE
  `include "tdm_switch_cover.svh"
`endif
endmodule
