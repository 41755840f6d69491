#include "compile/audit/telling_texts.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "compile/audit/symbol_class.hpp"

namespace robust_kbench {
namespace {

void add_matches(std::string_view text, const std::regex& pattern, Capability capability,
                 std::vector<TellingWord>& words) {
  using Matches = std::regex_iterator<std::string_view::const_iterator>;
  for (Matches match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    words.push_back({capability, match->str(1)});
  }
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  return std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool may_name_harness(std::string_view text) {
  return holds(text, "rkb") || holds(text, "RKB") || holds(text, "robust_kbench") ||
         holds(text, "ROBUST_KBENCH");
}

}  // namespace

bool may_hold_telling_words(std::string_view source) {
  constexpr std::string_view signs[] = {"/proc", "/sys", "/dev", "/etc", "/run", ".so", "\"cu"};
  return may_name_harness(source) ||
         std::ranges::any_of(signs, [&](std::string_view sign) { return holds(source, sign); });
}

std::vector<TellingWord> telling_words_of_text(std::string_view text) {
  static const std::regex path(
      "(?:^|[^A-Za-z0-9_./-])"
      "(/(?:proc|sys|dev|etc|run)(?:/[A-Za-z0-9_.%/-]*)?)(?![A-Za-z0-9_])");
  static const std::regex library(
      "(?:^|[^A-Za-z0-9_.-])(lib[A-Za-z0-9_+-]+[.]so(?:[.][0-9]+)*)(?![A-Za-z0-9_])");
  // The shim's namespace, and the extension's name, are in texts that compilers make.
  static const std::regex ours(
      "(?:^|[^A-Za-z0-9_])"
      "((?:lib)?(?:rkb|RKB|robust_kbench|ROBUST_KBENCH)_(?!kernel(?![a-z]))[A-Za-z0-9_]+)");
  std::vector<TellingWord> words;
  if (holds(text, "/")) add_matches(text, path, Capability::files, words);
  if (holds(text, ".so")) add_matches(text, library, Capability::dynamic_loading, words);
  if (may_name_harness(text)) add_matches(text, ours, Capability::harness, words);
  if (is_name(text) && text.starts_with("cu") && capability_of_symbol(text) == Capability::driver) {
    words.push_back({Capability::driver, std::string(text)});
  }
  return words;
}

std::vector<TellingWord> telling_words_of_code(std::string_view code) {
  static const std::regex ours(
      "(?:^|[^A-Za-z0-9_])((?:rkb|RKB|robust_kbench|ROBUST_KBENCH)(?:_[A-Za-z0-9_]+)?)"
      "(?![A-Za-z0-9_])");
  std::vector<TellingWord> words;
  if (may_name_harness(code)) add_matches(code, ours, Capability::harness, words);
  return words;
}

}  // namespace robust_kbench
