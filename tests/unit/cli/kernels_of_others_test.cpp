#include "evaluate/kernels_of_others.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "built_program.hpp"
#include "core/error.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The program over a build whose worker has no sandbox beside it.
class KernelsOfOthers : public testing::Test {
 protected:
  KernelsOfOthers() {
    std::ifstream in(manifest_of_build());
    nlohmann::json manifest = nlohmann::json::parse(in);
    manifest["toolchain"]["worker"] = (m_directory.path() / "rkb_worker").string();
    std::ofstream(m_manifest) << manifest;
  }

  [[nodiscard]] CommandResult evolve(const std::vector<std::string>& more) const {
    std::vector<std::string> command{
        CMAKE_PROGRAM,     "-E",    "env", "ROBUST_KBENCH_MANIFEST=" + m_manifest,
        RKB_AGENT_PROGRAM, "evolve"};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--archive", archive()});
    return run_command(command, std::chrono::minutes{1});
  }
  [[nodiscard]] std::string archive() const { return m_directory.path() / "archive"; }

  const TemporaryDirectory m_directory{"others"};
  const std::string m_manifest = m_directory.path() / "manifest.json";
};

TEST_F(KernelsOfOthers, AreRefusedOnBothDevicesWhereNothingEnclosesThem) {
  const Manifest manifest = load_manifest(m_manifest);
  for (const Device device : {Device::cpu, Device::cuda}) {
    try {
      require_sandbox_for_others(manifest, device);
      FAIL() << "no UserError for " << to_string(device);
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("away from: network, files, processes"), HasSubstr("--unsafe")));
    }
  }
}

TEST_F(KernelsOfOthers, StopARunThatAsksForThem) {
  const CommandResult result =
      evolve({"--task", "mnist_pool", "--device", "cpu", "--set", "proposers=manual"});
  EXPECT_EQ(result.exit_code, ExitCode::usage);
  EXPECT_THAT(result.output, HasSubstr("away from: network, files, processes"));
}

TEST_F(KernelsOfOthers, AreNotSubmittedUnlessTheyMayBeUnsafe) {
  const std::string run =
      Archive(archive(), Archive::Mode::create)
          .begin_run({"mnist_pool", Direction::forward}, Device::cpu, 1, nlohmann::json::object())
          .id;
  const fs::path inbox = fs::path(archive()) / "runs" / run / "submitted";
  const std::string kernel = m_directory.path() / "kernel.cpp";
  std::ofstream(kernel) << "int kernel;\n";
  const CommandResult refused = evolve({"submit", run, kernel});
  EXPECT_EQ(refused.exit_code, ExitCode::usage);
  EXPECT_THAT(refused.output, HasSubstr("give --unsafe"));
  EXPECT_FALSE(fs::exists(inbox));
  const CommandResult taken = evolve({"submit", run, kernel, "--unsafe"});
  EXPECT_EQ(taken.exit_code, ExitCode::pass) << taken.output;
  EXPECT_THAT(taken.output, Not(HasSubstr("give --unsafe")));
  EXPECT_FALSE(fs::is_empty(inbox));
}

}  // namespace
}  // namespace robust_kbench
