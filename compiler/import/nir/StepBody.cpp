// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/StepBody.h"
#include "dialects/dend/Dend.h"

namespace dendrolith::nir {

using namespace mlir;

// No step has so many spikes, but `dend.ssf` wants a bound.
constexpr double mostSpikes = 1 << 30;

static bool resetsLate(const Dynamics &dynamics, const NirOptions &options) {
  return (dynamics.resetWhen == ResetWhen::Next ||
          dynamics.resetWhen == ResetWhen::Both) &&
         options.reset != Reset::None;
}

std::vector<StateForm> statesOf(const Dynamics &dynamics,
                                const NirOptions &options) {
  std::vector<StateForm> states;
  if (dynamics.current)
    states.push_back({"i", false});
  if (dynamics.potential)
    states.push_back({"v", false});
  if (dynamics.resets && (resetsLate(dynamics, options) || options.emitNext))
    states.push_back({"fired", !options.manySpikes});
  if (!dynamics.late.empty())
    states.push_back({"age", false});
  return states;
}

Value StepBody::literal(double value) {
  return dend::LiteralOp::create(b, loc, b.getF64Type(),
                                 b.getF64FloatAttr(value));
}

/// The largest whole number of thresholds in v, 0 if it is negative.
Value StepBody::whole(Value v) {
  Value count = dend::SsfOp::create(b, loc, b.getI32Type(), v, literal(0),
                                    (*this)["theta"], b.getF64FloatAttr(1),
                                    b.getF64FloatAttr(mostSpikes));
  Value real = dend::ToRealOp::create(b, loc, b.getF64Type(), count);
  return dend::MaxOp::create(b, loc, b.getF64Type(), real, literal(0));
}

/// Writes a compartment. A potential without `keep` is a read-out, whose keep
/// is a literal zero.
Value StepBody::compartment(const char *state, Value drive, Value keep,
                            Value gain, Value offset) {
  if (!keep)
    keep = literal(0);
  return dend::CompartmentOp::create(b, loc, b.getF64Type(), (*this)[state],
                                     drive, keep, gain, offset);
}

/// The reset that the last step's spike asks for.
Value StepBody::lateReset(Value v) {
  mlir::Type real = b.getF64Type();
  Value fired = (*this)["fired"], theta = (*this)["theta"];
  if (options.manySpikes) {
    Value all = dend::MulOp::create(b, loc, real, fired, theta);
    return dend::SubOp::create(b, loc, real, v, all);
  }
  Value after = (*this)["v_reset"];
  if (options.reset == Reset::Subtract)
    after = dend::SubOp::create(b, loc, real, v, theta);
  else if (!after)
    after = literal(0);
  return dend::SelectOp::create(b, loc, real, fired, after, v);
}

void StepBody::fire(Value v) {
  dend::ResetKind kind =
      !dynamics.resets || dynamics.resetWhen == ResetWhen::Next ||
              options.reset == Reset::None
          ? dend::ResetKind::None
      : options.reset == Reset::Subtract ? dend::ResetKind::Subtract
                                         : dend::ResetKind::Value;
  auto fire = dend::FireOp::create(
      b, loc, b.getI1Type(), b.getF64Type(), v, (*this)["theta"],
      kind == dend::ResetKind::Value ? (*this)["v_reset"] : Value(),
      dend::ResetKindAttr::get(b.getContext(), kind),
      options.inclusive && dynamics.resets ? b.getUnitAttr() : UnitAttr());
  spike = fire.getSpike();
  if (dynamics.potential)
    next["v"] = fire.getNext();
}

/// Whether the last step has left more than a threshold, which is off already
/// where the next spike is decided (snnTorch with reset_delay=False).
void StepBody::fireAgain(Value v) {
  mlir::Type real = b.getF64Type(), bit = b.getI1Type();
  Value theta = (*this)["theta"];
  auto isAbove = dend::PredicateAttr::get(
      b.getContext(),
      options.inclusive ? dend::Predicate::GE : dend::Predicate::GT);
  Value lower = dend::SubOp::create(b, loc, real, v, theta);
  Value left = dend::CmpOp::create(b, loc, bit, isAbove, (*this)["v"], theta);
  Value decided = dend::SelectOp::create(b, loc, real, left, lower, v);
  spike = dend::CmpOp::create(b, loc, bit, isAbove, decided, theta);
  next["v"] = dend::SelectOp::create(b, loc, real, spike, lower, v);
}

void StepBody::fireMany(Value v) {
  spike = whole(v);
  next["v"] = v;
  if (dynamics.resetWhen == ResetWhen::Next)
    return;
  mlir::Type real = b.getF64Type();
  Value all = dend::MulOp::create(b, loc, real, spike, (*this)["theta"]);
  next["v"] = dend::SubOp::create(b, loc, real, v, all);
}

/// Counts steps up to the last tick at which a bias sets in.
Value StepBody::lateBiases(Value drive) {
  mlir::Type real = b.getF64Type();
  Value age = (*this)["age"];
  for (const auto &entry : dynamics.late) {
    Value isThere = dend::CmpOp::create(
        b, loc, b.getI1Type(),
        dend::PredicateAttr::get(b.getContext(), dend::Predicate::GE), age,
        literal(double(entry.first)));
    Value bias = (*this)[("bias_from_" + std::to_string(entry.first)).c_str()];
    bias = dend::SelectOp::create(b, loc, real, isThere, bias, literal(0));
    drive = dend::AddOp::create(b, loc, real, drive, bias);
  }
  Value more = dend::AddOp::create(b, loc, real, age, literal(1));
  next["age"] = dend::MinOp::create(
      b, loc, real, more, literal(double(dynamics.late.rbegin()->first)));
  return drive;
}

void StepBody::build(const std::vector<StateForm> &states) {
  mlir::Type real = b.getF64Type();
  Value drive = (*this)["I"];
  if (!dynamics.late.empty())
    drive = lateBiases(drive);
  if (dynamics.current) {
    next["i"] = compartment("i", drive, (*this)["keep_i"], (*this)["gain_i"],
                            (*this)["offset_i"]);
    drive = options.oldCurrent ? (*this)["i"] : next["i"];
  }
  if (dynamics.potential)
    next["v"] = drive = compartment("v", drive, (*this)["keep_v"],
                                    (*this)["gain_v"], (*this)["offset"]);
  Value emitted = drive;
  if (dynamics.threshold) {
    if (dynamics.resets && resetsLate(dynamics, options))
      drive = lateReset(drive);
    if (dynamics.resets && options.manySpikes)
      fireMany(drive);
    else if (dynamics.resetWhen == ResetWhen::Again)
      fireAgain(drive);
    else
      fire(drive);
    if (dynamics.least)
      next["v"] =
          dend::MaxOp::create(b, loc, real, next["v"], (*this)["v_min"]);
    next["fired"] = spike;
    emitted = dynamics.resets && options.emitNext ? (*this)["fired"] : spike;
  }
  SmallVector<Value> values;
  for (const StateForm &state : states)
    values.push_back(next[state.name]);
  SmallVector<Value> sent = {emitted};
  if (dynamics.early)
    sent.push_back(spike);
  dend::YieldOp::create(b, loc, values, sent);
}

} // namespace dendrolith::nir
