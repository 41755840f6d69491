#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../archive/archive_directory.hpp"
#include "../archive/sample_archive.hpp"
#include "built_program.hpp"
#include "core/record.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// The program in a directory of its own, in which tests write files.
class CompareCommand : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = m_directory.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }
  std::string write_json(const std::string& name, const json& value) const {
    return write(name, value.dump());
  }
  // A record file of one kernel whose calls take `us`, beside eager mode or alone.
  [[nodiscard]] std::string write_record(const std::string& name, double us,
                                         bool alone = false) const {
    std::ifstream in(RKB_GOLDEN "/records.json");
    json file = json::parse(in);
    json kernel = file["kernels"][0];
    for (json& timing : kernel["timings"]) {
      if (alone) timing["subjects"] = json::array({timing["subjects"][0]});
      for (json& subject : timing["subjects"]) {
        const double time = subject["subject"] == "kernel" ? us : 100;
        subject["samples_us"] = json::array();
        for (int worker = 0; worker < 5; ++worker) {
          subject["samples_us"].push_back({time, time * 1.001, time * 0.999});
        }
      }
    }
    file["kernels"] = json::array({kernel});
    return write_json(name, file);
  }
  static CommandResult compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return rkb(std::move(arguments));
  }

  const TemporaryDirectory m_directory{"compare"};
};

TEST_F(CompareCommand, ExitsWith1WhereAKernelIsSlowerBeyondTheThreshold) {
  const std::string base = write_record("base.json", 50);
  const std::string slower = write_record("slower.json", 60);
  const CommandResult result = compare({base, slower});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("0.83x"), HasSubstr("slower than base, beyond 5 %")));
  EXPECT_EQ(compare({slower, base}).exit_code, 0);
  EXPECT_EQ(compare({base, slower, "--threshold", "30"}).exit_code, 0);

  const std::string file = m_directory.path() / "comparison.json";
  EXPECT_EQ(compare({base, slower, "--report", "markdown", "--json", file}).exit_code, 1);
  std::ifstream in(file);
  EXPECT_EQ(json::parse(in)["worse"], true);
}

TEST_F(CompareCommand, ReadsBenchmarkFilesOfBothKinds) {
  const auto repetitions = [](double us) {
    json benchmarks = json::array();
    for (int i = 0; i < 6; ++i) {
      benchmarks.push_back({{"name", "content/64"},
                            {"run_name", "content/64"},
                            {"run_type", "iteration"},
                            {"real_time", us * (1 + 0.001 * i)},
                            {"time_unit", "us"}});
    }
    benchmarks.push_back({{"name", "content/64_mean"}, {"run_type", "aggregate"}});
    return json{{"context", {{"host_name", "here"}, {"num_cpus", 2}}}, {"benchmarks", benchmarks}};
  };
  const std::string base = write_json("base.json", repetitions(10));
  EXPECT_EQ(compare({base, write_json("slower.json", repetitions(12))}).exit_code, 1);
  EXPECT_EQ(compare({base, write_json("same.json", repetitions(10))}).exit_code, 0);

  const auto runtime_cases = [](double us) {
    json timing;
    to_json(timing, TimingRecord{.subject = "fused", .samples_us = {5, {us, us * 1.001}}});
    return json{{"schema_version", 3},
                {"context", {{"host", "here"}, {"cpu", "EPYC"}, {"usable_cpus", 2}}},
                {"cases",
                 {{{"name", "norm.forward.fused.small/a"},
                   {"task", "norm"},
                   {"direction", "forward"},
                   {"config", "small/a"},
                   {"subject", "fused"},
                   {"timing", timing},
                   {"verdict", "pass"},
                   {"cheat_class", nullptr},
                   {"reason", ""}}}}};
  };
  EXPECT_EQ(
      compare({write_json("a.json", runtime_cases(10)), write_json("b.json", runtime_cases(12))})
          .exit_code,
      1);
}

