#include "core/own_config.hpp"

#include "core/case.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

const Params of_task{{"batch_size", std::int64_t{16}},
                     {"features", std::int64_t{8}},
                     {"eps", 1e-5},
                     {"init_method", std::string("normal")}};

std::string message_of_own(const std::vector<std::string>& texts) {
  try {
    (void)own_configs(texts, of_task, {"ignored"});
  } catch (const UserError& error) {
    return error.what();
  }
  return "no UserError";
}

TEST(OwnConfigs, TakeTheTypesOfTheDefaults) {
  const std::vector<Config> own =
      own_configs({"batch_size=3,eps=1,init_method=7", "ignored=x"}, of_task, {"ignored"});
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[1].name, "own_2");
  EXPECT_TRUE(is_own(own[1]));
  EXPECT_EQ(own[0].params, Params({{"batch_size", std::int64_t{3}},
                                   {"features", std::int64_t{8}},
                                   {"eps", 1.0},
                                   {"init_method", std::string("7")}}));
  EXPECT_EQ(own[1].params, of_task);
  const Case c{.config = own[0], .seed = 2};
  EXPECT_EQ(c.name(), "own_1/seed_2");
  EXPECT_TRUE(c.is_listed());
}

TEST(OwnConfigs, RoundTripThroughTheirText) {
  for (const std::string text : {"batch_size=3,eps=0.5,init_method=xavier", "batch_size=16"}) {
    const Config own = own_configs({text}, of_task, {}).front();
    EXPECT_EQ(own_config_text(own.params, of_task), text);
  }
}

TEST(OwnConfigs, RefuseUnknownKeysAndWrongTypes) {
  EXPECT_EQ(message_of_own({"batchsize=3"}),
            "--config batchsize=3: key 'batchsize' is no parameter of the task; did you mean "
            "'batch_size'? known: batch_size, eps, features, init_method");
  EXPECT_EQ(message_of_own({"batch_size=many"}),
            "--config batch_size=many: 'batch_size' is \"many\", expected an integer like the "
            "task's default 16");
  EXPECT_THAT(message_of_own({"batch_size=2.5"}), HasSubstr("is 2.5, expected an integer"));
  EXPECT_THAT(message_of_own({"eps=tiny"}), HasSubstr("is \"tiny\", expected a number"));
  EXPECT_THAT(message_of_own({"batch_size"}), HasSubstr("'batch_size' is no KEY=VALUE"));
  EXPECT_EQ(message_of_own({"eps=\xb4"}),
            "--config eps=\xef\xbf\xbd has bytes that are no UTF-8; give it as UTF-8");
  EXPECT_THAT(message_of_own({"eps=1,eps=2"}), HasSubstr("'eps=2' gives a key again"));
  EXPECT_THAT(message_of_own({"eps=1", "batch_size=16,eps=1"}), HasSubstr("the same as own_1"));
}

}  // namespace
}  // namespace robust_kbench
