#include "compile/compile.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "compile/append.hpp"
#include "compile/compile_cache.hpp"
#include "compile/compile_commands.hpp"
#include "compile/compiler_errors.hpp"
#include "compile/declared_names.hpp"
#include "compile/depfile.hpp"
#include "compile/disk_space.hpp"
#include "compile/enclosed_compiler.hpp"
#include "compile/entry_module.hpp"
#include "compile/fallback.hpp"
#include "compile/given_names.hpp"
#include "compile/half_operators.hpp"
#include "compile/headers.hpp"
#include "compile/lean_headers.hpp"
#include "compile/link_audit.hpp"
#include "compile/precompiled_torch.hpp"
#include "compile/standard_flags.hpp"
#include "compile/standard_library.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"
#include "source/compile_options.hpp"
#include "source/source_error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string version_line(const std::string& compiler) {
  const CommandResult result = run_command({compiler, "--version"}, std::chrono::seconds{10});
  return compiler + ": " + result.output.substr(0, result.output.find('\n'));
}

// The reason why a failed command failed, in words for a person.
std::string reason_of(const CommandResult& result, std::chrono::seconds timeout) {
  std::string reason =
      result.timed_out ? "the compiler ran longer than " + std::to_string(timeout.count()) + " s\n"
                       : std::string();
  return reason + escaped(result.output);
}

// Nvcc runs its commands in a shell, with file names between double quotes. So a name with special
// characters would be run.
void require_plain_name(const std::string& source) {
  if (source.find_first_of("\"$`\\\n") == std::string::npos) return;
  throw UserError("kernel source " + escaped(source) +
                  ": nvcc hands names to a shell, which would run what this one says; rename it "
                  "without any of \" $ ` \\ and line ends");
}

// The program nvcc_halves beside the worker, or empty if there is none.
std::string nvcc_halves(const Toolchain& toolchain) {
  const fs::path program = fs::path(toolchain.worker).parent_path() / "rkb_nvcc_halves";
  return fs::exists(program) ? program.string() : std::string();
}

// Compiles each source to an object of its own, so that each has its own depfile, then links once.
class Compilation {
 public:
  Compilation(const KernelSource& kernel, const KernelModule& module, const Toolchain& toolchain,
              const CompileOptions& options)
      : m_kernel(kernel),
        m_module(module),
        m_toolchain(toolchain),
        m_options(options),
        m_compiler(kernel.device == Device::cuda ? toolchain.nvcc : toolchain.cxx),
        m_version(version_line(m_compiler)) {
    if (module.made())
      OutputFile(m_directory.path() / module.made()->name).write(module.made()->text);
    if (options.cache && !options.quick) m_cache.emplace(m_version, m_directory.path());
  }

  BuildRecord run(const fs::path& library) {
    BuildRecord record =
        m_kernel.headers == KernelHeaders::torch ? build_over_torch() : build_over_shim_headers();
    if (may_need_torch(record)) {
      BuildRecord over_torch = build_over_torch();
      if (over_torch.judgement.passes()) {
        record = std::move(over_torch);
      } else {
        std::string& reason = record.judgement.reason;
        reason = neither_compiles(reason, over_torch.judgement.reason);
      }
    }
    if (failed(record)) {
      record.judgement.reason += half_operator_advice(record.judgement.reason, record.flags);
    }
    record.compile_seconds = m_seconds;
    if (!record.judgement.passes()) {
      record.judgement.reason = m_module.explained(record.judgement.reason);
    }
    if (!record.judgement.passes() || m_options.quick) return record;
    record.cached = m_cache && m_cache->answered_all();
    install(library);
    record.library = library;
    std::string fault = link_fault(library, is_cuda(), record.headers == KernelHeaders::torch);
    if (fault.empty() && !exports_module(library)) fault = m_module.what_is_missing();
    if (!fault.empty()) {
      record.judgement = {.verdict = Verdict::load_error, .reason = std::move(fault)};
    }
    return record;
  }

