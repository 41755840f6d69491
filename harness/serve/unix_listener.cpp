#include "serve/unix_listener.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include "core/error.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    throw UserError(fmt::format("--listen: the path '{}' has {} bytes; give 1 to {}", path,
                                path.size(), sizeof(address.sun_path) - 1));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Descriptor new_socket() {
  Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.get() < 0) throw system_failure("socket");
  return made;
}

// Removes the socket that a former server left behind.
void remove_abandoned(const std::string& path, const sockaddr_un& address) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) return;
  if (!S_ISSOCK(there.st_mode)) {
    throw UserError("--listen: " + path + " exists and is no socket; give another path");
  }
  const Descriptor probe = new_socket();
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  if (connect(probe.get(), generic, sizeof(address)) == 0 || errno != ECONNREFUSED) {
    throw UserError("--listen: another program listens at " + path + "; give another path");
  }
  unlink(path.c_str());
}

}  // namespace

UnixListener::UnixListener(const std::string& path) : m_socket(new_socket()) {
  const sockaddr_un address = address_of(path);
  remove_abandoned(path, address);
  const mode_t before = umask(0177);
  const int bound =
      bind(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const int error = errno;
  umask(before);
  if (bound != 0) {
    throw UserError(fmt::format("--listen: cannot listen at {}: {}; give another path", path,
                                std::strerror(error)));
  }
  if (listen(m_socket.get(), SOMAXCONN) != 0) throw system_failure("listen");
}

Descriptor UnixListener::accept() const {
  while (true) {
    Descriptor client(accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() >= 0) return client;
    if (errno == EMFILE || errno == ENFILE) {
      // Waits until another client has gone, which frees a descriptor.
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    } else if (errno != EINTR && errno != ECONNABORTED) {
      throw system_failure("accept");
    }
  }
}

}  // namespace robust_kbench
