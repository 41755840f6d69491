#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "device/cuda_driver.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kernel = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";

CommandResult cases(const std::string& filter) {
  return run_command({RKB_CASES_PROGRAM, "--gtest_filter=" + filter}, std::chrono::minutes{2});
}

json read_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

// Why no CUDA kernel can be compiled and run here; empty where one can.
std::string missing_cuda() {
  const json manifest = read_json(manifest_of_build());
  return manifest["toolchain"]["nvcc"] == "" ? "no nvcc" : cuda_facts().missing;
}

TEST(Rkb, HelpNamesEveryCommand) {
  const CommandResult result = rkb({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* command :
       {"doctor", "list", "test", "bench", "evaluate", "new", "profile", "report", "demo",
        "archive", "compile", "evolve", "tune", "verify", "tune-verifier", "help", "--version"}) {
    EXPECT_THAT(result.output, HasSubstr(command));
  }
}

TEST(Rkb, HelpOfACommandIsThatOfItsOption) {
  EXPECT_EQ(rkb({"help", "archive", "list"}).output, rkb({"archive", "list", "--help"}).output);
  EXPECT_EQ(rkb({"help"}).output, rkb({"--help"}).output);
  const CommandResult unknown = rkb({"help", "evalute"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("rkb: 'evalute' is unknown; did you mean 'evaluate'?"));
}

TEST(Rkb, SaysHowToBuildTheAgentWhereItIsMissing) {
  const TemporaryDirectory directory("alone");
  const std::filesystem::path alone = directory.path() / "rkb";
  std::filesystem::copy_file(RKB_PROGRAM, alone);
  const CommandResult result = run_command(
      {alone, "--manifest", manifest_of_build(), "help", "evolve"}, std::chrono::minutes{2});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, AllOf(HasSubstr("`rkb evolve` needs"),
                                   HasSubstr("rkb_agent, which is not built; build it: cmake")));
}

TEST(Rkb, TellsTheVersionsOfWhatAResultDependsOn) {
  const CommandResult result = rkb({"--version"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, testing::ContainsRegex(
                                 "^rkb [0-9]+\\.[0-9]+\\.[0-9]+(, commit .*)?\ntorch [0-9.]+ at "
                                 ".*\ncompiler .*[0-9]\\.[0-9].*\nCUDA "));
}

TEST(Rkb, NamesTheWordThatIsMostLikeAnUnknownOne) {
  const auto told = [](std::vector<std::string> arguments, const char* hint) {
    const CommandResult result = rkb(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, HasSubstr(std::string("did you mean '") + hint + "'?"));
  };
  told({"evalute", "--task", "mnist_linear"}, "evaluate");
  told({"archive", "lst"}, "list");
  told({"evaluate", "--tsak", "mnist_linear", kernel}, "--task");
  told({"evaluate", "--task", "rmsnorm", kernel}, "llama_rmsnorm");
  told({"test", "--task", "mnist_linear", "--kernel", "bloked"}, "blocked");
}

TEST(Rkb, ListOfATaskCountsTheCasesThatATestHas) {
  const TemporaryDirectory directory("rkb_test");
  const std::string record = directory.path() / "record.json";
  const CommandResult listed = rkb({"list", "mnist_cross_entropy"});
  EXPECT_EQ(listed.exit_code, 0) << listed.output;
  EXPECT_THAT(listed.output, AllOf(HasSubstr("case of backward"), HasSubstr("\nprobe.ties "),
                                   HasSubstr("/seed_1 "), testing::Not(HasSubstr("mnist_linear"))));
  const CommandResult tested =
      rkb({"test", "--task", "mnist_cross_entropy", "--direction", "forward", "--device", "cpu"});
  EXPECT_EQ(tested.exit_code, 0) << tested.output;
  std::smatch count;
  ASSERT_TRUE(std::regex_search(listed.output, count, std::regex("\nall +([0-9]+) ")));
  const std::string cases = count[1];
  EXPECT_THAT(tested.output, HasSubstr(cases + " of " + cases + " cases passed"));
  EXPECT_THAT(
      listed.output,
      testing::ContainsRegex("mnist_cross_entropy.forward.row_in_registers +cpu +full +" + cases));
}

TEST(Rkb, UsageErrorsExitWith2AndListWhatExists) {
  EXPECT_EQ(rkb({}).exit_code, 2);
  const CommandResult command = rkb({"frobnicate"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.output, HasSubstr("frobnicate"));
  EXPECT_EQ(rkb({"evaluate", "--task", "mnist_linear", "--fast", kernel}).exit_code, 2);

  const CommandResult task = rkb({"evaluate", "--task", "mnist_liner", kernel});
  EXPECT_EQ(task.exit_code, 2);
  EXPECT_THAT(task.output, AllOf(HasSubstr("mnist_liner"), HasSubstr("mnist_linear, ")));

  const CommandResult file = rkb({"evaluate", "--task", "mnist_linear", "/nowhere/kernel.cpp"});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.output, HasSubstr("/nowhere/kernel.cpp does not exist"));

  const CommandResult direction =
      rkb({"evaluate", "--task", "resnet_block", "--direction", "backward", kernel});
  EXPECT_EQ(direction.exit_code, 2);
  EXPECT_THAT(direction.output, HasSubstr("backward"));

  const CommandResult name = rkb({"test", "--task", "mnist_linear", "--kernel", "missing"});
  EXPECT_EQ(name.exit_code, 2);
  EXPECT_THAT(name.output, HasSubstr("mnist_linear.forward.blocked"));

  EXPECT_EQ(rkb({"--manifest", "/nowhere/manifest.json", "list"}).exit_code, 2);
  EXPECT_EQ(rkb({"--manifest", "/tmp", "list"}).exit_code, 2);
}

// These options would be dropped, mean nothing, or become a verdict on the kernel.
TEST(Rkb, RefusesOptionsThatItWouldIgnore) {
  const std::vector<std::string> blocked{"--task",  "mnist_linear", "--direction",
                                         "forward", "--kernel",     "blocked"};
  const auto refused = [&](std::vector<std::string> arguments, const char* message) {
    const CommandResult result = rkb(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.output, HasSubstr(message));
  };
  const auto with_blocked = [&](const char* command, std::vector<std::string> more) {
    more.insert(more.begin(), blocked.begin(), blocked.end());
    more.insert(more.begin(), command);
    return more;
  };
  refused(with_blocked("test", {"--case", "sequence", "--nonce", "0"}), "above 0");
  refused(with_blocked("test", {"--case", "sequence", "--nonce", "-1"}), "above 0");
  refused(with_blocked("test", {"--case", "small/x/seed_1", "--configs", "small"}), "--configs");
  refused({"test", "--case", "small/x/seed_1"}, "give --task and --direction");
  refused({"test", "--kernel", kernel}, "give --task");
  refused(with_blocked("test", {"--device", "cuda"}), "--device cuda");
  refused(with_blocked("bench", {"--estimators", "events"}), "--estimators");
  refused({"compile", "--task", "mnist_linear", kernel}, "--task");
  refused({"list", "--ctest", "tests.cmake", "--json", "-"}, "--ctest");
  const std::vector<std::string> evaluate{"evaluate", "--task", "mnist_linear", kernel};
  const auto with_evaluate = [&](std::vector<std::string> more) {
    more.insert(more.begin(), evaluate.begin(), evaluate.end());
    return more;
  };
  refused(with_evaluate({"--call-timeout", "nan"}), "nan");
  refused(with_evaluate({"--against", "nobody"}), "in the build (blocked)");
  refused(with_evaluate({"--against", "nobody.cpp"}), "nobody.cpp");
  refused(with_evaluate({"--against", RKB_KERNELS "/mnist_linear/forward/warp_dot.cu"}),
          "only kernels of one device can race");
  refused(with_evaluate({"--fail-if", "slow"}), "slower:PERCENT");
  refused(with_evaluate({"--no-bench", "--fail-if", "slower"}), "leave out --no-bench");
  refused(with_evaluate({"--judge", "replay"}), "--judge replay is for CUDA kernels");
  refused(with_evaluate({"--require-replay", "--no-bench"}), "leave out --no-bench");
  refused(with_evaluate({"--library", "missing.so"}), "missing.so");
  refused(with_evaluate({"--include", "missing"}), "missing");
  refused(with_evaluate({"--source", "/etc/passwd"}), "/etc/passwd");
}

TEST(Rkb, RefusesResultsThatCannotBeWrittenBeforeItStarts) {
  const CommandResult result =
      rkb({"test", "--task", "mnist_linear", "--direction", "forward", "--json", "/tmp"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, AllOf(HasSubstr("/tmp cannot be written"),
                                   testing::Not(HasSubstr("mnist_linear.forward"))));
}

// A manifest of this build, changed.
class OfAnotherManifest : public testing::Test {
 protected:
  void SetUp() override { m_manifest = read_json(manifest_of_build()); }

  // The one entry of a list that has all of these values.
  json& the(const char* list, const json& wanted) {
    for (json& entry : m_manifest[list]) {
      json merged = entry;
      merged.update(wanted);
      if (merged == entry) return entry;
    }
    throw std::runtime_error(wanted.dump() + " is not in the manifest");
  }

  json& blocked() {
    return the("kernels",
               {{"task", "mnist_linear"}, {"direction", "forward"}, {"name", "blocked"}});
  }

  CommandResult run(std::vector<std::string> arguments) {
    const std::string path = m_directory.path() / "manifest.json";
    std::ofstream(path) << m_manifest;
    arguments.insert(arguments.begin(), {"--manifest", path});
    return rkb(std::move(arguments));
  }

  // Has mnist_linear read these forward configs.
  void use_configs(const char* configs) {
    the("tasks", {{"name", "mnist_linear"}})["directory"] = m_directory.path();
    std::ofstream(m_directory.path() / "config_forward.json") << configs;
  }

  TemporaryDirectory m_directory{"rkb_test"};
  json m_manifest;
};

TEST_F(OfAnotherManifest, RefusesToTestNothing) {
  use_configs(
      R"({"multi_init_configs": [{}], "multi_input_configs": [{}], "multi_shared_configs": [{}],
          "small_init_configs": [{}], "small_input_configs": [{}]})");
  const CommandResult result =
      run({"evaluate", "--task", "mnist_linear", "--no-bench", RKB_EXPLOITS "/aborts.cpp"});
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("config_forward.json has none of the wanted configs"),
                                   HasSubstr("small_shared_configs")));
}

