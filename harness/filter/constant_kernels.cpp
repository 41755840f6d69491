#include <memory>

#include "filter/stand_in.hpp"

#include <ATen/ops/full_like.h>
#include <ATen/ops/stack.h>

namespace robust_kbench {
namespace {

// Seeds of calls whose outputs a kernel may have learned. No case has them by chance.
constexpr std::uint64_t first_other_seed = 1'000'001;
constexpr std::uint64_t other_seeds = 3;

// An output in other calls on typical data of the config.
at::Tensor other_outputs(const FilterSubject& subject, const Config& config, std::size_t output) {
  std::vector<at::Tensor> others;
  for (std::uint64_t i = 0; i < other_seeds; ++i) {
    const auto content = subject.typical(config, first_other_seed + i);
    others.push_back(content->references.at(output).to(at::kDouble));
  }
  return at::stack(others);
}

class ConstantKernels {
 public:
  explicit ConstantKernels(const FilterSubject& subject) : m_subject(subject) {}

  std::vector<StandIn> all() {
    const Contract& of = contract(m_subject.task(), m_subject.direction());
    for (std::size_t i = 0; i < of.outputs.size(); ++i) add_output(i, of.outputs[i].name);
    return std::move(m_kernels);
  }

 private:
  using Make = std::function<at::Tensor(const Case& of, const Content& content)>;

  void add(const std::string& name, std::size_t output, Make make) {
    m_kernels.push_back(
        {.name = name,
         .outputs = {output},
         .answer = [make = std::move(make)](const Case& of, const Content& content) {
           return std::vector<at::Tensor>{make(of, content)};
         }});
  }

  void add_output(std::size_t i, const std::string& output) {
    for (const auto& [name, value] : {std::pair{"zeros", 0.0}, std::pair{"ones", 1.0}}) {
      add(std::string(name) + " as " + output, i,
          [i, value = value](const Case&, const Content& content) {
            return at::full_like(content.references.at(i), value);
          });
    }
    add("the mean of other calls as " + output, i,
        [this_subject = &m_subject, i](const Case& of, const Content& content) {
          return at::full_like(content.references.at(i).to(at::kDouble),
                               other_outputs(*this_subject, of.config, i).mean().item<double>());
        });
    add("the output of another call as " + output, i,
        [this_subject = &m_subject, i](const Case& of, const Content&) {
          return other_outputs(*this_subject, of.config, i)[0];
        });
    for (const std::string& input : copyable(i)) {
      add("a copy of " + input + " as " + output, i,
          [input, i](const Case&, const Content& content) {
            return content.tensors[input].reshape(content.references.at(i).sizes());
          });
    }
  }

  // Tensors of a call with as many elements as the output, on the first config.
  [[nodiscard]] std::vector<std::string> copyable(std::size_t output) const {
    const auto content = m_subject.typical(m_subject.configs().front(), first_other_seed);
    const at::Tensor& reference = content->references.at(output);
    std::vector<std::string> names;
    for (const auto& [name, tensor] : content->tensors.all()) {
      const bool fits =
          tensor.defined() && reference.defined() && tensor.numel() == reference.numel();
      if (fits) names.push_back(name);
    }
    return names;
  }

  const FilterSubject& m_subject;
  std::vector<StandIn> m_kernels;
};

}  // namespace

std::vector<StandIn> constant_kernels(const FilterSubject& subject) {
  return ConstantKernels(subject).all();
}

}  // namespace robust_kbench
