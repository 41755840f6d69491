#include "worker/kernel_subject.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <optional>
#include <span>
#include <string_view>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "runner/allocate.hpp"
#include "worker/arena_memory.hpp"
#include "worker/gpu.hpp"
#include "worker/table.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

// No task has so many outputs. A kernel that returns more fails.
constexpr std::int32_t max_results = 64;
// Reserved before a call, so that storing its results allocates nothing.
constexpr std::size_t usual_results = 4;

[[noreturn]] void fail_load(const std::string& message) {
  throw SubjectError(Failure::load_error, message);
}

// Loads CUDA's libraries, and returns true if any was found. Kernels use them unlinked, since they
// are always there in a process with torch. They are only loaded on demand, since they take longer
// than the rest of a worker's start.
bool open_cuda_libraries() {
  bool found = false;
  for (const char* name :
       {"libcublas.so.13", "libcublasLt.so.13", "libcurand.so.10", "libcusparse.so.12",
        "libcusolver.so.12", "libcufft.so.12", "libcudnn.so.9"}) {
    found |= dlopen(name, RTLD_LAZY | RTLD_GLOBAL) != nullptr;
  }
  return found;
}

// The error message of dlopen(), without the library's path at its beginning.
std::string loaders_words(const std::string& library) {
  const std::string text = dlerror();
  const std::string path = library + ": ";
  return "the kernel cannot be loaded: " +
         (text.starts_with(path) ? text.substr(path.size()) : text);
}

struct LoadedModule {
  const rkb_module& module;
  const char* glue;  // null if the library has none
};

LoadedModule load_module(const std::string& library, bool gpu) {
  // The library is never closed, since a kernel's threads and thread-local objects may use it until
  // the process ends.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr && gpu && open_cuda_libraries()) {
    handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) fail_load(loaders_words(library));
  const auto entry =
      reinterpret_cast<decltype(&rkb_kernel_module)>(dlsym(handle, RKB_KERNEL_MODULE_SYMBOL));
  if (entry == nullptr) {
    fail_load("the kernel has no PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { ... }; write one");
  }
  const rkb_module* module = entry(&worker_table());
  if (module == nullptr) fail_load("PYBIND11_MODULE failed: " + last_error());
  if (module->version != RKB_ABI_VERSION) {
    fail_load("the kernel was built for version " + std::to_string(module->version) +
              " of the kernel interface, the worker has version " +
              std::to_string(RKB_ABI_VERSION) + "; compile the kernel again");
  }
  return {*module, static_cast<const char*>(dlsym(handle, "rkb_glue"))};
}

std::optional<std::size_t> extent_of(const rkb_tensor& tensor) {
  const auto rank = static_cast<std::size_t>(tensor.dim);
  return layout_bytes(
      {.sizes = {tensor.sizes, rank}, .strides = {tensor.strides, rank}, .dtype = tensor.dtype});
}

KernelHeaders headers_of(const rkb_module& module) {
  const std::string_view name = module.headers == nullptr ? "" : module.headers;
  const auto headers = compiled_headers(name);
  if (headers) return *headers;
  fail_load("the kernel names its headers '" + std::string(name) +
            "', expected 'shim' or 'torch'; compile the kernel again");
}

Loaded::Parameters parameters_of(const rkb_function& function) {
  Loaded::Parameters parameters;
  for (std::int32_t i = 0; i < function.parameter_count; ++i) {
    const rkb_parameter& parameter = function.parameters[i];
    parameters.push_back({.name = parameter.name == nullptr ? "" : parameter.name,
                          .kind = parameter.kind,
                          .optional = parameter.optional != 0,
                          .has_default = parameter.has_default != 0});
  }
  return parameters;
}

std::string list_functions(const rkb_module& module) {
  if (module.function_count == 0) return "no function";
  std::string names;
  for (std::int32_t i = 0; i < module.function_count; ++i) {
    names += (i > 0 ? ", '" : "'") + std::string(module.functions[i].name) + "'";
  }
  return names;
}

}  // namespace

KernelSubject::KernelSubject(Arena& arena)
    : KernelSubject(arena, std::make_unique<ArenaMemory>(arena)) {}

KernelSubject::KernelSubject(Arena& arena, std::unique_ptr<KernelMemory> memory)
    : m_arena(arena), m_memory(std::move(memory)), m_results(max_results) {
  set_worker_memory(*m_memory);
}