TEST_F(OfAnotherManifest, ListRefusesAConfigWithAKeyThatTheTaskLacks) {
  use_configs(R"({"multi_init_configs": [{}], "multi_input_configs": [{"batchsize": 3}],
                  "multi_shared_configs": [{}]})");
  const CommandResult result = run({"list", "--json", m_directory.path() / "suite.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output,
              HasSubstr("config_forward.json: key 'batchsize' is no parameter of the "
                        "task; did you mean 'batch_size'?"));
}

TEST_F(OfAnotherManifest, FindsAKernelWhoseNameHasADot) {
  blocked()["name"] = "blocked.v2";
  EXPECT_EQ(run({"test", "--task", "mnist_linear", "--direction", "forward", "--kernel",
                 "blocked.v2", "--seeds", "1", "--scope", "listed"})
                .exit_code,
            0);
}

TEST_F(OfAnotherManifest, RefusesADamagedBuildBeforeItTestsAnything) {
  const std::string damaged = m_directory.path() / "damaged.json";
  std::ofstream(damaged) << "{";
  json second = blocked();
  second["name"] = "zeroth";
  second["record"] = damaged;
  m_manifest["kernels"].push_back(second);
  const CommandResult result =
      run({"test", "--task", "mnist_linear", "--direction", "forward", "--seeds", "1"});
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr(damaged + " is damaged"), testing::Not(HasSubstr("blocked: pass"))));
}

