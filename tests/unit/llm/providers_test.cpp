#include "llm/providers.hpp"

#include <fstream>

#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ProvidersTest : public ArchiveDirectory {
 protected:
  ProvidersTest() {
    std::ofstream(table()) << R"({
      "openai": {"wire": "openai", "base_url": "https://api.openai.com/v1",
                 "base_url_variable": "OPENAI_BASE_URL", "key_variable": "OPENAI_API_KEY"},
      "ollama": {"wire": "openai", "base_url": "http://127.0.0.1:11434/v1"}})";
  }
  [[nodiscard]] std::filesystem::path table() const { return m_directory / "providers.json"; }
  [[nodiscard]] Providers used(const std::vector<std::string>& models,
                               const json& committed = json::object(),
                               const PersonConfig& config = {}) const {
    return used_providers(known_providers(table(), config), models, committed, m_surroundings,
                          config);
  }
  [[nodiscard]] std::string refusal(const std::vector<std::string>& models,
                                    const json& committed = json::object(),
                                    const PersonConfig& config = {}) const {
    try {
      (void)used(models, committed, config);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no UserError";
  }
  static PersonConfig configured(const json& providers) { return {.providers = providers}; }

  Surroundings m_surroundings{.configuration = "/home/me/config.json"};
};

TEST_F(ProvidersTest, ArePairedWithKeysByTheTable) {
  const Providers providers = used({"openai/a", "openai/b", "ollama/c"});
  EXPECT_EQ(to_json(providers),
            json({{"openai",
                   {{"wire", "openai"},
                    {"base_url", "https://api.openai.com/v1"},
                    {"key_variable", "OPENAI_API_KEY"}}},
                  {"ollama", {{"wire", "openai"}, {"base_url", "http://127.0.0.1:11434/v1"}}}}));
  EXPECT_THAT(key_variables(providers), ElementsAre("OPENAI_API_KEY"));
  EXPECT_TRUE(key_variables(used({"ollama/c"})).empty());
}

TEST_F(ProvidersTest, MoveByAVariableOfThePersons) {
  m_surroundings.variables["OPENAI_BASE_URL"] = "http://localhost:8000/v1";
  EXPECT_EQ(used({"openai/a"}).at("openai").base_url, "http://localhost:8000/v1");
  m_surroundings.variables["OPENAI_BASE_URL"] = "http://example.com/v1";
  EXPECT_THAT(refusal({"openai/a"}),
              HasSubstr("OPENAI_BASE_URL: 'http://example.com/v1' is plain"));
}

TEST_F(ProvidersTest, DoNotMoveByAVariableBelowABuildTool) {
  m_surroundings.variables["OPENAI_BASE_URL"] = "https://example.com/v1";
  m_surroundings.build_tool = "cmake";
  EXPECT_THAT(refusal({"openai/a"}),
              AllOf(HasSubstr("OPENAI_BASE_URL does not count below cmake"),
                    HasSubstr(R"(put "providers": {"openai":{"base_url":"https://example.com/v1"}})"
                              " into /home/me/config.json")));
  EXPECT_EQ(used({"ollama/c"}).size(), 1);  // it is not asked
  const PersonConfig config = configured({{"openai", {{"base_url", "https://proxy.example/v1"}}}});
  EXPECT_EQ(used({"openai/a"}, json::object(), config).at("openai").base_url,
            "https://proxy.example/v1");
}

TEST_F(ProvidersTest, AreAddedByTheConfiguration) {
  const PersonConfig config =
      configured({{"mine",
                   {{"wire", "anthropic"},
                    {"base_url", "https://mine.example"},
                    {"key_variable", "MINE_KEY"}}},
                  {"program", {{"wire", "command"}, {"command", {"claude", "-p"}}}}});
  const Providers providers = used({"mine/a", "program/b"}, json::object(), config);
  EXPECT_THAT(key_variables(providers), ElementsAre("MINE_KEY"));
  EXPECT_EQ(to_json(providers).at("program"),
            json({{"wire", "command"}, {"command", {"claude", "-p"}}}));
}

