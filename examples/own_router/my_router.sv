/// Input-queued router of a user: the same rules as Weft's (docs/iq_router.md) with separable allocation, written as one
/// module of loops over arrays instead of many small ones.
///
/// Timing     one cycle each for routing, VC allocation, switch and crossbar, as rtl/packet/iq_router.sv with
///            BufferWrite=0 Routing=1 VcAllocation=1 SwitchAllocation=1 Crossbar=1 Credit=0 Islip=0 WhenEmpty=0 Trunk=1.
/// BugAfter   after so many flits the pointers of the output ports have a wrong lowest bit; 0: never.
module my_router #(
  parameter int unsigned Ports    = 5,
  parameter int unsigned Vcs      = 2,
  parameter int unsigned Width    = 32,
  parameter int unsigned Buffer   = 8,
  parameter int unsigned BugAfter = 0,
  localparam int unsigned PortW = $clog2(Ports),
  localparam int unsigned VcW   = (Vcs > 1) ? $clog2(Vcs) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Ports-1:0]       flit_valid_i,
  input  logic [Ports*VcW-1:0]   flit_vc_i,
  input  logic [Ports-1:0]       flit_head_i,
  input  logic [Ports-1:0]       flit_tail_i,
  input  logic [Ports*Width-1:0] flit_data_i,
  input  logic [Ports*PortW-1:0] hop_first_i,
  input  logic [Ports-1:0]       hop_count_i,
  input  logic [Ports*Vcs-1:0]   hop_vcs_i,
  output logic [Ports-1:0]       credit_valid_o,
  output logic [Ports*VcW-1:0]   credit_vc_o,
  output logic [Ports-1:0]       flit_valid_o,
  output logic [Ports*VcW-1:0]   flit_vc_o,
  output logic [Ports-1:0]       flit_head_o,
  output logic [Ports-1:0]       flit_tail_o,
  output logic [Ports*Width-1:0] flit_data_o,
  input  logic [Ports-1:0]       credit_valid_i,
  input  logic [Ports*VcW-1:0]   credit_vc_i
);
  localparam int unsigned All = Ports * Vcs;  // VC v of port p has the number p * Vcs + v, on both sides

  typedef struct packed {
    logic [Vcs-1:0]   vcs;
    logic [PortW-1:0] port;
    logic [Width-1:0] data;
    logic             tail;
    logic             head;
  } flit_t;

  // Input VCs: a ring of flits, the output VC that the packet owns, and whether its head has been routed.
  flit_t       ring_q    [All][Buffer];
  int unsigned read_q    [All];
  int unsigned count_q   [All];
  logic        routed_q  [All];
  logic        owns_q    [All];
  int unsigned out_q     [All];
  int unsigned choice_q  [All];  // VC it prefers
  // Output VCs, and ports.
  logic        taken_q   [All];
  int unsigned credit_q  [All];
  int unsigned winner_q  [All];    // input VC it prefers
  int unsigned vc_q      [Ports];  // VC that an input port prefers
  int unsigned port_q    [Ports];  // input port that an output port prefers
  int unsigned sent_q;

  logic        push   [All];
  flit_t       comes  [Ports];
  logic        has    [All];
  flit_t       front  [All];
  int unsigned credit [All];
  logic        match  [All];  // of an input VC: it gets an output VC
  int unsigned won    [All];
  logic        send   [All];
  logic [Ports-1:0] to_valid;  // of an output port: an input VC sends there
  int unsigned      from [Ports];

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      comes[p] = {hop_vcs_i[p*Vcs +: Vcs], hop_first_i[p*PortW +: PortW], flit_data_i[p*Width +: Width], flit_tail_i[p],
                  flit_head_i[p]};
      for (int unsigned v = 0; v < Vcs; v++) begin
        push[p*Vcs + v]   = rst_ni && flit_valid_i[p] && (flit_vc_i[p*VcW +: VcW] == VcW'(v));
        has[p*Vcs + v]    = push[p*Vcs + v] || (count_q[p*Vcs + v] != 0);
        front[p*Vcs + v]  = (count_q[p*Vcs + v] != 0) ? ring_q[p*Vcs + v][read_q[p*Vcs + v]] : comes[p];
        credit[p*Vcs + v] = credit_q[p*Vcs + v] +
                            ((credit_valid_i[p] && (credit_vc_i[p*VcW +: VcW] == VcW'(v))) ? 1 : 0);
      end
    end
  end

  // VC allocation: each head that has been routed asks for one VC, each VC takes one of those that ask.
  always_comb begin
    logic        asks [All];
    int unsigned want [All];
    for (int unsigned i = 0; i < All; i++) begin
      match[i] = 1'b0;
      won[i]   = 0;
      asks[i]  = 1'b0;
      want[i]  = 0;
      for (int unsigned k = Vcs; k > 0; k--) begin  // the last one that is found is the first in order
        int unsigned v;
        int unsigned o;
        v = (choice_q[i] + k - 1) % Vcs;
        o = 32'(front[i].port) * Vcs + v;
        if (rst_ni && routed_q[i] && has[i] && !owns_q[i] && front[i].vcs[v] && !taken_q[o]) begin
          asks[i] = 1'b1;
          want[i] = o;
        end
      end
    end
    for (int unsigned o = 0; o < All; o++) begin
      logic        found;
      int unsigned first;
      found = 1'b0;
      first = 0;
      for (int unsigned k = All; k > 0; k--) begin
        int unsigned i;
        i = (winner_q[o] + k - 1) % All;
        if (asks[i] && (want[i] == o)) begin
          found = 1'b1;
          first = i;
        end
      end
      for (int unsigned i = 0; i < All; i++) begin
        if (found && (first == i)) begin
          match[i] = 1'b1;
          won[i]   = o;
        end
      end
    end
  end

  // Switch: each input port asks for one VC, each output port takes one port.
  always_comb begin
    logic        asks [Ports];
    int unsigned vc   [Ports];
    for (int unsigned i = 0; i < All; i++) send[i] = 1'b0;
    for (int unsigned p = 0; p < Ports; p++) begin
      asks[p] = 1'b0;
      vc[p]   = 0;
      for (int unsigned k = Vcs; k > 0; k--) begin
        int unsigned v;
        v = (vc_q[p] + k - 1) % Vcs;
        if (rst_ni && owns_q[p*Vcs + v] && has[p*Vcs + v] && (credit[out_q[p*Vcs + v]] != 0)) begin
          asks[p] = 1'b1;
          vc[p]   = v;
        end
      end
    end
    for (int unsigned o = 0; o < Ports; o++) begin
      to_valid[o] = 1'b0;
      from[o]     = 0;
      for (int unsigned k = Ports; k > 0; k--) begin
        int unsigned p;
        p = (port_q[o] + k - 1) % Ports;
        if (asks[p] && (out_q[p*Vcs + vc[p]] / Vcs == o)) begin
          to_valid[o] = 1'b1;
          from[o]     = p*Vcs + vc[p];
        end
      end
      if (to_valid[o]) send[from[o]] = 1'b1;
    end
  end

  logic bug;
  assign bug = (BugAfter != 0) && (sent_q >= BugAfter);

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < All; i++) begin
      if (push[i]) ring_q[i][(read_q[i] + count_q[i]) % Buffer] <= comes[i / Vcs];
      if (send[i]) read_q[i] <= (read_q[i] + 1) % Buffer;
      count_q[i]  <= count_q[i] + (push[i] ? 1 : 0) - (send[i] ? 1 : 0);
      routed_q[i] <= has[i] && front[i].head && !owns_q[i] && !match[i];
      owns_q[i]   <= (owns_q[i] || match[i]) && !(send[i] && front[i].tail);
      credit_q[i] <= credit[i];
      if (match[i]) begin
        out_q[i]         <= won[i];
        choice_q[i]      <= (won[i] % Vcs + 1) % Vcs;
        taken_q[won[i]]  <= 1'b1;
        winner_q[won[i]] <= (i + 1) % All;
      end
    end
    for (int unsigned o = 0; o < Ports; o++) begin
      if (to_valid[o]) begin
        credit_q[out_q[from[o]]] <= credit[out_q[from[o]]] - 1;
        if (front[from[o]].tail) taken_q[out_q[from[o]]] <= 1'b0;
        vc_q[from[o] / Vcs] <= (from[o] % Vcs + 1) % Vcs;
        port_q[o]           <= ((from[o] / Vcs + 1) % Ports) ^ (bug ? 1 : 0);
      end
    end
    sent_q <= sent_q + $countones(to_valid);
    if (!rst_ni) begin
      sent_q <= 0;
      for (int unsigned i = 0; i < All; i++) begin
        read_q[i]   <= 0;
        count_q[i]  <= 0;
        routed_q[i] <= 1'b0;
        owns_q[i]   <= 1'b0;
        out_q[i]    <= 0;
        choice_q[i] <= 0;
        taken_q[i]  <= 1'b0;
        credit_q[i] <= Buffer;
        winner_q[i] <= 0;
      end
      for (int unsigned p = 0; p < Ports; p++) begin
        vc_q[p]   <= 0;
        port_q[p] <= 0;
      end
    end
  end

  // Credits have one stage, flits two.
  logic [Ports-1:0]       valid_q, head_q, tail_q;
  logic [Ports*VcW-1:0]   at_vc_q;
  logic [Ports*Width-1:0] data_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      credit_valid_o[p]          <= 1'b0;
      credit_vc_o[p*VcW +: VcW]  <= '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (send[p*Vcs + v]) begin
          credit_valid_o[p]         <= rst_ni;
          credit_vc_o[p*VcW +: VcW] <= VcW'(v);
        end
      end
      valid_q[p]                <= rst_ni && to_valid[p];
      head_q[p]                 <= to_valid[p] && front[from[p]].head;
      tail_q[p]                 <= to_valid[p] && front[from[p]].tail;
      at_vc_q[p*VcW +: VcW]     <= to_valid[p] ? VcW'(out_q[from[p]] % Vcs) : '0;
      data_q[p*Width +: Width]  <= to_valid[p] ? front[from[p]].data : '0;
    end
    {flit_valid_o, flit_head_o, flit_tail_o, flit_vc_o, flit_data_o} <=
        rst_ni ? {valid_q, head_q, tail_q, at_vc_q, data_q} : '0;
  end

  logic unused;
  assign unused = &{1'b0, hop_count_i};
endmodule
