#include "check/inspection.hpp"

#include <array>
#include <random>
#include <utility>

#include "check/batch.hpp"
#include "check/placement.hpp"
#include "core/seed.hpp"
#include "device/gpu_lock.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {
namespace {

template <typename Answer>
std::optional<Finding> failure_of(const Outcome<Answer>& outcome) {
  if (const auto* failed = std::get_if<Failed>(&outcome)) return finding_of(*failed);
  if (const auto* end = std::get_if<WorkerEnd>(&outcome)) return finding_of(*end);
  return std::nullopt;
}

std::optional<Finding> call_twice(WorkerProcess& worker, const Task& task, Direction direction,
                                  const Case& inspected) {
  const Params& params = inspected.config.params;
  const Tensors tensors =
      make_tensors(task, direction == Direction::backward, params, inspected.seed);
  const std::array<Tensors, 2> calls{tensors, tensors};
  const Placement placement = place(worker.arena(), contract(task, direction).arguments(params),
                                    params, calls, std::mt19937_64(secret_key()));
  fill(worker.arena(), placement, poison_word(secret_key()), 0);
  if (auto failure = failure_of(worker.prepare(placement.calls))) return failure;
  if (auto failure = failure_of(worker.run())) return failure;
  return failure_of(worker.release());
}

}  // namespace

std::optional<InspectionEnd> inspect(const Task& task, const Entry& entry,
                                     const std::string& library, const std::vector<Case>& cases,
                                     WorkerOptions worker) {
  constexpr std::size_t calls = 2;
  worker.gpu = true;
  worker.arena_bytes = largest_arena(task, entry.direction, cases, calls, worker.gpu);
  const GpuLock share(GpuLock::Use::test);
  WorkerProcess process(worker);
  std::optional<InspectionEnd> end;
  if (auto failure = failure_of(process.load({library, std::string(to_string(entry.direction))}))) {
    end = {cases.empty() ? "" : cases.front().name(), *std::move(failure)};
  }
  for (const Case& inspected : cases) {
    if (end) break;
    if (auto failure = call_twice(process, task, entry.direction, inspected)) {
      end = {inspected.name(), *std::move(failure)};
    }
  }
  process.stop();
  return end;
}

}  // namespace robust_kbench
