#include "prompt/prompt_fence.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/sha256.hpp"
#include "llm/mark_secret.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t mark_digits = 24;      // 96 bits, which no text contains by chance
constexpr std::size_t shown_source = 60000;  // characters, as the helper shows
constexpr std::size_t shown_line = 200;

// Whether a reader may begin a new line after this character.
bool ends_line(char c) {
  constexpr std::string_view separators = "\n\v\f\r\x1c\x1d\x1e";
  return separators.find(c) != std::string_view::npos;
}

// The text in printable ASCII, tabs and plain line ends. Control characters are left out. A
// question mark stands for any other character, since some change the order of reading or look like
// another.
std::string visible(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (ends_line(c)) {
      const bool is_half = c == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (!is_half) shown += '\n';
    } else if (c == '\t' || (byte >= 0x20 && byte < 0x7f)) {
      shown += c;
    } else if (byte >= 0xc0) {  // the first byte of a character in UTF-8
      shown += '?';
    }
  }
  return shown;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.replace(at, part.size(), by);
  }
}

std::string without_outer_line_ends(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of('\n') + 1 - begin);
}

}  // namespace

std::string mark_secret_of(Journal& journal) {
  return journal.once("mark_secret", [] { return nlohmann::json(new_mark_secret()); });
}

PromptFence::PromptFence(const std::string& secret, const std::string& prompt,
                         const Scrubber& scrubber)
    : m_mark(hmac_sha256(secret, prompt).substr(0, mark_digits)), m_scrubber(scrubber) {}

std::string PromptFence::source(const std::string& text, const std::string& label) const {
  return fenced(visible(m_scrubber.scrubbed(std::string_view(text))), label, shown_source);
}

std::string PromptFence::line(const std::string& text, const std::string& label) const {
  return fenced(one_line(visible(m_scrubber.scrubbed(std::string_view(text)))), label, shown_line);
}

std::string PromptFence::fenced(std::string shown, const std::string& label,
                                std::size_t limit) const {
  replace_all(shown, m_mark, "(mark)");
  shown = without_outer_line_ends(shown);
  std::string note;
  if (shown.size() > limit) {
    note = fmt::format(", {} further characters are left out", shown.size() - limit);
    shown.resize(limit);
  }
  return fmt::format("[{0} begin: {1}]\n{2}\n[{0} end: {1}{3}]\n", m_mark, label, shown, note);
}

}  // namespace robust_kbench
