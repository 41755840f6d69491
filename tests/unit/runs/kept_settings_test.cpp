#include "runs/kept_settings.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

EvolutionSettings with_models(std::vector<std::string> models) {
  EvolutionSettings settings;
  settings.models = std::move(models);
  return settings;
}

void require(const EvolutionSettings& own, const EvolutionSettings& wanted) {
  require_same_settings("task.1", own, wanted);
}

TEST(SameSettings, NameTheSettingThatDiffers) {
  EvolutionSettings wanted;
  wanted.reflections = 3;
  try {
    require({}, wanted);
    FAIL() << "they differ";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run task.1 has reflections=1, and a run keeps"));
    EXPECT_THAT(error.what(), HasSubstr("leave out what asks for reflections=3"));
  }
}

TEST(SameSettings, KeepTheModelsOfTheRun) {
  const EvolutionSettings own = with_models({"a/one"});
  EXPECT_NO_THROW(require(own, own));
  EXPECT_THROW(require(own, with_models({"b/two"})), UserError);
  EXPECT_NO_THROW(require(own, with_models({}))) << "which means the default that it had";
  EXPECT_NO_THROW(require(with_models({}), own)) << "it stayed offline, and asks none";
}

TEST(SameSettings, AllowWhatAutoCameToMean) {
  EvolutionSettings own;
  own.proposers = {"transform", "tune"};
  EXPECT_NO_THROW(require(own, {}));
}

}  // namespace
}  // namespace robust_kbench
