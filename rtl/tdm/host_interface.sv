/// Host interface of a FiC node: sends the words of its messages in the slots of their circuits, and hands the words that
/// arrive to the circuit whose slot they came in. Two slot tables say which circuit has a slot of a link, towards the switch
/// and from it. C++ twin: sc_models/fabrics/tdm/host_interface.h. Source: FiC paper, sections II.B and III.D; queues and the
/// mark of a message's last word are (ours).
///
/// Sending    each circuit has a queue of messages (message_queue.sv). In the cycle of a slot, link l sends the next word of the
///            circuit that the injection table names for (l, slot); without a message the slot stays idle. The words of a
///            message take the successive slots of its circuit, messages go one after the other.
/// Words      out_index_o names the word in its message; its bits are asked for in the same cycle (data_i) and leave on out_word_o.
///            A message whose memory answers later reads ahead. out_last_o travels with the word as its mark: the data path of
///            the switches has Width + 1 bits then.
/// Receiving  a word that arrives with slot label in_slot_i belongs to the circuit that the ejection table names for its link
///            and label. It is handed out in the same cycle with its number in its message, counted from the mark before; there
///            is no back-pressure, as a circuit cannot be stalled. A word in a slot of no circuit is a stray: rx_stray_o.
/// Numbers    circuits have numbers 0..Circuits-1, one set for sending and another one for receiving, given by who writes the
///            tables. An entry of a table is {valid, circuit}; one with a number beyond Circuits is as one that is not valid.
/// Timing     out_* and rx_* are combinational in slot_i, in_*, msg_* and data_i: a message that comes in a cycle whose slot is its
///            circuit's has its first word on the link in that cycle. Tables: slot_table.sv, both written with one cfg_we_i; that
///            of ejection changes over in the cycle of label 0. With swap_i in the last slot of a frame each word is looked up in
///            the table of its frame, if words arrive less than a frame after they left the switch. No column may be written
///            while swap_pending_o.
/// Corners    a message that is under way when the tables change goes on in the slots that its number has then. In one cycle a
///            circuit may be named for one link only, in either table: words would lose their order.
/// Reset      tables idle, queues empty, the next word of every circuit is a first one.
/// Resources  two slot_table with one port per link, a message_queue per circuit, SizeW flip-flops per circuit; sizes in
///            docs/fic_host_rtl.md.
/// Proven     rtl/tdm/host_interface_formal.svh, message_queue_formal.svh, slot_table_formal.svh.
module host_interface #(
  parameter int unsigned Links = 1,      ///< links of the node, 1..8
  parameter int unsigned Slots = 32,     ///< largest frame, 2..256 slots
  parameter int unsigned Circuits = 16,  ///< numbers of circuits in each direction, 1..256, at most Links * Slots
  parameter int unsigned Messages = 2,   ///< messages that wait per circuit, the one under way included, 1..256
  parameter int unsigned SizeW = 16,     ///< bits of the index of a word: messages have at most 2**SizeW words, 1..32
  parameter int unsigned Width = 340,    ///< payload bits of a link per cycle, 1 and up
  localparam int unsigned LinkW    = (Links > 1) ? $clog2(Links) : 1,
  localparam int unsigned SlotW    = $clog2(Slots),
  localparam int unsigned CircuitW = LinkW + SlotW,
  localparam int unsigned EntryW   = 1 + CircuitW  ///< {valid, circuit}
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,         ///< active low, synchronous
  input  logic [SlotW-1:0]          slot_i,         ///< network-wide slot counter; 0 begins a frame
  input  logic [Circuits-1:0]       msg_valid_i,    ///< per circuit: a message comes; it enters when msg_ready_o
  input  logic [Circuits*SizeW-1:0] msg_last_i,     ///< its words less one
  output logic [Circuits-1:0]       msg_ready_o,
  output logic [Links-1:0]          out_valid_o,    ///< per link: a word leaves in this slot
  output logic [Links*CircuitW-1:0] out_circuit_o,  ///< of this circuit; these are zero when not valid
  output logic [Links*SizeW-1:0]    out_index_o,    ///< number of the word in its message, from 0
  output logic [Links-1:0]          out_first_o,
  output logic [Links-1:0]          out_last_o,     ///< last word of its message; goes along with the word
  input  logic [Links*Width-1:0]    data_i,         ///< bits of the word named by out_circuit_o and out_index_o
  output logic [Links*Width-1:0]    out_word_o,     ///< zero when not valid
  input  logic [SlotW-1:0]          in_slot_i,      ///< label of the slot that arrives
  input  logic [Links-1:0]          in_valid_i,
  input  logic [Links-1:0]          in_last_i,
  input  logic [Links*Width-1:0]    in_word_i,
  output logic [Links-1:0]          rx_valid_o,     ///< per link: a word for this circuit; all zero when not valid
  output logic [Links*CircuitW-1:0] rx_circuit_o,
  output logic [Links*SizeW-1:0]    rx_index_o,
  output logic [Links-1:0]          rx_first_o,
  output logic [Links-1:0]          rx_last_o,      ///< its message is complete
  output logic [Links*Width-1:0]    rx_word_o,
  output logic [Links-1:0]          rx_stray_o,     ///< a word in a slot that no circuit has
  input  logic                      cfg_we_i,       ///< write a column of both shadow tables
  input  logic [SlotW-1:0]          cfg_slot_i,
  input  logic [Links*EntryW-1:0]   cfg_out_i,      ///< injection: entry of link l at [l*EntryW +: EntryW]
  input  logic [Links*EntryW-1:0]   cfg_in_i,       ///< ejection
  input  logic                      swap_i,         ///< pulse: exchange the tables at the next frame boundary
  output logic                      swap_pending_o,
  output logic                      swapped_o,      ///< first cycle (slot 0) of the new table of injection
  output logic                      in_swapped_o    ///< first cycle (label 0) of the new table of ejection
);

  // Parameters out of range are refused at elaboration, those of the tables and queues there.
  if ((Links < 1) || (Links > 8)) $error("host_interface: Links must be 1..8");
  if ((Circuits < 1) || (Circuits > 256)) $error("host_interface: Circuits must be 1..256");
  if (Circuits > Links * Slots) $error("host_interface: Circuits must be at most Links * Slots");
  if (Width < 1) $error("host_interface: Width must be 1 or more");

  logic [Links*EntryW-1:0] column_out;
  logic [Links*EntryW-1:0] column_in;
  logic                    out_pending;
  logic                    in_pending;

  assign swap_pending_o = out_pending || in_pending;

  slot_table #(
    .Ports(Links),
    .Slots(Slots)
  ) u_injection (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .slot_i        (slot_i),
    .cfg_we_i      (cfg_we_i),
    .cfg_slot_i    (cfg_slot_i),
    .cfg_column_i  (cfg_out_i),
    .swap_i        (swap_i),
    .swap_pending_o(out_pending),
    .swapped_o     (swapped_o),
    .column_o      (column_out)
  );

  slot_table #(
    .Ports(Links),
    .Slots(Slots)
  ) u_ejection (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .slot_i        (in_slot_i),
    .cfg_we_i      (cfg_we_i),
    .cfg_slot_i    (cfg_slot_i),
    .cfg_column_i  (cfg_in_i),
    .swap_i        (swap_i),
    .swap_pending_o(in_pending),
    .swapped_o     (in_swapped_o),
    .column_o      (column_in)
  );

  // Links that a circuit is named for in this cycle, and what its queue shows.
  logic [Circuits*Links-1:0] named_out;
  logic [Circuits*Links-1:0] named_in;
  logic [Circuits-1:0]       head_valid;
  logic [Circuits-1:0]       head_first;
  logic [Circuits-1:0]       head_last;
  logic [Circuits*SizeW-1:0] head_index;
  logic [Circuits*SizeW-1:0] got_q;  // words of the message that arrives, so far

  for (genvar c = 0; c < Circuits; c = c + 1) begin : gen_circuit
    logic             arrives;
    logic             ends;
    logic [SizeW-1:0] next;

    message_queue #(
      .Messages(Messages),
      .SizeW   (SizeW)
    ) u_queue (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .msg_valid_i(msg_valid_i[c]),
      .msg_last_i (msg_last_i[c*SizeW +: SizeW]),
      .msg_ready_o(msg_ready_o[c]),
      .take_i     (|named_out[c*Links +: Links]),
      .valid_o    (head_valid[c]),
      .index_o    (head_index[c*SizeW +: SizeW]),
      .first_o    (head_first[c]),
      .last_o     (head_last[c])
    );

    for (genvar l = 0; l < Links; l = l + 1) begin : gen_named
      assign named_out[c*Links + l] = column_out[l*EntryW +: EntryW] == {1'b1, CircuitW'(c)};
      assign named_in[c*Links + l]  = column_in[l*EntryW +: EntryW] == {1'b1, CircuitW'(c)};
    end

    assign arrives = |(named_in[c*Links +: Links] & in_valid_i);
    assign ends    = |(named_in[c*Links +: Links] & in_valid_i & in_last_i);
    assign next    = got_q[c*SizeW +: SizeW] + SizeW'(1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      got_q[c*SizeW +: SizeW] <= '0;
      else if (arrives) got_q[c*SizeW +: SizeW] <= ends ? '0 : next;
    end

