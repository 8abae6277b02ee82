// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for RANC where its RTL is not at hand: what memory files and packets do in a
// tick, in its clocks. Names are those that targets/ranc/bench.v looks at.
module Rows #(parameter WIDTH = 1, COUNT = 1)();
  reg [WIDTH - 1:0] memory[0:COUNT - 1];
endmodule
module Tokens();
  reg [2:0] state = 0;
endmodule
module Place #(parameter WIDTH = 1, COUNT = 1, AXONS = 1)();
  Rows #(WIDTH, COUNT) CSRAM();
  Rows #(2, AXONS) TYPES();
  Tokens TokenController();
endmodule

module RANCNetworkGrid #(
  parameter GRID_DIMENSION_X = 2, GRID_DIMENSION_Y = 2, OUTPUT_CORE_X_COORDINATE = 0,
            OUTPUT_CORE_Y_COORDINATE = 0, NUM_OUTPUTS = 16, NUM_NEURONS = 16, NUM_AXONS = 16,
            DX_MSB = 25, DX_LSB = 17, DY_MSB = 16, DY_LSB = 8, MEMORY_FILEPATH = ""
)(input clk, rst, tick, input_buffer_empty, input [DX_MSB:0] packet_in,
  output reg [$clog2(NUM_OUTPUTS) - 1:0] packet_out, output reg packet_out_valid,
  output reg ren_to_input_buffer, output token_controller_error, scheduler_error);
  localparam CORES = GRID_DIMENSION_X * GRID_DIMENSION_Y, BITS = $clog2(NUM_AXONS),
             WIDTH = NUM_AXONS + 104 + BITS, FIELDS = WIDTH - NUM_AXONS,
             OUTPUT_CORE = OUTPUT_CORE_X_COORDINATE + OUTPUT_CORE_Y_COORDINATE * GRID_DIMENSION_X;
  reg [NUM_AXONS - 1:0] due[0:CORES * 16 - 1]; // by core and tick
  reg [NUM_OUTPUTS - 1:0] leaving = 0;
  reg [3:0] now = 0;
  reg arrives = 0;
  integer i, first;
  assign token_controller_error = 0, scheduler_error = 0;
  initial for (i = 0; i < CORES * 16; i = i + 1) due[i] = 0;

  task automatic put(input integer core, input [3:0] at, input integer axon);
    if (core == OUTPUT_CORE) leaving[axon] = 1;
    else due[core * 16 + at][axon] = 1;
  endtask

  always @(posedge clk) begin
    ren_to_input_buffer <= !rst && !input_buffer_empty && !ren_to_input_buffer && !arrives;
    arrives <= ren_to_input_buffer === 1;
    if (arrives)
      put(packet_in[DX_MSB:DX_LSB] + packet_in[DY_MSB:DY_LSB] * GRID_DIMENSION_X,
          now + packet_in[3:0], packet_in[DY_LSB - 1:4]);
    if (tick) now <= now + 1;
    packet_out_valid <= |leaving;
    for (first = 0; first < NUM_OUTPUTS && !leaving[first]; first = first + 1);
    if (|leaving) begin
      packet_out <= first;
      leaving[first] = 0;
    end
  end

  genvar curr_core;
  for (curr_core = 0; curr_core < CORES; curr_core = curr_core + 1) begin : gencore
    if (curr_core != OUTPUT_CORE) begin : place
      Place #(WIDTH, NUM_NEURONS, NUM_AXONS) Core();
      reg [8 * 256:1] file;
      reg [WIDTH - 1:0] row;
      reg signed [8:0] potential, above, below;
      reg [NUM_AXONS - 1:0] seen;
      reg signed [8:0] dx, dy;
      integer n, axon, left;
      initial begin
        $sformat(file, "%0scsram_%03d.mem", MEMORY_FILEPATH, curr_core);
        $readmemb(file, Core.CSRAM.memory);
        $sformat(file, "%0stc_%03d.mem", MEMORY_FILEPATH, curr_core);
        $readmemb(file, Core.TYPES.memory);
      end
      always @(posedge clk) if (tick) begin
        Core.TokenController.state = 1;
        seen = due[curr_core * 16 + now];
        due[curr_core * 16 + now] = 0;
        for (n = 0; n < NUM_NEURONS; n = n + 1) begin
          row = Core.CSRAM.memory[n];
          potential = row[FIELDS - 1 -: 9];
          for (axon = 0; axon < NUM_AXONS; axon = axon + 1)
            if (seen[axon] && row[FIELDS + axon])
              potential = potential + row[FIELDS - 19 - 9 * Core.TYPES.memory[axon] -: 9];
          potential = potential + row[FIELDS - 55 -: 9];
          above = row[FIELDS - 64 -: 9];
          below = row[FIELDS - 73 -: 9];
          dx = row[FIELDS - 83 -: 9];
          dy = row[FIELDS - 92 -: 9];
          if (potential >= above) begin
            potential = row[FIELDS - 82] ? potential - above : row[FIELDS - 10 -: 9];
            put(curr_core + dx + dy * GRID_DIMENSION_X, now + 1 + row[3:0], row[BITS + 3:4]);
          end else if (potential < below)
            potential = row[FIELDS - 82] ? potential - below : -row[FIELDS - 10 -: 9];
          Core.CSRAM.memory[n][FIELDS - 1 -: 9] = potential;
        end
        left = NUM_NEURONS * (NUM_AXONS + 2) + 2;
      end else if (left > 0) begin
        left = left - 1;
        if (left == 0) Core.TokenController.state = 0;
      end
    end
  end
endmodule
