#include "filter/complete_package.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include "small_tasks.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

// The package of these nodes after its completion.
json completed(const json& nodes, const json& shape, const json& x) {
  const SmallTasks tasks;
  const TemporaryDirectory scratch{"complete_package"};
  const std::string file = tasks.imported(nodes, 1 + nodes.size(), shape, x).package;
  complete_package(file, scratch.path() / "unpacked");
  std::ifstream in(file);
  return json::parse(in);
}

json product_with(const json& x) {
  return completed(json::array({node("aten::matmul", {t(0), t(1)})}), {3, 4}, x);
}

const json normal_numbers{{"kind", "normal"}, {"a", 0.0}, {"b", 1.0}};

// Reasons by probe.
std::map<std::string, std::string> left_out(const json& package) {
  std::map<std::string, std::string> reasons;
  for (const json& one : package["domain"]["inapplicable"]) {
    reasons[one["probe"]] = one["reason"];
  }
  return reasons;
}

TEST(CompletePackage, LeavesOutProbesWhoseReferenceHasNaN) {
  const json logarithm = completed(json::array({node("aten::log", json::array({t(0)}))}), {3, 4},
                                   {{"kind", "uniform"}, {"a", 1.0}, {"b", 2.0}});
  const auto reasons = left_out(logarithm);
  EXPECT_EQ(reasons.at("large_logits"), "the reference has NaN there");
  EXPECT_THAT(reasons, Not(Contains(testing::Key("inputs_times_1000"))));
}

TEST(CompletePackage, LeavesOutProbesOnWhichTorchOverflows) {
  const json exponential =
      completed(json::array({node("aten::exp", json::array({t(0)}))}), {3, 4}, normal_numbers);
  EXPECT_EQ(left_out(exponential).at("large_logits"), "torch's own result overflows there");
}

TEST(CompletePackage, LeavesOutOnlyMasksOfAProduct) {
  EXPECT_THAT(left_out(product_with(normal_numbers)),
              ElementsAre(Pair("masked", "torch's own result overflows there")));
}

TEST(CompletePackage, NamesTheProbesThatItTried) {
  const json tried = product_with(normal_numbers)["domain"]["tried"];
  EXPECT_EQ(tried.size(), all_probes.size());
  EXPECT_EQ(tried.front(), "inputs_times_1000");
}

TEST(CompletePackage, TellsWhetherOperatorsChooseAmongInputs) {
  const json largest = completed(json::array({node("aten::amax", {t(0), json::array({1}), true})}),
                                 {3, 1}, normal_numbers);
  EXPECT_EQ(largest["domain"]["chooses_among_inputs"], true);
  EXPECT_EQ(product_with(normal_numbers)["domain"]["chooses_among_inputs"], false);
}

TEST(CompletePackage, ListsTheStandInsThatTheLimitsReject) {
  const json forward = product_with(normal_numbers)["precision"]["forward"];
  EXPECT_EQ(forward["passes"], true);
  EXPECT_GT(forward["cases"], 5);
  EXPECT_EQ(forward["left_out"], 0);
  EXPECT_GT(forward["outputs"][0]["share"], 0);
  EXPECT_LT(forward["outputs"][0]["share"], 1);
  EXPECT_THAT(forward["rejected"]["arithmetic"],
              ElementsAre("all in bfloat16", "factors in bfloat16", "factors in TF32"));
  EXPECT_THAT(forward["rejected"]["constants"], Contains("zeros as y"));
  EXPECT_THAT(forward["accepted"]["arithmetic"], IsEmpty());
  EXPECT_THAT(forward["accepted"]["constants"], IsEmpty());
}

// The precision of a product, if a call takes so many FLOPs by its package.
json precision_with_flops(double flops) {
  const SmallTasks tasks;
  const TemporaryDirectory scratch{"complete_package"};
  const std::string file =
      tasks.imported(json::array({node("aten::matmul", {t(0), t(1)})}), 2, {3, 4}, normal_numbers)
          .package;
  json package = json::parse(std::ifstream(file));
  for (json& point : package["points"]) point["flops"] = flops;
  std::ofstream(file) << package;
  complete_package(file, scratch.path() / "unpacked");
  return json::parse(std::ifstream(file))["precision"]["forward"];
}

TEST(CompletePackage, JudgesTheCheapestCaseIfNoneIsQuick) {
  const json forward = precision_with_flops(3e10);
  EXPECT_EQ(forward["cases"], 1);
  EXPECT_EQ(forward["passes"], true);
  EXPECT_EQ(forward["left_out"], 4);
}

TEST(CompletePackage, JudgesNothingThatTakesLong) {
  const json forward = precision_with_flops(1e12);
  EXPECT_EQ(forward["cases"], 0);
  EXPECT_THAT(forward["rejected"]["arithmetic"], IsEmpty());
}

TEST(CompletePackage, ListsTheStandInsThatTheLimitsAccept) {
  const json nothing =
      completed(json::array({node("aten::mul.Scalar", {t(0), 0.0})}), {3, 4}, normal_numbers);
  EXPECT_THAT(nothing["precision"]["forward"]["accepted"]["constants"], Contains("zeros as y"));
}

}  // namespace
}  // namespace robust_kbench
