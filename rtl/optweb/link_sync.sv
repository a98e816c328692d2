/// One end of an OPTWEB link: a data-active lane beside the data, no packets, no back-pressure. A run is a maximal
/// sequence of active cycles. A run of exactly one cycle is a notification; of a longer run the receiver drops the first
/// cycle and takes every other as a word. C++ twin: sc_models/algorithms/optweb/link_sync.h, bit exact. Source: OPTWEB paper
/// (Mizutani et al., IEEE Trans. Computers 70(6), 2021), section 3.1.1 and Figure 1b.
///
/// Timing     taken in cycle t: a notification is on the lane in t+1, a word in t+2; the first word of a run has the
///            cycle to be dropped in t+1. A word on the lane in u is received in u+1, a notification, known when the
///            lane falls, in u+2. Words flow at one per cycle.
/// Runs       a run of data is begun by taking a word, so it has two active cycles or more even if no second word comes.
///            It ends when no word is waiting, or behind the word in hand when a notification waits. Its end means
///            nothing: receivers count words.
/// Gap        after every run the lane rests for Gap cycles or more, so two notifications never look like a transfer,
///            nor does a notification get lost in one. Gap = 1 does on a link that keeps cycles apart; one that may
///            shorten a rest by n cycles needs Gap = n + 1.
/// Turns      when both wait, notification and data take turns: behind a notification one word at least goes first. A
///            notification that waits is taken within 2 * Gap + 3 cycles (proven).
/// Corners    tx_valid_i and tx_notify_i may fall again before they are taken. ready is combinational in both of them.
///            Reset both ends together: of a run that is under way when a receiver leaves reset it drops one cycle more.
/// Reset      nothing is taken during it; lane at rest, a run may begin at once, nothing received.
/// Resources  3 * Width + 10 flip-flops or so (Gap = 1); figures in docs/optweb_rtl.md.
/// Proven     rtl/optweb/link_sync_formal.svh.
module link_sync #(
  parameter int unsigned Width = 256,  ///< bits of a word
  parameter int unsigned Gap   = 1     ///< cycles of rest between two runs, 1..15
) (
  input  logic             clk_i,
  input  logic             rst_ni,             ///< active low, synchronous
  // To the link.
  input  logic             tx_notify_i,        ///< a notification waits
  output logic             tx_notify_ready_o,  ///< with tx_notify_i: it is taken in this cycle
  input  logic             tx_valid_i,         ///< a word waits
  output logic             tx_ready_o,         ///< with tx_valid_i: it is taken in this cycle
  input  logic [Width-1:0] tx_data_i,
  output logic             link_active_o,
  output logic [Width-1:0] link_data_o,        ///< 0 unless a word
  // From the link.
  input  logic             link_active_i,
  input  logic [Width-1:0] link_data_i,
  output logic             rx_notify_o,        ///< a notification has arrived
  output logic             rx_valid_o,         ///< a word has arrived
  output logic [Width-1:0] rx_data_o           ///< 0 unless rx_valid_o
);

  // Parameters out of range are refused at elaboration.
  if (Width < 1) $error("link_sync: Width must be 1 or more");
  if ((Gap < 1) || (Gap > 15)) $error("link_sync: Gap must be 1..15");

  localparam int unsigned RestW = $clog2(Gap + 1);

  // Transmitter. A word taken waits one cycle in word_q, while the cycle before it - the one to be dropped, or the word
  // before - is on the lane.
  logic             full_q;       // word_q is to be put on the lane
  logic [Width-1:0] word_q;
  logic             active_q;
  logic [Width-1:0] data_q;
  logic             data_turn_q;  // a notification was sent last: words go first
  logic [RestW-1:0] rest_q;       // cycles until a run may begin

  logic may_begin;
  logic notify;
  logic take;
  logic active_d;
  assign may_begin         = !full_q && (rest_q == '0) && rst_ni;
  assign tx_notify_ready_o = may_begin && !(data_turn_q && tx_valid_i);
  assign tx_ready_o        = ((full_q && rst_ni) || may_begin) && !(tx_notify_i && !data_turn_q);
  assign notify            = tx_notify_i && tx_notify_ready_o;
  assign take              = tx_valid_i && tx_ready_o;
  assign active_d          = full_q || take || notify;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q      <= 1'b0;
      active_q    <= 1'b0;
      data_turn_q <= 1'b0;
      rest_q      <= '0;
    end else begin
      full_q      <= take;
      active_q    <= active_d;
      data_turn_q <= notify || (data_turn_q && !take);
      if (active_d) rest_q <= RestW'(Gap);
      else if (rest_q != '0) rest_q <= rest_q - RestW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) word_q <= tx_data_i;
    data_q <= full_q && rst_ni ? word_q : '0;
  end
  assign link_active_o = active_q;
  assign link_data_o   = data_q;

  // Receiver.
  logic             previous_q;  // link_active_i of the cycle before
  logic             first_q;     // that cycle was the first of a run
  logic             notified_q;
  logic             received_q;
  logic [Width-1:0] received_data_q;
  logic             receive;
  assign receive = link_active_i && previous_q && rst_ni;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      previous_q <= 1'b0;
      first_q    <= 1'b0;
      notified_q <= 1'b0;
      received_q <= 1'b0;
    end else begin
      previous_q <= link_active_i;
      first_q    <= link_active_i && !previous_q;
      notified_q <= !link_active_i && first_q;
      received_q <= receive;
    end
  end
  always_ff @(posedge clk_i) received_data_q <= receive ? link_data_i : '0;
  assign rx_notify_o = notified_q;
  assign rx_valid_o  = received_q;
  assign rx_data_o   = received_data_q;

`ifndef SYNTHESIS
  a_one:      assert property (@(posedge clk_i) disable iff (!rst_ni) !(notify && take));
  a_run:      assert property (@(posedge clk_i) disable iff (!rst_ni) full_q |-> active_q);
  a_rest:     assert property (@(posedge clk_i) disable iff (!rst_ni) may_begin |-> !active_q);
  a_quiet:    assert property (@(posedge clk_i) disable iff (!rst_ni) !active_q |-> data_q == '0);
  a_received: assert property (@(posedge clk_i) disable iff (!rst_ni) !(rx_notify_o && rx_valid_o));
  a_nothing:  assert property (@(posedge clk_i) disable iff (!rst_ni) !rx_valid_o |-> rx_data_o == '0);
`endif
`ifdef FORMAL
  `include "link_sync_formal.svh"
`endif
`ifdef COVERAGE
  `include "link_sync_cover.svh"
`endif
endmodule
