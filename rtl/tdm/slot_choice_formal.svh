// Properties of slot_choice, proven without bound by scripts/formal: the result of a choice, computed anew from its inputs.
// Reset may come back at any time. The inputs are those that a request has: slots of the frame, and with update_i as many
// slots in which words come as are wanted.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

// Inputs of the choice; they are stable until it is over.
localparam int unsigned FormalW = 2 + 2 * CountW + 2 * Slots + 2 * SlotW;
logic               f_busy_q, f_done_q;
logic [FormalW-1:0] f_inputs, f_inputs_q;
logic [Slots-1:0]   f_free_q, f_host_q;  // as they were at start_i, and at host_i before
logic               f_host_known_q;
assign f_inputs = {update_i, first_i, frame_i, wanted_i, given_i, source_i, lane_i, shift_i};
always_ff @(posedge clk_i) begin
  f_inputs_q <= f_inputs;
  if (!rst_ni) begin
    f_busy_q       <= 1'b0;
    f_done_q       <= 1'b0;
    f_host_known_q <= 1'b0;
  end else begin
    f_done_q <= done_o;
    if (start_i) f_busy_q <= 1'b1;
    if (start_i) f_free_q <= free_i;
    if (host_i && !start_i) f_host_q <= free_i;
    f_host_known_q <= (host_i && !start_i) || (f_host_known_q && !f_busy_q);
    if (done_o || refused_o) f_busy_q <= 1'b0;
  end
end

function [CountW-1:0] f_size(input [Slots-1:0] set);
  integer s;
  begin
    f_size = '0;
    for (s = 0; s < Slots; s = s + 1) f_size = f_size + CountW'(set[s]);
  end
endfunction

logic [Slots-1:0] f_frame;
for (genvar f_s = 0; f_s < Slots; f_s = f_s + 1) begin : gen_formal_frame
  assign f_frame[f_s] = f_s < 32'(frame_i);