  // Names all files that were read until the compiler stopped, so that a fixed header rebuilds a
  // failed kernel.
  void write_depfile(const fs::path& depfile, const std::string& target) const {
    std::ofstream out(depfile);
    out << target << ":";
    for (const auto& entry : fs::directory_iterator(m_directory.path())) {
      if (entry.path().extension() != ".d") continue;
      const auto& made = m_module.made();
      out << " " << prerequisites(entry.path(), made ? made->name : "");
    }
    out << "\n";
  }

 private:
  static bool failed(const BuildRecord& record) {
    return record.judgement.verdict == Verdict::compile_error;
  }

  BuildRecord build_over_shim_headers() {
    const Headers headers = shim_headers(m_toolchain);
    Attempt attempt = fast_attempt();
    attempt.lean = lean_definitions(m_kernel);
    attempt.included = named_standard_headers(m_kernel);
    BuildRecord record = build(headers, attempt);
    if (!failed(record) || m_timed_out) return record;
    // The kernel may need a header that the text scans missed. Shortcuts such as nvcc_halves must
    // not make a kernel fail, either.
    Attempt in_full{.included = attempt.included};
    if (misses_standard_name(record.judgement.reason)) in_full.included = all_standard_headers();
    return in_full == attempt ? record : build(headers, in_full);
  }

  BuildRecord build_over_torch() {
    const Headers headers = torch_headers(m_toolchain, is_cuda());
    Attempt attempt = fast_attempt();
    const std::optional<PrecompiledTorch::Header> precompiled = precompiled_torch(headers);
    if (precompiled) {
      attempt.included = {"-include", precompiled->file};
      m_enclosed.may_read(m_kernel, {precompiled->file.parent_path()});
    }
    m_precompiled = precompiled.has_value();
    BuildRecord record = build(headers, attempt);
    const bool ours = is_cuda() || record.judgement.reason.find("PCH") != std::string::npos ||
                      record.judgement.reason.find("internal compiler") != std::string::npos;
    if (!failed(record) || m_timed_out || !ours || attempt == Attempt{}) return record;
    m_precompiled = false;
    return build(headers, {});
  }

  [[nodiscard]] Attempt fast_attempt() const {
    Attempt attempt;
    if (is_cuda() && !m_options.quick) attempt.nvcc = nvcc_halves(m_toolchain);
    // This takes half the time. Whether a source compiles rarely depends on the optimisation.
    if (is_cuda() && m_options.quick) attempt.quick = {"--Ofast-compile=max"};
    return attempt;
  }

  void tell(const std::string& text) const {
    if (m_options.on_progress) m_options.on_progress(text);
  }

  // A depfile names all headers, which a precompiled one would hide.
  std::optional<PrecompiledTorch::Header> precompiled_torch(const Headers& headers) {
    if (is_cuda() || !m_options.cache || !m_options.depfile.empty() ||
        !may_precompile_torch(m_kernel)) {
      tell("compiling over torch's headers (about a minute)");
      return std::nullopt;
    }
    KernelSource no_kernel;
    no_kernel.options = m_kernel.options;
    Arguments command{m_compiler};
    append(command, compile_flags(no_kernel, headers, {}));
    const PrecompiledTorch torch(command, m_version);
    tell(torch.exists() ? "compiling over torch's headers"
                        : "compiling over torch's headers (first time: about a minute)");
    const auto run = [&](const Arguments& compiler, const fs::path& directory) {
      return precompile(compiler, headers, directory);
    };
    return torch.header(run, m_options.stop);
  }