`ifndef SYNTHESIS
    // Immediate, since clocked properties keep copies of what they read, here of all circuits.
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        a_one_out: assert ($onehot0(named_out[c*Links +: Links]));
        a_one_in:  assert ($onehot0(named_in[c*Links +: Links]));
        a_length:  assert (!arrives || ends || (next != '0));
      end
    end
`endif
  end

  for (genvar l = 0; l < Links; l = l + 1) begin : gen_link
    logic             sends;
    logic             first;
    logic             last;
    logic [SizeW-1:0] index;
    logic             takes;
    logic [SizeW-1:0] got;

    always_comb begin
      sends = 1'b0;
      first = 1'b0;
      last  = 1'b0;
      index = '0;
      takes = 1'b0;
      got   = '0;
      for (int unsigned c = 0; c < Circuits; c = c + 1) begin
        if (named_out[c*Links + l]) begin
          sends = sends | head_valid[c];
          first = first | head_first[c];
          last  = last | head_last[c];
          index = index | head_index[c*SizeW +: SizeW];
        end
        if (named_in[c*Links + l]) begin
          takes = takes | in_valid_i[l];
          got   = got | got_q[c*SizeW +: SizeW];
        end
      end
    end

    assign out_valid_o[l]                           = sends;
    assign out_first_o[l]                           = first;
    assign out_last_o[l]                            = last;
    assign out_index_o[l*SizeW +: SizeW]            = sends ? index : '0;
    assign out_circuit_o[l*CircuitW +: CircuitW]    = sends ? column_out[l*EntryW +: CircuitW] : '0;
    assign out_word_o[l*Width +: Width]             = sends ? data_i[l*Width +: Width] : '0;
    assign rx_valid_o[l]                            = takes;
    assign rx_first_o[l]                            = takes && (got == '0);
    assign rx_last_o[l]                             = takes && in_last_i[l];
    assign rx_index_o[l*SizeW +: SizeW]             = takes ? got : '0;
    assign rx_circuit_o[l*CircuitW +: CircuitW]     = takes ? column_in[l*EntryW +: CircuitW] : '0;
    assign rx_word_o[l*Width +: Width]              = takes ? in_word_i[l*Width +: Width] : '0;
    assign rx_stray_o[l]                            = in_valid_i[l] && !takes;
  end

`ifndef SYNTHESIS
  a_write: assert property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i |-> !swap_pending_o);
`endif
`ifdef FORMAL
  `include "host_interface_formal.svh"
`endif
`ifdef COVERAGE
  `include "host_interface_cover.svh"
`endif
endmodule
