#include "cli/task_judgement.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>

#include "cli/verifier_plan.hpp"
#include "core/counted.hpp"
#include "core/sha256.hpp"
#include "prompt/task_opinion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr std::size_t most_side_by_side = 8;  // questions at a time
// What the prompt says beside a reference and its shapes, and a usual answer with its thoughts.
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

json judged_tasks(const Manifest& manifest, const std::vector<const Task*>& tasks) {
  json judged = json::object();
  for (const Task* task : tasks) {
    judged[task->name] = sha256(reference_source(manifest, *task).text);
  }
  return judged;
}

Judgements judge_tasks(VerifierRun& run, const std::vector<const Task*>& tasks) {
  std::vector<const PromptSubject*> subjects;
  for (const Task* task : tasks) subjects.push_back(&run.subject({task->name, Direction::forward}));
  const ModelChoice choice = run.verifier_options().choice;
  std::vector<ParsedOpinion> opinions(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      opinions[i] = opinion_on(run.session(), choice, *subjects[i]);
    }
  };
  std::vector<std::future<void>> threads;
  for (std::size_t i = 0; i < std::min(tasks.size(), most_side_by_side); ++i) {
    threads.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void>& thread : threads) thread.wait();
  for (std::future<void>& thread : threads) thread.get();
  run.clear_line();
  Judgements judgements;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    judgements.by_task[tasks[i]->name] = result_of(opinions[i], choice.model);
    if (opinions[i].failed) judgements.failure = opinions[i].reason;
  }
  return judgements;
}

int plan_judgements(const Program& program, const VerifierRunOptions& options, Device device,
                    const std::vector<const Task*>& tasks) {
  VerifierPlan plan(program, options, device);
  const Suite suite(program.tasks, program.manifest_path);
  std::int64_t bytes = prompt_bytes;
  for (const Task* task : tasks) {
    const std::string text = reference_source(suite.manifest(), *task).text;
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
