// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/WriteProgram.h"

#include "compiler/native/program/Steps.h"
#include "compiler/native/program/Visit.h"

#include <map>
#include <vector>

namespace dendrolith::native::program {

using micro::Operand;
using micro::Space;
using mlir::Value;

namespace {

class Writer {
public:
  explicit Writer(Visit &visit) : v(visit), l(visit.l), steps(visit) {}

  void write() {
    v.loops.forEach(v.memory.argument(Arguments::Neurons), l.count,
                    [&](Value neuron) {
                      v.memory.neuron = neuron;
                      v.runs = v.isSet(Arguments::Runs, neuron);
                      v.loops.ifAny(v.runs, [&] { writeNodes(v.plan.nodes); });
                    });
  }

private:
  void writeNodes(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      const Step &first = node.steps.front();
      if (first.code.op == MicroOp::Skip)
        writeRegion(node);
      else if (first.code.op == MicroOp::TopK)
        steps.writeMarks(first);
      else if (node.isLoop())
        writeLoop(node);
      else
        writeOut(first);
    }
  }

  /// A step of few elements, one after the other.
  void writeOut(const Step &step) {
    if (Steps::isReduction(step)) {
      Lane sum = steps.beginning(step);
      for (uint32_t e = 0; e < step.code.m; ++e)
        sum = steps.reduce(step, sum, e, Value());
      return steps.finish(step, sum);
    }
    // All operands are read first: a result may take the words of one.
    std::vector<Lane> results;
    for (uint32_t e = 0; e < step.code.n; ++e)
      results.push_back(steps.compute(step, e, Value()));
    for (uint32_t e = 0; e < step.code.n; ++e)
      if (step.hasResult())
        v.put(step, e, Value(), results[e]);
  }

  /// Words that no loop changes are read ahead of it.
  void readAhead(const Node &node) {
    for (const Step &step : node.steps)
      for (unsigned o = 0; o < 3; ++o) {
        const Operand &operand = step.operand(o);
        if (operand.space != Space::None && operand.scalar)
          v.word(operand.space, operand.index, step.bitsOf(o));
      }
  }

  void writeLoop(const Node &node) {
    readAhead(node);
    std::vector<Value> carried;
    std::vector<const Step *> sums;
    std::vector<unsigned> held;
    for (const Step &step : node.steps)
      if (Steps::isReduction(step)) {
        const Lane first = steps.beginning(step);
        carried.push_back(first.value);
        held.push_back(first.held);
        sums.push_back(&step);
      }
    const std::map<Visit::Key, Lane> before = v.words;
    std::vector<Value> found = v.loops.forEach(
        v.memory.number(node.extent), 1, carried,
        [&](Value e, const std::vector<Value> &given) {
          std::vector<Value> next;
          for (const Step &step : node.steps) {
            if (Steps::isReduction(step)) {
              const size_t s = next.size();
              next.push_back(
                  steps.reduce(step, {given[s], held[s]}, 0, e).value);
            } else {
              const Lane result = steps.compute(step, 0, e);
              if (step.hasResult())
                v.put(step, 0, e, result);
            }
          }
          return next;
        });
    v.words = before;
    v.endElements();
    for (const Step &step : node.steps)
      if (step.hasResult() && !Steps::isReduction(step))
        v.forget(step);
    for (size_t s = 0; s < sums.size(); ++s)
      steps.finish(*sums[s], {found[s], held[s]});
  }

  void forgetAll(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      for (const Step &step : node.steps)
        if (step.hasResult())
          v.forget(step);
      forgetAll(node.inside);
    }
  }

  void emitNothing(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      for (const Step &step : node.steps)
        if (step.code.op == MicroOp::Emit)
          v.loops.forEach(v.memory.number(step.code.n), 1, [&](Value e) {
            v.memory.send({step.sent, e}, l.constant(0, 64));
          });
      emitNothing(node.inside);
    }
  }

  void writeRegion(const Node &node) {
    const Step &skip = node.steps.front();
    const Lane condition =
        v.word(skip.code.a.space, skip.code.a.index, skip.bits.a);
    Value inside = l.isNotZero(condition);
    if (v.mask)
      inside = l.both({v.mask, 1}, {inside, 1}).value;
    else
      emitNothing(node.inside);
    const std::map<Visit::Key, Lane> before = v.words;
    const Value outer = v.mask;
    v.loops.ifAny(inside, [&] {
      v.mask = inside;
      v.countPart(skip.part, v.activeLanes());
      writeNodes(node.inside);
      v.mask = outer;
    });
    v.words = before;
    forgetAll(node.inside);
  }

  Visit &v;
  Lanes &l;
  Steps steps;
};

} // namespace

static mlir::LLVM::LLVMFuncOp createFunction(mlir::OpBuilder &b,
                                             llvm::StringRef name) {
  mlir::MLIRContext *context = b.getContext();
  std::vector<mlir::Type> types(Arguments::Number,
                                mlir::LLVM::LLVMPointerType::get(context));
  types[Arguments::Row] = types[Arguments::Neurons] = b.getI64Type();
  auto function = mlir::LLVM::LLVMFuncOp::create(
      b, b.getUnknownLoc(), name,
      mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(context),
                                        types));
  // No argument points into what another one does.
  for (unsigned i = 0; i < Arguments::Row; ++i)
    function.setArgAttr(i, mlir::LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  return function;
}

size_t writeProgram(mlir::OpBuilder &b, const Program &program, unsigned lanes,
                    llvm::StringRef name) {
  const Plan plan(program);
  mlir::LLVM::LLVMFuncOp function = createFunction(b, name);
  mlir::Block *entry = function.addEntryBlock(b);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(entry);
  Visit visit(b, program, plan, lanes, *entry);
  Writer(visit).write();
  mlir::LLVM::ReturnOp::create(b, b.getUnknownLoc(), mlir::ValueRange());
  return plan.words.size() * lanes;
}

} // namespace dendrolith::native::program
