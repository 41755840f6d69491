#include "tune/tunable.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "source/compile_options.hpp"
#include "source/marked_comment.hpp"
#include "source/source_error.hpp"
#include "tune/constants.hpp"
#include "tune/size_uses.hpp"

namespace robust_kbench {
namespace {

// Half, once and twice an integer that is at least 1; nothing for other values.
std::vector<std::string> neighbours(const std::string& value) {
  const std::optional<long long> number = integer_of(value);
  if (!number || *number < 1 || *number > std::numeric_limits<int>::max() / 2) return {};
  const std::string suffix = value.substr(value.find_last_of("0123456789") + 1);
  std::vector<std::string> values;
  if (*number > 1) values.push_back(std::to_string(*number / 2) + suffix);
  values.push_back(value);
  values.push_back(std::to_string(*number * 2) + suffix);
  return values;
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// The values in their order, the current one before them where it is not among them.
std::vector<std::string> checked_values(std::vector<std::string> values, const std::string& current,
                                        int line, const std::string& text) {
  std::set<std::string> seen;
  for (const std::string& value : values) {
    if (value.empty() || !seen.insert(value).second) {
      throw SourceError(line, text, value.empty() ? "a value is empty" : value + " is there twice",
                        "list different values between commas, as in `tune: 64, 128, 256`");
    }
  }
  if (!contains(values, current)) values.insert(values.begin(), current);
  return values;
}

std::vector<std::string> declared_values(std::string_view text, const std::string& current,
                                         int line) {
  if (text != "auto") {
    return checked_values(comma_separated(text), current, line, "tune: " + std::string(text));
  }
  std::vector<std::string> values = neighbours(current);
  if (values.empty()) {
    throw SourceError(line, "tune: auto", "'" + current + "' is no integer of at least 1",
                      "list the values, as in `tune: float, double`");
  }
  return values;
}

// The constant whose definition ends right before the comment, on its line.
const Constant& tuned_constant(const std::vector<Constant>& constants, std::string_view source,
                               const MarkedComment& comment) {
  for (const Constant& constant : constants) {
    const std::size_t end = constant.offset + constant.value.size();
    if (constant.line != comment.line || end > comment.offset) continue;
    const std::string_view between = source.substr(end, comment.offset - end);
    if (between.find_first_not_of(" \t;") == std::string_view::npos) return constant;
  }
  throw SourceError(comment.line, "tune: " + std::string(comment.text),
                    "no constant ends before this comment",
                    "put it on the line of one `constexpr`, `const`, `#define` or `using`, as in "
                    "`constexpr int threads = 256;  // tune: 64, 128, 256`");
}

// Collects the tunables of a source.
class Reader {
 public:
  Reader(std::string_view source, const TunableValues& further)
      : m_source(source),
        m_further(further),
        m_tokens(tokenize(source)),
        m_constants(constants_of(m_tokens)) {}

  std::vector<Tunable> read() {
    for (const MarkedComment& comment : marked_comments(m_tokens)) {
      if (comment.mark != "tune") continue;
      const Constant& constant = tuned_constant(m_constants, m_source, comment);
      if (m_further.contains(constant.name)) continue;
      add(constant, declared_values(comment.text, constant.value, comment.line), true);
    }
    for (const auto& [name, values] : m_further) read_further(name, values);
    for (const OptionLine& line : option_lines(m_tokens)) {
      if (line.alternatives.empty()) continue;
      const Constant options{"options", line.options, line.offset, line.line};
      add(options, checked_values(line.alternatives, line.options, line.line, line.options), true);
    }
    read_undeclared();
    std::sort(m_tunables.begin(), m_tunables.end(),
              [](const Tunable& a, const Tunable& b) { return a.offset < b.offset; });
    return m_tunables;
  }

 private:
  bool has(const std::string& name) const {
    return std::any_of(m_tunables.begin(), m_tunables.end(),
                       [&name](const Tunable& tunable) { return tunable.name == name; });
  }

  void add(const Constant& constant, std::vector<std::string> values, bool declared) {
    if (has(constant.name)) {
      throw SourceError(constant.line, constant.name, "another tunable has this name, too",
                        "give one of them another name");
    }
    m_tunables.push_back({constant.name, std::move(values), constant.value, constant.line, declared,
                          constant.offset});
  }

  void read_further(const std::string& name, const std::vector<std::string>& values) {
    const auto is_named = [&name](const Constant& constant) { return constant.name == name; };
    const auto constant = std::find_if(m_constants.begin(), m_constants.end(), is_named);
    if (constant == m_constants.end()) {
      throw SourceError(0, name, "the source defines no constant of this name",
                        "define it with `constexpr`, `const`, `#define` or `using`");
    }
    add(*constant, checked_values(values, constant->value, constant->line, name), true);
  }

  // A name that is defined twice is left alone, since a use may mean either.
  void read_undeclared() {
    const std::set<std::string> sizes = names_used_as_sizes(m_tokens);
    std::map<std::string, int> definitions;
    for (const Constant& constant : m_constants) ++definitions[constant.name];
    for (const Constant& constant : m_constants) {
      if (!sizes.contains(constant.name) || definitions[constant.name] > 1) continue;
      std::vector<std::string> values = neighbours(constant.value);
      if (!values.empty() && !has(constant.name)) add(constant, std::move(values), false);
    }
  }

  std::string_view m_source;
  const TunableValues& m_further;
  std::vector<Token> m_tokens;
  std::vector<Constant> m_constants;
  std::vector<Tunable> m_tunables;
};

}  // namespace

std::vector<Tunable> tunables_of(std::string_view source, const TunableValues& further) {
  return Reader(source, further).read();
}

}  // namespace robust_kbench
