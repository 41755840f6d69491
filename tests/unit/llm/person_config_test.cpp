#include "llm/person_config.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PersonConfigTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] fs::path file() const { return m_directory / "config.json"; }
  [[nodiscard]] PersonConfig loaded(const std::string& text) const {
    std::ofstream(file()) << text;
    fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write);
    return load_person_config(file());
  }
  [[nodiscard]] std::string refusal(const std::string& text) const {
    try {
      (void)loaded(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no UserError";
  }
};

TEST_F(PersonConfigTest, HoldsCapsAndProviders) {
  const PersonConfig config = loaded(
      R"({"max_usd": 2.5, "max_calls": 7, "providers": {"mine": {"base_url": "https://a.b"}}})");
  EXPECT_EQ(config.cap, (SpendingCap{.micro_usd = MicroDollars{2'500'000}, .calls = 7}));
  EXPECT_EQ(config.providers.at("mine").at("base_url"), "https://a.b");
}

TEST_F(PersonConfigTest, HoldsTheModelsAndPricesOfAProxy) {
  const PersonConfig config = loaded(R"({"providers": {"mine": {"like": "openai"}}})");
  EXPECT_EQ(config.providers.at("mine").at("like"), "openai");
  EXPECT_THAT(refusal(R"({"providers": {"mine": {"prices": 3}}})"),
              HasSubstr("'prices' is 3; give a text"));
}

TEST_F(PersonConfigTest, IsEmptyWithoutTheFile) {
  const PersonConfig config = load_person_config(file());
  EXPECT_FALSE(config.cap.is_set());
  EXPECT_TRUE(config.providers.empty());
}

TEST_F(PersonConfigTest, NamesTheNearestKnownKey) {
  EXPECT_THAT(
      refusal(R"({"max_dollars": 2})"),
      HasSubstr("config.json: the key 'max_dollars' is unknown; did you mean 'max_calls'?"));
  EXPECT_THAT(refusal(R"({"providers": {"mine": {"url": "https://a.b"}}})"),
              HasSubstr("provider 'mine': the key 'url' is unknown; did you mean"));
}

TEST_F(PersonConfigTest, RefusesOtherTypes) {
  EXPECT_THAT(refusal("max_usd = 2"), HasSubstr("is no JSON object"));
  EXPECT_THAT(refusal(R"({"max_usd": "2"})"), HasSubstr("'max_usd' is \"2\"; give a number"));
  EXPECT_THAT(refusal(R"({"max_usd": -2})"), HasSubstr("'max_usd' is '-2'; give dollars"));
  EXPECT_THAT(refusal(R"({"providers": []})"), HasSubstr("'providers' is no object"));
  EXPECT_THAT(refusal(R"({"providers": {"mine": {"command": "run"}}})"),
              HasSubstr("'command' is \"run\"; give a list of texts"));
}

TEST_F(PersonConfigTest, IsWrittenByItsOwnerAlone) {
  (void)loaded("{}");
  fs::permissions(file(), fs::perms::group_write, fs::perm_options::add);
  try {
    (void)load_person_config(file());
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("may be written by others; run: chmod go-w "));
  }
}

TEST_F(PersonConfigTest, BelongsToTheUserOfTheCommand) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  (void)loaded("{}");
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(chown(file().c_str(), nobody, nobody), 0);
  EXPECT_THROW((void)load_person_config(file()), UserError);
}

}  // namespace
}  // namespace robust_kbench
