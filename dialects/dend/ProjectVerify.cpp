// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier of projections checks both ends, and what each kind of synapses
// needs.
#include "dialects/dend/Bindings.h"

#include <cstring>

using namespace mlir;

namespace dendrolith::dend {

template <size_t N>
static std::array<int64_t, N> entries(DenseI64ArrayAttr list) {
  std::array<int64_t, N> all;
  std::copy_n(list.asArrayRef().begin(), N, all.begin());
  return all;
}

Window windowOf(ConvAttr conv, ArrayRef<int64_t> shape) {
  return {entries<3>(conv.getInput()),
          shape[0],
          {shape[2], shape[3]},
          entries<2>(conv.getStride()),
          entries<4>(conv.getPadding()),
          entries<2>(conv.getDilation()),
          conv.getGroups()};
}

Window windowOf(PoolAttr pool) {
  std::array<int64_t, 3> input = entries<3>(pool.getInput());
  return {input,
          input[0],
          entries<2>(pool.getKernel()),
          entries<2>(pool.getStride()),
          entries<4>(pool.getPadding()),
          {1, 1},
          input[0]};
}

namespace {

/// A projection with its two ends resolved.
struct Ends {
  int64_t sources = 0, targets = 0;
  Type portType;
  Operation *source = nullptr;
  PopulationOp target;
};

/// Notes where the two numbers of elements come from.
InFlightDiagnostic noteEnds(InFlightDiagnostic diagnostic, const Ends &ends) {
  diagnostic.attachNote(ends.source->getLoc())
      << "the source has " << ends.sources << " elements";
  PopulationOp target = ends.target;
  diagnostic.attachNote(target.getLoc())
      << "the port has " << ends.targets << " elements";
  return diagnostic;
}

LogicalResult resolveSource(ProjectOp op, SymbolTableCollection &symbols,
                            Ends &ends) {
  ends.source = symbols.lookupNearestSymbolFrom(op, op.getSourceAttr());
  StringAttr name = op.getOutputAttr();
  if (auto input = llvm::dyn_cast_or_null<InputOp>(ends.source)) {
    if (name) {
      InFlightDiagnostic diagnostic =
          op.emitOpError() << "names output " << name << " of an input";
      diagnostic.attachNote(input.getLoc()) << "declared here";
      return diagnostic;
    }
    ends.sources = elementCount(input.getType());
    return success();
  }
  FailureOr<PopulationOp> population =
      resolve<PopulationOp>(op, "source", op.getSourceAttr(), symbols);
  if (failed(population))
    return failure();
  FailureOr<NeuronOp> model = resolve<NeuronOp>(
      *population, "model", population->getModelAttr(), symbols);
  if (failed(model))
    return failure();
  // A model with one output needs no name.
  int index = name ? model->findOutput(name)
                   : (model->getOutputs().size() == 1 ? 0 : -1);
  if (index < 0) {
    InFlightDiagnostic diagnostic = op.emitOpError();
    if (name)
      diagnostic << "reads output " << name << ", which model "
                 << model->getSymNameAttr() << " does not have"
                 << insteadOf<OutputAttr>(name, model->getOutputs());
    else
      diagnostic << "must name one of the " << model->getOutputs().size()
                 << " outputs of model " << model->getSymNameAttr();
    diagnostic.attachNote(model->getLoc()) << "the model is declared here";
    return diagnostic;
  }
  ends.sources =
      int64_t(population->getSize()) * model->getOutput(index).getElements();
  return success();
}

LogicalResult resolveTarget(ProjectOp op, SymbolTableCollection &symbols,
                            Ends &ends) {
  FailureOr<PopulationOp> population =
      resolve<PopulationOp>(op, "target", op.getTargetAttr(), symbols);
  if (failed(population))
    return failure();
  ends.target = *population;
  FailureOr<NeuronOp> model = resolve<NeuronOp>(
      *population, "model", population->getModelAttr(), symbols);
  if (failed(model))
    return failure();
  int port = model->findPort(op.getPort());
  if (port < 0) {
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "feeds port " << op.getPortAttr()
                         << ", which model " << model->getSymNameAttr()
                         << " does not have"
                         << insteadOf<PortAttr>(op.getPort(),
                                                model->getPorts());
    diagnostic.attachNote(model->getLoc()) << "the model is declared here";
    return diagnostic;
  }
  ends.portType = model->getPortArgs()[port].getType();
  ends.targets = int64_t(population->getSize()) * elementCount(ends.portType);
  return success();
}

LogicalResult checkWeight(ProjectOp op, const Ends &ends, ConstantOp weight,
                          ArrayRef<int64_t> shape) {
  if (!weight)
    return op.emitOpError() << "needs a weight";
  return checkBound(op, "weight", weight, ends.portType, shape);
}

LogicalResult checkDense(ProjectOp op, const Ends &ends, ConstantOp weight) {
  int64_t shape[] = {ends.targets, ends.sources};
  return checkWeight(op, ends, weight, shape);
}

// Returns whether the pairs (target, source) are within their ends and in
// order, which they usually are. It takes one pass over what may be millions.
bool areGood(ArrayRef<char> bytes, const Ends &ends) {
  uint64_t last = 0;
  bool good = true;
  for (size_t offset = 0; offset + 8 <= bytes.size(); offset += 8) {
    uint32_t pair[2]; // target, source
    std::memcpy(pair, bytes.data() + offset, 8);
    uint64_t key = uint64_t(pair[1]) << 32 | pair[0];
    good &= (pair[0] < uint64_t(ends.targets)) & (key >= last);
    last = key;
  }
  // The sources are in order, so the last is the largest.
  return good && (last >> 32) < uint64_t(ends.sources);
}

LogicalResult checkSparse(ProjectOp op, const Ends &ends, ConstantOp weight,
                          ConstantOp indices) {
  if (!weight || !indices)
    return op.emitOpError() << "sparse synapses need a weight and indices";
  auto type = llvm::cast<RankedTensorType>(weight.getType());
  if (type.getRank() != 1)
    return op.emitOpError() << "sparse synapses need a vector of weights, "
                            << "found " << type;
  if (failed(checkBound(op, "weight", weight, ends.portType, type.getShape())))
    return failure();
  Type i32 = IntegerType::get(op.getContext(), 32);
  int64_t shape[] = {type.getDimSize(0), 2};
  auto found = llvm::cast<RankedTensorType>(indices.getType());
  if (found.getElementType() != i32 || found.getShape() != ArrayRef(shape)) {
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "indices have type " << found
                         << ", expected tensor<" << shape[0] << "x2xi32>";
    diagnostic.attachNote(indices.getLoc()) << "the constant is declared here";
    return diagnostic;
  }
  if (!indices.getValueAttr())
    return success();
  std::optional<RawElements> raw = rawElements(indices.getValueAttr());
  if (!raw)
    return success();
  bool splat = raw->count == 1; // all pairs are equal
  if (!splat && areGood(raw->bytes, ends))
    return success();
  std::pair<int64_t, int64_t> last(0, 0);
  for (int64_t k = 0; k < (splat ? 1 : shape[0]); ++k) {
    int64_t target = raw->integer(splat ? 0 : 2 * k);
    int64_t source = raw->integer(splat ? 0 : 2 * k + 1);
    if (target < 0 || target >= ends.targets || source < 0 ||
        source >= ends.sources)
      return noteEnds(op.emitOpError() << "synapse " << k << " joins source "
                                       << source << " to target " << target,
                      ends);
    if (std::pair(source, target) < last)
      return op.emitOpError() << "indices are not sorted by source, then "
                              << "target, at synapse " << k;
    last = {source, target};
  }
  return success();
}

LogicalResult checkDiagonal(ProjectOp op, const Ends &ends, ConstantOp weight) {
  if (ends.sources != ends.targets)
    return noteEnds(op.emitOpError()
                        << "diagonal synapses need as many sources as targets",
                    ends);
  return weight ? checkWeight(op, ends, weight, ends.sources) : success();
}

// Checks that there are `count` positive (or, for padding, non-negative)
// entries.
LogicalResult checkEntries(ProjectOp op, StringRef what, DenseI64ArrayAttr list,
                           int64_t count, int64_t least) {
  bool fits = list && list.size() == count &&
              llvm::all_of(list.asArrayRef(), [&](int64_t x) {
                return x >= least && x <= kLargestCount;
              });
  if (fits)
    return success();
  return op.emitOpError() << what << " needs " << count << " entries of "
                          << least << " to " << kLargestCount;
}

LogicalResult checkWindow(ProjectOp op, const Ends &ends,
                          const Window &window) {
  ArrayRef<int64_t> input = window.input, kernel = window.kernel;
  if (countOf(input) != ends.sources)
    return noteEnds(op.emitOpError() << "has input " << shapeText(input)
                                     << " for " << ends.sources << " sources",
                    ends);
  int64_t output[] = {window.channels, window.output(0), window.output(1)};
  if (output[1] == 0 || output[2] == 0)
    return op.emitOpError()
           << "has a window " << shapeText(kernel)
           << " larger than its padded input " << shapeText(input);
  if (countOf(output) != ends.targets)
    return noteEnds(op.emitOpError() << "has output " << shapeText(output)
                                     << " for " << ends.targets << " targets",
                    ends);
  return success();
}

LogicalResult checkConv(ProjectOp op, const Ends &ends, ConvAttr conv,
                        ConstantOp weight) {
  if (failed(checkEntries(op, "input", conv.getInput(), 3, 1)) ||
      failed(checkEntries(op, "stride", conv.getStride(), 2, 1)) ||
      failed(checkEntries(op, "padding", conv.getPadding(), 4, 0)) ||
      failed(checkEntries(op, "dilation", conv.getDilation(), 2, 1)))
    return failure();
  if (!weight)
    return op.emitOpError() << "needs a weight";
  ArrayRef<int64_t> shape =
      llvm::cast<RankedTensorType>(weight.getType()).getShape();
  if (shape.size() != 4 || !countOf(shape))
    return op.emitOpError() << "a convolution needs a weight of "
                               "(Cout, Cin/groups, Kh, Kw), found "
                            << weight.getType();
  ArrayRef<int64_t> input = conv.getInput().asArrayRef();
  int64_t groups = conv.getGroups();
  if (groups < 1 || input[0] % groups || shape[0] % groups)
    return op.emitOpError() << "has " << groups << " groups, which do not "
                            << "divide " << input[0] << " input and "
                            << shape[0] << " output channels";
  int64_t expected[] = {shape[0], input[0] / groups, shape[2], shape[3]};
  if (failed(checkWeight(op, ends, weight, expected)))
    return failure();
  return checkWindow(op, ends, windowOf(conv, shape));
}

LogicalResult checkPool(ProjectOp op, const Ends &ends, PoolAttr pool,
                        ConstantOp weight) {
  if (failed(checkEntries(op, "input", pool.getInput(), 3, 1)) ||
      failed(checkEntries(op, "kernel", pool.getKernel(), 2, 1)) ||
      failed(checkEntries(op, "stride", pool.getStride(), 2, 1)) ||
      failed(checkEntries(op, "padding", pool.getPadding(), 4, 0)))
    return failure();
  if (weight)
    return op.emitOpError() << "pooling takes no weight";
  if (pool.getAverage() && fixedType(ends.portType))
    return op.emitOpError() << "average pooling needs a real port, found "
                            << ends.portType << "; use sum pooling";
  return checkWindow(op, ends, windowOf(pool));
}

LogicalResult checkNumbersOf(ProjectOp op, const Ends &ends) {
  int64_t delay = int64_t(op.getDelay()), shift = int64_t(op.getShift());
  if (delay < 0 || delay > kLargestCount)
    return op.emitOpError() << "has delay " << delay << ", expected 0 or more";
  if (shift < 0 || shift > 63)
    return op.emitOpError() << "has shift " << shift << ", expected 0 to 63";
  const int64_t down = int64_t(op.getProductShift());
  if (down < 0 || down > 31)
    return op.emitOpError()
           << "has product_shift " << down << ", expected 0 to 31";
  if (shift && down)
    return op.emitOpError()
           << "shifts products to the left by " << shift
           << " and to the right by " << down << ", expected one of both";
  if ((shift || down) && !fixedType(ends.portType))
    return op.emitOpError() << "shifts the values of a real port";
  auto input = llvm::dyn_cast<InputOp>(ends.source);
  if (!input || !fixedType(ends.portType) ||
      llvm::cast<SpikeType>(input.getSpike()).getKind() != SpikeKind::Graded)
    return success();
  InFlightDiagnostic diagnostic =
      op.emitOpError() << "carries real values into a fixed-point port";
  diagnostic.attachNote(input.getLoc())
      << "give the input an integer spike type and a scale";
  return diagnostic;
}

} // namespace

bool ProjectOp::sharesLists() {
  return getShared() || llvm::isa<ConvAttr, PoolAttr>(getSynapses());
}

LogicalResult ProjectOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Ends ends;
  if (failed(resolveSource(*this, symbols, ends)) ||
      failed(resolveTarget(*this, symbols, ends)) ||
      failed(checkNumbersOf(*this, ends)))
    return failure();
  ConstantOp constants[3];
  std::pair<StringRef, FlatSymbolRefAttr> names[] = {
      {"weight", getWeightAttr()},
      {"indices", getIndicesAttr()},
      {"bias", getBiasAttr()}};
  for (auto [i, name] : llvm::enumerate(names)) {
    if (!name.second)
      continue;
    FailureOr<ConstantOp> constant =
        resolve<ConstantOp>(*this, name.first, name.second, symbols);
    if (failed(constant))
      return failure();
    constants[i] = *constant;
  }
  auto [weight, indices, bias] = constants;
  if (indices && !llvm::isa<SparseAttr>(getSynapses()))
    return emitOpError() << "only sparse synapses take indices";
  if (bias &&
      failed(checkBound(*this, "bias", bias, ends.portType, ends.targets)))
    return failure();
  if (llvm::isa<DenseAttr>(getSynapses()))
    return checkDense(*this, ends, weight);
  if (llvm::isa<SparseAttr>(getSynapses()))
    return checkSparse(*this, ends, weight, indices);
  if (auto conv = llvm::dyn_cast<ConvAttr>(getSynapses()))
    return checkConv(*this, ends, conv, weight);
  if (auto pool = llvm::dyn_cast<PoolAttr>(getSynapses()))
    return checkPool(*this, ends, pool, weight);
  return checkDiagonal(*this, ends, weight);
}

} // namespace dendrolith::dend
