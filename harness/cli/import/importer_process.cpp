#include "cli/import/importer_process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/worker_enclosure.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/kernel_places.hpp"
#include "core/own_command.hpp"
#include "core/text_file.hpp"
#include "process/child_process.hpp"
#include "process/environment.hpp"
#include "process/machine_memory.hpp"
#include "process/sandbox_facts.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_errors = 4000;
constexpr rlim_t file_bytes = rlim_t{1} << 30;
// Torch maps 2.7 GB when it is imported, and its threads map their stacks.
constexpr rlim_t bytes_beyond_memory = rlim_t{8} << 30;
constexpr std::chrono::milliseconds stop_poll{200};
constexpr std::chrono::minutes torch_limit{2};  // on a slow disk
// Python lists the directory in which it finds a package. So the package has a directory of its
// own.
constexpr const char* shown_python = "python";

// Returns the directory of Python packages in which torch lies.
fs::path torch_site(const Toolchain& toolchain) {
  const std::vector<std::string>& include = toolchain.torch.include_directories;
  if (include.empty()) return {};
  return fs::path(include.front()).parent_path().parent_path();
}

// Returns the program's own files, those of the program that it links to, and those of the one from
// which a virtual environment was made.
void add_program(const std::string& program, std::vector<std::string>& places) {
  std::error_code ignored;
  for (const fs::path& path : {fs::path(program), fs::canonical(program, ignored)}) {
    if (path.is_absolute()) places.push_back(installation_place(path));
  }
}

std::vector<std::string> readable_places(const ImporterProgram& program, const Toolchain& toolchain,
                                         const ImportRequest& request, const std::string& python) {
  std::vector<std::string> places{program.sources / "importer"};
  for (const std::string& program : {python, toolchain.python, toolchain.cxx, toolchain.nvcc}) {
    add_program(program, places);
  }
  if (const fs::path site = torch_site(toolchain); !site.empty()) places.push_back(site);
  for (const std::string& directory : toolchain.torch.library_directories) {
    places.push_back(directory);
  }
  if (!request.workloads.empty()) places.push_back(request.workloads);
  for (const std::string& source : request.sources) {
    if (fs::is_directory(source)) {
      places.push_back(source);
      continue;
    }
    // The program may import its neighbours, too.
    KernelSource file;
    file.sources = {source};
    for (const std::string& place : source_places(file)) places.push_back(place);
  }
  return places;
}

