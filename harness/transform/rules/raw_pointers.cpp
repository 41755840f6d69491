#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "transform/assignment.hpp"
#include "transform/rules/rules.hpp"

namespace robust_kbench {
namespace {

// `auto name = tensor.accessor<type, dimensions>();`
struct Accessor {
  std::string name;
  std::string tensor;
  std::string type;
  std::size_t dimensions = 0;
  Range statement;
};

std::optional<Accessor> accessor_of(const Code& code, const SourceStatement& statement) {
  if (statement.kind != StatementKind::declaration) return {};
  const std::size_t at = statement.declaration.initialiser.begin;
  const bool plain = code.is_name(at) && code.spells(at + 1, {".", "accessor", "<"}) &&
                     code.text(at + 5) == "," && code.spells(at + 7, {">", "(", ")", ";"});
  if (!plain || statement.declaration.initialiser.size() != 10) return {};
  Accessor result{statement.declaration.name, std::string(code.text(at)),
                  std::string(code.text(at + 4)), 0, statement.range};
  const std::string_view number = code.text(at + 6);
  std::from_chars(number.data(), number.data() + number.size(), result.dimensions);
  return result.dimensions > 0 ? std::optional(result) : std::nullopt;
}

// The way back to strides of a tensor costs each access a multiplication and hides from the
// compiler which elements are neighbours. A pointer into contiguous memory has neither.
class RawPointers {
 public:
  RawPointers(const Code& code, const Function& function, const Accessor& accessor,
              FreshNames& names)
      : m_code(code), m_function(function), m_accessor(accessor), m_names(names) {}

  // The edits; none where the accessor is used as a whole, or its elements may be those of a copy.
  std::vector<Edit> run() {
    m_pointer = m_names.make(m_accessor.name + "_data");
    for (std::size_t d = 1; d < m_accessor.dimensions; ++d) {
      m_sizes.push_back(m_names.make(m_accessor.name + "_size" + std::to_string(d)));
    }
    for (std::size_t i = m_accessor.statement.end; i < m_function.body.end; ++i) {
      if (!m_code.uses({i, i + 1}, m_accessor.name)) continue;
      if (!use(i)) return {};
    }
    // Elements that are written have to reach the tensor itself.
    if (m_written && !is_made_here()) return {};
    m_edits.push_back(replacement(m_code, m_accessor.statement, declarations()));
    return std::move(m_edits);
  }

 private:
  bool use(std::size_t at) {
    if (m_code.spells(at + 1, {".", "size", "("})) {
      m_edits.push_back(replacement(m_code, {at, at + 1}, m_accessor.tensor));
      return true;
    }
    std::vector<Range> indices;
    std::size_t end = at + 1;
    while (m_code.text(end) == "[" && m_code.partner(end) < m_function.body.end) {
      indices.push_back({end + 1, m_code.partner(end)});
      end = m_code.partner(end) + 1;
    }
    if (indices.size() != m_accessor.dimensions) return false;
    // An index that names an accessor would be edited twice.
    for (std::size_t i = at + 1; i < end; ++i) {
      const bool bracket = m_code.text(i) == "[" && m_code.text(i - 1) != "]" && i != at + 1;
      if (bracket || m_code.text(i) == ".") return false;
    }
    std::string index = "(" + std::string(m_code.slice(indices[0])) + ")";
    for (std::size_t d = 1; d < indices.size(); ++d) {
      if (d > 1) index = "(" + index + ")";
      index += " * " + m_sizes[d - 1] + " + " + std::string(m_code.slice(indices[d]));
    }
    const std::string_view before = m_code.text(at - 1);
    if (before == "&") return false;
    m_written = m_written || writes(m_code, {end, end + 1}) || before == "++" || before == "--";
    m_edits.push_back(replacement(m_code, {at, end}, m_pointer + "[" + index + "]"));
    return true;
  }

  // Whether the function makes the tensor, so that it is contiguous.
  [[nodiscard]] bool is_made_here() const {
    for (const SourceStatement* statement : all_of(m_function.statements)) {
      if (statement->kind != StatementKind::declaration) continue;
      if (statement->declaration.name != m_accessor.tensor) continue;
      const Range value = statement->declaration.initialiser;
      const std::size_t name =
          m_code.spells(value.begin + 1, {"::"}) ? value.begin + 2 : value.begin;
      const std::string_view text = m_code.text(name);
      return text == "empty" || text == "zeros" || text == "empty_like" || text == "zeros_like" ||
             text == "ones" || text == "full";
    }
    return false;
  }

  [[nodiscard]] std::string declarations() const {
    const std::string& tensor = m_accessor.tensor;
    std::string result;
    if (m_written) {
      result = m_accessor.type + "* " + m_pointer + " = " + tensor + ".data_ptr<" +
               m_accessor.type + ">();";
    } else {
      const std::string dense = m_names.make(m_accessor.name + "_dense");
      result = "const auto " + dense + " = " + tensor + ".contiguous(); const " + m_accessor.type +
               "* " + m_pointer + " = " + dense + ".data_ptr<" + m_accessor.type + ">();";
    }
    for (std::size_t d = 0; d < m_sizes.size(); ++d) {
      result +=
          " const int64_t " + m_sizes[d] + " = " + tensor + ".size(" + std::to_string(d + 1) + ");";
    }
    return result;
  }

  const Code& m_code;
  const Function& m_function;
  const Accessor& m_accessor;
  FreshNames& m_names;
  std::string m_pointer;
  std::vector<std::string> m_sizes;  // those of all dimensions but the first
  std::vector<Edit> m_edits;
  bool m_written = false;
};

}  // namespace

std::vector<RuleResult> raw_pointers(const RuleContext& context) {
  const Code& code = context.code;
  RuleResult result{"raw_pointers", {}};
  FreshNames names(code);
  for (const Function& function : context.functions) {
    for (const SourceStatement* statement : all_of(function.statements)) {
      const auto accessor = accessor_of(code, *statement);
      if (!accessor) continue;
      std::vector<Edit> edits = RawPointers(code, function, *accessor, names).run();
      if (edits.empty()) continue;
      result.changes.push_back(
          {"a pointer instead of the accessor " + accessor->name, statement->range, edits});
    }
  }
  return {result};
}

}  // namespace robust_kbench
