// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/CheckFormats.h"

#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/LayerScale.h"
#include "dialects/dend/Bindings.h"
#include "dialects/dend/NetworkIndex.h"
#include "targets/support/FixedNeuron.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstdlib>

using namespace mlir;

namespace dendrolith {
namespace {

/// Bits of a magnitude.
unsigned bitsOf(int64_t value) {
  return value ? 64 - llvm::countl_zero(uint64_t(std::abs(value))) : 0;
}

/// Bits of a number in two's complement.
unsigned signedBits(int64_t value) {
  return 1 + bitsOf(value < 0 ? value + 1 : value);
}

/// What the weights of a projection need.
struct WeightSpan {
  int64_t low = 0, high = 0;
  uint64_t any = 0; // all bits that occur in one of them
  void add(int64_t weight) {
    low = std::min(low, weight);
    high = std::max(high, weight);
    any |= uint64_t(weight);
  }
};

/// Copies nothing of the usual weights, of which there may be 10^9.
WeightSpan spanOf(dend::ProjectOp project) {
  WeightSpan span;
  if (!project.getWeightAttr()) {
    span.add(1);
    return span;
  }
  auto constant =
      dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
  auto raw = constant && constant.getValueAttr()
                 ? dend::rawElements(constant.getValueAttr())
                 : std::nullopt;
  if (raw && raw->element.isInteger())
    for (int64_t k = 0; k < raw->count; ++k)
      span.add(raw->integer(k));
  return span;
}

/// The parameters of one population, each against the keys that hold it.
class CubaCheck {
public:
  CubaCheck(dend::PopulationOp population, const CubaTable &cuba,
            const Target &chip)
      : population(population), cuba(cuba), chip(chip), f(chip.formats) {}

  LogicalResult all() {
    bool fits = succeeded(states());
    fits &= succeeded(decays());
    fits &= succeeded(thresholds());
    fits &= succeeded(biases());
    fits &= succeeded(refractoriness());
    return success(fits);
  }

private:
  /// "layer 'x': threshold 3776 needs 12 bits, and 'odin' holds 8
  /// (formats.threshold_bits)".
  LogicalResult refused(const Twine &what, const Twine &holds,
                        StringRef key) const {
    dend::PopulationOp op = population;
    return refuse(op.emitError(),
                  placeOfLayer(op.getSymName()) + ": " + what +
                      ", and target '" + chip.name + "' " + holds +
                      " (formats." + key + ")",
                  "choose a target that holds it, or quantise the network's "
                  "real numbers for this one");
  }

  LogicalResult tooWide(StringRef what, int64_t value, unsigned needs,
                        uint64_t bits, StringRef key) const {
    return refused(what + " " + Twine(value) + " needs " + Twine(needs) +
                       " bits",
                   "holds " + Twine(bits), key);
  }

  LogicalResult states() const {
    dend::CubaOp op = cuba.op;
    for (auto [what, value] :
         {std::pair<StringRef, int64_t>("vmax", op.getVmax()),
          std::pair<StringRef, int64_t>("vmin", op.getVmin())})
      if (signedBits(value) > f.stateBits)
        return tooWide(what, value, signedBits(value), f.stateBits,
                       "state_bits");
    if (op.getCurrentBits() > f.stateBits)
      return refused("its current has " + Twine(op.getCurrentBits()) + " bits",
                     "holds " + Twine(f.stateBits), "state_bits");
    for (int64_t value : cuba.startU)
      if (bitsOf(value) >= f.stateBits)
        return tooWide("initial current", value, signedBits(value), f.stateBits,
                       "state_bits");
    return success();
  }

  LogicalResult decays() const {
    const int64_t unit = int64_t(1) << (kCubaDecayBits - f.decayBits);
    auto refusedDecay = [&](StringRef what, int64_t value) {
      return refused(what + " " + Twine(value) + " is a loss in 4096ths",
                     "knows whole multiples of " + Twine(unit), "decay_bits");
    };
    // decay_u is one less than what is lost, and 0 is the least there is.
    for (int64_t decay : cuba.decayU)
      if (decay != 0 && (decay + 1) % unit != 0)
        return refusedDecay("decay_u", decay);
    for (int64_t decay : cuba.decayV)
      if (decay % unit != 0)
        return refusedDecay("decay_v", decay);
    return success();
  }

  LogicalResult thresholds() const {
    dend::CubaOp op = cuba.op;
    for (int64_t threshold : cuba.threshold) {
      // Where no potential gets there, nothing has to be held.
      if (op.getSilent() || threshold >= int64_t(op.getVmax()))
        continue;
      if (threshold < 0)
        return refused("threshold " + Twine(threshold) + " is negative",
                       "holds none below 0", "threshold_bits");
      if (threshold >> f.thresholdShift << f.thresholdShift != threshold)
        return refused("threshold " + Twine(threshold) +
                           " lies between two steps",
                       "holds whole multiples of " +
                           Twine(uint64_t(1) << f.thresholdShift),
                       "threshold_shift");
      if (threshold >> f.thresholdShift > f.thresholdMantissaMax())
        return tooWide("threshold", threshold,
                       bitsOf(threshold >> f.thresholdShift), f.thresholdBits,
                       "threshold_bits");
    }
    return success();
  }

