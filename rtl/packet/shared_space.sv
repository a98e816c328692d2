/// Space of a buffer that virtual lanes (VLs) share: each has a guaranteed minimum and a maximum, what nobody is guaranteed is
/// for all. Stands for the output buffer of a port and for the sender's count of the credits of the next buffer. C++ twin:
/// sc_models/fabrics/packet/common/shared_buffer.h.
///
/// Rule       shared = shared_i - sum of max(0, used - minimum) over all VLs;
///            room of a VL = min(maximum - used, max(0, minimum - used) + shared).
/// Timing     room_o is combinational in give_i: a place that is given back can be taken in the same cycle. What is taken counts
///            from the next cycle on.
/// Shares     minimum_i, maximum_i and shared_i stay the same; minimum <= maximum <= shared_i + the sum of all minima.
/// Corners    one VL takes in a cycle; several may give back. Taking more than the room, or giving back more than has been taken, is an error.
/// Proven     rtl/packet/shared_space_formal.svh.
/// Reset      nothing is used.
/// Resources  NumVl * CountW flip-flops.
module shared_space #(
  parameter int unsigned NumVl  = 2,  ///< virtual lanes, 1..16
  parameter int unsigned CountW = 7   ///< bits of a number of flits, 1..16
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,     ///< active low, synchronous
  input  logic [NumVl*CountW-1:0] minimum_i,  ///< flits of VL v at [v*CountW +: CountW]; so all numbers of VLs
  input  logic [NumVl*CountW-1:0] maximum_i,
  input  logic [CountW-1:0]       shared_i,   ///< capacity without all minima
  input  logic [NumVl*CountW-1:0] take_i,
  input  logic [NumVl*CountW-1:0] give_i,
  output logic [NumVl*CountW-1:0] room_o
);

  // Parameters out of range are refused at elaboration.
  if ((NumVl < 1) || (NumVl > 16)) $error("shared_space: NumVl must be 1..16");
  if ((CountW < 1) || (CountW > 16)) $error("shared_space: CountW must be 1..16");

  // Flits that VLs use beyond their minimum.
  logic [NumVl*CountW-1:0] beyond;
  logic [CountW-1:0]       shared;
  always_comb begin
    shared = shared_i;
    for (int unsigned v = 0; v < NumVl; v = v + 1) shared = shared - beyond[v*CountW +: CountW];
  end

  for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_vl
    logic [CountW-1:0] used_q;
    logic [CountW-1:0] kept;  // without what is given back
    logic [CountW-1:0] minimum;
    logic              over;
    logic [CountW-1:0] own;   // of the minimum, left
    logic [CountW-1:0] below_maximum;
    logic [CountW:0]   below_shared;
    assign minimum       = minimum_i[v*CountW +: CountW];
    assign kept          = used_q - give_i[v*CountW +: CountW];
    assign over          = kept > minimum;
    assign beyond[v*CountW +: CountW] = over ? (kept - minimum) : '0;
    assign own           = over ? '0 : (minimum - kept);
    assign below_maximum = maximum_i[v*CountW +: CountW] - kept;
    assign below_shared  = (CountW+1)'(own) + (CountW+1)'(shared);
    assign room_o[v*CountW +: CountW] = (below_shared < (CountW+1)'(below_maximum)) ? CountW'(below_shared) : below_maximum;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) used_q <= '0;
      else used_q <= kept + take_i[v*CountW +: CountW];
    end
`ifndef SYNTHESIS
    a_taken: assert property (@(posedge clk_i) disable iff (!rst_ni) give_i[v*CountW +: CountW] <= used_q);
    a_room:  assert property (@(posedge clk_i) disable iff (!rst_ni)
                              take_i[v*CountW +: CountW] <= room_o[v*CountW +: CountW]);
`endif
  end

`ifdef FORMAL
  `include "shared_space_formal.svh"
`endif
`ifdef COVERAGE
  `include "shared_space_cover.svh"
`endif
endmodule
