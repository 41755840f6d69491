#include "source/similarity.hpp"

#include <algorithm>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t shingle_tokens = 5;

std::string normalised(const Token& token) {
  switch (token.kind) {
    case TokenKind::number:
      return "0";
    case TokenKind::string:
    case TokenKind::character:
      return "\"\"";
    default:
      return std::string(token.text);
  }
}

void add_normalised(std::vector<std::string>& tokens, std::string_view source) {
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    if (token.kind == TokenKind::directive) {
      tokens.emplace_back("#");
      add_normalised(tokens, token.text.substr(1));
    } else {
      tokens.push_back(normalised(token));
    }
  }
}

}  // namespace

std::set<std::string> shingles_of(std::string_view source) {
  std::vector<std::string> tokens;
  add_normalised(tokens, source);
  std::set<std::string> shingles;
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    std::string shingle;
    for (std::size_t i = begin; i < std::min(begin + shingle_tokens, tokens.size()); ++i) {
      shingle += tokens[i] + ' ';
    }
    shingles.insert(std::move(shingle));
    if (begin + shingle_tokens >= tokens.size()) break;
  }
  return shingles;
}

double similarity(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common =
      std::ranges::count_if(a, [&](const std::string& shingle) { return b.contains(shingle); });
  const auto all = static_cast<double>(a.size() + b.size()) - static_cast<double>(common);
  return all == 0 ? 1 : static_cast<double>(common) / all;
}

}  // namespace robust_kbench
