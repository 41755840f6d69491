// Runs a program by its fork server (process/fork_server.hpp).
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/program.hpp"
#include "process/fork_request.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view usage =
    "usage: rkb_fork_client PROGRAM ARGUMENT...\n"
    "       rkb_fork_client --end PROGRAM\n\n"
    "Runs the program by its fork server. Where it has none, the client becomes the program.\n"
    "--end ends the fork server once its runs have ended.\n";

ForkRequest request_of(char** arguments) {
  ForkRequest request{.arguments = {},
                      .directory = std::filesystem::current_path(),
                      .environment = {},
                      .descriptors = {Descriptor(dup(0)), Descriptor(dup(1)), Descriptor(dup(2))}};
  for (; *arguments != nullptr; ++arguments) request.arguments.emplace_back(*arguments);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    request.environment.emplace_back(*variable);
  }
  return request;
}

// Ends as the run has ended.
int end_as(int status) {
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}

int run_served(char** arguments) {
  const std::optional<Descriptor> server = connect_to(fork_server_address(arguments[0]));
  if (server && send_request(server->get(), request_of(arguments))) {
    int status = 0;
    if (recv(server->get(), &status, sizeof status, 0) == sizeof status) return end_as(status);
    throw HarnessError("the fork server of " + std::string(arguments[0]) +
                       " ended before this run; run it again");
  }
  execv(arguments[0], arguments);
  throw system_failure("cannot run " + std::string(arguments[0]));
}

int client_main(int argc, char** argv) {
  if (argc < 2 || (argv[1] == std::string_view("--end") && argc != 3)) {
    std::fputs(usage.data(), stderr);
    return ExitCode::usage;
  }
  if (argv[1] != std::string_view("--end")) return run_served(argv + 1);
  const std::optional<Descriptor> server = connect_to(fork_server_address(argv[2]));
  if (server) (void)send_request(server->get(), request_of(argv + argc));
  return ExitCode::pass;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run_program("rkb_fork_client",
                                    [&] { return robust_kbench::client_main(argc, argv); });
}
