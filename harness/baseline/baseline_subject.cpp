#include "baseline/baseline_subject.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "baseline/arena_allocator.hpp"
#include "baseline/compile_subject.hpp"
#include "baseline/eager_subject.hpp"
#include "baseline/graph_subject.hpp"
#include "baseline/noop_subject.hpp"
#include "core/error.hpp"
#include "device/gpu_facts.hpp"
#include "ipc/baseline_load.hpp"
#include "tensor/torch_cuda.hpp"
#include "torch_task/imported_task.hpp"

namespace robust_kbench {
namespace {

using Kind = BaselineLoad::Kind;

bool is_noop(const BaselineLoad& load) {
  return load.kind == Kind::noop || load.kind == Kind::dirtying_noop || load.kind == Kind::empty;
}

// Keeps all that it has loaded, so that a config that comes again costs nothing.
class BaselineSubject final : public Subject {
 public:
  BaselineSubject(const std::vector<Task>& tasks, Arena& arena)
      : m_tasks(tasks),
        m_arena(arena),
        m_allocator(arena.on_gpu() ? nullptr : &ArenaAllocator::install(arena)) {}

  Loaded load(const Load& load) override {
    const BaselineLoad wanted = decode_baseline_load(load);
    if (wanted.kind == Kind::nothing) return forget_all();
    std::unique_ptr<Subject>& subject = m_subjects[load];
    if (!subject) subject = make(wanted);
    m_current = subject.get();
    if (m_arena.on_gpu() && !is_noop(wanted)) allow_tf32(wanted.tf32);
    return m_current->load(load);
  }
  void prepare(const std::vector<Call>& calls) override { current().prepare(calls); }
  void call(std::size_t index) override { m_current->call(index); }
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    return m_current->outputs(index);
  }
  std::vector<std::vector<ResultValue>> collect() override { return current().collect(); }
  bool drop_results(std::size_t index) override { return current().drop_results(index); }
  bool prepare_together() override { return current().prepare_together(); }
  void run_together(bool with_calls) override { current().run_together(with_calls); }
  void release() override { current().release(); }

 private:
  Loaded forget_all() {
    m_current = nullptr;
    m_subjects.clear();
    m_sweep.reset();
    if (m_arena.on_gpu()) give_back_gpu_memory();
    return {.parameters = {}, .headers = KernelHeaders::torch};
  }

  Subject& current() {
    if (m_current == nullptr) throw HarnessError("baseline worker: nothing is loaded");
    return *m_current;
  }

  std::unique_ptr<Subject> make(const BaselineLoad& load) {
    if (!load.captured) return make_uncaptured(load);
    return make_graph_subject(make_uncaptured(load), m_arena, m_sweep);
  }

  std::unique_ptr<Subject> make_uncaptured(const BaselineLoad& load) {
    switch (load.kind) {
      case Kind::eager:
        return make_eager(load);
      case Kind::package:
        return make_compile_subject(load.package, load.captured, m_arena, m_allocator);
      case Kind::empty:
        return make_empty_subject(m_arena);
      case Kind::dirtying_noop:
        return make_dirtying_noop_subject(m_arena, gpu_facts().l2_bytes);
      case Kind::noop:
      case Kind::nothing:
        break;
    }
    return make_noop_subject(m_arena);
  }

  std::unique_ptr<Subject> make_eager(const BaselineLoad& load) {
    return make_eager_subject({task_of(load), load.direction, load.params}, m_arena, m_allocator);
  }

  const Task& task_of(const BaselineLoad& load) {
    if (!load.package.empty()) {
      const auto known = m_imported.find(load.package);
      if (known != m_imported.end()) return known->second;
      return m_imported.emplace(load.package, imported_task(load.package)).first->second;
    }
    const auto task = std::ranges::find(m_tasks, load.task, &Task::name);
    if (task != m_tasks.end()) return *task;
    throw SubjectError(Failure::load_error,
                       "the baseline worker was built without task '" + load.task + "'");
  }

  const std::vector<Task>& m_tasks;
  std::map<std::string, Task> m_imported;  // by the path of their package
  Arena& m_arena;
  ArenaAllocator* m_allocator;        // none on a GPU
  std::optional<SweepGraph> m_sweep;  // of all captured subjects
  std::map<Load, std::unique_ptr<Subject>> m_subjects;
  Subject* m_current = nullptr;
};

}  // namespace

std::unique_ptr<Subject> make_baseline_subject(const std::vector<Task>& tasks, Arena& arena) {
  return std::make_unique<BaselineSubject>(tasks, arena);
}

}  // namespace robust_kbench
