#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include "worker/arguments.hpp"
#include "worker/glue.hpp"
#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// A kernel's shared object as a subject of serve().
class KernelSubject : public Subject {
 public:
  // A process has one subject at a time, since the kernels' table allocates from its `arena` or
  // `memory`.
  explicit KernelSubject(Arena& arena);
  KernelSubject(Arena& arena, std::unique_ptr<KernelMemory> memory);
  ~KernelSubject() override;

  Loaded load(const Load& load) override;
  void prepare(const std::vector<robust_kbench::Call>& calls) override;
  void call(std::size_t index) override;
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override;
  std::vector<std::vector<ResultValue>> collect() override;
  bool drop_results(std::size_t index) override;
  bool use_stream(void* stream) override;
  void release() override;

 private:
  struct Prepared {
    Arguments arguments;
    const rkb_function* function = nullptr;
    std::vector<rkb_value> results;  // outputs among the arguments, then returned values
    std::map<const rkb_tensor*, std::uint64_t> copies;  // offsets in the arena
  };

  void call_kernel(Prepared& call);
  static void release_results(Prepared& call);
  const rkb_function& overload_for(std::size_t argument_count) const;
  void copy_own_memory(Prepared& call);
  [[nodiscard]] ResultValue describe(const Prepared& call, const rkb_value& result) const;
  [[nodiscard]] ResultValue describe_tensor(const Prepared& call, const rkb_tensor& tensor) const;

  Arena& m_arena;
  std::unique_ptr<KernelMemory> m_memory;
  std::string m_entry;
  std::vector<const rkb_function*> m_overloads;  // all with the entry's name, in m.def order
  std::optional<Glue> m_glue;  // if the library has one, it is called instead of a function
  std::vector<Prepared> m_calls;
  std::vector<rkb_value> m_results;  // buffer for the results of a call
};

}  // namespace robust_kbench
