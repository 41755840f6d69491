#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// Reads the fields of an untrusted message. Each function throws HarnessError if the field is
// missing or of another type. nlohmann's get<> would convert between kinds of numbers instead.
namespace robust_kbench {

[[noreturn]] void wrong_type(const char* key, const char* type);

const nlohmann::json& member(const nlohmann::json& object, const char* key);

// Check the value itself; error messages call it `key`.
std::int64_t as_integer(const nlohmann::json& value, const char* key);
std::uint64_t as_unsigned(const nlohmann::json& value, const char* key);

std::uint64_t unsigned_in(const nlohmann::json& object, const char* key);
int small_integer_in(const nlohmann::json& object, const char* key);
double number_in(const nlohmann::json& object, const char* key);  // never NaN or infinite
bool bool_in(const nlohmann::json& object, const char* key);
std::string string_in(const nlohmann::json& object, const char* key);
// Throw for an array with more than `most` elements.
const nlohmann::json& array_in(const nlohmann::json& object, const char* key, std::size_t most);
std::vector<std::int64_t> integers_in(const nlohmann::json& object, const char* key,
                                      std::size_t most);

}  // namespace robust_kbench
