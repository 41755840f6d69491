#include "tune/restriction.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include "source/source_error.hpp"
#include "source/tokens.hpp"

namespace robust_kbench {

struct Restriction::Node {
  std::string operation;  // "number", "name", or the operator
  long long number = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
};

namespace {

using Node = Restriction::Node;
using NodePtr = std::shared_ptr<const Node>;

NodePtr operation(const std::string& name, std::vector<NodePtr> operands) {
  return std::make_shared<Node>(Node{name, 0, "", std::move(operands)});
}

constexpr std::size_t most_tokens = 1000;

// Parses with one function for each precedence, loosest first.
class RestrictionParser {
 public:
  RestrictionParser(std::string_view text, int line) : m_text(text), m_line(line) {
    for (const Token& token : tokenize(text)) {
      if (token.kind != TokenKind::space) m_tokens.push_back(token);
    }
    // Parsing and evaluation recurse, and the text may come from anywhere.
    if (m_tokens.size() > most_tokens) fail("it has more than 1000 words and signs");
  }

  NodePtr parse() {
    NodePtr root = disjunction();
    if (m_next < m_tokens.size()) fail("'" + std::string(peek()) + "' was not expected");
    return root;
  }

  const std::set<std::string>& names() const { return m_names; }

 private:
  std::string_view peek() const {
    return m_next < m_tokens.size() ? m_tokens[m_next].text : std::string_view();
  }

  bool take(std::string_view text) {
    if (peek() != text) return false;
    ++m_next;
    return true;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw SourceError(m_line, std::string(m_text), reason,
                      "a restriction has integers, names, + - * / %, comparisons, && || ! "
                      "(or and, or, not) and parentheses");
  }

  NodePtr disjunction() {
    NodePtr left = conjunction();
    while (take("||") || take("or")) left = operation("||", {left, conjunction()});
    return left;
  }

  NodePtr conjunction() {
    NodePtr left = negation();
    while (take("&&") || take("and")) left = operation("&&", {left, negation()});
    return left;
  }

  NodePtr negation() {
    if (take("not")) return operation("!", {negation()});
    return comparison();
  }

  NodePtr comparison() {
    NodePtr left = sum();
    NodePtr all;
    for (;;) {
      const std::string compared(peek());
      if (compared != "<" && compared != "<=" && compared != ">" && compared != ">=" &&
          compared != "==" && compared != "!=") {
        return all ? all : left;
      }
      ++m_next;
      const NodePtr right = sum();
      const NodePtr one = operation(compared, {left, right});
      all = all ? operation("&&", {all, one}) : one;
      left = right;
    }
  }

  NodePtr sum() {
    NodePtr left = product();
    while (peek() == "+" || peek() == "-") {
      const std::string name(m_tokens[m_next++].text);
      left = operation(name, {left, product()});
    }
    return left;
  }

  NodePtr product() {
    NodePtr left = unary();
    while (peek() == "*" || peek() == "/" || peek() == "%") {
      const std::string name(m_tokens[m_next++].text);
      left = operation(name, {left, unary()});
    }
    return left;
  }

  NodePtr unary() {
    if (take("-")) return operation("negative", {unary()});
    if (take("!")) return operation("!", {unary()});
    return primary();
  }

  NodePtr primary() {
    if (m_next == m_tokens.size()) fail("it ends too early");
    const Token token = m_tokens[m_next];
    if (take("(")) {
      NodePtr inner = disjunction();
      if (!take(")")) fail("')' is missing");
      return inner;
    }
    ++m_next;
    const std::string text(token.text);
    if (token.kind == TokenKind::number) {
      long long number = 0;
      const char* end = text.data() + text.size();
      const auto [parsed, error] = std::from_chars(text.data(), end, number);
      if (error != std::errc() || parsed != end) fail("'" + text + "' is no integer of 64 bits");
      return std::make_shared<Node>(Node{"number", number, "", {}});
    }
    if (token.kind != TokenKind::identifier) fail("'" + text + "' was not expected");
    m_names.insert(text);
    return std::make_shared<Node>(Node{"name", 0, text, {}});
  }

  std::string_view m_text;
  int m_line;
  std::vector<Token> m_tokens;
  std::size_t m_next = 0;
  std::set<std::string> m_names;
};

using Value = std::optional<long long>;

Value arithmetic(const std::string& name, long long a, long long b) {
  long long result = 0;
  if (name == "+") return __builtin_add_overflow(a, b, &result) ? Value() : result;
  if (name == "-") return __builtin_sub_overflow(a, b, &result) ? Value() : result;
  if (name == "*") return __builtin_mul_overflow(a, b, &result) ? Value() : result;
  if (name == "<") return a < b;
  if (name == "<=") return a <= b;
  if (name == ">") return a > b;
  if (name == ">=") return a >= b;
  if (name == "==") return a == b;
  if (name == "!=") return a != b;
  if (b == 0) return {};
  if (b == -1) return name == "/" ? arithmetic("-", 0, a) : 0;  // the least number / -1 overflows
  return name == "/" ? a / b : a % b;
}

Value evaluate(const Node& node, const Restriction::Lookup& value_of) {
  if (node.operation == "number") return node.number;
  if (node.operation == "name") return value_of(node.name);
  const Value first = evaluate(*node.operands[0], value_of);
  if (!first) return {};
  if (node.operation == "negative") return arithmetic("-", 0, *first);
  if (node.operation == "!") return *first == 0;
  if (node.operation == "&&" && *first == 0) return 0;
  if (node.operation == "||" && *first != 0) return 1;
  const Value second = evaluate(*node.operands[1], value_of);
  if (!second) return {};
  if (node.operation == "&&" || node.operation == "||") return *second != 0;
  return arithmetic(node.operation, *first, *second);
}

}  // namespace

Restriction Restriction::parse(std::string_view text, int line) {
  RestrictionParser parser(text, line);
  Restriction result;
  result.m_root = parser.parse();
  result.m_text = text;
  result.m_line = line;
  result.m_names = parser.names();
  return result;
}

std::optional<bool> Restriction::holds(const Lookup& value_of) const {
  const Value value = evaluate(*m_root, value_of);
  if (!value) return {};
  return *value != 0;
}

}  // namespace robust_kbench
