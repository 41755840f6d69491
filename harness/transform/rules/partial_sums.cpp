#include <algorithm>
#include <string>

#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/rules.hpp"
#include "transform/vector_math.hpp"

namespace robust_kbench {
namespace {

// The type of a variable that is declared before a loop, where it is one for sums of numbers.
std::string type_of(const Code& code, const std::vector<Function>& functions,
                    const SourceStatement& loop, const std::string& name) {
  std::string result;
  for (const Function& function : functions) {
    if (!function.body.holds(loop.range)) continue;
    for (const SourceStatement* statement : all_of(function.statements)) {
      if (statement->kind != StatementKind::declaration) continue;
      if (statement->declaration.name != name) continue;
      if (statement->range.begin > loop.range.begin) continue;
      result = plain_type(code, statement->declaration.type);
    }
  }
  return result == "float" || result == "double" ? result : std::string();
}

// A loop that adds each of its reductions in many sums at a time. Each addition waits for the one
// before it, and several registers full of sums wait less often.
std::string in_partial_sums(const RuleContext& context, const SourceStatement& loop,
                            const LoopFacts& facts, FreshNames& names) {
  const Code& code = context.code;
  const std::string& variable = loop.loop.variable;
  const std::string type(code.slice(loop.loop.type));
  const std::string first(code.slice(loop.loop.first));
  const std::string bound = operand(code, loop.loop.bound);
  const std::string lanes = names.make(variable + "_lanes");
  const std::string whole = names.make(variable + "_whole");
  const std::string begin = names.make(variable + "_begin");
  Renames elements;
  std::string arrays;
  std::string sums;
  std::string clauses;
  for (const Reduction& reduction : facts.reductions) {
    const std::string kind = type_of(context.code, context.functions, loop, reduction.variable);
    if (kind.empty() || reduction.operation != "+") return {};
    const std::string array = names.make(reduction.variable + "_lanes");
    arrays += kind + " " + array + "[" + lanes + "] = {};\n";
    elements[reduction.variable] = array + "[" + variable + " - " + begin + "]";
    sums += reduction.variable + " += " + array + "[" + variable + "];\n";
    clauses += " reduction(+ : " + reduction.variable + ")";
  }
  const std::string loop_head = "for (" + type + " " + variable + " = ";
  return "constexpr " + type + " " + lanes + " = 32;  // tune: 16, 32, 64, 128\n" + arrays +
         "const " + type + " " + whole + " = " + end_of_groups(code, loop.loop, lanes) + ";\n" +
         "for (" + type + " " + begin + " = " + first + "; " + begin + " < " + whole + "; " +
         begin + " += " + lanes + ") {\n#pragma omp simd\n" + loop_head + begin + "; " + variable +
         " < " + begin + " + " + lanes + "; ++" + variable + ") {\n" +
         code.renamed(body_of(loop), elements) + "\n}\n}\n#pragma omp simd" + clauses + "\n" +
         loop_head + "0; " + variable + " < " + lanes + "; ++" + variable + ") {\n" + sums +
         "}\n#pragma omp simd" + clauses + "\n" + loop_head + whole + "; " + variable + " < " +
         bound + "; ++" + variable + ") {\n" + std::string(code.slice(body_of(loop))) + "\n}";
}

bool can_be_split(const RuleContext& context, const SourceStatement& loop, const LoopFacts& facts) {
  const LoopHeader& header = loop.loop;
  return header.step.empty() && header.compare == "<" && !is_in_remainder(context, loop) &&
         facts.understood && !facts.leaves && !facts.has_inner_loop && facts.independent &&
         !facts.reductions.empty();
}

// A small constant number of iterations leaves nothing to spread over many sums.
bool is_short(const Code& code, const SourceStatement& loop) {
  const Range bound = loop.loop.bound;
  return bound.size() == 1 && code.token(bound.begin).kind == TokenKind::number;
}

// The statement with the pragmas before it, whose place the new loops take.
SourceStatement with_pragmas(const Code& code, const SourceStatement& loop) {
  SourceStatement result = loop;
  while (result.range.begin > 0 && code.is_directive(result.range.begin - 1) &&
         code.text(result.range.begin - 1).find("omp simd") != std::string_view::npos) {
    --result.range.begin;
  }
  return result;
}

}  // namespace

std::vector<RuleResult> partial_sums(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"partial_sums", {}};
  FreshNames names(code);
  for (const Function& function : context.functions) {
    for (const SourceStatement* loop : loops_of(function.statements)) {
      const LoopFacts facts = facts_of(code, context.functions, *loop);
      if (!can_be_split(context, *loop, facts) || is_short(code, *loop)) continue;
      // The sums of lanes end in such a loop themselves.
      if (code.slice(loop->loop.bound).find("_lanes") != std::string_view::npos) continue;
      const std::string text = in_partial_sums(context, *loop, facts, names);
      if (text.empty()) continue;
      const SourceStatement replaced = with_pragmas(code, *loop);
      Change change{"sums of the loop over " + loop->loop.variable + " in many lanes",
                    replaced.range, declare_vector_math(code, facts.math)};
      change.edits.push_back(statement_replacement(code, replaced, text));
      result.changes.push_back(std::move(change));
    }
  }
  return {result};
}

}  // namespace robust_kbench
