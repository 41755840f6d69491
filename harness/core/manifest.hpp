#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/capability.hpp"
#include "core/case.hpp"
#include "core/coverage.hpp"
#include "core/device.hpp"
#include "core/kernel_headers.hpp"
#include "core/solution_record.hpp"

#include <nlohmann/json_fwd.hpp>

// The manifest that CMake writes for a build: its tasks, its kernels, and how to compile.
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
  Capabilities allowed = {};  // to its code also where an evaluation refuses them
  // The function of its module that is called. Empty: the function named as the direction.
  std::string entry_point;
  // The directory that messages show relative paths of its files from. Empty: its files were given
  // by absolute paths.
  std::string named_in;
  std::string record;   // path of its build record
  std::string library;  // path of its shared object
  // The Python file that the kernel was extracted from; none for a kernel with sources of its own.
  std::optional<SolutionRecord> solution = {};
};

// The name of the function that is called: `forward`, `backward` or KernelSource::entry_point.
std::string entry_point_of(const KernelSource& kernel);

// Headers and libraries for a kernel compiled against torch's own headers. The lists are empty
// where torch is missing.
struct TorchToolchain {
  std::string kernel_include;  // directory of the module and of torch/extension.h over torch's
  std::string shim;            // absolute path of the library behind them
  std::vector<std::string> include_directories;  // torch's own
  std::vector<std::string> libraries;       // absolute paths, with the worker's library for them
  std::vector<std::string> cuda_libraries;  // those that a CUDA kernel needs besides
  std::vector<std::string> library_directories;  // of what these libraries need
};

// Where an installation looks for nvcc, after PATH. NVIDIA's packages link the toolkit in use
// there.
inline constexpr const char* usual_cuda_programs = "/usr/local/cuda/bin";

struct Toolchain {
  std::string cxx;             // absolute path of the C++ compiler
  std::string nvcc;            // empty where there is none
  std::string kernel_include;  // directory of the shim's headers
  std::string shim;            // absolute path of its library, which every kernel links
  std::string worker;          // absolute path of rkb_worker
  // The command that starts a baseline's worker: the absolute path of a program, then its
  // arguments.
  std::vector<std::string> baseline_command;
  std::string python;            // interpreter of the venv with torch; empty if unknown
  std::string compile_packages;  // directory of the torch.compile packages
  TorchToolchain torch;
};

struct TaskDirectory {
  std::string name;
  std::string directory;               // holds config_*.json, reference.py and the plain kernels
  bool fast_math = true;               // for its CUDA kernels
  Coverage coverage = Coverage::full;  // for its kernels
  std::string package = {};  // path of an imported task (docs/packages.md); empty: a task linked in
};

struct Manifest {
  std::string path;
  Toolchain toolchain;
  std::vector<TaskDirectory> tasks;
  std::vector<KernelSource> kernels;

  // nullptr for a task that the build does not have, such as one imported by `rkb import`.
  [[nodiscard]] const TaskDirectory* find_task(const std::string& name) const;
  // Throws UserError that lists the known tasks.
  [[nodiscard]] const TaskDirectory& task(const std::string& name) const;
  // The kernels of an entry for a device, in the manifest's order.
  [[nodiscard]] std::vector<KernelSource> kernels_of(const Entry& entry, Device device) const;
  // The plain kernel of an entry: `<direction>.cpp` (cpu) or `<direction>.cu` (cuda) in the task's
  // directory, compiled on its own. It is called plain_cpu or plain_cuda. No build has it, so its
  // record and library are empty. Nothing where the build lacks the task, the file is missing, or a
  // kernel of the build has it as a source.
  [[nodiscard]] std::optional<KernelSource> plain_kernel(const Entry& entry, Device device) const;
};

// Throws UserError when the file is missing or malformed.
Manifest load_manifest(const std::filesystem::path& path);

// $ROBUST_KBENCH_MANIFEST, else share/robust_kbench/manifest.json beside the running program's
// bin/.
std::filesystem::path default_manifest();

// The absolute path of the manifest that `given` names, or of default_manifest() if that is empty.
std::filesystem::path manifest_file(const std::string& given);

// `config_<direction>.json` of a task, parsed. Throws UserError naming the file.
nlohmann::json load_config_file(const TaskDirectory& task, Direction direction);

}  // namespace robust_kbench
