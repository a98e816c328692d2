/// Slot LUT of one FiC switch: the free slots of every link side of the switch, kept as one bit vector per row.
/// Takes one setup request per cycle and answers it in the next. C++ twin: sc_models/algorithms/slots/slot_lut.h, which gives the
/// same answers to the same requests. Source: FiC paper, section III.D.
///
///   op 0 query    free = received AND own vector, first = its lowest slot; ok = free is not empty; changes nothing
///   op 1 reserve  takes all slots of the mask or none: refused when the mask is empty or one of them is taken
///   op 2 release  gives back all slots of the mask or none: refused when the mask is empty or one of them is free
///   op 3          refused, changes nothing
///
/// Timing     rsp_* is registered: it answers in cycle t+1 the request of cycle t, and holds its value while no request
///            comes. The vector is updated at the end of cycle t, so back-to-back requests to one row see each other.
/// Corners    req_row_i >= Rows: ok = 0, free = 0, nothing changes. rsp_first_o is 0 when rsp_free_o is empty.
///            Requests during reset are ignored.
/// Reset      all slots of all rows are free. Only one bit per row ("written since reset") is reset, so the vectors
///            themselves fit distributed RAM with asynchronous read (Rows x Slots bits, one port for read and write).
/// Resources  Rows + Slots + SlotW + 2 flip-flops and the RAM; figures in rtl/README.md.
/// Proven     rtl/tdm/slot_lut_formal.svh.
module slot_lut #(
  parameter int unsigned Rows  = 16,  ///< rows, 1..128: output ports, then input sides of the ports
  parameter int unsigned Slots = 64,  ///< slots of a frame, 2..256
  localparam int unsigned RowW  = (Rows > 1) ? $clog2(Rows) : 1,
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  logic             clk_i,
  input  logic             rst_ni,       ///< active low, synchronous
  input  logic             req_valid_i,
  input  logic [1:0]       req_op_i,     ///< 0 query, 1 reserve, 2 release
  input  logic [RowW-1:0]  req_row_i,
  input  logic [Slots-1:0] req_slots_i,  ///< query: received vector; reserve, release: mask
  output logic             rsp_valid_o,  ///< one cycle after the request
  output logic             rsp_ok_o,     ///< query: the AND is not empty; reserve, release: done
  output logic [Slots-1:0] rsp_free_o,   ///< received AND own vector as it was before the request
  output logic [SlotW-1:0] rsp_first_o   ///< lowest slot of rsp_free_o
);

  // Parameters out of range are refused at elaboration.
  if ((Rows < 1) || (Rows > 128)) $error("slot_lut: Rows must be 1..128");
  if ((Slots < 2) || (Slots > 256)) $error("slot_lut: Slots must be 2..256");

  localparam logic [1:0] OpQuery   = 2'd0;
  localparam logic [1:0] OpReserve = 2'd1;
  localparam logic [1:0] OpRelease = 2'd2;

  logic [Slots-1:0] mem_q [0:Rows-1];  // free slots of the rows that are written
  logic [Rows-1:0]  written_q;         // row changed since reset; otherwise all its slots are free

  logic             row_ok;
  logic [Slots-1:0] own;     // free slots of the row asked for
  logic [Slots-1:0] free;
  logic [Slots-1:0] lowest;  // one-hot
  logic [SlotW-1:0] first;
  logic             none_free;
  logic             all_free;
  logic             mask_used;
  logic             ok;
  logic             change;
  logic [Slots-1:0] own_d;

  always_comb begin
    row_ok    = 32'(req_row_i) < Rows;
    own       = '0;
    if (row_ok) own = written_q[req_row_i] ? mem_q[req_row_i] : '1;
    free      = req_slots_i & own;
    lowest    = free & (~free + Slots'(1));
    none_free = free == '0;
    all_free  = free == req_slots_i;
    mask_used = req_slots_i != '0;
    case (req_op_i)
      OpQuery:   ok = !none_free;
      OpReserve: ok = mask_used && all_free;
      OpRelease: ok = mask_used && none_free && row_ok;
      default:   ok = 1'b0;
    endcase
    change = req_valid_i && ok && (req_op_i != OpQuery);
    own_d  = (req_op_i == OpReserve) ? (own & ~req_slots_i) : (own | req_slots_i);
  end

  onehot_index #(.Bits(Slots)) u_first (.onehot_i(lowest), .index_o(first));

  always_ff @(posedge clk_i) begin
    if (change && rst_ni) mem_q[req_row_i] <= own_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q   <= '0;
      rsp_valid_o <= 1'b0;
      rsp_ok_o    <= 1'b0;
      rsp_free_o  <= '0;
      rsp_first_o <= '0;
    end else begin
      rsp_valid_o <= req_valid_i;
      if (req_valid_i) begin
        rsp_ok_o    <= ok;
        rsp_free_o  <= free;
        rsp_first_o <= first;
      end
      if (change) written_q[req_row_i] <= 1'b1;
    end
  end

`ifndef SYNTHESIS
  a_latency: assert property (@(posedge clk_i) disable iff (!rst_ni) req_valid_i |=> rsp_valid_o);
  a_quiet:   assert property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i |=>
                              !rsp_valid_o && $stable({rsp_ok_o, rsp_free_o, rsp_first_o}));
  a_first:   assert property (@(posedge clk_i) disable iff (!rst_ni)
                              rsp_valid_o && (rsp_free_o != '0) |-> rsp_free_o[rsp_first_o]);
  a_row:     assert property (@(posedge clk_i) disable iff (!rst_ni) change |-> row_ok);
`endif
`ifdef FORMAL
  `include "slot_lut_formal.svh"
`endif
`ifdef COVERAGE
  `include "slot_lut_cover.svh"
`endif
endmodule
