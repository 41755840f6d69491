// Reads a file of records as `rkb report` does: anybody may have edited it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"

#include <nlohmann/json.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robust_kbench;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)record_file(kernels_of(parse_json(text))).dump();
  } catch (const UserError&) {
  } catch (const HarnessError&) {
  } catch (const nlohmann::json::exception&) {  // the command says that the file holds no records
  }
  return 0;
}
