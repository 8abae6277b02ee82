// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Microcode.h"

namespace dendrolith {
namespace {

/// How a result may lie to the operands of its instruction.
enum class ResultPlace { InPlace, Apart, NoResult };

struct OpRow {
  size_t code;
  const char *name;
  MicroClass kind;
  unsigned operands;
  MicroShape shape;
};

constexpr std::array<OpRow, kMicroOps> kOps = {{
#define MICRO_OP(code, Name, text, kind, operands, shape, ...)                 \
  {code, text, MicroClass::kind, operands, MicroShape::shape},
#include "targets/loader/chip/MicroOps.def"
}};

constexpr std::array kClassNames = {
#define MICRO_CLASS(Name, text, counter) text,
#include "targets/loader/chip/MicroOps.def"
};

constexpr std::array kPlaces = {
#define MICRO_SHAPE(Name, a, b, c, work, place, ...) ResultPlace::place,
#include "targets/loader/chip/MicroOps.def"
};

/// The rows are found by code.
constexpr bool codesCount() {
  for (size_t i = 0; i < kMicroOps; ++i)
    if (kOps[i].code != i)
      return false;
  return true;
}
static_assert(codesCount(), "the codes of MicroOps.def count up from 0");

constexpr const OpRow &rowOf(MicroOp op) {
  return kOps[static_cast<size_t>(op)];
}

ResultPlace placeOf(MicroOp op) {
  return kPlaces[static_cast<size_t>(rowOf(op).shape)];
}

/// The value of an enum of `count` values that has a name.
template <typename Enum>
std::optional<Enum> find(size_t count, const std::string &name) {
  for (size_t i = 0; i < count; ++i)
    if (name == toString(static_cast<Enum>(i)))
      return static_cast<Enum>(i);
  return std::nullopt;
}

} // namespace

const char *toString(MicroOp op) { return rowOf(op).name; }
const char *toString(MicroClass kind) {
  return kClassNames[static_cast<size_t>(kind)];
}

std::optional<MicroOp> microOpOf(const std::string &name) {
  return find<MicroOp>(kMicroOps, name);
}
std::optional<MicroClass> microClassOf(const std::string &name) {
  return find<MicroClass>(kMicroClasses, name);
}

MicroClass classOf(MicroOp op) { return rowOf(op).kind; }
MicroShape shapeOf(MicroOp op) { return rowOf(op).shape; }
unsigned operandsOf(MicroOp op) { return rowOf(op).operands; }
bool hasResult(MicroOp op) { return placeOf(op) != ResultPlace::NoResult; }
bool isElementwise(MicroOp op) { return placeOf(op) != ResultPlace::Apart; }

} // namespace dendrolith