TEST_F(OfAnotherManifest, SaysThatNoCompilerTakesCudaKernels) {
  m_manifest["toolchain"]["nvcc"] = "";
  const std::string reason = "no nvcc when this build was configured";
  EXPECT_THAT(run({"doctor"}).output, HasSubstr(reason));
  const CommandResult built =
      run({"test", "--task", "mnist_linear", "--direction", "forward", "--kernel", "warp_dot"});
  EXPECT_EQ(built.exit_code, 77) << built.output;
  EXPECT_THAT(built.output, HasSubstr(reason));
  const CommandResult file = run({"evaluate", "--task", "mnist_linear", "--no-bench",
                                  RKB_KERNELS "/mnist_linear/forward/warp_dot.cu"});
  EXPECT_EQ(file.exit_code, 77) << file.output;
  EXPECT_THAT(file.output, HasSubstr(reason));
}

TEST(Rkb, DoctorTellsWhatIsHere) {
  const CommandResult result = rkb({"doctor"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("CPU"), HasSubstr("GPU"), HasSubstr("torch"), HasSubstr("C++ compiler"),
            HasSubstr("environment: by named variables"), HasSubstr("kernels")));
}

TEST(Rkb, ListsAtLeast700CpuTestsWithNamesSafeInAFilter) {
  const TemporaryDirectory directory("rkb_test");
  const CommandResult result = rkb({"list", "--json", directory.path() / "list.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const json list = read_json(directory.path() / "list.json");
  EXPECT_EQ(list["tasks"].size(), 11);
  for (const json& task : list["tasks"]) EXPECT_FALSE(task["shapes"].empty()) << task["name"];
  std::size_t cpu_tests = 0;
  for (const json& test : list["tests"]) {
    const std::string name = test["name"];
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_./"),
              std::string::npos)
        << name;
    cpu_tests += test["labels"][1] == "cpu";
  }
  EXPECT_GE(cpu_tests, 700);
}

TEST(Rkb, EvaluateWritesARecordOfALooseFile) {
  const TemporaryDirectory directory("rkb_test");
  const std::string record = directory.path() / "record.json";
  const CommandResult result =
      rkb({"evaluate", "--task", "mnist_linear", "--no-bench", "--json", record, kernel});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json file = read_json(record);
  EXPECT_EQ(file["schema_version"], 3);
  const json& first = file["kernels"][0];
  EXPECT_EQ(first["task"], "mnist_linear");
  EXPECT_EQ(first["direction"], "forward");
  EXPECT_EQ(first["device"], "cpu");
  EXPECT_EQ(first["headers"], "shim");
  EXPECT_EQ(first["verdict"], "pass");
  EXPECT_TRUE(first["cheat_class"].is_null());
  EXPECT_GE(first["cases"].size(), 36);
  EXPECT_TRUE(first["timings"].empty());
  EXPECT_GT(first["compile_seconds"], 0);
}

// Returns the record of evaluating one source file alone, untimed.
json evaluated(const std::string& task, const std::string& source,
               std::vector<std::string> options = {}) {
  const TemporaryDirectory directory("rkb_test");
  const std::string record = directory.path() / "record.json";
  options.insert(options.begin(),
                 {"evaluate", "--task", task, "--no-bench", "--json", record, source});
  const CommandResult result = rkb(options);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  json first = read_json(record)["kernels"][0];
  if (const int left = first["cases_not_called"]; left > 0) {
    EXPECT_THAT(result.output, HasSubstr(", " + std::to_string(left) + " not called"));
  }
  return first;
}

const std::string zeros = RKB_EXPLOITS "/returns_zeros.cpp";

TEST(Rkb, EvaluateTestsOneCaseAndTimesNothing) {
  const TemporaryDirectory directory("rkb_test");
  const std::string record = directory.path() / "record.json";
  const CommandResult result =
      rkb({"evaluate", "--task", "mnist_linear", "--case", "probe.constant_rows", "--nonce", "7",
           "--json", record, kernel});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json tested = read_json(record)["kernels"][0];
  EXPECT_EQ(tested["cases"].size(), 2);
  EXPECT_TRUE(tested["timings"].empty());
}

TEST(Rkb, EvaluateRejectsWithExitCode1AndTellsHowToReplay) {
  const json record = evaluated("mnist_linear", zeros);
  ASSERT_EQ(record["verdict"], "wrong_result");
  EXPECT_THAT(record["cases"][0]["reason"].get<std::string>(),
              AllOf(HasSubstr("Mismatched elements"),
                    HasSubstr("rkb test --task mnist_linear --direction forward --kernel " + zeros +
                              " --case ")));
}

// A linear layer that computes the shapes of OfTwoShapes and no others.
const char* const listed_shapes_only = R"(#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x, torch::Tensor w, torch::Tensor b) {
  const int64_t in = w.size(1), out = w.size(0);
  const int64_t listed[][3] = {{1, 5, 3}, {3, 17, 10}};
  bool known = false;
  for (const auto& shape : listed) {
    known = known || (x.size(0) == shape[0] && in == shape[1] && out == shape[2]);
  }
  OTHERWISE
  torch::Tensor y = torch::empty({x.size(0), out}, x.options());
  const float *from = x.data_ptr<float>(), *weight = w.data_ptr<float>();
  for (int64_t i = 0; i < x.size(0); ++i) {
    for (int64_t o = 0; o < out; ++o) {
      double sum = b.data_ptr<float>()[o];
      for (int64_t k = 0; k < in; ++k) sum += double(from[i * in + k]) * weight[o * in + k];
      y.data_ptr<float>()[i * out + o] = known ? sum : 0;
    }
  }
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, ""); }
)";

