// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/CubaForm.h"

#include "simulator/functional/neuron/Microcode.h"
#include "targets/support/FixedNeuron.h"
#include "targets/support/Versions.h"

#include <algorithm>

namespace dendrolith::sim {

using micro::Instruction;
using micro::Operand;
using micro::Space;

namespace {

/// Which instruction made a register's value that an instruction reads.
class Origins {
public:
  explicit Origins(const MicroProgram &program) : program(program) {
    std::vector<const Instruction *> last(program.registerWords());
    auto made = [&](const Operand &operand) -> const Instruction * {
      return operand.space == Space::Register ? last[operand.index] : nullptr;
    };
    for (const Instruction &code : program.code()) {
      isPlain &= code.op != MicroOp::Skip && code.n == 1;
      if (!isPlain)
        return;
      origins.push_back({made(code.a), made(code.b), made(code.c)});
      if (code.d.space == Space::Register)
        last[code.d.index] = &code;
    }
  }

  /// Whether each instruction runs once, for one word.
  bool isPlain = true;

  const Instruction *a(const Instruction *code) const { return of(code, 0); }
  const Instruction *b(const Instruction *code) const { return of(code, 1); }
  const Instruction *c(const Instruction *code) const { return of(code, 2); }

  std::optional<int64_t> constant(const Operand &operand) const {
    if (operand.space != Space::Constant)
      return std::nullopt;
    return program.constant(operand.index);
  }

  /// The number that each neuron has, of a parameter or a constant.
  std::optional<std::vector<int64_t>> numbers(const Operand &operand) const {
    if (auto one = constant(operand))
      return std::vector<int64_t>{*one};
    if (operand.space != Space::Param)
      return std::nullopt;
    if (!program.params()[operand.index].perNeuron)
      return std::vector<int64_t>{program.parameter(operand.index, 0)};
    std::vector<int64_t> all;
    for (uint32_t n = 0; n < program.count(); ++n)
      all.push_back(program.parameter(operand.index, n));
    return all;
  }

  const MicroProgram &program;

private:
  const Instruction *of(const Instruction *code, size_t operand) const {
    return code ? origins[size_t(code - program.code().data())][operand]
                : nullptr;
  }

