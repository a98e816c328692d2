/// Control of the distributed switch of an OPTWEB node: the control register with the paths of an instruction, the gate of a
/// rendezvous, the notifications that are awaited, the word counters of both sides, and the settings of distributors and
/// switches. Data pass beside it: it says which word goes where, and when everything has passed. C++ twin:
/// sc_models/algorithms/optweb/control/switch_control.h, bit exact. Source: OPTWEB paper (Mizutani et al., IEEE Trans. Computers
/// 70(6), 2021), section 3.2.1, section 3.3 and Figures 4 and 6.
///
/// Ports      a node has a reader R#i, a writer W#i and a link i for each other node; own_i is the port of the node itself,
///            from the sending to the receiving side.
/// Control    write_i stores an instruction: which outputs send the words of which reader, which inputs receive words for
///            which writer, how many words each, whom a barrier has. set_i, in a later cycle, sets its paths; clear_i ends
///            it. A stream or receipt of no words is none. write_i while one is held is refused (refused_o).
/// Notify     notify_o in the cycle of set_i: the nodes of a barrier, or in a rendezvous the sources, which may send.
///            confirm_o in the cycle in which the last word is counted: the sources again.
/// Await      from each node of a barrier and each receiver one notification, in a rendezvous two: the first one says that
///            the receiver is ready. Those that come before their instruction are kept, up to 3 for each port; a fourth is
///            lost (lost_o). noted_o: the last one has come.
/// Gate       open_o: all receivers are ready. pass_o[r]: words of R#r may pass. The others are held back outside.
/// Words      StepW bits for each reader and link: 0 or 1 in a node whose words pass one by one; wider where several are told
///            at once. words_o: what leaves by each output, a copy for each output of a reader (the distributor). sent_o and
///            received_o: the last words have passed.
/// Timing     everything that a cycle brings is seen in that cycle: all outputs but holds_o and set_o are combinational in it.
///            Latencies of the switch (setup, report, gate, counter) are registers in front and behind.
/// Corners    set_i without an instruction, or a second one, has no effect, nor has clear_i without one. Words beyond those
///            expected do not count (excess_o). clear_i ends an instruction in any state, what this cycle brings included;
///            cut_o: something was missing. Numbers of readers and writers must be below Ports.
/// Reset      nothing held, nothing awaited, no early notification. The fields of the control register are not reset.
/// Resources  Ports * (2 * (WordW + PortW) + 9) + 3 flip-flops; figures in docs/optweb_rtl.md.
/// Proven     rtl/optweb/switch_control_formal.svh.
module switch_control #(
  parameter int unsigned Ports = 8,   ///< readers, writers, and links with the way to the node itself, 2..128
  parameter int unsigned WordW = 32,  ///< bits of word counts, 1..40
  parameter int unsigned StepW = 1,   ///< bits of the words that pass in a cycle, 1..WordW
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,           ///< active low, synchronous
  input  logic [Ports-1:0]       own_i,            ///< the port of the node itself, one bit; constant
  // Control register.
  input  logic                   write_i,
  input  logic                   rendezvous_i,
  input  logic [Ports-1:0]       barrier_i,        ///< nodes of a barrier
  input  logic [Ports-1:0]       send_i,           ///< outputs by which words leave
  input  logic [Ports*PortW-1:0] reader_i,         ///< of each of them
  input  logic [Ports*WordW-1:0] send_words_i,
  input  logic [Ports-1:0]       receive_i,        ///< inputs from which words are expected
  input  logic [Ports*PortW-1:0] writer_i,         ///< of each of them
  input  logic [Ports*WordW-1:0] receive_words_i,
  input  logic                   set_i,            ///< the paths are set
  input  logic                   clear_i,          ///< the instruction is over
  output logic                   refused_o,
  output logic                   holds_o,          ///< an instruction is in the register
  output logic                   set_o,            ///< its paths are set
  output logic                   cut_o,            ///< cleared before everything has passed
  // Notifications.
  input  logic [Ports-1:0]       notified_i,       ///< one has been registered
  output logic [Ports-1:0]       notify_o,         ///< to be sent, before data
  output logic [Ports-1:0]       confirm_o,        ///< to be sent, behind data
  output logic [Ports-1:0]       awaited_o,        ///< at least one more is awaited
  output logic [Ports-1:0]       unready_o,        ///< receivers that hold the gate shut
  output logic                   noted_o,
  output logic [Ports-1:0]       lost_o,
  // Sending side.
  input  logic [Ports*StepW-1:0] read_words_i,     ///< words of each reader in this cycle
  output logic                   open_o,           ///< the gate
  output logic [Ports-1:0]       pass_o,           ///< readers whose words pass
  output logic [Ports-1:0]       joined_o,         ///< outputs that are joined to a distributor at the end of the cycle
  output logic [Ports*PortW-1:0] select_o,         ///< its number, 0 when it is joined to none
  output logic [Ports*StepW-1:0] words_o,          ///< words that leave by each output
  output logic                   sent_o,
  // Receiving side.
  input  logic [Ports*StepW-1:0] link_words_i,     ///< words of each link that are counted in this cycle
  output logic [Ports-1:0]       taken_o,          ///< inputs that are joined to a writer at the end of the cycle
  output logic [Ports*PortW-1:0] writer_o,         ///< its number, 0 when it is joined to none
  output logic                   received_o,
  output logic [2*Ports-1:0]     excess_o          ///< more words than expected: outputs, then inputs
);

  // Parameters out of range are refused at elaboration.
  if ((Ports < 2) || (Ports > 128)) $error("switch_control: Ports must be 2..128");
  if ((WordW < 1) || (WordW > 40)) $error("switch_control: WordW must be 1..40");
  if ((StepW < 1) || (StepW > WordW)) $error("switch_control: StepW must be 1..WordW");

  logic             holds_q;
  logic             set_q;
  logic             rendezvous_q;
  logic [Ports-1:0] barrier_q;
  logic [Ports-1:0] send_q;
  logic [Ports-1:0] receive_q;

  logic write;
  logic set;
  logic clear;
  logic active;
  assign refused_o = write_i && holds_q && rst_ni;
  assign write     = write_i && !holds_q && rst_ni;
  assign set       = set_i && holds_q && !set_q && rst_ni;
  assign clear     = clear_i && holds_q;
  assign active    = (set || set_q) && rst_ni;
  assign holds_o   = holds_q;
  assign set_o     = set_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      holds_q <= 1'b0;
      set_q   <= 1'b0;
    end else begin
      holds_q <= holds_q || write;
      set_q   <= set_q || set;
    end
  end
  always_ff @(posedge clk_i) begin
    if (write) begin
      rendezvous_q <= rendezvous_i;
      barrier_q    <= barrier_i;
    end
  end

  logic [Ports-1:0] awaits;    // before the notifications of this cycle
  logic [Ports-1:0] sending;   // before the words of this cycle
  logic [Ports-1:0] taking;
  logic [Ports-1:0] flowing;   // outputs whose words pass
  assign notify_o   = set ? (barrier_q | (rendezvous_q ? receive_q & ~own_i : '0)) : '0;
  assign noted_o    = (awaits != '0) && (awaited_o == '0);
  assign open_o     = active && (unready_o == '0);
  assign flowing    = open_o ? sending : '0;
  assign sent_o     = (sending != '0) && (joined_o == '0);
  assign received_o = (taking != '0) && (taken_o == '0);
  assign confirm_o  = received_o ? receive_q & ~own_i : '0;
  assign cut_o      = clear && rst_ni && (!active || ((awaited_o | joined_o | taken_o) != '0));

  logic [Ports-1:0] reader_bit [Ports];  // of each output whose words pass: its reader as one bit
  always_comb begin
    pass_o = '0;
    for (int unsigned p = 0; p < Ports; p++) pass_o = pass_o | reader_bit[p];
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // Notifications.
    logic [1:0] notes_q;
    logic [1:0] early_q;
    logic [1:0] planned;
    logic [1:0] notes;
    logic [1:0] come;
    logic [1:0] used;
    logic [1:0] notes_d;
    assign planned = barrier_q[p] ? 2'd1 : (send_q[p] && !own_i[p]) ? (rendezvous_q ? 2'd2 : 2'd1) : 2'd0;
    assign notes   = !active ? 2'd0 : set ? planned : notes_q;
    assign come    = lost_o[p] ? early_q : early_q + 2'(notified_i[p]);
    assign used    = (come > notes) ? notes : come;
    assign notes_d = notes - used;
    assign awaits[p]    = notes != '0;
    assign awaited_o[p] = notes_d != '0;
    assign unready_o[p] = notes_d == 2'd2;
    assign lost_o[p]    = notified_i[p] && (early_q == 2'd3) && rst_ni;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) notes_q <= '0;
      else notes_q <= notes_d;
      if (!rst_ni) early_q <= '0;
      else early_q <= come - used;
    end

    // Sending side: distributor, N x 1 switch, word counter.
    logic [PortW-1:0] reader_q;
    logic [WordW-1:0] send_left_q;
    logic [WordW-1:0] send_left_d;
    logic             joined_q;
    logic [StepW-1:0] read_words;
    assign sending[p]    = active && (set ? send_q[p] : joined_q);
    assign reader_bit[p] = flowing[p] ? Ports'(1) << reader_q : '0;
    assign read_words    = flowing[p] ? read_words_i[reader_q*StepW +: StepW] : '0;
    assign excess_o[p]   = WordW'(read_words) > send_left_q;
    assign words_o[p*StepW +: StepW] = excess_o[p] ? StepW'(send_left_q) : read_words;
    assign send_left_d   = send_left_q - WordW'(words_o[p*StepW +: StepW]);
    assign joined_o[p]   = sending[p] && (send_left_d != '0);
    assign select_o[p*PortW +: PortW] = joined_o[p] ? reader_q : '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) joined_q <= 1'b0;
      else joined_q <= joined_o[p];
      if (write) begin
        send_q[p]   <= send_i[p] && (send_words_i[p*WordW +: WordW] != '0);
        reader_q    <= reader_i[p*PortW +: PortW];
        send_left_q <= send_words_i[p*WordW +: WordW];
      end else if (sending[p]) begin
        send_left_q <= send_left_d;
      end
    end

    // Receiving side: N x N switch, word counter.
    logic [PortW-1:0] writer_q;
    logic [WordW-1:0] receive_left_q;
    logic [WordW-1:0] receive_left_d;
    logic             taken_q;
    logic [WordW-1:0] link_words;
    assign taking[p]         = active && (set ? receive_q[p] : taken_q);
    assign link_words        = WordW'(link_words_i[p*StepW +: StepW]);
    assign excess_o[Ports+p] = rst_ni && (link_words > (taking[p] ? receive_left_q : '0));
    assign receive_left_d    = excess_o[Ports+p] ? '0 : receive_left_q - link_words;
    assign taken_o[p]        = taking[p] && (receive_left_d != '0);
    assign writer_o[p*PortW +: PortW] = taken_o[p] ? writer_q : '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) taken_q <= 1'b0;
      else taken_q <= taken_o[p];
      if (write) begin
        receive_q[p]   <= receive_i[p] && (receive_words_i[p*WordW +: WordW] != '0);
        writer_q       <= writer_i[p*PortW +: PortW];
        receive_left_q <= receive_words_i[p*WordW +: WordW];
      end else if (taking[p]) begin
        receive_left_q <= receive_left_d;
      end
    end
  end

`ifndef SYNTHESIS
  a_set:    assert property (@(posedge clk_i) disable iff (!rst_ni) set_q |-> holds_q);
  a_joined: assert property (@(posedge clk_i) disable iff (!rst_ni) (joined_o & ~send_q) == '0);
  a_taken:  assert property (@(posedge clk_i) disable iff (!rst_ni) (taken_o & ~receive_q) == '0);
  a_shut:   assert property (@(posedge clk_i) disable iff (!rst_ni) (unready_o != '0) |-> (words_o == '0));
  a_clear:  assert property (@(posedge clk_i) disable iff (!rst_ni) $past(rst_ni && clear_i) |-> !set_q);
  a_rest:   assert property (@(posedge clk_i) disable iff (!rst_ni) !active |->
                             ((awaited_o | joined_o | taken_o) == '0) && (words_o == '0));
`endif
`ifdef FORMAL
  `include "switch_control_formal.svh"
`endif
`ifdef COVERAGE
  `include "switch_control_cover.svh"
`endif
endmodule