KernelSubject::~KernelSubject() {
  KernelSubject::release();
}

Loaded KernelSubject::load(const Load& load) {
  const auto [module, glue] = load_module(load.library, m_memory->on_gpu());
  Loaded loaded{.parameters = {}, .headers = headers_of(module)};
  m_entry = load.entry;
  m_overloads.clear();
  m_glue.reset();
  if (glue != nullptr) {
    m_glue.emplace(glue, module, m_memory->on_gpu());
    m_glue->load_torch();
    loaded.parameters = m_glue->parameters();
    return loaded;
  }
  for (std::int32_t i = 0; i < module.function_count; ++i) {
    if (load.entry == module.functions[i].name) m_overloads.push_back(&module.functions[i]);
  }
  if (m_overloads.empty()) {
    fail_load("the kernel's module has no '" + load.entry + "', but " + list_functions(module) +
              "; name the one to call by --entry (ENTRY in CMake), or let m.def call it '" +
              load.entry + "'");
  }
  loaded.parameters = parameters_of(*m_overloads.front());
  for (std::size_t i = 1; i < m_overloads.size(); ++i) {
    loaded.overloads.push_back(parameters_of(*m_overloads[i]));
  }
  return loaded;
}

// The first overload that takes this many arguments. If none does, the first of all, whose own
// check makes the error message.
const rkb_function& KernelSubject::overload_for(std::size_t argument_count) const {
  const auto fits = [&](const rkb_function* function) {
    const auto parameters = static_cast<std::size_t>(function->parameter_count);
    if (argument_count > parameters) return false;
    return std::all_of(function->parameters + argument_count, function->parameters + parameters,
                       [](const rkb_parameter& parameter) { return parameter.has_default != 0; });
  };
  const auto found = std::find_if(m_overloads.begin(), m_overloads.end(), fits);
  return found == m_overloads.end() ? *m_overloads.front() : **found;
}

void KernelSubject::prepare(const std::vector<robust_kbench::Call>& calls) {
  if (m_overloads.empty() && !m_glue) fail_load("no kernel is loaded");
  release();
  m_calls.resize(calls.size());
  // Memory that is allocated one after the other tends to lie so.
  CipherStream order(secret_key());
  for (const std::size_t index : drawn_order(calls.size(), order)) {
    Prepared& prepared = m_calls[index];
    prepared.arguments = Arguments(calls[index], *m_memory);
    prepared.function = m_glue ? nullptr : &overload_for(calls[index].arguments.size());
    prepared.results.reserve(usual_results);
  }
}

void KernelSubject::call(std::size_t index) {
  Prepared& call = m_calls.at(index);
  // Outputs are allocated within the timed call, as by a kernel that returns its outputs.
  call.arguments.make_outputs(*m_memory, call.results);
  call_kernel(call);
  if (m_memory->is_shared()) copy_own_memory(call);
}

void KernelSubject::call_kernel(Prepared& call) {
  const std::vector<rkb_value>& arguments = call.arguments.values();
  if (m_glue) {
    const std::vector<rkb_value> results = m_glue->call(arguments);
    call.results.insert(call.results.end(), results.begin(), results.end());
    return;
  }
  std::int32_t count = 0;
  const auto status_of = [&](const rkb_function* function) {
    return function->call(function, arguments.data(), static_cast<std::int32_t>(arguments.size()),
                          m_results.data(), max_results, &count);
  };
  std::int32_t status = status_of(call.function);
  // Like pybind11, this tries the other overloads in turn until one accepts the arguments.
  for (std::size_t i = 0; status == RKB_BAD_ARGUMENTS && i < m_overloads.size(); ++i) {
    if (m_overloads[i] != call.function) status = status_of(m_overloads[i]);
  }
  throw_failure(status);
  const std::span returned(m_results.data(),
                           static_cast<std::size_t>(std::clamp(count, 0, max_results)));
  const bool is_nothing = returned.size() == 1 && returned.front().kind == RKB_NONE;
  if (is_nothing && !call.results.empty()) return;
  call.results.insert(call.results.end(), returned.begin(), returned.end());
}

