// Records kernels on a GPU and replays them, each by processes of its own. All of them return
// 2x + 1 (kernels/).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/descriptor.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"
#include "process/affinity.hpp"
#include "recording/decode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t elements = 64 << 10;
constexpr std::size_t bytes = elements * sizeof(float);
constexpr std::size_t zeros = 256;  // the last elements of x are 0

// The path of the driver that this process uses.
std::string driver_path() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY);
  Dl_info found{};
  if (library == nullptr || dladdr(dlsym(library, "cuInit"), &found) == 0) return "";
  return found.dli_fname;
}

std::vector<float> input_of(std::size_t call) {
  std::vector<float> x(elements);
  for (std::size_t i = 0; i + zeros < elements; ++i) {
    x[i] = static_cast<float>((i * 31 + call * 17) % 1009) / 64.0F;
  }
  return x;
}

// A process with calls of one input in its arena, each at a place of its own.
class Caller {
 public:
  explicit Caller(const WorkerOptions& options) : m_worker(options) { m_worker.greet(); }

  Outcome<Loaded> load(const std::string& library) {
    return m_worker.load({.library = library, .entry = "forward"});
  }

  // Makes calls, the first of which has the content `first`. Returns what went wrong, if anything.
  std::string make(std::size_t count, std::size_t first) {
    place(count, first);
    if (auto failed = failure_of(m_worker.prepare(m_calls)); !failed.empty()) {
      return "prepare: " + failed;
    }
    const Outcome<Ran> ran = m_worker.run();
    if (auto failed = failure_of(ran); !failed.empty()) return "run: " + failed;
    wall_us = static_cast<double>(std::get<Ran>(ran).wall_ns) / 1e3;
    auto collected = m_worker.collect(count);
    if (auto failed = failure_of(collected); !failed.empty()) return "collect: " + failed;
    m_results = std::get<std::vector<CallResult>>(std::move(collected));
    return "";
  }

  // Makes calls as one work of the GPU. Returns the time of one by our clock, beyond an empty
  // call in its place. What went wrong is a failure of the test.
  double time_together(std::size_t count, std::size_t first) {
    place(count, first);
    std::string failed = failure_of(m_worker.prepare(m_calls));
    if (failed.empty()) failed = failure_of(m_worker.prepare_together());
    const auto wall_ns = [&](bool with_calls) {
      const ScopedAffinity beside_the_replayer(usable_cpus().front());
      const Outcome<Ran> ran = m_worker.run_together(with_calls);
      if (failed.empty()) failed = failure_of(ran);
      return failed.empty() ? static_cast<double>(std::get<Ran>(ran).wall_ns) : 0.0;
    };
    for (int i = 0; i < 2; ++i) wall_ns(false);  // slow, since the GPU did this process's work
    const double calls_ns = wall_ns(true);
    const double without_calls_ns = std::min({wall_ns(false), wall_ns(false), wall_ns(false)});
    auto collected = m_worker.collect(count);
    if (failed.empty()) failed = failure_of(collected);
    EXPECT_EQ(failed, "") << output();
    if (!failed.empty()) return 0;
    m_results = std::get<std::vector<CallResult>>(std::move(collected));
    return (calls_ns - without_calls_ns) / 1e3 / static_cast<double>(count);
  }

  // The number of elements of a call's output that are not 2x + 1.
  std::size_t wrong_in(std::size_t call) {
    const auto& output = std::get<TensorRef>(m_results.at(call).outputs.at(0));
    std::vector<float> y(elements);
    m_worker.arena().read(output.offset, y.data(), bytes);
    const std::vector<float> x = input_of(m_first + call);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < elements; ++i) {
      if (!(std::abs(y[i] - (2 * x[i] + 1)) <= 1e-4F)) ++wrong;
    }
    return wrong;
  }

  double span_us() const {
    std::vector<std::uint64_t> spans;
    for (const CallResult& result : m_results) spans.push_back(result.span_ns);
    std::nth_element(spans.begin(), spans.begin() + spans.size() / 2, spans.end());
    return static_cast<double>(spans[spans.size() / 2]) / 1e3;
  }

  std::string release() { return failure_of(m_worker.release()); }
  std::string output() { return m_worker.output(); }

  double wall_us = 0;

 private:
  template <typename Answer>
  static std::string failure_of(const Outcome<Answer>& outcome) {
    const auto* judgement = std::get_if<Judgement>(&outcome);
    return judgement == nullptr ? "" : judgement->reason + " | " + judgement->output;
  }

  void place(std::size_t count, std::size_t first) {
    Arena& arena = m_worker.arena();
    m_calls.clear();
    m_first = first;
    std::uint64_t offset = 512 * (1 + first % 7);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<float> x = input_of(first + i);
      arena.write(offset, x.data(), bytes);
      arena.synchronize();
      m_calls.push_back({.arguments = {{TensorRef{.offset = offset,
                                                  .sizes = {elements},
                                                  .strides = {1},
                                                  .dtype = 6,
                                                  .device_type = 1}}}});
      offset += bytes + 1536;
    }
    ArenaHeader& header = arena.header();
    header.kernel_begin = header.cursor = header.poisoned_until = align_up(offset, 4096);
    header.poison = poison_word(99);
    header.allocation_count = 0;
    header.input_place = {};
    arena.poison(header.kernel_begin, arena.size() / 8 * 8, header.poison);
    arena.synchronize();
  }

  WorkerProcess m_worker;
  std::vector<Call> m_calls;
  std::vector<CallResult> m_results;
  std::size_t m_first = 0;
};

