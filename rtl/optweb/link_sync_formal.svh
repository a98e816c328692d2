// Properties of link_sync, proven without bound by scripts/formal. Reset may come back at any time, inputs are free:
// words and notifications may be withdrawn before they are taken, the other side may send any runs. The ghosts are
// histories of what was taken and of what was on the lanes, kept from the pins alone.
//
// +FORMAL_LINK joins the transmitter to the receiver by a link of so many cycles and compares both ends.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

localparam int unsigned Delay   = 3;          // cycles of the link
localparam int unsigned Arrives = Delay + 3;  // from being taken to being received
localparam int unsigned Far     = Arrives + 2;

// Bit n: n cycles ago; bit 0: in this cycle.
logic             f_takes;
logic             f_notifies;
logic [Far:1]     f_take_q;
logic [Far:1]     f_notify_q;
logic [Far*Width-1:0] f_data_q;  // of n cycles ago at [(n-1)*Width +: Width]
assign f_takes    = tx_valid_i && tx_ready_o && rst_ni;
assign f_notifies = tx_notify_i && tx_notify_ready_o && rst_ni;
always_ff @(posedge clk_i) begin
  f_data_q <= {f_data_q[(Far-1)*Width-1:0], tx_data_i};
  if (!rst_ni) begin
    f_take_q   <= '0;
    f_notify_q <= '0;
  end else begin
    f_take_q   <= {f_take_q[Far-1:1], f_takes};
    f_notify_q <= {f_notify_q[Far-1:1], f_notifies};
  end
end

// Runs on the lane that goes out and on the one that comes in: position of the cycle before in its run, 0: at rest,
// 3: third or later. Cycles of rest before this one, Gap: that many or more.
logic [1:0]       f_out_q;
logic [1:0]       f_in_q;
logic [1:0]       f_in_before_q;  // the same one cycle earlier
logic [Width-1:0] f_in_data_q;
logic [RestW-1:0] f_rest_q;
always_ff @(posedge clk_i) begin
  f_in_data_q <= link_data_i;
  if (!rst_ni) begin
    f_out_q       <= 2'd0;
    f_in_q        <= 2'd0;
    f_in_before_q <= 2'd0;
    f_rest_q      <= RestW'(Gap);
  end else begin
    f_out_q       <= !link_active_o ? 2'd0 : (f_out_q == 2'd3) ? 2'd3 : f_out_q + 2'd1;
    f_in_q        <= !link_active_i ? 2'd0 : (f_in_q == 2'd3) ? 2'd3 : f_in_q + 2'd1;
    f_in_before_q <= f_in_q;
    f_rest_q      <= link_active_o ? '0 : (f_rest_q == RestW'(Gap)) ? f_rest_q : f_rest_q + RestW'(1);
  end
end

// Cycles that a notification and a word have been waiting.
localparam int unsigned WaitBound = 2 * Gap + 2;
logic [5:0] f_notify_waits;
logic [5:0] f_word_waits;
always_ff @(posedge clk_i) begin
  if (!rst_ni || !tx_notify_i || tx_notify_ready_o) f_notify_waits <= '0;
  else f_notify_waits <= f_notify_waits + 6'd1;
  if (!rst_ni || !tx_valid_i || tx_ready_o) f_word_waits <= '0;
  else f_word_waits <= f_word_waits + 6'd1;
end

