#include "source/techniques.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

enum class Written { as_a_name, as_its_beginning, as_its_part, in_a_directive, in_assembly };

struct Sign {
  Technique technique;
  Written written;
  std::string_view word;
};

constexpr std::array signs{
    Sign{Technique::vector_intrinsics, Written::as_its_beginning, "_mm_"},
    Sign{Technique::vector_intrinsics, Written::as_its_beginning, "_mm256_"},
    Sign{Technique::vector_intrinsics, Written::as_its_beginning, "_mm512_"},
    Sign{Technique::vector_intrinsics, Written::as_its_beginning, "vld1"},  // of ARM
    Sign{Technique::vector_intrinsics, Written::as_a_name, "Vectorized"},   // of ATen
    Sign{Technique::vector_intrinsics, Written::as_a_name, "vector_size"},  // of GCC and clang
    Sign{Technique::simd_pragma, Written::in_a_directive, "simd"},
    Sign{Technique::threads, Written::as_its_part, "parallel"},
    Sign{Technique::threads, Written::in_a_directive, "parallel"},
    Sign{Technique::wide_accesses, Written::as_a_name, "float4"},
    Sign{Technique::wide_accesses, Written::as_a_name, "int4"},
    Sign{Technique::wide_accesses, Written::as_a_name, "uint4"},
    Sign{Technique::wide_accesses, Written::as_a_name, "double2"},
    Sign{Technique::wide_accesses, Written::as_a_name, "longlong2"},
    Sign{Technique::wide_accesses, Written::as_a_name, "ulonglong2"},
    Sign{Technique::wide_accesses, Written::in_assembly, ".v4."},
    Sign{Technique::warp_shuffles, Written::as_its_beginning, "__shfl"},
    Sign{Technique::warp_shuffles, Written::as_its_beginning, "__reduce_"},
    Sign{Technique::asynchronous_copies, Written::as_a_name, "memcpy_async"},
    Sign{Technique::asynchronous_copies, Written::as_a_name, "__pipeline_memcpy_async"},
    Sign{Technique::asynchronous_copies, Written::in_assembly, "cp.async"},
    Sign{Technique::tensor_cores, Written::as_a_name, "mma_sync"},
    Sign{Technique::tensor_cores, Written::in_assembly, "mma.sync"},
    Sign{Technique::tensor_cores, Written::in_assembly, "wgmma"},
    Sign{Technique::launch_bounds, Written::as_a_name, "__launch_bounds__"},
    Sign{Technique::unrolling, Written::in_a_directive, "unroll"},
    Sign{Technique::restricted_pointers, Written::as_a_name, "__restrict__"},
    Sign{Technique::restricted_pointers, Written::as_a_name, "__restrict"},
    Sign{Technique::restricted_pointers, Written::as_a_name, "__ldg"},
    Sign{Technique::grid_stride, Written::as_a_name, "gridDim"},
    Sign{Technique::library_products, Written::as_a_name, "matmul"},
    Sign{Technique::library_products, Written::as_a_name, "linear"},
    Sign{Technique::library_products, Written::as_a_name, "addmm"},
    Sign{Technique::library_products, Written::as_a_name, "bmm"},
    Sign{Technique::library_products, Written::as_its_beginning, "cublas"},
};

bool has_sign(const Token& token, const Sign& sign, bool in_assembly) {
  const std::string_view text = token.text;
  switch (sign.written) {
    case Written::as_a_name:
      return token.kind == TokenKind::identifier && text == sign.word;
    case Written::as_its_beginning:
      return token.kind == TokenKind::identifier && text.starts_with(sign.word);
    case Written::as_its_part:
      return token.kind == TokenKind::identifier && text.find(sign.word) != std::string_view::npos;
    case Written::in_a_directive:
      return token.kind == TokenKind::directive && text.find("pragma") != std::string_view::npos &&
             text.find(sign.word) != std::string_view::npos;
    case Written::in_assembly:
      return in_assembly && token.kind == TokenKind::string &&
             text.find(sign.word) != std::string_view::npos;
  }
  return false;
}

// Tokens that a compiler reads.
std::vector<Token> read_tokens(std::string_view source) {
  std::vector<Token> tokens = tokenize(source);
  std::erase_if(tokens, [](const Token& token) {
    return token.kind == TokenKind::comment || token.kind == TokenKind::space;
  });
  return tokens;
}

// The index behind the bracket that closes the one at `index`, or the number of tokens.
std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t index) {
  int depth = 0;
  for (; index < tokens.size(); ++index) {
    if (is_one_of(tokens[index].text, {"(", "{", "["})) ++depth;
    if (is_one_of(tokens[index].text, {")", "}", "]"})) --depth;
    if (depth == 0) return index + 1;
  }
  return index;
}

// The index behind a loop's body that begins at `index`: a block, or what a semicolon or a block
// ends.
std::size_t behind_body(const std::vector<Token>& tokens, std::size_t index) {
  while (index < tokens.size()) {
    const std::string_view text = tokens[index].text;
    if (text == "{") return behind_bracket(tokens, index);
    if (text == ";") return index + 1;
    index = text == "(" || text == "[" ? behind_bracket(tokens, index) : index + 1;
  }
  return index;
}

}  // namespace

std::set<Technique> techniques_in(std::string_view source) {
  std::set<Technique> found;
  bool in_assembly = false;
  for (const Token& token : read_tokens(source)) {
    if (is_one_of(token.text, {"asm", "__asm__"})) in_assembly = true;
    if (token.text == ";") in_assembly = false;
    for (const Sign& sign : signs) {
      if (has_sign(token, sign, in_assembly)) found.insert(sign.technique);
    }
  }
  return found;
}

std::string_view loop_at(std::string_view source, int line) {
  const std::vector<Token> tokens = read_tokens(source);
  std::optional<std::size_t> keyword;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    if (tokens[i].line == line && is_one_of(tokens[i].text, {"for", "while", "do"})) keyword = i;
  }
  if (!keyword) return {};
  std::size_t end = *keyword + 1;
  if (tokens[*keyword].text != "do" && end < tokens.size()) end = behind_bracket(tokens, end);
  end = behind_body(tokens, end);
  const std::size_t begin = tokens[*keyword].offset;
  const Token& last = tokens[end - 1];
  return source.substr(begin, last.offset + last.text.size() - begin);
}

bool is_remainder(std::string_view loop) {
  const std::vector<Token> tokens = read_tokens(loop);
  return tokens.size() > 2 && tokens[0].text == "for" && tokens[1].text == "(" &&
         tokens[2].text == ";";
}

}  // namespace robust_kbench
