// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of RANC, which reads the files of the folder grid/. Sends packets before their
// tick, and prints what reaches the bus, the clocks of a tick and potentials behind it.
// RANC's block around a core has no name, and is called `place` in a copy (cosim.py).
`timescale 1ns / 1ps
module bench;
  localparam AXON = $clog2(`AXONS), WIDTH = 18 + AXON + 4, CORES = `WIDE * `HIGH,
             ROW = `AXONS + 104 + AXON;
  reg clock = 0, reset = 1, tick = 0, show = 0;
  reg [WIDTH-1:0] packets[0:65535];
  integer due[0:65535];
  integer file, got, i, count = 0, next = 0, now = -1, at, ticks, clocks;
  reg [WIDTH-1:0] packet, sent;
  wire empty = !(next < count && due[next] <= now);
  wire [AXON-1:0] axon;
  wire valid, read, broken, late;
  wire [CORES-1:0] idle;
  RANCNetworkGrid #(
    .GRID_DIMENSION_X(`WIDE), .GRID_DIMENSION_Y(`HIGH), .OUTPUT_CORE_X_COORDINATE(`BUS % `WIDE),
    .OUTPUT_CORE_Y_COORDINATE(`BUS / `WIDE), .NUM_OUTPUTS(`AXONS), .NUM_NEURONS(`NEURONS),
    .NUM_AXONS(`AXONS), .DX_MSB(WIDTH - 1), .DX_LSB(WIDTH - 9), .DY_MSB(WIDTH - 10),
    .DY_LSB(WIDTH - 18), .MEMORY_FILEPATH("grid/")
  ) dut(.clk(clock), .rst(reset), .tick(tick), .input_buffer_empty(empty), .packet_in(sent),
        .packet_out(axon), .packet_out_valid(valid), .ren_to_input_buffer(read),
        .token_controller_error(broken), .scheduler_error(late));
  genvar c;
  for (c = 0; c < CORES; c = c + 1) begin : look
    if (c == `BUS) assign idle[c] = 1;
    else begin
      integer n;
      assign idle[c] = dut.gencore[c].place.Core.TokenController.state == 0;
      always @(posedge show)
        for (n = 0; n < `NEURONS; n = n + 1)
          $display("potential %0d %0d %0d", now, c * `NEURONS + n, $signed(
                   dut.gencore[c].place.Core.CSRAM.memory[n][ROW - `AXONS - 1 -: 9]));
    end
  end
  always #5 clock = ~clock;
  always @(posedge clock) begin
    if (valid) $display("spike %0d %0d %0d", now, axon, clocks);
    if (read && !empty) begin
      sent <= packets[next];
      next <= next + 1;
    end
  end
  initial begin
    if (!$value$plusargs("ticks=%d", ticks)) ticks = 0;
    file = $fopen("packets.txt", "r");
    got = $fscanf(file, "%d %b\n", at, packet);
    while (got == 2) begin
      due[count] = at;
      packets[count] = packet;
      count = count + 1;
      got = $fscanf(file, "%d %b\n", at, packet);
    end
    repeat (10) @(negedge clock);
    reset = 0;
    for (now = 0; now < ticks; now = now + 1) begin
      repeat (20) @(negedge clock);
      while (!empty) @(negedge clock);
      repeat (100 + 20 * (`WIDE + `HIGH)) @(negedge clock);
      $display("operation %0d 0", now);
      tick = 1;
      clocks = 0;
      @(negedge clock) tick = 0;
      while (!(&idle)) @(negedge clock) clocks = clocks + 1;
      $display("clocks %0d %0d", now, clocks);
      repeat (100 + 20 * (`WIDE + `HIGH)) @(negedge clock) clocks = clocks + 1;
      show = 1;
      @(negedge clock) show = 0;
    end
    if (broken || late || next != count) $display("lost");
    $display("end");
    $finish;
  end
endmodule
