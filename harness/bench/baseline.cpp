#include "bench/baseline.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "bench/arena_allocator.hpp"
#include "bench/bench.hpp"
#include "bench/compile_subject.hpp"
#include "bench/eager_subject.hpp"
#include "bench/graph_subject.hpp"
#include "core/case.hpp"
#include "core/error.hpp"
#include "device/gpu_facts.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/relu.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* eager_library = "eager";
constexpr const char* graph_library = "graph";
constexpr const char* noop_library = "noop";
constexpr const char* nothing_library = "nothing";
constexpr const char* dirtying_entry = "dirtying";

json to_json(const Params& params) {
  json object = json::object();
  for (const auto& [name, value] : params.values()) {
    std::visit([&, &key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}

Params params_from(const json& object) {
  Params params;
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean()) {
      params.set(name, value.get<bool>());
    } else if (value.is_number_integer()) {
      params.set(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      params.set(name, value.get<double>());
    } else {
      params.set(name, value.get<std::string>());
    }
  }
  return params;
}

class NoopSubject final : public Subject {
 public:
  explicit NoopSubject(const Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    if (load.entry == dirtying_entry && !m_cache.defined()) {
      m_cache = at::empty({static_cast<std::int64_t>(gpu_facts().l2_bytes)},
                          at::TensorOptions(at::kByte).device(c10::kCUDA));
    }
    return {.parameters = {}, .headers = "torch"};
  }
  void prepare(const std::vector<Call>& calls) override { m_calls = calls.size(); }
  void call(std::size_t) override {
    if (m_cache.defined()) m_cache.fill_(1);
  }
  // To be looked at as a kernel's are, which takes time.
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t) const override {
    return {{m_arena.data(), looked_at_bytes}};
  }
  std::vector<std::vector<ResultValue>> collect() override {
    return std::vector<std::vector<ResultValue>>(m_calls);
  }
  void release() override {}

 private:
  static constexpr std::size_t looked_at_bytes = 4096;

  const Arena& m_arena;
  std::size_t m_calls = 0;
  at::Tensor m_cache;  // as large as the GPU's
};

// Keeps what it has loaded, so that a config that comes again costs nothing.
class BaselineSubject final : public Subject {
 public:
  BaselineSubject(const std::vector<Task>& tasks, Arena& arena)
      : m_tasks(tasks),
        m_arena(arena),
        m_allocator(arena.on_gpu() ? nullptr : &ArenaAllocator::install(arena)) {}

  Loaded load(const Load& load) override {
    if (load.library == nothing_library) return forget_all();
    std::unique_ptr<Subject>& subject = m_subjects[{load.library, load.entry}];
    if (!subject) subject = make(load);
    m_current = subject.get();
    if (m_arena.on_gpu() && load.library != noop_library) {
      allow_tf32(json::parse(load.entry).at("tf32"));
    }
    return m_current->load(load);
  }
  void prepare(const std::vector<Call>& calls) override { current().prepare(calls); }
  void call(std::size_t index) override { m_current->call(index); }
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    return m_current->outputs(index);
  }
  std::vector<std::vector<ResultValue>> collect() override { return current().collect(); }
  bool drop_results(std::size_t index) override { return current().drop_results(index); }
  void release() override { current().release(); }

 private:
  Loaded forget_all() {
    m_current = nullptr;
    m_subjects.clear();
    if (m_arena.on_gpu()) give_back_gpu_memory();
    return {.parameters = {}, .headers = "torch"};
  }

  Subject& current() {
    if (m_current == nullptr) throw HarnessError("baseline worker: nothing is loaded");
    return *m_current;
  }

  std::unique_ptr<Subject> make(const Load& load) {
    if (load.library == noop_library) return std::make_unique<NoopSubject>(m_arena);
    if (load.library == graph_library) {
      return make_graph_subject(make({.library = eager_library, .entry = load.entry}));
    }
    if (load.library != eager_library) {
      return make_compile_subject(load.library, m_arena, m_allocator);
    }
    const json entry = json::parse(load.entry);
    const std::string name = entry.at("task");
    const auto task =
        std::find_if(m_tasks.begin(), m_tasks.end(), [&](const Task& t) { return t.name == name; });
    if (task == m_tasks.end()) {
      throw SubjectError(Failure::load_error,
                         "the baseline worker was built without task '" + name + "'");
    }
    const Direction direction = parse_direction(entry.at("direction").get<std::string>());
    const Params params = params_from(entry.at("params"));
    return make_eager_subject(*task, direction, params, call_tensors(*task, direction, params),
                              m_arena, m_allocator);
  }

  const std::vector<Task>& m_tasks;
  Arena& m_arena;
  ArenaAllocator* m_allocator;  // none on a GPU
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Subject>> m_subjects;
  Subject* m_current = nullptr;
};

