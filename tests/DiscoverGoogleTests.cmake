# Run by CTest, not at configure time.

#[[
robust_kbench_list_google_tests(<program> PREFIX <text> TIMEOUT <seconds> LABELS <label>...
                                [BY_SUITE | ALONE <suite>...])

Adds one CTest test for each test of a GoogleTest program, judged by its exit code alone, of which 77
is skipped. BY_SUITE adds one for each test suite instead: what its tests share is made once. ALONE
adds one for each of these suites, and one for all others, which share the start of a process.
GoogleTest's own gtest_discover_tests() makes a test skipped whose output quotes "[  SKIPPED ]", and
a further SKIP_REGULAR_EXPRESSION adds to that one instead of replacing it.
]]
function(robust_kbench_list_google_tests program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BY_SUITE" "PREFIX;TIMEOUT" "LABELS;ALONE")
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
  set(suites)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " +#.*$" "" line "${line}")
    if(line MATCHES "^  (.+)$")
      list(APPEND filters ${suite}${CMAKE_MATCH_1})
    elseif(line MATCHES "^[^ ]+\\.$")
      set(suite ${line})
      list(APPEND suites ${suite}*)
    endif()
  endforeach()
  if(arg_BY_SUITE)
    set(filters ${suites})
  elseif(arg_ALONE)
    list(TRANSFORM arg_ALONE APPEND .* OUTPUT_VARIABLE filters)
    foreach(filter IN LISTS filters)
      list(FIND suites ${filter} place)
      if(place EQUAL -1)
        message(FATAL_ERROR "${program} has no tests '${filter}' that could run alone")
      endif()
    endforeach()
    list(JOIN filters ":" alone)
    list(APPEND filters "-${alone}")
  endif()
  foreach(filter IN LISTS filters)
    string(REGEX REPLACE "\\.[*]$" "" name "${arg_PREFIX}${filter}")
    if(filter MATCHES "^-")
      set(name ${arg_PREFIX}others)
    endif()
    add_test(${name} ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES
      TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77 COST 10)
  endforeach()
endfunction()
