#include "transform/expanded_macros.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "source/code.hpp"
#include "source/directive.hpp"

namespace robust_kbench {
namespace {

constexpr int deepest_macros = 4;  // macros in the texts and arguments of macros

struct Macro {
  std::vector<std::string> parameters;
  std::string text;
  std::size_t definition = 0;  // the token before which the name is no macro
};

// A directive in one line.
std::string joined(std::string_view directive) {
  std::string result;
  for (std::size_t i = 0; i < directive.size(); ++i) {
    if (directive[i] == '\\' && i + 1 < directive.size() && directive[i + 1] == '\n') continue;
    result += directive[i] == '\n' ? ' ' : directive[i];
  }
  return result;
}

// The macro of `#define name(parameters) text` where it is one to expand.
std::optional<Macro> macro_of(std::string_view directive) {
  if (directive.starts_with('%')) return {};
  const std::string line = joined(directive).substr(1);
  const Code code(line);
  if (code.text(0) != "define") return {};
  const std::string name(code.text(1));
  const std::size_t close = code.text(2) == "(" ? code.partner(2) : code.size();
  if (close >= code.size() || close + 1 == code.size()) return {};
  if (code.token(2).offset != code.token(1).offset + name.size()) return {};
  Macro macro;
  for (std::size_t i = 3; i < close; i += 2) {
    if (!code.is_name(i)) return {};
    macro.parameters.emplace_back(code.text(i));
  }
  bool element = false;
  for (std::size_t i = close + 1; i < code.size(); ++i) {
    if (code.text(i) == name || code.text(i).starts_with("#")) return {};
    element = element || (code.text(i) == "[" && code.is_name(i - 1));
  }
  if (!element && code.text(close + 1) != "for") return {};
  macro.text = code.slice({close + 1, code.size()});
  return macro;
}

// The macros that have one definition, which no condition may leave out.
std::map<std::string, Macro> macros_of(const Code& code) {
  std::map<std::string, std::optional<Macro>> found;
  OpenConditions conditions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code.is_directive(i)) continue;
    const std::vector<std::string> words = directive_words(code.token(i));
    conditions.pass(words);
    if (words.size() < 2 || (words[0] != "define" && words[0] != "undef")) continue;
    std::optional<Macro> macro = conditions.list().empty() ? macro_of(code.text(i)) : std::nullopt;
    if (macro) macro->definition = i;
    const bool first = found.emplace(words[1], std::move(macro)).second;
    if (!first) found[words[1]].reset();
  }
  std::map<std::string, Macro> result;
  for (const auto& [name, macro] : found) {
    if (macro) result.emplace(name, *macro);
  }
  return result;
}

// The macro's text with arguments, and without brackets around those of one token.
std::string expansion(const Macro& macro, const Code& code, const std::vector<Range>& arguments) {
  const Code text(macro.text);
  std::string result;
  std::size_t written = 0;
  const auto write = [&](Range range, std::string_view argument) {
    const std::size_t begin = text.token(range.begin).offset;
    result += text.source().substr(written, begin - written);
    result += argument;
    written = begin + text.slice(range).size();
  };
  const auto argument_at = [&](std::size_t i) -> std::optional<Range> {
    const auto found =
        std::find(macro.parameters.begin(), macro.parameters.end(), std::string(text.text(i)));
    if (!text.is_name(i) || found == macro.parameters.end()) return {};
    return arguments[static_cast<std::size_t>(found - macro.parameters.begin())];
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto bracketed = text.text(i) == "(" ? argument_at(i + 1) : std::nullopt;
    const bool call = i > 0 && (text.is_name(i - 1) || text.text(i - 1) == "]");
    if (bracketed && bracketed->size() == 1 && text.text(i + 2) == ")" && !call) {
      write({i, i + 3}, code.slice(*bracketed));
      i += 2;
    } else if (const auto argument = argument_at(i)) {
      write({i, i + 1}, code.slice(*argument));
    }
  }
  return result + std::string(text.source().substr(written));
}

std::string expanded_once(std::string_view source) {
  const Code code(source);
  const auto macros = macros_of(code);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto macro = macros.find(std::string(code.text(i)));
    if (!code.is_name(i) || macro == macros.end() || code.text(i + 1) != "(") continue;
    if (i < macro->second.definition) continue;
    const std::size_t close = code.partner(i + 1);
    if (close >= code.size()) continue;
    const auto arguments = code.parts({i + 2, close});
    if (arguments.size() != macro->second.parameters.size()) continue;
    edits.push_back(replacement(code, {i, close + 1}, expansion(macro->second, code, arguments)));
    i = close;
  }
  return edited(source, std::move(edits));
}

}  // namespace

std::string with_expanded_macros(std::string_view source) {
  std::string result(source);
  for (int depth = 0; depth < deepest_macros; ++depth) {
    std::string next = expanded_once(result);
    if (next == result) break;
    result = std::move(next);
  }
  return result;
}

}  // namespace robust_kbench
