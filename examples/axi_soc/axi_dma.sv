// Copies words over AXI4: reads a block burst by burst and writes each burst to its new place.
//
// Bursts of `Beats` beats of 8 bytes, INCR, aligned to their size; one burst at a time in either direction, and the next one
// is read while the one before is written. `start_i` for one cycle, with addresses and the number of bursts; `done_o` is
// high from the answer to the last write to the next start; `error_o` when an answer was not OKAY. `Id`: of all its bursts.
module axi_dma #(
    parameter int unsigned Beats = 8,
    parameter int unsigned Id = 0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  logic [31:0] from_i,
    input  logic [31:0] to_i,
    input  logic [15:0] bursts_i,
    output logic        done_o,
    output logic        error_o,
    output logic        awvalid_o,
    input  logic        awready_i,
    output logic [ 3:0] awid_o,
    output logic [31:0] awaddr_o,
    output logic [ 7:0] awlen_o,
    output logic [ 2:0] awsize_o,
    output logic [ 1:0] awburst_o,
    output logic        wvalid_o,
    input  logic        wready_i,
    output logic [63:0] wdata_o,
    output logic [ 7:0] wstrb_o,
    output logic        wlast_o,
    input  logic        bvalid_i,
    output logic        bready_o,
    input  logic [ 1:0] bresp_i,
    output logic        arvalid_o,
    input  logic        arready_i,
    output logic [ 3:0] arid_o,
    output logic [31:0] araddr_o,
    output logic [ 7:0] arlen_o,
    output logic [ 2:0] arsize_o,
    output logic [ 1:0] arburst_o,
    input  logic        rvalid_i,
    output logic        rready_o,
    input  logic [63:0] rdata_i,
    input  logic [ 1:0] rresp_i,
    input  logic        rlast_i
);
  localparam int unsigned BeatW = $clog2(Beats);

  // Two bursts: one is filled from R while the other is written.
  logic [63:0] buffer_q[2*Beats];
  logic [1:0] full_q;
  logic fill_q, drain_q;
  logic [BeatW-1:0] fill_beat_q, drain_beat_q;

  logic [31:0] from_q, to_q;
  logic [15:0] reads_q, writes_q, answers_q;  // still to be asked for, written, answered
  logic busy_q, reading_q, writing_q, aw_sent_q, w_sent_q, done_q, error_q;
  logic aw_done, w_done;

  assign awid_o = 4'(Id);
  assign arid_o = 4'(Id);
  assign awlen_o = 8'(Beats - 1);
  assign arlen_o = 8'(Beats - 1);
  assign awsize_o = 3'd3;
  assign arsize_o = 3'd3;
  assign awburst_o = 2'd1;
  assign arburst_o = 2'd1;
  assign wstrb_o = '1;

  assign arvalid_o = busy_q && reads_q != 0 && !reading_q && !full_q[fill_q];
  assign araddr_o = from_q;
  assign rready_o = reading_q;

  assign awvalid_o = writing_q && !aw_sent_q;
  assign awaddr_o = to_q;
  assign wvalid_o = writing_q && !w_sent_q;
  assign wdata_o = buffer_q[{drain_q, drain_beat_q}];
  assign wlast_o = drain_beat_q == BeatW'(Beats - 1);
  assign bready_o = busy_q;
  assign aw_done = aw_sent_q || (awvalid_o && awready_i);
  assign w_done = w_sent_q || (wvalid_o && wready_i && wlast_o);

  assign done_o = done_q;
  assign error_o = error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
      fill_q <= 1'b0;
      drain_q <= 1'b0;
      fill_beat_q <= '0;
      drain_beat_q <= '0;
      from_q <= '0;
      to_q <= '0;
      reads_q <= '0;
      writes_q <= '0;
      answers_q <= '0;
      busy_q <= 1'b0;
      reading_q <= 1'b0;
      writing_q <= 1'b0;
      aw_sent_q <= 1'b0;
      w_sent_q <= 1'b0;
      done_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      if (start_i && !busy_q) begin
        busy_q <= 1'b1;
        done_q <= 1'b0;
        error_q <= 1'b0;
        from_q <= from_i;
        to_q <= to_i;
        reads_q <= bursts_i;
        writes_q <= bursts_i;
        answers_q <= bursts_i;
      end
      if (arvalid_o && arready_i) begin
        reading_q <= 1'b1;
        from_q <= from_q + 32'(8 * Beats);
        reads_q <= reads_q - 1'b1;
      end
      if (rvalid_i && rready_o) begin
        buffer_q[{fill_q, fill_beat_q}] <= rdata_i;
        fill_beat_q <= fill_beat_q + 1'b1;
        if (rresp_i != 2'b00) error_q <= 1'b1;
        if (rlast_i) begin
          reading_q <= 1'b0;
          full_q[fill_q] <= 1'b1;
          fill_q <= !fill_q;
          fill_beat_q <= '0;
        end
      end
      if (!writing_q && writes_q != 0 && full_q[drain_q]) writing_q <= 1'b1;
      if (awvalid_o && awready_i) aw_sent_q <= 1'b1;
      if (wvalid_o && wready_i) begin
        drain_beat_q <= drain_beat_q + 1'b1;
        if (wlast_o) w_sent_q <= 1'b1;
      end
      if (writing_q && aw_done && w_done) begin
        writing_q <= 1'b0;
        aw_sent_q <= 1'b0;
        w_sent_q <= 1'b0;
        full_q[drain_q] <= 1'b0;
        drain_q <= !drain_q;
        drain_beat_q <= '0;
        to_q <= to_q + 32'(8 * Beats);
        writes_q <= writes_q - 1'b1;
      end
      if (bvalid_i && bready_o) begin
        answers_q <= answers_q - 1'b1;
        if (answers_q == 1) begin
          busy_q <= 1'b0;
          done_q <= 1'b1;
        end
        if (bresp_i != 2'b00) error_q <= 1'b1;
      end
    end
  end
endmodule
