#include "ipc/call.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "ipc/message_fields.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// No kernel needs more than these limits, which keep a hostile worker from exhausting the broker.
constexpr std::size_t max_dimensions = 64;
constexpr std::size_t max_outputs = 1024;
constexpr std::size_t max_calls = 1U << 20;

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

json encode_tensor(const TensorRef& tensor) {
  return {{"sizes", tensor.sizes},
          {"strides", tensor.strides},
          {"dtype", tensor.dtype},
          {"device", tensor.device_type}};
}

TensorRef decode_tensor(const json& j) {
  TensorRef tensor{.sizes = integers_in(j, "sizes", max_dimensions),
                   .strides = integers_in(j, "strides", max_dimensions),
                   .dtype = small_integer_in(j, "dtype"),
                   .device_type = small_integer_in(j, "device")};
  if (tensor.sizes.size() != tensor.strides.size()) {
    throw HarnessError("message: a tensor has " + std::to_string(tensor.sizes.size()) +
                       " sizes and " + std::to_string(tensor.strides.size()) + " strides");
  }
  return tensor;
}

// Scalars are JSON scalars and a tensor is an object. A list is an object with one key, which
// distinguishes lists of integers from tuples that hold integers.
struct Encoder {
  json operator()(const None&) const { return nullptr; }
  json operator()(const TensorRef& tensor) const { return encode_tensor(tensor); }
  json operator()(std::int64_t value) const { return value; }
  json operator()(double value) const { return value; }
  json operator()(bool value) const { return value; }
  json operator()(const OutputTensor& output) const {
    return {{"output", output.sizes}, {"dtype", output.dtype}};
  }
  json operator()(const IntegerList& list) const { return {{"integers", list}}; }
  json operator()(const ArgumentTuple& tuple) const {
    json items = json::array();
    for (const ArgumentValue& item : tuple) items.push_back(std::visit(*this, item.value));
    return {{"tuple", std::move(items)}};
  }
};

ResultValue decode_result(const json& j) {
  if (j.is_object()) return decode_tensor(j);
  if (j.is_null()) return None{};
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_float()) return j.get<double>();
  return as_integer(j, "value");
}

ArgumentValue decode_argument(const json& j) {
  if (j.is_object() && j.contains("output")) {
    return {OutputTensor{.sizes = integers_in(j, "output", max_dimensions),
                         .dtype = small_integer_in(j, "dtype")}};
  }
  if (j.is_object() && j.contains("integers")) return {integers_in(j, "integers", any_number)};
  if (j.is_object() && j.contains("tuple")) {
    ArgumentTuple tuple;
    for (const json& item : array_in(j, "tuple", any_number)) {
      tuple.push_back(decode_argument(item));
    }
    return {std::move(tuple)};
  }
  return std::visit([](auto value) { return ArgumentValue{std::move(value)}; }, decode_result(j));
}

void add_tensors(std::vector<TensorRef*>& tensors, std::vector<ArgumentValue>& arguments) {
  for (ArgumentValue& argument : arguments) {
    if (auto* tensor = std::get_if<TensorRef>(&argument.value)) tensors.push_back(tensor);
    if (auto* tuple = std::get_if<ArgumentTuple>(&argument.value)) add_tensors(tensors, *tuple);
  }
}

void add_offsets(json& offsets, const std::vector<ArgumentValue>& arguments) {
  for (const ArgumentValue& argument : arguments) {
    if (const auto* tensor = std::get_if<TensorRef>(&argument.value)) {
      offsets.push_back(tensor->offset);
    } else if (const auto* tuple = std::get_if<ArgumentTuple>(&argument.value)) {
      add_offsets(offsets, *tuple);
    }
  }
}

bool same_layout(const ResultValue& a, const ResultValue& b) {
  if (a.index() != b.index()) return false;
  const auto* tensor = std::get_if<TensorRef>(&a);
  if (tensor == nullptr) return std::visit(Encoder{}, a) == std::visit(Encoder{}, b);
  const auto& other = std::get<TensorRef>(b);
  return tensor->sizes == other.sizes && tensor->strides == other.strides &&
         tensor->dtype == other.dtype && tensor->device_type == other.device_type;
}

bool same_layout(const std::vector<ResultValue>& a, const std::vector<ResultValue>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& left, const auto& right) { return same_layout(left, right); });
}