class OfTwoShapes : public OfAnotherManifest {
 protected:
  void SetUp() override {
    OfAnotherManifest::SetUp();
    use_configs(
        R"({"small_init_configs": [{}], "small_input_configs": [{}],
            "small_shared_configs": [
              {"batch_size": 1, "num_input_features": 5, "num_output_features": 3},
              {"batch_size": 3, "num_input_features": 17, "num_output_features": 10}]})");
  }

  // Tests that kernel, which does `otherwise` in other shapes.
  CommandResult test(const std::string& otherwise, std::vector<std::string> options) {
    std::string source = listed_shapes_only;
    source.replace(source.find("OTHERWISE"), std::string("OTHERWISE").size(), otherwise);
    const std::string path = m_directory.path() / "listed_shapes.cpp";
    std::ofstream(path) << source;
    options.insert(options.begin(),
                   {"test", "--task", "mnist_linear", "--direction", "forward", "--seeds", "1",
                    "--kernel", path, "--json", m_directory.path() / "record.json"});
    return run(options);
  }

  json record() { return read_json(m_directory.path() / "record.json")["kernels"][0]; }
};

TEST_F(OfTwoShapes, TestRejectsAKernelThatFitsThemAlone) {
  const CommandResult result = test("", {});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("right on all 2 listed cases; wrong on drawn config drawn_"),
                    HasSubstr("--scope listed leaves out")));
  const CommandResult listed = test("", {"--scope", "listed"});
  EXPECT_EQ(listed.exit_code, 0) << listed.output;
  EXPECT_EQ(record()["scope"], "listed");
}

