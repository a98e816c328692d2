/// Deficit Table egress scheduler with another micro-architecture than Weft's rtl/packet/dtable.sv: the table is searched
/// by a loop over its entries instead of one-hot masks. Pins, timing and decisions are the same (that file's header is
/// the data sheet), so it can stand in every place of one, alone or in lockstep with the model.
module my_dtable #(
  parameter int unsigned NumSl      = 16,
  parameter int unsigned NumEntries = 64,
  parameter int unsigned WeightW    = 16,
  parameter int unsigned SizeW      = 16,
  parameter int unsigned CountW     = 17,
  parameter int unsigned BugAfter   = 0,  ///< > 0: from this decision on one bit of what is left of the weight is wrong
  localparam int unsigned SlW    = $clog2(NumSl),
  localparam int unsigned EntryW = $clog2(NumEntries)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   cfg_we_i,
  input  logic [EntryW-1:0]      cfg_index_i,
  input  logic [SlW-1:0]         cfg_sl_i,
  input  logic [WeightW-1:0]     cfg_weight_i,
  input  logic                   decide_i,
  input  logic [NumSl-1:0]       active_i,
  input  logic [NumSl*SizeW-1:0] size_i,
  output logic                   grant_o,
  output logic [SlW-1:0]         grant_sl_o,
  output logic                   saturated_o
);

  logic [SlW-1:0]     sl_q     [NumEntries];
  logic [WeightW-1:0] weight_q [NumEntries];
  logic [CountW-1:0]  deficit_q [NumSl];
  logic [CountW-1:0]  left_q;      // of the weight of the selected entry
  logic [EntryW-1:0]  entry_q;     // selected last
  logic [SlW-1:0]     selected_q;  // its SL
  logic               any_q;       // an entry is selected
  logic [31:0]        decisions_q;

  function automatic logic [CountW-1:0] size_of(input logic [SlW-1:0] sl);
    return CountW'(size_i[sl*SizeW +: SizeW]);
  endfunction

  logic goes_on;  // the selected SL is active
  logic covers;   // and has weight left for its head message
  assign goes_on = any_q && active_i[selected_q];
  assign covers  = goes_on && left_q >= size_of(selected_q);

  logic              found;
  logic [EntryW-1:0] next;
  always_comb begin
    found = 1'b0;
    next  = '0;
    for (int unsigned i = 1; i <= NumEntries; i++) begin
      automatic logic [EntryW-1:0] e = EntryW'((32'(entry_q) + i) % NumEntries);
      if (!found && weight_q[e] != '0 && active_i[sl_q[e]]) begin
        found = 1'b1;
        next  = e;
      end
    end
  end

  logic [SlW-1:0]    sl;
  logic [CountW-1:0] kept;  // by the SL since its last turn
  logic [CountW:0]   sum;
  logic [CountW-1:0] left;
  always_comb begin
    sl   = covers ? selected_q : sl_q[next];
    kept = (goes_on && sl == selected_q) ? left_q : deficit_q[sl];
    sum  = {1'b0, left_q};
    if (!covers) sum = (CountW+1)'(weight_q[next]) + {1'b0, kept};
    left = sum[CountW] ? '1 : sum[CountW-1:0];
  end
  assign grant_o     = rst_ni && decide_i && (covers || (found && left >= size_of(sl)));
  assign grant_sl_o  = grant_o ? sl : '0;
  assign saturated_o = rst_ni && decide_i && !covers && found && sum[CountW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSl; s++) deficit_q[s] <= '0;
      left_q      <= '0;
      entry_q     <= EntryW'(NumEntries - 1);
      selected_q  <= '0;
      any_q       <= 1'b0;
      decisions_q <= '0;
    end else if (decide_i) begin
      decisions_q <= decisions_q + 1;
      if (!covers && goes_on) deficit_q[selected_q] <= left_q;
      if (!covers && found) begin
        deficit_q[sl] <= '0;
        entry_q       <= next;
        selected_q    <= sl;
      end
      for (int unsigned s = 0; s < NumSl; s++) begin
        if (!active_i[s]) deficit_q[s] <= '0;
      end
      any_q  <= covers || found;
      left_q <= (covers || found) ? left - (grant_o ? size_of(sl) : '0) : '0;
      if (BugAfter > 0 && decisions_q + 1 >= BugAfter) left_q[0] <= !left[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned e = 0; e < NumEntries; e++) weight_q[e] <= '0;
    end else if (cfg_we_i) begin
      sl_q[cfg_index_i]     <= cfg_sl_i;
      weight_q[cfg_index_i] <= cfg_weight_i;
    end
  end

`ifndef SYNTHESIS
  // What a run in lockstep should have seen: the report says which of them have held.
  c_goes_on:   cover property (@(posedge clk_i) disable iff (!rst_ni) grant_o && covers);
  c_next_sl:   cover property (@(posedge clk_i) disable iff (!rst_ni) grant_o && !covers);
  c_saturates: cover property (@(posedge clk_i) disable iff (!rst_ni) saturated_o);
`endif
endmodule
