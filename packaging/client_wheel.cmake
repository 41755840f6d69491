# CPack runs this when it has made a package. The wheel of the client belongs beside the archive.
if(NOT CPACK_GENERATOR STREQUAL "TGZ")
  return()
endif()
set(python ${CPACK_ROBUST_KBENCH_PYTHON})
if(NOT python)
  set(python python3)
endif()
# pip builds in place, so it gets a copy.
set(sources ${CPACK_TEMPORARY_DIRECTORY}/client)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/../client DESTINATION ${CPACK_TEMPORARY_DIRECTORY})
execute_process(COMMAND ${python} -m pip --disable-pip-version-check --quiet wheel --no-deps
                        --wheel-dir ${CPACK_PACKAGE_DIRECTORY} ${sources}
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "RobustKBench: ${python} cannot make the client's wheel; it needs pip, which takes "
                      "setuptools from PyPI or from where its settings say (PIP_FIND_LINKS)")
endif()
message(STATUS "RobustKBench: the client's wheel is in ${CPACK_PACKAGE_DIRECTORY}")
