#include "gtest_cases/gtest_cases.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "check/limits_file.hpp"
#include "core/error.hpp"
#include "core/manifest.hpp"
#include "core/own_command.hpp"
#include "core/program.hpp"
#include "core/seed.hpp"
#include "device/gpu_choice.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/replay.hpp"
#include "evaluate/test_plan.hpp"
#include "process/fork_server.hpp"
#include "process/heap.hpp"
#include "torch_task/imported_tasks.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr const char* skip_is_failure = "ROBUST_KBENCH_SKIP_IS_FAILURE";

struct TestRun {
  Manifest manifest;
  std::shared_ptr<LimitsFile> shared_limits;  // of all tests that fork from one process, or null
  // The exit code of the one test that runs. If an error keeps the test from a verdict, the harness
  // is at fault.
  int exit_code = ExitCode::harness_error;
};

int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::pass) return ExitCode::pass;
  return verdict == Verdict::harness_error ? ExitCode::harness_error : ExitCode::rejected;
}

class CaseTest : public testing::Test {
 public:
  CaseTest(TestRun& test_run, const PlannedTest& planned)
      : m_test_run(test_run), m_planned(planned) {}

  void TestBody() override {
    try {
      if (m_planned.kind == PlannedTest::Kind::skipped) {
        skip();
      } else {
        examine();
      }
    } catch (const UserError& error) {
      fail(ExitCode::usage, error.what());
    } catch (const std::exception& error) {
      fail(ExitCode::harness_error, std::string("the harness failed: ") + error.what());
    }
  }

 private:
  void examine() {
    const KernelRecord record = evaluate(m_planned.only_case);
    for (const CaseRecord& c : record.cases) tell(c);
    const bool refused = std::ranges::all_of(record.cases, [](const auto& c) { return c.refused; });
    if (record.judgement.passes() || (refused && !record.cases.empty())) {
      m_test_run.exit_code = ExitCode::pass;
    } else {
      fail(record.judgement);
    }
  }

  // Prints the number of a sequence's calls, the properties asked by a case that is not listed, and
  // a refusal. A log then tells how to repeat the case.
  void tell(const CaseRecord& c) const {
    if (c.name == sequence_name) {
      fmt::print("{} calls\n", c.calls);
      if (!c.judgement.reason.empty()) fmt::print("{}\n", c.judgement.reason);
      std::fflush(stdout);
    }
    if (c.asks.empty() && !c.refused) return;
    const std::string nonce = fmt::format("{:#x}", m_nonce);
    fmt::print("{}\n{} --case {} --nonce {}\n", c.asks.empty() ? c.name : c.asks,
               replay_command(*m_planned.kernel, *m_planned.task), c.name, nonce);
    if (c.refused) fmt::print("{}\n", c.judgement.reason);
    std::fflush(stdout);
  }

  // A kernel that cannot run here is still compiled, where there is a compiler.
  void skip() {
    const KernelRecord record = evaluate(m_planned.only_case);
    if (record.judgement.verdict != Verdict::skipped) {
      fail(record.judgement);
      return;
    }
    const std::string reason = std::to_string(m_planned.count) +
                               " cases and a sequence cannot run here: " + m_planned.skip_reason;
    if (std::getenv(skip_is_failure) != nullptr) {
      fail(ExitCode::rejected, reason + ", and " + skip_is_failure + " is set");
      return;
    }
    m_test_run.exit_code = ExitCode::skipped;
    GTEST_SKIP() << reason;
  }

  [[nodiscard]] KernelRecord evaluate(const std::string& only_case) const {
    const KernelSource& kernel = *m_planned.kernel;
    Evaluator evaluator(m_test_run.manifest, *m_planned.task, kernel.entry.direction, kernel.device,
                        {.shared_limits = m_test_run.shared_limits});
    return evaluator.submit(kernel, {.scope = {.only_case = only_case, .nonce = m_nonce},
                                     .stages = {Stage::compile, Stage::test}});
  }

  void fail(const Judgement& judgement) {
    fail(exit_code_of(judgement.verdict),
         std::string(to_string(judgement.verdict)) + "\n" + with_output(judgement));
  }

