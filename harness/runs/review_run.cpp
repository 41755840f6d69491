#include "runs/review_run.hpp"

#include <utility>

#include "evolve/vote_plan.hpp"
#include "verify/known_kernels.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

VerifierOptions options_of(const Run& run, const Reviewers& reviewers) {
  VerifierOptions options = verifier_options(run.settings());
  if (!reviewers.instructions.empty()) {
    options.instructions[reviewers.verifiers.front()] = reviewers.instructions;
  }
  return options;
}

SubjectOf subjects_of(Run& run) {
  return [&run](const Entry& entry) { return &run.subject(entry); };
}

}  // namespace

std::vector<Votes> review_kernels(Run& run, const Reviewers& reviewers, const Entry& entry,
                                  const std::vector<std::string>& sources) {
  std::vector<VerifiedKernel> kernels;
  kernels.reserve(sources.size());
  for (const std::string& source : sources) {
    kernels.push_back({.subject = run.subject(entry),
                       .code = source,
                       .call = fmt::format("verify/{}", kernels.size() + 1),
                       .keep_failures = false});
  }
  return votes_on(run.session(), options_of(run, reviewers), kernels, reviewers.verifiers);
}

std::string review_set(Run& run, const Reviewers& reviewers, const LabelledSet& set,
                       std::optional<Split> split,
                       const std::function<void(Verifier, const VerifierTrial&)>& on_trial) {
  for (const Verifier verifier : reviewers.verifiers) {
    if (const auto refused = run.refused()) return *refused;
    const std::string name(to_string(verifier));
    const VerifierTrial trial =
        try_verifier(run.session(), options_of(run, reviewers),
                     {.verifier = verifier, .call = "verify/" + name, .stage = "verify"},
                     known_kernels(set, verifier, split, subjects_of(run)));
    on_trial(verifier, trial);
    if (!trial.failure.empty()) return trial.failure;
  }
  return "";
}

VerifierTuningResult tune_verifier(Run& run, Verifier verifier, const LabelledSet& set,
                                   VerifierTuning::OnGeneration on_generation) {
  const EvolutionSettings& settings = run.settings();
  VerifierTuningPlan plan{
      .verifier = verifier,
      .device = set.device,
      .tuning = known_kernels(set, verifier, Split::tune, subjects_of(run)),
      .held_out = known_kernels(set, verifier, Split::held_out, subjects_of(run)),
      .verifies = verifier_options(settings),
      .writer =
          model_choice(settings.models.front(), settings.writer_temperature, settings.writer_effort,
                       settings.writer_output_tokens, "writer_output_tokens"),
      .generations = settings.writer_generations,
      .condenses_mistakes = settings.writer_summary,
      .refused = [&run] { return run.refused(); }};
  return VerifierTuning(std::move(plan), run.session(), std::move(on_generation)).run();
}

}  // namespace robust_kbench
