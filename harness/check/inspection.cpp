#include "check/inspection.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "check/placement.hpp"
#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "device/gpu_lock.hpp"
#include "tensor/generator.hpp"
#include "tensor/gpu_claim.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t inspected_calls = 2;

template <typename Answer>
std::optional<Judgement> failure_of(const Outcome<Answer>& outcome) {
  if (const auto* judgement = std::get_if<Judgement>(&outcome)) return *judgement;
  return std::nullopt;
}

// An action on prepared calls.
using InspectionStep = std::function<std::optional<Judgement>(WorkerProcess& worker)>;

std::optional<Judgement> call(WorkerProcess& worker, const Workload& workload, std::uint64_t seed,
                              std::size_t count, const InspectionStep& step) {
  const std::vector<Tensors> calls(count, make_tensors(workload, seed));
  const Placement placement = place(worker.arena(), workload, calls, CipherStream(secret_key()));
  poison_around(worker.arena(), placement, poison_word(secret_key()), 0);
  write_inputs(worker.arena(), placement);
  if (auto failure = failure_of(worker.prepare(placement.calls))) return failure;
  if (auto failure = step(worker)) return failure;
  return failure_of(worker.release());
}

// An inspection's lock of the GPU. A profiler takes seconds to start and to end, so it has the GPU
// alone only during the calls.
class InspectionTurn {
 public:
  explicit InspectionTurn(InspectionLock how) : m_how(how) { outside_calls(); }

  void begin_calls() {
    m_lock.reset();
    m_lock.emplace(m_how == InspectionLock::exclusive ? GpuLock::Use::exclusive
                                                      : GpuLock::Use::shared);
  }

  void end_calls() { outside_calls(); }

 private:
  void outside_calls() {
    m_lock.reset();
    if (m_how != InspectionLock::of_calls) m_lock.emplace(GpuLock::Use::shared);
  }

  InspectionLock m_how;
  std::optional<GpuLock> m_lock;
};

std::optional<InspectionEnd> call_on_all(const Task& task, const Entry& entry,
                                         const std::string& library, const std::vector<Case>& cases,
                                         std::size_t count, WorkerOptions worker,
                                         InspectionLock how, const InspectionStep& step) {
  worker.gpu = true;
  worker.readable.push_back(library);
  worker.arena_bytes = largest_arena(task, entry.direction, cases, count, worker.gpu);
  std::unique_ptr<GpuClaim> memory;
  if (how != InspectionLock::of_calls) {
    const std::size_t bytes = inspection_gpu_bytes(worker.arena_bytes);
    memory = GpuClaim::wait(bytes, bytes);
  }
  InspectionTurn turn(how);
  WorkerProcess process(worker);
  std::optional<InspectionEnd> end;
  if (auto failure = failure_of(process.load(load_of(library, entry.direction, worker)))) {
    end = {cases.empty() ? "" : cases.front().name(), *std::move(failure)};
  }
  turn.begin_calls();
  for (const Case& inspected : cases) {
    if (end) break;
    if (auto failure = call(process, {task, entry.direction, inspected.config.params},
                            inspected.seed, count, step)) {
      end = {inspected.name(), *std::move(failure)};
    }
  }
  turn.end_calls();
  process.stop();
  return end;
}

}  // namespace

std::optional<InspectionEnd> inspect(const Task& task, const Entry& entry,
                                     const std::string& library, const std::vector<Case>& cases,
                                     WorkerOptions worker, InspectionLock lock) {
  return call_on_all(task, entry, library, cases, inspected_calls, std::move(worker), lock,
                     [](WorkerProcess& process) { return failure_of(process.run()); });
}

std::size_t inspection_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs) {
  return inspection_gpu_bytes(
      largest_arena(task, direction, configs, inspected_calls, /*gpu=*/true));
}

std::variant<Trace, InspectionEnd> trace(const Task& task, const Entry& entry,
                                         const std::string& library, const Case& traced,
                                         WorkerOptions worker) {
  Trace answer;
  auto end = call_on_all(task, entry, library, std::vector{traced}, 1, std::move(worker),
                         InspectionLock::exclusive, [&](WorkerProcess& process) {
                           auto outcome = process.trace();
                           if (auto* found = std::get_if<Trace>(&outcome)) answer = *found;
                           return failure_of(outcome);
                         });
  if (end) return *std::move(end);
  return answer;
}

}  // namespace robust_kbench
