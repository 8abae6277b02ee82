// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions as bytes. A row begins with 8 bytes for op, width, rounding,
// saturate, predicate, a zero and shift (2). Each of the four operands has 6
// bytes (space, scalar, index); n, m and imm follow.

#include "runtime/microcode/Isa.h"

#include "runtime/arrays/LittleEndian.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::micro {

/// Element operations of the instruction's own class.
static uint64_t elementsOf(const Instruction &i) {
  const uint64_t n = i.n, m = i.m;
  switch (shapeOf(i.op)) {
#define MICRO_SHAPE(Name, a, b, c, work, ...)                                  \
  case MicroShape::Name:                                                       \
    return work;
#include "targets/loader/chip/MicroOps.def"
  }
  return n + m; // never reached: every shape has its row
}

uint64_t extentOf(const Instruction &i, unsigned operand) {
  const Operand &o = operand == 0 ? i.a : operand == 1 ? i.b : i.c;
  if (o.space == Space::None)
    return 0;
  if (o.scalar)
    return 1;
  const uint64_t n = i.n, m = i.m;
  switch (shapeOf(i.op)) {
#define MICRO_SHAPE(Name, a, b, c, ...)                                        \
  case MicroShape::Name:                                                       \
    return operand == 0 ? (a) : operand == 1 ? (b) : (c);
#include "targets/loader/chip/MicroOps.def"
  }
  return n + m; // never reached: every shape has its row
}

Work workOf(const Instruction &i) {
  Work work{};
  auto add = [&](MicroClass kind, uint64_t elements) {
    work[static_cast<size_t>(kind)] += elements;
  };
  add(classOf(i.op), elementsOf(i));
  const Operand *operands[] = {&i.a, &i.b, &i.c};
  for (unsigned o = 0; o < 3; ++o) {
    Space space = operands[o]->space;
    bool knots = i.op == MicroOp::Table && o == 1;
    if (!knots && (space == Space::Port || space == Space::State ||
                   space == Space::Param))
      add(MicroClass::Load, extentOf(i, o));
  }
  if (i.d.space == Space::State)
    add(MicroClass::Store, i.n);
  return work;
}

unsigned bitsOf(int64_t x) {
  uint64_t magnitude = static_cast<uint64_t>(x < 0 ? ~x : x);
  unsigned used = 0;
  while (magnitude >> used > 1)
    ++used;
  return used + 2;
}

unsigned resultBits(const Instruction &i, const OperandBits &bits) {
  const unsigned a = bits.a, b = bits.b, c = bits.c;
  const unsigned width = std::max<unsigned>(i.width, 2);
  const uint32_t m = i.m;
  auto larger = [](unsigned x, unsigned y) { return std::max(x, y); };
  switch (i.op) {
#define MICRO_OP(code, Name, text, kind, operands, shape, bits, ...)           \
  case MicroOp::Name:                                                          \
    return bits;
#include "targets/loader/chip/MicroOps.def"
  }
  return width; // never reached: every op has its row
}

namespace {

// Rows hold the enums' numbers, so the highest ones are what a reader accepts.
constexpr size_t kLastSpace = static_cast<size_t>(Space::None);
constexpr size_t kLastRounding = static_cast<size_t>(Rounding::NearestUp);
constexpr size_t kLastPredicate = static_cast<size_t>(Predicate::GE);
static_assert(kLastSpace == 5 && kLastRounding == 3 && kLastPredicate == 5,
              "images store these numbers");

class CodeReader {
public:
  CodeReader(const char *at, size_t row) : at(at), row(row) {}

  template <typename T> T number() {
    T value = loadLittle<T>(at);
    at += sizeof(T);
    return value;
  }
  /// A byte from 0 to `last`.
  uint8_t code(const char *what, size_t last) {
    uint8_t value = number<uint8_t>();
    if (value > last)
      throw Error(fmt::format("instruction {}: expected {} of 0 to {}, found "
                              "{}",
                              row, what, last, value));
    return value;
  }
  Operand operand() {
    Operand o;
    o.space = static_cast<Space>(code("a memory", kLastSpace));
    o.scalar = code("a scalar flag", 1);
    o.index = number<uint32_t>();
    return o;
  }

private:
  const char *at;
  size_t row;
};

void append(std::string &bytes, const Operand &o) {
  appendLittle(bytes, static_cast<uint8_t>(o.space));
  appendLittle(bytes, static_cast<uint8_t>(o.scalar));
  appendLittle(bytes, o.index);
}

} // namespace

