// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/jit/Body.h"

#include "simulator/functional/neuron/Microcode.h"
#include "simulator/jit/Arithmetic.h"
#include "simulator/jit/Memories.h"
#include "simulator/jit/Registers.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>
#include <vector>

namespace neurite::sim::jit {

using micro::Instruction;
using micro::Operand;
using micro::Space;
using mlir::Value;
using mlir::arith::CmpIPredicate;
namespace scf = mlir::scf;

namespace {

class Writer {
public:
  Writer(mlir::OpBuilder &builder, const MicroProgram &program,
         const Plan &plan, unsigned count, mlir::Block &arguments)
      : b(builder), program(program), l(builder, count), arithmetic(l),
        memory(l, program, plan, arguments), plan(plan) {}

  void write() {
    loadAmounts(plan.nodes);
    forEach(memory.argument(Arguments::Neurons), l.count, [&](Value neuron) {
      memory.neuron = neuron;
      runs = isSet(Arguments::Runs, neuron);
      ifAny(runs, [&] { writeNodes(plan.nodes); });
    });
  }

private:
  // Loops and choices.

  Value index(Value i64) {
    return mlir::arith::IndexCastOp::create(b, l.loc, b.getIndexType(), i64);
  }
  Value fixed(int64_t i) {
    return mlir::arith::ConstantIndexOp::create(b, l.loc, i);
  }

  /// For each i64 from 0 below `end`, a multiple of `step` at a time. `carried`
  /// are values that pass from one time to the next; the body returns them.
  template <typename Body>
  std::vector<Value> forEach(Value end, int64_t step,
                             const std::vector<Value> &carried, Body body) {
    auto loop = scf::ForOp::create(b, l.loc, fixed(0), index(end), fixed(step),
                                   carried);
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Block *inside = loop.getBody();
    if (carried.empty())
      b.setInsertionPoint(inside->getTerminator());
    else
      b.setInsertionPointToEnd(inside);
    Value at = mlir::arith::IndexCastOp::create(b, l.loc, b.getI64Type(),
                                                loop.getInductionVar());
    auto given = loop.getRegionIterArgs();
    std::vector<Value> next =
        body(at, std::vector<Value>(given.begin(), given.end()));
    if (!carried.empty())
      scf::YieldOp::create(b, l.loc, next);
    return {loop.getResults().begin(), loop.getResults().end()};
  }
  template <typename Body> void forEach(Value end, int64_t step, Body body) {
    forEach(end, step, {}, [&](Value at, const std::vector<Value> &) {
      body(at);
      return std::vector<Value>();
    });
  }

  template <typename Body> void ifAny(Value mask, Body body) {
    const Value bits = bitsOf(mask);
    const Value none = mlir::arith::ConstantOp::create(
        b, l.loc, b.getIntegerAttr(bits.getType(), 0));
    const Value any =
        mlir::arith::CmpIOp::create(b, l.loc, CmpIPredicate::ne, bits, none);
    auto choice = scf::IfOp::create(b, l.loc, any, /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(choice.thenBlock()->getTerminator());
    body();
  }

  /// A bit for each lane, as one number.
  Value bitsOf(Value mask) {
    return l.count == 1 ? mask
                        : mlir::LLVM::BitcastOp::create(
                              b, l.loc, b.getIntegerType(l.count), mask);
  }

  // Bytes of lanes.

  mlir::Type bytes() {
    mlir::Type byte = b.getIntegerType(8);
    return l.count == 1 ? byte
                        : mlir::VectorType::get({int64_t(l.count)}, byte);
  }
  Value pointerTo(unsigned argument, Value byte) {
    return memory.at(argument, b.getIntegerType(8), byte);
  }
  Value isSet(unsigned argument, Value byte) {
    Value lanes = memory.load(bytes(), pointerTo(argument, byte));
    return l.compare(CmpIPredicate::ne, {lanes, 8}, l.constant(0, 8)).value;
  }
  void setBytes(unsigned argument, Value byte, Value mask) {
    memory.store(mlir::arith::ExtUIOp::create(b, l.loc, bytes(), mask),
                 pointerTo(argument, byte));
  }

  /// Counts the neurons of `mask`, which run a part.
  void countPart(uint32_t part, Value mask) {
    Value pointer =
        memory.at(Arguments::Counts, b.getI64Type(), memory.number(part));
    Value more = mlir::math::CtPopOp::create(
        b, l.loc,
        mlir::arith::ExtUIOp::create(b, l.loc, b.getI64Type(), bitsOf(mask)));
    memory.store(memory.plus(memory.load(b.getI64Type(), pointer), more),
                 pointer);
    // Rows of bytes have as many as there are neurons, in whole lanes.
    const int64_t lanes = MicroProgram::kLanes;
    Value row = memory.plus(memory.argument(Arguments::Neurons),
                            memory.number(lanes - 1));
    row = mlir::arith::AndIOp::create(b, l.loc, row, memory.number(-lanes));
    setBytes(
        Arguments::Came,
        memory.plus(memory.times(row, memory.number(part - 1)), memory.neuron),
        mask);
  }

  // Values.

  using Key = std::pair<Space, uint32_t>;

  void loadAmounts(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      for (const Step &step : node.steps)
        if (hasOpenAmount(step))
          amounts[step.number] = memory.load(
              b.getI64Type(), memory.at(Arguments::Amounts, b.getI64Type(),
                                        memory.number(step.number)));
      loadAmounts(node.inside);
    }
  }