  void fail(int exit_code, const std::string& message) {
    m_test_run.exit_code = exit_code;
    ADD_FAILURE_AT(m_planned.kernel->sources.front().c_str(), 1) << message;
  }

  TestRun& m_test_run;
  const PlannedTest& m_planned;
  const std::uint64_t m_nonce = secret_key();
};

class ExactlyOneTest : public testing::EmptyTestEventListener {
 public:
  void OnTestIterationStart(const testing::UnitTest& run, int) override {
    if (run.test_to_run_count() == 1) return;
    std::fprintf(stderr,
                 "rkb_cases: %d of %d tests are selected, expected exactly 1; give its whole name "
                 "with --gtest_filter, or list them with --gtest_list_tests\n",
                 run.test_to_run_count(), run.total_test_count());
    std::_Exit(ExitCode::harness_error);
  }
};

void register_tests(TestRun& test_run, const std::vector<PlannedTest>& tests) {
  for (const PlannedTest& planned : tests) {
    // GoogleTest puts a dot between suite and test, so the name is cut after the kernel's.
    const std::string suite = test_name(planned.kernel->entry, planned.kernel->name, "");
    const std::string test = planned.name.substr(suite.size());
    testing::RegisterTest(suite.substr(0, suite.size() - 1).c_str(), test.c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [&test_run, &planned] { return new CaseTest(test_run, planned); });
  }
}

// The path that --manifest=FILE gives, else the default. GoogleTest has removed its own flags
// already.
std::filesystem::path manifest_path(int argc, char** argv) {
  constexpr std::string_view flag = "--manifest=";
  std::filesystem::path path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(flag)) {
      throw UserError(
          "argument '" + std::string(argument) +
          "' is unknown; known: --manifest=FILE, --serve alone, and GoogleTest's --gtest_*");
    }
    path = argument.substr(flag.size());
  }
  if (path.empty()) return default_manifest();
  name_manifest_in_commands(path);
  return path;
}

// The name of the only test that GoogleTest's filter selects, or empty where it is a pattern.
std::string only_test() {
  const std::string filter = GTEST_FLAG_GET(filter);
  return filter.find_first_of("*?:-") == std::string::npos ? filter : std::string();
}

int run(int argc, char** argv, const std::vector<Task>& tasks,
        const std::shared_ptr<LimitsFile>& shared_limits) {
  testing::InitGoogleTest(&argc, argv);
  // GoogleTest has printed its help and left the flag in place.
  if (argc > 1 && argv[1] == std::string_view("--help")) return ExitCode::pass;
  TestRun test_run{.manifest = load_manifest(manifest_path(argc, argv)),
                   .shared_limits = shared_limits};
  TaskRegistry registry(tasks);
  registry.look_further(imported_tasks(test_run.manifest.tasks));
  const std::vector<PlannedTest> planned = plan_tests(test_run.manifest, registry, only_test());
  register_tests(test_run, planned);
  testing::UnitTest::GetInstance()->listeners().Append(new ExactlyOneTest);
  const int result = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(list_tests)) return result;
  const bool contradiction = result != 0 && test_run.exit_code == ExitCode::pass;
  return contradiction ? ExitCode::harness_error : test_run.exit_code;
}

}  // namespace

int cases_main(int argc, char** argv, const std::vector<Task>& tasks) {
  // These threads only make references, and CTest runs several tests at a time.
  at::set_num_threads(1);
  keep_freed_memory();
  std::shared_ptr<LimitsFile> shared_limits;
  const auto run_tests = [&](int count, char** arguments) {
    use_gpu_of_ctest();
    return run(count, arguments, tasks, shared_limits);
  };
  return run_program("rkb_cases", [&] {
    if (argc != 2 || argv[1] != std::string_view("--serve")) return run_tests(argc, argv);
    shared_limits = std::make_shared<LimitsFile>();
    return serve_forks(argv[0], [&](std::vector<std::string> arguments) {
      std::vector<char*> pointers(arguments.size() + 1);
      std::ranges::transform(arguments, pointers.begin(), [](auto& text) { return text.data(); });
      return run_program("rkb_cases", [&] {
        return run_tests(static_cast<int>(arguments.size()), pointers.data());
      });
    });
  });
}

}  // namespace robust_kbench
