#include "torch_task/package.hpp"

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "small_package.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string package_error(const std::function<void(json&)>& change) {
  json content = small_package();
  change(content);
  const PackageFile file(content);
  try {
    (void)read_package(file.path());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Package, HoldsWhatItsFileSays) {
  const PackageFile file(small_package());

  const Package package = read_package(file.path());

  EXPECT_EQ(package.name, "small_linear");
  EXPECT_EQ(package.points.size(), 6);
  EXPECT_EQ(package.drawn.size(), 4);
  EXPECT_EQ(package.point({{"batch", std::int64_t{5}}}).inputs[0].shape,
            (std::vector<std::int64_t>{5, 3}));
  EXPECT_EQ(torch_of_package(file.path()), "2.11.0");
}

TEST(Package, SaysWhichConfigsItKnows) {
  const PackageFile file(small_package());
  const Package package = read_package(file.path());
  try {
    (void)package.point({{"batch", std::int64_t{6}}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("without the config batch=6"));
    EXPECT_THAT(error.what(), HasSubstr("import it again with --config batch=6"));
  }
}

TEST(Package, OfAnotherVersionIsRefused) {
  EXPECT_THAT(package_error([](json& content) { content["version"] = 2; }),
              HasSubstr("its version is 2, and this program reads version 1"));
}

TEST(Package, ThatIsNoPackageIsRefused) {
  EXPECT_THAT(package_error([](json& content) { content = json::array(); }),
              HasSubstr("it is no package of a task"));
  EXPECT_THROW((void)read_package("/no/such.task.json"), UserError);
}

TEST(Package, LeavesOutProbesThatItsImportDidNotTry) {
  json content = small_package();
  content["domain"] = {{"inapplicable", json::array()}};
  const auto reason = [&](Probe probe) -> std::string {
    const PackageFile file(content);
    const std::vector<InapplicableProbe> left_out =
        read_package(file.path()).domain.value().inapplicable;
    const auto found = std::ranges::find(left_out, probe, &InapplicableProbe::probe);
    return found == left_out.end() ? "" : found->reason;
  };
  EXPECT_THAT(reason(Probe::outlier), HasSubstr("import the task again"));
  EXPECT_EQ(reason(Probe::nan_and_infinity), "");
  content["domain"]["tried"] = {"outlier"};
  EXPECT_EQ(reason(Probe::outlier), "");
  EXPECT_THAT(reason(Probe::ties), HasSubstr("import the task again"));
}

TEST(Package, ThatDoesNotFitTogetherIsRefused) {
  EXPECT_THAT(package_error([](json& content) { content["name"] = "../x"; }),
              HasSubstr("is no identifier"));
  EXPECT_THAT(package_error([](json& content) { content["source"]["file"] = "../x.py"; }),
              HasSubstr("no name of a file without directory"));
  EXPECT_THAT(package_error([](json& content) { content["points"][0]["graph"] = 1; }),
              HasSubstr("its graph does not exist"));
  EXPECT_THAT(package_error([](json& content) { content["points"][0]["weights"] = json::array(); }),
              HasSubstr("the graph's input 'w' is none of its tensors"));
  EXPECT_THAT(package_error([](json& content) {
                content["points"][0]["arguments"][0] = {{"tensor", "z"}};
              }),
              HasSubstr("argument 'z' is none of its tensors"));
  EXPECT_THAT(package_error([](json& content) {
                content["drawn"]["forward"].push_back({{"batch", 100}});
              }),
              HasSubstr("without the config batch=100"));
  EXPECT_THAT(package_error([](json& content) {
                content["domain"]["inapplicable"] = {{{"probe", "luck"}, {"reason", ""}}};
              }),
              HasSubstr("probe 'luck' is unknown"));
  EXPECT_THAT(package_error([](json& content) {
                content["domain"]["inapplicable"] = {
                    {{"probe", "ties"}, {"reason", ""}, {"direction", "sideways"}}};
              }),
              HasSubstr("sideways"));
  EXPECT_THAT(package_error([](json& content) { content.erase("graphs"); }),
              HasSubstr("import it again"));
}

}  // namespace
}  // namespace robust_kbench
