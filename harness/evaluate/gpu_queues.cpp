#include "evaluate/gpu_queues.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

constexpr int without_own_streams = 3;

// Words for making or capturing streams, for libraries that do so, for hiding a name, and for a
// kernel's own headers.
constexpr std::array<std::string_view, 15> words_of_streams{
    "StreamCreate", "StreamFromPool", "StreamBegin", "Graph",    "cublas",
    "cudnn",        "cufft",          "cusparse",    "cusolver", "curand",
    "nvrtc",        "dlopen",         "dlsym",       "##",       "include \""};

// Operators that torch may run in further streams of its own.
constexpr std::array<std::string_view, 8> words_of_operators{
    "conv2d", "conv1d", "conv3d", "matmul", "at::mm", "torch::mm", "bmm", "linear("};

bool names_any(const std::string& text) {
  const auto is_named = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  return std::ranges::any_of(words_of_streams, is_named) ||
         std::ranges::any_of(words_of_operators, is_named);
}

}  // namespace

int gpu_queues_of(const KernelSource& kernel) {
  if (kernel.headers == KernelHeaders::torch || !kernel.libraries.empty()) return 0;
  for (const std::string& source : kernel.sources) {
    const std::optional<std::string> text = read_text(source);
    if (!text || names_any(*text)) return 0;
  }
  return without_own_streams;
}

}  // namespace robust_kbench