std::vector<std::span<const std::byte>> KernelSubject::outputs(std::size_t index) const {
  std::vector<std::span<const std::byte>> outputs;
  for (const rkb_value& result : m_calls.at(index).results) {
    if (result.kind != RKB_TENSOR) continue;
    const rkb_tensor& tensor = *result.as.tensor;
    const std::optional<std::size_t> bytes = extent_of(tensor);
    if (tensor.device_type != (m_arena.on_gpu() ? RKB_CUDA : RKB_CPU) || !bytes) return {};
    outputs.emplace_back(static_cast<const std::byte*>(tensor.data), *bytes);
  }
  return outputs;
}

std::vector<std::vector<ResultValue>> KernelSubject::collect() {
  std::vector<std::vector<ResultValue>> outputs;
  for (const Prepared& call : m_calls) {
    std::vector<ResultValue>& results = outputs.emplace_back();
    for (const rkb_value& result : call.results) results.push_back(describe(call, result));
  }
  return outputs;
}

// Copies results in the kernel's own memory into the arena, the only memory that the broker sees.
// The copy is part of the call. Otherwise a kernel could compute such a result only when it is
// read.
void KernelSubject::copy_own_memory(Prepared& call) {
  for (const rkb_value& result : call.results) {
    if (result.kind != RKB_TENSOR) continue;
    const rkb_tensor& tensor = *result.as.tensor;
    const auto* data = static_cast<const std::byte*>(tensor.data);
    const std::optional<std::size_t> bytes = extent_of(tensor);
    if (!bytes) continue;  // describe_tensor() reports the error
    if (m_arena.offset_of(data, std::min<std::size_t>(*bytes, 1))) continue;
    auto* copy = static_cast<std::byte*>(arena_allocate(m_arena, *bytes));
    if (copy == nullptr) {
      throw SubjectError(Failure::out_of_memory, "no room to copy an output of " + m_entry + "()");
    }
    const std::uint64_t offset = *m_arena.offset_of(copy, *bytes);
    m_arena.synchronize();  // waits for all streams, since any may write the result
    m_arena.write(offset, data, *bytes);
    m_arena.synchronize();
    call.copies[&tensor] = offset;
  }
}

ResultValue KernelSubject::describe(const Prepared& call, const rkb_value& result) const {
  switch (result.kind) {
    case RKB_NONE:
      return None{};
    case RKB_TENSOR:
      return describe_tensor(call, *result.as.tensor);
    case RKB_INT:
      return result.as.integer;
    case RKB_DOUBLE:
      return result.as.real;
    case RKB_BOOLEAN:
      return result.as.integer != 0;
    default:
      throw SubjectError(Failure::exception, m_entry + "() returned a value of kind " +
                                                 std::to_string(result.kind) +
                                                 "; it may return tensors, numbers and None");
  }
}

ResultValue KernelSubject::describe_tensor(const Prepared& call, const rkb_tensor& tensor) const {
  const auto rank = static_cast<std::size_t>(tensor.dim);
  TensorRef ref{.sizes = {tensor.sizes, tensor.sizes + rank},
                .strides = {tensor.strides, tensor.strides + rank},
                .dtype = tensor.dtype,
                .device_type = tensor.device_type};
  const std::optional<std::size_t> bytes = extent_of(tensor);
  if (!bytes) throw SubjectError(Failure::exception, m_entry + "() returned a malformed tensor");
  if (const auto copy = call.copies.find(&tensor); copy != call.copies.end()) {
    ref.offset = copy->second;
    return ref;
  }
  const auto offset = m_arena.offset_of(tensor.data, *bytes);
  if (!offset) {
    throw SubjectError(Failure::exception,
                       m_entry + "() returned a tensor that ends outside of its memory");
  }
  ref.offset = *offset;
  return ref;
}

void KernelSubject::release_results(Prepared& call) {
  for (const rkb_value& result : call.results) {
    if (result.kind == RKB_TENSOR) robust_kbench::release(result.as.tensor);
  }
  call.results.clear();
  call.copies.clear();
}

bool KernelSubject::drop_results(std::size_t index) {
  release_results(m_calls.at(index));
  const auto live = live_tensors();
  return std::none_of(live.begin(), live.end(), [&](const WorkerTensor* tensor) {
    return m_arena.offset_of(tensor->storage, 0) >= m_arena.header().kernel_begin;
  });
}

bool KernelSubject::use_stream(void* stream) {
  set_current_stream(stream);
  return true;
}

void KernelSubject::release() {
  for (Prepared& call : m_calls) release_results(call);
  m_calls.clear();
  m_memory->release();
  release_host_memory();
}

}  // namespace robust_kbench
