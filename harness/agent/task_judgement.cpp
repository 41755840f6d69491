#include "agent/task_judgement.hpp"

#include <algorithm>
#include <array>

#include "agent/verifier_plan.hpp"
#include "core/counted.hpp"
#include "prompt/task_opinion.hpp"
#include <robust_kbench/task.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// The prompt's text beside a reference and its shapes, and a usual answer with its thoughts.
constexpr std::int64_t prompt_bytes = 5'000;
constexpr int usual_answer = 1'000;  // tokens

FilterResult result_of(const ParsedOpinion& parsed, const std::string& model) {
  FilterResult result{.filter = Filter::judgement, .threshold = 1.0};
  if (!parsed.opinion) {
    result.status = FilterStatus::skipped;
    result.reason = model + " gave no judgement: " + parsed.reason;
    return result;
  }
  const TaskOpinion& opinion = *parsed.opinion;
  std::vector<std::string> flags;
  for (const auto& [flag, name] :
       {std::pair{opinion.redundant, "redundant"}, std::pair{opinion.inefficient, "inefficient"}}) {
    result.measurements.push_back({name, model, flag ? 1.0 : 0.0});
    if (flag) flags.emplace_back(name);
  }
  const std::string why = fmt::format("{}", fmt::join(opinion.reasons, " "));
  result.measurements.front().note = why;
  result.value = static_cast<double>(flags.size());
  if (flags.empty()) return result;
  result.status = FilterStatus::caught;
  result.reason = fmt::format("{} calls it {}: {}", model, fmt::join(flags, " and "), why);
  return result;
}

}  // namespace

bool asks_for_judgement(const VerifierRunOptions& options) {
  const CapTexts& cap = options.cap;
  const auto is_given = [](const std::string* text) { return !text->empty(); };
  return options.dry_run ||
         std::ranges::any_of(
             std::array{&options.model, &options.resume, &options.replay, &options.transport,
                        &cap.max_usd, &cap.max_tokens, &cap.max_calls},
             is_given);
}

Judgements judgements_of(Run& run, const std::vector<const Task*>& tasks) {
  const std::vector<ParsedOpinion> opinions = judge_tasks(run, tasks);
  Judgements judgements;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    judgements.by_task[tasks[i]->name] = result_of(opinions[i], run.settings().verifier_model);
    if (opinions[i].failed) judgements.failure = opinions[i].reason;
  }
  return judgements;
}

int plan_judgements(const AgentProgram& program, const VerifierRunOptions& options, Device device,
                    const std::vector<const Task*>& tasks) {
  VerifierPlan plan(program, options, device);
  std::int64_t bytes = prompt_bytes;
  for (const Task* task : tasks) {
    const std::string text = reference_source(plan.suite().manifest(), *task).text;
    bytes = std::max(bytes, prompt_bytes + json_bytes(text));
  }
  const auto questions = static_cast<std::int64_t>(tasks.size());
  return plan.print(counted(tasks.size(), "judgement") + ".",
                    {{.stage = "judge_task",
                      .models = {plan.settings().verifier_model},
                      .questions = questions,
                      .likely = questions,
                      .input_bytes = bytes,
                      .output_tokens = usual_answer}});
}

}  // namespace robust_kbench