always_comb if (f_started) begin
  // Transmitter. The lane is active for notifications, words, and the cycle before the first word of a run; a word is
  // never first in its run, so none is dropped; a notification is alone in its run, so it is not taken for data.
  a_lane: assert (link_active_o == (f_notify_q[1] || f_take_q[1] || f_take_q[2]));
  a_once: assert (!(f_takes && f_notifies));
  if (f_take_q[2]) begin
    a_word:  assert (link_active_o && (f_out_q != 2'd0));
    a_value: assert (link_data_o == f_data_q[Width +: Width]);
  end else begin
    a_quiet: assert (link_data_o == '0);
  end
  if (f_notify_q[1]) begin
    a_alone: assert (link_active_o && (f_out_q == 2'd0) && !f_take_q[1] && !f_take_q[2]);
  end
  if (f_notify_q[2]) begin
    a_ends: assert (!link_active_o);
  end
  if (!link_active_o && (f_out_q == 2'd1)) begin
    a_notified: assert (f_notify_q[2]);
  end
  // The other way round: a position behind the first of a run always carries a word.
  if (link_active_o && (f_out_q != 2'd0)) begin
    a_carries: assert (f_take_q[2]);
  end
  if (link_active_o && (f_out_q == 2'd0)) begin
    a_gap: assert (f_rest_q == RestW'(Gap));
  end
  // A lane that has rested, after a reset at once, takes what waits.
  if (rst_ni && !link_active_o && !f_take_q[1] && (f_rest_q == RestW'(Gap)) && (tx_valid_i || tx_notify_i)) begin
    a_begins: assert (f_takes || f_notifies);
  end
  a_notify_waits: assert (32'(f_notify_waits) <= WaitBound);
  a_word_waits:   assert (32'(f_word_waits) <= WaitBound);
  // Receiver, for any lane.
  a_received: assert (rx_valid_o == (f_in_q >= 2'd2));
  a_notify:   assert (rx_notify_o == ((f_in_before_q == 2'd1) && (f_in_q == 2'd0)));
  a_data:     assert (rx_data_o == (rx_valid_o ? f_in_data_q : '0));
  // Reachability: each must have a witness.
  c_pair:     cover (f_notify_q[1] && f_notify_q[2 + Gap]);
  c_single:   cover (f_take_q[2] && !f_take_q[3] && !f_take_q[1] && rst_ni);
  c_break:    cover (f_notify_q[1] && f_take_q[3 + Gap] && f_take_q[4 + Gap]);
  c_turns:    cover (f_take_q[1] && tx_notify_i && f_notify_q[2 + Gap]);
  c_stream:   cover ((f_take_q[4:1] == 4'b1111) && rx_valid_o);
  c_long:     cover (32'(f_notify_waits) == WaitBound);
end

`ifdef FORMAL_LINK
// The link: what goes out comes in Delay cycles later. Everything taken is received, as what it is, with its value, in
// its order, once, Delay + 3 cycles later; and nothing else is.
logic [Delay-1:0]       f_link_q;
logic [Delay*Width-1:0] f_link_data_q;
always_ff @(posedge clk_i) begin
  f_link_data_q <= {f_link_data_q[(Delay-1)*Width-1:0], link_data_o};
  f_link_q      <= rst_ni ? {f_link_q[Delay-2:0], link_active_o} : '0;
end
always_comb if (f_started) begin
  assume (link_active_i == f_link_q[Delay-1]);
  assume (link_data_i == f_link_data_q[(Delay-1)*Width +: Width]);
  a_all_words:         assert (rx_valid_o == f_take_q[Arrives]);
  a_all_notifications: assert (rx_notify_o == f_notify_q[Arrives]);
  if (rx_valid_o) begin
    a_same: assert (rx_data_o == f_data_q[(Arrives-1)*Width +: Width]);
  end
end
`ifndef FORMAL_NO_LEMMAS
// The lane as it was, told by what was taken.
function f_lane(input integer n);
  f_lane = f_notify_q[n] || f_take_q[n] || f_take_q[n+1];
endfunction
logic [Delay-1:0] f_same_link;
for (genvar f_d = 0; f_d < Delay; f_d = f_d + 1) begin : gen_link_lemma
  assign f_same_link[f_d] = (f_link_q[f_d] == f_lane(f_d + 2))
                            && (!f_take_q[f_d+3]
                                || (f_link_data_q[f_d*Width +: Width] == f_data_q[(f_d+2)*Width +: Width]));
end
// Runs begin after a rest, and with one thing only.
logic [Far-3:1] f_begins_well;
for (genvar f_n = 1; f_n < Far - 2; f_n = f_n + 1) begin : gen_history_lemma
  assign f_begins_well[f_n] = !(f_notify_q[f_n] && f_take_q[f_n])
                              && (!(f_notify_q[f_n] || (f_take_q[f_n] && !f_take_q[f_n+1])) || !f_lane(f_n + 1));
end
always_comb if (f_started) begin
  l_link:     assert (f_same_link == '1);
  l_history:  assert (f_begins_well == '1);
  l_in:       assert (((f_in_q != 2'd0) == f_lane(Delay + 2)) && ((f_in_before_q != 2'd0) == f_lane(Delay + 3)));
  l_in_first: assert ((f_in_q >= 2'd2) == (f_lane(Delay + 2) && f_lane(Delay + 3)));
  l_in_old:   assert ((f_in_before_q >= 2'd2) == (f_lane(Delay + 3) && f_lane(Delay + 4)));
  if (f_take_q[Arrives]) begin
    l_in_data: assert (f_in_data_q == f_data_q[(Arrives-1)*Width +: Width]);
  end
end
`endif
`endif

`ifndef FORMAL_NO_LEMMAS
// What the registers hold, and how long what waits will still wait: this makes the properties above inductive.
always_comb if (f_started) begin
  l_full:   assert (full_q == f_take_q[1]);
  l_active: assert (active_q == (f_notify_q[1] || f_take_q[1] || f_take_q[2]));
  l_begins: assert (!(f_notify_q[1] && (f_notify_q[2] || f_take_q[2] || f_take_q[3])));
  l_run:    assert (!(f_take_q[1] && !f_take_q[2] && (f_notify_q[2] || f_take_q[3])));
  l_out:    assert ((f_out_q != 2'd0) == (f_notify_q[2] || f_take_q[2] || f_take_q[3]));
  l_second: assert ((f_out_q >= 2'd2) == f_take_q[3]);
  if (full_q) begin
    l_word: assert ((word_q == f_data_q[0 +: Width]) && !data_turn_q);
  end
  if (active_q) begin
    l_rest: assert (rest_q == RestW'(Gap));
  end else begin
    l_rests: assert (rest_q == ((f_rest_q == RestW'(Gap)) ? '0 : RestW'(Gap) - RestW'(1) - f_rest_q));
  end
  l_previous: assert (previous_q == (f_in_q != 2'd0));
  l_first:    assert (first_q == (f_in_q == 2'd1));
  l_notify_waits: assert (32'(f_notify_waits) + (full_q ? Gap + 1 : 32'(rest_q) + (data_turn_q ? Gap + 2 : 0))
                          <= WaitBound);
  l_word_waits:   assert (32'(f_word_waits) + (full_q ? WaitBound : 32'(rest_q) + (data_turn_q ? 0 : Gap + 1))
                          <= WaitBound);
end
`endif
