// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads ODIN or tinyODIN (TINY) through its serial port, plays events, and prints what
// each operation of the controller takes and leaves. Memories start as words that never
// fire and zeros, so that load.txt may leave those out.
`timescale 1ns / 1ps
`ifdef TINY
  `define CHIP tinyODIN
  `define ADDRESS 10
  `define SILENT 32'h807FF000
  `define POTENTIAL 11:0
  `define WORKS (state == 5 || state == 7 || state == 9)
`else
  `define CHIP ODIN
  `define ADDRESS 17
  `define SILENT 128'h8000000000000000000000000001FE01
  `define POTENTIAL 77:70
  `define WORKS (state == 5 || state == 9)
`endif
module bench;
  reg clock = 0, reset = 1, sck = 0, mosi = 0, request = 0, late = 0, seen = 0;
  reg [`ADDRESS - 1:0] address = 0;
  wire miso, answer, leaves;
  wire [7:0] source;
  `CHIP dut(.CLK(clock), .RST(reset), .SCK(sck), .MOSI(mosi), .MISO(miso),
            .AERIN_ADDR(address), .AERIN_REQ(request), .AERIN_ACK(answer),
            .AEROUT_ADDR(source), .AEROUT_REQ(leaves), .AEROUT_ACK(seen));
  always #5 clock = ~clock;

  integer file, got, i, n, neurons, rests, operation = -1, clocks = 0, quiet = 0;
  reg [19:0] first, second;
  reg [39:0] word;
  reg worked = 0, loaded = 0;
  wire [3:0] state = dut.controller_0.state;
  always @(negedge clock) if (loaded) begin
    if (`WORKS && !worked) begin
      operation = operation + 1;
      clocks = 0;
      $display("operation %0d %0d", operation, state);
    end
    if (leaves && !late && !seen) $display("spike %0d %0d %0d", operation, source, clocks);
    late <= leaves; // a receiver that answers a clock later
    seen <= late;
    if (`WORKS) clocks = clocks + 1;
    if (worked && !`WORKS) begin
      $display("clocks %0d %0d", operation, clocks);
      for (n = 0; n < neurons; n = n + 1)
        $display("potential %0d %0d %0d", operation, n,
                 dut.neuron_core_0.neurarray_0.SRAM[n][`POTENTIAL]);
    end
    worked = `WORKS;
    quiet = leaves || late || seen || state != 0 || !dut.scheduler_0.empty_main ? 0 : quiet + 1;
  end
  initial begin
    if (!$value$plusargs("neurons=%d", neurons)) neurons = 0;
    for (i = 0; i < 256; i = i + 1) dut.neuron_core_0.neurarray_0.SRAM[i] = `SILENT;
    for (i = 0; i < 8192; i = i + 1) dut.synaptic_core_0.synarray_0.SRAM[i] = 0;
    repeat (20) @(negedge clock);
    reset = 0;
    repeat (20) @(negedge clock);
    file = $fopen("load.txt", "r");
    got = $fscanf(file, "%h %h\n", first, second);
    while (got == 2) begin
      word = {first, second};
      for (i = 39; i >= 0; i = i - 1) begin
        mosi = word[i];
        @(negedge clock) sck = 1;
        @(negedge clock) sck = 0;
      end
      got = $fscanf(file, "%h %h\n", first, second);
    end
    repeat (50) @(negedge clock);
    loaded = 1;
    file = $fopen("events.txt", "r");
    got = $fscanf(file, "%h %d\n", first, rests);
    while (got == 2) begin
      address = first;
      @(negedge clock) request = 1;
      wait (answer);
      @(negedge clock) request = 0;
      wait (!answer);
      quiet = 0;
      while (rests && quiet < 8) @(negedge clock); // else the next one comes at once
      got = $fscanf(file, "%h %d\n", first, rests);
    end
    $display("end");
    $finish;
  end
endmodule
