#include "cli/opponents.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "bench/baseline.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/speedup.hpp"
#include "evaluate/build.hpp"
#include "process/escape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

bool is_baseline(const std::string& name, Device device) {
  try {
    (void)parse_baseline(name, device);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

bool is_source_file(const std::string& name) {
  const std::filesystem::path extension = std::filesystem::path(name).extension();
  return extension == ".cpp" || extension == ".cu";
}

UserError unknown_opponent(const std::string& name, const Suite& suite,
                           const KernelSource& kernel) {
  std::vector<std::string> known;
  for (const KernelSource& other : suite.manifest().kernels_of(kernel.entry, kernel.device)) {
    known.push_back(other.name);
  }
  return UserError(fmt::format(
      "--against {}: no baseline on device {} (eager, compile; on cuda also empty, graph and "
      "..._tf32), no kernel of {} for it in the build ({}), and no source file (.cpp, .cu)",
      name, to_string(kernel.device), kernel.entry.name(), fmt::join(known, ", ")));
}

KernelSource rival_of(const Suite& suite, const std::string& name, const KernelSource& kernel,
                      const SourceOptions& source) {
  for (const KernelSource& known : suite.manifest().kernels_of(kernel.entry, kernel.device)) {
    if (known.name != name) continue;
    require_built(suite.manifest(), {known});
    return known;
  }
  if (!is_source_file(name)) throw unknown_opponent(name, suite, kernel);
  KernelSource rival = suite.loose_kernel(kernel.entry.task,
                                          std::string(to_string(kernel.entry.direction)), "", name);
  if (rival.device != kernel.device) {
    throw UserError(fmt::format(
        "--against {} is for {}, and {} is for {}; only kernels of one "
        "device can race",
        name, to_string(rival.device), kernel.sources.front(), to_string(kernel.device)));
  }
  source.apply_to(rival);
  return rival;
}

}  // namespace

void add_opponent_options(CommandLine& command, OpponentOptions& options) {
  add_common_option(command, "--against", options.against,
                    "rivals: a kernel of the build by its name, or a source file, which is "
                    "compiled and tested as the kernel is and races with it")
      .capture_default_str();
  add_common_option(command, "--fail-if", options.fail_if);
}

std::vector<std::string> baselines_among(const std::vector<std::string>& against, Device device) {
  std::vector<std::string> baselines;
  std::ranges::copy_if(against, std::back_inserter(baselines),
                       [&](const std::string& name) { return is_baseline(name, device); });
  return baselines.empty() ? std::vector<std::string>{"eager"} : baselines;
}

Opponents opponents_of(const Suite& suite, const std::vector<std::string>& against,
                       const KernelSource& kernel, const SourceOptions& source) {
  Opponents opponents{.baselines = baselines_among(against, kernel.device), .rivals = {}};
  for (const std::string& name : against) {
    if (is_baseline(name, kernel.device)) continue;
    opponents.rivals.emplace(name, rival_of(suite, name, kernel, source));
  }
  return opponents;
}

TestedRivals::TestedRivals(Evaluator& evaluator, const std::map<std::string, KernelSource>& rivals,
                           const Request& like) {
  Request request{.scope = like.scope,
                  .stages = {Stage::compile, Stage::test},
                  .synchronisation_check = like.synchronisation_check,
                  .stop = like.stop};
  for (const auto& [name, rival] : rivals) {
    request.on_progress = [&like, rival_name = name](Progress made) {
      made.text = "rival " + rival_name + ": " + made.text;
      if (like.on_progress) like.on_progress(made);
    };
    const KernelRecord record = evaluator.submit(rival, request);
    if (record.judgement.passes()) {
      m_racing.emplace(name, rival);
    } else {
      m_rejected.push_back({.name = name, .path = record.path, .judgement = record.judgement});
    }
  }
}

void TestedRivals::complete(KernelRecord& record) const {
  record.rivals.insert(record.rivals.end(), m_rejected.begin(), m_rejected.end());
}

SlowerLimit::SlowerLimit(const std::string& fail_if) {
  const std::string word = "slower";
  const std::string percent =
      fail_if.starts_with(word + ":") ? fail_if.substr(word.size() + 1) : "";
  if (fail_if == word) return;
  double value = 0;
  const char* const end = percent.data() + percent.size();
  const auto [parsed, error] = std::from_chars(percent.data(), end, value);
  if (percent.empty() || error != std::errc() || parsed != end || !(value >= 0 && value <= 1e6)) {
    throw UserError("--fail-if " + fail_if + " must be slower or slower:PERCENT, as slower:5");
  }
  m_percent = value;
}

std::string SlowerLimit::failure(const KernelRecord& record,
                                 const std::vector<std::string>& against) const {
  if (record.timings.empty() && !record.timing_note.empty()) return record.timing_note;
  for (const std::string& name : against) {
    const auto mean = std::ranges::find(record.mean_speedups, name, &SpeedupRecord::against);
    if (mean == record.mean_speedups.end()) {
      throw UserError("--fail-if: " + record.name + " was not timed against " + name +
                      ", so nothing says which is slower; give --against something that passes");
    }
    const bool slower = m_percent
                            ? mean->doubt.empty() && mean->ci_high < 1 / (1 + *m_percent / 100)
                            : mean->call == RatioCall::slower;
    if (!slower) continue;
    return fmt::format("slower than {}: {}, 95 % interval {}", name, ratio_text(mean->ratio),
                       interval_text({mean->ci_low, mean->ci_high}));
  }
  return "";
}

SlowerKernels::SlowerKernels(const OpponentOptions& options,
                             const std::vector<KernelRecord>& records)
    : m_option("--fail-if " + options.fail_if) {
  if (options.fail_if.empty()) return;
  const SlowerLimit limit(options.fail_if);
  for (const KernelRecord& record : records) {
    if (!record.judgement.passes()) continue;
    try {
      const std::string why = limit.failure(record, options.against);
      if (!why.empty()) m_failures.emplace_back(&record, why);
    } catch (const UserError& error) {
      m_undecided = error.what();
    }
  }
}

void SlowerKernels::report(Reporter& reporter) const {
  for (const auto& [record, why] : m_failures) {
    reporter.failed(*record, fmt::format("{}: {}", m_option, why));
  }
}

int SlowerKernels::tell(int exit_code) const {
  for (const auto& [record, why] : m_failures) {
    std::fprintf(stderr, "%s: %s.%s is %s\n", m_option.c_str(), record->entry.name().c_str(),
                 record->name.c_str(), escaped(why).c_str());
  }
  if (!m_undecided.empty()) throw UserError(m_undecided);
  return exit_code == ExitCode::pass && !m_failures.empty() ? ExitCode::rejected : exit_code;
}

}  // namespace robust_kbench
