#include "bench/call_source.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "doubling_task.hpp"

#include <ATen/ops/abs.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/le.h>
#include <ATen/ops/relu.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The task has x (1000), labels (1000), and weights that are constant, constant with a spread, and
// absent.
Task mixed_task() {
  Task task = doubling_task();
  task.inputs = [](const Params& params) {
    const std::vector<std::int64_t> shape{params.integer("size")};
    return std::vector<TensorSpec>{{"x", shape, normal()}, {"labels", shape, integers(0, 1000)}};
  };
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{
        {"fixed", {100}, constant(2.0)}, {"variance", {1000}, constant(1.0, 0.5)}, absent("bias")};
  };
  return task;
}

// relu(x), whose gradient is 0 where |x| <= 0.3.
Task kinked_task() {
  Task task = mixed_task();
  task.forward = [](const Tensors& tensors, const Params&) { return at::relu(tensors["x"]); };
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return at::le(at::abs(tensors["x"]), 0.3);
  };
  return task;
}

// The calls of several batches. Each batch still exists while the next is drawn.
std::vector<Tensors> calls_of(const Task& task, Direction direction, std::uint64_t key,
                              std::size_t batches, std::size_t calls) {
  CallSource call_source({task, direction, task.defaults}, key);
  std::vector<Tensors> all;
  for (std::size_t i = 0; i < batches; ++i) {
    for (Tensors& call : call_source.batch(calls)) all.push_back(std::move(call));
  }
  return all;
}

std::vector<float> elements_of(const at::Tensor& tensor) {
  const float* first = tensor.const_data_ptr<float>();
  return {first, first + tensor.numel()};
}

// The pairs by which a kernel could recognise an earlier call's content, wherever it lies in a
// tensor. Two normal numbers among thousands may be equal, but not two pairs of neighbours.
std::set<std::pair<float, float>> pairs_of(const std::vector<float>& elements) {
  std::set<std::pair<float, float>> pairs;
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    if (elements[i] != 0 && elements[i + 1] != 0) pairs.emplace(elements[i], elements[i + 1]);
  }
  return pairs;
}

// The ratios of neighbours, which a common factor does not change.
std::vector<float> ratios_of(const std::vector<float>& elements) {
  std::vector<float> ratios;
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    ratios.push_back(elements[i + 1] == 0 ? 0 : elements[i] / elements[i + 1]);
  }
  return ratios;
}

std::vector<float> sorted(std::vector<float> elements) {
  std::sort(elements.begin(), elements.end());
  return elements;
}

// Expects that no part of a call's tensor comes again in another call's, at any place. The same
// elements in another order or times a factor must not come again, either.
void expect_nothing_again(const std::vector<Tensors>& calls, const std::string& name) {
  std::set<std::pair<float, float>> windows;
  std::set<std::pair<float, float>> windows_of_ratios;
  std::set<std::pair<float, float>> windows_in_order;
  for (const Tensors& call : calls) {
    const std::vector<float> elements = elements_of(call[name]);
    const auto expect_new = [&](std::set<std::pair<float, float>>& known,
                                const std::vector<float>& of_call, const char* what) {
      for (const auto& pair : pairs_of(of_call)) {
        EXPECT_TRUE(known.insert(pair).second) << name << ": " << what;
      }
    };
    expect_new(windows, elements, "elements");
    expect_new(windows_of_ratios, ratios_of(elements), "ratios");
    expect_new(windows_in_order, sorted(elements), "sorted elements");
  }
}

void expect_new_signs(const std::vector<Tensors>& calls, const std::string& name) {
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const at::Tensor a = calls[i - 1][name];
    const at::Tensor b = calls[i][name];
    const auto flipped = a.sign().ne(b.sign()).sum().item<std::int64_t>();
    EXPECT_GT(flipped, a.numel() / 3) << name;
    EXPECT_LT(flipped, a.numel() * 2 / 3 + a.numel() / 6) << name;
  }
}

