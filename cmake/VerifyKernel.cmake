# cmake -D STAMP=<file> -P VerifyKernel.cmake -- <command>...
#
# Runs the tests of one kernel and writes STAMP when they pass. Code 77 means that nothing of it can
# run here: that is no failure, but there is no stamp either.
set(command)
foreach(i RANGE ${CMAKE_ARGC})
  if(DEFINED separator_seen AND DEFINED CMAKE_ARGV${i})
    list(APPEND command ${CMAKE_ARGV${i}})
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(separator_seen TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE result)
if(result EQUAL 0)
  file(TOUCH ${STAMP})
elseif(NOT result EQUAL 77)
  message(FATAL_ERROR "The kernel failed its tests (exit code ${result}).")
endif()
