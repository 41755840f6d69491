#include <set>

#include "entries.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class ArgumentsOf : public testing::TestWithParam<TaskEntry> {
 protected:
  const Task& m_task = GetParam().task;
  const Direction m_direction = GetParam().direction;
  const Contract& m_contract = contract(m_task, m_direction);

  [[nodiscard]] Tensors tensors_of(const Config& config) const {
    return make_tensors({m_task, m_direction, config.params}, 1);
  }
};

TEST_P(ArgumentsOf, NameTensorsAndParametersOfTheCall) {
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const Tensors tensors = tensors_of(config);
    for (const Argument& argument : m_contract.arguments(config.params)) {
      for (const std::string& name : argument.names) {
        if (argument.kind == Argument::Kind::parameter) {
          EXPECT_TRUE(config.params.contains(name)) << name;
        } else {
          EXPECT_NO_THROW((void)tensors[name]) << name;
        }
      }
    }
  }
}

// Forward hands over every tensor. Backward leaves out only what no gradient depends on.
TEST_P(ArgumentsOf, LeaveNoTensorOfForwardOut) {
  if (m_direction == Direction::backward) GTEST_SKIP() << "saves what it needs";
  const Config config = GetParam().configs(ConfigSet::small).front();
  std::set<std::string> passed;
  for (const Argument& argument : m_contract.arguments(config.params)) {
    if (argument.kind == Argument::Kind::tensor) passed.insert(argument.names[0]);
  }
  std::set<std::string> all;
  const Tensors tensors = tensors_of(config);
  for (const auto& [name, tensor] : tensors.all()) all.insert(name);
  EXPECT_EQ(passed, all);
}

TEST_P(ArgumentsOf, GiveAsManyResultsAsTheContractNames) {
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const Tensors tensors = tensors_of(config);
    const auto outputs = reference({m_task, m_direction, config.params}, tensors);
    ASSERT_EQ(outputs.size(), m_contract.outputs.size());
    if (m_direction == Direction::forward) continue;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(outputs[i].sizes(), tensors[m_contract.outputs[i].name].sizes());
    }
  }
}

TEST_P(ArgumentsOf, CountEachTensorOnceInTheirCost) {
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const Tensors tensors = tensors_of(config);
    double bytes = 0;
    for (const Argument& argument : m_contract.arguments(config.params)) {
      if (argument.kind != Argument::Kind::tensor &&
          argument.kind != Argument::Kind::tensor_tuple) {
        continue;
      }
      // Handed over, yet no gradient depends on it.
      if (m_task.name == "layernorm" && m_direction == Direction::backward &&
          argument.names[0] == "bias") {
        continue;
      }
      const at::Tensor& tensor = tensors[argument.names[0]];
      if (tensor.defined()) bytes += static_cast<double>(tensor.nbytes());
    }
    for (const at::Tensor& output : eager({m_task, m_direction, config.params}, tensors)) {
      bytes += static_cast<double>(output.nbytes());
    }
    const Cost cost = m_contract.cost(config.params);
    EXPECT_DOUBLE_EQ(cost.bytes, bytes) << config.name;
    EXPECT_GT(cost.flops, 0) << config.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, ArgumentsOf, testing::ValuesIn(task_entries()),
                         [](const auto& info) {
                           return info.param.task.name + "_" +
                                  std::string(to_string(info.param.direction));
                         });

}  // namespace
}  // namespace robust_kbench
