#include "tensor/spec_check.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::string complaint_about(const TensorSpec& spec) {
  try {
    check_spec(spec);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A task of one weight (features, 2 * features) and one input (batch, features).
std::string complaint_about(std::int64_t batch, std::int64_t features, std::int64_t classes = 10) {
  Task task;
  task.weights = [](const Params& params) {
    const std::int64_t size = params.integer("features");
    return std::vector<TensorSpec>{{.name = "w", .shape = {size, 2 * (size + 1)}}};
  };
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {params.integer("batch"), 3}},
        {.name = "target", .shape = {3}, .distribution = integers(0, params.integer("classes"))}};
  };
  const Params params{{"batch", batch}, {"features", features}, {"classes", classes}, {"eps", 0.5}};
  try {
    check_specs({task, Direction::forward, params}, "config_forward.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckSpec, TakesScalarsAndWhatIsNotThere) {
  EXPECT_EQ(complaint_about(TensorSpec{.name = "scalar", .shape = {}}), "");
  EXPECT_EQ(complaint_about({.name = "none", .shape = {-1}, .present = false}), "");
  EXPECT_EQ(complaint_about({.name = "x", .shape = {1, 3}}), "");
}

TEST(CheckSpec, RefusesSizesBelow1) {
  EXPECT_EQ(complaint_about({.name = "x", .shape = {4, -3}}),
            "tensor 'x' has shape (4, -3); each size must be at least 1");
  EXPECT_EQ(complaint_about({.name = "x", .shape = {0}}),
            "tensor 'x' has shape (0); each size must be at least 1");
}

TEST(CheckSpec, RefusesMoreElementsThanCanBeCounted) {
  const std::int64_t million = 1 << 20;
  EXPECT_EQ(complaint_about({.name = "x", .shape = {million, million}}), "");
  EXPECT_EQ(complaint_about({.name = "x", .shape = {million, million, million, million}}),
            "tensor 'x' has shape (1048576, 1048576, 1048576, 1048576); it may have at most "
            "1099511627776 elements");
}

TEST(CheckSpec, RefusesDistributionsWithoutValues) {
  const auto complaint = [](Distribution distribution) {
    return complaint_about({.name = "x", .shape = {1}, .distribution = distribution});
  };
  EXPECT_EQ(complaint(integers(0, 0)),
            "tensor 'x' is drawn from integers(0.0, 0.0); the second, exclusive, must be above the "
            "first");
  EXPECT_NE(complaint(uniform(1, 0)), "");
  EXPECT_NE(complaint(normal(0, -1)), "");
  EXPECT_EQ(complaint(normal(0, 0)), "");
  EXPECT_EQ(complaint(constant(1, 0.5)), "");
  EXPECT_EQ(complaint(constant(1, -0.5)),
            "tensor 'x' is constant(1.0, -0.5); both must be finite and the spread at least 0");
}

TEST(CheckSpecs, NamesFileKeyValueAndLimit) {
  EXPECT_EQ(complaint_about(2, 4), "");
  EXPECT_EQ(complaint_about(-3, 4),
            "config_forward.json: 'batch' is -3, so tensor 'x' has shape (-3, 3); each size must "
            "be at least 1");
  EXPECT_EQ(complaint_about(2, 0),
            "config_forward.json: 'features' is 0, so tensor 'w' has shape (0, 2); each size must "
            "be at least 1");
  EXPECT_EQ(complaint_about(2, 4, -5),
            "config_forward.json: 'classes' is -5, so tensor 'target' is drawn from integers(0.0, "
            "-5.0); the second, exclusive, must be above the first");
}

TEST(CheckSpecs, NamesWhatAComputedSizeMayComeFrom) {
  Task task;
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {4 - params.integer("window")}}};
  };
  const Params params{{"window", std::int64_t{6}}, {"name", std::string("a")}};
  try {
    check_specs({task, Direction::forward, params}, "config_forward.json");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "config_forward.json: 'window' is 6, so tensor 'x' has shape (-2); each size must "
                 "be at least 1");
  }
}

TEST(CheckSpecs, RefusesTooManyElements) {
  EXPECT_EQ(complaint_about(std::int64_t{1} << 60, 4),
            "config_forward.json: 'batch' is 1152921504606846976, so tensor 'x' has shape "
            "(1152921504606846976, 3); it may have at most 1099511627776 elements");
}

TEST(CheckSpecs, NamesTheFileOfADtypeThatCannotHoldWhatIsDrawn) {
  Task task;
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {3}, .distribution = integers(0, 300), .dtype = at::kByte}};
  };
  try {
    check_specs({task, Direction::forward, {}}, "config_forward.json");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "config_forward.json: tensor 'x': uint8 holds each integer from 0 to 255, and 0 "
                 "to 299 are to be drawn; give it another dtype or other limits");
  }
}

TEST(CheckSpecs, NamesTheFileOfAParameterThatTheTaskRefuses) {
  Task task;
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {2, 2}, .distribution = initialization("best", {2, 2})}};
  };
  try {
    check_specs({task, Direction::forward, {}}, "config_forward.json");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "config_forward.json: init_method 'best' is unknown; known: kaiming, xavier, "
                 "normal");
  }
}

}  // namespace
}  // namespace robust_kbench
