#include "ipc/channel.hpp"

#include <cstring>

#include "core/error.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

using nlohmann::json;

std::string frame(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes + text;
}

std::size_t FrameReader::announced() const {
  std::uint32_t length = 0;
  std::memcpy(&length, m_bytes.data(), sizeof(length));
  return length;
}

bool FrameReader::complete() const {
  if (m_bytes.size() < sizeof(std::uint32_t)) return false;
  if (announced() > m_max_bytes) {
    throw HarnessError("message of " + std::to_string(announced()) + " bytes, at most " +
                       std::to_string(m_max_bytes) + " are taken");
  }
  return m_bytes.size() - sizeof(std::uint32_t) >= announced();
}

json FrameReader::take() {
  const char* text = m_bytes.data() + sizeof(std::uint32_t);
  const std::size_t length = announced();
  try {
    json message = parse_json({text, length}, max_message_depth);
    m_bytes.erase(0, sizeof(std::uint32_t) + length);
    return message;
  } catch (const json::exception& error) {
    throw HarnessError(std::string("message is no JSON: ") + error.what());
  }
}

}  // namespace robust_kbench
