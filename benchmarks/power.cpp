#include <algorithm>
#include <cstdio>

#include "bench/kernel_timer.hpp"
#include "bench/timed_limits.hpp"
#include "bench/worker_budget.hpp"
#include "command/command_line.hpp"
#include "compile/compile.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/program.hpp"
#include "core/speedup.hpp"
#include "core/statistics.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/requirements.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"
#include "replay/longer_time.hpp"
#include "replay/replay_judge.hpp"
#include "report/table.hpp"
#include "tensor/gpu_claim.hpp"
#include "tensor/task_registry.hpp"
#include <robust_kbench/registry.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

// Measures how often the bench engine's calls `faster` and `slower` are right on this GPU. Copies
// of one kernel and copies made slower by --slower race in turns. Their configs take about 4, 5,
// 10, 30 and 100 us. In a pair of equal copies each call is wrong. In a pair of unequal ones every
// call but `slower` is wrong. Copies are subjects of their own, with fresh workers. Pairs of one
// race share subjects, so they are not independent of each other. With --replay each copy is also
// replayed, and a replay that takes longer counts as it does in an evaluation.

namespace robust_kbench {
namespace {

constexpr int cycles_per_row = 64;
constexpr std::int64_t features = 8;
// The time of an empty kernel, as the bench engine measures it on an H100.
constexpr double launch_us = 3.05;
constexpr double cycles_per_us = 1980;

struct Options {
  std::string manifest;
  int copies = 6;
  int races = 2;
  double slower = 1.04;
  std::vector<double> times_us{4, 5, 10, 30, 100};
  bool replay = false;
  std::string json;
};

std::string compiled(const Manifest& manifest, const std::string& directory, double slower) {
  KernelSource source{.entry = {"mnist_linear", Direction::forward},
                      .name = "spinning_linear",
                      .device = Device::cuda,
                      .sources = {RKB_SPINNING_LINEAR}};
  source.definitions = {fmt::format("CYCLES_PER_ROW={}", cycles_per_row),
                        fmt::format("LAUNCH_CYCLES={}", launch_us * cycles_per_us),
                        fmt::format("SLOWER={}", slower)};
  const BuildRecord build =
      compile(source, manifest.toolchain, fmt::format("{}/{}.so", directory, slower));
  if (!build.judgement.passes()) {
    throw HarnessError(source.sources.front() + ": " + build.judgement.reason);
  }
  return build.library;
}

Config config_of(double time_us) {
  const double rows = (time_us - launch_us) * cycles_per_us / cycles_per_row;
  Params params{{"batch_size", std::max<std::int64_t>(1, static_cast<std::int64_t>(rows))},
                {"num_input_features", features},
                {"num_output_features", features},
                {"init_method", std::string("normal")}};
  return {.set = ConfigSet::small, .name = fmt::format("{:g} us", time_us), .params = params};
}

struct Calls {
  int pairs = 0;
  int faster = 0;
  int slower = 0;

  void add(RatioCall call) {
    ++pairs;
    faster += call == RatioCall::faster ? 1 : 0;
    slower += call == RatioCall::slower ? 1 : 0;
  }
};

// The calls of one config, over all races.
struct Tally {
  Calls equal;
  Calls unequal;
  std::vector<double> medians_us;
  std::vector<double> widths;  // half of each interval, as a share of the median
  std::vector<double> replays_us;
  int longer_replays = 0;  // those that count in place of the copy's own time
};

class Power {
 public:
  explicit Power(const Options& options)
      : m_options(options), m_manifest(load_manifest(options.manifest)) {
    for (const double time : options.times_us) m_configs.push_back(config_of(time));
    const std::string equal = compiled(m_manifest, m_directory.path(), 1);
    const std::string slower = compiled(m_manifest, m_directory.path(), options.slower);
    for (int i = 0; i < 2 * options.copies; ++i) {
      m_kernels.push_back({"copy " + std::to_string(i), i < options.copies ? equal : slower});
    }
    m_bench = usual_bench_options(Device::cuda);
    m_bench.warm_figures = false;
    // A small batch suffices, since all copies have adjacent memory, and a call takes little.
    m_bench.batch_bytes = std::size_t{32} << 20;
  }

  void run() {
    const TaskRegistry tasks(registered_tasks());
    const Task& task = tasks.find("mnist_linear");
    const Entry entry{task.name, Direction::forward};
    std::vector<Tally> tallies(m_configs.size());
    std::printf(
        "Equal: pairs of equal kernels. Unequal: one of the pair is slower by %.3g %%.\n"
        "Called: by the 95 %% interval of their ratio.\n",
        100 * (m_options.slower - 1));
    for (int race = 1; race <= m_options.races; ++race) {
      const std::size_t bytes =
          timing_gpu_bytes(task, Direction::forward, m_configs, m_kernels.size(), m_bench);
      const auto claim = GpuClaim::wait(bytes, bytes);
      KernelTimer timer(m_manifest, task, entry, Device::cuda, m_configs, m_kernels, m_bench);
      for (std::size_t i = 0; i < m_configs.size(); ++i) {
        auto results = timer.measure(m_configs[i]).kernels;
        for (std::size_t copy = 0; m_options.replay && copy < results.size(); ++copy) {
          replay(task, m_kernels[copy], m_configs[i], results[copy].timing, tallies[i]);
        }
        add(tallies[i], m_configs[i].name, results);
      }
      std::printf("\nAfter %d of %d races:\n%s", race, m_options.races, table(tallies).c_str());
      std::fflush(stdout);
      m_json.write(m_timings);
    }
  }

