#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "built_program.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

std::string content_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The package of a task, and a right kernel of it.
const std::string imported_package = RKB_PACKAGE;
const std::string right_kernel = RKB_PACKAGE_KERNEL;

class ImportedTask : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return m_directory.path() / name;
  }

  // The same kernel, which forgets the last row.
  [[nodiscard]] std::string wrong_kernel() const {
    std::string text = content_of(right_kernel);
    text.replace(text.find("i < rows"), 8, "i < rows - 1");
    text.replace(text.find("torch::empty"), 12, "torch::zeros");
    const std::string path = file("wrong.cpp");
    std::ofstream(path) << text;
    return path;
  }

  // The same task, whose kernels are handed the tensors of their outputs.
  [[nodiscard]] std::string package_of_outputs() const {
    json package = json::parse(content_of(imported_package));
    package["out_arguments"] = true;
    const std::string path = file("outputs.task.json");
    std::ofstream(path) << package;
    return path;
  }

  // The right kernel as such a task wants it.
  [[nodiscard]] std::string writing_kernel() const {
    std::string text = content_of(right_kernel);
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("torch::Tensor forward", "void forward");
    replace("double least)", "double least, torch::Tensor y)");
    replace("torch::Tensor y = torch::empty({rows, columns}, x.options());", "");
    replace("return y;", "");
    const std::string path = file("writing.cpp");
    std::ofstream(path) << text;
    return path;
  }

  // Runs a command line as a person would paste it, in another directory.
  static CommandResult paste(const std::string& line) {
    return run_command({"/bin/sh", "-c", line}, std::chrono::minutes{2}, "/");
  }

  TemporaryDirectory m_directory{"imported_task"};
};

TEST_F(ImportedTask, IsEvaluatedByItsPackage) {
  const CommandResult result =
      rkb({"evaluate", "--task", imported_package, right_kernel, "--json", file("record.json")});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json record = json::parse(content_of(file("record.json")))["kernels"][0];
  EXPECT_EQ(record["task"], "small_linear");
  std::string cases;
  for (const json& one : record["cases"]) cases += one["name"].get<std::string>() + "\n";
  EXPECT_THAT(cases, HasSubstr("small/batch_4/seed_5\n"));
  EXPECT_THAT(cases, HasSubstr("drawn_3\n"));
  EXPECT_THAT(cases, HasSubstr("inputs_times_1000/"));
  EXPECT_THAT(cases, HasSubstr("sequence\n"));
  EXPECT_EQ(record["timings"].size(), 2U);
  EXPECT_THAT(record["timings"][0].dump(), HasSubstr("eager"));
}

TEST_F(ImportedTask, ReplaysAFailureFromAnyDirectory) {
  const CommandResult result =
      rkb({"evaluate", "--no-bench", "--task", imported_package, wrong_kernel()});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const std::size_t begin = result.output.find(std::string(RKB_PROGRAM) + " test --task ");
  ASSERT_NE(begin, std::string::npos) << result.output;
  const std::string line = result.output.substr(begin, result.output.find('\n', begin) - begin);
  const CommandResult replayed = paste(line);
  EXPECT_EQ(replayed.exit_code, 1) << line << "\n" << replayed.output;
  EXPECT_THAT(replayed.output, HasSubstr("wrong_result"));
}

TEST_F(ImportedTask, IsFoundByItsNameWhereImportsAre) {
  fs::create_directories(file("tasks"));
  fs::copy_file(imported_package, file("tasks/small_linear.task.json"));
  const std::string rkb_there = "ROBUST_KBENCH_TASKS=" + file("tasks") + " " + RKB_PROGRAM;
  const CommandResult all = paste(rkb_there + " list");
  EXPECT_EQ(all.exit_code, 0) << all.output;
  EXPECT_THAT(all.output, HasSubstr("small_linear.py"));
  // The command runs in /, from which paths are shown.
  EXPECT_THAT(all.output, HasSubstr(file("tasks/small_linear.task.json").substr(1)));
  const CommandResult one = paste(rkb_there + " list small_linear");
  EXPECT_THAT(one.output, HasSubstr("imported from small_linear.py (module) with torch 2.11.0"));
  EXPECT_THAT(one.output, HasSubstr("note: A note of the import."));
  EXPECT_THAT(one.output, HasSubstr("small/batch_5/seed_1"));
  const CommandResult listed = paste(rkb_there + " list --json " + file("list.json"));
  const json imported = json::parse(content_of(file("list.json")))["imported"];
  ASSERT_EQ(imported.size(), 1U);
  EXPECT_EQ(imported[0]["kind"], "module");
  EXPECT_THAT(rkb({"list", "small_linear"}).output, HasSubstr("does not exist"));
}

