// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/microcode/Legality.h"

#include "compiler/transforms/network/Refusal.h"
#include "targets/loader/chip/Sections.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace dendrolith {
namespace {

/// Which chips to choose instead of one that lacks the instruction.
std::string whoHas(MicroOp op) {
  std::vector<std::string> names = targetsWith(op);
  return names.empty() ? "no target has it"
                       : llvm::join(names, ", ") + " have it";
}

LogicalResult checkInstructions(dend::NeuronOp model, const VirtualCode &code,
                                const Target &chip) {
  for (const VirtualInstruction &i : code.code) {
    if (!chip.microcode.has(i.code.op))
      return refuse(emitError(i.location),
                    "'" + i.name + "' of model '@" + model.getSymName() +
                        "' needs the instruction '" + toString(i.code.op) +
                        "', which target '" + chip.name + "' lacks",
                    whoHas(i.code.op));
    if (i.code.width > chip.microcode.wordBits)
      return refuse(emitError(i.location),
                    "'" + i.name + "' of model '@" + model.getSymName() +
                        "' has a value of " + Twine(int(i.code.width)) +
                        " bits, target '" + chip.name + "' has words of " +
                        Twine(chip.microcode.wordBits),
                    "rescale to fewer bits");
  }
  return success();
}

LogicalResult checkSizes(dend::NeuronOp model, const VirtualCode &code,
                         const Microprogram &program, const Target &chip) {
  auto refused = [&](uint64_t needs, const Twine &what, uint64_t has,
                     StringRef limit, StringRef remedy) {
    const std::string reason =
        ("model '@" + model.getSymName() + "' needs " + Twine(needs) + " " +
         what + ", target '" + chip.name + "' has " + Twine(has))
            .str();
    return refuse(model.emitError() << reason << "; " << remedy
                                    << ", or lift the limit (--override-limit "
                                    << limit << ")",
                  Refusal{reason, /*oneNeuron=*/true, limit.str(), needs, has});
  };
  const MicrocodeAbility &has = chip.microcode;
  if (has.registers && program.registers > *has.registers)
    return refused(program.registers, "registers", *has.registers, "registers",
                   "use shorter vectors or fewer values at a time");
  uint64_t words = code.code.size() + code.constants.size();
  if (has.programWords && words > *has.programWords)
    return refused(words, "program words", *has.programWords, "program_words",
                   "use fewer operations or smaller tables");
  uint64_t bits = 0;
  for (const auto &state : program.states)
    bits += uint64_t(state.elements * state.width);
  uint64_t bytes = (bits + 7) / 8;
  if (has.stateBytes && bytes > *has.stateBytes)
    return refused(bytes, "bytes of state per neuron", *has.stateBytes,
                   "state_bytes", "use fewer or narrower states");
  return success();
}

LogicalResult checkSpikes(dend::NeuronOp model, const Microprogram &program,
                          const Target &chip) {
  for (const auto &output : program.outputs) {
    auto refused = [&](const Twine &why, const Twine &advice = "") {
      return refuse(model.emitError(),
                    "output '" + output.name + "' of model '@" +
                        model.getSymName() + "' sends " + Twine(output.low) +
                        " to " + Twine(output.high) + why,
                    advice);
    };
    if (output.kind != chip::EmissionKind::Graded)
      continue;
    if (!chip.spikes.graded)
      return refused(", target '" + chip.name + "' has no graded spikes");
    if (output.low < 0 && !chip.spikes.sign)
      return refused(", payloads of target '" + chip.name + "' have no sign");
    const uint32_t bits = payloadBits(output.low, output.high);
    if (bits > chip.spikes.payloadBits)
      return refused(", which takes " + Twine(bits) + " bits of payload",
                     "target '" + chip.name + "' has " +
                         Twine(chip.spikes.payloadBits));
  }
  return success();
}

} // namespace

LogicalResult checkLegal(dend::NeuronOp model, const VirtualCode &code,
                         const Microprogram &program, const Target &chip) {
  return failure(failed(checkInstructions(model, code, chip)) ||
                 failed(checkSizes(model, code, program, chip)) ||
                 failed(checkSpikes(model, program, chip)));
}

} // namespace dendrolith