[[noreturn]] void wrong_offsets(std::size_t given, std::size_t tensors) {
  throw HarnessError("message: " + std::to_string(given) + " offsets are given for " +
                     std::to_string(tensors) + " tensors");
}

}  // namespace

std::vector<TensorRef> tensors_of(const Call& call) {
  Call copy = call;
  std::vector<TensorRef*> found;
  add_tensors(found, copy.arguments);
  std::vector<TensorRef> tensors;
  tensors.reserve(found.size());
  for (const TensorRef* tensor : found) tensors.push_back(*tensor);
  return tensors;
}

json encode_calls(const std::vector<Call>& calls) {
  json body{{"arguments", json::array()}, {"offsets", json::array()}};
  if (calls.empty()) return body;
  for (const ArgumentValue& argument : calls.front().arguments) {
    body["arguments"].push_back(std::visit(Encoder{}, argument.value));
  }
  json& all_offsets = body["offsets"];
  for (const Call& call : calls) {
    json offsets = json::array();
    add_offsets(offsets, call.arguments);
    all_offsets.push_back(std::move(offsets));
    const std::size_t tensors = all_offsets.front().size();
    if (all_offsets.back().size() != tensors) wrong_offsets(all_offsets.back().size(), tensors);
  }
  return body;
}

std::vector<Call> decode_calls(const json& body) {
  Call common;
  for (const json& argument : array_in(body, "arguments", any_number)) {
    common.arguments.push_back(decode_argument(argument));
  }
  std::vector<Call> calls;
  for (const json& offsets : array_in(body, "offsets", any_number)) {
    Call& call = calls.emplace_back(common);
    std::vector<TensorRef*> tensors;
    add_tensors(tensors, call.arguments);
    if (!offsets.is_array()) wrong_type("offsets", "array");
    if (offsets.size() != tensors.size()) wrong_offsets(offsets.size(), tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      tensors[i]->offset = as_unsigned(offsets[i], "offset");
    }
  }
  return calls;
}

json encode_results(const std::vector<CallResult>& results) {
  json layouts = json::array();
  json calls = json::array();
  std::vector<const std::vector<ResultValue>*> known;
  for (const CallResult& result : results) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto* outputs) {
      return same_layout(*outputs, result.outputs);
    });
    json call = json::array({result.span_ns, found - known.begin()});
    if (found == known.end()) {
      known.push_back(&result.outputs);
      json layout = json::array();
      for (const ResultValue& output : result.outputs) {
        layout.push_back(std::visit(Encoder{}, output));
      }
      layouts.push_back(std::move(layout));
    }
    for (const ResultValue& output : result.outputs) {
      if (const auto* tensor = std::get_if<TensorRef>(&output)) call.push_back(tensor->offset);
    }
    calls.push_back(std::move(call));
  }
  return {{"layouts", std::move(layouts)}, {"calls", std::move(calls)}};
}

std::vector<CallResult> decode_results(const json& body) {
  std::vector<std::vector<ResultValue>> layouts;
  for (const json& outputs : array_in(body, "layouts", max_calls)) {
    if (!outputs.is_array() || outputs.size() > max_outputs) wrong_type("layout", "short array");
    std::vector<ResultValue>& layout = layouts.emplace_back();
    for (const json& output : outputs) layout.push_back(decode_result(output));
  }
  std::vector<CallResult> results;
  for (const json& call : array_in(body, "calls", max_calls)) {
    if (!call.is_array() || call.size() < 2) wrong_type("call", "array of span and layout");
    const std::uint64_t layout = as_unsigned(call[1], "layout");
    if (layout >= layouts.size()) wrong_type("layout", "index of one");
    CallResult& result = results.emplace_back();
    result.outputs = layouts[layout];
    result.span_ns = as_unsigned(call[0], "span");
    std::size_t next = 2;
    for (ResultValue& output : result.outputs) {
      auto* tensor = std::get_if<TensorRef>(&output);
      if (tensor == nullptr) continue;
      if (next >= call.size()) wrong_type("offset", "number for each tensor");
      tensor->offset = as_unsigned(call[next++], "offset");
    }
    if (next != call.size()) wrong_offsets(call.size() - 2, next - 2);
  }
  return results;
}

}  // namespace robust_kbench
