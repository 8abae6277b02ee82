// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifiers of constants and of the values bound to parameters.
#include "dialects/dend/Bindings.h"
#include "dialects/dend/FixedPoint.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace dendrolith::dend {

// Returns the bits of one element, or 0 for a type that a constant cannot have.
static unsigned elementBits(Type element) {
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    return part.isF32() || part.isF64() ? 2 * part.getIntOrFloatBitWidth() : 0;
  }
  if (element.isF32() || element.isF64())
    return element.getIntOrFloatBitWidth();
  for (unsigned width : {1, 8, 16, 32, 64})
    if (element.isSignlessInteger(width))
      return width;
  return 0;
}

std::optional<RawElements> rawElements(ElementsAttr value) {
  ShapedType type = value.getShapedType();
  unsigned bits = elementBits(type.getElementType());
  if (!type.hasStaticShape() || bits < 8)
    return std::nullopt;
  RawElements raw;
  raw.element = type.getElementType();
  if (auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value)) {
    if (const AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      raw.bytes = blob->getData();
    raw.count = type.getNumElements();
  } else if (auto dense = llvm::dyn_cast<DenseElementsAttr>(value)) {
    raw.bytes = dense.getRawData();
    raw.count = dense.isSplat() ? 1 : type.getNumElements();
  } else {
    return std::nullopt;
  }
  if (raw.bytes.size() != size_t(raw.count) * (bits / 8))
    return std::nullopt;
  return raw;
}

double RawElements::real(int64_t i) const {
  Type part = element;
  if (auto complex = llvm::dyn_cast<ComplexType>(element))
    part = complex.getElementType();
  if (part.isF32()) {
    float x;
    std::memcpy(&x, bytes.data() + i * sizeof x, sizeof x);
    return x;
  }
  double x;
  std::memcpy(&x, bytes.data() + i * sizeof x, sizeof x);
  return x;
}

int64_t RawElements::integer(int64_t i) const {
  unsigned size = element.getIntOrFloatBitWidth() / 8;
  uint64_t x = 0;
  std::memcpy(&x, bytes.data() + i * size, size); // little-endian hosts only
  return wrapTo(Int128(x), 8 * size);
}

/// The first integer that `width` bits, fewer than each has, do not hold.
template <class T>
static std::optional<int64_t> firstBeyond(ArrayRef<char> bytes,
                                          unsigned width) {
  const int64_t low = -(int64_t(1) << (width - 1)), high = -1 - low;
  for (size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
    T x;
    std::memcpy(&x, bytes.data() + i * sizeof(T), sizeof(T));
    if (x < low || x > high)
      return int64_t(i);
  }
  return std::nullopt;
}

static std::optional<int64_t> firstBeyond(const RawElements &raw,
                                          unsigned width) {
  switch (raw.element.getIntOrFloatBitWidth()) {
  case 8:
    return firstBeyond<int8_t>(raw.bytes, width);
  case 16:
    return firstBeyond<int16_t>(raw.bytes, width);
  case 32:
    return firstBeyond<int32_t>(raw.bytes, width);
  default:
    return firstBeyond<int64_t>(raw.bytes, width);
  }
}

// Checks that every number is finite.
static LogicalResult checkFinite(ConstantOp op, const RawElements &raw) {
  int64_t numbers = raw.count * (llvm::isa<ComplexType>(raw.element) ? 2 : 1);
  for (int64_t i = 0; i < numbers; ++i)
    if (!std::isfinite(raw.real(i)))
      return op.emitOpError() << "holds a number that is not finite, at " << i
                              << " of " << numbers;
  return success();
}

