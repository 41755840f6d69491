#include "evaluate/split_barriers.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/manifest.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

// A program that prints a listing with one instruction, whatever its arguments.
class SplitBarriers : public testing::Test {
 protected:
  [[nodiscard]] std::string listing(const std::string& instruction) const {
    return program("echo '        /*0080*/  " + instruction + " ;'");
  }

  [[nodiscard]] std::string program(const std::string& script) const {
    const fs::path path = m_directory.path() / "bin" / "cuobjdump";
    fs::create_directory(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  [[nodiscard]] static ToolFinding found(const std::string& tool, const std::string& cuobjdump,
                                         const std::string& worker = {}) {
    ToolLog log;
    log.findings.push_back(
        {.tool = tool, .what = "race", .severity = Severity::error, .meaning = "a race"});
    return without_races_at_split_barriers(log, "/library.so", cuobjdump, worker).findings.at(0);
  }

 private:
  TemporaryDirectory m_directory{"split_barriers"};
};

TEST_F(SplitBarriers, MakeARaceAWarning) {
  const ToolFinding finding = found("racecheck", listing("BAR.ARV 0x2, 0x100"));
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_THAT(finding.meaning, HasSubstr("a race; racecheck does not see the order"));
}

TEST_F(SplitBarriers, AreNoExcuseWhereMissing) {
  EXPECT_EQ(found("racecheck", listing("BAR.SYNC 0x0")).severity, Severity::error);
  EXPECT_EQ(found("racecheck", "").severity, Severity::error);
}

TEST_F(SplitBarriers, AreReadInASandbox) {
  const std::string worker = load_manifest(RKB_MANIFEST).toolchain.worker;
  const SandboxFacts& facts = sandbox_facts(sandbox_beside(worker));
  if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "nothing here restricts files";
  const TemporaryDirectory elsewhere("elsewhere");
  const std::string secret = elsewhere.path() / "secret";
  std::ofstream(secret) << "secret\n";
  setenv("RKB_TEST_KEY", "secret", 1);
  const ToolFinding finding = found(
      "racecheck",
      program("read -r line <" + secret + " || [ -n \"$RKB_TEST_KEY\" ] || echo BAR.ARV"), worker);
  unsetenv("RKB_TEST_KEY");
  EXPECT_EQ(finding.severity, Severity::warning);
}

TEST_F(SplitBarriers, ExcuseNoOtherTool) {
  EXPECT_EQ(found("synccheck", listing("BAR.ARV 0x2, 0x100")).severity, Severity::error);
}

}  // namespace
}  // namespace robust_kbench
