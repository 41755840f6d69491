cmake_policy(VERSION 3.25.1)

# Runs a command and sets `output`. A failing command ends the test, unless EXPECT_FAILURE is given,
# which sets `result`.
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