  // This compiler sees nothing of the kernel, since other kernels will read what it makes.
  PrecompiledTorch::Outcome precompile(const Arguments& command, const Headers& headers,
                                       const fs::path& directory) {
    EnclosedCompiler enclosed(KernelSource{}, m_toolchain, directory, m_options.stop);
    const CommandResult result =
        enclosed.run(enclosed.enclosed(command), m_options.timeout * headers.timeout_factor);
    m_seconds += result.seconds;
    if (result.exit_code == 0 && !result.timed_out) return PrecompiledTorch::Outcome::made;
    constexpr int first_signal = 128;
    const bool ended =
        !result.timed_out && result.exit_code < first_signal && !has_too_little_space(directory);
    return ended ? PrecompiledTorch::Outcome::refused : PrecompiledTorch::Outcome::failed;
  }

  [[nodiscard]] bool may_need_torch(const BuildRecord& record) {
    return m_kernel.headers == KernelHeaders::automatic && failed(record) && !m_timed_out &&
           !m_module.is_ambiguous(record.judgement.reason) &&
           torch_headers_missing(m_toolchain, is_cuda()).empty() &&
           torch_has_what_is_missing(
               record.judgement.reason, m_toolchain.torch,
               [this]() -> const DeclaredNames& { return declared_by_torch(); });
  }

  bool misses_standard_name(const std::string& reason) {
    const Arguments missed = missed_names(reason);
    if (missed.empty()) return false;
    const DeclaredNames declared =
        declared_by("robust_kbench/standard_library.h", m_kernel.device, shim_headers(m_toolchain));
    return std::any_of(missed.begin(), missed.end(),
                       [&](const std::string& name) { return declared.contains(name); });
  }

  const DeclaredNames& declared_by_torch() {
    if (m_declared_by_torch.empty()) {
      m_declared_by_torch =
          declared_by("torch/extension.h", Device::cpu, torch_headers(m_toolchain, false));
    }
    return m_declared_by_torch;
  }

  // The names that a header and all its includes declare, or none if it cannot be preprocessed.
  DeclaredNames declared_by(const std::string& header, Device device, const Headers& headers) {
    const bool cuda = device == Device::cuda;
    const fs::path source = m_directory.path() / (cuda ? "names.cu" : "names.cpp");
    const fs::path output = m_directory.path() / "names.ii";
    std::ofstream(source) << "#include <" << header << ">\n";
    Arguments command{cuda ? m_toolchain.nvcc : m_toolchain.cxx};
    append(command, standard_flags(device, false));
    append(command, headers.include_flags);
    append(command, {"-E", cuda ? "-Xcompiler=-dD" : "-dD", source, "-o", output});
    (void)run(m_enclosed.enclosed(command));
    return declared_names(read_text(output).value_or(""));
  }

  [[nodiscard]] bool is_cuda() const { return m_kernel.device == Device::cuda; }

  BuildRecord build(const Headers& headers, const Attempt& attempt) {
    BuildRecord record{.judgement = passed(),
                       .headers = headers.name,
                       .flags = compile_flags(m_kernel, headers, attempt),
                       .compiler = m_version};
    m_timeout = m_options.timeout * headers.timeout_factor;
    m_objects.clear();
    for (std::size_t i = 0; i < m_kernel.sources.size(); ++i) {
      m_objects.push_back(m_directory.path() / object_name(i));
      const auto& made = m_module.made();
      const std::string& source = made && made->source == i ? made->name : m_kernel.sources[i];
      if (!compile_source(source, attempt, record)) return record;
    }
    if (!m_options.quick) step(m_enclosed.enclosed(link_command(headers)), record);
    return record;
  }

  bool compile_source(const std::string& source, const Attempt& attempt, BuildRecord& record) {
    Arguments command{m_compiler};
    append(command, record.flags);
    const std::string& object = m_objects.back();
    append(command, {"-MD", "-MF", object + ".d"});
    append(command, m_options.quick ? verdict_only(m_kernel.device, source) : Arguments{"-c"});
    if (source.ends_with(".cu")) append(command, attempt.quick);
    append(command, {source, "-o", object});
    Arguments compiled_by = m_enclosed.enclosed_by();
    if (source.ends_with(".cu") && !attempt.nvcc.empty()) compiled_by.push_back(attempt.nvcc);
    // The cache's own program runs outside of the sandbox, so that nothing in the sandbox can write
    // to the cache.
    Arguments launched = m_cache ? m_cache->launcher(compiled_by, m_precompiled) : Arguments{};
    if (launched.empty()) launched = compiled_by;
    append(launched, command);
    if (step(launched, record)) return true;
    return m_cache && m_cache->failed(record.judgement.reason) &&
           step(m_enclosed.enclosed(command), record);
  }

