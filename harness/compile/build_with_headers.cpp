#include "compile/build_with_headers.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "compile/append.hpp"
#include "compile/compiler_errors.hpp"
#include "compile/disk_space.hpp"
#include "compile/header_names.hpp"
#include "compile/lean_headers.hpp"
#include "compile/precompiled_torch.hpp"
#include "compile/standard_library.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// The program nvcc_halves beside the worker, or empty if there is none.
std::string nvcc_halves(const Toolchain& toolchain) {
  const fs::path program = fs::path(toolchain.worker).parent_path() / "rkb_nvcc_halves";
  return fs::exists(program) ? program.string() : std::string();
}

Attempt fast_attempt(const CompileJob& job) {
  Attempt attempt;
  if (job.is_cuda() && !job.options.quick) attempt.nvcc = nvcc_halves(job.toolchain);
  // This takes half the time. Whether a source compiles rarely depends on the optimisation.
  if (job.is_cuda() && job.options.quick) attempt.quick = {"--Ofast-compile=max"};
  return attempt;
}

bool misses_standard_name(const std::string& reason, LibraryBuild& build) {
  const Arguments missed = missed_names(reason);
  if (missed.empty()) return false;
  const CompileJob& job = build.job();
  const DeclaredNames declared = names_of_header(
      "robust_kbench/standard_library.h", job.kernel.device, shim_headers(job.toolchain), build);
  return std::any_of(missed.begin(), missed.end(),
                     [&](const std::string& name) { return declared.contains(name); });
}

// This compiler sees nothing of the kernel, since other kernels will read what it makes.
PrecompiledTorch::Outcome precompile(const Arguments& command, const Headers& headers,
                                     const fs::path& directory, LibraryBuild& build) {
  const CompileJob& job = build.job();
  CompilerLimits limits = job.limits();
  limits.file_bytes = 0;  // the header takes hundreds of MiB
  EnclosedCompiler enclosed(KernelSource{}, job.toolchain, directory, limits, job.options.stop);
  const CommandResult result =
      enclosed.run(enclosed.enclosed(command), job.options.timeout * headers.timeout_factor);
  build.add_seconds(result.seconds);
  if (result.exit_code == 0 && !result.timed_out) return PrecompiledTorch::Outcome::made;
  constexpr int first_signal = 128;
  const bool ended = !result.timed_out && result.excess.empty() &&
                     result.exit_code < first_signal && !has_too_little_space(directory);
  return ended ? PrecompiledTorch::Outcome::refused : PrecompiledTorch::Outcome::failed;
}

// A depfile names all headers, which a precompiled one would hide.
std::optional<PrecompiledTorch::Header> precompiled_torch(const Headers& headers,
                                                          LibraryBuild& build) {
  const CompileJob& job = build.job();
  if (job.is_cuda() || !job.options.cache || !job.options.depfile.empty() ||
      !may_precompile_torch(job.kernel)) {
    job.tell("compiling over torch's headers (about a minute)");
    return std::nullopt;
  }
  KernelSource no_kernel;
  no_kernel.options = job.kernel.options;
  Arguments command{build.compiler()};
  append(command, compile_flags(no_kernel, headers, {}));
  const PrecompiledTorch torch(command, build.version());
  job.tell(torch.exists() ? "compiling over torch's headers"
                          : "compiling over torch's headers (first time: about a minute)");
  const auto run = [&](const Arguments& compiler, const fs::path& directory) {
    return precompile(compiler, headers, directory, build);
  };
  return torch.header(run, job.options.stop);
}

}  // namespace

bool is_compile_error(const BuildRecord& record) {
  return record.judgement.verdict == Verdict::compile_error;
}

BuildRecord build_with_shim_headers(LibraryBuild& build) {
  const CompileJob& job = build.job();
  const Headers headers = shim_headers(job.toolchain);
  Attempt attempt = fast_attempt(job);
  attempt.lean = lean_definitions(job.kernel);
  attempt.included = named_standard_headers(job.kernel);
  BuildRecord record = build.build(headers, attempt);
  if (!is_compile_error(record) || build.exceeded()) return record;
  // The kernel may need a header that the text scans missed. Shortcuts such as nvcc_halves must
  // not make a kernel fail, either.
  Attempt in_full{.included = attempt.included};
  if (misses_standard_name(record.judgement.reason, build)) {
    in_full.included = all_standard_headers();
  }
  return in_full == attempt ? record : build.build(headers, in_full);
}

BuildRecord build_with_torch_headers(LibraryBuild& build) {
  const CompileJob& job = build.job();
  const Headers headers = torch_headers(job.toolchain, job.is_cuda());
  Attempt attempt = fast_attempt(job);
  const std::optional<PrecompiledTorch::Header> precompiled = precompiled_torch(headers, build);
  if (precompiled) {
    attempt.included = {"-include", precompiled->file};
    attempt.is_precompiled = true;
    build.may_read({precompiled->file.parent_path()});
  }
  BuildRecord record = build.build(headers, attempt);
  const bool ours = job.is_cuda() || record.judgement.reason.find("PCH") != std::string::npos ||
                    record.judgement.reason.find("internal compiler") != std::string::npos;
  if (!is_compile_error(record) || build.exceeded() || !ours || attempt == Attempt{}) {
    return record;
  }
  return build.build(headers, {});
}

}  // namespace robust_kbench
