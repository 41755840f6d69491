#include "prompt/prompt_data.hpp"

#include "prompt/machine_facts.hpp"
#include "prompt/recommendations.hpp"
#include "scaling_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

class PromptDataTest : public testing::Test {
 protected:
  static Candidate candidate(std::int64_t id, double cost) {
    return {.id = id,
            .name = "idea " + std::to_string(id),
            .text = "source " + std::to_string(id),
            .cost = cost};
  }

  json proposal(const Candidate& parent, std::vector<const Candidate*> others,
                std::size_t shown = 5) {
    const ProposalRequest request{.parent = parent, .context = std::move(others), .tried = m_tried};
    return proposal_data(m_subject, {.request = request,
                                     .example = StartingSource{"int example;", true},
                                     .headers = m_headers,
                                     .shown = shown});
  }

  Task m_task = scaling_task();
  PromptSubject m_subject{.task = m_task, .reference = {scaling_reference, "python"}};
  std::vector<LocalHeader> m_headers;
  std::vector<TriedStrategy> m_tried;
};

TEST_F(PromptDataTest, ShowsTheFastestKernelsFromTheSlowestToTheFastest) {
  const Candidate parent = candidate(1, 0.25);
  const Candidate slow = candidate(2, 1);
  const Candidate middle = candidate(3, 0.5);
  const json all = proposal(parent, {&middle, &slow})["kernels"];
  EXPECT_EQ(all, json::parse(R"([
      {"idea": "idea 2", "speedup": 1.0, "code": "source 2", "to_beat": false},
      {"idea": "idea 3", "speedup": 2.0, "code": "source 3", "to_beat": false},
      {"idea": "idea 1", "speedup": 4.0, "code": "source 1", "to_beat": true}])"));
  const json two = proposal(parent, {&middle, &slow, &parent}, 2)["kernels"];
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two[0]["code"], "source 3");
  EXPECT_EQ(two[1]["code"], "source 1");
}

TEST_F(PromptDataTest, ShowsTheParentAmongFasterKernels) {
  const Candidate parent = candidate(1, 1);
  const Candidate fast = candidate(2, 0.25);
  const Candidate fastest = candidate(3, 0.125);
  const json kernels = proposal(parent, {&fastest, &fast}, 2)["kernels"];
  ASSERT_EQ(kernels.size(), 2);
  EXPECT_EQ(kernels[0]["to_beat"], true);
  EXPECT_EQ(kernels[1]["code"], "source 3");
}

TEST_F(PromptDataTest, ShowsTheExamplesSourceOnce) {
  Candidate parent = candidate(1, 1);
  parent.text = "int example;";
  EXPECT_TRUE(proposal(parent, {})["kernels"].at(0).at("code").is_null());
}

// A kernel that the run begins with may be allowed more, and what is proposed beside it is, too.
TEST_F(PromptDataTest, ListsNoClassThatTheParentIsAllowed) {
  m_subject.refused = {Capability::clocks, Capability::files};
  Candidate parent = candidate(1, 1);
  const auto refused = [&] { return proposal(parent, {})["contract"]["refused"]; };
  EXPECT_EQ(refused().size(), 2);
  parent.kernel.allowed = {Capability::clocks};
  ASSERT_EQ(refused().size(), 1);
  EXPECT_EQ(refused()[0]["name"], "files");
}

TEST_F(PromptDataTest, ShowsTheHeadersOfShownKernels) {
  m_headers = {{"sums.hpp", "int sums;"}, {"gemm.hpp", "int gemm;"}};
  Candidate parent = candidate(1, 1);
  EXPECT_TRUE(proposal(parent, {})["headers"].empty());
  parent.text = "#include \"../../common/sums.hpp\"\n";
  EXPECT_EQ(proposal(parent, {})["headers"],
            json::parse(R"([{"name": "sums.hpp", "code": "int sums;"}])"));
}

TEST_F(PromptDataTest, TellsTheGapToTheRoofline) {
  ConfigTimingRecord known{
      .config = "single/a",
      .roofline = RooflineRecord{.us = 4, .bound = "memory, 3 TB/s"},
      .subjects = {{.subject = "eager", .median_us = 9}, {.subject = "kernel", .median_us = 8}}};
  ConfigTimingRecord unknown{.config = "small/b", .subjects = {{.subject = "kernel"}}};
  Candidate parent = candidate(1, 1);
  parent.timings = {known, unknown, {.config = "not timed"}};
  EXPECT_EQ(proposal(parent, {})["timings"], json::parse(R"([
      {"config": "single/a", "us": 8.0, "least_us": 4.0, "bound": "memory, 3 TB/s"},
      {"config": "small/b", "us": 0.0, "least_us": null, "bound": ""}])"));
}

TEST_F(PromptDataTest, TellsTheLatestOfWhatWasTried) {
  for (int i = 0; i < 100; ++i) m_tried.push_back({std::to_string(i), "slower", 0.5});
  m_tried.push_back({.strategy = "last", .outcome = "compile_error", .reason = "k.cpp:3: no x"});
  const json tried = proposal(candidate(1, 1), {})["tried"];
  EXPECT_EQ(tried.size(), 40);
  EXPECT_EQ(tried.back(),
            json::parse(R"({"strategy": "last", "outcome": "compile_error", "speedup": null,
                            "reason": "k.cpp:3: no x"})"));
}

TEST_F(PromptDataTest, SaysWhatMustStay) {
  Candidate parent = candidate(1, 1);
  EXPECT_EQ(proposal(parent, {})["frozen"], false);
  parent.text = "// frozen: begin\nint x;\n// frozen: end\n";
  EXPECT_EQ(proposal(parent, {})["frozen"], true);
  EXPECT_EQ(repair_data(m_subject, {parent.text, "compile_error", "x"})["frozen"], true);
}

