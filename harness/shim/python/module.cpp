#include <new>

#include "shim/python/function.hpp"

namespace rkb {

const rkb_table* table = nullptr;

namespace {

// The kernel's module. There is only one, since a shared object has one kernel.
struct Module {
  std::vector<rkb_function> functions;
  rkb_module described{};
  const char* (*launch_error)() = nullptr;
};
Module* the_module = nullptr;

// The status for the current exception. Call it only in an exception handler.
std::int32_t status_of_exception() {
  try {
    throw;
  } catch (const OutOfMemoryError& error) {
    table->set_error(error.what_without_backtrace());
    return RKB_OUT_OF_MEMORY;
  } catch (const std::bad_alloc& error) {
    table->set_error(error.what());
    return RKB_OUT_OF_MEMORY;
  } catch (const Error& error) {
    table->set_error(error.what_without_backtrace());
  } catch (const std::exception& error) {
    table->set_error(error.what());
  } catch (...) {
    table->set_error("an exception that is no std::exception");
  }
  return RKB_EXCEPTION;
}

std::int32_t call_function(const rkb_function* self, const rkb_value* arguments,
                           std::int32_t argument_count, rkb_value* results,
                           std::int32_t max_results, std::int32_t* result_count) {
  const Function& function = *static_cast<const Function*>(self->state);
  Results collected(results, max_results);
  try {
    const KernelCall scope;
    rkb_value bound[max_parameters];
    if (!function.bind(arguments, argument_count, bound)) {
      table->set_error(function.mismatch(arguments, argument_count).c_str());
      return RKB_BAD_ARGUMENTS;
    }
    function.signature.invoke(function.callable, bound, collected);
    const char* launched =
        the_module->launch_error == nullptr ? nullptr : the_module->launch_error();
    TORCH_CHECK(launched == nullptr, "CUDA error: ", launched);
    *result_count = collected.count();
    return RKB_OK;
  } catch (...) {
    collected.drop();
    return status_of_exception();
  }
}

}  // namespace

namespace python {

void module_::add(const char* name, const Signature& signature, void (*callable)(),
                  std::initializer_list<Extra> extras) {
  const Function* function = new Function(name, signature, callable, extras);
  the_module->functions.push_back(
      {function->name.c_str(), function->doc.c_str(), function->described.data(),
       static_cast<std::int32_t>(function->described.size()), &call_function, function});
}

const rkb_module* make_module(const rkb_table* offered, void (*body)(module_&),
                              const char* (*launch_error)()) {
  if (offered->version != RKB_ABI_VERSION || offered->size < sizeof(rkb_table)) {
    const std::string message =
        "the kernel was built for version " + std::to_string(RKB_ABI_VERSION) +
        " of the table with " + std::to_string(sizeof(rkb_table)) +
        " bytes, the worker has version " + std::to_string(offered->version) + " with " +
        std::to_string(offered->size) + "; compile the kernel again";
    offered->set_error(message.c_str());
    return nullptr;
  }
  table = offered;
  if (the_module == nullptr) {
    the_module = new Module;
    the_module->launch_error = launch_error;
    try {
      enter_process(*table);
      module_ variable;
      body(variable);
    } catch (...) {
      delete the_module;
      the_module = nullptr;
      status_of_exception();
      return nullptr;
    }
    the_module->described = {RKB_ABI_VERSION,
                             static_cast<std::int32_t>(the_module->functions.size()),
                             the_module->functions.data(), headers_name};
  }
  return &the_module->described;
}

}  // namespace python
}  // namespace rkb