static LogicalResult checkValue(ConstantOp op, RankedTensorType type) {
  ElementsAttr value = op.getValueAttr();
  if (!llvm::isa<DenseElementsAttr, DenseResourceElementsAttr>(value))
    return op.emitOpError() << "needs dense or dense_resource elements";
  auto own = llvm::dyn_cast<RankedTensorType>(value.getShapedType());
  // Fixed-point constants hold raw integers.
  FxType fixed = fixedType(type);
  bool fits = own && own.getShape() == type.getShape() &&
              (fixed ? own.getElementType().isSignlessInteger() : own == type);
  if (!fits || !elementBits(own.getElementType()))
    return op.emitOpError()
           << "has elements of type " << value.getShapedType() << ", expected "
           << (fixed ? "raw integers for " : "") << type;
  if (auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value)) {
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob && type.getNumElements() != 0)
      return op.emitOpError()
             << "refers to resource '" << resource.getRawHandle().getKey()
             << "', which has no data";
    uint64_t bytes = uint64_t(own.getNumElements()) *
                     (elementBits(own.getElementType()) / 8);
    if (elementBits(own.getElementType()) < 8)
      return op.emitOpError() << "needs i1 elements in place, not a resource";
    if (blob && blob->getData().size() != bytes)
      return op.emitOpError()
             << "refers to resource '" << resource.getRawHandle().getKey()
             << "' of " << blob->getData().size() << " bytes, expected "
             << bytes << " for " << own;
  }
  std::optional<RawElements> raw = rawElements(value);
  if (!raw)
    return success(); // i1, or no elements
  if (!own.getElementType().isInteger())
    return checkFinite(op, *raw);
  if (fixed && own.getElementTypeBitWidth() > fixed.getWidth())
    if (auto i = firstBeyond(*raw, fixed.getWidth()))
      return op.emitOpError() << "holds " << raw->integer(*i)
                              << ", outside the range of " << fixed;
  return success();
}

LogicalResult ConstantOp::verify() {
  if (bool(getValueAttr()) == bool(getKeyAttr()))
    return emitOpError() << "needs either elements or a key to bind, "
                         << (getValueAttr() ? "found both" : "found neither");
  auto type = llvm::dyn_cast<RankedTensorType>(getType());
  bool sized = type && type.hasStaticShape() && !type.getEncoding();
  // A projection without synapses has no elements at all.
  if (sized && !llvm::is_contained(type.getShape(), 0))
    sized = countOf(type.getShape()).has_value();
  if (!sized || (!elementBits(type.getElementType()) && !fixedType(type)))
    return emitOpError() << "has type " << getType()
                         << ", expected a static tensor of f32, f64, complex, "
                            "i1, i8, i16, i32, i64 or fixed point";
  if (getAtAttr() && !getKeyAttr())
    return emitOpError() << "has indices 'at' without a key";
  if (getKeyAttr() && getKeyAttr().empty())
    return emitOpError() << "needs a key that is not empty";
  for (int64_t index : getAt().value_or(ArrayRef<int64_t>()))
    if (index < 0)
      return emitOpError() << "has index " << index
                           << " in 'at', expected 0 or more";
  return getValueAttr() ? checkValue(*this, type) : success();
}

static StringRef kindOf(Type element) {
  if (llvm::isa<FloatType>(element))
    return "float";
  if (llvm::isa<ComplexType>(element))
    return "complex";
  return element.isInteger(1) ? "i1" : "integer";
}

LogicalResult checkBound(Operation *op, StringRef what, ConstantOp constant,
                         Type valueType, ArrayRef<int64_t> shape) {
  auto type = llvm::cast<RankedTensorType>(constant.getType());
  Type element = type.getElementType(), wanted = elementType(valueType);
  auto error = [&] {
    InFlightDiagnostic diagnostic =
        op->emitOpError() << what << " is bound to "
                          << constant.getSymNameAttr() << " of type " << type;
    diagnostic.attachNote(constant.getLoc()) << "the constant is declared here";
    return diagnostic;
  };
  if (type.getShape() != shape)
    return error() << ", expected shape " << shapeText(shape);
  if (element == wanted)
    return success();
  // Raw integers stand for fixed point, and any float is evaluated in double.
  StringRef kind = llvm::isa<FxType>(wanted) ? "integer" : kindOf(wanted);
  if (llvm::isa<FxType>(element) || kindOf(element) != kind)
    return error() << ", expected " << kind << " elements for " << wanted;
  if (kind != "integer" || !constant.getValueAttr())
    return success();
  unsigned width = llvm::isa<FxType>(wanted)
                       ? llvm::cast<FxType>(wanted).getWidth()
                       : wanted.getIntOrFloatBitWidth();
  std::optional<RawElements> raw = rawElements(constant.getValueAttr());
  if (!raw || element.getIntOrFloatBitWidth() <= width)
    return success();
  if (auto i = firstBeyond(*raw, unsigned(width)))
    return error() << " holding " << raw->integer(*i)
                   << ", outside the range of " << wanted << ", -2^"
                   << width - 1 << " to 2^" << width - 1
                   << " - 1: scale the layer";
  return success();
}

} // namespace dendrolith::dend
