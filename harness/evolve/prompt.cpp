#include "evolve/prompt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

constexpr std::size_t shown = 3;  // further kernels

std::string block(const std::string& text) {
  return "```cpp\n" + text + (text.ends_with('\n') ? "" : "\n") + "```\n";
}

}  // namespace

std::string prompt_for(const Task& task, const Entry& entry, Device device,
                       const std::vector<std::string>& configs, const ProposalRequest& request) {
  std::string prompt = fmt::format(
      "# A faster kernel for {}\n\n"
      "{}\n\nThe kernel is one {} source. It includes <torch/extension.h>, and binds `{}` in "
      "PYBIND11_MODULE. It is compared with a float64 reference on typical data, odd shapes and "
      "extreme values, as precisely as float32 allows. Then it is timed against its parent on:\n\n"
      "- {}\n\n## The parent\n\n{}",
      entry.name(), task.summary, device == Device::cuda ? "CUDA" : "C++",
      to_string(entry.direction), fmt::join(configs, "\n- "), block(request.parent.text));
  for (std::size_t i = 0; i < std::min(shown, request.context.size()); ++i) {
    const Candidate& other = *request.context[i];
    prompt += fmt::format("\n## Another kernel, which takes {:.2f} times as long: {}\n\n{}",
                          other.cost / request.parent.cost, other.name, block(other.text));
  }
  prompt +=
      "\n## Your answer\n\nWrite the whole source in one fenced block. Put one line about the idea "
      "before it.\n";
  return prompt;
}

}  // namespace robust_kbench