TEST_F(OfTwoShapes, TestShowsTheShapesThatAKernelRefuses) {
  const std::string refuses = "TORCH_CHECK(known, \"only the listed shapes\");";
  const CommandResult result = test(refuses, {"--nonce", "0x2a", "--case", "sequence"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const CommandResult all = test(refuses, {});
  EXPECT_EQ(all.exit_code, 0) << all.output;
  EXPECT_THAT(all.output, AllOf(HasSubstr("refused:\ndrawn config drawn_1: "),
                                testing::ContainsRegex(", [0-9]+ refused")));
  const json cases = record()["cases"];
  EXPECT_EQ(cases[2]["name"], "drawn_1");
  EXPECT_EQ(cases[2]["refused"], true);
  EXPECT_EQ(test(refuses, {"--require-shapes"}).exit_code, 1);
}

TEST(Rkb, TestReplaysADrawnConfigByItsNonce) {
  const TemporaryDirectory directory("rkb_test");
  const auto asked = [&](const char* nonce) {
    const std::string record = directory.path() / "record.json";
    const CommandResult result =
        rkb({"test", "--task", "mnist_linear", "--direction", "forward", "--kernel", "blocked",
             "--case", "drawn_2", "--nonce", nonce, "--json", record});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return read_json(record)["kernels"][0]["cases"][0]["asks"].get<std::string>();
  };
  EXPECT_THAT(asked("7"), HasSubstr("drawn config drawn_2: batch_size "));
  EXPECT_EQ(asked("7"), asked("0x7"));
  EXPECT_NE(asked("7"), asked("8"));
}

TEST(Rkb, EvaluateCallsThreeCasesOfAKernelThatIsWrongInAll) {
  const json record = evaluated("mnist_linear", zeros);
  EXPECT_EQ(record["cases"].size(), 3);
  const json all = evaluated("mnist_linear", zeros, {"--all-cases"});
  EXPECT_EQ(all["cases_not_called"], 0);
  EXPECT_EQ(all["cases"].size(), 3 + record["cases_not_called"].get<std::size_t>());
  EXPECT_EQ(all["cases"].back()["name"], "sequence");
}

TEST(Rkb, EvaluateCallsThreeCasesOfACudaKernelThatIsWrongInAll) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  for (const char* wrong : {"/layernorm/rounds_to_half.cu", "/layernorm/never_writes.cu"}) {
    const json record = evaluated("layernorm", std::string(RKB_EXPLOITS) + wrong);
    EXPECT_EQ(record["verdict"], "wrong_result") << record["reason"];
    EXPECT_EQ(record["cases"].size(), 3);
    EXPECT_GE(record["cases_not_called"], 38);
  }
}

// Small configs take another path of this kernel.
TEST(Rkb, EvaluateFindsARaceOnLongRowsOnly) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  if (find_tool("compute-sanitizer", {}).path.empty()) {
    GTEST_SKIP() << "there is no compute-sanitizer";
  }
  const json record = evaluated("layernorm", RKB_EXPLOITS "/layernorm/races_on_long_rows.cu");
  EXPECT_EQ(record["verdict"], "unsafe") << record["reason"];
  EXPECT_THAT(record["cases"].back()["name"].get<std::string>(), HasSubstr("sanitize/racecheck/"));
  EXPECT_EQ(record["cases"].back()["verdict"], "unsafe");
}

