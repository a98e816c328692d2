/// Choice of slots for the request of a circuit. Part of setup_request. C++ twins: lowest() of
/// sc_models/fabrics/tdm/setup/switch_circuits.cpp and, with update_i, sc_models/fabrics/tdm/setup/choice/slot_choice.h.
/// Source: FiC paper, sections II.A and III.D.
///
/// Start      start_i, with free_i: the slots free on every link so far; with update_i those of this switch's outputs only.
///            With update_i and first_i, host_i with the free slots of the host's row in free_i comes before. The other
///            inputs are stable from start_i until done_o or refused_o, the results from the cycle after done_o on.
/// Same slot  update_i = 0: the first switch takes the lowest slots, every further one those in given_i. Refused unless
///            there are wanted_i of them and all are free.
/// Own slots  update_i = 1. The words of the circuit's slots are its lanes, in the order of time, from the host's lowest slot
///            on; the order stays the same along the route. given_i: slots in which they come, lane_i that of lane 0,
///            shift_i: cycles on the wire, modulo the frame; at the first switch they come in the lowest slots of the host.
///            Each lane in turn picks the free slot that comes soonest after its word. The slots picked are then given to
///            the lanes in the order of time, the earliest way in which each word leaves after it has come.
/// Results    slots_o, came_o: slots in which words leave and come. With update_i: lane_o, slot in which lane 0 leaves,
///            delay_o cycles after it has come; ahead_o: cycles from the host on by which the fastest lane is faster than
///            lane 0; from_o: the slot in which the words of a slot of slots_o come.
/// Cycles     from the one after start_i: wanted_i + 1; with update_i 3 * wanted_i + 1 and one for each slot that is passed
///            over because a later lane's word would not have come. Refused after c slots found: c + 1; without
///            update_i and first_i: wanted_i + 1.
/// Reset      idle.
/// Proven     rtl/tdm/slot_choice_formal.svh.
module slot_choice #(
  parameter int unsigned Slots = 32,  ///< largest frame, 2..256
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned CountW = $clog2(Slots + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    update_i,
  input  logic                    first_i,   ///< at the first switch of the route
  input  logic [CountW-1:0]       frame_i,   ///< slots of a frame
  input  logic [CountW-1:0]       wanted_i,  ///< at least 1
  input  logic                    host_i,
  input  logic                    start_i,
  input  logic [Slots-1:0]        free_i,
  input  logic [Slots-1:0]        given_i,
  input  logic [Slots-1:0]        source_i,  ///< slots of the host; not at the first switch
  input  logic [SlotW-1:0]        lane_i,
  input  logic [SlotW-1:0]        shift_i,
  output logic                    done_o,
  output logic                    refused_o,
  output logic [Slots-1:0]        slots_o,
  output logic [Slots-1:0]        came_o,
  output logic [SlotW-1:0]        lane_o,
  output logic [CountW:0]         delay_o,
  output logic [CountW-1:0]       ahead_o,
  output logic [Slots*SlotW-1:0]  from_o
);

  if ((Slots < 2) || (Slots > 256)) $error("slot_choice: Slots must be 2..256");

  localparam int unsigned SlackW = CountW + 3;

  typedef enum logic [1:0] {StIdle, StPick, StOrder, StMap} state_e;

  // First member of a set behind a slot, in the next frame if there is none in this one.
  function [SlotW-1:0] next_of(input [Slots-1:0] set, input [SlotW-1:0] slot);
    integer s;
    begin
      next_of = '0;
      for (s = Slots - 1; s >= 0; s = s - 1) if (set[s]) next_of = SlotW'(s);
      for (s = Slots - 1; s >= 0; s = s - 1) if (set[s] && (s > 32'(slot))) next_of = SlotW'(s);
    end
  endfunction
  function [SlotW-1:0] lowest_of(input [Slots-1:0] set);
    integer s;
    begin
      lowest_of = '0;
      for (s = Slots - 1; s >= 0; s = s - 1) if (set[s]) lowest_of = SlotW'(s);
    end
  endfunction
  // Cycles from a slot to the next occurrence of another, or to that of the same a frame later.
  function [CountW-1:0] gap(input [SlotW-1:0] slot, input [SlotW-1:0] next, input [CountW-1:0] frame);
    begin
      gap = CountW'(next) - CountW'(slot) + ((next > slot) ? '0 : frame);
    end
  endfunction

  state_e                    state_q;
  logic [Slots-1:0]          left_q;    // slots to choose from, or to count
  logic [Slots-1:0]          host_q;    // of the host's row, to choose from
  logic [CountW-1:0]         need_q;    // lanes still to be served
  logic                      lacks_q;   // a slot in given_i is not free
  logic [Slots-1:0]          slots_q, came_q;
  logic [SlotW-1:0]          in_q, out_q;   // slots in which the lane comes and leaves
  logic [SlotW-1:0]          walk_q;        // picking: the lane's slot; ordering: where lane 0 leaves; mapping: the host's slot
  logic [SlotW-1:0]          lane_q;
  logic signed [SlackW-1:0]  slack_q;       // cycles from the lane's arrival to its departure
  logic [CountW:0]           delay_q;
  logic signed [CountW:0]    faster_q;      // than lane 0, this lane
  logic [CountW-1:0]         ahead_q;       // the fastest so far
  logic [SlotW-1:0]          from_q [0:Slots-1];

  logic              picking, all_served, few;
  logic [SlotW-1:0]  lane0, lane, arrival, in_next, out_next, walk_next;
  logic [CountW:0]   on_wire;
  logic [CountW-1:0] in_gap, out_gap, walk_gap;
  logic [Slots-1:0]  source, walk_set;
  assign picking    = state_q == StPick;
  assign all_served = need_q == '0;
  assign few        = (left_q == '0) || (update_i && first_i && (host_q == '0));
  assign source     = first_i ? came_q : source_i;
  assign lane0      = first_i ? lowest_of(came_q) : lane_i;
  assign lane       = all_served ? lane0 : first_i ? lowest_of(host_q) : walk_q;
  assign on_wire    = (CountW + 1)'(lane) + (CountW + 1)'(shift_i);
  assign arrival    = SlotW'((on_wire >= (CountW + 1)'(frame_i)) ? on_wire - (CountW + 1)'(frame_i) : on_wire);
  assign in_next    = next_of(came_q, in_q);
  assign in_gap     = gap(in_q, in_next, frame_i);
  assign out_next   = next_of((picking && !all_served) ? left_q : slots_q, picking ? arrival : out_q);
  assign out_gap    = gap(picking ? arrival : out_q, out_next, frame_i);
  assign walk_set   = picking ? came_q : (state_q == StOrder) ? slots_q : source;
  assign walk_next  = next_of(walk_set, walk_q);
  assign walk_gap   = gap(walk_q, walk_next, frame_i);

  assign refused_o  = picking && (all_served ? lacks_q : few);
  assign done_o     = (picking && all_served && !update_i && !lacks_q) ||
                      ((state_q == StMap) && (need_q == CountW'(1)));
  assign slots_o    = slots_q;
  assign came_o     = update_i ? came_q : slots_q;
  assign lane_o     = lane_q;
  assign delay_o    = delay_q;
  assign ahead_o    = ahead_q;
  for (genvar s = 0; s < Slots; s = s + 1) begin : gen_from
    assign from_o[s*SlotW +: SlotW] = from_q[s];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: if (start_i) begin
          left_q  <= (update_i || first_i) ? free_i : given_i;
          need_q  <= wanted_i;
          lacks_q <= !update_i && !first_i && ((given_i & ~free_i) != '0);
          slots_q <= (update_i || first_i) ? '0 : given_i;
          came_q  <= first_i ? '0 : given_i;
          walk_q  <= lane_i;
          state_q <= StPick;
        end else if (host_i) begin
          host_q  <= free_i;
        end
        StPick: if (refused_o || done_o) begin
          state_q <= StIdle;
        end else if (all_served) begin  // where lane 0 would leave as early as it can
          need_q  <= wanted_i;
          in_q    <= lane0;
          out_q   <= out_next;
          walk_q  <= out_next;
          slack_q <= SlackW'(out_gap);
          delay_q <= (CountW + 1)'(out_gap);
          state_q <= StOrder;
        end else begin
          need_q <= need_q - CountW'(1);
          host_q <= host_q & (host_q - Slots'(1));
          walk_q <= walk_next;
          if (update_i) begin
            left_q[out_next]  <= 1'b0;
            slots_q[out_next] <= 1'b1;
            if (first_i) came_q[lane] <= 1'b1;
          end else begin
            left_q <= left_q & (left_q - Slots'(1));
            if (first_i) slots_q <= slots_q | (left_q & (~left_q + Slots'(1)));
          end
        end
        StOrder: begin
          out_q <= out_next;
          if (slack_q > 0) begin  // the next lane
            need_q  <= need_q - CountW'(1);
            in_q    <= in_next;
            slack_q <= slack_q + SlackW'(out_gap) - SlackW'(in_gap);
            if (need_q == CountW'(1)) begin
              need_q     <= wanted_i;
              in_q       <= lane0;
              out_q      <= walk_q;
              lane_q     <= walk_q;
              walk_q     <= lowest_of(source);
              faster_q   <= '0;
              ahead_q    <= '0;
              state_q    <= StMap;
            end
          end else begin  // every lane a slot later
            walk_q  <= walk_next;
            slack_q <= slack_q + SlackW'(out_gap);
            delay_q <= delay_q + (CountW + 1)'(walk_gap);
          end
        end
        default: begin
          need_q        <= need_q - CountW'(1);
          from_q[out_q] <= in_q;
          in_q          <= in_next;
          out_q         <= out_next;
          walk_q        <= walk_next;
          faster_q      <= faster_q + (CountW + 1)'(walk_gap) - (CountW + 1)'(out_gap);
          if (faster_q > $signed({1'b0, ahead_q})) ahead_q <= faster_q[CountW-1:0];
          if (done_o) state_q <= StIdle;
        end
      endcase
    end
  end

`ifndef SYNTHESIS
  a_wanted: assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> (wanted_i != '0) && (state_q == StIdle));
  a_as_many: assert property (@(posedge clk_i) disable iff (!rst_ni) done_o |=> $countones(slots_q) == 32'(wanted_i));
`endif
`ifdef COVERAGE
  `include "slot_choice_cover.svh"
`endif
`ifdef FORMAL
  `include "slot_choice_formal.svh"
`endif
endmodule
