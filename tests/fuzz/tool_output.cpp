// Reads what Nsight Compute and compute-sanitizer print beside a kernel, which may print as well.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "profile/ncu.hpp"
#include "profile/sanitizer_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robust_kbench;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    (void)ncu_findings(parse_ncu(text));
  } catch (const UserError&) {
  } catch (const HarnessError&) {
  }
  (void)parse_sanitizer_log(text);
  return 0;
}
