#include "compile/library_build.hpp"

#include <fstream>

#include "compile/append.hpp"
#include "compile/depfile.hpp"
#include "compile/disk_space.hpp"
#include "compile/given_names.hpp"
#include "core/output_file.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string version_line(const std::string& compiler) {
  const CommandResult result = run_command({compiler, "--version"}, std::chrono::seconds{10});
  return compiler + ": " + result.output.substr(0, result.output.find('\n'));
}

// The limit that a command met, in words for a person, or empty where it met none.
std::string limit_met(const CommandResult& result, std::chrono::seconds timeout) {
  if (result.timed_out) {
    return "the compiler ran longer than " + std::to_string(timeout.count()) + " s\n";
  }
  return result.excess.empty() ? "" : "the compiler " + result.excess + "\n";
}

}  // namespace

void CompileJob::tell(const std::string& text) const {
  if (options.on_progress) options.on_progress(text);
}

LibraryBuild::LibraryBuild(const CompileJob& job)
    : m_job(job),
      m_compiler(compiler_of(job.toolchain, job.kernel.device)),
      m_version(version_line(m_compiler)),
      m_enclosed(job.kernel, job.toolchain, m_directory.path(), job.limits(), job.options.stop) {
  if (const auto& made = job.module.made()) {
    OutputFile(m_directory.path() / made->name).write(made->text);
  }
  if (job.options.cache && !job.options.quick) m_cache.emplace(m_version, m_directory.path());
}

BuildRecord LibraryBuild::build(const Headers& headers, const Attempt& attempt) {
  const KernelSource& kernel = m_job.kernel;
  const std::optional<EntryModule>& made = m_job.module.made();
  BuildRecord record{.judgement = passed(),
                     .headers = headers.name,
                     .flags = compile_flags(kernel, headers, attempt),
                     .compiler = m_version};
  m_objects.clear();
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    m_objects.push_back(m_directory.path() / object_name(i));
    const std::string& source = made && made->source == i ? made->name : kernel.sources[i];
    if (!compile_source(source, headers, attempt, record)) return record;
  }
  if (!m_job.options.quick) step(m_enclosed.enclosed(link_command(headers)), headers, record);
  return record;
}

bool LibraryBuild::compile_source(const std::string& source, const Headers& headers,
                                  const Attempt& attempt, BuildRecord& record) {
  Arguments command{m_compiler};
  append(command, record.flags);
  const std::string& object = m_objects.back();
  append(command, {"-MD", "-MF", object + ".d"});
  append(command,
         m_job.options.quick ? verdict_only(m_job.kernel.device, source) : Arguments{"-c"});
  if (source.ends_with(".cu")) append(command, attempt.quick);
  append(command, {source, "-o", object});
  Arguments compiled_by = m_enclosed.enclosed_by();
  if (source.ends_with(".cu") && !attempt.nvcc.empty()) compiled_by.push_back(attempt.nvcc);
  // The cache's own program runs outside of the sandbox, so that nothing in the sandbox can write
  // to the cache.
  Arguments launched =
      m_cache ? m_cache->launcher(compiled_by, attempt.is_precompiled) : Arguments{};
  if (launched.empty()) launched = compiled_by;
  append(launched, command);
  if (step(launched, headers, record)) return true;
  return m_cache && m_cache->failed(record.judgement.reason) &&
         step(m_enclosed.enclosed(command), headers, record);
}

CommandResult LibraryBuild::run(const Arguments& command, const Headers& headers) {
  return run_as_it_is(m_enclosed.enclosed(command), timeout(headers));
}

CommandResult LibraryBuild::inspect(const Arguments& command) {
  return m_enclosed.run(m_enclosed.enclosed(command), m_job.options.timeout);
}

std::vector<fs::path> LibraryBuild::files_read() const {
  std::vector<fs::path> all;
  for (const std::string& object : m_objects) {
    const std::vector<fs::path> files = prerequisite_files(object + ".d");
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

CommandResult LibraryBuild::run_as_it_is(const Arguments& command, std::chrono::seconds timeout) {
  CommandResult result = m_enclosed.run(command, timeout);
  result.output = in_given_names(std::move(result.output), m_job.kernel, m_job.module.made(),
                                 m_directory.path());
  m_seconds += result.seconds;
  return result;
}

bool LibraryBuild::step(const Arguments& command, const Headers& headers, BuildRecord& record) {
  const CommandResult result = run_as_it_is(command, timeout(headers));
  const std::string limit = limit_met(result, timeout(headers));
  m_exceeded = !limit.empty();
  const bool good = result.exit_code == 0 && limit.empty();
  if (!good) require_space(m_directory.path());
  record.judgement = passed();
  if (!good) {
    record.judgement = {.verdict = Verdict::compile_error,
                        .reason = limit + escaped(result.output)};
  }
  return good;
}

Arguments LibraryBuild::link_command(const Headers& headers) const {
  Arguments command{m_compiler};
  append(command, link_flags(m_job.kernel));
  append(command, m_objects);
  append(command, headers.link_inputs);
  append(command, m_job.kernel.libraries);
  append(command, {"-o", linked()});
  return command;
}

std::chrono::seconds LibraryBuild::timeout(const Headers& headers) const {
  return m_job.options.timeout * headers.timeout_factor;
}

void LibraryBuild::may_read(const Arguments& further) {
  m_enclosed.may_read(m_job.kernel, further);
}

void LibraryBuild::install(const fs::path& library) const {
  const fs::path beside = library.string() + ".new";
  fs::create_directories(library.parent_path());
  fs::copy_file(linked(), beside, fs::copy_options::overwrite_existing);
  fs::rename(beside, library);
}

void LibraryBuild::write_depfile(const fs::path& depfile, const std::string& target) const {
  std::ofstream out(depfile);
  out << target << ":";
  for (const auto& entry : fs::directory_iterator(m_directory.path())) {
    if (entry.path().extension() != ".d") continue;
    const auto& made = m_job.module.made();
    out << " " << prerequisites(entry.path(), made ? made->name : "");
  }
  out << "\n";
}

}  // namespace robust_kbench