// Kernels that are evaluated together, tested and timed on one small config.
class EvaluateTogether : public OfAnotherManifest {
 protected:
  void SetUp() override {
    OfAnotherManifest::SetUp();
    use_configs(
        R"({"small_init_configs": [{"init_method": "xavier"}],
            "small_input_configs": [{"batch_size": 65}],
            "small_shared_configs": [{"num_input_features": 257, "num_output_features": 67}]})");
  }

  // Their verdicts, in their order.
  std::vector<std::string> verdicts_of(const std::vector<std::string>& kernels, int exit_code = 1) {
    const std::string record = m_directory.path() / "record.json";
    std::vector<std::string> arguments{"evaluate", "--task", "mnist_linear", "--configs", "small",
                                       "--scope",  "listed", "--json",       record};
    arguments.insert(arguments.end(), kernels.begin(), kernels.end());
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    std::vector<std::string> verdicts;
    const json records = read_json(record);
    for (const json& evaluated : records["kernels"]) {
      verdicts.push_back(evaluated["verdict"]);
      EXPECT_EQ(verdicts.back() == "pass", !evaluated["timings"].empty()) << result.output;
    }
    return verdicts;
  }
};

TEST_F(EvaluateTogether, BenchTimesASourceFileOfTheForwardDirection) {
  const std::string record = m_directory.path() / "record.json";
  const CommandResult result = run({"bench", "--task", "mnist_linear", "--kernel", kernel,
                                    "--scope", "listed", "--json", record});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json timed = read_json(record)["kernels"][0];
  EXPECT_EQ(timed["direction"], "forward");
  EXPECT_EQ(timed["timings"].size(), 1);
}

// The subjects of the one config that was timed.
std::vector<std::string> raced_subjects(const json& record) {
  std::vector<std::string> names;
  for (const json& subject : record["timings"][0]["subjects"]) {
    names.push_back(subject["subject"]);
    EXPECT_FALSE(subject["samples_us"].empty()) << names.back();
  }
  return names;
}

TEST_F(EvaluateTogether, RacesAKernelAgainstOthersOfTheBuildAndOfFiles) {
  const std::string record = m_directory.path() / "record.json";
  const std::string plain = RKB_TASKS "/mnist_linear/forward.cpp";
  const CommandResult result =
      run({"evaluate", "--task", "mnist_linear", "--configs", "small", "--scope", "listed",
           "--against", "blocked," + plain + "," + zeros, "--json", record, kernel});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("no race against " + zeros + ": wrong_result"),
                                   HasSubstr("mnist_linear.forward.blocked: "),
                                   testing::ContainsRegex("(than|as|from) blocked, [0-9.]+x")));
  const json raced = read_json(record)["kernels"][0];
  EXPECT_THAT(raced_subjects(raced), ElementsAre("kernel", plain, "blocked", "eager"));
  ASSERT_EQ(raced["mean_speedups"].size(), 3);
  EXPECT_EQ(raced["mean_speedups"][0]["against"], plain);
  EXPECT_EQ(raced["rivals"][0]["verdict"], "pass");
  EXPECT_EQ(raced["rivals"][2]["name"], zeros);
  EXPECT_EQ(raced["rivals"][2]["verdict"], "wrong_result");
}

TEST_F(EvaluateTogether, BenchRacesAKernelOfTheBuildAgainstAFile) {
  const std::string record = m_directory.path() / "record.json";
  const std::string plain = RKB_TASKS "/mnist_linear/forward.cpp";
  const CommandResult result =
      run({"bench", "--task", "mnist_linear", "--direction", "forward", "--kernel", "blocked",
           "--scope", "listed", "--against", "eager," + plain, "--json", record});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(raced_subjects(read_json(record)["kernels"][0]),
              ElementsAre("kernel", plain, "eager"));
}

TEST_F(EvaluateTogether, FailIfNeedsARivalThatPasses) {
  const CommandResult result =
      run({"evaluate", "--task", "mnist_linear", "--configs", "small", "--scope", "listed",
           "--against", zeros, "--fail-if", "slower:50", kernel});
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_THAT(result.output, HasSubstr("blocked was not timed against " + zeros));
}

TEST_F(EvaluateTogether, NoKernelChangesAnothersVerdict) {
  EXPECT_THAT(
      verdicts_of({RKB_EXPLOITS "/aborts.cpp", kernel, RKB_EXPLOITS "/returns_zeros.cpp",
                   RKB_EXPLOITS "/leaves_a_daemon.cpp", RKB_EXPLOITS "/writes_to_null.cpp"}),
      ElementsAre("crash", "pass", "wrong_result", "cheat", "crash"));
}

