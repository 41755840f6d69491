#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "live_program.hpp"
#include "process/processes.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// mnist_linear, and with it a right kernel and one whose first call takes longer than anybody
// waits.
class Interrupted : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(m_scratch);
    std::ofstream(slow)
        << "#include <torch/extension.h>\n"
           "#include <unistd.h>\n"
           "torch::Tensor forward(torch::Tensor x, torch::Tensor, torch::Tensor) {\n"
           "  sleep(15);\n"
           "  return x;\n"
           "}\n"
           "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); "
           "}\n";
  }

  // A manifest with two kernels of a build, the slow one built here, and one small config.
  void make_build() {
    std::ifstream in(manifest_of_build());
    json manifest = json::parse(in);
    json right;
    for (const json& kernel : manifest["kernels"]) {
      if (kernel["task"] == "mnist_linear" && kernel["direction"] == "forward" &&
          kernel["name"] == "blocked") {
        right = kernel;
      }
    }
    json second = right;
    second["name"] = "slow";
    second["sources"] = {slow};
    second["record"] = file("slow.json");
    second["library"] = file("slow.so");
    manifest["kernels"] = {right, second};
    for (json& task : manifest["tasks"]) {
      if (task["name"] != "mnist_linear") continue;
      std::ifstream config(task["directory"].get<std::string>() + "/config_forward.json");
      json one = json::parse(config, nullptr, true, true);
      one["small_shared_configs"] = json::array({one["small_shared_configs"].front()});
      std::ofstream(file("config_forward.json")) << one;
      task["directory"] = m_directory.path();
    }
    std::ofstream(m_manifest) << manifest;
    const CommandResult built = rkb({"--manifest", m_manifest, "compile", "--task", "mnist_linear",
                                     "--direction", "forward", "--kernel", "slow"});
    ASSERT_EQ(built.exit_code, 0) << built.output;
  }

  // Interrupts the command once the right kernel has passed. Returns what it printed.
  std::string interrupt(std::vector<std::string> arguments, const std::string& after) {
    arguments.insert(arguments.begin(), {"/usr/bin/env", "TMPDIR=" + m_scratch, RKB_PROGRAM});
    LiveProgram program(arguments);
    program.wait_for(after);
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    return program.output();
  }

  // Neither temporary directories nor processes.
  void expect_nothing_left() {
    EXPECT_TRUE(fs::is_empty(m_scratch)) << fs::directory_iterator(m_scratch)->path();
    for (const Process& process : all_processes()) {
      std::ifstream in("/proc/" + std::to_string(process.pid) + "/environ", std::ios::binary);
      const std::string environment{std::istreambuf_iterator<char>(in), {}};
      EXPECT_EQ(environment.find(m_scratch), std::string::npos) << process.pid;
    }
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return m_directory.path() / name;
  }

  TemporaryDirectory m_directory{"interrupted"};
  const std::string slow = file("slow.cpp");
  const std::string m_manifest = file("manifest.json");
  const std::string m_scratch = file("scratch");
};

TEST_F(Interrupted, EvaluationGoesOnWithTheRemainingKernels) {
  const std::string right = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";
  const std::string output = interrupt({"evaluate", "--task", "mnist_linear", "--no-bench",
                                        "--seeds", "1", "--scope", "listed", right, slow},
                                       "blocked.cpp: pass\n");
  EXPECT_THAT(output,
              AllOf(HasSubstr("1 passed"),
                    HasSubstr("interrupted; go on with:\n  cd " + fs::current_path().string() +
                              " && " RKB_PROGRAM
                              " evaluate --task mnist_linear --no-bench --seeds 1 --scope "
                              "listed " +
                              slow + "\n")));
  expect_nothing_left();
}

