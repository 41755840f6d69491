#include "agent/evolve_settings.hpp"

#include <filesystem>

#include "built_program.hpp"
#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

class ReportSetting : public testing::Test {
 protected:
  ~ReportSetting() override { fs::current_path(m_before); }

  EvolutionSettings settings(const std::vector<std::string>& assignments,
                             const std::optional<RunRow>& known = {}) {
    EvolveCommandOptions options;
    options.assignments = assignments;
    return settings_of(options, m_use, known, /*tune_only=*/true);
  }
  static RunRow run_with(const EvolutionSettings& settings) {
    return {.id = "mnist_linear.forward.cpu.1",
            .entry = {"mnist_linear", Direction::forward},
            .settings = to_json(settings)};
  }

  const TemporaryDirectory m_first{"first"};
  const TemporaryDirectory m_second{"second"};

 private:
  const fs::path m_before = fs::current_path();
  ModelUse m_use{helper_of_sources, {}, Surroundings{.configuration = "/nonexistent/config.json"}};
};

TEST_F(ReportSetting, NamesTheSameFileFromEveryDirectory) {
  fs::current_path(m_first.path());
  const std::string page = fs::current_path() / "page.html";
  const EvolutionSettings begun = settings({"report=page.html"});
  EXPECT_EQ(begun.report, page);
  fs::current_path(m_second.path());
  EXPECT_EQ(settings({}, run_with(begun)).report, page);
  EXPECT_EQ(settings({"report=" + page}, run_with(begun)).report, page);
  EXPECT_THROW(settings({"report=page.html"}, run_with(begun)), UserError);
}

TEST_F(ReportSetting, StaysWhatAnOlderRunHas) {
  EvolutionSettings older;
  older.proposers = {"tune"};
  older.report = "page.html";
  EXPECT_EQ(settings({}, run_with(older)).report, "page.html");
  EXPECT_EQ(settings({"report=page.html"}, run_with(older)).report, "page.html");
  EXPECT_EQ(settings({}).report, "");
}

}  // namespace
}  // namespace robust_kbench
