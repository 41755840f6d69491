#include "source/compile_options.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "source/marked_comment.hpp"
#include "source/source_error.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view alternatives_mark = "// tune:";
constexpr std::string_view registers = "-maxrregcount=";

constexpr std::string_view host_options[] = {
    "-O1", "-O2", "-O3", "-Ofast",
    // fast math and its parts
    "-ffast-math", "-fno-math-errno", "-funsafe-math-optimizations", "-fassociative-math",
    "-freciprocal-math", "-ffinite-math-only", "-fno-signed-zeros", "-fno-trapping-math",
    "-fcx-limited-range", "-ffp-contract=off", "-ffp-contract=on", "-ffp-contract=fast",
    // loops
    "-funroll-loops", "-funroll-all-loops", "-fno-unroll-loops", "-fpeel-loops", "-fsplit-loops",
    "-floop-interchange", "-floop-unroll-and-jam", "-ftree-loop-distribution",
    "-fprefetch-loop-arrays", "-fno-prefetch-loop-arrays",
    // vectors
    "-ftree-vectorize", "-fno-tree-vectorize", "-ftree-slp-vectorize", "-fno-tree-slp-vectorize",
    "-fvect-cost-model=unlimited", "-fvect-cost-model=dynamic", "-fvect-cost-model=cheap",
    "-fvect-cost-model=very-cheap", "-fsimd-cost-model=unlimited", "-mprefer-vector-width=none",
    "-mprefer-vector-width=128", "-mprefer-vector-width=256", "-mprefer-vector-width=512",
    // across functions
    "-fipa-pta", "-fno-inline", "-finline-functions", "-fomit-frame-pointer"};

constexpr std::string_view cuda_options[] = {"-O1",
                                             "-O2",
                                             "-O3",
                                             "--use_fast_math",
                                             "-use_fast_math",
                                             "-ftz=true",
                                             "-ftz=false",
                                             "-prec-div=true",
                                             "-prec-div=false",
                                             "-prec-sqrt=true",
                                             "-prec-sqrt=false",
                                             "-fmad=true",
                                             "-fmad=false",
                                             "-extra-device-vectorization",
                                             "-restrict",
                                             "-Xptxas=-O1",
                                             "-Xptxas=-O2",
                                             "-Xptxas=-O3",
                                             "-Xptxas=-dlcm=ca",
                                             "-Xptxas=-dlcm=cg"};

std::span<const std::string_view> listed_options(bool cuda) {
  if (cuda) return cuda_options;
  return host_options;
}

bool is_register_count(std::string_view option) {
  if (!option.starts_with(registers)) return false;
  const std::string_view digits = option.substr(registers.size());
  int count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return error == std::errc() && end == digits.data() + digits.size() && count >= 16 &&
         count <= 255;
}

bool is_allowed(std::string_view option, bool cuda) {
  if (cuda && is_register_count(option)) return true;
  const std::span<const std::string_view> list = listed_options(cuda);
  return std::find(list.begin(), list.end(), option) != list.end();
}

// Words are split at spaces alone, and each must be one of the list as a whole. So nothing hides in
// quotes, tabs, continued lines or other characters.
std::vector<std::string> checked_options(std::string_view text, int line, bool cuda) {
  std::vector<std::string> options;
  if (text == "none") return options;
  while (!(text = without_spaces(text)).empty()) {
    const std::string option(text.substr(0, text.find(' ')));
    if (!is_allowed(option, cuda)) {
      throw SourceError(line, option,
                        cuda ? "nvcc gets no such option from a kernel"
                             : "the compiler gets no such option from a kernel",
                        "allowed are none and " + allowed_compile_options(cuda));
    }
    options.push_back(option);
    text.remove_prefix(option.size());
  }
  return options;
}

}  // namespace

std::string allowed_compile_options(bool cuda) {
  std::string text;
  for (const std::string_view option : listed_options(cuda)) {
    text += (text.empty() ? "" : " ") + std::string(option);
  }
  return cuda ? text + " " + std::string(registers) + "16 to 255" : text;
}

std::vector<OptionLine> option_lines(const std::vector<Token>& tokens) {
  std::vector<OptionLine> lines;
  bool has_alternatives = false;
  for (const MarkedComment& comment : marked_comments(tokens)) {
    if (comment.mark != "options") continue;
    const std::size_t mark = comment.text.find(alternatives_mark);
    const std::string_view options = without_spaces(comment.text.substr(0, mark));
    if (options.empty()) {
      throw SourceError(comment.line, "options: " + std::string(comment.text), "it names no option",
                        "say `options: none` where none is meant");
    }
    OptionLine line{std::string(options), {}, comment.text_offset, comment.line};
    if (mark != std::string_view::npos) {
      if (std::exchange(has_alternatives, true)) {
        throw SourceError(comment.line, std::string(comment.text),
                          "a line before it has alternatives of options, too",
                          "list all alternatives in one line");
      }
      line.alternatives = comma_separated(comment.text.substr(mark + alternatives_mark.size()));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> compile_options_of(std::string_view source, bool cuda) {
  std::vector<std::string> options;
  for (const OptionLine& line : option_lines(tokenize(source))) {
    for (const std::string& option : checked_options(line.options, line.line, cuda)) {
      options.push_back(option);
    }
    for (const std::string& alternative : line.alternatives) {
      checked_options(alternative, line.line, cuda);
    }
  }
  return options;
}

}  // namespace robust_kbench