TEST_F(Interrupted, EvaluationThatWasKilledGoesOnWithItsRecords) {
  const std::string right = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";
  const std::string records = file("records.json");
  std::vector<std::string> command{
      "evaluate",       "--task", "mnist_linear", "--no-bench", "--seeds", "1", "--scope", "listed",
      "--call-timeout", "2",      "--json",       records,      right,     slow};
  std::vector<std::string> words = command;
  words.insert(words.begin(), {"/usr/bin/env", "TMPDIR=" + m_scratch, RKB_PROGRAM});
  LiveProgram program(words);
  program.wait_for("blocked.cpp: pass\n");
  program.signal(SIGKILL);
  EXPECT_EQ(program.wait(), 128 + SIGKILL);
  EXPECT_FALSE(fs::exists(records));

  const CommandResult again = rkb(command);
  EXPECT_EQ(again.exit_code, 2) << again.output;
  EXPECT_THAT(again.output, HasSubstr(records + ".part has records (1) of this command"));
  std::vector<std::string> other = command;
  other.push_back("--no-cache");
  EXPECT_THAT(rkb(other).output, HasSubstr("has records of another command"));

  command.emplace_back("--resume");
  const CommandResult resumed = rkb(command);
  EXPECT_EQ(resumed.exit_code, 1) << resumed.output;
  EXPECT_THAT(resumed.output, Not(HasSubstr("blocked.cpp: compiling")));
  EXPECT_THAT(resumed.output, HasSubstr("2 kernels: 1 passed, 1 rejected"));
  std::ifstream in(records);
  const json written = json::parse(in);
  ASSERT_EQ(written["kernels"].size(), 2U);
  EXPECT_EQ(written["kernels"][0]["verdict"], "pass");
  EXPECT_EQ(written["kernels"][1]["verdict"], "timeout");
  EXPECT_FALSE(fs::exists(records + ".part"));
  EXPECT_EQ(rkb({"evaluate", "--task", "mnist_linear", "--resume", right}).exit_code, 2);
}

class InterruptedCommand : public Interrupted, public testing::WithParamInterface<const char*> {};

TEST_P(InterruptedCommand, TellsWhatItKnowsAndHowToGoOn) {
  make_build();
  const std::string command = GetParam();
  const std::string output =
      interrupt({"--manifest", m_manifest, command, "--scope", "listed"}, "blocked: pass\n");
  EXPECT_THAT(output,
              AllOf(HasSubstr("1 passed"),
                    HasSubstr("interrupted; go on with:\n  cd " + fs::current_path().string() +
                              " && " RKB_PROGRAM " --manifest " + m_manifest + " " + command +
                              " --scope listed\n")));
  expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(All, InterruptedCommand, testing::Values("test", "bench", "demo"));

TEST_F(Interrupted, ProfileKeepsNothingRunning) {
  make_build();
  const std::string output =
      interrupt({"--manifest", m_manifest, "profile", "--tools", "roofline"}, "blocked: pass\n");
  EXPECT_THAT(output, HasSubstr("interrupted; go on with:\n  cd " + fs::current_path().string() +
                                " && " RKB_PROGRAM " --manifest " + m_manifest +
                                " profile --tools roofline\n"));
  expect_nothing_left();
}

// The compiler computes for hours.
TEST_F(Interrupted, CompilationGoesOnWithTheRemainingFiles) {
  const std::string endless = file("endless.cpp");
  std::ofstream(endless) << "constexpr long spin() {\n"
                            "  long n = 0;\n"
                            "  for (long i = 0; i < 2000000000; ++i)\n"
                            "    for (long j = 0; j < 2000000000; ++j) n ^= i + j;\n"
                            "  return n;\n"
                            "}\n"
                            "static_assert(spin() == 0);\n";
  const std::string right = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";
  const std::vector<std::string> options{"--option=-fconstexpr-loop-limit=2147483647",
                                         "--option=-fconstexpr-ops-limit=9223372036854775807"};
  const std::string output = interrupt(
      {"compile", "--quick", options[0], options[1], right, endless}, "blocked.cpp: pass");
  EXPECT_THAT(output, HasSubstr("interrupted; go on with:\n  cd " + fs::current_path().string() +
                                " && " RKB_PROGRAM " compile --quick " + options[0] + " " +
                                options[1] + " " + endless + "\n"));
  expect_nothing_left();
}

// Whoever presses Ctrl-C twice does not want to wait, not even for a tidy end.
TEST_F(Interrupted, EndsAtOnceByASecondSignal) {
  LiveProgram program({RKB_PROGRAM, "evaluate", "--task", "mnist_linear", "--no-bench", "--seeds",
                       "1", "--scope", "listed", RKB_KERNELS "/mnist_linear/forward/blocked.cpp",
                       slow});
  program.wait_for("blocked.cpp: pass\n");
  program.signal(SIGINT);
  program.signal(SIGTERM);  // two of a kind that come together are one
  EXPECT_EQ(program.wait(), 128 + SIGTERM) << program.output();
}

}  // namespace
}  // namespace robust_kbench
