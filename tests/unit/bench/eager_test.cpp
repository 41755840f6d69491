#include "bench/baseline.hpp"
#include "bench/call_source.hpp"
#include "bench/referee.hpp"
#include "bench/timed_worker.hpp"
#include "device/cpu.hpp"
#include "parts_task.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class EagerBaseline : public testing::TestWithParam<Direction> {};

TEST_P(EagerBaseline, ReturnsEveryOutput) {
  WorkerOptions options;
  options.program = TEST_BASELINE;
  options.cpus = {usable_cpus().front()};
  TimedWorker worker(options, /*trusted=*/true);

  const Direction direction = GetParam();
  const Task task = parts_task();
  const Task as_baseline = with_baseline_arguments(task, direction);
  CallSource call_source({task, direction, task.defaults}, 1);
  std::vector<PrecisionLimits> limits;
  for (const Output& output : contract(task, direction).outputs) {
    limits.push_back(own_limits(output));
  }
  Referee referee({task, direction, task.defaults}, limits);
  const std::vector<Tensors> calls = call_source.batch(3);
  const Load load =
      load_eager(parse_baseline("eager", Device::cpu), {task, direction, task.defaults});
  const BatchAnswer answer = worker.run({.load = load,
                                         .workload = {as_baseline, direction, task.defaults},
                                         .calls = calls,
                                         .keep = 2});
  const Judgement judgement = referee.check(answer.outputs, referee.expected(calls[2])).judgement;
  EXPECT_TRUE(judgement.passes()) << judgement.reason;
}

INSTANTIATE_TEST_SUITE_P(Directions, EagerBaseline,
                         testing::Values(Direction::forward, Direction::backward),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace robust_kbench
