// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Connections.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

ConstantOp findConstant(ProjectOp op, StringRef name) {
  return networkOf(op).lookupSymbol<ConstantOp>(name);
}

FailureOr<Tensor> readNamed(ProjectOp op, StringRef name,
                            const Bindings &bindings) {
  ConstantOp constant = findConstant(op, name);
  if (!constant)
    return op.emitError() << "no constant @" << name;
  return readConstant(constant, bindings);
}

LogicalResult expect(ProjectOp op, StringRef what, int64_t found,
                     int64_t expected) {
  if (found == expected)
    return success();
  return op.emitError() << "projection @" << op.getSource() << " -> @"
                        << op.getTarget() << " has " << found << ' ' << what
                        << ", expected " << expected;
}

/// Calls back with each synapse of a projection.
using Listing = decltype(Connections::forEach);

FailureOr<Listing> listSparse(ProjectOp op, int64_t sources, int64_t targets,
                              const Bindings &bindings, int64_t weights) {
  if (!op.getIndices())
    return op.emitError() << "sparse synapses need indices";
  FailureOr<Tensor> indices = readNamed(op, *op.getIndices(), bindings);
  if (failed(indices))
    return failure();
  if (indices->isReal)
    return op.emitError() << "indices must be integers";
  if (failed(expect(op, "index numbers", indices->size(), 2 * weights)))
    return failure();
  for (int64_t i = 0; i < weights; ++i) {
    int64_t t = indices->ints[2 * i], s = indices->ints[2 * i + 1];
    if (t < 0 || t >= targets || s < 0 || s >= sources)
      return op.emitError() << "synapse " << i << " joins source " << s
                            << " and target " << t << ", expected sources 0.."
                            << sources - 1 << " and targets 0.." << targets - 1;
  }
  return Listing(
      [pairs = std::move(indices->ints)](Connections::Callback visit) {
        for (size_t i = 0; i < pairs.size() / 2; ++i)
          visit(pairs[2 * i + 1], pairs[2 * i], int64_t(i));
      });
}

FailureOr<Listing> listWindows(ProjectOp op, int64_t sources, int64_t targets,
                               const Tensor &weights) {
  auto conv = dyn_cast<ConvAttr>(op.getSynapses());
  if (conv && weights.shape.size() != 4)
    return op.emitError() << "a convolution needs weights of four axes";
  Window window = conv ? windowOf(conv, weights.shape)
                       : windowOf(cast<PoolAttr>(op.getSynapses()));
  if (conv && failed(expect(op, "weights", weights.size(), window.weights())))
    return failure();
  if (window.targets() == 0)
    return op.emitError() << "the kernel is larger than the padded input";
  if (failed(expect(op, "targets", targets, window.targets())) ||
      failed(expect(op, "sources", sources, window.sources())))
    return failure();
  const int64_t step = conv ? 1 : 0;
  return Listing([window, step](Connections::Callback visit) {
    window.taps([&](int64_t t, int64_t s, int64_t weight) {
      visit(s, t, weight * step);
    });
  });
}

FailureOr<Listing> listSynapses(ProjectOp op, int64_t sources, int64_t targets,
                                const Bindings &bindings,
                                const Tensor &weights) {
  Attribute kind = op.getSynapses();
  if (isa<DenseAttr>(kind))
    return Listing([=](Connections::Callback visit) {
      for (int64_t t = 0; t < targets; ++t)
        for (int64_t s = 0; s < sources; ++s)
          visit(s, t, t * sources + s);
    });
  if (isa<SparseAttr>(kind))
    return listSparse(op, sources, targets, bindings, weights.size());
  if (isa<DiagonalAttr>(kind)) {
    if (failed(expect(op, "sources", sources, targets)) ||
        (op.getWeight() &&
         failed(expect(op, "weights", weights.size(), targets))))
      return failure();
    const int64_t step = op.getWeight() ? 1 : 0;
    return Listing([=](Connections::Callback visit) {
      for (int64_t i = 0; i < targets; ++i)
        visit(i, i, i * step);
    });
  }
  return listWindows(op, sources, targets, weights);
}

