/// Memory of flits that virtual lanes (VLs) share: a queue per VL, as a list of places, first in, first out.
///
/// Timing     data_o is the oldest flit of VL pop_vl_i, combinational in pop_vl_i; it is read while pop_i takes it away. A flit
///            can be read from the cycle after its push on. Registers change at the end of the cycle.
/// Places     a flit takes the lowest free place; a place that is read is free from the next cycle on.
/// Corners    the space that senders reserve keeps the memory from running over: pushing more flits than there are free places,
///            or taking one from an empty queue, is an error.
/// Reset      all queues empty. Flits are not reset, so they fit distributed RAM.
/// Proven     rtl/packet/flit_store_formal.svh.
/// Resources  Depth * (Width + PlaceW + 1) + NumVl * (2 * PlaceW + CountW) flip-flops, or the flits in RAM.
module flit_store #(
  parameter int unsigned NumVl = 2,   ///< virtual lanes, 1..16
  parameter int unsigned Depth = 64,  ///< flits, 2..256
  parameter int unsigned Width = 32,  ///< bits of a flit, 1..1024
  parameter int unsigned Rate  = 1,   ///< flits that come in a cycle at most, 1..4, at most Depth
  localparam int unsigned VlW    = (NumVl > 1) ? $clog2(NumVl) : 1,
  localparam int unsigned PlaceW = $clog2(Depth),
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned RateW  = $clog2(Rate + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,       ///< active low, synchronous
  input  logic [RateW-1:0]      push_i,       ///< flits that come, all for one VL
  input  logic [VlW-1:0]        push_vl_i,
  input  logic [Rate*Width-1:0] push_data_i,  ///< the first flit in the lowest bits
  input  logic                  pop_i,
  input  logic [VlW-1:0]        pop_vl_i,
  output logic [Width-1:0]      data_o        ///< without a flit of no meaning
);

  // Parameters out of range are refused at elaboration.
  if ((NumVl < 1) || (NumVl > 16)) $error("flit_store: NumVl must be 1..16");
  if ((Depth < 2) || (Depth > 256)) $error("flit_store: Depth must be 2..256");
  if ((Width < 1) || (Width > 1024)) $error("flit_store: Width must be 1..1024");
  if ((Rate < 1) || (Rate > 4) || (Rate > Depth)) $error("flit_store: Rate must be 1..4 and at most Depth");

  logic [Width-1:0]  word_q [0:Depth-1];
  logic [PlaceW-1:0] next_q [0:Depth-1];  // place of the next flit of the queue
  logic [Depth-1:0]  taken_q;

  // Free places for the flits that come: each takes the lowest that those before it have left.
  logic [Depth-1:0]       free;  // after that
  logic [Rate*Depth-1:0]  onehot;
  logic [Rate*PlaceW-1:0] place;
  logic [Rate-1:0]        comes;
  logic [PlaceW-1:0]      first_place;
  logic [PlaceW-1:0]      last_place;
  logic                   runs_over;
  always_comb begin
    free      = ~taken_q;
    onehot    = '0;
    runs_over = 1'b0;
    for (int unsigned k = 0; k < Rate; k = k + 1) begin
      if (comes[k]) begin
        onehot[k*Depth +: Depth] = free & (~free + Depth'(1));
        runs_over = runs_over || (free == '0);
        free      = free & (free - Depth'(1));
      end
    end
  end
  always_comb begin
    last_place = '0;
    for (int unsigned k = 0; k < Rate; k = k + 1) begin
      if (comes[k]) last_place = place[k*PlaceW +: PlaceW];
    end
  end
  assign first_place = place[PlaceW-1:0];
  for (genvar k = 0; k < Rate; k = k + 1) begin : gen_place
    assign comes[k] = push_i > RateW'(k);
    onehot_index #(.Bits(Depth)) u_place (
      .onehot_i(onehot[k*Depth +: Depth]), .index_o(place[k*PlaceW +: PlaceW])
    );
  end

  // Queues.
  logic [NumVl*PlaceW-1:0] head;
  logic [NumVl*PlaceW-1:0] tail;
  logic [NumVl-1:0]        holds;
  logic [PlaceW-1:0]       head_place;  // of the flit that is read
  logic [PlaceW-1:0]       push_tail;   // of the last flit of the VL that flits come to
  logic                    push_holds;
  logic                    take;
  assign head_place = head[pop_vl_i*PlaceW +: PlaceW];
  assign push_tail  = tail[push_vl_i*PlaceW +: PlaceW];
  assign push_holds = holds[push_vl_i];
  assign take       = pop_i && rst_ni;
  assign data_o     = word_q[head_place];
  for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_vl
    logic [CountW-1:0] count_q;
    logic [PlaceW-1:0] head_q;
    logic [PlaceW-1:0] tail_q;
    logic              push;
    logic              pop;
    logic              left;  // flits stay in the queue
    assign push  = comes[0] && (push_vl_i == VlW'(v));
    assign pop   = take && (pop_vl_i == VlW'(v));
    assign left  = count_q != CountW'(pop);
    assign head[v*PlaceW +: PlaceW] = head_q;
    assign tail[v*PlaceW +: PlaceW] = tail_q;
    assign holds[v] = count_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else count_q <= count_q + (push ? CountW'(push_i) : '0) - CountW'(pop);
    end
    always_ff @(posedge clk_i) begin
      if (push) tail_q <= last_place;
      if (push && !left) head_q <= first_place;
      else if (pop) head_q <= next_q[head_q];
    end
`ifndef SYNTHESIS
    a_holds: assert property (@(posedge clk_i) disable iff (!rst_ni) pop |-> count_q != '0);
`endif
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Rate; k = k + 1) begin
      if (comes[k]) word_q[place[k*PlaceW +: PlaceW]] <= push_data_i[k*Width +: Width];
    end
  end
  always_ff @(posedge clk_i) begin
    if (comes[0] && push_holds) next_q[push_tail] <= first_place;
    for (int unsigned k = 1; k < Rate; k = k + 1) begin
      if (comes[k]) next_q[place[(k-1)*PlaceW +: PlaceW]] <= place[k*PlaceW +: PlaceW];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= '0;
    else taken_q <= ~free & ~(take ? (Depth'(1) << head_place) : '0);
  end

`ifndef SYNTHESIS
  a_rate:  assert property (@(posedge clk_i) disable iff (!rst_ni) push_i <= RateW'(Rate));
  a_place: assert property (@(posedge clk_i) disable iff (!rst_ni) !runs_over);
`endif
`ifdef FORMAL
  `include "flit_store_formal.svh"
`endif
`ifdef COVERAGE
  `include "flit_store_cover.svh"
`endif
endmodule
