// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for tinyODIN, as ODIN.v, whose memories it has, does for ODIN.
module TinyNeurons();
  Words #(32, 256) neurarray_0();
endmodule
module TinyScheduler();
  reg [7:0] queue[0:127];
  integer count = 0;
  wire empty_main = count == 0;
endmodule

module tinyODIN(input CLK, RST, SCK, MOSI, output MISO, input [9:0] AERIN_ADDR, input AERIN_REQ,
                output reg AERIN_ACK, output reg [7:0] AEROUT_ADDR, output reg AEROUT_REQ,
                input AEROUT_ACK);
  TinyNeurons neuron_core_0();
  Synapses synaptic_core_0();
  Controller controller_0();
  TinyScheduler scheduler_0();
  assign MISO = 0;
  reg gate = 1, open = 1;
  reg [7:0] last = 255;
  integer n, k, bits = 0, left;
  reg [39:0] shifted;
  reg [31:0] word;
  reg signed [3:0] weight;
  integer potential, leak;
  reg fires;

  always @(posedge SCK) begin
    shifted = {shifted[38:0], MOSI};
    bits = bits + 1;
    if (bits == 40) begin
      bits = 0;
      if (shifted[37:36] == 0) begin
        if (shifted[35:20] == 0) gate = shifted[0];
        if (shifted[35:20] == 1) open = shifted[0];
        if (shifted[35:20] == 3) last = shifted[7:0];
      end
      if (shifted[37:36] == 1)
        neuron_core_0.neurarray_0.SRAM[shifted[27:20]][8 * shifted[29:28] +: 8] = shifted[7:0];
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

  task visit(input timed, input [7:0] source);
    begin
      controller_0.state = timed ? 5 : 9;
      for (n = 0; n <= last; n = n + 1) begin
        repeat (2) @(posedge CLK);
        word = neuron_core_0.neurarray_0.SRAM[n];
        weight = synaptic_core_0.synarray_0.SRAM[source * 32 + n / 8][4 * (n % 8) +: 4];
        potential = $signed(word[11:0]);
        leak = word[30:24];
        if (!timed) potential = potential + weight;
        else if (potential > 0) potential = potential > leak ? potential - leak : 0;
        else potential = -potential > leak ? potential + leak : 0;
        potential = potential < -2048 ? -2048 : potential > 2047 ? 2047 : potential;
        fires = potential >= 0 && potential >= word[23:12];
        neuron_core_0.neurarray_0.SRAM[n][11:0] = fires ? 0 : potential;
        if (fires && !word[31]) begin
          if (!open && scheduler_0.count < 128) begin
            scheduler_0.queue[scheduler_0.count] = n;
            scheduler_0.count = scheduler_0.count + 1;
          end
          if (timed && n == last) controller_0.state = 0;
          leave(n);
        end
      end
      if (!timed) @(posedge CLK);
      controller_0.state = 0;
    end
  endtask

  task pop;
    begin
      visit(0, scheduler_0.queue[0]);
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
        if (AERIN_ADDR[8:0] == 9'h1FF) visit(1, 0);
        else if (scheduler_0.count < 128) begin
          scheduler_0.queue[scheduler_0.count] = AERIN_ADDR[7:0];
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
