#include "evaluate/vectorization_remarks.hpp"

#include "compile/compile.hpp"
#include "core/error.hpp"
#include "profile/vectorizer.hpp"

namespace robust_kbench {

std::vector<LineRemark> vectorization_remarks(const KernelSource& kernel,
                                              const Toolchain& toolchain) {
  if (kernel.device != Device::cpu) return {};
  const BuildRecord build = compile(kernel, toolchain, "", {.quick = true});
  if (!build.judgement.passes()) return {};
  std::vector<LineRemark> remarks;
  try {
    for (const ToolFinding& finding : run_vectorizer(kernel, toolchain, build.flags)) {
      if (finding.where.file != kernel.sources.front() || finding.what == "vectorized") continue;
      remarks.push_back({finding.where.line, finding.meaning});
    }
  } catch (const UserError&) {
    return {};
  }
  return remarks;
}

}  // namespace robust_kbench
