#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "transform/cuda_kernel.hpp"
#include "transform/loop_facts.hpp"
#include "transform/movement.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

constexpr int warp = 32;  // threads

// Gives the work of one thread to a group of them in a warp. They go through its loops side by
// side, so that a row is read by neighbours, and add what they have by shuffles.
class WarpReduction {
 public:
  WarpReduction(const RuleContext& context, const CudaKernel& kernel, const std::string& lanes,
                FreshNames& names)
      : m_context(context),
        m_code(context.code),
        m_kernel(kernel),
        m_lanes(lanes),
        m_lane(names.make("lane")),
        m_group(names.make("group")) {}

  // The edits; none where the kernel is not one thread for each of its items, or gains nothing.
  std::vector<Edit> run() {
    const std::vector<SourceStatement>& statements = m_kernel.function->statements;
    if (statements.empty() || !is_index(statements.front()) || uses_threads_elsewhere()) return {};
    if (m_kernel.launches.empty() || m_kernel.block_size == 0) return {};
    if (m_kernel.block_size % warp != 0) return {};
    for (const SourceStatement& statement : statements) look(statement);
    if (m_forbidden || !m_shared || reads_own_writes()) return {};
    edit_index(statements.front());
    for (const Launch& launch : m_kernel.launches) {
      if (is_dim3(launch.grid)) return {};
      const std::string grid = "(" + std::string(m_code.slice(launch.grid)) + ") * " + m_lanes;
      m_edits.push_back(replacement(m_code, launch.grid, grid));
    }
    return std::move(m_edits);
  }

 private:
  // `int index = blockIdx.x * blockDim.x + threadIdx.x;`
  [[nodiscard]] bool is_index(const SourceStatement& statement) const {
    const Range value = statement.declaration.initialiser;
    return statement.kind == StatementKind::declaration && m_code.uses(value, "blockIdx") &&
           m_code.uses(value, "threadIdx") && m_code.find(value, "/") == value.end;
  }

  [[nodiscard]] bool uses_threads_elsewhere() const {
    const Range body = m_kernel.function->body;
    const std::size_t first = m_kernel.function->statements.front().range.end;
    for (std::size_t i = body.begin; i < body.end; ++i) {
      const std::string_view text = m_code.text(i);
      if (is_one_of(text, {"__shared__", "__syncthreads", "__syncwarp", "gridDim", "asm"})) {
        return true;
      }
      if (i >= first && is_one_of(text, {"threadIdx", "blockIdx", "blockDim"})) return true;
      if (is_one_of(text, {"y", "z"}) && m_code.text(i - 1) == "." && i < first) return true;
    }
    return false;
  }

  // Whether a name of the host is a grid of several dimensions.
  [[nodiscard]] bool is_dim3(Range grid) const {
    for (std::size_t i = 1; i < m_code.size(); ++i) {
      if (m_code.text(i - 1) == "dim3" && m_code.uses(grid, std::string(m_code.text(i)))) {
        return true;
      }
    }
    return m_code.uses(grid, "dim3");
  }

  void look(const SourceStatement& statement) {
    switch (statement.kind) {
      case StatementKind::declaration:
      case StatementKind::pragma:
        break;
      case StatementKind::jump:
        m_forbidden = m_forbidden || m_code.text(statement.range.begin) == "goto";
        break;
      case StatementKind::expression:
        expression(statement);
        break;
      case StatementKind::loop:
        if (!distribute(statement)) {
          for (const SourceStatement& inner : statement.children) look(inner);
        }
        break;
      case StatementKind::conditional:
      case StatementKind::block:
        for (const SourceStatement& inner : statement.children) look(inner);
        for (const SourceStatement& inner : statement.otherwise) look(inner);
        break;
      default:
        m_forbidden = true;
    }
  }

  // Variables are the same in all threads of the group. One of them writes to memory.
  void expression(const SourceStatement& statement) {
    const auto assignment = assignment_of(m_code, statement.range);
    if (!assignment) {
      m_forbidden = true;
    } else if (!assignment->indices.empty()) {
      m_writes.push_back(*assignment);
      m_edits.push_back(
          {m_code.token(statement.range.begin).offset, 0, "if (" + m_lane + " == 0) "});
    }
  }

