#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "built_program.hpp"
#include "cli/solutions/read_solutions.hpp"
#include "core/error.hpp"
#include "process/temporary_directory.hpp"
#include "torch_task/imported_tasks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A stand-in for the importer does what the text of a source says.
class Solutions : public testing::Test {
 protected:
  Solutions() {
    fs::copy(RKB_IMPORTER_STUB, m_program.sources, fs::copy_options::recursive);
    fs::copy_file(RKB_PACKAGE, m_program.sources / "importer" / "package.json");
    fs::create_directories(m_directory.path() / "sources");
    m_request.problem = write("problem", "package");
    setenv("ROBUST_KBENCH_TASKS", (m_directory.path() / "tasks").c_str(), 1);
    m_registry.look_further(imported_tasks({}));
  }
  ~Solutions() override { unsetenv("ROBUST_KBENCH_TASKS"); }

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = m_directory.path() / "sources" / (name + ".py");
    std::ofstream(file) << text;
    return file;
  }
  ReadSolutions read() {
    return read_solutions(m_program, Suite(m_registry, manifest_of_build()), m_request, {});
  }
  std::string error() {
    try {
      (void)read();
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryDirectory m_directory{"solutions_test"};
  ImporterProgram m_program{.sources = m_directory.path() / "python",
                            .venv = m_directory.path() / "none",
                            .agent = RKB_AGENT_PROGRAM};
  std::vector<Task> m_linked;
  TaskRegistry m_registry{m_linked};
  SolutionRequest m_request{.seconds = 60};
};

TEST_F(Solutions, BecomeKernelsOfTheProblemsTask) {
  m_request.solutions = {write("mine", "1 view, aten::relu")};
  const ReadSolutions read = this->read();
  ASSERT_EQ(read.kernels.size(), 1U);
  const KernelSource& kernel = read.kernels[0];
  EXPECT_EQ(read.package, m_directory.path() / "tasks/problem.task.json");
  EXPECT_EQ(kernel.name, "mine");
  EXPECT_EQ(kernel.entry.task, "problem");
  EXPECT_EQ(kernel.device, Device::cpu);
  EXPECT_FALSE(kernel.fast_math);
  EXPECT_THAT(kernel.sources,
              ElementsAre(m_directory.path() / "tasks/solutions/problem/mine/mine.cpp",
                          m_directory.path() / "tasks/solutions/problem/mine/module.cpp"));
  EXPECT_TRUE(fs::exists(kernel.sources[1]));
  EXPECT_THAT(kernel.options, ElementsAre("-DWIDTH=4"));
  EXPECT_THAT(kernel.libraries, ElementsAre("-lm"));
  ASSERT_TRUE(kernel.solution);
  EXPECT_EQ(kernel.solution->problem, m_request.problem);
  EXPECT_EQ(kernel.solution->file, m_request.solutions[0]);
  EXPECT_EQ(kernel.solution->glue, "1 view, aten::relu");
}

TEST_F(Solutions, OfADirectoryAreReadWhateverOneOfThemDoes) {
  write("a", "exit");
  write("b", "");
  write("c", "refuse");
  write("d", "hang");
  write("e", "malformed");
  write("f", "");
  m_request.solutions = {m_directory.path() / "sources"};
  m_request.seconds = 5;
  const ReadSolutions read = this->read();
  ASSERT_EQ(read.kernels.size(), 2U);
  EXPECT_EQ(read.kernels[0].name, "b");
  EXPECT_EQ(read.kernels[1].name, "f");
  std::map<std::string, std::string> reasons;
  for (const RefusedSolution& refused : read.refused) {
    reasons[fs::path(refused.path).stem()] = refused.reason;
  }
  EXPECT_EQ(reasons.size(), 4U);
  EXPECT_THAT(reasons["a"], HasSubstr("it ended the importer"));
  EXPECT_EQ(reasons["c"], "it is written in Triton");
  EXPECT_EQ(reasons["d"], "it took longer than a solution may");
  EXPECT_THAT(reasons["e"], HasSubstr("malformed"));
  EXPECT_THAT(refusals_text(read.refused),
              HasSubstr("c.py is refused: it is written in Triton; write CUDA\n"));
}

TEST_F(Solutions, NeedFilesAndAProblem) {
  m_request.solutions = {m_directory.path() / "nowhere.py"};
  EXPECT_THAT(error(), HasSubstr("nowhere.py is no file"));
  m_request.solutions = {write("mine", "")};
  m_request.problem = write("random", "refuse");
  EXPECT_THAT(error(), HasSubstr("random.py is refused: it is random; seed it"));
}

}  // namespace
}  // namespace robust_kbench
