#include "llm/helper_program.hpp"

#include <fstream>

#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class HelperProgramTest : public ArchiveDirectory {
 protected:
  // A program whose installation runs the script.
  [[nodiscard]] HelperProgram program(const std::string& script) const {
    fs::create_directories(m_directory / "llm");
    std::ofstream(m_directory / "llm/install.py") << script;
    return {.sources = m_directory / "llm", .venv = m_directory / "llm_venv"};
  }
};

TEST_F(HelperProgramTest, IsInstalledWhenItIsFirstAskedFor) {
  const HelperProgram made = program(
      "import os, pathlib, sys\n"
      "bin = pathlib.Path(sys.argv[1]) / 'bin'\n"
      "bin.mkdir(parents=True)\n"
      "os.symlink(sys.executable, bin / 'python')\n");
  EXPECT_THAT(prepare(made),
              ElementsAre((made.venv / "bin/python").string(), "-m", "robust_kbench_llm"));
}

TEST_F(HelperProgramTest, SaysWhatToDoWhereItCannotBeInstalled) {
  try {
    (void)prepare(program("raise SystemExit('no index can be reached')"));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("no index can be reached"), HasSubstr("run: python3 "),
                      HasSubstr("-DRobustKBench_LLM_PYTHON=")));
  }
}

TEST_F(HelperProgramTest, IsNotInstalledWhereAPythonIsNamed) {
  HelperProgram named = program("raise SystemExit('not asked for')");
  named.python = PYTHON;
  EXPECT_EQ(prepare(named).at(0), PYTHON);
  named.python = "/does/not/exist";
  EXPECT_THROW((void)prepare(named), UserError);
}

TEST_F(HelperProgramTest, SeesNamedVariablesAlone) {
  Surroundings surroundings{.variables = {{"OPENAI_API_KEY", "planted-key"},
                                          {"PYTHONSTARTUP", "/tmp/x"},
                                          {"HTTPS_PROXY", "http://proxy:3128"},
                                          {"SSL_CERT_FILE", "/repository/ca.pem"}}};
  const HelperProgram here{.sources = "/suite/llm"};
  const auto environment = helper_environment(here, surroundings);
  EXPECT_THAT(environment,
              AllOf(Contains("PYTHONPATH=/suite/llm"), Contains("HTTPS_PROXY=http://proxy:3128"),
                    Contains("SSL_CERT_FILE=/repository/ca.pem")));
  EXPECT_THAT(environment, Not(Contains(HasSubstr("planted-key"))));
  EXPECT_THAT(environment, Not(Contains(StartsWith("PYTHONSTARTUP"))));
  surroundings.build_tool = "cmake";
  EXPECT_THAT(helper_environment(here, surroundings), Not(Contains(StartsWith("SSL_CERT_FILE"))));
}

}  // namespace
}  // namespace robust_kbench
