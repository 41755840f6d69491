#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// What a person sees of a kernel that fails, and of what it prints.
namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class FailureText : public testing::Test {
 protected:
  // The output of evaluating mnist_linear's forward with these functions above it, and `body` in
  // place of its first statement. It is right but for what that does.
  CommandResult evaluated(const std::string& functions, const std::string& body,
                          std::vector<std::string> options = {}) {
    std::ofstream(m_source) << "#include <torch/extension.h>\n"
                            << functions
                            << "torch::Tensor forward(torch::Tensor x, torch::Tensor w, "
                               "torch::Tensor b) {\n"
                            << body
                            << "\n  return at::linear(x, w, b);\n}\n"
                               "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", "
                               "&forward); }\n";
    options.insert(options.begin(), {"evaluate", "--task", "mnist_linear", "--no-bench", "--seeds",
                                     "1", "--scope", "listed", "--json", m_record, m_source});
    return rkb(options);
  }

  [[nodiscard]] json record() const {
    std::ifstream in(m_record);
    return json::parse(in)["kernels"][0];
  }

  TemporaryDirectory m_directory{"failure_text"};
  const std::string m_source = m_directory.path() / "mine.cpp";
  const std::string m_record = m_directory.path() / "record.json";
};

// A name of the function for the linker alone, as a template or a static function has.
constexpr const char* faulting_function =
    "#include <cstdio>\n"
    "namespace {\n"
    "__attribute__((noinline)) void store(int* place) {\n"
    "  *const_cast<volatile int*>(place) = 1;\n"
    "}\n"
    "}\n";

TEST_F(FailureText, OfACrashNamesFunctionAndLineAndEndsWithTheReplay) {
  const CommandResult result = evaluated(faulting_function, "  store(nullptr);", {"--option=-g"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("killed by SIGSEGV in the middle of a call\n"
                      "  fault at address 0x0 in\n"
                      "    (anonymous namespace)::store(int*) at mine.cpp:5\n"
                      "    forward("),
            HasSubstr(" at mine.cpp:9\n"),
            ContainsRegex("called by [0-9]+ frames of the harness\n"),
            HasSubstr("\n  " RKB_PROGRAM " test --task mnist_linear"), Not(HasSubstr(".so+0x"))));
}

TEST_F(FailureText, OfACrashNamesFunctionsWithoutDebuggingInformation) {
  const CommandResult result = evaluated(faulting_function, "  store(nullptr);");
  EXPECT_THAT(result.output, AllOf(HasSubstr("    (anonymous namespace)::store(int*)\n"
                                             "    forward("),
                                   Not(HasSubstr(".so+0x"))));
}

TEST_F(FailureText, NamesSymbolAndLineOfWhatIsRefused) {
  const CommandResult result =
      evaluated("#include <ctime>\n", "  TORCH_CHECK(std::time(nullptr) != 0);",
                {"--refuse", "clocks,files"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("clocks: time (mine.cpp:4)"));
  EXPECT_EQ(record()["verdict"], "load_error");
  EXPECT_EQ(record()["uses"][0]["class"], "clocks");
}

TEST_F(FailureText, HasTheKernelsLastOutput) {
  const CommandResult result =
      evaluated("#include <cstdio>\n#include <iostream>\n",
                "  std::printf(\"x has %d rows\\nmnist_linear.forward.mine:"
                " pass\\n\", int(x.size(0)));\n"
                "  std::cerr << \"\\033[2Jhere\\n\" << std::flush;\n"
                "  std::printf(\"no end of a line\");\n"
                "  throw std::runtime_error(\"no\\n1 passed\");");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, AllOf(HasSubstr("  its last output:\n"
                                             "  | x has 1 rows\n"
                                             "  | mnist_linear.forward.mine: pass\n"
                                             "  | \\x1b[2Jhere\n"
                                             "  | no end of a line\n"),
                                   Not(HasSubstr("\nmnist_linear.forward.mine: pass")),
                                   Not(HasSubstr("\n1 passed")), Not(HasSubstr("\033"))));
  EXPECT_THAT(record()["cases"][0]["output"].get<std::string>(), HasSubstr("no end of a line"));
}

TEST_F(FailureText, ShowsAllOutputWhereItIsAskedFor) {
  const std::string one_case =
      "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3/seed_1";
  const std::string printing =
      "  for (int i = 0; i < 30; ++i) std::printf(\"line %d of 30\\n\", i + 1);";
  const CommandResult silent = evaluated("#include <cstdio>\n", printing);
  EXPECT_EQ(silent.exit_code, 0) << silent.output;
  EXPECT_THAT(silent.output, Not(HasSubstr("line 30")));
  const CommandResult shown =
      evaluated("#include <cstdio>\n", printing, {"--show-output", "--case", one_case});
  EXPECT_EQ(shown.exit_code, 0) << shown.output;
  EXPECT_THAT(shown.output, AllOf(HasSubstr(" printed:\n"), HasSubstr("\n  | line 1 of 30\n"),
                                  HasSubstr("\n  | line 30 of 30\n")));
}

// The kernel neither waits nor dies, and the file stays as small as it may be.
TEST_F(FailureText, OfAKernelThatFloodsItsOutputIsNone) {
  const CommandResult result =
      evaluated("#include <cstdio>\n#include <string>\n",
                "  static const std::string mebibyte(1 << 20, 'x');\n"
                "  static int calls = 0;\n"
                "  for (int i = 0; i < 80 && calls++ < 80; ++i) std::fputs(mebibyte.c_str(), "
                "stderr);");
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

TEST_F(FailureText, ShowsExpectedBesideActualValues) {
  const CommandResult result = evaluated("", "  return at::linear(x, w, b).add_(1);");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, ContainsRegex("Largest errors:\n"
                                           "    at index \\([0-9, ]+\\): got [-.0-9e]+, expected "
                                           "[-.0-9e]+\n"
                                           "    at index [^\n]+\n"
                                           "    at index [^\n]+\n"));
  const json examples = record()["examples"];
  ASSERT_EQ(examples.size(), 3U);
  for (const json& example : examples) {
    EXPECT_NEAR(std::stod(example["actual"].get<std::string>()) -
                    std::stod(example["expected"].get<std::string>()),
                1, 1e-3);
  }
}

}  // namespace
}  // namespace robust_kbench
