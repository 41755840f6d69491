#include "archive/event_log.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "archive/write_failure.hpp"
#include "core/descriptor.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The size of the file up to and with its last newline.
off_t end_of_lines(int file) {
  off_t size = lseek(file, 0, SEEK_END);
  std::array<char, 4096> piece{};
  while (size > 0) {
    const off_t start = std::max<off_t>(0, size - static_cast<off_t>(piece.size()));
    const ssize_t read = pread(file, piece.data(), static_cast<std::size_t>(size - start), start);
    if (read <= 0) break;
    const std::string_view text(piece.data(), static_cast<std::size_t>(read));
    const std::size_t newline = text.rfind('\n');
    if (newline != std::string_view::npos) return start + static_cast<off_t>(newline) + 1;
    size = start;
  }
  return 0;
}

}  // namespace

void EventLog::append(const nlohmann::json& event) const {
  constexpr mode_t readable = 0644;
  const Descriptor file(open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, readable));
  if (file.get() < 0 || flock(file.get(), LOCK_EX) != 0) throw write_failure(m_path);
  const off_t end = end_of_lines(file.get());
  // A reason may quote bytes of a compiler that are no UTF-8.
  const std::string line =
      event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const bool is_cut = ftruncate(file.get(), end) == 0;
  const ssize_t written = is_cut ? pwrite(file.get(), line.data(), line.size(), end) : -1;
  if (written == static_cast<ssize_t>(line.size())) return;
  const int error = written < 0 ? errno : ENOSPC;
  if (is_cut && ftruncate(file.get(), end) != 0) throw write_failure(m_path);
  throw write_failure(m_path, error);
}

std::vector<nlohmann::json> EventLog::of_run(const std::string& run) const {
  std::vector<nlohmann::json> events;
  std::ifstream in(m_path);
  for (std::string line; std::getline(in, line);) {
    nlohmann::json event = parse_json_if_any(line);
    if (event.is_object() && event.value("run", "") == run) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace robust_kbench
