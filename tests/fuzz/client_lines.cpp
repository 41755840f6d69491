// Reads bytes as `rkb serve` reads a client's: lines that hold requests.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "process/json_lines.hpp"
#include "serve/client_request.hpp"

#include <nlohmann/json.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robust_kbench;
  JsonLines lines(std::size_t{1} << 16);
  lines.append({reinterpret_cast<const char*>(data), size});
  while (true) {
    try {
      const auto object = lines.next();
      if (!object) return 0;
      (void)parse_client_request(*object);
    } catch (const BadLine&) {  // told to the client, and the next line is read
    } catch (const BadRequest&) {
    }
  }
}