TEST_F(PromptDataTest, ShowsVerifiersNoComments) {
  const json data =
      verification_data(m_subject, Verifier::memory, "int a;  // it is right\nint b;\n", "");
  EXPECT_EQ(data["code"], "int a;\nint b;\n");
  EXPECT_TRUE(data["instructions"].is_null());
  EXPECT_EQ(data["classes"][0], "none");
  const json again = reflection_data(m_subject, Verifier::memory, "/* */x", "Look.", "right");
  EXPECT_EQ(again["verifier"], "memory");
  EXPECT_EQ(again["instructions"], "Look.");
  EXPECT_EQ(again["answer"], "right");
  EXPECT_EQ(again["code"], " x");
}

TEST_F(PromptDataTest, ShowsAnEarlierAnswerWithoutASource) {
  const Candidate parent = candidate(1, 1);
  const ProposalRequest request{.parent = parent, .context = {}};
  const json data =
      proposal_data(m_subject, {.request = request,
                                .example = {},
                                .earlier_answer = {{"words", "malformed", "no element"}}});
  EXPECT_EQ(data["earlier_answer"], json({{"text", "words"}, {"reason", "no element"}}));
  EXPECT_TRUE(proposal(parent, {})["earlier_answer"].is_null());
}

TEST_F(PromptDataTest, ShowsAFirstTranslationNoAttempt) {
  const json first = translation_data(m_subject, {});
  EXPECT_EQ(first["attempt"], 1);
  EXPECT_TRUE(first["last_code"].is_null());
  const json third = translation_data(
      m_subject, {.attempt = 3, .failed = {{"w", "malformed", "d"}, {"x", "crash", "e"}}});
  EXPECT_EQ(third["last_code"], "x");
  EXPECT_EQ(third["last_error"], "e");
  EXPECT_EQ(third["earlier_errors"], json::parse(R"(["d"])"));
}

TEST_F(PromptDataTest, PutsProfilesIntoWords) {
  ProfileRecord profile;
  profile.findings = {{.tool = "ncu",
                       .what = "occupancy",
                       .value = 12.5,
                       .unit = "%",
                       .meaning = "Few warps.",
                       .where = {.kernel = "sum", .line = 7}}};
  profile.advice = {{.kernel = "sum", .text = "Use smaller blocks."}};
  const json data = profile_data(Device::cuda, "x", profile);
  EXPECT_EQ(data["findings"],
            json::parse(R"(["ncu: occupancy 12.5 % in sum at line 7. Few warps."])"));
  EXPECT_EQ(data["advice"], json::parse(R"(["sum: Use smaller blocks."])"));
}

TEST(AdviceTexts, QuoteTheLinesOfTheSource) {
  ProfileRecord profile;
  profile.advice = {{.text = "Vectorize.",
                     .because = {{.where = {.file = "/a/kernel.cpp", .line = 2}},
                                 {.where = {.file = "/a/sums.hpp", .line = 1}},
                                 {.where = {.file = "/a/kernel.cpp", .line = 2}}}}};
  EXPECT_EQ(advice_texts(profile, "int a;\n  for (;;) {\n}\n"),
            std::vector<std::string>{"Vectorize.\n   Line 2: `for (;;) {`"});
}

TEST(TargetFacts, NameAnH100AndSayThatNothingWasMeasured) {
  const std::vector<std::string> facts = target_facts();
  EXPECT_THAT(facts.front(), HasSubstr("NVIDIA H100 80GB HBM3, compute capability 9.0, 132 "));
  EXPECT_THAT(facts, Contains(HasSubstr("49152 bytes of shared memory, or 232448 where")));
  EXPECT_THAT(facts, Contains("L2 cache 50 MiB, memory 81920 MiB with 3350 GB/s"));
  EXPECT_THAT(facts.back(), HasSubstr("nothing could be run or measured"));
}

TEST(Recommendations, AreDrawnByTheSeedAlone) {
  std::vector<std::string> all;
  for (const Recommendation& one : recommendations(Device::cuda)) all.push_back(one.text);
  const auto one = drawn_recommendations(Device::cuda, 0.5, 1, {});
  EXPECT_EQ(drawn_recommendations(Device::cuda, 0.5, 1, {}), one);
  EXPECT_NE(drawn_recommendations(Device::cuda, 0.5, 2, {}), one);
  EXPECT_THAT(one, IsSubsetOf(all));
  EXPECT_EQ(drawn_recommendations(Device::cuda, 0, 1, {}), all);
  EXPECT_TRUE(drawn_recommendations(Device::cpu, 1, 1, {}).empty());
}

TEST(Recommendations, NameNothingThatTheKernelDoes) {
  const auto shown = [](std::string_view source) {
    return drawn_recommendations(Device::cpu, 0, 1, techniques_in(source));
  };
  EXPECT_THAT(shown("int x;"), Contains(HasSubstr("AVX intrinsics")));
  EXPECT_THAT(shown("_mm256_add_ps(a, b);"), Not(Contains(HasSubstr("AVX intrinsics"))));
  EXPECT_THAT(shown("at::parallel_for(0, n, 1, f);"), Not(Contains(HasSubstr("to threads"))));
  const auto on_gpu = drawn_recommendations(Device::cuda, 0, 1, techniques_in("float4 x;"));
  EXPECT_EQ(on_gpu.size(), recommendations(Device::cuda).size() - 1);
  EXPECT_THAT(on_gpu, Not(Contains(HasSubstr("float4"))));
}

}  // namespace
}  // namespace robust_kbench
