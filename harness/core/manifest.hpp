#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/coverage.hpp"
#include "core/device.hpp"
#include "core/kernel_headers.hpp"
#include "core/solution_record.hpp"

#include <nlohmann/json_fwd.hpp>

// The manifest that CMake writes for a build: which tasks and kernels there are, and how to
// compile.
namespace robust_kbench {

// One kernel: its sources and everything that its compilation depends on.
struct KernelSource {
  Entry entry;
  std::string name;
  Device device = Device::cpu;       // cpu for .cpp, cuda for .cu
  std::vector<std::string> sources;  // absolute paths; the first one names the kernel
  std::vector<std::string> include_directories;
  std::vector<std::string> definitions;
  std::vector<std::string> options;
  std::vector<std::string> libraries;
  bool fast_math = true;  // --use_fast_math, of a CUDA kernel: its task decides
  Coverage coverage = Coverage::full;
  KernelHeaders headers = KernelHeaders::automatic;
  // The function of its module that is called. Empty: the one that is called as the direction.
  std::string entry_point;
  // The directory in which its files were named by relative paths, as messages name them. Empty:
  // they were named by absolute ones.
  std::string named_in;
  std::string record;   // where its build record lies
  std::string library;  // where its shared object lies
  // The Python file that it was read out of; none for any other kernel.
  std::optional<SolutionRecord> solution = {};
};

// The name of the function that is called: `forward`, `backward` or KernelSource::entry_point.
std::string entry_point_of(const KernelSource& kernel);

// Headers and libraries for a kernel over torch's own headers. The lists are empty where they are
// missing.
struct TorchToolchain {
  std::string kernel_include;  // directory of the module and of torch/extension.h over torch's
  std::string shim;            // absolute path of the library behind them
  std::vector<std::string> include_directories;  // torch's own
  std::vector<std::string> libraries;            // absolute paths, and the worker's side of them
  std::vector<std::string> cuda_libraries;       // the further ones of a CUDA kernel
  std::vector<std::string> library_directories;  // where what these need may lie
};

struct Toolchain {
  std::string cxx;             // absolute path of the C++ compiler
  std::string nvcc;            // empty where there is none
  std::string kernel_include;  // directory of the shim's headers
  std::string shim;            // absolute path of its library, which every kernel links
  std::string worker;          // absolute path of rkb_worker
  // Starts a baseline's worker: absolute path of the build's program, then its arguments.
  std::vector<std::string> baseline_command;
  std::string python;            // of the venv whose torch is used; empty where unknown
  std::string compile_packages;  // directory of the torch.compile packages
  TorchToolchain torch;
};

struct TaskDirectory {
  std::string name;
  std::string directory;               // holds config_*.json, reference.py and the plain kernels
  bool fast_math = true;               // of its CUDA kernels
  Coverage coverage = Coverage::full;  // of its kernels
  std::string package = {};  // path, of an imported task (docs/packages.md); empty: it is linked
};

struct Manifest {
  std::string path;
  Toolchain toolchain;
  std::vector<TaskDirectory> tasks;
  std::vector<KernelSource> kernels;

  // None for a task that the build does not have, such as one imported by `rkb import`.
  [[nodiscard]] const TaskDirectory* find_task(const std::string& name) const;
  // Throws UserError that lists what exists.
  [[nodiscard]] const TaskDirectory& task(const std::string& name) const;
  // The kernels of an entry for a device, in their order.
  [[nodiscard]] std::vector<KernelSource> kernels_of(const Entry& entry, Device device) const;
  // The plain kernel of an entry: `<direction>.cpp` (cpu) or `<direction>.cu` (cuda) in the task's
  // directory, compiled on its own. It is called plain_cpu or plain_cuda, and belongs to no build,
  // so its record and library are empty. Nothing where the file is missing, or is a source of a
  // kernel of the build, or the build does not have the task.
  [[nodiscard]] std::optional<KernelSource> plain_kernel(const Entry& entry, Device device) const;
};

// Throws UserError when the file is missing or malformed.
Manifest load_manifest(const std::filesystem::path& path);

// $ROBUST_KBENCH_MANIFEST, else share/robust_kbench/manifest.json beside the running program's
// bin/.
std::filesystem::path default_manifest();

// `config_<direction>.json` of a task, parsed. Throws UserError naming the file.
nlohmann::json load_config_file(const TaskDirectory& task, Direction direction);

}  // namespace robust_kbench
