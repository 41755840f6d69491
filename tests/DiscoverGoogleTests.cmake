# Run by CTest, not at configure time.

#[[
robust_kbench_list_google_tests(<program> PREFIX <text> TIMEOUT <seconds> LABELS <label>...)

Adds one CTest test for each test of a GoogleTest program, judged by its exit code alone, of which 77
is skipped. GoogleTest's own gtest_discover_tests() makes a test skipped whose output quotes
"[  SKIPPED ]", and a further SKIP_REGULAR_EXPRESSION adds to that one instead of replacing it.
]]
function(robust_kbench_list_google_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TIMEOUT" "LABELS")
  if(NOT EXISTS ${program})
    add_test(${arg_PREFIX}NOT_BUILT ${program})
    return()
  endif()
  execute_process(COMMAND ${program} --gtest_list_tests
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${program} could not list its tests (${result}):\n${output}${error}")
  endif()
  string(REPLACE "\n" ";" lines "${output}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " +#.*$" "" line "${line}")
    if(line MATCHES "^  (.+)$")
      set(test ${suite}${CMAKE_MATCH_1})
      add_test(${arg_PREFIX}${test} ${program} --gtest_filter=${test})
      set_tests_properties(${arg_PREFIX}${test} PROPERTIES
        TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77 COST 10)
    elseif(line MATCHES "^[^ ]+\\.$")
      set(suite ${line})
    endif()
  endforeach()
endfunction()