// Memory that a call takes is taken by each of a timed batch's many calls.
TEST_F(EvaluateTogether, TimesKernelsWithMemoryOfTheirOwnAndWithMuch) {
  EXPECT_THAT(
      verdicts_of({RKB_HONEST "/uses_its_own_memory.cpp", RKB_HONEST "/big_temporary.cpp"}, 0),
      ElementsAre("pass", "pass"));
}

// A kernel whose calls are right and slow, and that deceives while it is timed.
TEST_F(EvaluateTogether, RejectsAKernelThatAnswersBeforeItIsDone) {
  EXPECT_THAT(verdicts_of({RKB_EXPLOITS "/timed/answers_before_it_is_done.cpp"}),
              ElementsAre("cheat"));
}

// Its sum of all times is true, and each output is right when the batch has ended.
TEST_F(EvaluateTogether, RejectsAKernelThatPutsCallsOff) {
  EXPECT_THAT(verdicts_of({RKB_EXPLOITS "/timed/puts_calls_off.cpp"}), ElementsAre("cheat"));
}

TEST_F(EvaluateTogether, NoCudaKernelChangesAnothersVerdict) {
  if (const std::string missing = missing_cuda(); !missing.empty()) GTEST_SKIP() << missing;
  EXPECT_THAT(
      verdicts_of(
          {RKB_EXPLOITS "/cuda/writes_to_null.cu", RKB_KERNELS "/mnist_linear/forward/warp_dot.cu",
           RKB_EXPLOITS "/cuda/allocates_with_cuda_malloc_without_end.cu",
           RKB_EXPLOITS "/cuda/keeps_all_memory.cu", RKB_EXPLOITS "/cuda/never_returns.cu"}),
      ElementsAre("crash", "pass", "out_of_memory", "out_of_memory", "timeout"));
}

// Torch settles whether it has CUDA at the first backward, which is that of the CPU kernel.
TEST(Rkb, TestsCudaKernelsAfterCpuKernels) {
  if (const std::string missing = missing_cuda(); !missing.empty()) GTEST_SKIP() << missing;
  const TemporaryDirectory directory("rkb_test");
  const std::string record = directory.path() / "record.json";
  const CommandResult result = rkb({"test", "--task", "mnist_linear", "--direction", "backward",
                                    "--configs", "small", "--seeds", "1", "--json", record});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  std::vector<std::string> devices;
  const json records = read_json(record);
  for (const json& tested : records["kernels"]) {
    EXPECT_EQ(tested["verdict"], "pass") << tested["reason"];
    devices.push_back(tested["device"]);
  }
  EXPECT_THAT(devices, ElementsAre("cpu", "cuda"));
}

TEST(Rkb, ProfileNamesEachToolAndWhyItIsMissing) {
  const TemporaryDirectory directory("rkb_test");
  const std::string file = directory.path() / "profile.json";
  const CommandResult result = rkb({"profile", "--task", "mnist_linear", "--direction", "forward",
                                    "--kernel", kernel, "--tools", "ptxas,ncu", "--json", file});
  EXPECT_EQ(result.exit_code, 77) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("ptxas, ncu: missing, for CUDA kernels only"),
                                   HasSubstr("no tool for it ran here")));
  const json record = read_json(file)["kernels"][0];
  EXPECT_EQ(record["verdict"], "skipped");
  EXPECT_EQ(record["profile"]["tools"].size(), 2);
  EXPECT_TRUE(record["profile"]["advice"].empty());
}

TEST(Rkb, ProfileComparesACallOnTheCpuWithWhatTheCpusReach) {
  const TemporaryDirectory directory("rkb_test");
  const std::string file = directory.path() / "profile.json";
  const CommandResult result =
      rkb({"profile", "--task", "mnist_linear", "--direction", "forward", "--kernel", kernel,
           "--tools", "vectorizer,roofline", "--json", file});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  for (const json& record : read_json(file)["kernels"]) {
    EXPECT_EQ(record["verdict"], "pass") << record["reason"];
    std::map<std::string, double> measured;
    for (const json& finding : record["profile"]["findings"]) {
      if (finding["tool"] == "roofline") measured[finding["what"]] = finding["value"];
    }
    for (const char* what : {"call_time", "memory_time", "arithmetic_time", "copy_rate"}) {
      EXPECT_GT(measured[what], 0) << what;
    }
  }
}

