# cmake -D COMPILER=<g++> -D ROOT=<source tree> -D SYSTEM_INCLUDE=<directory> -P headers_test.cmake
#
# Each header that task authors and kernels include compiles alone, and twice in a row.

cmake_policy(VERSION 3.25.1)
set(failed)
function(check directory include)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FLAGS")
  file(WRITE header.cpp "#include <${include}>\n#include <${include}>\n")
  execute_process(
    COMMAND ${COMPILER} -fsyntax-only -fmax-errors=3 -Wall -Wextra -I${directory} ${arg_FLAGS} header.cpp
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message("${include} does not compile alone:\n${output}")
    set(failed ${failed} ${include} PARENT_SCOPE)
  endif()
endfunction()

set(public ${ROOT}/harness/include)
file(GLOB headers RELATIVE ${public} ${public}/robust_kbench/*.hpp)
foreach(header IN LISTS headers)
  check(${public} ${header} FLAGS -std=c++20 -isystem ${SYSTEM_INCLUDE})
endforeach()

# The shim serves kernels written for any C++ since 17; robust_kbench/shim/ and python/ hold its
# parts, which are included in one order.
set(shim ${ROOT}/harness/include/kernel)
file(GLOB_RECURSE shim_headers RELATIVE ${shim} ${shim}/*.h)
list(FILTER shim_headers EXCLUDE REGEX "^robust_kbench/(shim|python)/")
set(seen)
foreach(header IN LISTS shim_headers)
  # Most only forward to torch/extension.h: one of each content will do.
  file(SHA256 ${shim}/${header} hash)
  if(hash IN_LIST seen)
    continue()
  endif()
  list(APPEND seen ${hash})
  check(${shim} ${header} FLAGS -std=c++17 -DTORCH_EXTENSION_NAME=kernel)
endforeach()

set(over_torch ${ROOT}/harness/include/kernel_over_torch)
foreach(header IN ITEMS torch/extension.h robust_kbench/types.h)
  check(${over_torch} ${header} FLAGS -std=c++17 -isystem ${SYSTEM_INCLUDE}
        -isystem ${SYSTEM_INCLUDE}/torch/csrc/api/include -isystem ${shim})
endforeach()

list(LENGTH headers public_count)
list(LENGTH shim_headers shim_count)
message("${public_count} public and ${shim_count} shim headers")
if(failed)
  message(FATAL_ERROR "these do not compile alone: ${failed}")
endif()
