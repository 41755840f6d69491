#include "compile/compile.hpp"

#include <filesystem>

#include "compile/append.hpp"
#include "compile/audit/capability_audit.hpp"
#include "compile/build_with_headers.hpp"
#include "compile/fallback.hpp"
#include "compile/half_operators.hpp"
#include "compile/header_names.hpp"
#include "compile/link_audit.hpp"
#include "core/error.hpp"
#include "core/installation.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"
#include "source/compile_options.hpp"
#include "source/source_error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Nvcc runs its commands in a shell, with file names between double quotes. So a name with special
// characters would be run.
void require_plain_name(const std::string& source) {
  if (source.find_first_of("\"$`\\\n") == std::string::npos) return;
  throw UserError("kernel source " + escaped(source) +
                  ": nvcc hands names to a shell, which would run what this one says; rename it "
                  "without any of \" $ ` \\ and line ends");
}

void require_sources(const KernelSource& kernel) {
  if (kernel.sources.empty()) {
    throw UserError("kernel '" + kernel.name + "' has no source; give at least one");
  }
  for (const std::string& source : kernel.sources) {
    if (!fs::is_regular_file(source))
      throw UserError("kernel source " + source + " does not exist");
    if (kernel.device == Device::cuda) require_plain_name(source);
  }
}

// The options that the sources ask for in comments.
std::vector<std::string> options_of_sources(const KernelSource& kernel) {
  std::vector<std::string> all;
  for (const std::string& source : kernel.sources) {
    append(all, compile_options_of(read_text(source).value_or(""), kernel.device == Device::cuda));
  }
  return all;
}

bool may_need_torch(const BuildRecord& record, LibraryBuild& build) {
  const CompileJob& job = build.job();
  DeclaredNames declared;  // empty: not asked yet
  const auto declared_by_torch = [&]() -> const DeclaredNames& {
    if (declared.empty()) {
      declared = names_of_header("torch/extension.h", Device::cpu,
                                 torch_headers(job.toolchain, false), build);
    }
    return declared;
  };
  return job.kernel.headers == KernelHeaders::automatic && is_compile_error(record) &&
         !build.exceeded() && !job.module.is_ambiguous(record.judgement.reason) &&
         torch_headers_missing(job.toolchain, job.is_cuda()).empty() &&
         torch_has_what_is_missing(record.judgement.reason, job.toolchain.torch, declared_by_torch);
}

// Builds with the headers that the kernel asks for, or with those that it turns out to need.
BuildRecord built(LibraryBuild& build) {
  const CompileJob& job = build.job();
  BuildRecord record = job.kernel.headers == KernelHeaders::torch ? build_with_torch_headers(build)
                                                                  : build_with_shim_headers(build);
  if (may_need_torch(record, build)) {
    BuildRecord over_torch = build_with_torch_headers(build);
    if (over_torch.judgement.passes()) {
      record = std::move(over_torch);
    } else {
      std::string& reason = record.judgement.reason;
      reason = neither_compiles(reason, over_torch.judgement.reason);
    }
  }
  std::string& reason = record.judgement.reason;
  if (is_compile_error(record)) reason += half_operator_advice(reason, record.flags);
  if (!record.judgement.passes()) reason = job.module.explained(reason);
  record.compile_seconds = build.seconds();
  return record;
}

std::vector<CapabilityUse> uses_of(LibraryBuild& build) {
  const CompileJob& job = build.job();
  const OwnSources sources(job.kernel, job.toolchain, build.files_read(), build.directory());
  return audited_uses({build.objects().begin(), build.objects().end()}, sources,
                      [&](const auto& command) { return build.inspect(command); });
}

// Puts the library in its place, and rejects it if no worker could load it.
void take_library(LibraryBuild& build, const std::string& library, BuildRecord& record) {
  const CompileJob& job = build.job();
  record.cached = build.is_cached();
  record.uses = uses_of(build);
  build.install(library);
  record.library = library;
  std::string fault = link_fault(library, job.is_cuda(), record.headers == KernelHeaders::torch);
  if (fault.empty() && !exports_module(library)) fault = job.module.what_is_missing();
  if (!fault.empty()) {
    record.judgement = {.verdict = Verdict::load_error, .reason = std::move(fault)};
  }
}

}  // namespace

BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const CompileOptions& options) {
  require_sources(kernel);
  if (std::string missing = missing_compiler(kernel, toolchain); !missing.empty()) {
    return {.judgement = {.verdict = Verdict::skipped, .reason = std::move(missing)}};
  }
  if (kernel.headers == KernelHeaders::torch) {
    const std::string missing = torch_headers_missing(toolchain, kernel.device == Device::cuda);
    if (!missing.empty()) return {.judgement = {.verdict = Verdict::skipped, .reason = missing}};
  }
  const KernelModule module(kernel);
  if (!module.refusal().empty()) {
    return {.judgement = {.verdict = Verdict::compile_error, .reason = module.refusal()}};
  }
  KernelSource with_options = kernel;
  append(with_options.options, module.options());
  try {
    append(with_options.options, options_of_sources(kernel));
  } catch (const SourceError& error) {
    return {.judgement = {.verdict = Verdict::compile_error, .reason = error.what()}};
  }
  LibraryBuild build({with_options, module, toolchain, options});
  BuildRecord record = built(build);
  if (record.judgement.passes() && !options.quick) take_library(build, library, record);
  if (!record.judgement.passes()) {
    fs::remove(library);
    record.library.clear();
  }
  if (!options.depfile.empty()) build.write_depfile(options.depfile, kernel.record);
  return record;
}

std::string missing_compiler(const KernelSource& kernel, const Toolchain& toolchain) {
  if (kernel.device != Device::cuda || !toolchain.nvcc.empty()) return {};
  if (installed_files().empty()) return "no nvcc when this build was configured";
  return std::string("no nvcc in PATH or ") + usual_cuda_programs;
}

}  // namespace robust_kbench
