#include "device/gpu_choice.hpp"

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

constexpr const char* visible = "CUDA_VISIBLE_DEVICES";
constexpr const char* allocation = "CTEST_RESOURCE_GROUP_0_GPUS";  // "id:1,slots:1"

// The driver's name for the GPU: its index, or its entry in CUDA_VISIBLE_DEVICES, which may be a
// UUID. None for an index beyond that list.
std::string visible_name(int index) {
  const char* names = std::getenv(visible);
  if (names == nullptr) return std::to_string(index);
  std::stringstream list(names);
  std::string name;
  for (int i = 0; i <= index; ++i) {
    if (!std::getline(list, name, ',')) return "-1";
  }
  return name;
}

}  // namespace

std::string only_gpu() {
  return visible_name(0);
}

void use_gpu(int index) {
  if (index < 0)
    throw UserError("GPU " + std::to_string(index) + " does not exist; give 0 or more");
  setenv(visible, visible_name(index).c_str(), 1);
}

void use_gpu_of_ctest() {
  const char* given = std::getenv(allocation);
  if (given == nullptr) return;
  constexpr std::string_view key = "id:";
  const std::string_view text = given;
  const std::size_t at = text.find(key);
  int index = 0;
  if (at == std::string_view::npos ||
      std::from_chars(text.data() + at + key.size(), text.data() + text.size(), index).ec !=
          std::errc{}) {
    throw HarnessError(
        std::string(allocation) + " is '" + given +
        "', expected id:<GPU>,slots:<number>; is the resource spec file CTest's own?");
  }
  use_gpu(index);
}

}  // namespace robust_kbench
