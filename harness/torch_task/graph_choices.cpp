#include "torch_task/graph_choices.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "torch_task/operators.hpp"

namespace robust_kbench {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 9> choosing{"max_pool", "amax", "amin",    "max",    "min",
                                       "topk",     "sort", "maximum", "minimum"};
constexpr std::array<Name, 18> moving{"view",       "reshape",   "permute", "transpose", "flatten",
                                      "contiguous", "unsqueeze", "squeeze", "select",    "slice",
                                      "expand",     "clone",     "pad",     "cat",       "stack",
                                      "unbind",     "split",     "chunk"};
constexpr std::array<Name, 7> ordering{"topk",     "sort",   "argsort", "msort",
                                       "kthvalue", "median", "mode"};

template <typename Names>
bool begins_as_one_of(const Names& names, Name name) {
  return std::ranges::any_of(names, [&](Name known) { return name.starts_with(known); });
}

}  // namespace

bool chooses_among_inputs(const Graph& graph) {
  bool any = false;
  for (const std::string& call : graph.operators()) {
    const Name name = base_name_of_operator(call);
    const bool chooses = begins_as_one_of(choosing, name);
    const bool moves = begins_as_one_of(moving, name);
    if (!chooses && !moves) return false;
    any = any || chooses;
  }
  return any;
}

bool orders_elements(const Graph& graph) {
  return std::ranges::any_of(graph.operators(), [](const std::string& call) {
    return std::ranges::find(ordering, base_name_of_operator(call)) != ordering.end();
  });
}

}  // namespace robust_kbench
