#include "runs/start_kernels.hpp"

#include <fstream>

#include "core/error.hpp"
#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class StartKernelsTest : public RunFixture {
 protected:
  // A kernel of this name and text, in a file.
  Candidate kernel(const std::string& name, const std::string& text) {
    const std::filesystem::path file = m_directory / (name + ".cpp");
    std::ofstream(file) << text;
    return {.name = name, .text = text, .hash = text, .kernel = {.name = name, .sources = {file}}};
  }
  // What a run that goes on with these kernels is told; empty: it goes on.
  std::string refusal(const std::vector<Candidate>& kernels) {
    try {
      require_same_kernels(m_journal, kernels, m_run);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }

  const std::string m_run = begin({});
  Journal m_journal{m_archive, m_run};
};

TEST_F(StartKernelsTest, ARunGoesOnWithTheKernelsThatItBeganWith) {
  EXPECT_EQ(refusal({kernel("a", "int a;")}), "");
  EXPECT_EQ(refusal({kernel("a", "int a;")}), "");
}

TEST_F(StartKernelsTest, AKernelThatHasChangedIsNamed) {
  EXPECT_EQ(refusal({kernel("a", "int a;")}), "");
  EXPECT_THAT(refusal({kernel("a", "int b;")}), HasSubstr("a.cpp is not as it was when run"));
}

TEST_F(StartKernelsTest, AKernelThatIsNewIsNamed) {
  EXPECT_EQ(refusal({kernel("a", "int a;")}), "");
  EXPECT_THAT(refusal({kernel("a", "int a;"), kernel("b", "")}),
              HasSubstr("the kernel b was added"));
}

TEST_F(StartKernelsTest, AKernelThatIsGoneIsMissed) {
  EXPECT_EQ(refusal({kernel("a", "int a;"), kernel("b", "")}), "");
  EXPECT_THAT(refusal({kernel("a", "int a;")}), HasSubstr("began with is gone"));
}

}  // namespace
}  // namespace robust_kbench
