#include "evaluate/probe_cases.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "evaluate/repeated_rows.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/test_plan.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ProbeCasesTest : public testing::Test, public ScriptedSuite {
 protected:
  ProbeCasesTest() {
    write("config_forward.json",
          R"({"small_init_configs": [{}], "small_shared_configs": [{}], "small_input_configs":)"
          R"( [{"size": 7}, {"size": 100}, {"size": 3}, {"size": 50}],)"
          R"( "single_init_configs": [{}], "single_input_configs": [{"size": 64}],)"
          R"( "single_shared_configs": [{}]})");
    m_probed.domain =
        Domain{.inapplicable = {{Probe::masked, "twice the lowest number overflows"}}};
    m_probed.forward_contract.cost = [](const Params& params) {
      return Cost{.flops = static_cast<double>(params.integer("size"))};
    };
  }

  [[nodiscard]] ProbeCases probes(std::uint64_t nonce = 1) const {
    return probe_cases(m_manifest, m_probed, Direction::forward, Device::cpu, nonce);
  }
  [[nodiscard]] std::vector<std::string> cases(const Scope& scope) const {
    std::vector<std::string> names;
    for (const Case& c :
         tested_cases(m_manifest, m_probed, Direction::forward, Device::cpu, scope)) {
      names.push_back(c.name());
    }
    return names;
  }

  Task m_probed = doubling_task();
};

TEST_F(ProbeCasesTest, AreOneSmallAndOneSingleConfigOfEachProbe) {
  std::map<Probe, std::vector<ConfigSet>> sets;
  for (const Case& c : probes().cases) sets[*c.probe].push_back(c.config.set);
  EXPECT_EQ(sets.size(), 13U);  // without weights and gradients
  for (const auto& [probe, of] : sets) {
    EXPECT_THAT(of, ElementsAre(ConfigSet::small, ConfigSet::single)) << to_string(probe);
  }
  EXPECT_THAT(probes().left_out, IsEmpty());
}

TEST_F(ProbeCasesTest, AreOnConfigsOfMuchWorkThatTheNonceChooses) {
  std::set<std::string> configs;
  for (std::uint64_t nonce = 1; nonce <= 20; ++nonce)
    configs.insert(probes(nonce).cases[0].config.name);
  EXPECT_THAT(configs, ElementsAre("small/size_100", "small/size_50"));
  EXPECT_EQ(probes(5).cases[0].name(), probes(5).cases[0].name());
}

TEST_F(ProbeCasesTest, RepeatTheRowOfTheConfigWithMost) {
  for (std::uint64_t nonce = 1; nonce <= 5; ++nonce) {
    const ProbeCases cases = probes(nonce);
    const auto repeated = std::find_if(cases.cases.begin(), cases.cases.end(), [](const Case& c) {
      return c.probe == Probe::repeated_row;
    });
    EXPECT_EQ(repeated->config.name, "small/size_100");
  }
}

TEST_F(ProbeCasesTest, AskForGeneralWeightsWhereTheyAreConstant) {
  m_probed.weights = [](const Params& params) {
    return std::vector<TensorSpec>{
        {"w", {1}, params.integer("size") == 3 ? constant(0.0) : normal()}};
  };
  const ProbeCases cases = probes();
  const auto general = std::find_if(cases.cases.begin(), cases.cases.end(), [](const Case& c) {
    return c.probe == Probe::general_weights;
  });
  EXPECT_EQ(general->config.name, "small/size_3");
}

TEST_F(ProbeCasesTest, LeaveOutConfigsWithSlowReferences) {
  m_probed.forward_contract.cost = [](const Params& params) {
    return Cost{.flops = params.integer("size") == 64 ? 1e12 : 1.0};
  };
  for (const Case& c : probes().cases) EXPECT_EQ(c.config.set, ConfigSet::small);
  EXPECT_THAT(probes().left_out,
              ElementsAre(AllOf(HasSubstr("single configs"), HasSubstr("limit is 0.2 s"))));
}

