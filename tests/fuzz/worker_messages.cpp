// Reads bytes as the broker reads a worker's: any of them may come from a kernel.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "ipc/call.hpp"
#include "ipc/channel.hpp"
#include "ipc/message.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

template <typename Message>
void read_as(const nlohmann::json& body) {
  try {
    (void)body.get<Message>();
  } catch (const HarnessError&) {  // a malformed message ends its worker
  }
}

void read_message(std::string_view bytes) {
  FrameReader reader(max_answer_bytes);
  reader.append(bytes);
  if (!reader.complete()) return;
  const nlohmann::json message = reader.take();
  read_as<Load>(message);
  read_as<Loaded>(message);
  read_as<Failed>(message);
  read_as<OutputSample>(message);
  read_as<Estimate>(message);
  read_as<Trace>(message);
  (void)decode_results(message);
}

void read(std::string_view bytes) {
  try {
    read_message(bytes);
  } catch (const HarnessError&) {
  }
}

}  // namespace
}  // namespace robust_kbench

// The bytes come as they are, and as the text of one message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  robust_kbench::read(text);
  const auto length = static_cast<std::uint32_t>(size);
  std::string framed(sizeof length, '\0');
  std::memcpy(framed.data(), &length, sizeof length);
  robust_kbench::read(framed + text);
  return 0;
}
