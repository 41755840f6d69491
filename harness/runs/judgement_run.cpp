#include "runs/judgement_run.hpp"

#include <algorithm>
#include <atomic>
#include <future>

#include "core/sha256.hpp"
#include "evolve/vote_plan.hpp"
#include "prompt/reference_source.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t most_side_by_side = 8;  // questions at a time

}  // namespace

nlohmann::json judged_tasks(const Manifest& manifest, const std::vector<const Task*>& tasks) {
  nlohmann::json judged = nlohmann::json::object();
  for (const Task* task : tasks) {
    judged[task->name] = sha256(reference_source(manifest, *task).text);
  }
  return judged;
}

std::vector<ParsedOpinion> judge_tasks(Run& run, const std::vector<const Task*>& tasks) {
  std::vector<const PromptSubject*> subjects;
  subjects.reserve(tasks.size());
  for (const Task* task : tasks) subjects.push_back(&run.subject({task->name, Direction::forward}));
  const ModelChoice choice = verifier_options(run.settings()).choice;
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
  return opinions;
}

}  // namespace robust_kbench
