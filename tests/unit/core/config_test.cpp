#include "core/config.hpp"

#include "core/case.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const Params defaults{{"batch_size", std::int64_t{16}},
                      {"features", std::int64_t{8}},
                      {"eps", 1e-5},
                      {"init_method", std::string("normal")}};

std::vector<Config> expand(const json& file, ConfigSet set = ConfigSet::multi,
                           const std::vector<std::string>& ignored = {}) {
  return expand_configs(file, "config_forward.json", set, defaults, ignored);
}

std::string message_of(const json& file) {
  try {
    expand(file);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no UserError";
}

std::vector<std::string> names_of(const std::vector<Config>& configs) {
  std::vector<std::string> names;
  for (const Config& config : configs) names.push_back(config.name);
  return names;
}

TEST(ExpandConfigs, CrossesInitInputAndShared) {
  const json file{
      {"multi_init_configs", {{{"init_method", "xavier"}}, {{"init_method", "kaiming"}}}},
      {"multi_input_configs", {{{"batch_size", 4}}, {{"batch_size", 64}}}},
      {"multi_shared_configs", {{{"features", 10}}}}};
  EXPECT_THAT(names_of(expand(file)),
              ElementsAre("multi/batch_size_4.features_10.init_method_xavier",
                          "multi/batch_size_64.features_10.init_method_xavier",
                          "multi/batch_size_4.features_10.init_method_kaiming",
                          "multi/batch_size_64.features_10.init_method_kaiming"));
}

TEST(ExpandConfigs, SharedIsAppliedLastAndOverrides) {
  const json file{{"multi_init_configs", {{{"features", 1}}}},
                  {"multi_input_configs", {{{"features", 2}}}},
                  {"multi_shared_configs", {{{"features", 3}}}}};
  EXPECT_EQ(expand(file).at(0).params.integer("features"), 3);
}

TEST(ExpandConfigs, KeepsDefaultsThatTheFileLeavesOut) {
  const json file{{"multi_init_configs", {json::object()}},
                  {"multi_input_configs", {{{"batch_size", 4}}}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(expand(file).at(0).params.integer("features"), 8);
  EXPECT_EQ(expand(file).at(0).params.text("init_method"), "normal");
}

TEST(ExpandConfigs, RunsIdenticalConfigsOnce) {
  const json file{{"multi_init_configs", {json::object(), json::object()}},
                  {"multi_input_configs", {{{"batch_size", 4}}}},
                  {"multi_shared_configs", {json::object(), json::object()}}};
  EXPECT_EQ(expand(file).size(), 1);
}

TEST(ExpandConfigs, IgnoresDeclaredKeysEvenForIdentity) {
  const json file{{"multi_init_configs", {{{"kernel_size", 2}}, {{"kernel_size", 3}}}},
                  {"multi_input_configs", {json::object()}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(expand(file, ConfigSet::multi, {"kernel_size"}).size(), 1);
}

TEST(ExpandConfigs, NamesHoldOnlyCharactersSafeInAGoogleTestFilter) {
  const json file{{"multi_init_configs", {{{"eps", 1e-8}}}},
                  {"multi_input_configs", {json::object()}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(expand(file).at(0).name, "multi/eps_1e_08");
}

TEST(ExpandConfigs, ASetThatTheFileLacksIsEmpty) {
  EXPECT_TRUE(expand(json::object(), ConfigSet::small).empty());
}

TEST(ExpandConfigs, RefusesUnknownKeysAndNamesTheKnownOnes) {
  const json file{{"multi_init_configs", {{{"batchsize", 4}}}},
                  {"multi_input_configs", {json::object()}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(message_of(file),
            "config_forward.json: key 'batchsize' is no parameter of the task; did you mean "
            "'batch_size'? known: batch_size, "
            "eps, features, init_method");
}

TEST(ExpandConfigs, RefusesAValueOfAnotherType) {
  const json file{{"multi_init_configs", {{{"batch_size", "many"}}}},
                  {"multi_input_configs", {json::object()}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(message_of(file),
            "config_forward.json: 'batch_size' is \"many\", expected an integer like the task's "
            "default 16");
}

TEST(ExpandConfigs, RefusesAnIntegerThatIsTooLarge) {
  const json file{{"multi_init_configs", {json::object()}},
                  {"multi_input_configs", {{{"batch_size", 9223372036854775808ULL}}}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_EQ(message_of(file),
            "config_forward.json: 'batch_size' is 9223372036854775808, expected at most "
            "9223372036854775807");
}

TEST(ExpandConfigs, RefusesUnknownLists) {
  EXPECT_THAT(message_of({{"tiny_init_configs", {json::object()}}}),
              HasSubstr("tiny_init_configs"));
}

TEST(ExpandConfigs, RefusesInitAndInputThatDisagree) {
  const json file{{"multi_init_configs", {{{"features", 1}}}},
                  {"multi_input_configs", {{{"features", 2}}}},
                  {"multi_shared_configs", {json::object()}}};
  EXPECT_THAT(message_of(file), HasSubstr("'features' is 1 for init and 2 for input"));
}

TEST(TestName, HoldsTheSeedAndOnlySafeCharacters) {
  const Case c{.config = {.name = "small/batch_size_4"}, .seed = 3};
  EXPECT_EQ(test_name({"mnist_linear", Direction::backward}, "my-kernel", c.name()),
            "mnist_linear.backward.my_kernel.small/batch_size_4/seed_3");
}

}  // namespace
}  // namespace robust_kbench
