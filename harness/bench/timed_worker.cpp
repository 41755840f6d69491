#include "bench/timed_worker.hpp"

#include <algorithm>
#include <utility>

#include "device/openmp.hpp"

namespace robust_kbench {
namespace {

constexpr int noop_runs = 10;

template <typename Answer>
Answer answer_of(Outcome<Answer> outcome) {
  if (auto* failed = std::get_if<Failed>(&outcome)) {
    throw Rejection(finding_of(*failed));
  }
  if (auto* end = std::get_if<WorkerEnd>(&outcome)) {
    throw Rejection(finding_of(*end));
  }
  return std::get<Answer>(std::move(outcome));
}

}  // namespace

TimedWorker::TimedWorker(const WorkerOptions& options) : m_process(options) {}

void TimedWorker::load(const Load& load) {
  answer_of(m_process.load(load));
}

BatchAnswer TimedWorker::run(const BatchRequest& request) {
  const auto first = request.calls.begin();
  const std::vector<Tensors> calls(first, first + static_cast<std::ptrdiff_t>(request.count));
  Batch batch(m_process, request.task, request.direction, request.params);
  answer_of(batch.place(calls));
  stop_openmp_threads();
  const Ran ran = answer_of(batch.run());
  answer_of(batch.collect());
  if (request.inspect) {
    if (auto finding = batch.inspect()) throw Rejection(*std::move(finding));
    if (!batch.outputs_unchanged()) {
      throw Rejection({.verdict = Verdict::cheat,
                       .cheat_class = CheatClass::late_write,
                       .message = "wrote to its outputs after the timed calls had returned"});
    }
  }
  BatchAnswer answer;
  answer.clock.wall_ns = ran.wall_ns;
  answer.clock.delayed_ns = ran.delayed_ns;
  for (std::size_t i = 0; i < request.count; ++i) {
    answer.clock.claimed_ns.push_back(batch.claimed_ns(i));
  }
  if (request.keep) answer.outputs = batch.outputs(*request.keep);
  answer_of(batch.release());
  return answer;
}

std::uint64_t TimedWorker::run_noop(std::size_t calls) {
  answer_of(m_process.prepare(std::vector<Call>(calls)));
  std::vector<std::uint64_t> walls;
  stop_openmp_threads();
  for (int i = 0; i < noop_runs; ++i) walls.push_back(answer_of(m_process.run()).wall_ns);
  answer_of(m_process.release());
  // The least: an interruption here would be taken off every batch of the config.
  return *std::min_element(walls.begin(), walls.end());
}

}  // namespace robust_kbench
