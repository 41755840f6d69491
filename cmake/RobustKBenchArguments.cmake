include_guard(GLOBAL)

# Checks of the arguments of the public functions. Messages name the function, the argument and the
# allowed values, as tests/cmake/arguments_test.cmake verifies.

function(_robust_kbench_refuse function argument value allowed)
  message(FATAL_ERROR "${function}: ${argument} is ${value}; allowed: ${allowed}")
endfunction()

# Expects the results of cmake_parse_arguments() with the prefix `arg` in the caller's scope;
# `given` is the caller's ARGV.
function(_robust_kbench_check_arguments function given)
  cmake_parse_arguments(PARSE_ARGV 2 check "" "" "REQUIRED;KNOWN")
  list(JOIN check_KNOWN ", " known)
  if(NOT "${arg_UNPARSED_ARGUMENTS}" STREQUAL "")
    list(GET arg_UNPARSED_ARGUMENTS 0 unknown)
    message(FATAL_ERROR "${function}: argument '${unknown}' is unknown; allowed: ${known}")
  endif()
  if(DEFINED arg_KEYWORDS_MISSING_VALUES)
    list(GET arg_KEYWORDS_MISSING_VALUES 0 empty)
    message(FATAL_ERROR "${function}: argument ${empty} has no value; give one or leave it out")
  endif()
  _robust_kbench_check_for_empty_values(${function} "${given}" "${check_KNOWN}")
  foreach(argument IN LISTS check_REQUIRED)
    if(NOT DEFINED arg_${argument})
      list(JOIN check_REQUIRED ", " required)
      message(FATAL_ERROR "${function}: argument ${argument} is missing; required: ${required}")
    endif()
  endforeach()
endfunction()

# Refuses empty values. cmake_parse_arguments() treats them by policies and by the kind of argument,
# so they may look like a missing argument.
function(_robust_kbench_check_for_empty_values function given known)
  set(argument "''")
  foreach(value IN LISTS given)
    if(value IN_LIST known)
      set(argument ${value})
    elseif(value STREQUAL "")
      message(FATAL_ERROR
              "${function}: argument ${argument} has an empty value; give another or leave it out")
    endif()
  endforeach()
endfunction()

function(_robust_kbench_check_new_task function name)
  if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
    _robust_kbench_refuse(${function} NAME "'${name}'"
                          "a C++ identifier of a-z, 0-9 and _ that begins with a letter")
  endif()
  get_property(known GLOBAL PROPERTY ROBUST_KBENCH_TASKS)
  if(name IN_LIST known)
    _robust_kbench_refuse(${function} NAME "'${name}', which exists already"
                          "a name that no other task of the build has")
  endif()
endfunction()

# An empty scope means that none was given.
function(_robust_kbench_check_scope function)
  if(NOT "${arg_SCOPE}" MATCHES "^(full|listed|)$")
    _robust_kbench_refuse(${function} SCOPE "'${arg_SCOPE}'" "full or listed")
  endif()
endfunction()

function(_robust_kbench_check_files function argument)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${file} OR IS_DIRECTORY ${file})
      _robust_kbench_refuse(${function} ${argument} "'${file}', which is no file" "existing files")
    endif()
  endforeach()
endfunction()

# The registry calls the function. With another name or namespace there would be a link error that
# does not name the task.
function(_robust_kbench_check_task_source function name source)
  file(READ ${source} text)
  if(NOT text MATCHES "tasks[ \t\r\n]*({|::[ \t\r\n]*${name}[ \t\r\n]*\\()"
     OR NOT text MATCHES "(^|[^A-Za-z0-9_])${name}[ \t\r\n]*\\(")
    _robust_kbench_refuse(
      ${function} SOURCE "'${source}', which does not define the function of task ${name}"
      "a source with 'Task ${name}() {...}' in the namespace robust_kbench::tasks (docs/tasks.md)")
  endif()
endfunction()

# Makes the path in `variable` absolute in the caller's scope.
function(_robust_kbench_check_directory function variable)
  _robust_kbench_make_absolute(${variable})
  if(NOT IS_DIRECTORY ${${variable}})
    _robust_kbench_refuse(${function} DIRECTORY "'${${variable}}', which is no directory"
                          "an existing directory")
  endif()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

# Whether a path need not exist yet: the build may make it, or a generator expression completes it.
function(_robust_kbench_may_come_later out path)
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${path}" later)
  if(path MATCHES "[$]<")
    set(later TRUE)
  endif()
  set(${out} ${later} PARENT_SCOPE)
endfunction()

