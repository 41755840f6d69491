// Reads configs as a command line and a task's file give them.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "core/own_config.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

Params defaults() {
  Params params;
  params.set("batch_size", std::int64_t{16});
  params.set("epsilon", 1e-5);
  params.set("bias", true);
  params.set("mode", std::string("mean"));
  return params;
}

}  // namespace
}  // namespace robust_kbench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robust_kbench;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    (void)own_configs({text}, defaults(), {"seed"});
  } catch (const UserError&) {
  }
  try {
    (void)expand_configs(parse_json(text), "the file", ConfigSet::multi, defaults(), {"seed"});
  } catch (const UserError&) {
  } catch (const nlohmann::json::parse_error&) {
  }
  return 0;
}
