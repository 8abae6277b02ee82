// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for ODIN where its RTL is not at hand: what loader files and events do to
// LIF neurons, in its clocks. Names are those that targets/odin/bench.v looks at.
module Words #(parameter WIDTH = 1, COUNT = 1)();
  reg [WIDTH - 1:0] SRAM[0:COUNT - 1];
endmodule
module Neurons();
  Words #(128, 256) neurarray_0();
endmodule
module Synapses();
  Words #(32, 8192) synarray_0();
endmodule
module Controller();
  reg [3:0] state = 0;
endmodule
module Scheduler();
  reg [7:0] queue[0:31];
  integer count = 0;
  wire empty_main = count == 0;
endmodule

module ODIN(input CLK, RST, SCK, MOSI, output MISO, input [16:0] AERIN_ADDR, input AERIN_REQ,
            output reg AERIN_ACK, output reg [7:0] AEROUT_ADDR, output reg AEROUT_REQ,
            input AEROUT_ACK);
  Neurons neuron_core_0();
  Synapses synaptic_core_0();
  Controller controller_0();
  Scheduler scheduler_0();
  assign MISO = 0;
  reg gate = 1, open = 1;
  reg [255:0] signs = 0;
  integer n, k, bits = 0, left;
  reg [39:0] shifted;
  reg [127:0] word;
  reg [3:0] nibble;
  reg [7:0] source;
  integer potential, leaks;
  reg fires;

  always @(posedge SCK) begin
    shifted = {shifted[38:0], MOSI};
    bits = bits + 1;
    if (bits == 40) begin
      bits = 0;
      if (shifted[37:36] == 0) begin
        if (shifted[35:20] == 0) gate = shifted[0];
        if (shifted[35:20] == 1) open = shifted[0];
        if (shifted[35:20] >= 2 && shifted[35:20] <= 17)
          signs[16 * (shifted[35:20] - 2) +: 16] = shifted[15:0];
      end
      if (shifted[37:36] == 1)
        neuron_core_0.neurarray_0.SRAM[shifted[27:20]][8 * shifted[31:28] +: 8] = shifted[7:0];
      if (shifted[37:36] == 2)
        synaptic_core_0.synarray_0.SRAM[shifted[32:20]][8 * shifted[34:33] +: 8] = shifted[7:0];
    end
  end

  task leave(input [7:0] number);
    begin
      AEROUT_ADDR = number;
      AEROUT_REQ = 1;
      for (left = 8; left > 0; left = left - 1) begin
        @(posedge CLK);
        if (AEROUT_ACK) AEROUT_REQ = 0;
      end
    end
  endtask

  task visit(input timed);
    begin
      controller_0.state = timed ? 5 : 9;
      for (n = 0; n < 256; n = n + 1) begin
        repeat (2) @(posedge CLK);
        word = neuron_core_0.neurarray_0.SRAM[n];
        nibble = synaptic_core_0.synarray_0.SRAM[source * 32 + n / 8][4 * (n % 8) +: 4];
        potential = word[77:70];
        if (timed) leaks = word[8] ? word[7:1] : 0;
        else leaks = !nibble[3] ? 0 : signs[source] ? nibble[2:0] : -nibble[2:0];
        potential = potential - leaks;
        potential = potential < 0 ? 0 : potential > 255 ? 255 : potential;
        fires = potential >= word[16:9];
        neuron_core_0.neurarray_0.SRAM[n][77:70] = fires ? 0 : potential;
        if (fires && !word[127]) begin
          if (!open && scheduler_0.count < 32) begin
            scheduler_0.queue[scheduler_0.count] = n;
            scheduler_0.count = scheduler_0.count + 1;
          end
          if (n == 255) controller_0.state = 0;
          leave(n);
        end
      end
      controller_0.state = 0;
    end
  endtask

  task pop;
    begin
      source = scheduler_0.queue[0];
      visit(0);
      for (k = 1; k < scheduler_0.count; k = k + 1)
        scheduler_0.queue[k - 1] = scheduler_0.queue[k];
      scheduler_0.count = scheduler_0.count - 1;
    end
  endtask

  initial begin
    AERIN_ACK = 0;
    AEROUT_REQ = 0;
    forever begin
      @(posedge CLK);
      if (!gate && AERIN_REQ) begin
        if (AERIN_ADDR == 17'h7F) visit(1);
        else if (scheduler_0.count < 32) begin
          scheduler_0.queue[scheduler_0.count] = AERIN_ADDR[15:8];
          scheduler_0.count = scheduler_0.count + 1;
        end
        AERIN_ACK = 1;
        while (AERIN_REQ) @(posedge CLK);
        AERIN_ACK = 0;
        @(posedge CLK);
        if (!scheduler_0.empty_main) pop; // before the bus has the next one
      end else if (!gate && !scheduler_0.empty_main) pop;
    end
  end
endmodule
