#include "evolve/settings.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::string error_of(const nlohmann::json& json) {
  try {
    EvolutionSettings settings;
    apply_settings(settings, json, "settings.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(EvolutionSettings, AreReadBackFromTheirJson) {
  EvolutionSettings settings;
  for (const char* assignment : {"seed=7", "minutes=0.5", "deduplicate=false", "configs=small",
                                 "proposers=tune,command", "command=[\"sh\", \"-c\", \"a,b\"]"}) {
    apply_setting(settings, assignment);
  }
  EXPECT_EQ(settings.command.back(), "a,b");
  EvolutionSettings again;
  apply_settings(again, to_json(settings), "again");
  EXPECT_EQ(again, settings);
}

TEST(EvolutionSettings, NameTheNearestKeyToAnUnknownOne) {
  EXPECT_THAT(error_of({{"minuts", 1}}), testing::HasSubstr("did you mean 'minutes'"));
}

TEST(EvolutionSettings, RefuseValuesOfAnotherTypeOrOutsideOfTheirRange) {
  EXPECT_THAT(error_of({{"minutes", "long"}}), testing::HasSubstr("give a number from 0.1"));
  EXPECT_THAT(error_of({{"population", 0}}), testing::HasSubstr("give an integer from 1"));
  EXPECT_THAT(error_of({{"population", 1.5}}), testing::HasSubstr("give an integer"));
  EXPECT_THAT(error_of({{"proposers", {"oracle"}}}), testing::HasSubstr("\"transform\""));
  EXPECT_THAT(error_of({{"proposers", {"tune", "llm", "tune"}}}),
              testing::HasSubstr("give each of them once"));
  EXPECT_THAT(error_of({{"deduplicate", 1}}), testing::HasSubstr("true or false"));
  for (const char* temperature : {"warm", "3", "1 ", ""}) {
    EXPECT_THAT(error_of({{"temperatures", {"0", temperature}}}),
                testing::HasSubstr("give a number from 0 to 2, or auto"));
    EXPECT_THAT(error_of({{"verifier_temperature", temperature}}),
                testing::HasSubstr("give a number from 0 to 2, or auto"));
  }
  EXPECT_EQ(error_of({{"temperatures", {"auto", "0.75"}}, {"writer_temperature", "auto"}}), "none");
  EXPECT_THAT(error_of(nlohmann::json::array()), testing::HasSubstr("no JSON object"));
}

TEST(EvolutionSettings, HaveASchemaOfEveryKey) {
  const nlohmann::json schema = settings_schema();
  const nlohmann::json defaults = to_json(EvolutionSettings{});
  for (const auto& [key, value] : defaults.items()) {
    EXPECT_EQ(schema["properties"][key]["default"], value) << key;
  }
}

}  // namespace
}  // namespace robust_kbench
