// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends the messages of a file to Catalyst N1's host interface, and prints the spikes, the
// clocks and the potentials of each step that one of them runs.
`timescale 1ns / 1ps
module bench;
  localparam BITS = $clog2(`NEURONS);
  reg clock = 0, reset = 0, valid = 0, answered = 0;
  reg [7:0] data = 0, command, got;
  wire [7:0] answer;
  wire there;
  integer file, count, k, ok, operation = -1, clocks = 0;
  neuromorphic_top #(
    .NUM_CORES(`CORES), .CORE_ID_BITS(`CORES > 2 ? $clog2(`CORES) : 1), .NUM_NEURONS(`NEURONS),
    .NEURON_BITS(BITS), .POOL_DEPTH(`POOL), .POOL_ADDR_BITS($clog2(`POOL)), .BYPASS_UART(1)
  ) dut(.clk(clock), .rst_n(reset), .uart_rxd(1'b1), .link_tx_ready(1'b0), .link_rx_data(8'b0),
        .link_rx_valid(1'b0), .rx_data_ext(data), .rx_valid_ext(valid), .tx_data_ext(answer),
        .tx_valid_ext(there), .tx_ready_ext(1'b1));
  always #5 clock = ~clock;

  genvar c;
  for (c = 0; c < `CORES; c = c + 1) begin : look
    integer n;
    always @(posedge clock) begin
      if (dut.spike_valid_bus[c])
        $display("spike %0d %0d %0d", operation, c * `NEURONS + dut.spike_id_bus[c * BITS +: BITS],
                 clocks);
      if (dut.mesh_timestep_done)
        for (n = 0; n < `NEURONS; n = n + 1)
          $display("potential %0d %0d %0d", operation, c * `NEURONS + n,
                   $signed(dut.gen_barrier_mesh.u_mesh.gen_core[c].core.neuron_mem.mem[n]));
    end
  end
  always @(posedge clock) begin
    clocks <= dut.hi_mesh_start ? 1 : clocks + 1;
    if (dut.hi_mesh_start) begin
      operation = operation + 1;
      $display("operation %0d 0", operation);
    end
    if (dut.mesh_timestep_done) $display("clocks %0d %0d", operation, clocks);
    if (there) answered <= 1;
    else if (valid) answered <= 0;
  end
  initial begin
    repeat (10) @(negedge clock);
    reset = 1;
    repeat (10) @(negedge clock);
    file = $fopen("messages.txt", "r");
    ok = $fscanf(file, "%d", count);
    while (ok == 1) begin
      for (k = 0; k < count; k = k + 1) begin
        ok = $fscanf(file, "%h", data);
        valid = 1;
        @(negedge clock) valid = 0;
        @(negedge clock);
      end
      while (!answered) @(negedge clock);
      repeat (20) @(negedge clock);
      ok = $fscanf(file, "%d", count);
    end
    $display("end");
    $finish;
  end
endmodule
