# cmake -D SOURCES=<directory> -D FILE=<path> -P WriteCommit.cmake
#
# Writes the commit of a repository's work tree, and whether it has changes. Where the sources are no
# repository there is no file.
cmake_policy(VERSION 3.25.1)
execute_process(COMMAND git -C ${SOURCES} rev-parse --short=12 HEAD
                RESULT_VARIABLE result OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT result EQUAL 0 OR NOT EXISTS ${SOURCES}/.git)
  file(REMOVE ${FILE})
  return()
endif()
execute_process(COMMAND git -C ${SOURCES} status --porcelain --untracked-files=no
                OUTPUT_VARIABLE changes ERROR_QUIET)
if(changes)
  string(APPEND commit " with changes")
endif()
file(WRITE ${FILE} "${commit}\n")