// Torch's first operators and its first backward pass start thread pools and the like. Here all
// workers of a session do so at the same time, while the cases run.
void warm_up_torch(bool gpu) {
  if (gpu) load_torch_cuda();
  const auto options = at::TensorOptions().device(gpu ? c10::kCUDA : c10::kCPU);
  const at::Tensor x = at::ones({64, 64}, options).requires_grad_();
  const at::Tensor y = at::relu(at::mm(x, x));
  torch::autograd::grad({y}, {x}, {at::ones_like(y)});
}

std::string entry_json(const Baseline& baseline, json entry) {
  entry["tf32"] = baseline.tf32;
  return entry.dump();
}

}  // namespace

std::vector<TensorSpec> call_specs(const Task& task, Direction direction, const Params& params) {
  const auto& own_inputs = contract(task, direction).inputs;
  std::vector<TensorSpec> specs = own_inputs ? own_inputs(params) : task.inputs(params);
  if (task.weights) {
    for (TensorSpec& spec : task.weights(params)) specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<std::string> call_tensors(const Task& task, Direction direction, const Params& params) {
  std::vector<std::string> names;
  for (TensorSpec& spec : call_specs(task, direction, params))
    names.push_back(std::move(spec.name));
  if (direction == Direction::backward) names.emplace_back("grad_output");
  return names;
}

Task with_baseline_arguments(const Task& task, Direction direction) {
  Task baseline = task;
  Contract& contract = direction == Direction::forward ? baseline.forward_contract
                                                       : baseline.backward_contract.value();
  contract.arguments = [task, direction](const Params& params) {
    std::vector<Argument> arguments;
    for (std::string& name : call_tensors(task, direction, params)) {
      arguments.push_back(tensor(std::move(name)));
    }
    return arguments;
  };
  return baseline;
}

Baseline parse_baseline(const std::string& name, const std::string& device) {
  constexpr std::string_view suffix = "_tf32";
  const bool tf32 = std::string_view(name).ends_with(suffix);
  const std::string kind = tf32 ? name.substr(0, name.size() - suffix.size()) : name;
  const bool gpu = device == "cuda";
  if (gpu || !tf32) {
    if (kind == "eager") return {.kind = Baseline::Kind::eager, .tf32 = tf32};
    if (kind == "compile") return {.kind = Baseline::Kind::compile, .tf32 = tf32};
    if (kind == "graph" && gpu) return {.kind = Baseline::Kind::graph, .tf32 = tf32};
  }
  throw UserError("baseline '" + name + "' does not exist on device " + device + "; known: " +
                  (gpu ? "eager, compile, graph, each also with _tf32" : "eager, compile"));
}

Load load_eager(const Baseline& baseline, const Task& task, Direction direction,
                const Params& params) {
  return {.library = baseline.kind == Baseline::Kind::graph ? graph_library : eager_library,
          .entry = entry_json(baseline, {{"task", task.name},
                                         {"direction", to_string(direction)},
                                         {"params", to_json(params)}})};
}

Load load_package(const Baseline& baseline, const std::string& path) {
  return {.library = path, .entry = entry_json(baseline, json::object())};
}

Load load_noop() {
  return {.library = noop_library, .entry = ""};
}

Load load_dirtying_noop() {
  return {.library = noop_library, .entry = dirtying_entry};
}

Load load_nothing() {
  return {.library = nothing_library, .entry = ""};
}

std::unique_ptr<Subject> make_baseline_subject(const std::vector<Task>& tasks, Arena& arena) {
  return std::make_unique<BaselineSubject>(tasks, arena);
}

int baseline_worker(const std::vector<Task>& tasks, bool gpu) {
  with_gpu_memory([gpu] { warm_up_torch(gpu); });
  Arena arena = Arena::attach(4, gpu ? std::optional(5) : std::nullopt);
  const std::unique_ptr<Subject> subject = make_baseline_subject(tasks, arena);
  return serve(3, arena, *subject);
}

}  // namespace robust_kbench
