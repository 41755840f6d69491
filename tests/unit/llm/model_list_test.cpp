#include "llm/model_list.hpp"

#include <fstream>

#include "core/error.hpp"
#include "llm/helper_program.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::SizeIs;

class ModelListTest : public testing::Test {
 protected:
  [[nodiscard]] ModelList loaded(const std::string& text) const {
    const auto file = m_directory.path() / "models.json";
    std::ofstream(file) << text;
    return load_model_list(file);
  }
  TemporaryDirectory m_directory{"model_list_test"};
};

constexpr const char* small = R"({
  "date": "2026-11-25",
  "defaults": {"a": {"proposer": "large", "verifier": "small"}},
  "paper": {"proposers": ["a/old", "a/large"], "verifier": "a/old", "translator": "a/large",
            "tuner": "a/small"},
  "replacements": {"a/old": {"by": "a/large", "retired": "2026-10-23"}}})";

TEST_F(ModelListTest, NamesModelsWithTheirProviders) {
  const ModelList list = loaded(small);
  EXPECT_EQ(list.date, "2026-11-25");
  EXPECT_EQ(list.defaults.at("a").proposer, "a/large");
  EXPECT_EQ(list.defaults.at("a").verifier, "a/small");
  EXPECT_THAT(list.paper_proposers, ElementsAre("a/old", "a/large"));
  EXPECT_EQ(list.paper_verifier, "a/old");
}

TEST_F(ModelListTest, ReplacesAModelFromTheDayItIsRetired) {
  const ModelList list = loaded(small);
  EXPECT_EQ(list.in_use("a/old", "2026-10-22"), "a/old");
  EXPECT_EQ(list.in_use("a/old", "2026-10-23"), "a/large");
  EXPECT_EQ(list.in_use("a/unknown", "2026-10-23"), "a/unknown");
}

TEST_F(ModelListTest, OfTheHelperHasThePapersModelsOnBothWires) {
  const HelperProgram program{.sources = RKB_LLM, .venv = {}, .python = {}};
  const ModelList list = load_model_list(program.models());
  EXPECT_THAT(list.paper_proposers, SizeIs(5));
  std::vector<std::string> providers;
  for (const std::string& model : list.paper_proposers) {
    providers.push_back(model.substr(0, model.find('/')));
    // A replacement must not be retired before the model that it replaces.
    EXPECT_EQ(list.in_use(list.in_use(model, list.date), list.date), list.in_use(model, list.date));
  }
  EXPECT_THAT(providers, IsSupersetOf({"openai", "anthropic", "google"}));
}

TEST_F(ModelListTest, RefusesAFileOfAnotherForm) {
  EXPECT_THROW((void)loaded("{}"), HarnessError);
  EXPECT_THROW((void)loaded("no JSON"), HarnessError);
  EXPECT_THROW((void)load_model_list(m_directory.path() / "missing.json"), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
