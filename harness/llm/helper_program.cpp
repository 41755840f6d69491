#include "llm/helper_program.hpp"

#include <chrono>
#include <cstdio>
#include <unistd.h>

#include "core/error.hpp"
#include "core/find_program.hpp"
#include "process/command.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Long enough for some megabytes over a slow network.
constexpr std::chrono::minutes install_limit{10};
constexpr std::size_t shown_output = 2000;  // most characters of an installation's output

const std::vector<const char*> usual_variables{
    "PATH",       "HOME",        "USER",        "LANG",     "LC_ALL",   "TMPDIR",    "http_proxy",
    "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"};
// The same variables as in http_client.py of the helper.
const std::vector<const char*> certificate_variables{"SSL_CERT_FILE", "SSL_CERT_DIR",
                                                     "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"};

std::string remedy(const HelperProgram& program) {
  return "run: python3 " + (program.sources / "install.py").string() + " " + program.venv.string() +
         "; or configure with -DRobustKBench_LLM_PYTHON=PYTHON, a Python 3.11 or newer that has "
         "what " +
         (program.sources / "requirements.lock").string() + " lists";
}

void install(const HelperProgram& program) {
  const fs::path python = find_program("python3", search_path());
  if (python.empty()) {
    throw UserError("language models need Python 3.11 or newer, and no python3 is in PATH; " +
                    remedy(program));
  }
  if (!fs::exists(program.venv / "bin" / "python")) {
    std::fprintf(stderr, "installing openai, Jinja2 and genai-prices for language models into %s\n",
                 program.venv.c_str());
  }
  const CommandResult result =
      run_command({python, program.sources / "install.py", program.venv}, install_limit);
  if (result.exit_code == 0 && !result.timed_out) return;
  const std::string& output = result.output;
  throw UserError("what language models need cannot be installed into " + program.venv.string() +
                  (result.timed_out ? " within 10 minutes" : "") + ": " +
                  output.substr(output.size() - std::min(output.size(), shown_output)) + "\n" +
                  remedy(program));
}

}  // namespace

std::vector<std::string> prepare(const HelperProgram& program) {
  if (program.python.empty()) install(program);
  const std::string python =
      program.python.empty() ? (program.venv / "bin" / "python").string() : program.python;
  if (access(python.c_str(), X_OK) != 0) {
    throw UserError("the Python of language models, " + python + ", cannot be run; " +
                    remedy(program));
  }
  return {python, "-m", "robust_kbench_llm"};
}

std::vector<std::string> helper_environment(const HelperProgram& program,
                                            const Surroundings& surroundings) {
  std::vector<std::string> environment{"PYTHONPATH=" + program.sources.string(),
                                       "PYTHONNOUSERSITE=1", "PYTHONDONTWRITEBYTECODE=1",
                                       // Equals -P. An older Python rejects that option without
                                       // naming the version that it needs.
                                       "PYTHONSAFEPATH=1"};
  const auto add = [&](const std::vector<const char*>& names) {
    for (const char* name : names) {
      const std::string value = surroundings.variable(name);
      if (!value.empty()) environment.push_back(std::string(name) + "=" + value);
    }
  };
  add(usual_variables);
  if (surroundings.build_tool.empty()) add(certificate_variables);
  return environment;
}

}  // namespace robust_kbench
