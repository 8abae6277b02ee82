// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of RANC of 2 x 2 cores with 16 axons and 16 neurons, which reads the files of
// the folder grid/. Sends packets before their tick, and prints what reaches the bus.
`timescale 1ns / 1ps
module bench;
  reg clock = 0, reset = 1, tick = 0;
  reg [25:0] packets[0:4095];
  integer due[0:4095];
  integer file, got, count = 0, next = 0, now = -1, at, ticks;
  reg [25:0] packet, sent;
  wire empty = !(next < count && due[next] <= now);
  wire [3:0] axon;
  wire valid, read, broken, late;
  RANCNetworkGrid #(
    .GRID_DIMENSION_X(2), .GRID_DIMENSION_Y(2), .OUTPUT_CORE_X_COORDINATE(1),
    .OUTPUT_CORE_Y_COORDINATE(1), .NUM_OUTPUTS(16), .NUM_NEURONS(16), .NUM_AXONS(16),
    .DX_MSB(25), .DX_LSB(17), .DY_MSB(16), .DY_LSB(8), .MEMORY_FILEPATH("grid/")
  ) dut(.clk(clock), .rst(reset), .tick(tick), .input_buffer_empty(empty), .packet_in(sent),
        .packet_out(axon), .packet_out_valid(valid), .ren_to_input_buffer(read),
        .token_controller_error(broken), .scheduler_error(late));
  always #5 clock = ~clock;
  always @(posedge clock) begin
    if (valid) $display("spike %0d %0d", now, axon);
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
      repeat (200) @(negedge clock);
      tick = 1;
      @(negedge clock) tick = 0;
      repeat (500) @(negedge clock);
    end
    if (broken || late || next != count) $display("lost");
    $display("end");
    $finish;
  end
endmodule
