#include <filesystem>
#include <fstream>
#include <string>

#include "../torch_task/small_package.hpp"
#include "built_program.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class RkbFilter : public testing::Test {
 protected:
  ~RkbFilter() override { unsetenv("RKB_CACHE"); }

  [[nodiscard]] std::string file(const std::string& name) const {
    return std::filesystem::path(m_directory.path()) / name;
  }
  [[nodiscard]] std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  [[nodiscard]] nlohmann::json json(const std::string& name) const {
    std::ifstream in(file(name));
    return nlohmann::json::parse(in);
  }

  TemporaryDirectory m_directory{"rkb_filter"};
};

TEST_F(RkbFilter, PrintsATableAndWritesTheSameAsJson) {
  const CommandResult passed = rkb({"filter", "llama_rmsnorm", "--json", file("out.json")});
  EXPECT_EQ(passed.exit_code, 0) << passed.output;
  EXPECT_THAT(passed.output, HasSubstr("0 of 1 task caught"));

  const nlohmann::json out = json("out.json");
  EXPECT_EQ(out["format"], "robust-kbench filters");
  EXPECT_EQ(out["version"], 1);
  const nlohmann::json& task = out["tasks"][0];
  EXPECT_EQ(task["task"], "llama_rmsnorm");
  EXPECT_EQ(task["caught"], false);
  EXPECT_EQ(task["filters"].size(), 13);  // ten forward, three backward
  EXPECT_EQ(task["filters"][0]["filter"], "output_range");
  EXPECT_GT(task["filters"][0]["value"], 0.01);
  EXPECT_EQ(task["filters"][9]["reason"], "not looked at: no graph");
}

TEST_F(RkbFilter, LooksOnlyByTheNamedFilters) {
  const CommandResult caught = rkb({"filter", "llama_rmsnorm", "--range", "1000", "--filters",
                                    "output_std,baseline", "--json", file("out.json")});
  EXPECT_EQ(caught.exit_code, 0) << caught.output;
  const nlohmann::json filters = json("out.json")["tasks"][0]["filters"];
  EXPECT_EQ(filters.size(), 13);
  for (const nlohmann::json& each : filters) {
    const bool looks = each["filter"] == "output_std" || each["filter"] == "baseline";
    EXPECT_EQ(each["reason"] == "left out by --filters", !looks && each["filter"] != "judgement")
        << each;
  }
  EXPECT_THAT(rkb({"filter", "llama_rmsnorm", "--filters", "output_sdt"}).output,
              HasSubstr("output_std"));
}

TEST_F(RkbFilter, FailsWhereATaskIsCaught) {
  const CommandResult caught =
      rkb({"filter", "llama_rmsnorm", "--range", "1000", "--filters", "output_range"});
  EXPECT_EQ(caught.exit_code, 1) << caught.output;
  EXPECT_THAT(caught.output, HasSubstr("CAUGHT"));
  EXPECT_THAT(caught.output, HasSubstr("llama_rmsnorm forward is caught by output_range"));
  EXPECT_THAT(caught.output, HasSubstr("1 of 1 task caught"));
}

TEST_F(RkbFilter, TakesThePathOfAPackageAndExplains) {
  setenv("RKB_CACHE", file("cache").c_str(), 1);
  const std::string package = written("small_linear.task.json", small_package().dump());
  const CommandResult explained = rkb({"filter", package, "--explain"});
  EXPECT_EQ(explained.exit_code, 0) << explained.output;
  EXPECT_THAT(explained.output, HasSubstr("the operator without node 1 (aten::relu)"));
  EXPECT_THAT(explained.output, HasSubstr("The tests accept a kernel that does not compute"));
  EXPECT_THAT(explained.output, HasSubstr("flops done over flops needed"));
}

TEST_F(RkbFilter, ComparesSpeedupsWithAndWithoutCaughtTasks) {
  const std::string table = written("table.csv", "task,speedup\nllama_rmsnorm,2\nmnist_linear,8\n");
  const CommandResult both = rkb({"filter", "llama_rmsnorm", "mnist_linear", "--filters",
                                  "output_range", "--speedups", table, "--json", file("out.json")});
  EXPECT_EQ(both.exit_code, 0) << both.output;
  EXPECT_THAT(both.output, HasSubstr("speed-up 4.00x over 2 tasks (geometric mean); 4.00x over"));
  EXPECT_EQ(json("out.json")["speedups"]["tasks_not_caught"], 2);

  const CommandResult other =
      rkb({"filter", "llama_rmsnorm", "--filters", "output_range", "--speedups", table});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.output, HasSubstr("names 'mnist_linear', which was not filtered"));
}

}  // namespace
}  // namespace robust_kbench