  std::vector<std::array<const Instruction *, 3>> origins;
};

bool is(const Instruction *code, MicroOp op, unsigned width = 0) {
  return code && code->op == op && (width == 0 || code->width == width);
}

/// A state times what is kept of it, in 4096ths cut towards zero.
struct Kept {
  uint32_t state = 0;
  std::vector<int64_t> keep;
};

std::optional<Kept> keptBy(const Origins &origins, const Instruction *code) {
  if (!is(code, MicroOp::Shift) ||
      code->rounding != micro::Rounding::TowardZero ||
      origins.constant(code->b) != -int64_t(kCubaDecayBits))
    return std::nullopt;
  const Instruction *product = origins.a(code);
  if (!is(product, MicroOp::Mul) || product->shift != 0 ||
      product->a.space != Space::State)
    return std::nullopt;
  // 4096 less the decay, or the difference as a number.
  const Instruction *less = origins.b(product);
  auto keep = origins.numbers(less ? less->b : product->b);
  if (less) {
    auto whole = origins.constant(less->a);
    if (!is(less, MicroOp::Sub) || !whole || !keep)
      return std::nullopt;
    for (int64_t &number : *keep)
      number = *whole - number;
  }
  if (!keep)
    return std::nullopt;
  return Kept{product->a.index, std::move(*keep)};
}

/// u' = wrap(kept u + input)
bool readCurrent(const Origins &origins, const Instruction *code,
                 CubaForm &form) {
  bool openLow = false;
  if (is(code, MicroOp::Select)) {
    auto high = origins.constant(code->b);
    const Instruction *low = origins.a(code);
    if (!is(low, MicroOp::Compare) || !high ||
        origins.a(low) != origins.c(code) || origins.constant(low->b) != -*high)
      return false;
    openLow = true;
    code = origins.c(code);
  }
  while (is(code, MicroOp::Scale) && is(origins.a(code), MicroOp::Scale))
    code = origins.a(code); // into a wider word
  if (!is(code, MicroOp::Scale) || code->saturate || code->shift != 0 ||
      code->width > 32)
    return false;
  const int64_t half = int64_t(1) << (code->width - 1);
  form.lowU = openLow ? 1 - half : -half;
  form.highU = openLow ? half : half - 1;
  const Instruction *sum = origins.a(code);
  if (!is(sum, MicroOp::Add, 64) || sum->b.space != Space::Port)
    return false;
  auto kept = keptBy(origins, origins.a(sum));
  if (!kept)
    return false;
  form.u = kept->state;
  form.keepU = std::move(kept->keep);
  form.input = sum->b.index;
  return true;
}

/// v' = clip(kept v + u' + bias)
bool readPotential(const Origins &origins, const Instruction &clip,
                   CubaForm &form) {
  auto low = origins.constant(clip.b), high = origins.constant(clip.c);
  const Instruction *sum = origins.a(&clip);
  if (!low || !high || !is(sum, MicroOp::Add, 64))
    return false;
  form.lowV = *low;
  form.highV = *high;
  auto kept = keptBy(origins, origins.a(sum));
  const Instruction *drive = origins.b(sum);
  if (!kept || !is(drive, MicroOp::Add, 64))
    return false;
  auto bias = origins.numbers(drive->b);
  if (!bias)
    return false;
  form.v = kept->state;
  form.keepV = std::move(kept->keep);
  for (int64_t number : *bias)
    form.mostBias = std::max(form.mostBias, std::abs(number));
  form.bias = std::move(*bias);
  return readCurrent(origins, origins.a(drive), form) && form.u != form.v;
}

/// The largest size of a row, where negative numbers count from -1 downwards.
void most(const int64_t *const &words, const uint32_t &count,
          int64_t &largest) {
  int64_t size = 0;
  for (uint32_t n = 0; n < count; ++n)
    size = std::max(size, words[n] ^ (words[n] >> 63));
  largest = size;
}

int64_t mostOf(const int64_t *words, uint32_t count) {
  int64_t largest = 0;
  versionsOf<most>().of(bestIsa())(words, count, largest);
  return largest;
}

int64_t kept(int64_t x, int64_t keep) {
  const int64_t product = x * keep;
  return (product + ((product >> 63) & ((1 << kCubaDecayBits) - 1))) >>
         kCubaDecayBits;
}

} // namespace

std::optional<CubaForm> cubaFormOf(const MicroProgram &program) {
  const Origins origins(program);
  if (!origins.isPlain)
    return std::nullopt;
  for (const Instruction &code : program.code()) {
    CubaForm form;
    if (code.op == MicroOp::Clamp && readPotential(origins, code, form))
      return form;
  }
  return std::nullopt;
}

CubaOverflow overflowOf(const CubaForm &form, const int64_t *ports,
                        const int64_t *states, size_t row, uint32_t count) {
  const int64_t *input = ports + form.input * row;
  const int64_t *u = states + form.u * row, *v = states + form.v * row;
  // Where no sum can reach an end, none is looked at.
  const int64_t current = mostOf(u, count) + 1, drive = mostOf(input, count);
  CubaOverflow found;
  if (drive < form.highV &&
      current + drive < std::min(form.highU, -form.lowU) &&
      mostOf(v, count) + 1 + current + drive + form.mostBias <
          std::min(form.highV, -form.lowV))
    return found;
  const int64_t mask = form.highU - form.lowU;
  auto at = [](const std::vector<int64_t> &numbers, uint32_t n) {
    return numbers[numbers.size() == 1 ? 0 : n];
  };
  for (uint32_t n = 0; n < count; ++n) {
    const auto sum = static_cast<int64_t>(
        uint64_t(kept(u[n], at(form.keepU, n))) + uint64_t(input[n]));
    const int64_t next =
        static_cast<int64_t>((uint64_t(sum) - uint64_t(form.lowU)) &
                             uint64_t(mask)) +
        form.lowU;
    const int64_t free =
        kept(v[n], at(form.keepV, n)) + next + at(form.bias, n);
    found.wrapped += sum != next;
    found.clipped += free < form.lowV || free > form.highV;
  }
  return found;
}

} // namespace dendrolith::sim