std::vector<std::string> environment_of(const Toolchain& toolchain, const fs::path& scratch) {
  std::vector<std::string> environment =
      named_variables({"PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE",
                       "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "OMP_NUM_THREADS"});
  // torch.compile calls these.
  if (!toolchain.cxx.empty()) environment.push_back("CXX=" + toolchain.cxx);
  if (!toolchain.nvcc.empty()) {
    environment.push_back("CUDA_HOME=" + installation_place(toolchain.nvcc));
  }
  std::string path = scratch / shown_python;
  if (const fs::path site = torch_site(toolchain); !site.empty()) path += ":" + site.string();
  for (const std::string& entry : {"PYTHONPATH=" + path, std::string("PYTHONDONTWRITEBYTECODE=1"),
                                   std::string("PYTHONSAFEPATH=1"), "HOME=" + scratch.string(),
                                   // Torch asks for the user's name, and no list of users is shown.
                                   std::string("USER=importer"), "TMPDIR=" + scratch.string()}) {
    environment.push_back(entry);
  }
  return environment;
}

std::vector<std::pair<int, rlim_t>> limits_of(bool gpu) {
  std::vector<std::pair<int, rlim_t>> limits{{RLIMIT_CORE, 0}, {RLIMIT_FSIZE, file_bytes}};
  // A GPU's driver maps more addresses than any machine has memory.
  if (!gpu) limits.emplace_back(RLIMIT_AS, machine_memory() + bytes_beyond_memory);
  return limits;
}

// Hands over whole lines.
class Lines {
 public:
  explicit Lines(const std::function<void(const std::string&)>& on_line) : m_on_line(on_line) {}

  // Takes what the pipe holds now. Returns whether a line came.
  bool take(int pipe) {
    std::array<char, 1 << 14> buffer{};
    bool came = false;
    for (ssize_t n = 0; (n = read(pipe, buffer.data(), buffer.size())) > 0;) {
      m_text.append(buffer.data(), static_cast<std::size_t>(n));
      for (std::size_t end = 0; (end = m_text.find('\n')) != std::string::npos; came = true) {
        m_on_line(m_text.substr(0, end));
        m_text.erase(0, end + 1);
      }
    }
    return came;
  }

 private:
  const std::function<void(const std::string&)>& m_on_line;
  std::string m_text;
};

// Returns false where no line came in time.
bool follow(const ChildProcess& child, int pipe, std::chrono::milliseconds line_limit, Lines& lines,
            const std::stop_token& stop) {
  auto deadline = Clock::now() + line_limit;
  while (Clock::now() < deadline) {
    if (stop.stop_requested()) throw Cancelled();
    std::array<pollfd, 2> fds{{{child.pidfd(), POLLIN, 0}, {pipe, POLLIN, 0}}};
    poll(fds.data(), fds.size(), static_cast<int>(stop_poll.count()));
    const bool ended = fds[0].revents != 0;
    if (lines.take(pipe)) deadline = Clock::now() + line_limit;
    if (ended) return true;
    // A pipe is always ready at its end, so only the exit is waited for.
    if ((fds[1].revents & (POLLIN | POLLHUP)) == POLLHUP) pipe = -1;
  }
  return false;
}

}  // namespace

ImporterProcess::ImporterProcess(const ImporterProgram& program, const Toolchain& toolchain,
                                 const ImportRequest& request, fs::path scratch)
    : m_program(program),
      m_toolchain(toolchain),
      m_request(request),
      m_scratch(std::move(scratch)),
      m_python(toolchain.python) {
  if (!fs::exists(program.sources / "importer" / "__main__.py")) {
    throw UserError("the importer is not in '" + program.sources.string() +
                    "'; install the suite again");
  }
  fs::create_directories(m_scratch / shown_python);
  fs::create_directory_symlink(program.sources / "importer", m_scratch / shown_python / "importer");
  if (const fs::path own = program.venv / "bin" / "python"; fs::exists(own)) m_python = own;
  if (m_python.empty()) {
    throw UserError(
        "imports need Python, and this build's LibTorch came without one; configure it with "
        "-DRobustKBench_PYTHON=PYTHON, which has torch");
  }
}

std::string ImporterEnd::last_line() const {
  const std::size_t end = errors.find_last_not_of(" \n");
  if (end == std::string::npos) return "it printed nothing";
  const std::size_t before = errors.rfind('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return errors.substr(begin, end + 1 - begin);
}

std::string ImporterEnd::text() const {
  if (exit_code == 128 + SIGKILL) return "it was killed, as when memory runs out";
  if (exit_code > 128) return fmt::format("it ended by signal {}", exit_code - 128);
  return fmt::format("it ended with exit code {}: {}", exit_code, last_line());
}

void ImporterProcess::require_torch(const std::stop_token& stop) const {
  const ImporterEnd end = run(
      {"-c", "from importer.cuda_libraries import preload; preload(); import torch"}, torch_limit,
      [](const std::string&) {}, stop);
  if (end.exit_code == 0) return;
  throw UserError(m_python + " cannot import torch: " + end.last_line() + "; " + remedy());
}

std::string ImporterProcess::remedy() const {
  return "run: python3 " + path_word(m_program.sources / "importer" / "install.py") + " " +
         path_word(m_program.venv) + " --torch " + path_word(m_toolchain.python);
}

ImporterEnd ImporterProcess::run(const std::vector<std::string>& arguments,
                                 std::chrono::milliseconds line_limit,
                                 const std::function<void(const std::string&)>& on_line,
                                 const std::stop_token& stop) const {
  const bool gpu = m_request.device == "cuda";
  const fs::path errors = m_scratch / "errors.txt";
  std::array<int, 2> ends{};
  require_call(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe of the importer");
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  Descriptor error_file(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  require_call(error_file.get() >= 0, "open " + errors.string());

  const std::string marker = new_process_tree_marker();
  SpawnOptions options{
      .arguments = {m_python},
      .environment = environment_of(m_toolchain, m_scratch),
      .working_directory = m_scratch,
      .descriptors = {{theirs.get(), STDOUT_FILENO}, {error_file.get(), STDERR_FILENO}},
      .limits = limits_of(gpu),
      .untrusted = true};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.environment->push_back(marker);
  if (const std::string sandbox = sandbox_beside(m_toolchain.worker); !sandbox.empty()) {
    SandboxPolicy policy = compiler_policy(m_toolchain.worker, gpu);
    for (std::string& place : readable_places(m_program, m_toolchain, m_request, m_python)) {
      policy.readable.push_back(std::move(place));
    }
    policy.writable = {m_scratch};
    options.sandbox = Enclosure{sandbox, std::move(policy)};
  }

  ImporterEnd end;
  Lines lines(on_line);
  ChildProcess child(options, marker);
  theirs.reset();
  error_file.reset();
  end.timed_out = !follow(child, ours.get(), line_limit, lines, stop);
  child.end();
  const int status = child.wait_status();
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  lines.take(ours.get());
  end.errors = read_text(errors).value_or("");
  end.errors.erase(0, end.errors.size() - std::min(end.errors.size(), kept_errors));
  return end;
}

}  // namespace robust_kbench
