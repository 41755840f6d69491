#include "serve/service.hpp"

#include <fstream>

#include "core/error.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/requirements.hpp"
#include "process/temporary_directory.hpp"
#include "serve/answer_line.hpp"
#include "tensor/task_registry.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// Writes the texts of a submission into files, which live as long as it does.
class KernelFiles {
 public:
  KernelFiles(const Suite& suite, const SubmitRequest& submit) : m_suite(suite), m_submit(submit) {}

  KernelSource source(const SubmittedSource& submitted, const std::string& stem) {
    SourceOptions options = submitted.options;
    std::string first;
    if (submitted.paths.empty()) {
      first = write(submitted.text, stem);
    } else {
      first = submitted.paths.front();
      options.further_sources.assign(submitted.paths.begin() + 1, submitted.paths.end());
    }
    KernelSource kernel =
        m_suite.loose_kernel(m_submit.task, std::string(to_string(m_submit.direction)),
                             std::string(to_string(m_submit.device)), first);
    if (m_directory) kernel.named_in = m_directory->path().string();
    options.apply_to(kernel);
    return kernel;
  }

 private:
  std::string write(const std::string& text, const std::string& stem) {
    if (!m_directory) m_directory.emplace("serve");
    const char* extension = m_submit.device == Device::cuda ? ".cu" : ".cpp";
    std::string path = m_directory->path() / (stem + extension);
    std::ofstream out(path);
    out << text;
    if (!out.flush()) throw HarnessError(path + " cannot be written");
    return path;
  }

  const Suite& m_suite;
  const SubmitRequest& m_submit;
  std::optional<TemporaryDirectory> m_directory;
};

KernelSource of_device(Device device) {
  KernelSource kernel;
  kernel.device = device;
  return kernel;
}

bool usable(Device device, const Toolchain& toolchain) {
  return skip_reason(of_device(device), toolchain).empty();
}

Request request_of(const SubmitRequest& submit, const std::stop_token& stop) {
  Request request{.scope = submit.scope,
                  .synchronisation_check = submit.sanitize,
                  .replay = submit.replay,
                  .require_replay = submit.require_replay,
                  .stop = stop};
  if (!submit.bench) request.stages = {Stage::compile, Stage::test};
  return request;
}

json description(const Task& task) {
  json directions = json::array({to_string(Direction::forward)});
  if (task.backward_contract) directions.push_back(to_string(Direction::backward));
  return {{"name", task.name}, {"directions", std::move(directions)}};
}

}  // namespace

Service::Service(const Suite& suite, const ServiceOptions& options)
    : m_suite(suite),
      m_options(options),
      m_cpu(usual_jobs(Device::cpu), options.queue_capacity),
      m_cuda(usual_jobs(Device::cuda), options.queue_capacity) {}

json Service::hello() const {
  json devices = json::array();
  for (const Device device : {Device::cpu, Device::cuda}) {
    if (usable(device, m_suite.manifest().toolchain)) devices.push_back(to_string(device));
  }
  json tasks = json::array();
  for (const Task* task : m_suite.tasks().tasks()) tasks.push_back(description(*task));
  const bool gpu = usable(Device::cuda, m_suite.manifest().toolchain);
  return {{"type", "hello"},
          {"protocol", serve_protocol_version},
          {"devices", std::move(devices)},
          {"gpu", gpu ? json(gpu_facts().name) : json(nullptr)},
          {"tasks", std::move(tasks)},
          {"queue", m_options.queue_capacity}};
}

std::optional<Service::Place> Service::submit(SubmitRequest submit, const std::stop_token& stop,
                                              Tell progress, Tell final) {
  const Task& task = m_suite.task(submit.task);
  (void)contract(task, submit.direction);
  submit.task = task.name;  // it may have been named by its package
  const auto work = [this, submit, stop, progress = std::move(progress),
                     final = std::move(final)]() -> std::function<void()> {
    return [line = evaluate(submit, stop, progress), final] { final(line); };
  };
  const std::optional<SubmissionQueue::Ticket> ticket = queue(submit.device).push(work);
  if (!ticket) return std::nullopt;
  return Place{submit.device, *ticket};
}

bool Service::remove(const Place& place) {
  return queue(place.device).remove(place.ticket);
}

Evaluator& Service::evaluator(const Key& key) {
  const std::scoped_lock lock(m_mutex);
  std::unique_ptr<Evaluator>& evaluator = m_evaluators[key];
  if (!evaluator) {
    EvaluatorOptions options = m_options.evaluator(key.device);
    options.max_jobs = usual_jobs(key.device);
    evaluator = std::make_unique<Evaluator>(m_suite.manifest(), m_suite.task(key.task),
                                            key.direction, key.device, options);
  }
  return *evaluator;
}

json Service::evaluate(const SubmitRequest& submit, const std::stop_token& stop,
                       const Tell& progress) {
  std::optional<Stage> stage;
  KernelFiles files(m_suite, submit);
  KernelSource kernel = of_device(submit.device);
  kernel.entry = {submit.task, submit.direction};
  kernel.name = "kernel";
  kernel.sources = {kernel.name};
  const auto baselines = [&] { return m_options.evaluator(submit.device).bench.baselines; };
  try {
    kernel = files.source(submit.source, kernel.name);
    Request request = request_of(submit, stop);
    for (const auto& [name, rival] : submit.rivals) {
      request.rivals[name] =
          files.source(rival, fmt::format("rival_{}", request.rivals.size() + 1));
    }
    request.on_progress = [&](const Progress& made) {
      stage = made.stage;
      progress(progress_line(submit.id, made));
    };
    request.on_stage = [&](Stage ended, const KernelRecord& so_far) {
      stage = ended;
      progress(stage_line(submit.id, ended, so_far));
      return Next::go_on;
    };
    request.on_rival_rejected = [&](const std::string& rival, const Judgement& why) {
      progress(rival_line(submit.id, rival, why));
    };
    const KernelRecord record =
        evaluator({submit.task, submit.direction, submit.device}).submit(kernel, request);
    return final_line(submit.id, record, stage, baselines());
  } catch (const UserError& error) {
    return final_line(submit.id, FinalStatus::error, error.what());
  } catch (const std::exception& error) {
    return final_line(submit.id, harness_failed(kernel, error.what()), stage, baselines());
  }
}

}  // namespace robust_kbench