  /// A word whose index is known now.
  Lane word(Space space, uint32_t at, unsigned bits) {
    auto known = words.find({space, at});
    if (known != words.end())
      return known->second;
    return words[{space, at}] = memory.load(space, {at, Value()}, bits);
  }

  /// Element `e` of an operand that a loop reads element by element: e is known
  /// where there is no loop.
  Lane element(const Step &step, unsigned o, uint32_t e, Value dynamic) {
    const Operand &operand = step.operand(o);
    if (operand.space == Space::None)
      return {};
    if (accessOf(step, o) == Access::Scalar)
      return word(operand.space, operand.index, step.bitsOf(o));
    if (!dynamic)
      return word(operand.space, operand.index + e, step.bitsOf(o));
    auto known = vectors.find({operand.space, operand.index});
    if (known != vectors.end())
      return known->second;
    return vectors[{operand.space, operand.index}] = memory.load(
               operand.space, {operand.index, dynamic}, step.bitsOf(o));
  }

  /// An element of an operand at an index that the code computes.
  Lane anywhere(const Step &step, unsigned o, Value at) {
    const Operand &operand = step.operand(o);
    if (operand.scalar)
      return word(operand.space, operand.index, step.bitsOf(o));
    return memory.load(operand.space, {operand.index, at}, step.bitsOf(o));
  }

  /// Writes a result where it belongs: in the lanes of the region's mask alone.
  void put(const Step &step, uint32_t e, Value dynamic, Lane value) {
    const Operand &d = step.code.d;
    value = l.as(value, holding(step.resultBits));
    if (dynamic)
      vectors[{d.space, d.index}] = value;
    else
      words[{d.space, d.index + e}] = value;
    if (d.space == Space::Register && !plan.words[d.index].inMemory)
      return;
    const WordIndex index{d.index + (dynamic ? 0 : e), dynamic};
    if (mask) // what stands there may have more bits than the result
      value =
          l.choose({mask, 1}, l.as(value, 64), memory.load(d.space, index, 64));
    memory.store(d.space, index, value);
  }

  // Nodes.

  void writeNodes(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      const Step &first = node.steps.front();
      if (first.code.op == MicroOp::Skip)
        writeRegion(node);
      else if (first.code.op == MicroOp::TopK)
        writeMarks(first);
      else if (node.isLoop())
        writeLoop(node);
      else
        writeOut(first);
    }
  }

  static bool isReduction(const Step &step) {
    return shapeOf(step.code.op) == MicroShape::Terms;
  }

  /// What a reduction begins with, and what it makes of the next element.
  Lane beginning(const Step &step) {
    if (step.code.op != MicroOp::Maximum)
      return l.constant(0, holding(step.code.width));
    return l.constant(llvm::APInt::getSignedMinValue(holding(step.bits.a)));
  }
  Lane reduce(const Step &step, const Lane &sum, uint32_t e, Value dynamic) {
    Lane x = element(step, 0, e, dynamic);
    if (step.code.op == MicroOp::Maximum)
      return l.most(sum, l.as(x, sum.held));
    if (step.code.op == MicroOp::Dot)
      x = arithmetic.term(step, x, element(step, 1, e, dynamic),
                          amounts[step.number]);
    return l.add(sum, l.as(x, sum.held));
  }
  void finish(const Step &step, const Lane &sum) {
    put(step, 0, Value(),
        step.code.op == MicroOp::Maximum
            ? sum
            : arithmetic.wrap(sum, step.code.width));
  }

  /// A step of few elements, one after the other.
  void writeOut(const Step &step) {
    if (isReduction(step)) {
      Lane sum = beginning(step);
      for (uint32_t e = 0; e < step.code.m; ++e)
        sum = reduce(step, sum, e, Value());
      return finish(step, sum);
    }
    // All operands are read first: a result may take the words of one.
    std::vector<Lane> results;
    for (uint32_t e = 0; e < step.code.n; ++e)
      results.push_back(compute(step, e, Value()));
    for (uint32_t e = 0; e < step.code.n; ++e)
      if (step.hasResult())
        put(step, e, Value(), results[e]);
  }