  bool distribute(const SourceStatement& loop) {
    const LoopHeader& header = loop.loop;
    if (!header.step.empty() || header.compare == "!=") return false;
    const LoopFacts facts = facts_of(m_code, m_context.functions, loop);
    if (!facts.understood || !facts.independent || facts.leaves || facts.has_inner_loop) {
      return false;
    }
    const MovementAnalysis movement(m_code, m_context.functions, loop);
    if (movement.contiguity(body_of(loop)) <= 0) return false;
    std::string before;
    std::string after;
    for (const Reduction& reduction : facts.reductions) {
      const std::string& name = reduction.variable;
      const std::string other = "__shfl_xor_sync(" + m_group + ", " + name + ", offset)";
      if (reduction.operation == "+") {
        // One of the threads has the value from before the loop.
        before += "if (" + m_lane + " != 0) " + name + " = 0;\n";
        after += name + " += " + other + ";\n";
      } else if (reduction.operation == "max" || reduction.operation == "min") {
        after += name + " = " + reduction.operation + "(" + name + ", " + other + ");\n";
      } else {
        return false;
      }
    }
    const std::string first(m_code.slice(header.first));
    const std::string start = first == "0" ? m_lane : "(" + first + ") + " + m_lane;
    std::string text = before + "for (" + std::string(m_code.slice(header.type)) + " " +
                       header.variable + " = " + start + "; " + header.variable + " " +
                       header.compare + " " + std::string(m_code.slice(header.bound)) + "; " +
                       header.variable + " += " + m_lanes + ") {\n" +
                       std::string(m_code.slice(body_of(loop))) + "\n}";
    if (!after.empty()) {
      text += "\nfor (int offset = " + m_lanes + " / 2; offset > 0; offset /= 2) {\n" + after + "}";
    }
    m_edits.push_back(statement_replacement(m_code, loop, text));
    m_shared = true;
    add_writes(loop);
    return true;
  }

  void add_writes(const SourceStatement& loop) {
    for (const SourceStatement* statement : all_of(loop.children)) {
      if (statement->kind != StatementKind::expression) continue;
      const auto assignment = assignment_of(m_code, statement->range);
      if (assignment && !assignment->indices.empty()) m_writes.push_back(*assignment);
    }
  }

  // Another thread's write may not have arrived when it is read.
  [[nodiscard]] bool reads_own_writes() const {
    std::set<std::string> written;
    for (const Assignment& write : m_writes) written.insert(write.target);
    for (const Element& element : elements_of(m_code, m_kernel.function->body)) {
      const bool is_write = std::any_of(
          m_writes.begin(), m_writes.end(),
          [&](const Assignment& write) { return write.place.begin == element.range.begin; });
      if (written.contains(element.name) && !is_write) return true;
    }
    return false;
  }

  void edit_index(const SourceStatement& statement) {
    const Declaration& declared = statement.declaration;
    const std::string type(m_code.slice(declared.type));
    const std::string value(m_code.slice(declared.initialiser));
    const std::string indentation = m_code.indentation(statement.range.begin);
    m_edits.push_back(replacement(m_code, statement.range,
                                  type + " " + declared.name + " = (" + value + ") / " + m_lanes +
                                      ";\n" + indentation + "const int " + m_lane +
                                      " = threadIdx.x % " + m_lanes + ";\n" + indentation +
                                      "const unsigned " + m_group + " = 0xffffffffu >> (32 - " +
                                      m_lanes + ") << (threadIdx.x % 32 - " + m_lane + ");"));
  }

  const RuleContext& m_context;
  const Code& m_code;
  const CudaKernel& m_kernel;
  std::string m_lanes;
  std::string m_lane;
  std::string m_group;
  std::vector<Edit> m_edits;
  std::vector<Assignment> m_writes;
  bool m_shared = false;  // a loop has been spread over the group
  bool m_forbidden = false;
};

}  // namespace

std::vector<RuleResult> warp_reduction(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"warp_reduction", {}};
  FreshNames names(code);
  const std::vector<CudaKernel> kernels = cuda_kernels(code, context.functions);
  for (const CudaKernel& kernel : kernels) {
    const std::string lanes = names.make(kernel.function->name + "_lanes");
    std::vector<Edit> edits = WarpReduction(context, kernel, lanes, names).run();
    if (edits.empty()) continue;
    edits.push_back(line_before(code, kernel.function->head.begin,
                                "constexpr int " + lanes + " = 32;  // tune: 4, 8, 16, 32"));
    result.changes.push_back({"several threads of a warp for each item of " + kernel.function->name,
                              kernel.function->body, std::move(edits)});
  }
  return {result};
}

}  // namespace robust_kbench
