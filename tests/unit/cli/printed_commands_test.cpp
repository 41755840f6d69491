#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// Types a line into a shell that is somewhere else.
CommandResult pasted(const std::string& line) {
  return run_command({"/bin/sh", "-c", line}, std::chrono::minutes{2}, "/");
}

// The first line with `words`, from where the program's path begins.
std::string printed_command(const std::string& output, const std::string& words) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(words) == std::string::npos) continue;
    const std::size_t begin = line.find(RKB_PROGRAM);
    const std::size_t quoted = line.find('`', begin);
    if (begin != std::string::npos) return line.substr(begin, quoted - begin);
  }
  ADD_FAILURE() << "no command with '" << words << "' in:\n" << output;
  return "false";
}

class PrintedCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(m_place / "head ers"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(m_place / name) << text;
  }

  // The program, begun where the files are.
  [[nodiscard]] CommandResult rkb_here(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), RKB_PROGRAM);
    return run_command(arguments, std::chrono::minutes{2}, m_place);
  }

  // A kernel of several files, wrong in each element.
  void write_wrong_kernel() const {
    write("it is.cpp",
          "#include <torch/extension.h>\n"
          "#include \"amount.h\"\n"
          "float amount();\n"
          "torch::Tensor forward(torch::Tensor x, torch::Tensor w, torch::Tensor b) {\n"
          "  torch::Tensor y = torch::empty({x.size(0), w.size(0)}, x.options());\n"
          "  float* out = y.data_ptr<float>();\n"
          "  for (int64_t i = 0; i < y.numel(); ++i) out[i] = amount() + AMOUNT + MORE;\n"
          "  return y;\n"
          "}\n"
          "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
    write("further.cpp", "float amount() { return 1000; }\n");
    write("head ers/amount.h", "#define AMOUNT 200\n");
  }

  TemporaryDirectory m_directory{"printed commands"};
  const fs::path m_place = m_directory.path() / "my kernels";
};

TEST_F(PrintedCommand, ReplaysAFailureWithAllThatItsSourceNeeds) {
  write_wrong_kernel();
  const std::vector<std::string> kernel{
      "it is.cpp",    "--source",           m_place / "further.cpp",
      "--include",    m_place / "head ers", "--define",
      "MORE=30",      "--headers",          "shim",
      "--option=-O1", "--library=-lm"};
  std::vector<std::string> arguments{"evaluate",   "--task",  "mnist_linear",
                                     "--no-bench", "--seeds", "1"};
  arguments.insert(arguments.end(), kernel.begin(), kernel.end());
  const CommandResult first = rkb_here(arguments);
  ASSERT_EQ(first.exit_code, 1) << first.output;
  EXPECT_THAT(first.output, AllOf(HasSubstr("wrong_result"), HasSubstr(": got 1230, expected ")));

  const std::string replay = printed_command(first.output, " test --task ");
  const CommandResult again = pasted(replay);
  EXPECT_EQ(again.exit_code, 1) << replay << "\n" << again.output;
  EXPECT_THAT(again.output, AllOf(HasSubstr("wrong_result"), HasSubstr(": got 1230, expected "),
                                  HasSubstr("1 rejected")));
  // Another element is expected elsewhere: the replay asks the same.
  const auto example = [](const std::string& output) {
    const std::size_t begin = output.find("at index");
    return output.substr(begin, output.find('\n', begin) - begin);
  };
  EXPECT_EQ(example(again.output), example(first.output));
}

TEST_F(PrintedCommand, ReplaysACrash) {
  write("crashes.cpp",
        "#include <torch/extension.h>\n"
        "torch::Tensor forward(torch::Tensor x, torch::Tensor, torch::Tensor) {\n"
        "  *reinterpret_cast<volatile int*>(8) = 1;\n"
        "  return x;\n"
        "}\n"
        "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
  const CommandResult first =
      rkb_here({"evaluate", "--task", "mnist_linear", "--no-bench", "--seeds", "1", "crashes.cpp"});
  ASSERT_EQ(first.exit_code, 1) << first.output;
  const CommandResult again = pasted(printed_command(first.output, " test --task "));
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_THAT(again.output, AllOf(HasSubstr("crash"), HasSubstr("forward(")));
}

TEST_F(PrintedCommand, GivesTheManifestThatWasGiven) {
  const fs::path manifest = m_place / "the manifest.json";
  fs::copy_file(manifest_of_build(), manifest);
  const CommandResult made =
      rkb_here({"--manifest", "the manifest.json", "new", "mnist_linear", "mine.cpp"});
  ASSERT_EQ(made.exit_code, 0) << made.output;
  const std::string evaluate = printed_command(made.output, " evaluate ");
  EXPECT_THAT(evaluate, HasSubstr("--manifest '" + manifest.string() + "'"));
  const CommandResult result = pasted(evaluate + " --no-bench --seeds 1 --scope listed");
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

TEST_F(PrintedCommand, OfAHintRuns) {
  const CommandResult unknown = rkb_here({"test", "--task", "mnist_linear", "--direction",
                                          "forward", "--kernel", "blocked", "--case", "nothing"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("`" RKB_PROGRAM " list mnist_linear`"));
  EXPECT_EQ(pasted(printed_command(rkb_here({}).output, "--help")).exit_code, 0);
  const CommandResult setting = rkb_here({"evolve", "--task", "mnist_linear", "--set", "minuts=1"});
  EXPECT_EQ(pasted(printed_command(setting.output, "--schema")).exit_code, 0) << setting.output;
}

}  // namespace
}  // namespace robust_kbench
