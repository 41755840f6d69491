#include "broker/worker_enclosure.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Replaces a worker by a script, whose exit code says whether it reaches its GPU.
class WorkerEnclosure : public testing::Test {
 protected:
  void SetUp() override {
    const SandboxFacts& facts = sandbox_facts(RKB_SANDBOX);
    if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "nothing here restricts files";
    std::ofstream(m_elsewhere.path() / "file") << "outside\n";
  }

  [[nodiscard]] SandboxPolicy policy_for(const std::string& script) const {
    const fs::path program = m_directory.path() / "bin" / "worker";
    fs::create_directory(program.parent_path());
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    WorkerOptions options;
    options.program = program;
    options.sandbox = RKB_SANDBOX;
    options.gpu = true;
    return worker_enclosure(options, m_directory.path()).value().policy;
  }

  // The policy for a driver that works under all restrictions.
  [[nodiscard]] static SandboxPolicy whole() {
    return sandbox_policy(Enclosed::worker, true, sandbox_facts(RKB_SANDBOX));
  }

  const TemporaryDirectory m_directory{"worker_enclosure"};
  const TemporaryDirectory m_elsewhere{"elsewhere"};
};

void expect_same_means(const SandboxPolicy& policy, const SandboxPolicy& wanted) {
  const SandboxMeans means = sandbox_means(policy);
  const SandboxMeans expected = sandbox_means(wanted);
  EXPECT_EQ(means.network, expected.network);
  EXPECT_EQ(means.files, expected.files);
  EXPECT_EQ(means.processes, expected.processes);
}

TEST_F(WorkerEnclosure, LiftsNoRestrictionIfTheDriverWorks) {
  expect_same_means(policy_for("exit 0"), whole());
}

TEST_F(WorkerEnclosure, LiftsRestrictionsThatBreakTheDriver) {
  const SandboxPolicy policy = policy_for("read -r line <" + m_elsewhere.path().string() + "/file");
  EXPECT_FALSE(policy.view);
  EXPECT_FALSE(policy.landlock);
  EXPECT_THAT(sandbox_means(policy).missing(), testing::IsSupersetOf({"files", "processes"}));
}

TEST_F(WorkerEnclosure, LiftsNoRestrictionIfTheDriverNeverWorks) {
  expect_same_means(policy_for("exit 1"), whole());
}

}  // namespace
}  // namespace robust_kbench