WorkerOptions options_for(const std::string& program, int recording_fd) {
  WorkerOptions options{.program = program, .arguments = {}};
  options.arena_bytes = std::size_t{64} << 20;
  options.gpu = true;
  options.recording_fd = recording_fd;
  if (std::getenv("RKB_NO_SANDBOX") == nullptr) {
    options.sandbox = RKB_SANDBOX;
    options.gpu_probe = RKB_WORKER;
  }
  return options;
}

std::string read_file(int fd) {
  std::string content(static_cast<std::size_t>(lseek(fd, 0, SEEK_END)), '\0');
  if (pread(fd, content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) {
    return "";
  }
  return content;
}

struct Recorded {
  Descriptor file{memfd_create("recording", MFD_CLOEXEC)};
  std::string failure;
  std::optional<Recording> recording;
  std::size_t wrong = 0;  // elements of the third call, as the worker made it
  double span_us = 0;
};

Recorded record(const std::string& kernel) {
  Recorded recorded;
  WorkerOptions options = options_for(RKB_WORKER, recorded.file.get());
  options.arguments = {"--record=" + driver_path()};
  options.readable = {REPLAY_KERNELS, driver_path()};
  Caller worker(options);
  auto loaded = worker.load(REPLAY_KERNELS + kernel + ".so");
  if (const auto* judgement = std::get_if<Judgement>(&loaded)) {
    recorded.failure = "load: " + judgement->reason + " | " + judgement->output;
    return recorded;
  }
  recorded.failure = worker.make(3, 0);
  if (!recorded.failure.empty()) {
    recorded.failure += worker.output();
    return recorded;
  }
  usleep(10'000);  // for what the kernel does late
  recorded.wrong = worker.wrong_in(2);
  const std::string file = read_file(recorded.file.get());
  try {
    recorded.recording = decode_recording(file);
  } catch (const HarnessError& error) {
    recorded.failure = error.what();
  }
  if (worker.release().empty() && worker.make(20, 40).empty()) recorded.span_us = worker.span_us();
  return recorded;
}

std::string obstacles_of(const Recording& recording) {
  std::string text;
  for (const ReplayObstacle& obstacle : recording.obstacles) text += text_of(obstacle) + "; ";
  return text;
}

class Clock : public testing::Test {
 protected:
  void SetUp() override {
    const CudaFacts facts = cuda_facts();
    if (!facts.missing.empty()) GTEST_SKIP() << facts.missing;
    if (facts.compute_capability / 10 != 9) GTEST_SKIP() << "the kernels are for sm_90";
  }
};
class KernelOnGpu : public Clock, public testing::WithParamInterface<const char*> {};
using Replays = KernelOnGpu;
using Refuses = KernelOnGpu;
using Exposes = KernelOnGpu;

struct Replayed {
  std::size_t wrong = 0;   // elements of all calls that were looked at
  double span_us = 0;      // of a call, by the replayer's events
  double together_us = 0;  // of a call of many, by our clock
};

// Nothing where the replayer fails, which is a failure of the test.
std::optional<Replayed> replay(const std::string& kernel, const Recorded& recorded) {
  Caller replayer(options_for(RKB_REPLAYER, recorded.file.get()));
  auto loaded = replayer.load("");
  if (const auto* judgement = std::get_if<Judgement>(&loaded)) {
    ADD_FAILURE() << "load: " << judgement->reason << " | " << judgement->output;
    return std::nullopt;
  }
  Replayed replayed;
  std::string failure = replayer.make(3, 11);
  for (std::size_t call = 0; failure.empty() && call < 3; ++call) {
    replayed.wrong += replayer.wrong_in(call);
  }
  if (failure.empty()) failure = replayer.release();
  if (failure.empty()) failure = replayer.make(20, 50);
  if (!failure.empty()) {
    ADD_FAILURE() << failure << replayer.output();
    return std::nullopt;
  }
  replayed.wrong += replayer.wrong_in(7) + replayer.wrong_in(19);
  replayed.span_us = replayer.span_us();
  std::vector<double> times;
  for (std::size_t i = 0; i < 7 && replayer.release().empty(); ++i) {
    times.push_back(replayer.time_together(64, 100 * i));
    if (testing::Test::HasFailure()) return std::nullopt;
    for (std::size_t call = 0; call < 64; ++call) replayed.wrong += replayer.wrong_in(call);
  }
  std::sort(times.begin(), times.end());
  replayed.together_us = times[times.size() / 2];
  std::printf(
      "%s: by events %.2f us in the worker, %.2f in the replayer; of 64 together by our clock "
      "%.2f (%.2f to %.2f)\n",
      kernel.c_str(), recorded.span_us, replayed.span_us, replayed.together_us, times.front(),
      times.back());
  return replayed;
}

TEST_P(Replays, AsTheKernelDid) {
  const Recorded recorded = record(GetParam());
  ASSERT_EQ(recorded.failure, "");
  EXPECT_EQ(recorded.wrong, 0U);
  EXPECT_EQ(obstacles_of(*recorded.recording), "");
  std::printf("%s: %zu images, %zu operations, recording of %ld bytes\n", GetParam(),
              recorded.recording->images.size(), recorded.recording->steady.operations.size(),
              static_cast<long>(lseek(recorded.file.get(), 0, SEEK_END)));
  if (!recorded.recording->is_replayable()) return;
  const auto replayed = replay(GetParam(), recorded);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(replayed->wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Replays,
    testing::Values("launches_once", "launches_eight_times", "keeps_its_own_memory",
                    "allocates_in_stream_order", "forks_and_joins", "uses_blocking_streams",
                    "uses_the_threads_stream", "synchronises_its_grid", "launches_clusters",
                    "begins_early", "takes_much_shared_memory", "fills_and_copies",
                    "uploads_pointers", "sets_a_constant", "sets_a_constant_once",
                    "launches_a_graph", "copies_by_descriptor", "multiplies_by_cublas",
                    "keeps_a_workspace_tensor"),
    [](const auto& info) { return info.param; });

const char* reason_of(const std::string& kernel) {
  if (kernel == "reads_a_result_back") return "reads results back from the GPU";
  if (kernel == "calls_its_host_code") return "calls its host code (cuLaunchHostFunc";
  if (kernel == "reads_pinned_memory") return "pinned memory of the host";
  if (kernel == "reads_managed_memory") return "managed";
  if (kernel == "reads_a_texture") return "cuTexObjectCreate";
  return "its calls are not alike";
}

TEST_P(Refuses, WithItsReason) {
  const Recorded recorded = record(GetParam());
  ASSERT_EQ(recorded.failure, "");
  EXPECT_EQ(recorded.wrong, 0U);
  EXPECT_THAT(obstacles_of(*recorded.recording), testing::HasSubstr(reason_of(GetParam())));
  std::printf("%s: %s\n", GetParam(), obstacles_of(*recorded.recording).c_str());
}

INSTANTIATE_TEST_SUITE_P(Kernels, Refuses,
                         testing::Values("reads_a_result_back", "calls_its_host_code",
                                         "reads_pinned_memory", "reads_managed_memory",
                                         "reads_a_texture", "alternates"),
                         [](const auto& info) { return info.param; });

// What host code hides from the recorder is missing in the replay.
TEST_P(Exposes, ByWrongResults) {
  const Recorded recorded = record(GetParam());
  ASSERT_EQ(recorded.failure, "");
  EXPECT_EQ(recorded.wrong, 0U) << "it should be right in its own process";
  std::printf("%s: %s\n", GetParam(), obstacles_of(*recorded.recording).c_str());
  if (!recorded.recording->is_replayable()) return;
  const auto replayed = replay(GetParam(), recorded);
  ASSERT_TRUE(replayed);
  EXPECT_GT(replayed->wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Exposes,
                         testing::Values("launches_late", "goes_past_the_recorder",
                                         "computes_the_whole_batch", "writes_future_outputs"),
                         [](const auto& info) { return info.param; });

using TakesTheTime = KernelOnGpu;

// A replay has a clock and streams that the kernel's host code has not changed.
TEST_P(TakesTheTime, WithoutTheHostCode) {
  const Recorded recorded = record(GetParam());
  ASSERT_EQ(recorded.failure, "");
  EXPECT_EQ(recorded.wrong, 0U) << "it should be right in its own process";
  const auto replayed = replay(GetParam(), recorded);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(replayed->wrong, 0U);
  EXPECT_GT(replayed->span_us, 1.5 * recorded.span_us);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TakesTheTime,
                         testing::Values("replaces_the_clock", "begins_before_its_span",
                                         "edits_its_message", "leaves_out_the_sweep",
                                         "computes_before_the_clock"),
                         [](const auto& info) { return info.param; });

// Code on the GPU can change the time stamps of events, also in a replay, but not our clock.
TEST_F(Clock, TakesTheTimeWithoutEvents) {
  const Recorded recorded = record("forges_time_stamps");
  if (recorded.failure.find("illegal") != std::string::npos) {
    GTEST_SKIP() << "this driver's time stamps are elsewhere";
  }
  ASSERT_EQ(recorded.failure, "");
  const auto replayed = replay("forges_time_stamps", recorded);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(replayed->wrong, 0U);
  EXPECT_GT(replayed->together_us, 95);
}

}  // namespace
}  // namespace robust_kbench
