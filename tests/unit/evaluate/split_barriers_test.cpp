#include "evaluate/split_barriers.hpp"

#include <filesystem>
#include <fstream>

#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

// A program that prints a listing with one instruction, whatever it is asked for.
class SplitBarriers : public testing::Test {
 protected:
  [[nodiscard]] std::string listing(const std::string& instruction) const {
    const fs::path program = m_directory.path() / "cuobjdump";
    std::ofstream(program) << "#!/bin/sh\necho '        /*0080*/  " << instruction << " ;'\n";
    fs::permissions(program, fs::perms::owner_all);
    return program;
  }

  [[nodiscard]] static ToolFinding found(const std::string& tool, const std::string& cuobjdump) {
    ToolLog log;
    log.findings.push_back(
        {.tool = tool, .what = "race", .severity = Severity::error, .meaning = "a race"});
    return without_races_at_split_barriers(log, "library.so", cuobjdump).findings.at(0);
  }

 private:
  TemporaryDirectory m_directory{"split_barriers"};
};

TEST_F(SplitBarriers, MakeARaceAWarning) {
  const ToolFinding finding = found("racecheck", listing("BAR.ARV 0x2, 0x100"));
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_THAT(finding.meaning, HasSubstr("a race; racecheck does not see the order"));
}

TEST_F(SplitBarriers, AreNoExcuseWhereThereAreNone) {
  EXPECT_EQ(found("racecheck", listing("BAR.SYNC 0x0")).severity, Severity::error);
  EXPECT_EQ(found("racecheck", "").severity, Severity::error);
}

TEST_F(SplitBarriers, ExcuseNoOtherTool) {
  EXPECT_EQ(found("synccheck", listing("BAR.ARV 0x2, 0x100")).severity, Severity::error);
}

}  // namespace
}  // namespace robust_kbench
