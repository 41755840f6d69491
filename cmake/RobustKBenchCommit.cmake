include_guard(GLOBAL)

# Has each build write the commit of the sources beside the manifest, for `rkb --version`.
function(robust_kbench_note_commit)
  add_custom_target(commit ALL
    COMMAND ${CMAKE_COMMAND} -D SOURCES=${CMAKE_CURRENT_SOURCE_DIR}
            -D FILE=${CMAKE_BINARY_DIR}/share/robust_kbench/commit
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WriteCommit.cmake
    VERBATIM)
  add_dependencies(rkb commit)
endfunction()
