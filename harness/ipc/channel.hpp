#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The wire format between broker and worker: a 4-byte length in the machine's byte order, then that
// many bytes of JSON. A request is {"request", "nonce", "body"}. Its answer is {"answer", "nonce",
// "body"} with the same nonce, so an answer that a kernel wrote ahead of time is not accepted.
namespace robust_kbench {

// The limits of an answer's length and depth of nesting, and of a request's length.
inline constexpr std::size_t max_answer_bytes = std::size_t{8} << 20;
inline constexpr std::size_t max_request_bytes = std::size_t{1} << 30;
inline constexpr int max_message_depth = 16;

// The bytes of one message. Invalid UTF-8 in strings is replaced.
std::string frame(const nlohmann::json& message);

// Collects received bytes into messages.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  void append(std::string_view bytes) { m_bytes += bytes; }

  // True if the first message is complete. Throws HarnessError if its announced length is too long.
  [[nodiscard]] bool complete() const;
  // Takes the first complete message. Throws HarnessError if it is not JSON or nested too deep.
  nlohmann::json take();

  [[nodiscard]] bool empty() const { return m_bytes.empty(); }

 private:
  [[nodiscard]] std::size_t announced() const;

  std::size_t m_max_bytes;
  std::string m_bytes;
};

}  // namespace robust_kbench
