# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches ECharts, in the version of package-lock.json, where there is npm and a
# network; the build needs neither. It lies in share/dendrolith/echarts beside bin/,
# here and where Dendrolith is installed.
set(echarts ${CMAKE_BINARY_DIR}/share/dendrolith/echarts)
set(npm_folder ${CMAKE_BINARY_DIR}/npm)
set(lock ${CMAKE_CURRENT_LIST_DIR}/package-lock.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
find_program(DENDROLITH_NPM npm)
file(SHA256 ${lock} wanted)
set(fetched "")
if(EXISTS ${echarts}/lock.sha256)
  file(READ ${echarts}/lock.sha256 fetched)
endif()
if(DENDROLITH_NPM AND NOT wanted STREQUAL fetched)
  file(REMOVE_RECURSE ${echarts} ${npm_folder})
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/package.json ${lock} DESTINATION ${npm_folder})
  execute_process(
    COMMAND ${DENDROLITH_NPM} ci --ignore-scripts --no-audit --no-fund --omit=dev
      --fetch-retries=0 --fetch-timeout=20000
    WORKING_DIRECTORY ${npm_folder} TIMEOUT 60
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE message)
  set(package ${npm_folder}/node_modules/echarts)
  if(code EQUAL 0)
    file(COPY ${package}/dist/echarts.min.js ${package}/LICENSE ${package}/NOTICE
      DESTINATION ${echarts})
    file(WRITE ${echarts}/lock.sha256 ${wanted})
  else()
    string(REGEX MATCH "(error|ERR!)[^\n]+" message "${message}")
    message(STATUS "ECharts was not fetched (${message}): pages have no zoom")
  endif()
  file(REMOVE_RECURSE ${npm_folder})
endif()
if(EXISTS ${echarts}/lock.sha256)
  install(FILES ${echarts}/echarts.min.js ${echarts}/LICENSE ${echarts}/NOTICE
    DESTINATION share/dendrolith/echarts)
elseif(NOT DENDROLITH_NPM)
  message(STATUS "ECharts was not fetched, as there is no npm: pages have no zoom")
endif()
