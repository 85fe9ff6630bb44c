// SPDX-License-Identifier: Apache-2.0
// The plugin for clang++ by which `warpfiber nvcc -fregions` makes functions that run a whole block of threads. Of the
// module it keeps those only. What it did goes to the file WARPFIBER_REGIONS_REPORT, a line each:
//     made <file>:<line> <kernel> <number of regions>
//     refused <file>:<line> <kernel>: <reason>
//     needs <symbol>            a symbol that is local to the host compiler's object
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <cstdlib>

#include "regions/kernel.hpp"
#include "regions/registration.hpp"
#include "regions/stripping.hpp"

namespace warpfiber::regions {

using namespace llvm;

namespace {

constexpr const char* kAnnotation = "warpfiber_block";
constexpr std::uint64_t kMostStackBytes = 4 << 20;
constexpr std::uint64_t kStackForRegisters = 16 << 10;

class Report {
 public:
  Report() {
    const char* path = std::getenv("WARPFIBER_REGIONS_REPORT");
    if (path == nullptr) return;
    std::error_code error;
    stream_ = std::make_unique<raw_fd_ostream>(path, error, sys::fs::OF_Append);
    if (error) stream_.reset();
  }
  void add(const Twine& line) {
    if (stream_ != nullptr) *stream_ << line << "\n";
  }

 private:
  std::unique_ptr<raw_fd_ostream> stream_;
};

std::vector<Function*> annotated_functions(Module& module) {
  std::vector<Function*> found;
  GlobalVariable* notes = module.getNamedGlobal("llvm.global.annotations");
  if (notes == nullptr) return found;
  for (Use& note : cast<ConstantArray>(notes->getInitializer())->operands()) {
    auto* fields = cast<ConstantStruct>(note);
    auto* function = dyn_cast<Function>(fields->getOperand(0)->stripPointerCasts());
    auto* text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    if (function == nullptr || text == nullptr || function->isDeclaration()) continue;
    if (cast<ConstantDataArray>(text->getInitializer())->getAsCString() == kAnnotation) found.push_back(function);
  }
  return found;
}

/// `Z6reduceIfEvPKT_PS1_E15warpfiber_about`: the class that is local to a kernel's stub.
std::string readable_name(const std::string& name) {
  std::string text = demangle("_Z" + name);
  const std::size_t end = text.rfind("::warpfiber_about");
  return end == std::string::npos ? text : text.substr(0, end);
}

/// Where the kernel begins: the innermost call that its first instruction was inlined from has its name.
std::string place_of(const Function& function) {
  for (const Instruction& at : instructions(function)) {
    const DebugLoc& location = at.getDebugLoc();
    if (!location) continue;
    const DISubprogram* kernel = cast<DILocalScope>(location.getScope())->getSubprogram();
    if (kernel == nullptr || !kernel->getName().startswith("operator()")) continue;
    if (kernel->getFilename().contains("/warpfiber/")) continue;
    return (kernel->getFilename() + ":" + Twine(kernel->getLine())).str();
  }
  return "?:0";
}

bool make_block_function(Kernel& kernel, std::string& place) {
  const bool prepared = prepare(kernel);
  place = place_of(kernel.function);
  if (!prepared || !lower_meetings(kernel) || !find_regions(kernel)) return false;
  place_values(kernel);
  if (!make_loops(kernel)) return false;
  if (kernel.stack_bytes > kMostStackBytes) {
    return kernel.refuse("it needs " + Twine(kernel.stack_bytes / 1024) + " bytes for each thread");
  }
  return true;
}

struct RegionsPass : PassInfoMixin<RegionsPass> {
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module& module, ModuleAnalysisManager& managers) {
    FunctionAnalysisManager& analyses = managers.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    Report report;
    std::vector<BlockFunction> made;
    std::vector<Function*> keep;
    for (Function& function : module) function.removeFnAttr(Attribute::OptimizeNone);
    for (Function* function : annotated_functions(module)) {
      Kernel kernel(*function, analyses);
      std::string place;
      const bool works = make_block_function(kernel, place);
      const std::string name = readable_name(kernel.name);
      if (!works) {
        report.add("refused " + place + " " + name + ": " + kernel.refusal);
        continue;
      }
      report.add("made " + place + " " + name + " " + Twine(kernel.regions.size()));
      made.push_back({function, cast<Constant>(kernel.name_text), cast<Constant>(kernel.unit),
                      kernel.stack_bytes + kStackForRegisters});
      keep.push_back(function);
    }
    keep_only(module, keep);
    if (!made.empty()) register_functions(module, made);
    analyses.clear();
    GlobalDCEPass().run(module, managers);
    for (const std::string& symbol : local_symbols_needed(module)) report.add("needs " + symbol);
    return PreservedAnalyses::none();
  }
};

}  // namespace
}  // namespace warpfiber::regions

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "warpfiber-regions", "1", [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager& passes, auto) { passes.addPass(warpfiber::regions::RegionsPass()); });
          }};
}