std::vector<Instruction> decodeCode(const std::string &bytes) {
  if (bytes.size() % Instruction::kBytes != 0)
    throw Error(fmt::format("expected whole instructions of {} bytes, found {} "
                            "bytes",
                            Instruction::kBytes, bytes.size()));
  std::vector<Instruction> code(bytes.size() / Instruction::kBytes);
  for (size_t row = 0; row < code.size(); ++row) {
    CodeReader read(bytes.data() + row * Instruction::kBytes, row);
    Instruction &i = code[row];
    i.op = static_cast<MicroOp>(read.code("an operation", kMicroOps - 1));
    i.width = read.code("a width", 64);
    if (i.width == 0)
      throw Error(fmt::format("instruction {}: expected a width of 1 to 64, "
                              "found 0",
                              row));
    i.rounding = static_cast<Rounding>(read.code("a rounding", kLastRounding));
    i.saturate = read.code("a saturation flag", 1);
    i.predicate =
        static_cast<Predicate>(read.code("a predicate", kLastPredicate));
    read.code("a zero byte", 0);
    i.shift = static_cast<int16_t>(read.number<uint16_t>());
    i.d = read.operand();
    i.a = read.operand();
    i.b = read.operand();
    i.c = read.operand();
    i.n = read.number<uint32_t>();
    i.m = read.number<uint32_t>();
    i.imm = static_cast<int64_t>(read.number<uint64_t>());
  }
  return code;
}

std::string encodeCode(const std::vector<Instruction> &code) {
  std::string bytes;
  bytes.reserve(code.size() * Instruction::kBytes);
  for (const Instruction &i : code) {
    appendLittle(bytes, static_cast<uint8_t>(i.op));
    appendLittle(bytes, i.width);
    appendLittle(bytes, static_cast<uint8_t>(i.rounding));
    appendLittle(bytes, static_cast<uint8_t>(i.saturate));
    appendLittle(bytes, static_cast<uint8_t>(i.predicate));
    appendLittle(bytes, uint8_t(0));
    appendLittle(bytes, static_cast<uint16_t>(i.shift));
    for (const Operand *o : {&i.d, &i.a, &i.b, &i.c})
      append(bytes, *o);
    appendLittle(bytes, i.n);
    appendLittle(bytes, i.m);
    appendLittle(bytes, static_cast<uint64_t>(i.imm));
  }
  return bytes;
}

std::vector<int64_t> decodeI64(const std::string &bytes) {
  if (bytes.size() % 8 != 0)
    throw Error(fmt::format("expected whole numbers of 8 bytes, found {} bytes",
                            bytes.size()));
  std::vector<int64_t> values;
  values.reserve(bytes.size() / 8);
  for (size_t at = 0; at < bytes.size(); at += 8)
    values.push_back(
        static_cast<int64_t>(loadLittle<uint64_t>(bytes.data() + at)));
  return values;
}

std::string encodeI64(const std::vector<int64_t> &values) {
  std::string bytes;
  for (int64_t value : values)
    appendLittle(bytes, static_cast<uint64_t>(value));
  return bytes;
}

std::vector<OperandBits> operandBits(const std::vector<Instruction> &code,
                                     uint32_t registerWords, WordBits words,
                                     const std::vector<int64_t> &constants) {
  std::vector<unsigned> registers(registerWords, 1);
  for (std::vector<unsigned> *memory :
       {&words.ports, &words.states, &words.params})
    for (unsigned &bits : *memory)
      bits = std::max(bits, 2u);
  auto bitsOfWord = [&](Space space, size_t index) -> unsigned {
    switch (space) {
    case Space::Register:
      return registers[index];
    case Space::Port:
      return words.ports[index];
    case Space::State:
      return words.states[index];
    case Space::Param:
      return words.params[index];
    default:
      return bitsOf(constants[index]);
    }
  };
  auto bitsOfOperand = [&](const Operand &operand, uint64_t extent) {
    unsigned bits = 1;
    for (uint64_t i = 0; i < extent; ++i)
      bits = std::max(bits, bitsOfWord(operand.space, operand.index + i));
    return bits;
  };
  std::vector<OperandBits> all;
  size_t regionEnd = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const Instruction &each = code[i];
    const OperandBits bits{bitsOfOperand(each.a, extentOf(each, 0)),
                           bitsOfOperand(each.b, extentOf(each, 1)),
                           bitsOfOperand(each.c, extentOf(each, 2))};
    all.push_back(bits);
    if (each.op == MicroOp::Skip)
      regionEnd = std::max(regionEnd, i + 1 + each.m);
    if (!hasResult(each.op))
      continue;
    const unsigned result = resultBits(each, bits);
    const bool inState = each.d.space == Space::State;
    for (uint32_t e = 0; e < each.n; ++e) {
      unsigned &word = (inState ? words.states : registers)[each.d.index + e];
      word = i < regionEnd || inState ? std::max(word, result) : result;
    }
  }
  return all;
}

} // namespace dendrolith::micro
