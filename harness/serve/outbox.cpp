#include "serve/outbox.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/error.hpp"
#include "process/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20;
constexpr std::size_t max_written_bytes = std::size_t{1} << 20;  // that are kept

}  // namespace

Outbox::Outbox() : m_wakeup(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (m_wakeup.get() < 0) throw system_failure("eventfd");
}

void Outbox::put(const nlohmann::json& line) {
  const std::string text = json_line(line);
  {
    const std::scoped_lock lock(m_mutex);
    m_overflowed = m_overflowed || m_bytes.size() - m_written + text.size() > max_bytes;
    if (!m_overflowed) m_bytes += text;
  }
  const std::uint64_t one = 1;
  // The write fails only where the descriptor is readable already.
  if (write(m_wakeup.get(), &one, sizeof(one)) < 0) return;
}

bool Outbox::empty() const {
  const std::scoped_lock lock(m_mutex);
  return m_written == m_bytes.size();
}

bool Outbox::overflowed() const {
  const std::scoped_lock lock(m_mutex);
  return m_overflowed;
}

void Outbox::acknowledge_wakeup() const {
  std::uint64_t count = 0;
  // The read fails only where the descriptor is not readable.
  if (read(m_wakeup.get(), &count, sizeof(count)) < 0) return;
}

bool Outbox::write_some(int fd) {
  const std::scoped_lock lock(m_mutex);
  const std::size_t bytes = std::min<std::size_t>(m_bytes.size() - m_written, PIPE_BUF);
  const ssize_t written = write(fd, m_bytes.data() + m_written, bytes);
  if (written < 0) return errno == EINTR || errno == EAGAIN;
  m_written += static_cast<std::size_t>(written);
  if (m_written == m_bytes.size() || m_written >= max_written_bytes) {
    m_bytes.erase(0, m_written);
    m_written = 0;
  }
  return true;
}

}  // namespace robust_kbench
