/// Request of a circuit at one switch: asks the slot LUT for free slots, chooses slots, asks when their table entries would
/// take effect, says whether that is too late for the first word, and reserves the slots. Part of setup_unit; part:
/// slot_choice. C++ twin: SwitchCircuits::request() of sc_models/fabrics/tdm/setup/switch_circuits.cpp.
///
/// Start      start_i in the last cycle before the first query. All inputs but lut_free_i and tbl_at_i are stable from then
///            until granted_o or refused_o, the results from the cycle after these on.
/// Slot LUT   lut_valid_o: a query, or with lut_reserve_o a reservation, of the lowest row in lut_rows_o: bit 0 is that of the
///            host's input, asked at the first switch only; then the outputs' come. The answer comes in the next cycle.
///            With update_i the rows of the host and of the outputs have slots of their own.
/// Table      tbl_ask_o: when would a change of wanted_i columns take effect? tbl_at_i answers in the next cycle.
/// Refused    late_o: its entries would come late_by_o cycles too late; else there are not enough slots.
/// Results    common_o: slots free on every link so far, as an onward request or a refusal carries them; slots_o, came_o,
///            from_o, lane_o: as slot_choice; source_o: slots of the host; lag_o: cycles from the host's lowest slot to the
///            departure of its word here; first_word_o: cycle from which on the source may send.
/// Cycles     for k rows and c cycles of slot_choice: granted 2k + c + 3; refused k + c + 1, late k + c + 3.
/// Reset      idle.
/// Proven     rtl/tdm/setup_request_formal.svh.
module setup_request #(
  parameter int unsigned Ports = 5,   ///< 2..32
  parameter int unsigned Slots = 32,  ///< 2..256
  parameter int unsigned TimeW = 32,  ///< 8..64
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned CountW = $clog2(Slots + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   update_i,
  input  logic [CountW-1:0]      frame_i,
  input  logic                   start_i,
  // Request
  input  logic                   first_i,
  input  logic [Ports-1:0]       outs_i,
  input  logic [CountW-1:0]      wanted_i,
  input  logic [Slots-1:0]       common_i,
  input  logic [Slots-1:0]       slots_i,
  input  logic [Slots-1:0]       source_i,
  input  logic [SlotW-1:0]       lane_i,
  input  logic [SlotW-1:0]       shift_i,
  input  logic [TimeW-1:0]       lag_i,
  input  logic [TimeW-1:0]       wire_i,
  input  logic [TimeW-1:0]       departure_i,
  input  logic [TimeW-1:0]       ack_at_i,       ///< the host has heard an ACK that is sent now
  input  logic [TimeW-1:0]       route_start_i,
  input  logic [TimeW-1:0]       hold_i,
  input  logic [TimeW-1:0]       first_word_i,
  // Slot LUT and slot table
  output logic                   lut_valid_o,
  output logic                   lut_reserve_o,
  output logic [Ports:0]         lut_rows_o,
  output logic [Slots-1:0]       lut_slots_o,
  input  logic [Slots-1:0]       lut_free_i,
  output logic                   tbl_ask_o,
  input  logic [TimeW-1:0]       tbl_at_i,
  // Results
  output logic                   granted_o,
  output logic                   refused_o,
  output logic                   late_o,
  output logic [TimeW-1:0]       late_by_o,
  output logic [Slots-1:0]       common_o,
  output logic [Slots-1:0]       slots_o,
  output logic [Slots-1:0]       came_o,
  output logic [Slots-1:0]       source_o,
  output logic [SlotW-1:0]       lane_o,
  output logic [TimeW-1:0]       lag_o,
  output logic [TimeW-1:0]       first_word_o,
  output logic [Slots*SlotW-1:0] from_o
);

  if ((Ports < 2) || (Ports > 32)) $error("setup_request: Ports must be 2..32");
  if ((Slots < 2) || (Slots > 256)) $error("setup_request: Slots must be 2..256");
  if ((TimeW < 8) || (TimeW > 64)) $error("setup_request: TimeW must be 8..64");

  typedef enum logic [2:0] {StIdle, StQuery, StGather, StChoose, StAsk, StTime, StReserve} state_e;

  state_e             state_q;
  logic [Ports:0]     rows_q;    // still to be asked
  logic               and_q;     // lut_free_i is the vector of the rows so far
  logic [Slots-1:0]   common_q;
  logic [TimeW-1:0]   first_word_q;

  logic [Ports:0]     rows_left;
  logic [Slots-1:0]   frame_slots;
  assign rows_left = rows_q & (rows_q - (Ports + 1)'(1));
  for (genvar s = 0; s < Slots; s = s + 1) begin : gen_frame
    assign frame_slots[s] = s < 32'(frame_i);
  end

  // Slots
  logic              host_asked, gathers, chosen, too_few;
  logic [CountW:0]   delay;
  logic [CountW-1:0] ahead;
  assign host_asked = (state_q == StQuery) && first_i && !and_q && !rows_q[0];  // by the query before
  assign gathers    = state_q == StGather;
  slot_choice #(.Slots(Slots)) i_choice (
    .clk_i, .rst_ni, .update_i, .first_i, .frame_i, .wanted_i, .host_i(host_asked), .start_i(gathers),
    .free_i(lut_free_i), .given_i(slots_i), .source_i, .lane_i, .shift_i, .done_o(chosen), .refused_o(too_few),
    .slots_o, .came_o, .lane_o, .delay_o(delay), .ahead_o(ahead), .from_o
  );
  assign source_o = first_i ? came_o : source_i;

  // Time: start of the source, and by how much the entry would be late for its first word
  logic [TimeW-1:0] departure, force_at, start_a, start_b, start_d, late_by;
  logic             late;
  assign lag_o     = (first_i ? '0 : lag_i) + wire_i + TimeW'(delay);
  assign departure = update_i ? lag_o - TimeW'(ahead) : departure_i;
  assign force_at  = tbl_at_i - departure;
  assign start_a   = ($signed(ack_at_i) > $signed(force_at)) ? ack_at_i : force_at;
  assign start_b   = ($signed(route_start_i) > $signed(start_a)) ? route_start_i : start_a;
  assign start_d   = first_i ? start_b + hold_i : first_word_i;
  assign late_by   = force_at - start_d;
  assign late      = (state_q == StTime) && ($signed(late_by) > 0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: begin
          rows_q <= {outs_i, first_i};
          and_q  <= 1'b0;
          if (start_i) state_q <= StQuery;
        end
        StQuery: begin
          rows_q <= rows_left;
          and_q  <= !(update_i && rows_q[0]);
          if (rows_left == '0) state_q <= StGather;
        end
        StGather: begin
          common_q <= update_i ? common_i : lut_free_i;
          state_q  <= StChoose;
        end
        StChoose: begin
          if (chosen) state_q <= StAsk;
          if (too_few) state_q <= StIdle;
        end
        StAsk: state_q <= StTime;
        StTime: begin
          first_word_q <= start_d;
          rows_q       <= {outs_i, first_i};
          state_q      <= late ? StIdle : StReserve;
        end
        default: begin
          rows_q <= rows_left;
          if (rows_left == '0) state_q <= StIdle;
        end
      endcase
    end
  end

  assign granted_o     = (state_q == StReserve) && (rows_left == '0);
  assign refused_o     = too_few || late;
  assign late_o        = late;
  assign late_by_o     = late_by;
  assign common_o      = (update_i && too_few) ? '0 : common_q;
  assign first_word_o  = first_word_q;
  assign tbl_ask_o     = state_q == StAsk;
  assign lut_valid_o   = (state_q == StQuery) || (state_q == StReserve);
  assign lut_reserve_o = state_q == StReserve;
  assign lut_rows_o    = rows_q;
  assign lut_slots_o   = (state_q == StReserve) ? (rows_q[0] ? came_o : slots_o) :
                         and_q ? lut_free_i : (update_i && !rows_q[0]) ? frame_slots : common_i;

`ifndef SYNTHESIS
  a_start:  assert property (@(posedge clk_i) disable iff (!rst_ni)
                             start_i |-> (state_q == StIdle) && (outs_i != '0) && (wanted_i != '0));
  a_chosen: assert property (@(posedge clk_i) disable iff (!rst_ni)
                             (state_q == StReserve) |-> (slots_o != '0) &&
                                                        (update_i || ((slots_o & ~common_q) == '0)));
`endif
`ifdef COVERAGE
  `include "setup_request_cover.svh"
`endif
`ifdef FORMAL
  `include "setup_request_formal.svh"
`endif
endmodule