end
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume ((32'(frame_i) >= 2) && (32'(frame_i) <= Slots) && (wanted_i != '0) && (wanted_i <= frame_i));
  assume (((free_i | given_i | source_i) & ~f_frame) == '0);
  assume ((32'(lane_i) < 32'(frame_i)) && (32'(shift_i) < 32'(frame_i)));
  if (update_i && !first_i) assume (given_i[lane_i] && (f_size(given_i) == wanted_i) && (f_size(source_i) == wanted_i));
  if (f_busy_q || f_done_q) assume (f_inputs == f_inputs_q);
  if (f_busy_q) assume (!start_i && !host_i);
  if (update_i && first_i && start_i) assume (f_host_known_q);
end

// The lanes of a choice that is done, one by one: slots in which their words come and leave, and the cycles from lane 0 on.
logic [Slots-1:0]  f_source;
logic [SlotW-1:0]  f_lane0;
assign f_source = first_i ? came_o : source_i;
assign f_lane0  = first_i ? lowest_of(came_o) : lane_i;
logic [SlotW-1:0]  f_in [0:Slots-1], f_out [0:Slots-1], f_sent [0:Slots-1];
logic [CountW+1:0] f_came [0:Slots-1], f_left [0:Slots-1], f_from [0:Slots-1];
logic [Slots-1:0]  f_there, f_late, f_sooner, f_wrong, f_faster, f_fastest;
// The same one slot sooner, for all lanes.
logic [Slots-1:0]  f_before;
logic [SlotW-1:0]  f_start;
logic [CountW-1:0] f_step;
for (genvar f_k = 0; f_k < Slots; f_k = f_k + 1) begin : gen_formal_lane
  assign f_there[f_k] = f_k < 32'(wanted_i);
  if (f_k == 0) begin : gen_first
    assign f_in[0]   = f_lane0;
    assign f_out[0]  = lane_o;
    assign f_sent[0] = lowest_of(f_source);
    assign f_came[0] = '0;
    assign f_left[0] = '0;
    assign f_from[0] = '0;
  end else begin : gen_next
    assign f_in[f_k]   = next_of(came_o, f_in[f_k-1]);
    assign f_out[f_k]  = next_of(slots_o, f_out[f_k-1]);
    assign f_sent[f_k] = next_of(f_source, f_sent[f_k-1]);
    assign f_came[f_k] = f_came[f_k-1] + (CountW + 2)'(gap(f_in[f_k-1], f_in[f_k], frame_i));
    assign f_left[f_k] = f_left[f_k-1] + (CountW + 2)'(gap(f_out[f_k-1], f_out[f_k], frame_i));
    assign f_from[f_k] = f_from[f_k-1] + (CountW + 2)'(gap(f_sent[f_k-1], f_sent[f_k], frame_i));
  end
  assign f_late[f_k]    = f_there[f_k] && ((CountW + 2)'(delay_o) + f_left[f_k] <= f_came[f_k]);
  assign f_wrong[f_k]   = f_there[f_k] && (from_o[f_out[f_k]*SlotW +: SlotW] != f_in[f_k]);
  assign f_faster[f_k]  = f_there[f_k] && (f_left[f_k] + (CountW + 2)'(ahead_o) < f_from[f_k]);
  assign f_fastest[f_k] = f_there[f_k] && (f_left[f_k] + (CountW + 2)'(ahead_o) == f_from[f_k]);
  assign f_before[f_k]  = slots_o[f_k] && (next_of(slots_o, SlotW'(f_k)) == lane_o);
end
assign f_start = lowest_of(f_before);
assign f_step  = gap(f_start, lane_o, frame_i);
// One slot sooner lane k leaves where lane k - 1 leaves now.
for (genvar f_k = 0; f_k < Slots; f_k = f_k + 1) begin : gen_formal_sooner
  if (f_k == 0) begin : gen_first
    assign f_sooner[0] = (CountW + 1)'(f_step) >= delay_o;
  end else begin : gen_next
    assign f_sooner[f_k] = f_there[f_k] && ((CountW + 2)'(delay_o) + f_left[f_k-1] <= f_came[f_k]);
  end
end

// The free slots that come soonest after the words, one lane after the other.
logic [Slots-1:0] f_left_over [0:Slots];
logic [SlotW-1:0] f_word [0:Slots-1], f_pick [0:Slots-1];
logic [CountW:0]  f_arrival [0:Slots-1];
assign f_left_over[0] = f_free_q;
for (genvar f_k = 0; f_k < Slots; f_k = f_k + 1) begin : gen_formal_pick
  assign f_arrival[f_k] = (CountW + 1)'(f_in[f_k]) + (CountW + 1)'(shift_i);
  assign f_word[f_k]    = SlotW'((f_arrival[f_k] >= (CountW + 1)'(frame_i)) ? f_arrival[f_k] - (CountW + 1)'(frame_i)
                                                                            : f_arrival[f_k]);
  assign f_pick[f_k]    = next_of(f_left_over[f_k], f_word[f_k]);
  assign f_left_over[f_k+1] = f_there[f_k] ? (f_left_over[f_k] & ~(Slots'(1) << f_pick[f_k])) : f_left_over[f_k];
end

logic f_enough;
assign f_enough = (update_i || first_i) ? ((f_size(f_free_q) >= wanted_i) &&
                                           (!update_i || !first_i || (f_size(f_host_q) >= wanted_i)))
                                        : ((f_size(given_i) >= wanted_i) && ((given_i & ~f_free_q) == '0));
logic [Slots-1:0] f_lowest_free, f_lowest_host;  // as many as are wanted
for (genvar f_s = 0; f_s < Slots; f_s = f_s + 1) begin : gen_formal_lowest
  assign f_lowest_free[f_s] = f_free_q[f_s] && (f_size(f_free_q & Slots'((1 << f_s) - 1)) < wanted_i);
  assign f_lowest_host[f_s] = f_host_q[f_s] && (f_size(f_host_q & Slots'((1 << f_s) - 1)) < wanted_i);
end

always_comb if (f_started && rst_ni) begin
  a_busy: assert (!(done_o || refused_o) || (f_busy_q && !(done_o && refused_o)));
  if (done_o) begin
    a_enough: assert (f_enough);
  end
  if (refused_o) begin
    a_refused: assert (!f_enough);
  end
  if (f_done_q && !start_i) begin
    if (!update_i) begin
      a_same: assert (slots_o == (first_i ? f_lowest_free : given_i));
    end
    if (update_i) begin
      a_came:   assert (came_o == (first_i ? f_lowest_host : given_i));
      a_picked: assert (slots_o == (f_free_q & ~f_left_over[Slots]));
      a_start:  assert (slots_o[lane_o] && (delay_o != '0));
      a_late:   assert (f_late == '0);
      a_soon:   assert (f_sooner != '0);
      a_from:   assert (f_wrong == '0);
      a_ahead:  assert ((f_faster == '0) && (f_fastest != '0));
    end
  end
  // Reachability: each must have a witness.
  c_same:   cover (f_done_q && !update_i && first_i);
  c_own:    cover (f_done_q && update_i && first_i && (ahead_o != '0));
  c_passed: cover (f_done_q && update_i && !f_sooner[0]);
end
