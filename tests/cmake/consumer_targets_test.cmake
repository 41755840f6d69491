# cmake -D BINARY=<directory> -D TASK=<name> -P consumer_targets_test.cmake
#
# Runs every target and command that a project has once consumer_test.cmake has built and tested it.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(READ ${BINARY}/share/robust_kbench/manifest.json manifest)
file(REMOVE_RECURSE ${BINARY}/records)
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify_${TASK})
expect("Testing kernel" 2 "every kernel is tested")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target bench_${TASK})
message("${output}")
run(COMMAND ${BINARY}/bin/rkb demo)
message("${output}")
string(JSON direction GET "${manifest}" kernels 0 direction)
string(JSON source GET "${manifest}" kernels 0 sources 0)
run(COMMAND ${BINARY}/bin/rkb evaluate --task ${TASK} --direction ${direction} ${source}
            --json ${BINARY}/records/evaluated.json)
# Language models need an environment of the project's own build, which the package can make.
run(COMMAND ${CMAKE_COMMAND} -E env PATH=/nonexistent
            ${BINARY}/bin/rkb evolve --task ${TASK} --show-prompt EXPECT_FAILURE)
if(EXISTS ${BINARY}.installed)
  set(llm ${BINARY}.installed/share/robust_kbench/llm)
  expect("run: python3 ${llm}/install.py ${BINARY}/llm_venv" 1 "the package has the helper")
  run(COMMAND ${llm}/install.py --help)
else()
  expect("/llm/install.py ${BINARY}/llm_venv" 1 "the sources have the helper")
endif()
file(GLOB records ${BINARY}/records/*.json)
list(LENGTH records found)
if(NOT found EQUAL 3)
  message(FATAL_ERROR "records of 2 kernels and of one more run are expected, found: ${records}")
endif()
foreach(file IN LISTS records)
  file(READ ${file} record)
  string(JSON timings LENGTH "${record}" kernels 0 timings)
  if(NOT timings EQUAL 2)
    message(FATAL_ERROR "${file} has timings of ${timings} configs, expected 2")
  endif()
endforeach()

# Committed settings ask no model, although they contain a cap and a key is set. The port of the
# host is closed. The test is skipped for a person who has set a cap.
if(EXISTS ${BINARY}.sources/${TASK}/evolve.json
   AND NOT EXISTS $ENV{HOME}/.config/robust-kbench/config.json)
  file(REMOVE_RECURSE ${BINARY}/evolution)
  run(COMMAND ${CMAKE_COMMAND} -E env --unset=ROBUST_KBENCH_ARCHIVE --unset=RKB_MAX_USD
              --unset=RKB_MAX_TOKENS --unset=RKB_MAX_CALLS OPENAI_API_KEY=planted-key
              OPENAI_BASE_URL=http://127.0.0.1:9/v1
              ${CMAKE_COMMAND} --build ${BINARY} --target evolve_${TASK})
  expect("no language model is asked, since nothing may be spent" 1 "the run stays offline")
  expect("to turn models on, put a line such as" 1 "and says how a person changes that")
  expect("Proposals come from transform, tune" 1 "others propose")
  run(COMMAND ${BINARY}/bin/rkb archive export ${TASK}.forward.cpu.1
              --archive ${BINARY}/evolution)
  expect("\"type\":\"run\"" 1 "the run is in the archive of the build")
  expect("\"type\":\"call\"" 0 "its ledger is empty")

  # The entry's run has ended, so a command over all entries evaluates nothing again.
  set(over_all ${CMAKE_COMMAND} -E env ${BINARY}/bin/rkb evolve --all --device cpu
               --settings ${BINARY}.sources/${TASK}/evolve.json --archive ${BINARY}/evolution)
  run(COMMAND ${over_all})
  expect("${TASK}[.]forward +cpu +[0-9]+ " 1 "the table has the entry")
  expect("fast_1 [01][.]00, fast_1[.]5 [01][.]00, fast_2 [01][.]00\n" 1 "and KernelBench's shares")
  expect("\nrun |^run " 0 "no run has begun")
endif()