/// Real weights into a port of reals, integers into one of integers. Without a
/// weight every synapse has weight 1; average pooling divides by the size of
/// the whole window, padding included.
FailureOr<Tensor> readWeights(ProjectOp op, bool intoReals,
                              const Bindings &bindings) {
  Tensor weights;
  weights.isReal = intoReals;
  weights.real = {1.0};
  weights.ints = {1};
  if (op.getWeight()) {
    FailureOr<Tensor> read = readNamed(op, *op.getWeight(), bindings);
    if (failed(read))
      return failure();
    weights = std::move(*read);
  } else if (auto pool = dyn_cast<PoolAttr>(op.getSynapses())) {
    ArrayRef<int64_t> kernel = pool.getKernel().asArrayRef();
    if (pool.getAverage() && !intoReals)
      return op.emitError() << "average pooling into a fixed-point port: make "
                               "it sum pooling and fold the division";
    if (pool.getAverage())
      weights.real = {1.0 / double(kernel[0] * kernel[1])};
  } else if (!isa<DiagonalAttr>(op.getSynapses())) {
    return op.emitError() << "these synapses need a weight";
  }
  if (weights.isComplex || (weights.isReal && !intoReals))
    return op.emitError() << "weight @" << op.getWeight().value_or("")
                          << " holds "
                          << (weights.isComplex ? "complex numbers" : "reals")
                          << ", the port takes "
                          << (intoReals ? "reals" : "integer mantissas");
  if (intoReals && !weights.isReal)
    weights.real.assign(weights.ints.begin(), weights.ints.end());
  return weights;
}

FailureOr<Tensor> readBias(ProjectOp op, int64_t targets, bool intoReals,
                           const Bindings &bindings) {
  FailureOr<Tensor> bias = readNamed(op, *op.getBias(), bindings);
  if (failed(bias) || failed(expect(op, "bias numbers", bias->size(), targets)))
    return failure();
  if (bias->isComplex || (bias->isReal && !intoReals))
    return op.emitError() << "bias @" << *op.getBias()
                          << " does not hold what the port takes";
  if (intoReals && !bias->isReal)
    bias->real.assign(bias->ints.begin(), bias->ints.end());
  return bias;
}

} // namespace

FailureOr<Connections> Connections::create(ProjectOp op, int64_t sources,
                                           int64_t targets, bool intoReals,
                                           const Bindings &bindings) {
  FailureOr<Tensor> weights = readWeights(op, intoReals, bindings);
  if (failed(weights))
    return failure();
  Connections made;
  made.isDense = isa<DenseAttr>(op.getSynapses());
  if (made.isDense &&
      failed(expect(op, "weights", weights->size(), sources * targets)))
    return failure();
  FailureOr<Listing> listing =
      listSynapses(op, sources, targets, bindings, *weights);
  if (failed(listing))
    return failure();
  if (op.getBias()) {
    FailureOr<Tensor> bias = readBias(op, targets, intoReals, bindings);
    if (failed(bias))
      return failure();
    made.bias = std::move(*bias);
  }
  made.sources = sources;
  made.targets = targets;
  made.intoReals = intoReals;
  made.shift = unsigned(op.getShift());
  made.productShift = unsigned(op.getProductShift());
  made.weights = std::move(*weights);
  made.forEach = std::move(*listing);
  return made;
}

Synapses::Synapses(Connections made) : connections(std::move(made)) {
  bySource.resize(size_t(connections.sources));
  connections.forEach([&](int64_t source, int64_t target, int64_t weight) {
    const Tensor &weights = connections.weights;
    // A weight of zero adds nothing, whatever it is multiplied by.
    if (connections.intoReals ? weights.real[weight] != 0
                              : weights.ints[weight] != 0)
      bySource[source].push_back({uint32_t(target), uint32_t(weight)});
  });
}

/// The product of two integers, modulo 2^64.
uint64_t Synapses::term(int64_t weight, int64_t value) const {
  const uint64_t product = uint64_t(weight) * uint64_t(value);
  if (connections.productShift) // the product is cut to 16 bits
    return uint64_t(int16_t(int64_t(product) >> connections.productShift));
  return connections.shift < 64 ? product << connections.shift : 0;
}

void Synapses::send(const PopulationValue &source, Arrivals &to) const {
  const Tensor &weights = connections.weights;
  to.real.resize(connections.intoReals ? connections.targets : 0);
  to.raw.resize(connections.intoReals ? 0 : connections.targets);
  for (size_t s = 0; s < bySource.size(); ++s) {
    if (source.isReal() ? source.real[s] == 0 : source.raw[s] == 0)
      continue;
    for (auto [target, weight] : bySource[s])
      if (connections.intoReals)
        to.real[target] +=
            weights.real[weight] *
            (source.isReal() ? source.real[s] : double(source.raw[s]));
      else
        to.raw[target] += term(weights.ints[weight], source.raw[s]);
  }
}

} // namespace dendrolith::dend
