# cmake -D SOURCE=<consumer> -D BINARY=<directory> -D TASK=<name> -D GENERATOR=<name>
#       [-D PREFIX=<directory> -D BUILD=<directory>] -P consumer_test.cmake -- <configure argument>...
#
# Configures, builds and tests a project that uses RobustKBench. With PREFIX the build in BUILD is
# installed there first.

function(run)
  list(JOIN ARGN " " command)
  message("$ ${command}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "exit code ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(arguments)
foreach(i RANGE ${CMAKE_ARGC})
  if(DEFINED separator_seen AND DEFINED CMAKE_ARGV${i})
    list(APPEND arguments ${CMAKE_ARGV${i}})
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(separator_seen TRUE)
  endif()
endforeach()

file(REMOVE_RECURSE ${BINARY})
if(DEFINED PREFIX)
  file(REMOVE_RECURSE ${PREFIX})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR} ${arguments})
run(${CMAKE_COMMAND} --build ${BINARY} --parallel 2)

run(${BINARY}/bin/rkb list)
if(NOT output MATCHES "${TASK}")
  message(FATAL_ERROR "rkb list does not name ${TASK}:\n${output}")
endif()
run(${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --output-on-failure --no-tests=error)
message("${output}")
# Five seeds of at least two configs, and the sequence.
string(REGEX MATCH "100% tests passed, 0 tests failed out of ([0-9]+)" closing "${output}")
if(NOT CMAKE_MATCH_1 GREATER 10)
  message(FATAL_ERROR "more than 10 tests should have passed")
endif()
