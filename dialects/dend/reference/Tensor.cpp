// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Tensor.h"

#include "dialects/dend/Checks.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {
namespace {

FailureOr<Tensor> readElements(ConstantOp op, ElementsAttr value) {
  Tensor tensor;
  tensor.isComplex = isComplex(op.getType());
  tensor.isReal = tensor.isComplex || isReal(op.getType());
  ArrayRef<int64_t> shape = value.getShapedType().getShape();
  tensor.shape.assign(shape.begin(), shape.end());
  if (tensor.isReal) {
    FailureOr<std::vector<double>> elements = readReals(value);
    if (succeeded(elements)) {
      tensor.real = std::move(*elements);
      // Real elements of a complex constant: no imaginary part was written.
      if (size_t(tensor.size()) * (tensor.isComplex ? 2 : 1) ==
          tensor.real.size())
        return tensor;
    }
  } else {
    FailureOr<std::vector<int64_t>> elements = readInts(value);
    if (succeeded(elements)) {
      tensor.ints = std::move(*elements);
      return tensor;
    }
  }
  return op.emitError() << "cannot read the elements of constant @"
                        << op.getSymName() << ": expected numbers of type "
                        << elementType(op.getType())
                        << " in place or a complete resource";
}

/// The part of a bound array at the leading indices, as real or integer.
FailureOr<Tensor> take(ConstantOp op, StringRef key, const Tensor &bound,
                       bool wantReal) {
  ArrayRef<int64_t> at;
  if (op.getAt())
    at = *op.getAt();
  ArrayRef<int64_t> shape = bound.shape;
  auto fail = [&]() {
    return op.emitError() << "array '" << key << "' of shape "
                          << shapeText(bound.shape) << " bound to @"
                          << op.getSymName() << " at " << shapeText(at);
  };
  if (at.size() > shape.size())
    return fail() << " has too few axes";
  int64_t first = 0;
  for (auto [index, extent] : llvm::zip(at, shape)) {
    if (index < 0 || index >= extent)
      return fail() << " lies outside the array";
    first = first * extent + index;
  }
  shape = shape.drop_front(at.size());
  if (shape != shapeOf(op.getType()))
    return fail() << " gives shape " << shapeText(shape) << ", expected "
                  << shapeText(shapeOf(op.getType()));
  Tensor part;
  part.shape.assign(shape.begin(), shape.end());
  part.isReal = wantReal;
  part.isComplex = bound.isComplex;
  int64_t size = part.size();
  first *= size;
  if (!bound.isReal && wantReal) {
    part.real.assign(bound.ints.begin() + first,
                     bound.ints.begin() + first + size);
    return part;
  }
  if (!bound.isReal) {
    part.ints.assign(bound.ints.begin() + first,
                     bound.ints.begin() + first + size);
    return part;
  }
  if (!wantReal)
    return fail() << " holds reals, expected integers";
  int64_t each = bound.isComplex ? 2 : 1;
  part.real.assign(bound.real.begin() + first * each,
                   bound.real.begin() + (first + size) * each);
  return part;
}

FailureOr<Tensor> readBound(ConstantOp op, StringRef key,
                            const Bindings &bindings) {
  bool complex = isComplex(op.getType());
  auto find = [&](const std::string &name) -> const Tensor * {
    auto it = bindings.find(name);
    return it == bindings.end() ? nullptr : &it->second;
  };
  if (const Tensor *whole = find(key.str())) {
    bool wantReal = complex || isReal(op.getType());
    FailureOr<Tensor> part = take(op, key, *whole, wantReal);
    if (failed(part) || part->isComplex == complex)
      return part;
    return op.emitError() << "array '" << key << "' bound to @"
                          << op.getSymName() << " is "
                          << (complex ? "not complex" : "complex")
                          << ", expected type " << op.getType();
  }
  const Tensor *re = find(key.str() + "_re"), *im = find(key.str() + "_im");
  if (!complex || !re || !im) {
    SmallVector<StringRef> names;
    for (const auto &[name, tensor] : bindings)
      names.push_back(name);
    return op.emitError() << "constant @" << op.getSymName()
                          << " is unbound: give an array named '" << key << "'"
                          << (complex ? " or the pair with suffixes '_re' and "
                                        "'_im'"
                                      : "")
                          << (names.empty() ? "" : insteadOf(key, names));
  }
  FailureOr<Tensor> real = take(op, key.str() + "_re", *re, true);
  FailureOr<Tensor> imaginary = take(op, key.str() + "_im", *im, true);
  if (failed(real) || failed(imaginary))
    return failure();
  if (real->isComplex || imaginary->isComplex)
    return op.emitError() << "arrays '" << key << "_re' and '" << key
                          << "_im' must be real";
  Tensor both;
  both.shape = real->shape;
  both.isComplex = true;
  for (auto [x, y] : llvm::zip(real->real, imaginary->real)) {
    both.real.push_back(x);
    both.real.push_back(y);
  }
  return both;
}

} // namespace

int64_t Tensor::size() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

FailureOr<Tensor> readConstant(ConstantOp op, const Bindings &bindings) {
  FailureOr<Tensor> tensor = failure();
  if (std::optional<ElementsAttr> value = op.getValue())
    tensor = readElements(op, *value);
  else if (std::optional<StringRef> key = op.getKey())
    tensor = readBound(op, *key, bindings);
  else
    return op.emitError() << "constant @" << op.getSymName()
                          << " has neither elements nor a key";
  if (failed(tensor))
    return failure();
  for (double x : tensor->real)
    if (!std::isfinite(x))
      return op.emitError() << "constant @" << op.getSymName()
                            << " holds a number that is not finite";
  if (tensor->isReal)
    return tensor;
  FxType fixed = fixedType(op.getType());
  unsigned width = fixed ? fixed.getWidth()
                         : elementType(op.getType()).getIntOrFloatBitWidth();
  int64_t low = width == 1 ? 0 : lowest(width);
  int64_t high = width == 1 ? 1 : highest(width);
  for (int64_t x : tensor->ints)
    if (x < low || x > high)
      return op.emitError()
             << "constant @" << op.getSymName() << " holds " << x
             << ", outside the range of " << elementType(op.getType());
  return tensor;
}

} // namespace dendrolith::dend
