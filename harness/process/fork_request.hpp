#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.hpp"

// What a client asks of a fork server (fork_server.hpp), and how it is sent.
namespace robust_kbench {

// A run of the server's program. The run has these standard descriptors of the client: input,
// output, errors.
struct ForkRequest {
  std::vector<std::string> arguments;  // the first one is the program; none: the server shall end
  std::string directory;
  std::vector<std::string> environment;  // NAME=value
  std::array<Descriptor, 3> descriptors;
};

// The socket on which this build of the program is served to this user. Empty where there is no
// such file. The name is abstract, so nothing is left of it when the server has ended.
std::string fork_server_address(const std::filesystem::path& program);

// A socket that listens at the address, or one that is connected to it. Nothing where another
// listens already, or nobody does, or it belongs to another user.
std::optional<Descriptor> listen_at(const std::string& address);
std::optional<Descriptor> connect_to(const std::string& address);
// Whether the other side of the connection runs as this user.
bool is_of_this_user(int connection);

// False where the request does not fit into one message, or the other side has ended.
bool send_request(int connection, const ForkRequest& request);
// Nothing where the other side has ended, or what it has sent is not a request.
std::optional<ForkRequest> receive_request(int connection);

}  // namespace robust_kbench
