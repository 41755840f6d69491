# cmake -D SOURCE=<consumer> -D BINARY=<directory> -D TASK=<name> -D GENERATOR=<name>
#       [-D PREFIX=<directory> -D BUILD=<directory>] -P consumer_test.cmake -- <configure argument>...
#
# Configures, builds and tests a project that uses RobustKBench, from a copy of its sources. With
# PREFIX the build in BUILD is installed there first, and the sources are edited afterwards.
cmake_policy(VERSION 3.25.1)

# Sets `output`, and `result` where EXPECT_FAILURE is given; else a command that fails ends the test.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EXPECT_FAILURE" "" "COMMAND")
  list(JOIN arg_COMMAND " " command)
  message("$ ${command}")
  execute_process(COMMAND ${arg_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(arg_EXPECT_FAILURE AND result EQUAL 0)
    message(FATAL_ERROR "should have failed:\n${output}")
  elseif(NOT arg_EXPECT_FAILURE AND NOT result EQUAL 0)
    message(FATAL_ERROR "exit code ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect regex count what)
  string(REGEX MATCHALL "${regex}" matches "${output}")
  list(LENGTH matches found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "${what}: '${regex}' expected ${count} times, found ${found}:\n${output}")
  endif()
endfunction()

set(arguments)
foreach(i RANGE ${CMAKE_ARGC})
  if(DEFINED separator_seen AND DEFINED CMAKE_ARGV${i})
    list(APPEND arguments ${CMAKE_ARGV${i}})
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(separator_seen TRUE)
  endif()
endforeach()

set(sources ${BINARY}.sources)
file(REMOVE_RECURSE ${BINARY} ${sources})
file(COPY ${SOURCE}/ DESTINATION ${sources})
if(DEFINED PREFIX)
  file(REMOVE_RECURSE ${PREFIX})
  run(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
endif()
run(COMMAND ${CMAKE_COMMAND} -S ${sources} -B ${BINARY} -G ${GENERATOR} ${arguments})
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2)
run(COMMAND ${BINARY}/bin/rkb list)
expect("\n${TASK} " 1 "rkb lists the task")
set(ctest ${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --no-tests=error --parallel 2)
run(COMMAND ${ctest})
message("${output}")
# Five seeds of at least two configs, and the sequence.
string(REGEX MATCH "100% tests passed, 0 tests failed out of ([0-9]+)" closing "${output}")
if(NOT CMAKE_MATCH_1 GREATER 10)
  message(FATAL_ERROR "more than 10 tests should have passed")
endif()

if(DEFINED PREFIX)
  run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify)
  expect("Testing kernel" 2 "every kernel is tested")
  file(APPEND ${sources}/softsign/include/elementwise.hpp "// changed\n")
  run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify)
  expect("Compiling kernel softsign.forward.two-files" 1 "a changed header compiles its kernel")
  expect("(Compiling|Testing) kernel" 2 "nothing else is compiled and tested")

  file(APPEND ${sources}/softsign/forward.cpp "#error [  SKIPPED ]\n")
  run(COMMAND ${CMAKE_COMMAND} --build ${BINARY})
  run(COMMAND ${ctest} -R two_files EXPECT_FAILURE)
  expect("0% tests passed" 1 "a kernel that does not compile fails its tests")
  expect("Skipped" 0 "whatever the compiler quotes")
  run(COMMAND ${ctest} -R plain)
endif()