TEST_F(ProbeCasesTest, AreNoneForATaskWithoutADomain) {
  m_probed.domain.reset();
  EXPECT_THAT(probes().cases, IsEmpty());
}

TEST_F(ProbeCasesTest, ComeLastInAScopeUnlessItIsOfOneConfig) {
  const std::vector<std::string> all = cases({.seeds = 1});
  EXPECT_EQ(all.size(), 4U + 26U);
  EXPECT_THAT(all[4], StartsWith("inputs_times_1000/small/size_"));
  EXPECT_THAT(cases({.seeds = 1, .only_config = "small/size_7"}),
              ElementsAre("small/size_7/seed_1"));
}

TEST_F(ProbeCasesTest, AreChosenByTheNameOfTheProbeOrOfTheCase) {
  EXPECT_THAT(cases({.only_case = "probe.ties", .nonce = 3}),
              ElementsAre(StartsWith("ties/small/"), "ties/single/size_64"));
  EXPECT_THAT(cases({.only_case = "ties/single/size_64"}), ElementsAre("ties/single/size_64"));
  EXPECT_THROW((void)cases({.only_case = "probe.weights_scaled"}), UserError);
}

TEST_F(ProbeCasesTest, AreOneTestOfEachProbe) {
  m_manifest.kernels = {kernel("is right")};
  const TaskRegistry tasks({m_probed});
  std::vector<std::string> names;
  for (const PlannedTest& test : plan_tests(m_manifest, tasks)) {
    if (!test.only_case.starts_with("probe.")) continue;
    names.push_back(test.name);
    EXPECT_EQ(test.count, 2U);
    EXPECT_EQ(test.name, "doubling.forward.is_right." + test.only_case);
  }
  EXPECT_EQ(names.size(), 13U);
  EXPECT_THAT(names, Contains("doubling.forward.is_right.probe.large_logits"));
}

TEST_F(ProbeCasesTest, AreTestedByAnEvaluatorAndTellTheirProperty) {
  Evaluator evaluator(m_manifest, m_probed, Direction::forward, Device::cpu, m_options);
  const Request tested{.scope = {.seeds = 1}, .stages = {Stage::compile, Stage::test}};
  const KernelRecord record = evaluator.submit(kernel("is right"), tested);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.cases.size(), 4U + 26U + 1U);
}

TEST_F(ProbeCasesTest, AreNamedInAPassWhereLeftOut) {
  m_probed.forward_contract.cost = [](const Params& params) {
    return Cost{.flops = params.integer("size") == 64 ? 1e12 : 1.0};
  };
  Evaluator evaluator(m_manifest, m_probed, Direction::forward, Device::cpu, m_options);
  const Request tested{.scope = {.seeds = 1}, .stages = {Stage::compile, Stage::test}};
  const KernelRecord record = evaluator.submit(kernel("is right"), tested);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass);
  EXPECT_THAT(record.judgement.reason, HasSubstr("probes leave out single configs"));
}

TEST(RepeatedRows, Are512WhereTheShapesAllowIt) {
  Task task = doubling_task();
  const Config config{.name = "small/size_17", .params = {{"size", std::int64_t{17}}}};
  const auto rows = [&](const auto& acceptable) {
    const Config longer = with_repeated_rows(task, Direction::forward, config, acceptable);
    return std::pair(longer.name, longer.params.integer("size"));
  };
  const auto any = [](const Params&) { return true; };
  EXPECT_EQ(rows(any), (std::pair<std::string, std::int64_t>("small/size_17", 17)));
  task.shapes = Shapes{.sizes = {{.parameter = "size", .least = 1, .most = 4096, .multiple = 3}}};
  EXPECT_EQ(rows(any), (std::pair<std::string, std::int64_t>("small/size_17.size_513", 513)));
  EXPECT_EQ(rows([](const Params&) { return false; }).second, 17);
  task.shapes->sizes[0].most = 100;
  EXPECT_EQ(rows(any).second, 99);
  task.shapes->valid = [](const Params& params) { return params.integer("size") < 20; };
  EXPECT_EQ(rows(any).second, 17);
}

}  // namespace
}  // namespace robust_kbench
