#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "agent/agent_program.hpp"
#include "command/command_line.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/taken_stdout.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include "serve/connection.hpp"
#include "serve/service.hpp"
#include "serve/unix_listener.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view unix_prefix = "unix:";

struct ServeCommandOptions {
  std::string listen;
  int queue = static_cast<int>(ServiceOptions().queue_capacity);
  double call_timeout_seconds = std::chrono::duration<double>(Limits().call_timeout).count();
  std::vector<std::string> against{"eager"};
  std::vector<std::string> allow;
};

// Clients may send kernels of both devices.
void load_torch_for_all(const Manifest& manifest) {
  KernelSource cpu;
  KernelSource cuda;
  cuda.device = Device::cuda;
  try {
    load_torch_for(manifest, {cpu, cuda});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb serve: no CUDA kernel can be evaluated: %s\n", error.what());
  }
}

ServiceOptions service_options(const ServeCommandOptions& options) {
  const auto evaluator = [options](Device device) {
    EvaluatorOptions evaluator = usual_evaluator_options(device);
    const std::chrono::duration<double> call_timeout(options.call_timeout_seconds);
    evaluator.bench.call_timeout =
        std::chrono::duration_cast<std::chrono::milliseconds>(call_timeout);
    evaluator.bench.baselines = options.against;
    evaluator.refused = refused_beyond(device, options.allow);
    return evaluator;
  };
  return {.evaluator = evaluator, .queue_capacity = static_cast<std::size_t>(options.queue)};
}

void serve_socket_client(const Descriptor& client, Service& service) {
  try {
    serve_client(client.get(), client.get(), service);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb serve: a client is dropped: %s\n", error.what());
  }
}

[[noreturn]] void serve_socket(const std::string& path, Service& service) {
  const UnixListener listener(path);
  std::fprintf(stderr, "rkb serve: listens at %s\n", path.c_str());
  while (true) {
    // The thread ends with the process, as the service does.
    std::thread([&service, client = listener.accept()] {
      serve_socket_client(client, service);
    }).detach();
  }
}

int run_serve(const Program& program, const ServeCommandOptions& options) {
  (void)parse_capabilities(options.allow);
  if (!options.listen.empty() && !options.listen.starts_with(unix_prefix)) {
    throw UserError("--listen '" + options.listen +
                    "' is no address; give unix: and the path of a socket");
  }
  const TakenStdout out;
  // Without SIGPIPE a write shows that a client has gone.
  std::signal(SIGPIPE, SIG_IGN);
  const Suite suite(program.tasks, program.manifest_path);
  load_torch_for_all(suite.manifest());
  Service service(suite, service_options(options));
  if (!options.listen.empty()) serve_socket(options.listen.substr(unix_prefix.size()), service);
  serve_client(STDIN_FILENO, out.descriptor(), service);
  return ExitCode::pass;
}

}  // namespace

Action add_serve_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<ServeCommandOptions>();
  command.add_option("--listen", options->listen,
                     "Serve clients of the unix socket unix:PATH; default: one, on stdin and "
                     "stdout");
  command
      .add_option("--queue", options->queue,
                  "Submissions that may wait or be evaluated on each device; further ones are "
                  "answered busy")
      .between(1, 1'000'000)
      .capture_default_str();
  add_common_option(
      command, "--allow", options->allow,
      "beside threads and memory-mapping on a CPU; of " + names_of(all_capabilities()) + ", or all")
      .delimiter(',');
  add_common_option(command, "--call-timeout", options->call_timeout_seconds).capture_default_str();
  add_common_option(command, "--against", options->against).capture_default_str();
  return [program, options] { return run_serve(program, *options); };
}

}  // namespace robust_kbench
