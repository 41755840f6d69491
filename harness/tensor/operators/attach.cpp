#include "tensor/operators/attach.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "tensor/operators/batch_allocator.hpp"
#include "tensor/operators/gpu_memory.hpp"
#include "tensor/operators/table_data.hpp"
#include "tensor/operators/values.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Type.h>

namespace robust_kbench {
namespace {

// The scope of one operator's run.
struct Scope {
  Scope() { BatchAllocator::instance().begin(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { BatchAllocator::instance().end(); }
};

// Operators run on the stream that the kernel has made current. Until it sets one, that is torch's
// own, which is the default stream too.
void follow_stream_of_kernel() {
  thread_local void* followed = nullptr;
  void* const stream = table().current_stream(0);
  if (stream == followed) return;
  load_torch_cuda();
  follow_stream_of_table();
  followed = stream;
}

c10::OperatorHandle find_operator(const char* name, const char* overload) {
  const auto handle = c10::Dispatcher::singleton().findSchema({name, overload});
  TORCH_CHECK(handle.has_value(), "torch has no operator ", name, " with overload '", overload,
              "'");
  return *handle;
}

torch::jit::Stack make_stack(const c10::FunctionSchema& schema, const rkb_value* arguments,
                             std::size_t count) {
  const auto& parameters = schema.arguments();
  TORCH_CHECK(count <= parameters.size(), "takes ", parameters.size(), " arguments, not ", count);
  torch::jit::Stack stack;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i < count) {
      stack.push_back(to_ivalue(arguments[i], parameters[i]));
      continue;
    }
    TORCH_CHECK(parameters[i].default_value().has_value(), "argument '", parameters[i].name(),
                "' is missing");
    stack.push_back(*parameters[i].default_value());
  }
  return stack;
}

// Some errors of torch's libraries have no text. Their what() begins with the place that threw.
std::int32_t report(const char* name, const std::exception& error, std::string message,
                    rkb_status status) {
  if (message.empty()) {
    std::string_view where = error.what();
    where.remove_prefix(std::min(where.find_first_not_of('\n'), where.size()));
    message = "it threw " + c10::demangle(typeid(error).name()) + " ";
    message += where.substr(0, where.find('\n'));
  }
  table().set_error((std::string(name) + ": " + message).c_str());
  return status;
}

std::int32_t call(const char* name, const char* overload, const rkb_value* arguments,
                  std::int32_t argument_count, rkb_value* results, std::int32_t max_results,
                  std::int32_t* result_count) {
  ResultValues collected(results, max_results);
  try {
    const c10::InferenceMode no_gradients;
    follow_stream_of_kernel();
    const c10::OperatorHandle handle = find_operator(name, overload);
    torch::jit::Stack stack =
        make_stack(handle.schema(), arguments, static_cast<std::size_t>(argument_count));
    const Scope scope;
    handle.callBoxed(stack);
    for (const c10::IValue& result : stack) collected.add(result);
    *result_count = collected.count();
    return RKB_OK;
  } catch (const c10::OutOfMemoryError& error) {
    collected.drop();
    return report(name, error, error.what_without_backtrace(), RKB_OUT_OF_MEMORY);
  } catch (const c10::Error& error) {
    collected.drop();
    return report(name, error, error.what_without_backtrace(), RKB_EXCEPTION);
  } catch (const std::exception& error) {
    collected.drop();
    return report(name, error, error.what(), RKB_EXCEPTION);
  }
}

}  // namespace
}  // namespace robust_kbench

decltype(rkb_table::call) rkb_operators_attach(const rkb_table* table) {
  robust_kbench::set_table(*table);
  c10::SetAllocator(c10::DeviceType::CPU, &robust_kbench::BatchAllocator::instance());
  return &robust_kbench::call;
}