  /// Element e of a result, or what an emit sends of it.
  Lane compute(const Step &step, uint32_t e, Value dynamic) {
    const Instruction &code = step.code;
    const Value at = dynamic ? dynamic : memory.number(e);
    switch (code.op) {
    case MicroOp::Emit:
      send(step, element(step, 0, e, dynamic), e, dynamic);
      return {};
    case MicroOp::Table: {
      const Operand &knots = code.b;
      return arithmetic.table(
          step, element(step, 0, e, dynamic), [&](const Lane &k) {
            if (knots.scalar)
              return word(knots.space, knots.index, step.bits.b);
            return memory.gather(knots.space, knots.index, k, step.bits.b);
          });
    }
    case MicroOp::MatVec:
    case MicroOp::VecMat: {
      const unsigned held = holding(code.width);
      const Value n = memory.number(code.n), m = memory.number(code.m);
      // Words that all terms share are read ahead of the loop.
      for (unsigned o : {0u, 1u})
        if (step.operand(o).scalar)
          word(step.operand(o).space, step.operand(o).index, step.bitsOf(o));
      const Value sum = forEach(
          m, 1, {l.constant(0, held).value},
          [&](Value t, const std::vector<Value> &sums) -> std::vector<Value> {
            const bool rows = code.op == MicroOp::MatVec;
            const Lane x = anywhere(
                step, 0, rows ? memory.plus(memory.times(at, m), t) : t);
            const Lane y = anywhere(
                step, 1, rows ? t : memory.plus(memory.times(t, n), at));
            const Lane term = arithmetic.term(step, x, y, amounts[step.number]);
            return {l.add({sums[0], held}, l.as(term, held)).value};
          })[0];
      return arithmetic.wrap({sum, held}, code.width);
    }
    case MicroOp::Outer: {
      const unsigned held = holding(code.width);
      const Value m = memory.number(code.m);
      const Value i = mlir::arith::DivUIOp::create(b, l.loc, at, m);
      const Value j = mlir::arith::RemUIOp::create(b, l.loc, at, m);
      const Lane term =
          arithmetic.term(step, anywhere(step, 0, i), anywhere(step, 1, j),
                          amounts[step.number]);
      const Lane sum =
          l.add(l.as(element(step, 2, e, dynamic), held), l.as(term, held));
      return arithmetic.wrap(sum, code.width);
    }
    default: {
      const Lane operands[] = {element(step, 0, e, dynamic),
                               element(step, 1, e, dynamic),
                               element(step, 2, e, dynamic)};
      return arithmetic.element(step, operands, amounts[step.number]);
    }
    }
  }

  void send(const Step &step, Lane value, uint32_t e, Value dynamic) {
    const MicroProgram::Output &output = program.outputs()[step.code.m];
    value = l.as(value, 64);
    value = l.least(l.most(value, l.constant(output.low, 64)),
                    l.constant(output.high, 64));
    const Value active = activeLanes();
    value = l.choose({active, 1}, value, l.constant(0, 64));
    memory.send({step.sent + (dynamic ? 0 : e), dynamic}, value);
    if (l.count == 1)
      return; // whoever reads what a single neuron sends looks at all of it
    const Value before = isSet(Arguments::Any, memory.neuron);
    setBytes(Arguments::Any, memory.neuron,
             l.either({before, 1}, {l.isNotZero(value), 1}).value);
  }

  Value activeLanes() {
    return mask ? l.both({mask, 1}, {runs, 1}).value : runs;
  }

  /// Words that no loop changes are read ahead of it.
  void readAhead(const Node &node) {
    for (const Step &step : node.steps)
      for (unsigned o = 0; o < 3; ++o) {
        const Operand &operand = step.operand(o);
        if (operand.space != Space::None && operand.scalar)
          word(operand.space, operand.index, step.bitsOf(o));
      }
  }

  void writeLoop(const Node &node) {
    readAhead(node);
    std::vector<Value> carried;
    std::vector<const Step *> sums;
    std::vector<unsigned> held;
    for (const Step &step : node.steps)
      if (isReduction(step)) {
        const Lane first = beginning(step);
        carried.push_back(first.value);
        held.push_back(first.held);
        sums.push_back(&step);
      }
    const std::map<Key, Lane> before = words;
    std::vector<Value> found = forEach(
        memory.number(node.extent), 1, carried,
        [&](Value e, const std::vector<Value> &given) {
          std::vector<Value> next;
          for (const Step &step : node.steps) {
            if (isReduction(step)) {
              const size_t s = next.size();
              next.push_back(reduce(step, {given[s], held[s]}, 0, e).value);
            } else {
              const Lane result = compute(step, 0, e);
              if (step.hasResult())
                put(step, 0, e, result);
            }
          }
          return next;
        });
    words = before;
    vectors.clear();
    for (const Step &step : node.steps)
      if (step.hasResult() && !isReduction(step))
        forget(step);
    for (size_t s = 0; s < sums.size(); ++s)
      finish(*sums[s], {found[s], held[s]});
  }

