#include "evaluate/profile.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <variant>

#include "check/inspection.hpp"
#include "compile/compile.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/kernel_places.hpp"
#include "core/own_command.hpp"
#include "core/text_file.hpp"
#include "evaluate/build.hpp"
#include "evaluate/cpu_call_timer.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/submission_state.hpp"
#include "evaluate/tool_log.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"
#include "profile/advice.hpp"
#include "profile/clang_tidy.hpp"
#include "profile/cupti.hpp"
#include "profile/ncu.hpp"
#include "profile/ptxas.hpp"
#include "profile/sanitizer.hpp"
#include "profile/tools.hpp"
#include "profile/vectorizer.hpp"

namespace robust_kbench {
namespace {

using Findings = std::vector<ToolFinding>;

// The input of a profiler.
enum class Examined { source, one_case, each_case };

struct Profiler {
  const char* name;
  const char* program;  // of find_tools(); empty: no program but the worker or the build's compiler
  std::optional<Device> only;
  Examined what;
};
const std::vector<Profiler> profilers = [] {
  std::vector<Profiler> all{{"ptxas", "ptxas", Device::cuda, Examined::source},
                            {"vectorizer", "", Device::cpu, Examined::source},
                            {"clang-tidy", "clang-tidy", std::nullopt, Examined::source}};
  for (const char* tool : sanitizers) {
    all.push_back({tool, "compute-sanitizer", Device::cuda, Examined::one_case});
  }
  all.push_back({"cupti", "", Device::cuda, Examined::each_case});
  all.push_back({"ncu", "ncu", Device::cuda, Examined::each_case});
  all.push_back({"roofline", "", Device::cpu, Examined::each_case});
  return all;
}();

InspectingTool ncu_tool(const std::string& ncu) {
  // ncu makes some twenty passes over every launch, saving and restoring memory.
  constexpr std::chrono::minutes call_timeout{5};
  // In the worker only the profiled call lies between cuProfilerStart and cuProfilerStop.
  std::vector<std::string> command = ncu_arguments();
  command.insert(command.begin(), {ncu, "--profile-from-start", "off"});
  return {.command = command,
          .call_timeout = call_timeout,
          .lock = InspectionLock::exclusive,
          .parse = [](std::string_view log) { return ncu_findings(parse_ncu(log)); }};
}

class Profiling {
 public:
  Profiling(const Manifest& manifest, const Task& task, const KernelSource& kernel,
            const ProfileOptions& options)
      : m_manifest(manifest),
        m_task(task),
        m_kernel(kernel),
        m_options(options),
        m_record(record_of(kernel)) {}

  std::vector<KernelRecord> run(const BuildRecord& build) {
    const std::vector<Case> cases = profiled_cases();
    for (const Case& profiled : cases) m_configs.push_back(profiled.config);
    m_record.build = build;
    m_record.judgement = build.judgement;
    if (!build.judgement.passes()) return {m_record};
    m_record.profile.emplace();
    for (const Profiler& profiler : profilers) {
      m_questions += profiler.what == Examined::each_case ? cases.size() : 1;
    }
    for (const Profiler& profiler : profilers) {
      if (profiler.what != Examined::each_case) ask(profiler, m_record, sanitized_case(cases));
    }
    const std::string text = read_text(m_record.path).value_or("");
    std::vector<KernelRecord> records;
    for (const Case& profiled : cases) {
      records.push_back(m_record);
      KernelRecord& record = records.back();
      ProfileRecord& profile = *record.profile;
      bool ran = false;
      for (const Profiler& profiler : profilers) {
        if (profiler.what == Examined::each_case) ran |= ask(profiler, record, profiled);
      }
      if (ran) profile.case_name = profiled.name();
      profile.advice = advise(profile.findings, text);
      if (record.judgement.passes()) record.judgement = judgement_of(profile);
      if (!ran) break;
    }
    return records;
  }

