#include "cli/import/baseline_packages.hpp"

#include <filesystem>
#include <map>
#include <string>

#include "bench/packages.hpp"
#include "built_program.hpp"
#include "core/manifest.hpp"
#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"
#include "torch_task/package_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using State = BaselinePackage::State;

// A stand-in for the importer does what the batch size of a config stands for.
class BaselinePackages : public testing::Test {
 protected:
  BaselinePackages() : m_manifest(load_manifest(manifest_of_build())) {
    m_manifest.toolchain.python = RKB_PYTHON;
    fs::copy(RKB_IMPORTER_STUB, m_program.sources, fs::copy_options::recursive);
    m_task.directory = m_directory.path() / "task";
    m_task.package = m_directory.path() / "task/package.task.json";
    fs::create_directory(m_task.directory);
    fs::copy_file(RKB_PACKAGE, m_task.package);
  }

  // By batch size.
  std::map<std::int64_t, BaselinePackage> make(const std::vector<std::int64_t>& batches,
                                               Direction direction = Direction::forward) {
    std::vector<BaselinePackage> packages;
    for (const std::int64_t batch : batches) {
      const Config config{.name = "own_1", .params = {{"batch", batch}}};
      packages.push_back(
          {.task = &m_task,
           .direction = direction,
           .config = config,
           .path = package_path(m_manifest, m_task, direction, Device::cpu, config)});
    }
    std::size_t told = 0;
    make_baseline_packages({m_program, m_manifest.toolchain, Device::cpu, /*seconds=*/5}, packages,
                           [&](const BaselinePackage&) { ++told; }, {});
    EXPECT_EQ(told, packages.size());
    std::map<std::int64_t, BaselinePackage> by_batch;
    for (std::size_t i = 0; i < batches.size(); ++i) by_batch[batches[i]] = packages[i];
    return by_batch;
  }

  TemporaryDirectory m_directory{"baseline_packages"};
  ImporterProgram m_program{.sources = m_directory.path() / "python",
                            .venv = m_directory.path() / "none",
                            .agent = RKB_AGENT_PROGRAM};
  Manifest m_manifest;
  Task m_task = load_imported_task(RKB_PACKAGE);
};

TEST_F(BaselinePackages, AreMadeOnceForEachConfig) {
  const BaselinePackage made = make({4}, Direction::backward).at(4);
  EXPECT_EQ(made.state, State::made);
  const auto request = nlohmann::json::parse(read_text(made.path).value());
  EXPECT_EQ(request["direction"], "backward");
  EXPECT_EQ(request["tensors"].dump(), R"(["x","w","grad_output"])");
  EXPECT_EQ(make({4}, Direction::backward).at(4).state, State::unchanged);
  EXPECT_EQ(make({4}).at(4).state, State::made) << "of the other direction";
}

TEST_F(BaselinePackages, GoOnAfterOneThatCannotBeMade) {
  const auto packages = make({5, 1, 2, 3});
  EXPECT_EQ(packages.at(5).state, State::refused);
  EXPECT_EQ(packages.at(5).reason, "torch refuses it");
  EXPECT_EQ(packages.at(5).remedy, "use eager");
  EXPECT_THAT(packages.at(1).reason, HasSubstr("it ended with exit code 3"));
  EXPECT_EQ(packages.at(2).reason, "it took more than 5 s");
  EXPECT_EQ(packages.at(3).state, State::made);
  EXPECT_FALSE(fs::exists(packages.at(5).path));
}

TEST_F(BaselinePackages, AreMadeForImportedTasksAlone) {
  const CommandResult linked = rkb({"compile-baseline", "layernorm"});
  EXPECT_EQ(linked.exit_code, 2);
  EXPECT_THAT(linked.output, HasSubstr("task 'layernorm' is no imported one"));
}

}  // namespace
}  // namespace robust_kbench
