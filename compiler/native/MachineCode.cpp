// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/MachineCode.h"

#include "compiler/native/program/StepOps.h"
#include "targets/support/Error.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace dendrolith::native {

bool hasMachineCode() {
  static const bool has = !llvm::InitializeNativeTarget() &&
                          !llvm::InitializeNativeTargetAsmPrinter();
  return has;
}

void loadDialects(mlir::MLIRContext &context) {
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
  context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::vector::VectorDialect, mlir::scf::SCFDialect,
                      mlir::LLVM::LLVMDialect, program::MicroDialect>();
}

template <typename T> static T take(llvm::Expected<T> given) {
  if (!given)
    throw Error("jit: " + llvm::toString(given.takeError()));
  return std::forward<T>(*given);
}

void buildNativeToLLVM(mlir::OpPassManager &passes) {
  passes.addPass(mlir::createSCFToControlFlowPass());
  passes.addPass(mlir::createConvertVectorToLLVMPass());
  passes.addPass(mlir::createConvertMathToLLVMPass());
  passes.addPass(mlir::createArithToLLVMConversionPass());
  passes.addPass(mlir::createConvertControlFlowToLLVMPass());
  passes.addPass(mlir::createReconcileUnrealizedCastsPass());
}

static void lower(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(false);
  buildNativeToLLVM(passes);
  if (mlir::failed(passes.run(module)))
    throw Error("jit: a program could not be lowered");
}

/// What such functions gain from: they have no calls and few branches. All of
/// O2 takes several times as long, and its code is no faster.
static constexpr const char *kPipeline =
    "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),instsimplify,"
    "adce)";

/// The same for a neuron alone, whose loops over elements become vectors. That
/// takes longer, and without it the interpreter is faster. Several vectors side
/// by side take still longer, and gain nothing.
static constexpr const char *kVectorPipeline =
    "function(sroa,early-cse<memssa>,simplifycfg,loop(loop-rotate,indvars),"
    "loop-mssa(licm),loop-vectorize<interleave-forced-only>,instsimplify,adce)";

static void optimise(llvm::Module &module, llvm::TargetMachine &target,
                     const char *pipeline) {
  module.setDataLayout(target.createDataLayout());
  module.setTargetTriple(target.getTargetTriple());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", target.getTargetCPU());
    function.addFnAttr("target-features", target.getTargetFeatureString());
    // Lanes are made for the widest registers.
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  llvm::PassBuilder passes(&target, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager all;
  if (llvm::Error error = passes.parsePassPipeline(all, pipeline))
    throw Error("jit: " + llvm::toString(std::move(error)));
  all.run(module, modules);
}

struct MachineCode::Parts {
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  unsigned modules = 0;
};

MachineCode::MachineCode() : parts(std::make_unique<Parts>()) {
  llvm::orc::JITTargetMachineBuilder builder =
      take(llvm::orc::JITTargetMachineBuilder::detectHost());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  parts->target = take(builder.createTargetMachine());
  // One target serves all modules: to make one takes long, because it reads
  // what the processor can do as text.
  auto compile = [this](llvm::orc::JITTargetMachineBuilder)
      -> llvm::Expected<
          std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
    return std::make_unique<llvm::orc::SimpleCompiler>(*parts->target);
  };
  parts->jit = take(llvm::orc::LLJITBuilder()
                        .setJITTargetMachineBuilder(std::move(builder))
                        .setCompileFunctionCreator(compile)
                        .setNumCompileThreads(0)
                        .create());
}

MachineCode::~MachineCode() = default;

void *MachineCode::compile(mlir::ModuleOp module, const char *function,
                           bool alone) {
  lower(module);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      mlir::translateModuleToLLVMIR(module, *context);
  if (!code)
    throw Error("jit: a program could not be translated");
  optimise(*code, *parts->target, alone ? kVectorPipeline : kPipeline);
  // Functions of one name lie in libraries of their own.
  llvm::orc::JITDylib &library = take<llvm::orc::JITDylib &>(
      parts->jit->createJITDylib(std::to_string(parts->modules++)));
  if (llvm::Error error = parts->jit->addIRModule(
          library,
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    throw Error("jit: " + llvm::toString(std::move(error)));
  return take(parts->jit->lookup(library, function)).toPtr<void *>();
}

} // namespace dendrolith::native