TEST_F(ImportedTask, IsTestedAndTimedOnShapesOfItsPackage) {
  const CommandResult result =
      rkb({"evaluate", "--task", imported_package, "--config", "batch=16", "--scope", "listed",
           right_kernel, "--json", file("record.json")});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json record = json::parse(content_of(file("record.json")))["kernels"][0];
  EXPECT_EQ(record["cases"].size(), 6U);
  EXPECT_EQ(record["cases"][0]["name"], "own_1/seed_1");
  ASSERT_EQ(record["timings"].size(), 1U);
  const CommandResult unknown =
      rkb({"test", "--task", imported_package, "--config", "batch=99", "--kernel", right_kernel});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("import it again with --config batch=99"));
}

TEST_F(ImportedTask, MayHandItsOutputsToTheKernel) {
  const std::string package = package_of_outputs();
  const CommandResult result =
      rkb({"evaluate", "--task", package, writing_kernel(), "--json", file("record.json")});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json record = json::parse(content_of(file("record.json")))["kernels"][0];
  EXPECT_EQ(record["timings"].size(), 2U);
  EXPECT_THAT(record["timings"][0].dump(), HasSubstr("eager"));
  const CommandResult returning = rkb({"test", "--task", package, "--kernel", right_kernel});
  EXPECT_EQ(returning.exit_code, 1);
  EXPECT_THAT(returning.output,
              HasSubstr("forward(x: tensor, w: tensor, least: float, y: tensor)"));
}

TEST_F(ImportedTask, WithOutArgumentsHasAKernelToStartFrom) {
  const std::string package = package_of_outputs();
  EXPECT_EQ(rkb({"new", package, file("mine.cpp")}).exit_code, 0);
  EXPECT_THAT(content_of(file("mine.cpp")), HasSubstr("//   y float32 (4, 2), to be written\n"));
  EXPECT_THAT(content_of(file("mine.cpp")),
              HasSubstr("void forward(torch::Tensor x,\n    torch::Tensor w,\n    double least,\n"
                        "    torch::Tensor y) {"));
  EXPECT_EQ(rkb({"new", package, "--direction", "backward", file("back.cpp")}).exit_code, 0);
  EXPECT_THAT(content_of(file("back.cpp")),
              HasSubstr("    torch::Tensor grad_x,\n    torch::Tensor grad_w) {"));
  const CommandResult compiled = rkb({"compile", file("mine.cpp"), file("back.cpp")});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
}

TEST_F(ImportedTask, HasAKernelToStartFrom) {
  for (const std::string name : {"mine.cpp", "mine.cu"}) {
    const CommandResult result = rkb({"new", imported_package, file(name)});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("evaluate --task " + imported_package));
    EXPECT_THAT(content_of(file(name)), HasSubstr("torch::Tensor forward(torch::Tensor x,\n"
                                                  "    torch::Tensor w,\n    double least)"));
  }
  const CommandResult compiled = rkb({"compile", file("mine.cpp")});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
}

TEST(OwnShapes, TakeThePlaceOfListedOnesAndAreReplayed) {
  const CommandResult named =
      rkb({"test", "--task", "mnist_pool", "--direction", "forward", "--config", "batch_sizes=2"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.output, HasSubstr("did you mean 'batch_size'?"));
  const CommandResult both = rkb({"test", "--task", "mnist_pool", "--direction", "forward",
                                  "--config", "batch_size=2", "--configs", "small"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.output, HasSubstr("leave one of the two out"));
  const CommandResult several = rkb({"test", "--config", "batch_size=2"});
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_THAT(several.output, HasSubstr("give --task and --direction"));
}

TEST_F(ImportedTask, IsEvolvedFromAKernel) {
  std::vector<std::string> evolve{"evolve", "--task",    imported_package, "--device",
                                  "cpu",    "--archive", file("runs")};
  for (const std::string& setting :
       {std::string("max_evaluations=1"), std::string("proposers=command"),
        R"(command=["cat",")" + wrong_kernel() + R"("])"}) {
    evolve.insert(evolve.end(), {"--set", setting});
  }
  const CommandResult none = rkb(evolve);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.output, HasSubstr("give --seed-kernel FILE"));
  std::vector<std::string> seeded = evolve;
  seeded.insert(seeded.end(), {"--seed-kernel", right_kernel});
  const CommandResult result = rkb(seeded);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("Evolves small_linear.forward on cpu"));
  EXPECT_THAT(result.output, HasSubstr("1 refused: wrong_result"));
  const CommandResult shown = rkb({"archive", "list", "--archive", file("runs")});
  EXPECT_THAT(shown.output, HasSubstr("small_linear.forward.cpu.1"));
}

}  // namespace
}  // namespace robust_kbench
