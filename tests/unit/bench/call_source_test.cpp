#include "bench/call_source.hpp"

#include "doubling_task.hpp"

#include <ATen/ops/abs.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/le.h>
#include <ATen/ops/relu.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::vector<Tensors> calls_of(const Task& task, Direction direction, std::uint64_t key,
                              std::size_t calls) {
  CallSource call_source({task, direction, task.defaults}, key);
  std::vector<Tensors> batch = call_source.batch(calls);
  // They lie in the memory of `call_source`.
  for (Tensors& call : batch) {
    const Tensors views = call;
    for (const auto& [name, tensor] : views.all()) {
      if (tensor.defined()) call.set(name, at::clone(tensor));
    }
  }
  return batch;
}

// Tensors `name` of any two calls differ.
void expect_distinct(const std::vector<Tensors>& calls, const std::string& name) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(at::equal(calls[i][name], calls[j][name])) << name << " of " << i << ", " << j;
    }
  }
}

TEST(CallSource, NoTwoCallsAreAlike) {
  const std::vector<Tensors> calls = calls_of(doubling_task(), Direction::backward, 1, 20);
  expect_distinct(calls, "x");
  expect_distinct(calls, "grad_output");
  for (const Tensors& call : calls) {
    EXPECT_EQ(call["x"].sizes(), (std::vector<std::int64_t>{1000}));
    EXPECT_TRUE(call["x"].is_contiguous());
  }
}

TEST(CallSource, OnlyTheKeyForetellsThem) {
  const Task task = doubling_task();
  const auto a = calls_of(task, Direction::forward, 1, 3);
  const auto again = calls_of(task, Direction::forward, 1, 3);
  const auto other = calls_of(task, Direction::forward, 2, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::equal(a[i]["x"], again[i]["x"]));
    EXPECT_FALSE(at::equal(a[i]["x"], other[i]["x"]));
  }
}

TEST(CallSource, AbsentTensorsStayAbsent) {
  Task task = doubling_task();
  task.weights = [](const Params&) { return std::vector{absent("bias")}; };
  EXPECT_FALSE(calls_of(task, Direction::forward, 1, 1)[0]["bias"].defined());
}

// grad_output must stay zero where float32 may decide otherwise than the reference.
TEST(CallSource, KinksKeepTheirZeros) {
  constexpr double distance = 0.3;
  Task task = doubling_task();
  task.forward = [](const Tensors& tensors, const Params&) { return at::relu(tensors["x"]); };
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return at::le(at::abs(tensors["x"]), distance);
  };
  const std::vector<Tensors> calls = calls_of(task, Direction::backward, 1, 20);
  expect_distinct(calls, "grad_output");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const float* x = calls[i]["x"].const_data_ptr<float>();
    const float* grad = calls[i]["grad_output"].const_data_ptr<float>();
    for (std::int64_t e = 0; e < 1000; ++e) {
      EXPECT_EQ(std::abs(x[e]) <= distance, grad[e] == 0.0F) << i << ", " << e;
    }
    if (i > 0) {
      EXPECT_FALSE(at::equal(calls[i]["x"], calls[i - 1]["x"]));
    }
  }
}

}  // namespace
}  // namespace robust_kbench