  LogicalResult biases() const {
    for (int64_t bias : cuba.bias) {
      const unsigned down = unsigned(std::min<uint64_t>(
          bias ? llvm::countr_zero(uint64_t(bias)) : 0, f.biasExponentMax));
      if (signedBits(bias >> down) > f.biasMantissaBits)
        return tooWide("bias", bias, signedBits(bias >> down),
                       f.biasMantissaBits, "bias_mantissa_bits");
    }
    return success();
  }

  LogicalResult refractoriness() const {
    dend::CubaOp op = cuba.op;
    const auto steps = op.getRefractory();
    // One step is the spike's own.
    if (steps <= 1 || steps <= f.refractoryMax)
      return success();
    return refused("it stays silent for " + Twine(steps) + " steps",
                   "for at most " + Twine(f.refractoryMax), "refractory_max");
  }

  dend::PopulationOp population;
  const CubaTable &cuba;
  const Target &chip;
  const NumberFormats &f;
};

} // namespace

LogicalResult checkFormats(dend::PopulationOp population, const CubaTable &cuba,
                           const Target &chip) {
  return CubaCheck(population, cuba, chip).all();
}

LogicalResult checkFormats(dend::ProjectOp project, bool cuba,
                           const Target &chip) {
  const WeightSpan span = spanOf(project);
  if (span.any == 0) // none that is not 0, or none that can be read
    return success();
  const NumberFormats &f = chip.formats;
  const bool mixed = span.low < 0 && span.high > 0;
  auto refused = [&](const Twine &needs, const Twine &holds, StringRef key) {
    return refuse(project.emitError(),
                  placeOfLayer(project.getTarget()) + ": weights " +
                      Twine(span.low) + ".." + Twine(span.high) + " from '" +
                      project.getSource() + "' need " + needs +
                      ", and target '" + chip.name + "' holds " + holds +
                      " (formats." + key + ")",
                  "choose a target that holds them, or quantise the network's "
                  "real weights for this one");
  };
  // A list's exponent gives back the zeros behind all of its weights.
  int down = llvm::countr_zero(span.any);
  if (cuba) {
    const int shift = int(project.getShift()), least = shiftMin(f, mixed);
    if (shift + down < least)
      return refused("steps of " + Twine(uint64_t(1) << (shift + down)),
                     "steps of " + Twine(uint64_t(1) << least), "weight_shift");
    down = std::min(shift + down, shiftMax(f, mixed)) - shift;
  }
  auto mantissa = [&](int64_t weight) {
    return down < 0 ? weight << -down : weight >> down;
  };
  const int64_t low = mantissa(span.low), high = mantissa(span.high);
  const unsigned needs = mixed     ? std::max(signedBits(low), signedBits(high))
                         : low < 0 ? signedBits(low) - 1
                                   : bitsOf(high);
  if (needs <= f.weightBits)
    return success();
  return refused(Twine(needs) + " bits", Twine(f.weightBits), "weight_bits");
}

LogicalResult checkProductShift(dend::ProjectOp project, bool inUnits,
                                const Target &chip) {
  const uint64_t down = project.getProductShift();
  if (!down)
    return success();
  const std::string shifts =
      ("projection '@" + project.getSource() + " -> @" + project.getTarget() +
       "' shifts its products right")
          .str();
  if (!chip.formats.hasProductShift(down)) {
    std::string able;
    for (uint64_t bits : chip.formats.productShifts)
      able += (able.empty() ? "" : ", ") + std::to_string(bits);
    return refuse(project.emitError(),
                  Twine(shifts) + " by " + Twine(down) +
                      " bits, which a core of target '" + chip.name +
                      "' cannot (formats.product_shifts: " +
                      (able.empty() ? "none" : able) + ")",
                  "shift sums in the neuron's body instead, or choose a target "
                  "that shifts products, such as ideal");
  }
  if (!inUnits)
    return success();
  return refuse(project.emitError(),
                Twine(shifts) + ", but '@" + project.getSource() +
                    "' leaves in unit spikes on target '" + chip.name +
                    "', each of which would be shifted by itself",
                "use a range that a payload holds");
}

// The largest value that a host sends as unit spikes: one of 8 bits.
static constexpr int64_t kMostUnits = 255;

bool leavesInUnits(dend::InputOp input, const Target &chip) {
  auto spike = cast<dend::SpikeType>(input.getSpike());
  return spike.getKind() == dend::SpikeKind::Int &&
         !hostSends(chip.host, spike.getLow(), spike.getHigh());
}

bool isSplit(dend::InputOp input, const Target &chip) {
  return leavesInUnits(input, chip) &&
         cast<dend::SpikeType>(input.getSpike()).getLow() < 0;
}

LogicalResult checkHost(dend::InputOp input, const Target &chip) {
  if (!leavesInUnits(input, chip))
    return success();
  auto spike = cast<dend::SpikeType>(input.getSpike());
  const int64_t low = spike.getLow(), high = spike.getHigh();
  if (low >= -kMostUnits && high <= kMostUnits)
    return success();
  std::string payload =
      chip.host.payloadBits == 0
          ? "no payloads"
          : "payloads of " + std::to_string(chip.host.payloadBits) + " bits" +
                (chip.host.sign ? ", signed" : " without sign");
  return dendrolith::refuse(
      input.emitError(),
      "input '@" + input.getSymName() + "' is " + Twine(low) + " to " +
          Twine(high) + ", but the host of target '" + chip.name + "' sends " +
          payload +
          " and unit spikes only for magnitudes up "
          "to " +
          Twine(kMostUnits),
      "use fewer --input-bits, or choose a target whose host sends "
      "payloads, such as loihi2");
}

} // namespace dendrolith
