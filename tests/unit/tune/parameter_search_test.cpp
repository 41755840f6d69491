#include "tune/parameter_search.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TunableSpace space_of(const std::string& restriction) {
  return TunableSpace::of(
      "constexpr int a = 1;  // tune: 1, 2, 3, 4, 5, 6, 7, 8\n"
      "constexpr int b = 1;  // tune: 1, 2, 3, 4, 5, 6, 7, 8\n"
      "constexpr int c = 1;  // tune: 1, 2, 3, 4, 5, 6, 7, 8\n"
      "constexpr int fixed = 1;  // tune: 1\n" +
      restriction);
}

double cost(const Setting& setting) {
  double sum = 0;
  for (const auto& [name, value] : setting) sum += (std::stoi(value) - 5) * (std::stoi(value) - 5);
  return sum;
}

std::vector<Setting> run(ParameterSearch search) {
  std::vector<Setting> asked;
  while (const auto setting = search.ask()) {
    asked.push_back(*setting);
    search.tell(*setting, cost(*setting));
  }
  return asked;
}

TEST(ParameterSearch, begins_with_the_current_and_the_given_settings) {
  const Setting current = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"fixed", "1"}};
  const Setting seed = {{"a", "7"}, {"b", "2"}, {"c", "3"}, {"fixed", "1"}};
  const Setting foreign = {{"a", "9"}, {"b", "2"}, {"c", "3"}, {"fixed", "1"}};
  const std::vector<Setting> asked =
      run(ParameterSearch(space_of(""), 1, 10, {foreign, seed, current}));
  ASSERT_THAT(asked, SizeIs(10));
  EXPECT_EQ(asked[0], current);
  EXPECT_EQ(asked[1], seed);
}

TEST(ParameterSearch, asks_the_same_for_the_same_seed) {
  EXPECT_EQ(run(ParameterSearch(space_of(""), 1, 200)), run(ParameterSearch(space_of(""), 1, 200)));
  EXPECT_NE(run(ParameterSearch(space_of(""), 1, 200)), run(ParameterSearch(space_of(""), 2, 200)));
}

TEST(ParameterSearch, asks_nothing_twice_and_nothing_that_is_not_allowed) {
  const TunableSpace space = space_of("// restriction: a <= b and (c != 5 or a == b)\n");
  const std::vector<Setting> asked = run(ParameterSearch(space, 3, 200));
  EXPECT_THAT(asked, SizeIs(200));
  EXPECT_THAT(std::set<Setting>(asked.begin(), asked.end()), SizeIs(200));
  for (const Setting& setting : asked) EXPECT_TRUE(space.allows(setting));
}

TEST(ParameterSearch, tries_all_of_a_space_that_fits_in_the_budget) {
  const std::vector<Setting> asked =
      run(ParameterSearch(space_of("// restriction: a == 1 and b == 1\n"), 1, 10));
  EXPECT_THAT(std::set<Setting>(asked.begin(), asked.end()), SizeIs(8));
  EXPECT_THAT(run(ParameterSearch(TunableSpace::of("int f();\n"), 1, 10)), SizeIs(1));
}

TEST(ParameterSearch, finds_the_few_settings_that_restrictions_leave) {
  EXPECT_THAT(
      run(ParameterSearch(space_of("// restriction: a * b * c == 512 or a + b + c < 5\n"), 1, 400)),
      SizeIs(5));
  EXPECT_THAT(run(ParameterSearch(space_of("// restriction: a > 8\n"), 1, 3)), IsEmpty());
  EXPECT_THAT(run(ParameterSearch(space_of(""), 1, 0)), IsEmpty());
}

TEST(ParameterSearch, answers_several_questions_before_it_is_told) {
  ParameterSearch search(space_of(""), 1, 200);
  std::set<Setting> asked;
  std::vector<Setting> open;
  double best = cost(space_of("").current());
  while (const auto setting = search.ask()) {
    asked.insert(*setting);
    open.push_back(*setting);
    if (open.size() < 4) continue;
    search.tell(open.front(), cost(open.front()));
    best = std::min(best, cost(open.front()));
    open.erase(open.begin());
  }
  EXPECT_THAT(asked, SizeIs(200));
  EXPECT_LE(best, 17);  // 16 is the least: `fixed` is 1
}

TEST(ParameterSearch, goes_on_where_everything_fails) {
  ParameterSearch search(space_of(""), 1, 200);
  int asked = 0;
  while (const auto setting = search.ask()) {
    search.tell(*setting, std::nullopt);
    ++asked;
  }
  EXPECT_EQ(asked, 200);
}

}  // namespace
}  // namespace robust_kbench
