// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <complex>
#include <cstring>

using namespace mlir;

namespace dendrolith::dend {
namespace {

// Below this many elements a literal list in the text is kinder to readers.
constexpr int64_t kInlineElements = 16;

/// Returns the raw little-endian bytes of a resource, none if it is missing or
/// has the wrong size.
ArrayRef<char> resourceBytes(DenseResourceElementsAttr attr, uint64_t bytes) {
  const AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob || blob->getData().size() != bytes)
    return {};
  return blob->getData();
}

template <typename From, typename To>
std::vector<To> convert(ArrayRef<char> bytes) {
  std::vector<To> out(bytes.size() / sizeof(From));
  for (size_t i = 0; i < out.size(); ++i) {
    From value;
    std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
    out[i] = static_cast<To>(value);
  }
  return out;
}

template <typename To>
FailureOr<std::vector<To>> readResource(DenseResourceElementsAttr attr) {
  Type element = attr.getType().getElementType();
  uint64_t count = attr.getType().getNumElements();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    count *= 2;
  }
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
    return failure();
  unsigned width = element.getIntOrFloatBitWidth();
  ArrayRef<char> bytes = resourceBytes(attr, count * (width / 8));
  if (bytes.empty() && count)
    return failure();
  if (std::is_same_v<To, int64_t> && !element.isInteger())
    return failure();
  if (element.isF32())
    return convert<float, To>(bytes);
  if (element.isF64())
    return convert<double, To>(bytes);
  if (element.isInteger(8))
    return convert<int8_t, To>(bytes);
  if (element.isInteger(16))
    return convert<int16_t, To>(bytes);
  if (element.isInteger(32))
    return convert<int32_t, To>(bytes);
  if (element.isInteger(64))
    return convert<int64_t, To>(bytes);
  return failure();
}

template <typename From>
std::vector<char> narrow(const std::vector<int64_t> &values) {
  std::vector<char> bytes(values.size() * sizeof(From));
  for (size_t i = 0; i < values.size(); ++i) {
    From value = static_cast<From>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(From), &value, sizeof(From));
  }
  return bytes;
}

ElementsAttr makeResource(RankedTensorType type, StringRef name,
                          const std::vector<char> &bytes) {
  return DenseResourceElementsAttr::get(
      type, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(
          ArrayRef<char>(bytes.data(), bytes.size()), 8));
}

} // namespace

FailureOr<std::vector<double>> readReals(ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return readResource<double>(resource);
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return failure();
  std::vector<double> out;
  out.reserve(dense.getNumElements());
  Type element = dense.getElementType();
  if (isa<FloatType>(element)) {
    for (APFloat value : dense.getValues<APFloat>())
      out.push_back(value.convertToDouble());
  } else if (auto complex = dyn_cast<ComplexType>(element);
             complex && isa<FloatType>(complex.getElementType())) {
    for (std::complex<APFloat> value :
         dense.getValues<std::complex<APFloat>>()) {
      out.push_back(value.real().convertToDouble());
      out.push_back(value.imag().convertToDouble());
    }
  } else {
    auto ints = readInts(attr);
    if (failed(ints))
      return failure();
    out.assign(ints->begin(), ints->end());
  }
  return out;
}

FailureOr<std::vector<int64_t>> readInts(ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return readResource<int64_t>(resource);
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense || !dense.getElementType().isInteger() ||
      dense.getElementType().getIntOrFloatBitWidth() > 64)
    return failure();
  std::vector<int64_t> out;
  out.reserve(dense.getNumElements());
  for (APInt value : dense.getValues<APInt>())
    out.push_back(value.getBitWidth() == 1 ? value.getZExtValue()
                                           : value.getSExtValue());
  return out;
}

template <typename T>
static ElementsAttr makeReals(RankedTensorType type, StringRef name,
                              const std::vector<T> &values) {
  const char *data = reinterpret_cast<const char *>(values.data());
  size_t size = values.size() * sizeof(T);
  if (type.getNumElements() > kInlineElements)
    return makeResource(type, name, std::vector<char>(data, data + size));
  if (!isa<ComplexType>(type.getElementType()))
    return DenseElementsAttr::get(type, ArrayRef<T>(values));
  std::vector<std::complex<T>> pairs;
  for (size_t i = 0; i + 1 < values.size(); i += 2)
    pairs.emplace_back(values[i], values[i + 1]);
  return DenseElementsAttr::get(type, ArrayRef<std::complex<T>>(pairs));
}

ElementsAttr makeElements(RankedTensorType type, StringRef name,
                          const std::vector<double> &values) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  if (element.isF32())
    return makeReals<float>(type, name, {values.begin(), values.end()});
  return makeReals<double>(type, name, values);
}

ElementsAttr makeElements(RankedTensorType type, StringRef name,
                          const std::vector<int64_t> &values) {
  unsigned width = type.getElementTypeBitWidth();
  if (type.getNumElements() <= kInlineElements || width < 8) {
    SmallVector<APInt> ints;
    for (int64_t value : values)
      ints.push_back(APInt(width, static_cast<uint64_t>(value),
                           /*isSigned=*/true, /*implicitTrunc=*/true));
    return DenseElementsAttr::get(type, ints);
  }
  switch (width) {
  case 8:
    return makeResource(type, name, narrow<int8_t>(values));
  case 16:
    return makeResource(type, name, narrow<int16_t>(values));
  case 32:
    return makeResource(type, name, narrow<int32_t>(values));
  default:
    return makeResource(type, name, narrow<int64_t>(values));
  }
}

template <typename T>
ElementsAttr takeElements(RankedTensorType type, StringRef name,
                          std::vector<T> values) {
  if (type.getNumElements() <= kInlineElements)
    return DenseElementsAttr::get(type, ArrayRef<T>(values));
  auto *owned = new std::vector<T>(std::move(values));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(owned->data()),
                       owned->size() * sizeof(T));
  return DenseResourceElementsAttr::get(
      type, name,
      AsmResourceBlob(
          bytes, alignof(T), [owned](void *, size_t, size_t) { delete owned; },
          /*dataIsMutable=*/false));
}

template ElementsAttr takeElements(RankedTensorType, StringRef,
                                   std::vector<int8_t>);
template ElementsAttr takeElements(RankedTensorType, StringRef,
                                   std::vector<int16_t>);
template ElementsAttr takeElements(RankedTensorType, StringRef,
                                   std::vector<int32_t>);

/// Returns the elements of the constant that a symbol names, null if it has
/// none.
static ElementsAttr elementsOf(Operation *from, Attribute symbol) {
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(symbol);
  auto constant = symbolOf<ConstantOp>(from, name);
  return constant ? constant.getValueAttr() : ElementsAttr();
}

FailureOr<std::vector<double>> readReals(Operation *from, Attribute symbol) {
  ElementsAttr elements = elementsOf(from, symbol);
  if (!elements)
    return failure();
  return readReals(elements);
}

FailureOr<std::vector<int64_t>> readInts(Operation *from, Attribute symbol) {
  ElementsAttr elements = elementsOf(from, symbol);
  if (!elements)
    return failure();
  return readInts(elements);
}

} // namespace dendrolith::dend
