# Run by CTest, not at configure time.

#[[
robust_kbench_list_google_tests(<program> PREFIX <text> TIMEOUT <seconds> LABELS <label>...
                                [BY_SUITE])

Adds one CTest test for each test of a GoogleTest program, judged by its exit code alone, of which 77
is skipped. BY_SUITE adds one for each test suite instead: what its tests share is made once.
GoogleTest's own gtest_discover_tests() makes a test skipped whose output quotes "[  SKIPPED ]", and
a further SKIP_REGULAR_EXPRESSION adds to that one instead of replacing it.
]]
function(robust_kbench_list_google_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BY_SUITE" "PREFIX;TIMEOUT" "LABELS")
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
  set(filters)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " +#.*$" "" line "${line}")
    if(line MATCHES "^  (.+)$" AND NOT arg_BY_SUITE)
      list(APPEND filters ${suite}${CMAKE_MATCH_1})
    elseif(line MATCHES "^[^ ]+\\.$")
      set(suite ${line})
      if(arg_BY_SUITE)
        list(APPEND filters ${suite}*)
      endif()
    endif()
  endforeach()
  foreach(filter IN LISTS filters)
    string(REGEX REPLACE "\\.[*]$" "" name "${arg_PREFIX}${filter}")
    add_test(${name} ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES
      TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77 COST 10)
  endforeach()
endfunction()
