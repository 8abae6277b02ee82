// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wires as Lava's synapse processes, and what they join.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_SYNAPSES_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_SYNAPSES_H

#include "compiler/export/lava/Wire.h"
#include "compiler/lava/Tensors.h"

#include <set>

namespace dendrolith::lava {

/// A port of a process. Neurons numbered (C, H, W) by us are (W, H, C) in
/// Lava; every other shape has the same order in both, that of a neuron's own
/// elements, too, which are the axes behind those of the neurons.
struct Terminal {
  std::string process, port;
  Dims shape;             // Lava's
  bool isPicture = false; // its first three axes are (W, H, C)
};

/// The sending port: that of neurons, or a host's input. For an input there is
/// no process, and `port` is its name.
struct Sender : Terminal {
  int64_t low = 0, high = 0; // of an input
  double scale = 0;          // of an input: value * scale, rounded

  Sender(std::string process, std::string port, Dims shape,
         bool isPicture = false)
      : Terminal{std::move(process), std::move(port), std::move(shape),
                 isPicture} {}
};

struct Receiver : Terminal {
  unsigned unit = 0;   // weights are divided by 2^unit, which they must allow
  unsigned width = 64; // of the port in the network: its sum modulo 2^width
  unsigned shift = 0;  // the sum is shifted right so far before it is used

  Receiver(std::string process, std::string port, Dims shape,
           bool isPicture = false)
      : Terminal{std::move(process), std::move(port), std::move(shape),
                 isPicture} {}
};

/// Lava's delay processes hold values for at most so many further steps.
constexpr int64_t kMostDelay = 62;

class SynapseWriter {
public:
  explicit SynapseWriter(Model &model);

  /// Adds the processes that carry the wire, and their connections. Values
  /// arrive `steps` steps after they were sent, at least 1; With `steps` 0
  /// there is a direct connection, which only wires that hand on can have. A
  /// wire whose weights are all zero adds nothing. Throws Error for a delay
  /// beyond Lava's, a sum beyond 32 bits, or a shifted sum that takes more than
  /// one process.
  void add(const Wire &wire, const Sender &sender, const Receiver &to,
           int64_t steps);

private:
  Process &process(const std::string &lavaClass, const std::string &wanted);
  void join(const Terminal &source, const std::string &process,
            const std::string &port, const Dims &shape);
  void joinInput(const Sender &sender, const std::string &process,
                 const std::string &port, const Dims &shape);
  bool addConvolution(const Wire &wire, const Sender &sender,
                      const Receiver &to);
  void addMatrix(const Wire &wire, const Sender &sender, const Receiver &to,
                 int64_t steps);

  Model &model;
  std::set<std::string> names;
};

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_SYNAPSES_H
