#include <filesystem>
#include <fstream>
#include <iostream>

#include "check/batch.hpp"
#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "tasks/tensor_writer.hpp"
#include "tensor/generator.hpp"
#include "tensor/torch_cuda.hpp"
#include "trial/linear_task.hpp"
#include "trial/trial.hpp"

#include <nlohmann/json.hpp>

// write_results <build record> <directory>
//
// Calls the kernel once on the content of each of linear_cases(), in a worker. Writes to the
// directory what extension_test.py repeats in Python: the flags it was compiled with, the arguments
// and the results. Exits with 77 where it cannot run.
namespace robust_kbench {
namespace {

using nlohmann::json;

json run_case(TensorWriter& writer, const std::string& library, bool gpu, const Case& called) {
  const Task task = linear_task();
  const Params& params = called.config.params;
  const Tensors tensors =
      make_tensors({task, Direction::forward, params}, called.seed, device_for(gpu));
  WorkerProcess worker({.program = RKB_WORKER, .gpu = gpu});
  answer_of(worker.load({library, "forward"}));
  Batch batch(worker, {task, Direction::forward, params});
  batch.place({&tensors, 1}, Addresses::fresh);
  answer_of(batch.prepare());
  answer_of(batch.run());
  answer_of(batch.collect(0));
  if (const auto finding = batch.inspect()) throw UserError(finding->reason);

  json arguments = json::array();
  for (const char* name : {"x", "weights", "biases"}) {
    arguments.push_back(writer.write(tensors[name]));
  }
  json results = json::array();
  for (const at::Tensor& output : batch.outputs()) results.push_back(writer.write(output));
  return {{"name", called.name()}, {"arguments", arguments}, {"results", results}};
}

int skip(const std::string& reason) {
  std::cout << "skipped: " << reason << "\n";
  return ExitCode::skipped;
}

int run(const std::string& record_path, const std::filesystem::path& directory) {
  std::ifstream in(record_path);
  if (!in) throw UserError(record_path + " does not exist; build the target extension_kernels");
  const auto record = json::parse(in).get<BuildRecord>();
  const bool gpu = on_gpu(record_path);
  if (record.judgement.verdict == Verdict::skipped) return skip(record.judgement.reason);
  if (!record.judgement.passes()) throw UserError(record.judgement.reason);
  if (gpu && !cuda_facts().missing.empty()) return skip(cuda_facts().missing);
  TensorWriter writer(directory);
  json cases = json::array();
  for (const Case& called : linear_cases()) {
    cases.push_back(run_case(writer, record.library, gpu, called));
  }
  std::ofstream(directory / "cases.json") << json{{"flags", record.flags}, {"cases", cases}};
  return ExitCode::pass;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_results BUILD_RECORD DIRECTORY\n";
    return robust_kbench::ExitCode::usage;
  }
  try {
    return robust_kbench::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "write_results: " << error.what() << "\n";
    return robust_kbench::ExitCode::harness_error;
  }
}
