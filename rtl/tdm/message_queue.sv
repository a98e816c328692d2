/// Queue of the messages of one circuit in a FiC host: what is stored of a message is its length; its words are counted as
/// they leave. A message that meets an empty queue is its head in the same cycle. Part of host_interface.sv. C++ twin:
/// sc_models/fabrics/tdm/host_interface.h, the messages of a circuit.
///
/// Timing     valid_o, index_o, first_o and last_o are combinational in msg_valid_i and msg_last_i when the queue is empty, else
///            they come from registers. take_i with valid_o: that word leaves; the next one is shown a cycle later.
///            msg_ready_o comes from registers: a queue that is full takes nothing, not even while its head leaves.
/// Corners    take_i without valid_o does nothing. A message that enters an empty queue and has one word only, which is taken in
///            the same cycle, is never stored. Lengths are given as the index of the last word, so that none is illegal.
/// Reset      empty; the lengths are not reset.
/// Resources  Messages lengths of SizeW bits in a memory with an asynchronous read port, 2 pointers, 2 counters.
/// Proven     rtl/tdm/message_queue_formal.svh.
module message_queue #(
  parameter int unsigned Messages = 2,  ///< messages that the queue holds, 1..256
  parameter int unsigned SizeW = 16     ///< bits of the index of a word, 1..32
) (
  input  logic             clk_i,
  input  logic             rst_ni,       ///< active low, synchronous
  input  logic             msg_valid_i,  ///< a message comes; it enters when msg_ready_o
  input  logic [SizeW-1:0] msg_last_i,   ///< its words less one
  output logic             msg_ready_o,
  input  logic             take_i,       ///< the word shown leaves
  output logic             valid_o,      ///< there is a word
  output logic [SizeW-1:0] index_o,      ///< number of the word in its message, from 0; 0 when not valid
  output logic             first_o,      ///< it is the first one of its message
  output logic             last_o        ///< it is the last one
);

  // Parameters out of range are refused at elaboration.
  if ((Messages < 1) || (Messages > 256)) $error("message_queue: Messages must be 1..256");
  if ((SizeW < 1) || (SizeW > 32)) $error("message_queue: SizeW must be 1..32");

  localparam int unsigned PlaceW = (Messages > 1) ? $clog2(Messages) : 1;
  localparam int unsigned CountW = $clog2(Messages + 1);

  logic [SizeW-1:0]  mem_q [0:2**PlaceW-1];
  logic [PlaceW-1:0] head_q;
  logic [PlaceW-1:0] tail_q;
  logic [CountW-1:0] count_q;
  logic [SizeW-1:0]  index_q;

  logic             stored;  // the head is in the memory
  logic             enters;
  logic [SizeW-1:0] length;
  logic             sends;
  logic             done;    // the message leaves with this word
  logic             push;
  logic             pop;

  assign stored      = count_q != '0;
  assign msg_ready_o = count_q != CountW'(Messages);
  assign enters      = msg_valid_i && msg_ready_o;
  assign length      = stored ? mem_q[head_q] : msg_last_i;
  assign valid_o     = stored || msg_valid_i;
  assign index_o     = index_q;
  assign first_o     = valid_o && (index_q == '0);
  assign last_o      = valid_o && (index_q == length);
  assign sends       = take_i && valid_o;
  assign done        = sends && last_o;
  assign push        = enters && (stored || !done);
  assign pop         = done && stored;

  always_ff @(posedge clk_i) begin
    if (push) mem_q[tail_q] <= msg_last_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      index_q <= '0;
    end else begin
      if (pop) head_q <= (32'(head_q) == Messages - 1) ? '0 : (head_q + PlaceW'(1));
      if (push) tail_q <= (32'(tail_q) == Messages - 1) ? '0 : (tail_q + PlaceW'(1));
      if (push != pop) count_q <= push ? (count_q + CountW'(1)) : (count_q - CountW'(1));
      if (sends) index_q <= done ? '0 : (index_q + SizeW'(1));
    end
  end

`ifndef SYNTHESIS
  // Immediate, since a clocked property keeps copies of all lengths.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      a_count:  assert (32'(count_q) <= Messages);
      a_length: assert (!stored || (index_q <= length));
      a_begun:  assert (stored || (index_q == '0));
    end
  end
`endif
`ifdef FORMAL
  `include "message_queue_formal.svh"
`endif
`ifdef COVERAGE
  `include "message_queue_cover.svh"
`endif
endmodule