TEST_F(ProvidersTest, MayOfferTheModelsOfAnother) {
  std::ofstream(table()) << R"({
    "anthropic": {"wire": "anthropic", "base_url": "https://api.anthropic.com",
                  "key_variable": "ANTHROPIC_API_KEY", "prices": "anthropic-list",
                  "listed_prefix": "models/"}})";
  const json proxy{{"like", "anthropic"}, {"base_url", "https://proxy.example"}};
  const PersonConfig config = configured({{"mine", proxy}});
  json expected{{"like", "anthropic"},
                {"wire", "anthropic"},
                {"prices", "anthropic-list"},
                {"listed_prefix", "models/"},
                {"base_url", "https://proxy.example"}};
  EXPECT_EQ(to_json(used({"mine/a"}, json::object(), config)), json({{"mine", expected}}));
  json other = proxy;
  other["prices"] = expected["prices"] = "azure";
  EXPECT_EQ(to_json(used({"mine/a"}, json::object(), configured({{"mine", other}}))),
            json({{"mine", expected}}));
}

TEST_F(ProvidersTest, AreCheckedInTheConfiguration) {
  const auto because = [&](const json& entry) {
    return refusal({"ollama/c"}, json::object(), configured({{"mine", entry}}));
  };
  EXPECT_THAT(because({{"wire", "openai"}, {"base_url", "http://example.com"}}),
              HasSubstr("provider 'mine': 'http://example.com' is plain http"));
  EXPECT_THAT(because({{"base_url", "https://example.com"}}), HasSubstr("'wire' is ''"));
  EXPECT_THAT(because({{"wire", "command"}}), HasSubstr("has no 'command'"));
  EXPECT_THAT(because({{"like", "nobody"}, {"base_url", "https://example.com"}}),
              HasSubstr("'like' is \"nobody\"; give one of ollama, openai"));
  EXPECT_THAT(because({{"wire", "command"}, {"command", {"claude"}}, {"prices", "openai"}}),
              HasSubstr("is a program, whose answers have no price"));
}

TEST_F(ProvidersTest, AreNotMovedByARepository) {
  EXPECT_EQ(refusal({"openai/a"}, {{"openai", {{"base_url", "https://evil.example/v1"}}}}),
            "the settings name a host, key, price list or program for the provider 'openai' that "
            "you have not "
            "named yourself; to allow it, put \"providers\": "
            "{\"openai\":{\"base_url\":\"https://evil.example/v1\"}} into /home/me/config.json");
  EXPECT_THAT(refusal({"ollama/c"}, {{"ollama", {{"key_variable", "OPENAI_API_KEY"}}}}),
              HasSubstr("for the provider 'ollama'"));
  EXPECT_THAT(refusal({"openai/a"}, {{"openai", {{"prices", "a-cheap-one"}}}}),
              HasSubstr("for the provider 'openai'"));
  EXPECT_THAT(refusal({"ollama/c"}, {{"new", {{"wire", "command"}, {"command", {"steal"}}}}}),
              HasSubstr("for the provider 'new'"));
}

TEST_F(ProvidersTest, MayBeRepeatedByARepository) {
  const json committed{{"openai", {{"base_url", "https://api.openai.com/v1"}}}};
  EXPECT_EQ(used({"openai/a"}, committed).size(), 1);
  const json mine{{"mine", {{"wire", "openai"}, {"base_url", "https://mine.example"}}}};
  EXPECT_EQ(used({"mine/a"}, mine, configured(mine)).size(), 1);
}

TEST_F(ProvidersTest, AreNamedWhereOneIsUnknown) {
  EXPECT_THAT(refusal({"nobody/a"}), HasSubstr("known: ollama, openai"));
  EXPECT_THAT(refusal({"gpt"}), HasSubstr("write it as provider/name"));
  EXPECT_THAT(refusal({"openai/"}), HasSubstr("write it as provider/name"));
}

}  // namespace
}  // namespace robust_kbench
