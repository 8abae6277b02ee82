// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-diagonalise: chains of coupled compartments as independent modes.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/structure/CableModes.h"

#include "dialects/dend/ZeroOrderHold.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace dendrolith {
#define GEN_PASS_DEF_DENDDIAGONALISE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;
using Complex = std::complex<double>;

// Beyond this condition number the modes cancel each other in the read-out and
// lose the digits that a chip's integers have.
constexpr double kLargestCondition = 1e3;

/// The constants of a branch, rows as in BoundRows.
struct Modes {
  std::vector<Complex> A, G, C;
  bool perNeuron = false;
  int64_t count = 1;
  bool real = true;
};

class CableRewriter {
public:
  CableRewriter(BoundModel &model, dend::CableOp op) : model(model), op(op) {}

  /// Leaves the op alone where its numbers are not known yet, or where its
  /// voltages are seen one by one.
  LogicalResult run() {
    if (!isRewritable())
      return success();
    SmallVector<Modes> all;
    bool real = true;
    for (dend::PopulationOp population : model.populations) {
      FailureOr<Modes> modes = modesOf(population);
      if (failed(modes))
        return failure();
      real &= modes->real;
      all.push_back(std::move(*modes));
    }
    rewrite(all, real);
    return success();
  }

private:
  SmallVector<Value> params() {
    SmallVector<Value> all = {op.getDiag(), op.getGamma(), op.getDt()};
    if (op.getLower())
      all.append({op.getLower(), op.getUpper()});
    return all;
  }

  bool isRewritable() {
    state = model.ownState(op, op.getState(), op.getNext());
    return state && !model.isProbed(*state) &&
           llvm::all_of(params(),
                        [&](Value value) { return model.hasElements(value); });
  }

  StringRef stateName() { return model.model.getState(*state).getName(); }

  FailureOr<Modes> modesOf(dend::PopulationOp population) {
    BoundRows diag = model.rows(population, op.getDiag()),
              gamma = model.rows(population, op.getGamma()),
              dt = model.rows(population, op.getDt()), lower, upper;
    if (op.getLower()) {
      lower = model.rows(population, op.getLower());
      upper = model.rows(population, op.getUpper());
    }
    Modes result;
    for (const BoundRows *rows : {&diag, &gamma, &dt, &lower, &upper}) {
      result.perNeuron |= rows->perNeuron;
      result.count = std::max(result.count, rows->count);
    }
    for (int64_t n = 0; n < result.count; ++n) {
      CableModes modes =
          cableModes(diag.row(n), lower.row(n), upper.row(n), gamma.row(n));
      if (!(modes.condition <= kLargestCondition))
        return population.emitError()
               << "@" << population.getSymName() << ", branch of state '"
               << stateName()
               << "': the eigenvectors of the cable have condition number "
               << modes.condition << ", expected at most " << kLargestCondition
               << "; give it time constants whose modes differ more";
      result.real &= modes.real;
      double step = dt.row(n)[0];
      for (size_t k = 0; k < modes.lambda.size(); ++k) {
        result.A.push_back(std::exp(modes.lambda[k] * step));
        result.G.push_back(dend::holdGain(modes.lambda[k], step) *
                           modes.gain[k]);
      }
      llvm::append_range(result.C, modes.read);
    }
    return result;
  }

  /// Adds a parameter "STATE.NAME", which is bound in every population.
  Value addParameter(StringRef name, Type type, ArrayRef<Modes> all,
                     std::vector<Complex> Modes::*part, bool real) {
    BlockArgument argument =
        model.addParameter((stateName() + "." + name).str(), type);
    for (auto [population, modes] : llvm::zip(model.populations, all)) {
      BoundRows rows;
      rows.perNeuron = modes.perNeuron;
      rows.count = modes.count;
      for (Complex z : modes.*part) {
        rows.values.push_back(z.real());
        if (!real)
          rows.values.push_back(z.imag());
      }
      model.setRows(population, *model.parameter(argument), type, rows);
    }
    return argument;
  }

  void rewrite(ArrayRef<Modes> all, bool real) {
    Type type = op.getState().getType();
    if (!real)
      type = dend::withElementType(type,
                                   ComplexType::get(dend::elementType(type)));
    op.getState().setType(type);
    Value A = addParameter("A", type, all, &Modes::A, real),
          G = addParameter("G", type, all, &Modes::G, real),
          C = addParameter("C", type, all, &Modes::C, real);
    OpBuilder builder(op);
    auto branch = dend::BranchOp::create(
        builder, op.getLoc(), type, op.getDrive().getType(), op.getState(),
        op.getInput(), A, G, C, op.getDirect(), op.getActivationAttr(),
        op.getRangeAttr());
    // One parameter may stand for several, and goes once.
    const SmallVector<Value> given = params();
    const llvm::SmallSetVector<Value, 8> old(given.begin(), given.end());
    op.getNext().replaceAllUsesWith(branch.getNext());
    op.getDrive().replaceAllUsesWith(branch.getDrive());
    op.erase();
    for (Value param : old)
      if (param.use_empty())
        if (auto index = model.parameter(param))
          model.eraseParameter(*index);
  }

  BoundModel &model;
  dend::CableOp op;
  std::optional<unsigned> state;
};

struct DendDiagonalisePass : impl::DendDiagonaliseBase<DendDiagonalisePass> {
  void runOnOperation() override {
    for (auto op : getOperation().getOps<dend::NeuronOp>()) {
      SmallVector<dend::CableOp> cables(op.getBlock().getOps<dend::CableOp>());
      if (cables.empty())
        continue;
      BoundModel model(op);
      for (dend::CableOp cable : cables)
        if (failed(CableRewriter(model, cable).run()))
          return signalPassFailure();
    }
  }
};
} // namespace
} // namespace dendrolith
