#include "cli/compare/revision_race.hpp"

#include <optional>

#include "cli/compare/repository.hpp"
#include "core/error.hpp"
#include "evaluate/evaluator_cache.hpp"
#include "evaluate/progress_share.hpp"
#include "evaluate/requirements.hpp"
#include "report/progress_reporter.hpp"

namespace robust_kbench {
namespace {

constexpr const char* base_subject = "base";  // in the contender's record

// A kernel as it is at both revisions; nothing where a revision lacks it.
struct Versions {
  KernelSource of_build;
  std::optional<KernelSource> base;
  std::optional<KernelSource> contender;
};

// The samples of the base version in the race that the contender's record is of.
std::vector<MeasuredConfig> base_configs(const KernelRecord& contender) {
  std::vector<MeasuredConfig> configs;
  for (const ConfigTimingRecord& timing : contender.timings) {
    if (const TimingRecord* const base = timing.find(base_subject)) {
      configs.push_back({.config = timing.config,
                         .samples_us = base->samples_us,
                         .disturbance = timing.disturbance});
    }
  }
  return configs;
}

class Racing {
 public:
  Racing(const Suite& suite, const RevisionRaceOptions& options, const InterruptStop& interrupt)
      : m_suite(suite), m_options(options), m_interrupt(interrupt), m_evaluators(suite) {
    m_race.base.name = options.base;
    m_race.contender.name = options.contender.empty() ? "the working tree" : options.contender;
  }

  RevisionRace run() {
    const std::vector<KernelSource> selected = selected_kernels(m_suite, m_options.selection);
    check_own_configs(m_options.own_configs, m_options.configs, selected);
    const Repository repository(selected.front().sources.front());
    const KernelsAt base(repository, m_options.base);
    const KernelsAt contender = m_options.contender.empty()
                                    ? KernelsAt(repository)
                                    : KernelsAt(repository, m_options.contender);
    std::vector<Versions> changed;
    for (const KernelSource& kernel : selected) {
      if (!repository.holds(kernel)) continue;
      Versions versions{
          .of_build = kernel, .base = base.kernel(kernel), .contender = contender.kernel(kernel)};
      if (!versions.base && !versions.contender) continue;
      const bool same = versions.base && versions.contender &&
                        base.texts_of(*versions.base) == contender.texts_of(*versions.contender);
      m_race.unchanged += same;
      if (!same || !m_options.selection.kernel.empty()) changed.push_back(std::move(versions));
    }
    race(changed);
    return std::move(m_race);
  }

 private:
  void race(const std::vector<Versions>& changed) {
    std::vector<KernelSource> kernels;
    for (const Versions& versions : changed) kernels.push_back(versions.of_build);
    load_torch_for(m_suite.manifest(), kernels);
    m_progress.begin({.kernels = changed.size()});
    for (const Versions& versions : changed) {
      if (m_interrupt.signal() != 0) return;
      if (versions.base && versions.contender) {
        race(versions);
      } else {
        ComparedSide& side = versions.base ? m_race.base : m_race.contender;
        const std::string name = name_of(versions.of_build);
        side.kernels.push_back({.name = name, .place = name});
      }
    }
  }

  void race(const Versions& versions) {
    const KernelSource& of_build = versions.of_build;
    Request request = request_of(of_build);
    // The base is only tested, which takes about a quarter of the time.
    constexpr double share_of_base = 0.25;
    const auto follow = [&](const char* version, double from, double to) {
      request.on_progress = [=, this, &request, name = name_of(of_build)](const Progress& made) {
        const double share = share_done(made, *versions.contender, request.stages);
        m_progress.progress(name, std::string(version) + ": " + made.text,
                            from + share * (to - from));
      };
    };
    request.stages = {Stage::compile, Stage::test};
    follow("base", 0, share_of_base);
    Evaluator& evaluator = m_evaluators.of(of_build);
    const KernelRecord base_record = evaluator.submit(*versions.base, request);
    if (base_record.judgement.passes()) {
      request.stages.insert(Stage::time);
      request.baselines = false;
      request.rivals = {{base_subject, *versions.base}};
    }
    follow("contender", share_of_base, 1);
    const KernelRecord record = evaluator.submit(*versions.contender, request);
    m_progress.finished(record);
    add(of_build, base_record, record);
  }

  void add(const KernelSource& of_build, const KernelRecord& base_record,
           const KernelRecord& record) {
    Measured base = measured(base_record);
    Measured contender = measured(record);
    base.configs = base_configs(record);
    // The base may have failed while it was timed.
    for (const RivalRecord& rival : record.rivals) {
      if (!rival.judgement.passes()) base.judgement = rival.judgement;
    }
    for (Measured* const version : {&base, &contender}) {
      version->place = version->name;  // versions of one kernel have one name
      version->path = of_build.sources.front();
    }
    m_race.base.kernels.push_back(std::move(base));
    m_race.contender.kernels.push_back(std::move(contender));
  }

  [[nodiscard]] Request request_of(const KernelSource& kernel) const {
    Request request;
    request.scope.sets = {m_options.configs.empty() ? usual_timed_configs(kernel.device)
                                                    : parse_config_set(m_options.configs)};
    request.scope.configs = own_configs_of(m_suite.task(kernel.entry.task), kernel.entry.direction,
                                           m_options.own_configs);
    request.scope.seeds = 1;  // `rkb test` is the command that tests with five
    m_options.beyond_listed.apply_to(request.scope);
    request.stop = m_interrupt.token();
    return request;
  }

  static std::string name_of(const KernelSource& kernel) {
    return kernel.entry.name() + "." + kernel.name;
  }

  const Suite& m_suite;
  const RevisionRaceOptions& m_options;
  const InterruptStop& m_interrupt;
  EvaluatorCache m_evaluators;
  ProgressReporter m_progress;
  RevisionRace m_race;
};

}  // namespace

RevisionRace race_revisions(const Suite& suite, const RevisionRaceOptions& options,
                            const InterruptStop& interrupt) {
  return Racing(suite, options, interrupt).run();
}

}  // namespace robust_kbench
