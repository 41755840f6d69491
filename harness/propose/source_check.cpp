#include "propose/source_check.hpp"

#include "source/compile_options.hpp"
#include "source/header_names.hpp"
#include "source/source_error.hpp"
#include "tune/tunables.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t max_source_bytes = std::size_t{1} << 20;

}  // namespace

std::string source_fault(const std::string& text, Device device) {
  if (text.empty() || text.size() > max_source_bytes) {
    return fmt::format("the source has {} bytes; give 1 to {}", text.size(), max_source_bytes);
  }
  try {
    require_plain_header_names(text);
    (void)compile_options_of(text, device == Device::cuda);
    (void)TunableSpace::of(text);
  } catch (const SourceError& error) {
    return error.what();
  }
  return "";
}

}  // namespace robust_kbench
