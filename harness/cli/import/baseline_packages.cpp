#include "cli/import/baseline_packages.hpp"

#include <algorithm>
#include <deque>
#include <unistd.h>

#include "bench/packages.hpp"
#include "cli/import/importer_process.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/params_json.hpp"
#include "core/parse_json.hpp"
#include "process/temporary_directory.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/headeronly/version.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using State = BaselinePackage::State;

// Makes a request that lets the importer read the directories of the tasks.
ImportRequest reading(const std::vector<BaselinePackage>& packages, Device device) {
  ImportRequest request{.device = std::string(to_string(device))};
  for (const BaselinePackage& package : packages) {
    request.sources.push_back(package.task->directory);
  }
  return request;
}

class BaselinePackages {
 public:
  BaselinePackages(const BaselinePlace& place, std::vector<BaselinePackage>& packages,
                   const std::function<void(const BaselinePackage&)>& told,
                   const std::stop_token& stop)
      : m_place(place),
        m_told(told),
        m_stop(stop),
        m_request(reading(packages, place.device)),
        m_process(place.program, place.toolchain, m_request, m_scratch.path()) {
    for (BaselinePackage& package : packages) {
      if (fs::is_regular_file(package.path)) {
        m_told(package);
      } else {
        m_waiting.push_back(&package);
      }
    }
  }

  void make() {
    while (!m_waiting.empty()) make_waiting();
  }

 private:
  void make_waiting() {
    json requests = json::array();
    for (const BaselinePackage* package : m_waiting) requests.push_back(request(*package));
    const fs::path file = m_scratch.path() / "requests.json";
    OutputFile(file).write(requests.dump());
    const std::size_t waited = m_waiting.size();
    const std::chrono::duration<double> limit(m_place.seconds);
    const ImporterEnd end = m_process.run(
        {"-m", "importer.torch_compile", file}, std::chrono::ceil<std::chrono::milliseconds>(limit),
        [&](const std::string& line) { take(line); }, m_stop);
    if (m_waiting.empty()) return;
    if (!end.timed_out && m_waiting.size() == waited) m_process.require_torch(m_stop);
    if (end.timed_out) {
      refuse(fmt::format("it took more than {:g} s", m_place.seconds), "give more by --timeout");
    } else {
      refuse("it ended the importer: " + end.text(), "time the task against eager alone");
    }
  }

  [[nodiscard]] json request(const BaselinePackage& package) const {
    const Workload workload{*package.task, package.direction, package.config.params};
    return {{"package", package.task->package},
            {"direction", to_string(package.direction)},
            {"params", params_json(package.config.params)},
            {"tensors", workload.tensor_names()},
            {"device", to_string(m_place.device)},
            {"threads", threads_of_packages()},
            {"torch", TORCH_VERSION},
            {"out", made()}};
  }

  void take(const std::string& line) {
    const json answer = parse_json_if_any(line);
    if (!answer.is_object() || m_waiting.empty()) return;
    if (const auto refused = answer.find("refused"); refused != answer.end()) {
      refuse(refused->at("reason"), refused->at("remedy"));
      return;
    }
    BaselinePackage& package = *m_waiting.front();
    package.seconds = answer.at("seconds");
    package.state = State::made;
    keep(package.path);
    next();
  }

  // The package is renamed into place, so that nobody finds half of it.
  void keep(const fs::path& path) const {
    const fs::path fresh = path.string() + "." + std::to_string(getpid());
    try {
      fs::create_directories(path.parent_path());
      fs::copy_file(made(), fresh, fs::copy_options::overwrite_existing);
      fs::rename(fresh, path);
    } catch (const fs::filesystem_error& error) {
      throw UserError("packages cannot be written into '" + path.parent_path().string() +
                      "': " + error.code().message() + "; name another directory by RKB_CACHE");
    }
  }

  void refuse(const std::string& reason, const std::string& remedy) {
    BaselinePackage& package = *m_waiting.front();
    package.state = State::refused;
    package.reason = reason;
    package.remedy = remedy;
    next();
  }

  void next() {
    m_told(*m_waiting.front());
    m_waiting.pop_front();
  }

  [[nodiscard]] fs::path made() const { return m_scratch.path() / "made.pt2"; }

  const BaselinePlace& m_place;
  const std::function<void(const BaselinePackage&)>& m_told;
  std::stop_token m_stop;
  TemporaryDirectory m_scratch{"compile_baseline"};
  ImportRequest m_request;
  ImporterProcess m_process;
  std::deque<BaselinePackage*> m_waiting;
};

}  // namespace

void make_baseline_packages(const BaselinePlace& place, std::vector<BaselinePackage>& packages,
                            const std::function<void(const BaselinePackage&)>& told,
                            const std::stop_token& stop) {
  BaselinePackages(place, packages, told, stop).make();
}

}  // namespace robust_kbench
