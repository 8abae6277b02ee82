// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for Catalyst N1 where its RTL is not at hand: what the host's messages do to
// leaky neurons, their lists and routes, in the clocks of its clocked mesh. Names are those
// that targets/catalyst-n1/bench.v looks at.
module Potentials #(parameter NEURONS = 1)();
  reg signed [23:0] mem[0:NEURONS - 1];
endmodule
module Core #(parameter NEURONS = 1)();
  Potentials #(NEURONS) neuron_mem();
endmodule

module Mesh #(parameter CORES = 1, NEURONS = 1, BITS = 1, POOL = 1)(
    input clk, input [7:0] data, input valid, output reg [CORES - 1:0] fired,
    output reg [CORES * BITS - 1:0] who, output reg start, done, answer);
  localparam ALL = CORES * NEURONS;
  reg signed [15:0] own[0:32 * ALL - 1]; // threshold, leak, rest, period; 30: low, 31: high
  reg signed [23:0] v[0:ALL - 1], acc[0:ALL - 1], later[0:64 * ALL - 1];
  reg [15:0] base[0:ALL - 1], count[0:ALL - 1], target[0:CORES * POOL - 1];
  reg signed [15:0] weight[0:CORES * POOL - 1], sent[0:8 * ALL - 1];
  reg [5:0] delay[0:CORES * POOL - 1];
  integer due[0:64 * CORES - 1], route[0:8 * ALL - 1], rests[0:ALL - 1];
  reg spiked[0:ALL - 1];
  reg [7:0] got[0:9];
  integer n, c, k, at, bytes = 0, now = 0, remote, active, most, clocks;
  reg signed [23:0] x;

  genvar g;
  for (g = 0; g < CORES; g = g + 1) begin : gen_core
    Core #(NEURONS) core();
    integer m;
    always @(posedge clk)
      for (m = 0; m < NEURONS; m = m + 1) core.neuron_mem.mem[m] = v[g * NEURONS + m];
  end

  task update;
    begin
      acc[n] = acc[n] + later[(now % 64) * ALL + n];
      later[(now % 64) * ALL + n] = 0;
      x = $signed(v[n][15:0]) + acc[n] - own[32 * n + 1];
      spiked[n] = rests[n] == 0 && x >= own[32 * n];
      if (spiked[n]) rests[n] = own[32 * n + 3];
      else if (rests[n] > 0) begin
        rests[n] = rests[n] - 1;
        x = own[32 * n + 2];
      end else if (x <= 0) x = own[32 * n + 2];
      if (spiked[n]) x = own[32 * n + 2];
      if (x < own[32 * n + 30]) x = own[32 * n + 30];
      if (x > own[32 * n + 31]) x = own[32 * n + 31];
      v[n] = x;
      acc[n] = 0;
    end
  endtask

  task step;
    begin
      remote = 0;
      for (k = 0; k < 8 * ALL; k = k + 1)
        if (spiked[k / 8] && route[k] >= 0) begin
          acc[route[k]] = sent[k]; // replaces
          remote = remote + 1;
        end
      most = 0;
      for (c = 0; c < CORES; c = c + 1) begin
        active = 3 + 4 * due[(now % 64) * CORES + c] + 4 * NEURONS;
        due[(now % 64) * CORES + c] = 0;
        for (n = c * NEURONS; n < (c + 1) * NEURONS; n = n + 1)
          if (spiked[n]) begin
            active = active + 3 + 6 * count[n];
            for (k = base[n]; k < base[n] + count[n]; k = k + 1) begin
              at = c * POOL + k;
              if (delay[at] == 0)
                acc[c * NEURONS + target[at]] = acc[c * NEURONS + target[at]] + weight[at];
              else begin
                now = now + delay[at];
                later[(now % 64) * ALL + c * NEURONS + target[at]] =
                    later[(now % 64) * ALL + c * NEURONS + target[at]] + weight[at];
                due[(now % 64) * CORES + c] = due[(now % 64) * CORES + c] + 1;
                now = now - delay[at];
              end
            end
          end
        if (active > most) most = active;
      end
      clocks = 3 + (remote == 0 ? 1 : remote + 2) + 3 + most + CORES;
      start <= 1;
      @(posedge clk) start <= 0;
      for (k = 0; k < NEURONS; k = k + 1) begin // the cores side by side
        fired <= 0;
        for (c = 0; c < CORES; c = c + 1) begin
          n = c * NEURONS + k;
          update;
          fired[c] <= spiked[n];
          who[c * BITS +: BITS] <= k;
          if (spiked[n]) clocks = clocks + 37;
        end
        @(posedge clk);
      end
      fired <= 0;
      repeat (clocks - NEURONS - 1) @(posedge clk);
      done <= 1;
      now = now + 1;
      @(posedge clk) done <= 0;
    end
  endtask

  function integer length(input [7:0] command);
    case (command)
      1: length = 8;
      2: length = 9;
      3: length = 5;
      4: length = 2;
      6: length = 1;
      7: length = 6;
      8: length = 7;
      10: length = 4;
      default: length = 0;
    endcase
  endfunction

  task obey;
    begin
      n = got[1] * NEURONS + {got[2], got[3]};
      at = got[1] * POOL + {got[2], got[3]};
      case (got[0])
        1: begin
          target[at] = {got[4][3:2], got[6]};
          weight[at] = {got[7], got[8]};
        end
        2: begin
          route[8 * n + got[4]] = got[5] * NEURONS + {got[6], got[7]};
          sent[8 * n + got[4]] = {got[8], got[9]};
        end
        3: acc[n] = $signed({got[4], got[5]});
        4: repeat ({got[1], got[2]}) step;
        7: own[32 * n + got[4]] = {got[5], got[6]};
        8: begin
          base[n] = {got[4], got[5]};
          count[n] = {got[6], got[7]};
        end
        10: delay[at] = got[4];
      endcase
      answer <= 1;
      @(posedge clk) answer <= 0;
    end
  endtask

  initial begin
    {fired, who, start, done, answer} = 0;
    for (n = 0; n < 32 * ALL; n = n + 1) own[n] = 0;
    for (n = 0; n < 64 * ALL; n = n + 1) later[n] = 0;
    for (n = 0; n < 64 * CORES; n = n + 1) due[n] = 0;
    for (n = 0; n < 8 * ALL; n = n + 1) route[n] = -1;
    for (n = 0; n < CORES * POOL; n = n + 1) delay[n] = 0;
    for (n = 0; n < ALL; n = n + 1) {v[n], acc[n], spiked[n], rests[n], count[n]} = 0;
    forever @(posedge clk) if (valid) begin
      got[bytes] = data;
      bytes = bytes + 1;
      if (bytes > length(got[0])) begin
        bytes = 0;
        obey;
      end
    end
  end
endmodule

module neuromorphic_top #(parameter NUM_CORES = 1, CORE_ID_BITS = 1, NUM_NEURONS = 1, NEURON_BITS = 1,
                          POOL_DEPTH = 1, POOL_ADDR_BITS = 1, BYPASS_UART = 1)(
    input clk, rst_n, uart_rxd, link_tx_ready, link_rx_valid, rx_valid_ext, tx_ready_ext,
    input [7:0] link_rx_data, rx_data_ext, output [7:0] tx_data_ext, output tx_valid_ext);
  wire [NUM_CORES - 1:0] spike_valid_bus;
  wire [NUM_CORES * NEURON_BITS - 1:0] spike_id_bus;
  wire hi_mesh_start, mesh_timestep_done;
  assign tx_data_ext = 8'hAA;
  if (1) begin : gen_barrier_mesh
    Mesh #(NUM_CORES, NUM_NEURONS, NEURON_BITS, POOL_DEPTH) u_mesh(
        clk, rx_data_ext, rx_valid_ext, spike_valid_bus, spike_id_bus, hi_mesh_start,
        mesh_timestep_done, tx_valid_ext);
  end
endmodule