TEST(Rkb, ProfileTracesExactlyTheKernelsOwnWork) {
  if (const std::string missing = missing_cuda(); !missing.empty()) GTEST_SKIP() << missing;
  const TemporaryDirectory directory("rkb_test");
  const std::string file = directory.path() / "profile.json";
  const CommandResult result =
      rkb({"profile", "--task", "mnist_linear", "--direction", "forward", "--kernel",
           RKB_KERNELS "/mnist_linear/forward/warp_dot.cu", "--tools", "cupti", "--json", file});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json record = read_json(file)["kernels"][0];
  EXPECT_EQ(record["verdict"], "pass") << result.output;
  std::vector<std::string> whats;
  for (const json& finding : record["profile"]["findings"]) whats.push_back(finding["what"]);
  ASSERT_THAT(whats, ElementsAre("span", "idle", "launches", "duration")) << result.output;
  EXPECT_THAT(record["profile"]["findings"][2]["kernel"], HasSubstr("dot_kernel"));
  EXPECT_EQ(record["profile"]["findings"][2]["value"], 1);
  EXPECT_GT(record["profile"]["findings"][3]["value"], 0);
}

TEST(Rkb, ProfileRefusesACaseThatDoesNotExistAndAnUnknownTool) {
  const CommandResult missing = rkb({"profile", "--task", "mnist_linear", "--direction", "forward",
                                     "--kernel", kernel, "--case", "small/x/seed_1"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.output, HasSubstr("small/x/seed_1"));
  EXPECT_EQ(rkb({"profile", "--kernel", kernel, "--tools", "nvprof"}).exit_code, 2);
}

TEST(Rkb, ReportPrintsStoredRecords) {
  const TemporaryDirectory directory("rkb_test");
  const std::string junit = directory.path() / "junit.xml";
  const CommandResult result =
      rkb({"report", RKB_GOLDEN "/records.json", "--report", "markdown", "--junit", junit});
  EXPECT_EQ(result.exit_code, 3) << "one of them is of a kernel that the harness failed at";
  EXPECT_THAT(result.output, HasSubstr("| layernorm | forward | fused | pass |"));
  std::ifstream in(junit);
  const std::string xml{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"layernorm.forward.fused\""));
}

TEST(Rkb, ReportRefusesOtherFilesThanRecords) {
  const CommandResult result = rkb({"report", kernel});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, AllOf(HasSubstr(kernel), HasSubstr("malformed")));
  const TemporaryDirectory directory("rkb_test");
  const std::string empty = directory.path() / "empty";
  std::filesystem::create_directory(empty);
  const std::string other = directory.path() / "other.json";
  std::ofstream(other) << R"({"schema_version": "new"})";
  for (const std::string& name :
       {std::string("/nowhere.json"), std::string("/nowhere*.json"), empty,
        std::string(RKB_PROGRAM), other, std::string("/dev/null")}) {
    const CommandResult refused = rkb({"report", name});
    EXPECT_EQ(refused.exit_code, 2) << refused.output;
    EXPECT_THAT(refused.output, AllOf(HasSubstr(name), HasSubstr("--json has written")));
  }
}

TEST(Rkb, ReportReadsDirectoriesAndGlobsOfRecords) {
  const TemporaryDirectory directory("rkb_test");
  std::filesystem::create_directory(directory.path() / "below");
  for (const char* name : {"a.json", "below/b.json", "below/c.txt"}) {
    std::filesystem::copy_file(RKB_GOLDEN "/records.json", directory.path() / name);
  }
  const std::string all = directory.path();
  EXPECT_THAT(rkb({"report", all}).output, HasSubstr("\n14 kernels: "));
  EXPECT_THAT(rkb({"report", all + "/*.json"}).output, HasSubstr("\n7 kernels: "));
  EXPECT_THAT(rkb({"report", all + "/b*"}).output, HasSubstr("\n7 kernels: "));
}

TEST(RkbCases, ADrawnTestPrintsTheNonceThatReplaysIt) {
  const CommandResult result = cases("mnist_pool.forward.row_pairs.drawn_1");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("drawn config drawn_1: batch_size "),
                                   HasSubstr("--kernel row_pairs --case drawn_1 --nonce 0x")));
}

TEST(RkbCases, RunsExactlyOneTest) {
  EXPECT_EQ(cases("mnist_pool.forward.row_pairs.drawn_1").exit_code, 0);
  EXPECT_EQ(cases("mnist_pool.forward.*").exit_code, 3);
  EXPECT_EQ(cases("no_such_test").exit_code, 3);
  EXPECT_EQ(run_command({RKB_CASES_PROGRAM, "--help"}, std::chrono::minutes{1}).exit_code, 0);
}

}  // namespace
}  // namespace robust_kbench