 private:
  [[nodiscard]] std::string table(const std::vector<Tally>& tallies) const {
    Table table({"config", "us", "+- %", "equal", "called faster or slower", "unequal",
                 "called slower", "called faster", "replayed, us", "longer replays"});
    for (std::size_t i = 0; i < m_configs.size(); ++i) {
      const Tally& tally = tallies[i];
      table.add({m_configs[i].name, fmt::format("{:.3g}", median(tally.medians_us)),
                 fmt::format("{:.1f}", 100 * median(tally.widths)),
                 std::to_string(tally.equal.pairs),
                 std::to_string(tally.equal.faster + tally.equal.slower),
                 std::to_string(tally.unequal.pairs), std::to_string(tally.unequal.slower),
                 std::to_string(tally.unequal.faster),
                 m_options.replay ? fmt::format("{:.3g}", median(tally.replays_us)) : "-",
                 m_options.replay ? std::to_string(tally.longer_replays) : "-"});
    }
    return table.console();
  }

  void replay(const Task& task, const BuiltKernel& copy, const Config& config, TimingRecord& timing,
              Tally& tally) {
    WorkerOptions worker{.program = m_manifest.toolchain.worker, .arguments = {}};
    worker.sandbox = sandbox_beside(worker.program);
    worker.gpu = true;
    const Entry entry{task.name, Direction::forward};
    const KernelToRecord to_record{
        .task = task, .entry = entry, .library = copy.library, .worker = worker};
    const OutputLimits limits =
        timed_limits(m_limits, {task, entry.direction, config.params}, config, /*gpu=*/true);
    const ReplayOutcome outcome = ReplayJudge(to_record, replayer_of(m_manifest.toolchain))
                                      .judge(config, limits, timing.median_us);
    if (!outcome.not_replayed.empty()) throw HarnessError(outcome.not_replayed);
    if (copy.library == m_kernels.front().library)
      tally.replays_us.push_back(outcome.time.by_clock.us);
    ConfigTimingRecord record;
    record.subjects = {timing};
    if (!count_longer_time(record, outcome.time.by_clock, m_bench.same_within)) return;
    ++tally.longer_replays;
    timing = record.subjects.front();
  }

  void add(Tally& tally, const std::string& config, const std::vector<SubjectResult>& results) {
    const auto copies = static_cast<std::size_t>(m_options.copies);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const TimingRecord& timing = results[i].timing;
      if (results[i].rejection) throw HarnessError(results[i].rejection->reason);
      if (timing.workers < m_bench.workers) {
        throw UserError(fmt::format(
            "only {} of {} workers of each copy fit into the memory of this GPU; give fewer "
            "--copies than {}",
            timing.workers, m_bench.workers, m_options.copies));
      }
      m_timings.push_back(timing);
      m_timings.back()["config"] = config;
      if (i < copies) tally.medians_us.push_back(timing.median_us);
      tally.widths.push_back((timing.ci_high_us - timing.ci_low_us) / 2 / timing.median_us);
      for (std::size_t k = 0; k < i; ++k) {
        const bool same = (i < copies) == (k < copies);
        (same ? tally.equal : tally.unequal)
            .add(speedup(timing, results[k].timing, m_bench.same_within).call);
      }
    }
  }

  const Options& m_options;
  OutputFile m_json{m_options.json};
  Manifest m_manifest;
  TemporaryDirectory m_directory{"power"};
  std::vector<Config> m_configs;
  std::vector<BuiltKernel> m_kernels;
  BenchOptions m_bench;
  LimitsCache m_limits;
  nlohmann::json m_timings = nlohmann::json::array();
};

int run(int argc, char** argv) {
  Options options;
  CommandLine command_line("rkb_power",
                           "How often the calls faster and slower are right on this GPU");
  command_line.add_option("--manifest", options.manifest, "Default: this build's");
  command_line.add_option("--copies", options.copies, "Of the kernel, and of the slower one")
      .between(2, 50)
      .capture_default_str();
  command_line.add_option("--races", options.races, "Each with workers of its own")
      .between(1, 50)
      .capture_default_str();
  command_line.add_option("--slower", options.slower, "How many times as long the slower one takes")
      .between(1, 2)
      .capture_default_str();
  command_line.add_option("--times", options.times_us, "Of a call, microseconds")
      .delimiter(',')
      .between(0, 1e6)
      .capture_default_str();
  command_line.add_flag("--replay", options.replay, "Replay each copy, too");
  command_line.add_option("--json", options.json, "Write all timings with their samples there");
  if (const std::optional<int> exit_code = command_line.parse(argc, argv)) return *exit_code;
  if (const std::string missing = cuda_facts().missing; !missing.empty()) {
    std::fprintf(stderr, "rkb_power: nothing to measure: %s\n", missing.c_str());
    return ExitCode::skipped;
  }
  if (options.manifest.empty()) options.manifest = default_manifest();
  Power(options).run();
  return ExitCode::pass;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run_program("rkb_power", [&] { return robust_kbench::run(argc, argv); });
}
