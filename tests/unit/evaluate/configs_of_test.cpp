#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "evaluate/scope.hpp"
#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// A task with a config file whose `small` config has a given batch size.
class ConfigsOf : public testing::Test {
 protected:
  ConfigsOf() {
    m_task.name = "copy";
    m_task.defaults = {{"batch_size", std::int64_t{4}}};
    m_task.inputs = [](const Params& params) {
      return std::vector<TensorSpec>{{.name = "x", .shape = {params.integer("batch_size"), 3}}};
    };
    m_manifest.tasks = {{.name = "copy", .directory = m_directory.path()}};
  }

  std::vector<Config> configs(const std::string& batch_size) {
    std::ofstream(m_file) << R"({"small_init_configs": [{}], "small_shared_configs": [{}],)"
                          << R"("small_input_configs": [{"batch_size": )" << batch_size << "}]}";
    return configs_of(m_manifest, m_task, Direction::forward, {ConfigSet::small});
  }

  std::string complaint(const std::string& batch_size) {
    try {
      configs(batch_size);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory m_directory{"configs"};
  std::string m_file = m_directory.path() / "config_forward.json";
  Task m_task;
  Manifest m_manifest;
};

TEST_F(ConfigsOf, AreThoseOfTheFile) {
  ASSERT_EQ(configs("1").size(), 1U);
  EXPECT_EQ(configs("7").front().params.integer("batch_size"), 7);
}

TEST_F(ConfigsOf, NameFileKeyValueAndLimitWhereInvalid) {
  EXPECT_EQ(complaint("-2"), m_file +
                                 ": 'batch_size' is -2, so tensor 'x' has shape (-2, 3); each size "
                                 "must be at least 1");
  EXPECT_EQ(complaint("0"), m_file +
                                ": 'batch_size' is 0, so tensor 'x' has shape (0, 3); each size "
                                "must be at least 1");
  EXPECT_EQ(complaint("4000000000000"),
            m_file +
                ": 'batch_size' is 4000000000000, so tensor 'x' has shape (4000000000000, 3); it "
                "may have at most 1099511627776 elements");
}

}  // namespace
}  // namespace robust_kbench