TEST_F(CompareCommand, RefusesWhatItCannotCompare) {
  const std::string base = write_record("base.json", 50);
  const auto refused = [](const std::vector<std::string>& arguments, const char* message) {
    const CommandResult result = compare(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.output, HasSubstr(message));
  };
  refused({base}, "CONTENDER is required");
  refused({base, write_json("other.json", json{{"a", 1}})}, "kernels, benchmarks and cases");
  refused({base, write("broken.json", "{\"kernels\": [")}, "broken.json cannot be compared");
  refused({base, m_directory.path() / "missing.json"}, "missing.json cannot be read");
  std::ifstream in(base);
  json elsewhere = json::parse(in);
  elsewhere["kernels"][0]["machine"]["host"] = "elsewhere";
  refused({write_record("alone.json", 50, true), write_json("elsewhere.json", elsewhere)},
          "no times of");
  refused({base, base, "--kernel", "fused"}, "are for a race");
  refused({"HEAD", base}, "compare two files, or two git revisions");
}

class CompareArchives : public ArchiveDirectory {};

TEST_F(CompareArchives, TakesTheBestOfAnArchiveAndTheWinnerOfARun) {
  {
    Archive archive(place(), Archive::Mode::create);
    fill_sample(archive);
  }
  const CommandResult result =
      rkb({"compare", place().string(), place().string() + ":" + sample_run});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("not worse: 1 kernel compared"));
  EXPECT_THAT(rkb({"compare", place().string(), place().string() + ":nothing"}).output,
              HasSubstr("nothing"));
}

// A repository with one kernel. Its first revision forgets the biases.
class CompareRevisions : public CompareCommand {
 protected:
  void SetUp() override {
    git({"init", "--quiet"});
    commit("0");
    commit("biases.data_ptr<float>()[j]");
  }
  void commit(const std::string& first_term) const {
    write_kernel(first_term);
    git({"add", "."});
    git({"-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet",
         "--message", "Change the kernel"});
  }
  void git(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{"/usr/bin/env", "git", "-C", m_directory.path().string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_command(command, std::chrono::minutes{1});
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }
  // A linear layer, whose source includes all of it. So revisions differ in the header alone.
  void write_kernel(const std::string& first_term) const {
    (void)write("src/own.cpp", std::string("#include \"own.hpp\"\n"));
    (void)write("src/own.hpp", R"(#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = torch::empty({x.size(0), weights.size(0)}, x.options());
  auto in = x.accessor<float, 2>(), w = weights.accessor<float, 2>(), out = y.accessor<float, 2>();
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < weights.size(0); ++j) {
      out[i][j] = )" + first_term + R"(;
      for (int64_t k = 0; k < x.size(1); ++k) out[i][j] += in[i][k] * w[j][k];
    }
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)");
  }
  [[nodiscard]] CommandResult race(const std::vector<std::string>& revisions) const {
    std::vector<std::string> arguments = revisions;
    arguments.insert(arguments.end(),
                     {"--task", "mnist_linear", "--kernel", m_directory.path() / "src/own.cpp",
                      "--config", "batch_size=2,num_input_features=3,num_output_features=4",
                      "--scope", "listed", "--json", comparison()});
    return compare(arguments);
  }
  [[nodiscard]] std::string comparison() const { return m_directory.path() / "comparison.json"; }
  [[nodiscard]] json written() const {
    std::ifstream in(comparison());
    return json::parse(in);
  }
};

TEST_F(CompareRevisions, FindsAVerdictThatARevisionChanged) {
  const CommandResult better = race({"HEAD~1", "HEAD"});
  EXPECT_EQ(better.exit_code, 0) << better.output;
  EXPECT_EQ(written()["verdicts"][0]["base"], "wrong_result");
  EXPECT_EQ(written()["verdicts"][0]["worse"], false);
  const CommandResult worse = race({"HEAD", "HEAD~1"});
  EXPECT_EQ(worse.exit_code, 1) << worse.output;
  EXPECT_THAT(worse.output, HasSubstr("worse: "));
}

TEST_F(CompareRevisions, RacesAKernelOfTheWorkingTreeAgainstARevision) {
  write_kernel("0.0f + biases.data_ptr<float>()[j]");
  const CommandResult result = race({"HEAD", "--threshold", "1000"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("Both took turns in one run."));
  const json c = written()["kernels"][0]["cases"][0];
  EXPECT_EQ(c["basis"], "race");
  EXPECT_GT(c["base_us"], 0);
  EXPECT_GT(c["ci_high"], c["ci_low"]);
}

TEST_F(CompareRevisions, SaysWhatIsNoRevision) {
  const CommandResult result = race({"no_such_branch"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("no_such_branch is neither a file nor an archive"));
}

}  // namespace
}  // namespace robust_kbench