  CommandResult run(const Arguments& command) {
    CommandResult result = m_enclosed.run(command, m_timeout);
    result.output =
        in_given_names(std::move(result.output), m_kernel, m_module.made(), m_directory.path());
    m_seconds += result.seconds;
    return result;
  }

  bool step(const Arguments& command, BuildRecord& record) {
    const CommandResult result = run(command);
    m_timed_out = result.timed_out;
    const bool good = result.exit_code == 0 && !result.timed_out;
    if (!good) require_space(m_directory.path());
    record.judgement = passed();
    if (!good) {
      record.judgement = {.verdict = Verdict::compile_error,
                          .reason = reason_of(result, m_timeout)};
    }
    return good;
  }

  [[nodiscard]] Arguments link_command(const Headers& headers) const {
    Arguments command{m_compiler};
    append(command, link_flags(m_kernel));
    append(command, m_objects);
    append(command, headers.link_inputs);
    append(command, m_kernel.libraries);
    append(command, {"-o", linked()});
    return command;
  }

  // Replaces the library atomically, so that a reader never sees half of it.
  void install(const fs::path& library) const {
    const fs::path beside = library.string() + ".new";
    fs::create_directories(library.parent_path());
    fs::copy_file(linked(), beside, fs::copy_options::overwrite_existing);
    fs::rename(beside, library);
  }

  [[nodiscard]] std::string linked() const { return m_directory.path() / "kernel.so"; }

  const KernelSource& m_kernel;
  const KernelModule& m_module;
  const Toolchain& m_toolchain;
  const CompileOptions& m_options;
  std::string m_compiler;
  std::string m_version;
  TemporaryDirectory m_directory{"compile"};
  std::optional<CompileCache> m_cache;
  EnclosedCompiler m_enclosed{m_kernel, m_toolchain, m_directory.path(), m_options.stop};
  Arguments m_objects;
  std::chrono::seconds m_timeout{};
  double m_seconds = 0;
  bool m_timed_out = false;
  bool m_precompiled = false;         // the sources are compiled over a precompiled header
  DeclaredNames m_declared_by_torch;  // empty: not asked yet
};

// The options that the sources ask for in comments.
Arguments options_of_sources(const KernelSource& kernel) {
  Arguments all;
  for (const std::string& source : kernel.sources) {
    append(all, compile_options_of(read_text(source).value_or(""), kernel.device == Device::cuda));
  }
  return all;
}

}  // namespace

BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const CompileOptions& options) {
  if (kernel.sources.empty()) {
    throw UserError("kernel '" + kernel.name + "' has no source; give at least one");
  }
  for (const std::string& source : kernel.sources) {
    if (!fs::is_regular_file(source))
      throw UserError("kernel source " + source + " does not exist");
    if (kernel.device == Device::cuda) require_plain_name(source);
  }
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
  Compilation compilation(with_options, module, toolchain, options);
  BuildRecord record = compilation.run(library);
  if (!record.judgement.passes()) {
    fs::remove(library);
    record.library.clear();
  }
  if (!options.depfile.empty()) compilation.write_depfile(options.depfile, kernel.record);
  return record;
}

std::string missing_compiler(const KernelSource& kernel, const Toolchain& toolchain) {
  if (kernel.device != Device::cuda || !toolchain.nvcc.empty()) return {};
  return "no nvcc when this build was configured";
}

}  // namespace robust_kbench