function(_robust_kbench_check_include_directories function)
  foreach(directory IN LISTS ARGN)
    _robust_kbench_may_come_later(later "${directory}")
    if(NOT later AND NOT IS_DIRECTORY "${directory}")
      _robust_kbench_refuse(
        ${function} INCLUDE_DIRECTORIES "'${directory}', which is no directory"
        "existing directories, those in ${CMAKE_BINARY_DIR} and generator expressions")
    endif()
  endforeach()
endfunction()

function(_robust_kbench_check_definitions function)
  foreach(definition IN LISTS ARGN)
    if(definition MATCHES "^-D")
      _robust_kbench_refuse(${function} DEFINITIONS "'${definition}'" "NAME or NAME=VALUE, without -D")
    endif()
  endforeach()
endfunction()

# The classes of harness/core/capability.hpp.
function(_robust_kbench_check_capabilities function)
  set(known threads clocks environment files memory-mapping dynamic-loading driver signals system-calls
            harness other all)
  foreach(capability IN LISTS ARGN)
    if(NOT capability IN_LIST known)
      list(JOIN known ", " allowed)
      _robust_kbench_refuse(${function} ALLOW "'${capability}'" "${allowed}")
    endif()
  endforeach()
endfunction()

# Called when every task is known.
function(_robust_kbench_check_task_of_kernel id)
  get_property(tasks GLOBAL PROPERTY ROBUST_KBENCH_TASKS)
  get_property(task GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_TASK)
  get_property(direction GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_DIRECTION)
  if(NOT task IN_LIST tasks)
    list(JOIN tasks ", " known)
    _robust_kbench_refuse(robust_kbench_add_kernel TASK "'${task}'" "a task of the build: ${known}")
  endif()
  _robust_kbench_task_directions(directions ${task})
  if(NOT direction IN_LIST directions)
    get_property(directory GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_DIRECTORY)
    get_property(package GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_PACKAGE)
    if(package)
      set(missing "the imported task has no ${direction}; leave the kernel out")
    else()
      set(missing "${directory} has no config_${direction}.json; add that file or leave the kernel \
out")
    endif()
    message(FATAL_ERROR
            "robust_kbench_add_kernel: kernel ${id} has no cases, since ${missing}")
  endif()
endfunction()

# Called when every target is known. `path` is the place of `library` if it is a file.
function(_robust_kbench_check_library kernel library path)
  if(TARGET "${library}")
    get_target_property(type ${library} TYPE)
    if(type MATCHES "^(STATIC|SHARED|UNKNOWN)_LIBRARY$")
      return()
    endif()
    set(what "a target of type ${type}")
  else()
    _robust_kbench_may_come_later(later "${path}")
    # A bare name is more likely a misspelled target than a future file.
    if(library MATCHES "^-" OR (later AND library MATCHES "/|[$]<")
       OR (EXISTS "${path}" AND NOT IS_DIRECTORY "${path}"))
      return()
    endif()
    set(what "which is no target and no file ${path}")
  endif()
  _robust_kbench_refuse(
    robust_kbench_add_kernel "LIBRARIES of kernel ${kernel}" "'${library}', ${what}"
    "static and shared library targets (imported ones: GLOBAL), files, generator expressions and \
options that begin with '-' (-lm)")
endfunction()

# Makes paths in a compiler's options absolute, if they exist relative to the calling directory.
# harness/core/path_words.hpp has the same options for the command line.
function(_robust_kbench_make_option_paths_absolute variable)
  set(options "^(-I|-isystem|-iquote|-idirafter|-include|-imacros|-L|-Wl,-rpath,|-Wl,-rpath=)(.*)$")
  set(words)
  set(is_path FALSE)
  foreach(word IN LISTS ${variable})
    set(option "")
    set(path "${word}")
    if(NOT is_path AND word MATCHES "${options}")
      set(option ${CMAKE_MATCH_1})
      set(path "${CMAKE_MATCH_2}")
    endif()
    if((is_path OR NOT option STREQUAL "") AND NOT path STREQUAL ""
       AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${path})
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
    list(APPEND words "${option}${path}")
    set(is_path FALSE)
    if(path STREQUAL "")
      set(is_path TRUE)
    endif()
  endforeach()
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# Makes paths absolute, except generator expressions.
function(_robust_kbench_make_absolute variable)
  set(absolute)
  foreach(path IN LISTS ${variable})
    if(NOT path MATCHES "^[$]<")
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
    list(APPEND absolute ${path})
  endforeach()
  set(${variable} ${absolute} PARENT_SCOPE)
endfunction()
