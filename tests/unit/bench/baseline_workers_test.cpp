#include "bench/baseline_workers.hpp"

#include <chrono>
#include <thread>

#include "bench/bench.hpp"
#include "bench/kernel_timer.hpp"
#include "core/manifest.hpp"
#include "device/cpu.hpp"
#include "doubling_task.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

WorkerOptions baseline_options() {
  WorkerOptions options;
  options.program = TEST_BASELINE;
  options.cpus = {usable_cpus().front()};
  options.arena_bytes = std::size_t{3} << 20;
  return options;
}

TEST(BaselineWorkers, GiveAKeptWorkerAgain) {
  BaselineWorkers workers;
  const WorkerOptions options = baseline_options();
  const BaselineWorkers::Worker first = workers.take(options);
  EXPECT_NE(workers.take(options), first) << "it is in use";
  workers.keep(options, first);
  WorkerOptions larger = options;
  larger.arena_bytes *= 4;
  EXPECT_NE(workers.take(larger), first);
  EXPECT_EQ(workers.take(options), first);
}

TEST(BaselineWorkers, DoNotKeepOneThatHasEnded) {
  BaselineWorkers workers;
  const BaselineWorkers::Worker first = workers.take(baseline_options());
  first->greet();
  first->kill();
  while (first->alive()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  workers.keep(baseline_options(), first);
  EXPECT_NE(workers.take(baseline_options()), first);
}

TEST(BaselineWorkers, ServeOneTimerAfterAnother) {
  Manifest manifest;
  manifest.toolchain.worker = TEST_WORKER;
  manifest.toolchain.baseline_command = {TEST_BASELINE};
  const Task task = doubling_task();
  const std::vector<Config> configs{{.name = "small/size_1000", .params = task.defaults}};
  BenchOptions options;
  options.threads = 1;
  options.workers = 2;
  options.target_interval = 100;  // any interval is narrow enough
  options.baseline_workers = std::make_shared<BaselineWorkers>();
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    KernelTimer timer(manifest, task, {task.name, direction}, Device::cpu, configs,
                      {{"kernel", "honest"}}, options);
    EXPECT_EQ(bench(timer, configs, options).judgement.verdict, Verdict::pass);
  }
}

}  // namespace
}  // namespace robust_kbench
