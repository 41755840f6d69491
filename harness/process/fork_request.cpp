#include "process/fork_request.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "core/sha256.hpp"

namespace robust_kbench {
namespace {

// Linux sends at most about as much in one message of a socket.
constexpr std::size_t largest_message = 1 << 18;

// The message that sendmsg() and recvmsg() take: bytes, beside three descriptors.
class DescriptorsMessage {
 public:
  explicit DescriptorsMessage(std::string& bytes)
      : m_content{.iov_base = bytes.data(), .iov_len = bytes.size()} {
    m_message.msg_iov = &m_content;
    m_message.msg_iovlen = 1;
    m_message.msg_control = m_control.data();
    m_message.msg_controllen = m_control.size();
  }
  DescriptorsMessage(const DescriptorsMessage&) = delete;
  DescriptorsMessage& operator=(const DescriptorsMessage&) = delete;

  msghdr* get() { return &m_message; }

 private:
  alignas(cmsghdr) std::array<char, CMSG_SPACE(3 * sizeof(int))> m_control{};
  iovec m_content;
  msghdr m_message{};
};

struct AbstractAddress {
  explicit AbstractAddress(const std::string& name) {
    address.sun_family = AF_UNIX;
    const std::size_t count = std::min(name.size(), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path + 1, name.data(), count);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + count);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

Descriptor make_socket() {
  return Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

// The texts one after another, each with a zero byte behind it.
std::string packed(const ForkRequest& request) {
  std::string bytes = std::to_string(request.arguments.size()) + '\0';
  for (const std::string& argument : request.arguments) bytes += argument + '\0';
  bytes += request.directory + '\0';
  for (const std::string& variable : request.environment) bytes += variable + '\0';
  return bytes;
}

std::vector<std::string> texts_of(std::string_view bytes) {
  std::vector<std::string> texts;
  for (std::size_t end = 0; (end = bytes.find('\0')) != std::string_view::npos;) {
    texts.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  return texts;
}

std::optional<ForkRequest> unpacked(std::string_view bytes) {
  std::vector<std::string> texts = texts_of(bytes);
  if (texts.empty() || texts[0].find_first_not_of("0123456789") != std::string::npos) return {};
  const std::size_t count = std::strtoul(texts[0].c_str(), nullptr, 10);
  if (texts.size() < 2 || count > texts.size() - 2) return {};
  const auto arguments_end = texts.begin() + 1 + static_cast<std::ptrdiff_t>(count);
  return ForkRequest{.arguments = {texts.begin() + 1, arguments_end},
                     .directory = *arguments_end,
                     .environment = {arguments_end + 1, texts.end()},
                     .descriptors = {}};
}

}  // namespace

std::string fork_server_address(const std::filesystem::path& program) {
  struct stat file {};
  if (stat(program.c_str(), &file) != 0) return {};
  std::string identity = program;
  for (const std::int64_t number :
       {std::int64_t{getuid()}, static_cast<std::int64_t>(file.st_ino),
        std::int64_t{file.st_mtim.tv_sec}, std::int64_t{file.st_mtim.tv_nsec}}) {
    identity += " " + std::to_string(number);
  }
  return "robust_kbench." + sha256(identity);
}

std::optional<Descriptor> listen_at(const std::string& address) {
  const AbstractAddress place(address);
  Descriptor socket = make_socket();
  if (bind(socket.get(), place.get(), place.size) != 0 || listen(socket.get(), SOMAXCONN) != 0) {
    return {};
  }
  return socket;
}

std::optional<Descriptor> connect_to(const std::string& address) {
  const AbstractAddress place(address);
  Descriptor socket = make_socket();
  if (connect(socket.get(), place.get(), place.size) != 0 || !is_of_this_user(socket.get())) {
    return {};
  }
  return socket;
}

bool is_of_this_user(int connection) {
  ucred other{};
  socklen_t size = sizeof other;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
         other.uid == geteuid();
}

bool send_request(int connection, const ForkRequest& request) {
  std::string bytes = packed(request);
  std::array<int, 3> numbers{};
  std::ranges::transform(request.descriptors, numbers.begin(), &Descriptor::get);
  DescriptorsMessage message(bytes);
  cmsghdr* header = CMSG_FIRSTHDR(message.get());
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof numbers);
  std::memcpy(CMSG_DATA(header), numbers.data(), sizeof numbers);
  return bytes.size() <= largest_message &&
         sendmsg(connection, message.get(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

std::optional<ForkRequest> receive_request(int connection) {
  std::string bytes(largest_message, '\0');
  DescriptorsMessage message(bytes);
  const ssize_t size = recvmsg(connection, message.get(), MSG_CMSG_CLOEXEC);
  const cmsghdr* header = size > 0 ? CMSG_FIRSTHDR(message.get()) : nullptr;
  std::array<int, 3> numbers{};
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof numbers)) {
    return {};
  }
  std::memcpy(numbers.data(), CMSG_DATA(header), sizeof numbers);
  std::array<Descriptor, 3> descriptors{Descriptor(numbers[0]), Descriptor(numbers[1]),
                                        Descriptor(numbers[2])};
  std::optional<ForkRequest> request =
      unpacked(std::string_view(bytes).substr(0, static_cast<std::size_t>(size)));
  if (request) request->descriptors = std::move(descriptors);
  return request;
}

}  // namespace robust_kbench
