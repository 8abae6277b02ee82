// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program puts into a chip whose neuron is a circuit: parameters of its
// neurons, and who reaches whom. Loader files are made from it.

#ifndef DENDROLITH_COMPILER_EXPORT_LOADER_CHIPTABLES_H
#define DENDROLITH_COMPILER_EXPORT_LOADER_CHIPTABLES_H

#include "runtime/image/program.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith {
class Target;
struct Chip;
} // namespace dendrolith

namespace dendrolith::loader {

struct Neuron {
  std::string population;
  uint64_t number = 0;                   ///< the model's
  int64_t phase = 0;                     ///< the step of its first tick
  std::map<std::string, int64_t> params; ///< by name
  int64_t start = 0;                     ///< of its potential
  std::string output;                    ///< that its spikes are, or empty
};

struct Core {
  uint32_t id = 0;
  std::vector<Neuron> neurons; ///< by slot
};

struct Synapse {
  uint32_t slot = 0, port = 0;
  int64_t weight = 0;
};

/// What a spike of a sender does on one core.
struct Reach {
  uint32_t core = 0;
  int64_t delay = 0; ///< in ticks of the network
  std::vector<Synapse> synapses;
};

/// An element of an input, or a neuron.
struct Sender {
  std::string name;
  uint64_t number = 0;
  bool isHost = false;
  uint32_t core = 0, slot = 0; ///< of a neuron
  int64_t phase = 0;
  std::vector<Reach> reach;

  /// "input 'x', element 3" or "neuron 3 of 'n'".
  std::string text() const;
};

struct ChipTables {
  std::vector<Core> cores;     ///< those in use, by id
  std::vector<Sender> senders; ///< that reach somebody; inputs first
};

/// Reads a validated program. Throws Error for a group whose program is not
/// `circuit`, the one of the chip's own neuron, and for an input that is not
/// binary.
ChipTables chipTables(const image::Program &program,
                      const image::Microprogram &circuit);

/// A number or flag of the chip's section `loader`. Throws Error where it is
/// not there.
int64_t held(const Chip &chip, const std::string &key);

// Throw Error for what is beyond the section `loader`.
void checkNeuron(const Neuron &neuron, const Chip &chip);
void checkWeight(const Sender &sender, int64_t weight, const Chip &chip);

/// The files of a chip's loader by their names: `names.txt` says which number
/// is which neuron. Formats are names of chips. Throws Error, with the layer,
/// for what the chip cannot hold.
std::map<std::string, std::string> filesOf(const std::string &format,
                                           const image::Program &program,
                                           const image::Microprogram &circuit,
                                           const Target &chip);
std::map<std::string, std::string> spiFiles(const image::Program &program,
                                            const image::Microprogram &circuit,
                                            const Target &chip, bool isTiny);
std::map<std::string, std::string> meshFiles(const image::Program &program,
                                             const image::Microprogram &circuit,
                                             const Target &chip);
std::map<std::string, std::string> rancFiles(const image::Program &program,
                                             const image::Microprogram &circuit,
                                             const Target &chip);

} // namespace dendrolith::loader

#endif // DENDROLITH_COMPILER_EXPORT_LOADER_CHIPTABLES_H