TEST(CallSource, NothingOfACallComesAgain) {
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const std::vector<Tensors> calls = calls_of(mixed_task(), direction, 1, 3, 4);
    expect_nothing_again(calls, "x");
    expect_new_signs(calls, "x");
    if (direction == Direction::forward) continue;
    expect_nothing_again(calls, "grad_output");
    expect_new_signs(calls, "grad_output");
  }
}

TEST(CallSource, NothingOfACallNearAKinkComesAgain) {
  const std::vector<Tensors> calls = calls_of(kinked_task(), Direction::backward, 1, 3, 4);
  for (const char* name : {"x", "grad_output"}) expect_nothing_again(calls, name);
  expect_new_signs(calls, "x");
}

TEST(CallSource, DrawsIntegersAnew) {
  const std::vector<Tensors> calls = calls_of(mixed_task(), Direction::forward, 1, 2, 4);
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const at::Tensor same = calls[i]["labels"].eq(calls[i - 1]["labels"]);
    EXPECT_LT(same.sum().item<std::int64_t>(), 20);
  }
}

TEST(CallSource, DrawsConstantsFromTheSpreadThatTheyName) {
  const std::vector<Tensors> calls = calls_of(mixed_task(), Direction::forward, 1, 2, 4);
  expect_nothing_again(calls, "variance");
  for (const Tensors& call : calls) {
    EXPECT_GE(call["variance"].min().item<float>(), 0.5F);
    EXPECT_LT(call["variance"].max().item<float>(), 1.5F);
    EXPECT_TRUE(call["fixed"].eq(2.0).all().item<bool>());
  }
}

TEST(CallSource, KeepsShapesAndDtypes) {
  const Tensors call = calls_of(mixed_task(), Direction::backward, 1, 1, 2).back();
  for (const char* name : {"x", "labels", "grad_output"}) {
    EXPECT_EQ(call[name].sizes(), (std::vector<std::int64_t>{1000})) << name;
    EXPECT_TRUE(call[name].is_contiguous()) << name;
  }
  EXPECT_EQ(call["labels"].scalar_type(), at::kLong);
}

// A batch keeps its content until it is dropped. Then its memory is reused.
TEST(CallSource, ReusesMemoryOnceNobodyHoldsIt) {
  const Task task = doubling_task();
  CallSource call_source({task, Direction::forward, task.defaults}, 1);
  std::vector<Tensors> first = call_source.batch(2);
  const at::Tensor copy = first[1]["x"].clone();
  const void* memory = first[0]["x"].const_data_ptr();
  EXPECT_NE(call_source.batch(2)[0]["x"].const_data_ptr(), memory);
  EXPECT_TRUE(at::equal(first[1]["x"], copy));
  first.erase(first.begin());
  EXPECT_NE(call_source.batch(2)[0]["x"].const_data_ptr(), memory);
  first.clear();
  EXPECT_EQ(call_source.batch(1)[0]["x"].const_data_ptr(), memory);
}

TEST(CallSource, OnlyTheKeyDeterminesThem) {
  const Task task = doubling_task();
  const auto a = calls_of(task, Direction::forward, 1, 1, 3);
  const auto again = calls_of(task, Direction::forward, 1, 1, 3);
  const auto other = calls_of(task, Direction::forward, 2, 1, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::equal(a[i]["x"], again[i]["x"]));
    EXPECT_FALSE(at::equal(a[i]["x"], other[i]["x"]));
  }
}

TEST(CallSource, AbsentTensorsStayAbsent) {
  EXPECT_FALSE(calls_of(mixed_task(), Direction::forward, 1, 1, 1)[0]["bias"].defined());
}

// grad_output must stay 0 where float32 may decide otherwise than the reference.
TEST(CallSource, KinksKeepTheirZeros) {
  const std::vector<Tensors> calls = calls_of(kinked_task(), Direction::backward, 1, 2, 4);
  for (const Tensors& call : calls) {
    EXPECT_TRUE(at::equal(call["grad_output"].eq(0), call["x"].abs().le(0.3)));
  }
}

}  // namespace
}  // namespace robust_kbench