  void forget(const Step &step) {
    const Operand &d = step.code.d;
    words.erase(words.lower_bound({d.space, d.index}),
                words.lower_bound({d.space, d.index + step.code.n}));
  }
  void forgetAll(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      for (const Step &step : node.steps)
        if (step.hasResult())
          forget(step);
      forgetAll(node.inside);
    }
  }

  void emitNothing(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      for (const Step &step : node.steps)
        if (step.code.op == MicroOp::Emit)
          forEach(memory.number(step.code.n), 1, [&](Value e) {
            memory.send({step.sent, e}, l.constant(0, 64));
          });
      emitNothing(node.inside);
    }
  }

  void writeRegion(const Node &node) {
    const Step &skip = node.steps.front();
    const Lane condition =
        word(skip.code.a.space, skip.code.a.index, skip.bits.a);
    Value inside = l.isNotZero(condition);
    if (mask)
      inside = l.both({mask, 1}, {inside, 1}).value;
    else
      emitNothing(node.inside);
    const std::map<Key, Lane> before = words;
    const Value outer = mask;
    ifAny(inside, [&] {
      mask = inside;
      countPart(skip.part, activeLanes());
      writeNodes(node.inside);
      mask = outer;
    });
    words = before;
    forgetAll(node.inside);
  }

  /// One pass for each mark, as in the reference: the largest element that has
  /// none yet, and of equal ones the first.
  void writeMarks(const Step &step) {
    const Value n = memory.number(step.code.n);
    // Marks are made behind all registers, because a mask may hold for the
    // result.
    const uint32_t marks = plan.marks;
    if (step.code.a.scalar)
      word(step.code.a.space, step.code.a.index, step.bits.a);
    auto mark = [&](Value i) {
      return memory.load(Space::Register, {marks, i}, 64);
    };
    auto setMark = [&](Value i, const Lane &value) {
      memory.store(Space::Register, {marks, i}, value);
    };
    forEach(n, 1, [&](Value i) { setMark(i, l.constant(0, 64)); });
    forEach(memory.number(step.code.m), 1, [&](Value) {
      const Lane none = l.constant(-1, 64);
      const Value best = forEach(
          n, 1, {none.value, l.constant(INT64_MIN, 64).value},
          [&](Value i, const std::vector<Value> &so) -> std::vector<Value> {
            const Lane where{so[0], 64}, largest{so[1], 64};
            const Lane x = l.as(anywhere(step, 0, i), 64);
            const Lane larger =
                l.either(l.compare(CmpIPredicate::eq, where, none),
                         l.compare(CmpIPredicate::sgt, x, largest));
            const Lane free =
                l.compare(CmpIPredicate::eq, mark(i), l.constant(0, 64));
            const Lane takes = l.both(larger, free);
            return {l.choose(takes, l.repeat(i, 64), where).value,
                    l.choose(takes, x, largest).value};
          })[0];
      forEach(n, 1, [&](Value i) {
        const Lane is =
            l.compare(CmpIPredicate::eq, {best, 64}, l.repeat(i, 64));
        setMark(i, l.either(mark(i), l.as(is, 64)));
      });
    });
    forEach(n, 1, [&](Value i) {
      put(step, 0, i, mark(i));
      vectors.clear();
    });
    forget(step);
  }

  mlir::OpBuilder &b;
  const MicroProgram &program;
  Lanes l;
  Arithmetic arithmetic;
  Memories memory;
  const Plan &plan;
  std::map<uint32_t, Value> amounts; // by instruction
  std::map<Key, Lane> words;         // that are known, by index
  std::map<Key, Lane> vectors;       // of which an element is known in a loop
  Value runs;                        // which lanes run
  Value mask;                        // of the region; null: all lanes
};

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> writeBody(mlir::MLIRContext &context,
                                            const MicroProgram &program,
                                            const Plan &plan, unsigned lanes) {
  mlir::OpBuilder b(&context);
  const mlir::Location loc = b.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  std::vector<mlir::Type> types(Arguments::Number,
                                mlir::LLVM::LLVMPointerType::get(&context));
  types[Arguments::Row] = types[Arguments::Neurons] = b.getI64Type();
  auto function = mlir::LLVM::LLVMFuncOp::create(
      b, loc, kFunction,
      mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(&context),
                                        types));
  // No argument points into what another one does.
  for (unsigned i = 0; i < Arguments::Row; ++i)
    function.setArgAttr(i, mlir::LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  mlir::Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);
  Writer(b, program, plan, lanes, *entry).write();
  mlir::LLVM::ReturnOp::create(b, loc, mlir::ValueRange());
  return module;
}

} // namespace neurite::sim::jit
