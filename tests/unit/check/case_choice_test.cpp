#include "check/case_choice.hpp"

#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::SizeIs;

// Three small configs and two single ones on two seeds each, two drawn ones and two probes.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](ConfigSet set, const std::string& name, std::optional<Probe> probe = {}) {
    cases.push_back({.config = {.set = set, .name = name}, .seed = cases.size(), .probe = probe});
  };
  for (const char* name : {"small/a", "small/b", "small/c"}) {
    add(ConfigSet::small, name);
    add(ConfigSet::small, name);
  }
  for (const char* name : {"single/a", "single/b"}) {
    add(ConfigSet::single, name);
    add(ConfigSet::single, name);
  }
  add(ConfigSet::drawn, "drawn_1");
  add(ConfigSet::drawn, "drawn_2");
  add(ConfigSet::small, "small/a", Probe::ties);
  add(ConfigSet::small, "small/a", Probe::weights_scaled);
  return cases;
}

// The chosen cases of `cases`, if each takes `seconds`.
std::vector<std::size_t> called(const std::vector<Case>& cases, double seconds,
                                std::optional<SlowCallLimit> limit, std::uint64_t key = 1,
                                bool refuses_drawn = false) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  CaseChoice choice(cases, order, limit, key);
  std::vector<std::size_t> indices;
  while (const auto next = choice.next()) {
    indices.push_back(*next);
    CaseRecord record{.calls = 3, .kernel_seconds = seconds};
    record.refused = refuses_drawn && cases[*next].config.set == ConfigSet::drawn;
    choice.called(record);
  }
  return indices;
}

std::map<std::string, int> kinds(const std::vector<Case>& cases,
                                 const std::vector<std::size_t>& indices) {
  std::map<std::string, int> counts;
  for (const std::size_t i : indices) {
    ++counts[cases[i].probe ? "probe" : std::string(to_string(cases[i].config.set))];
  }
  return counts;
}

TEST(SlowCallLimit, CountsCallsThatAreSlowByThemselvesAndAgainstTheReference) {
  const SlowCallLimit limit;
  EXPECT_EQ(limit.cost({.calls = 3, .kernel_seconds = 9, .reference_seconds = 0.01}), 9);
  EXPECT_EQ(limit.cost({.calls = 3, .kernel_seconds = 9, .reference_seconds = 1}), 0);
  EXPECT_EQ(limit.cost({.calls = 3, .kernel_seconds = 0.5, .reference_seconds = 0.001}), 0);
}

TEST(CaseChoice, GivesAllInOrderWhereThereIsTime) {
  const std::vector<Case> cases = all_cases();
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  EXPECT_EQ(called(cases, 100, std::nullopt), order);
  EXPECT_EQ(called(cases, 1, SlowCallLimit{.seconds = 60}), order);
  EXPECT_EQ(called(cases, 0.1, SlowCallLimit{.seconds = 0.1}), order) << "no call is slow";
}

TEST(CaseChoice, GivesOneOfEachKindWhateverItCosts) {
  const std::vector<Case> cases = all_cases();
  for (const double seconds : {0.0, 1.0, 30.0}) {
    const auto indices = called(cases, 100, SlowCallLimit{.seconds = seconds});
    EXPECT_EQ(kinds(cases, indices),
              (std::map<std::string, int>{{"small", 1}, {"single", 1}, {"drawn", 1}, {"probe", 1}}))
        << seconds;
  }
}

// Four cases use up half of the 60 s. Three kinds take 27 s more, and another case would exceed 60
// s.
TEST(CaseChoice, EndsBeforeTheTimeIsOver) {
  const std::vector<Case> cases = all_cases();
  EXPECT_THAT(called(cases, 9, SlowCallLimit{.seconds = 60}), SizeIs(7));
}

// Five cases and three kinds leave time for one more case, which is no second seed of small/c.
TEST(CaseChoice, PrefersConfigsThatHadNone) {
  const std::vector<Case> cases = all_cases();
  const auto indices = called(cases, 9, SlowCallLimit{.seconds = 84});
  ASSERT_THAT(indices, SizeIs(9));
  std::set<std::string> different;
  for (const std::size_t i : indices) {
    different.insert((cases[i].probe ? "probe/" + std::string(to_string(*cases[i].probe)) : "") +
                     cases[i].config.name);
  }
  EXPECT_THAT(different, SizeIs(7));
}

TEST(CaseChoice, DrawsThoseThatAreLeft) {
  const std::vector<Case> cases = all_cases();
  const auto first = called(cases, 100, SlowCallLimit{.seconds = 0}, 1);
  std::vector<std::vector<std::size_t>> others;
  for (std::uint64_t key = 2; key < 12; ++key) {
    others.push_back(called(cases, 100, SlowCallLimit{.seconds = 0}, key));
  }
  EXPECT_THAT(others, Contains(testing::Ne(first)));
}

TEST(CaseChoice, CountsNoRefusalAsACase) {
  const std::vector<Case> cases = all_cases();
  const auto indices = called(cases, 100, SlowCallLimit{.seconds = 0}, 1, /*refuses_drawn=*/true);
  EXPECT_EQ(kinds(cases, indices)["drawn"], 2);
}

}  // namespace
}  // namespace robust_kbench
