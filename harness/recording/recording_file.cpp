#include "recording/recording_file.hpp"

#include <array>
#include <unistd.h>

#include "core/error.hpp"
#include "core/write_all.hpp"

namespace robust_kbench {
namespace {

// A recording may be as long, as has the code of some libraries.
constexpr std::size_t most_recording_bytes = std::size_t{512} << 20;

}  // namespace

std::string read_recording(int fd) {
  std::string bytes;
  std::array<char, 1 << 16> piece{};
  while (bytes.size() < most_recording_bytes) {
    const ssize_t read = pread(fd, piece.data(), piece.size(), static_cast<off_t>(bytes.size()));
    if (read < 0) throw system_failure("recording: pread of fd " + std::to_string(fd));
    if (read == 0) break;
    bytes.append(piece.data(), static_cast<std::size_t>(read));
  }
  return bytes;
}

void write_recording(int fd, std::string_view bytes) {
  if (const int error = write_all(fd, bytes); error != 0) {
    throw system_failure("recording: cannot write " + std::to_string(bytes.size()) + " bytes",
                         error);
  }
}

}  // namespace robust_kbench