 private:
  [[nodiscard]] std::vector<Case> profiled_cases() const {
    const std::vector<ConfigSet> all{ConfigSet::single, ConfigSet::multi, ConfigSet::small};
    const auto configs =
        timed_configs(m_manifest, m_task, m_kernel.entry.direction, m_kernel.device,
                      {.sets = m_options.only_case.empty() ? m_options.config_sets : all});
    if (configs.empty()) {
      throw UserError(m_kernel.entry.name() + " has no such configs; `" + own_command() + " list " +
                      m_kernel.entry.task + "` lists them");
    }
    if (m_options.only_case.empty()) return cases_of(configs, 1);
    std::vector<Case> cases = cases_of(configs, default_seeds);
    std::erase_if(cases, [&](const Case& c) { return c.name() != m_options.only_case; });
    if (cases.empty()) {
      throw UserError("case '" + m_options.only_case + "' does not exist for " +
                      m_kernel.entry.name() + "; `" + own_command() + " list " +
                      m_kernel.entry.task + "` lists the cases");
    }
    return cases;
  }

  [[nodiscard]] Case sanitized_case(const std::vector<Case>& profiled) const {
    if (!m_options.only_case.empty()) return profiled.front();
    const auto small = configs_of(m_manifest, m_task, m_kernel.entry.direction, {ConfigSet::small});
    return small.empty() ? profiled.front() : Case{small.front(), 1};
  }

  // Cached, since asking for the version takes a process.
  const Tool& program_of(const Profiler& profiler) {
    static const Tool none;
    const std::string name = profiler.program;
    if (name.empty()) return none;
    auto known = m_tools.find(name);
    if (known == m_tools.end()) {
      known = m_tools.emplace(name, find_tool(name, m_manifest.toolchain)).first;
    }
    return known->second;
  }

  // The reason why the profiler cannot run, or empty where it can.
  [[nodiscard]] std::string why_not(const Profiler& profiler, const Tool& tool) const {
    if (profiler.only && *profiler.only != m_kernel.device) {
      return *profiler.only == Device::cuda ? "for CUDA kernels only" : "for C++ kernels only";
    }
    if (!tool.missing.empty()) return tool.missing;
    return profiler.what == Examined::source ? std::string()
                                             : skip_reason(m_kernel, m_manifest.toolchain);
  }

  // True where the profiler has run.
  bool ask(const Profiler& profiler, KernelRecord& record, const Case& inspected) {
    const double share = static_cast<double>(m_asked++) / static_cast<double>(m_questions);
    const auto& wanted = m_options.profilers;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), profiler.name) == wanted.end()) {
      return false;
    }
    const Tool& tool = program_of(profiler);
    ToolRecord asked{.tool = profiler.name,
                     .version = tool.version,
                     .missing = why_not(profiler, tool),
                     .failed = {}};
    if (asked.missing.empty()) {
      if (m_options.stop.stop_requested()) throw Cancelled();
      if (m_options.on_progress) {
        m_options.on_progress(std::string("asking ") + profiler.name, share);
      }
      const auto start = std::chrono::steady_clock::now();
      try {
        const Findings found = findings_of(profiler.name, tool, record, inspected);
        auto& all = record.profile->findings;
        all.insert(all.end(), found.begin(), found.end());
      } catch (const UserError& error) {
        asked.missing = error.what();
      } catch (const HarnessError& error) {
        asked.failed = error.what();
      }
      asked.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    record.profile->tools.push_back(asked);
    return asked.ran();
  }

  Findings findings_of(const std::string& profiler, const Tool& tool, KernelRecord& record,
                       const Case& inspected) {
    const Toolchain& toolchain = m_manifest.toolchain;
    if (profiler == "ptxas") {
      return run_ptxas(m_kernel, toolchain, m_record.build.flags, m_options.stop);
    }
    if (profiler == "clang-tidy") {
      return run_clang_tidy(m_kernel, tool.path, toolchain, m_record.build.flags, m_options.stop);
    }
    if (profiler == "vectorizer") {
      return run_vectorizer(m_kernel, toolchain, m_record.build.flags, m_options.stop);
    }
    if (profiler == "cupti") return trace_call(record, inspected);
    if (profiler == "roofline") return time_call(record, inspected.config);
    return ask_under(profiler == "ncu" ? ncu_tool(tool.path) : sanitizer_tool(profiler, tool.path),
                     record, inspected);
  }

