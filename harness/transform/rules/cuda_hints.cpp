#include <algorithm>
#include <string>

#include "transform/cuda_kernel.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view bank_conflicts = "bank_conflicts";  // the advice's name

}  // namespace

std::vector<RuleResult> unroll(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"unroll", {}};
  const std::string count = code.fresh("unroll_count");
  const Edit constant =
      after_includes(code, "constexpr int " + count + " = 4;  // tune: 1, 2, 4, 8, 16");
  for (const CudaKernel& kernel : cuda_kernels(code, context.functions)) {
    for (const SourceStatement* loop : loops_of(kernel.function->statements)) {
      if (!loops_of(loop->children).empty() || has_pragma(code, *loop, "unroll")) continue;
      const Range bound = loop->loop.bound;
      // The compiler unrolls a known number of iterations by itself.
      if (bound.size() == 1 && code.token(bound.begin).kind == TokenKind::number) continue;
      result.changes.push_back(
          {"the loop over " + loop->loop.variable + " unrolled",
           loop->range,
           {constant, line_before(code, loop->range.begin, "#pragma unroll " + count)}});
    }
  }
  return {result};
}

std::vector<RuleResult> restrict_pointers(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"restrict", {}};
  for (const CudaKernel& kernel : cuda_kernels(code, context.functions)) {
    Change change{
        "`__restrict__` on the pointers of " + kernel.function->name, kernel.function->body, {}};
    const Range parameters = kernel.function->parameters;
    for (std::size_t i = parameters.begin; i + 1 < parameters.end; ++i) {
      if (code.text(i) != "*" || !code.is_name(i + 1)) continue;
      if (code.text(i + 1).starts_with("__restrict")) continue;
      change.edits.push_back({code.token(i + 1).offset, 0, "__restrict__ "});
    }
    if (!change.edits.empty()) result.changes.push_back(std::move(change));
  }
  return {result};
}

std::vector<RuleResult> launch_bounds(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"launch_bounds", {}};
  FreshNames names(code);
  for (const CudaKernel& kernel : cuda_kernels(code, context.functions)) {
    const Function& function = *kernel.function;
    if (kernel.block_size == 0 || code.uses(function.head, "__launch_bounds__")) continue;
    const std::string blocks = names.make(function.name + "_blocks");
    Change change{"registers of " + function.name + " for several blocks a multiprocessor",
                  function.body,
                  {}};
    change.edits.push_back(line_before(code, function.head.begin,
                                       "constexpr int " + blocks + " = 4;  // tune: 1, 2, 4, 8"));
    const std::size_t name = function.parameters.begin - 2;
    change.edits.push_back(
        {code.token(name).offset, 0, "__launch_bounds__(" + kernel.block + ", " + blocks + ") "});
    result.changes.push_back(std::move(change));
  }
  return {result};
}

std::vector<RuleResult> shared_padding(const RuleContext& context) {
  const Code& code = context.code;
  const bool advised =
      std::any_of(context.remarks.begin(), context.remarks.end(),
                  [](const Remark& r) { return r.text.find(bank_conflicts) != std::string::npos; });
  RuleResult result{"shared_padding", {}};
  if (!advised) return {};
  for (const CudaKernel& kernel : cuda_kernels(code, context.functions)) {
    const Range body = kernel.function->body;
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (code.text(i) != "__shared__") continue;
      const std::size_t end = code.find({i, body.end}, ";");
      const std::size_t first = code.find({i, end}, "[");
      if (first >= end) continue;
      const std::size_t second = code.partner(first) + 1;
      if (code.text(second) != "[" || code.partner(second) + 1 != end) continue;
      const std::size_t close = code.partner(second);
      const std::string name(code.text(first - 1));
      result.changes.push_back({"one more column in the rows of " + name,
                                {i, end},
                                {{code.token(close).offset, 0, " + 1"}}});
    }
  }
  return {result};
}

}  // namespace robust_kbench
