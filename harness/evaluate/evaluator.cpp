#include "evaluate/evaluator.hpp"

#include <exception>
#include <optional>

#include "core/error.hpp"
#include "device/gpu_memory_wait.hpp"
#include "evaluate/shared_state.hpp"
#include "evaluate/submission.hpp"
#include "process/affinity.hpp"

namespace robust_kbench {
namespace {

KernelRecord run(SharedState& shared, const KernelSource& kernel, const Request& request) {
  try {
    return Submission(shared, kernel, request).run();
  } catch (const std::exception& error) {
    if (!tells_of_missing_gpu_memory(error.what())) throw;
    // Another kernel may have held the memory for longer than a wait lasts.
    return Submission(shared, kernel, request).run();
  }
}

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::compile:
      return "compile";
    case Stage::test:
      return "test";
    case Stage::sanitize:
      return "sanitize";
    case Stage::time:
      return "time";
  }
  throw HarnessError("a stage has no name");
}

KernelRecord harness_failed(const KernelSource& kernel, const std::string& reason) {
  KernelRecord record = record_of(kernel);
  record.judgement = {.verdict = Verdict::harness_error, .reason = reason};
  return record;
}

EvaluatorOptions usual_evaluator_options(Device device) {
  return {.bench = usual_bench_options(device)};
}

Evaluator::Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device)
    : Evaluator(manifest, task, direction, device, usual_evaluator_options(device)) {}

Evaluator::Evaluator(const Manifest& manifest, const Task& task, Direction direction, Device device,
                     const EvaluatorOptions& options)
    : m_shared(std::make_unique<SharedState>(manifest, task, direction, device, options)) {}

Evaluator::~Evaluator() = default;

KernelRecord Evaluator::submit(const KernelSource& kernel, const Request& request) {
  const Keeper::Use use(m_shared->keeper);
  std::optional<ScopedAffinity> beside_timing;
  if (m_shared->on_gpu()) beside_timing.emplace(cpus_beside_timing());
  try {
    return run(*m_shared, kernel, request);
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    return harness_failed(kernel, error.what());
  }
}

const Manifest& Evaluator::manifest() const {
  return m_shared->manifest;
}

const Task& Evaluator::task() const {
  return m_shared->task;
}

Direction Evaluator::direction() const {
  return m_shared->entry.direction;
}

std::size_t Evaluator::kept_bytes() const {
  return m_shared->kept_bytes();
}

}  // namespace robust_kbench
