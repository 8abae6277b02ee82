// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies of Lava's neurons, one after the other. Comments give the lines of
// Lava's models.

#include "compiler/lava/StepBody.h"

#include "compiler/lava/Decay.h"

#include "targets/support/FixedNeuron.h"

namespace dendrolith::lava {

using dend::Predicate;
using mlir::Value;

namespace {
constexpr int64_t kHalf = int64_t(1) << 23; // M
constexpr int64_t kInputShift = 6;
constexpr unsigned kCurrentBits = kCubaCurrentBits + 1; // M itself is kept
constexpr unsigned kSumBits = 34; // of a word and two turned states

bool has(const std::string &variant, const char *word) {
  return variant.find(word) != std::string::npos;
}
} // namespace

StepBody::StepBody(mlir::Block &block, mlir::Location loc,
                   const NeuronForm &form)
    : BodyBuilder(block, loc), block(block), at(loc), form(form) {
  unsigned next = 0;
  const NeuronClass &neuron = *findNeuronClass(form.lavaClass);
  for (size_t i = 0; i < form.inputs.size(); ++i)
    for (size_t term = 0; term < form.inputs[i].size(); ++term)
      arguments[portName(neuron.inputs[i], term)] = block.getArgument(next++);
  for (const auto &names : {parameterNames(form), stateNames(form)})
    for (const std::string &name : names)
      arguments[name] = block.getArgument(next++);
}

Value StepBody::received(size_t input) {
  const std::string &name = findNeuronClass(form.lavaClass)->inputs[input];
  Value sum;
  for (size_t i = 0; i < form.inputs[input].size(); ++i) {
    const Term &term = form.inputs[input][i];
    Value value = arg(portName(name, i));
    if (term.shift)
      value = moved(value, -int64_t(term.shift));
    value = narrow(value);
    sum = sum ? add(sum, value) : value;
  }
  return sum;
}

Value StepBody::turned(Value x) {
  Value turn = integer(2 * kHalf);
  return select(
      cmp(Predicate::GT, x, integer(kHalf)), sub(x, turn),
      select(cmp(Predicate::LE, x, integer(-kHalf)), add(x, turn), x));
}

Value StepBody::clipped(Value x) {
  return clamp(x, integer(1 - kHalf), integer(kHalf - 1));
}

void StepBody::integrate(Value u, Value v, Result &result) {
  // u = turn(tz(u * (4096 - (du + 1)), 12) + (a_in << 6))
  Value bias = arg("bias"), kept = decayed(u, arg("keep_u"));
  if (form.variant == "image") {
    Value image = narrow(add(arg("image"), received(0)));
    result.next["image"] = image;
    bias = add(bias, moved(image, kInputShift));
  } else {
    kept = add(kept, moved(received(0), kInputShift));
  }
  u = turned(kept);
  // v = clip(tz(v * (4096 - dv), 12) + u + bias)
  Value drive = add(add(decayed(v, arg("keep_v")), u), bias);
  result.next["u"] = u;
  result.next["v"] = clipped(drive);
}

StepBody::Result StepBody::lifCuba() {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(&block);
  auto cuba = dend::CubaOp::create(
      builder, at, mlir::TypeRange{i1(), word(), word(), i32()},
      mlir::ValueRange{arg("a_in"), arg("u"), arg("v"), arg("r"),
                       arg("decay_u"), arg("decay_v"), arg("threshold"),
                       arg("bias")});
  return {
      {{"u", cuba.getNextU()}, {"v", cuba.getNextV()}, {"r", cuba.getNextR()}},
      cuba.getSpike(),
      {}};
}

StepBody::Result StepBody::lif(bool resets) {
  Result result;
  Value u = arg("u"), v = arg("v"), phase;
  if (resets) {
    // if t % interval == offset % interval: u = v = 0
    Value zero = integer(0);
    Value now = cmp(Predicate::EQ, arg("phase"), arg("offset"));
    u = select(now, zero, u);
    v = select(now, zero, v);
    phase = add(arg("phase"), integer(1));
    phase = select(cmp(Predicate::EQ, phase, arg("interval")), zero, phase);
  }
  integrate(u, v, result);
  // s = v > (vth << 6); v = 0 where s
  result.out = cmp(Predicate::GT, result.next["v"], arg("threshold"));
  result.next["v"] = select(result.out, integer(0), result.next["v"]);
  if (resets)
    result.next["phase"] = phase;
  return result;
}

StepBody::Result StepBody::ternary() {
  Result result;
  integrate(arg("u"), arg("v"), result);
  Value v = result.next["v"], zero = integer(0), one = integer(1);
  // s = (v > hi) - (v < lo)
  Value up = select(cmp(Predicate::GT, v, arg("high")), one, zero);
  Value down = select(cmp(Predicate::LT, v, arg("low")), one, zero);
  result.out = sub(up, down);
  result.fired = not0(result.out);
  result.next["v"] = select(result.fired, zero, v);
  return result;
}

StepBody::Result StepBody::atrlif() {
  Result result;
  // i = turn(tz(trunc(i * k_i), 12) + a_in * 64), k_i as two words of one sign
  Value i = narrow(arg("i"), kCurrentBits);
  Value low = shift(mul(i, arg("keep_i_low")), literal(i32(), -kDecayLow),
                    dend::Rounding::TowardZero);
  Value product = add(mul(i, arg("keep_i")), low);
  Value kept =
      towardZero(product, literal(i32(), kDecayLow - kDecayFraction - 12));
  Value a = received(0);
  i = turned(add(kept, moved(a, kInputShift)));
  // v = clip(tz(v * k_v, 12) + i + bias)
  Value v = clipped(add(add(decayed(arg("v"), arg("keep_v")), i), arg("bias")));
  if (form.variant == "checked")
    i = select(cmp(Predicate::GT, a, integer(kMostCubaInput)),
               integer(INT32_MAX),
               select(cmp(Predicate::LT, a, integer(-kMostCubaInput)),
                      integer(INT32_MIN), i));
  // theta = tz((theta - theta_0) * k_theta, 12) + theta_0
  Value theta =
      add(decayed(sub(arg("theta"), arg("theta_0")), arg("keep_theta")),
          arg("theta_0"));
  Value r = decayed(arg("r"), arg("keep_r"));
  // s = v - r >= theta; then r += 2 theta, theta += theta_step
  result.out = cmp(Predicate::GE, sub(v, r), theta);
  Value tired = add(r, moved(theta, 1)), raised = add(theta, arg("theta_step"));
  result.next = {{"i", i},
                 {"v", v},
                 {"theta", select(result.out, raised, theta)},
                 {"r", select(result.out, tired, r)}};
  return result;
}

StepBody::Result StepBody::resonate(bool izhikevich) {
  Result result;
  auto turn = [&](Value x, const char *by) {
    return towardZero(mul(x, arg(by)), arg("decay_shift"));
  };
  Value re = arg("real"), im = arg("imag");
  // The shifted input wraps in 32 bits, what it is added to has 64 in Lava.
  auto plus = [&](Value turned, size_t input) {
    Value drive = moved(received(input), arg("state_shift"));
    Value sum = add(narrow(turned, kSumBits), narrow(drive, kSumBits));
    return narrow(
        clamp(sum, integer(1 - kHalf, kSumBits), integer(kHalf - 1, kSumBits)));
  };
  // re' = tz(cos re, db) - tz(sin im, db) + (a_real_in << state_exp)
  Value real = plus(sub(turn(re, "cos"), turn(im, "sin")), 0);
  // im' = tz(sin re, db) + tz(cos im, db) + (a_imag_in << state_exp)
  Value imag = plus(add(turn(re, "sin"), turn(im, "cos")), 1);
  Value zero = integer(0);
  if (izhikevich) {
    // s = im' >= vth; then re' = 0, im' = vth - 1
    result.out = cmp(Predicate::GE, imag, arg("threshold"));
    real = select(result.out, zero, real);
    imag = select(result.out, sub(arg("threshold"), integer(1)), imag);
  } else {
    // s = re' >= vth and im' >= 0 and im < 0
    result.out = both(both(cmp(Predicate::GE, real, arg("threshold")),
                           cmp(Predicate::GE, imag, zero)),
                      cmp(Predicate::LT, im, zero));
  }
  result.next = {{"real", real}, {"imag", imag}};
  return result;
}

StepBody::Result StepBody::sigma() {
  Result result;
  result.out = add(arg("sigma"), received(0));
  result.next = {{"sigma", result.out}};
  return result;
}

StepBody::Result StepBody::encode(Value act) {
  Result result;
  // d = A - act + residue
  Value zero = integer(0);
  Value d = add(sub(act, arg("act")), arg("residue")), measure = d;
  bool sums = has(form.variant, "cum_error");
  if (sums)
    measure = add(arg("error"), d);
  // sp = |measure| >= vth ? d : 0
  Value sent =
      select(cmp(Predicate::GE, abs(measure), arg("threshold")), d, zero);
  if (sums)
    result.next["error"] = select(not0(sent), zero, measure);
  result.next["act"] = act;
  result.next["residue"] = sub(d, sent);
  result.out = moved(sent, arg("out_shift"));
  return result;
}

StepBody::Result StepBody::delta() {
  return encode(moved(received(0), arg("in_shift")));
}

StepBody::Result StepBody::sigmaDelta() {
  // sigma += a_in; A = sigma + bias, max(A, 0) for RELU
  Value sigma = add(arg("sigma"), received(0));
  Value act = add(sigma, arg("bias"));
  if (has(form.variant, "relu"))
    act = max(act, integer(0));
  Result result = encode(act);
  result.next["sigma"] = sigma;
  return result;
}

StepBody::Result StepBody::graded(bool relu) {
  // s = a * (|a| > vth)
  Value a = received(0);
  Value above = cmp(Predicate::GT, relu ? a : abs(a), arg("threshold"));
  return {{}, select(above, a, integer(0)), {}};
}

StepBody::Result StepBody::product() {
  // z = (a1 * a2) >> exp; s = z * (|z| > vth)
  Value z = moved(narrow(mul(received(0), received(1))), arg("shift"));
  Value above = cmp(Predicate::GT, abs(z), arg("threshold"));
  return {{}, select(above, z, integer(0)), {}};
}

StepBody::Result StepBody::write() {
  using Writer = Result (*)(StepBody &);
  static const std::map<std::string, Writer> writers{
      {"LIF",
       [](StepBody &body) {
         return body.form.variant == "cuba" ? body.lifCuba() : body.lif(false);
       }},
      {"LIFReset", [](StepBody &body) { return body.lif(true); }},
      {"TernaryLIF", [](StepBody &body) { return body.ternary(); }},
      {"ATRLIF", [](StepBody &body) { return body.atrlif(); }},
      {"RF", [](StepBody &body) { return body.resonate(false); }},
      {"RF_IZ", [](StepBody &body) { return body.resonate(true); }},
      {"Delta", [](StepBody &body) { return body.delta(); }},
      {"Sigma", [](StepBody &body) { return body.sigma(); }},
      {"SigmaDelta", [](StepBody &body) { return body.sigmaDelta(); }},
      {"GradedVec", [](StepBody &body) { return body.graded(false); }},
      {"GradedReluVec", [](StepBody &body) { return body.graded(true); }},
      {"ProdNeuron", [](StepBody &body) { return body.product(); }}};
  Result result =
      writers.at(form.lavaClass.substr(form.lavaClass.rfind('.') + 1))(*this);
  if (form.fired && !result.fired)
    result.fired = not0(result.out);
  return result;
}

} // namespace dendrolith::lava