  Findings ask_under(const InspectingTool& tool, KernelRecord& record,
                     const Case& inspected) const {
    ToolLog log = log_under(tool,
                            {.task = m_task,
                             .entry = m_kernel.entry,
                             .library = m_record.build.library,
                             .entry_point = entry_point_of(m_kernel),
                             .worker = m_manifest.toolchain.worker,
                             .readable = library_places(m_kernel),
                             .stop = m_options.stop},
                            {inspected});
    if (log.end) note(*log.end, record);
    return std::move(log.findings);
  }

  Findings trace_call(KernelRecord& record, const Case& traced) const {
    WorkerOptions worker;
    worker.program = m_manifest.toolchain.worker;
    worker.sandbox = sandbox_beside(worker.program);
    worker.readable = library_places(m_kernel);
    worker.entry_point = entry_point_of(m_kernel);
    worker.stop = m_options.stop;
    const auto outcome = trace(m_task, m_kernel.entry, m_record.build.library, traced, worker);
    if (const auto* end = std::get_if<InspectionEnd>(&outcome)) {
      note(*end, record);
      return {};
    }
    const auto& found = std::get<Trace>(outcome);
    if (!found.missing.empty()) throw UserError(found.missing);
    return cupti_findings(found.activities);
  }

  Findings time_call(KernelRecord& record, const Config& config) {
    if (!m_timer) {
      m_timer.emplace(m_manifest, m_task, m_kernel, m_record.build.library, m_configs,
                      m_options.stop);
    }
    const auto outcome = m_timer->findings(config);
    if (const auto* end = std::get_if<InspectionEnd>(&outcome)) {
      note(*end, record);
      return {};
    }
    return std::get<Findings>(outcome);
  }

  // The kernel's first failure is its verdict.
  static void note(const InspectionEnd& end, KernelRecord& record) {
    if (!record.judgement.passes()) return;
    record.judgement = end.judgement;
    record.judgement.reason = end.case_name + ": " + end.judgement.reason;
  }

  const Manifest& m_manifest;
  const Task& m_task;
  const KernelSource& m_kernel;
  const ProfileOptions& m_options;
  std::map<std::string, Tool> m_tools;
  std::size_t m_questions = 0;  // to profilers, those that cannot run among them
  std::size_t m_asked = 0;
  std::vector<Config> m_configs;        // of the profiled cases
  std::optional<CpuCallTimer> m_timer;  // set once a call is timed
  KernelRecord m_record;                // the part that holds for every case
};

// A kernel of the build is built already. If its build had no nvcc, no record has its flags, and it
// is compiled here.
BuildRecord build_of(const Manifest& manifest, const KernelSource& kernel,
                     const std::string& library, const std::stop_token& stop) {
  if (!kernel.record.empty() && std::filesystem::exists(kernel.record)) {
    return load_build_record(kernel);
  }
  return compile(kernel, manifest.toolchain, library, {.stop = stop});
}

}  // namespace

std::vector<std::string> profiler_names() {
  std::vector<std::string> names(profilers.size());
  std::transform(profilers.begin(), profilers.end(), names.begin(),
                 [](const Profiler& profiler) { return profiler.name; });
  return names;
}

std::vector<KernelRecord> profile(const Manifest& manifest, const Task& task,
                                  const KernelSource& kernel, const ProfileOptions& options) {
  const TemporaryDirectory directory("profile");
  return Profiling(manifest, task, kernel, options)
      .run(build_of(manifest, kernel, directory.path() / "kernel.so", options.stop));
}

}  // namespace robust_kbench
