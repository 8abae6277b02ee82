// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions as bytes. A row begins with 8 bytes for op, width, rounding,
// saturate, predicate, a zero and shift (2). Each of the four operands has 6
// bytes (space, scalar, index); n, m and imm follow.

#include "runtime/arrays/LittleEndian.h"
#include "runtime/microcode/Isa.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::micro {

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

} // namespace dendrolith::micro
