# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` adds to the tools and the chips: the Python packages, the
# documents, the licence, and what the command itself prints for a pager and a shell.
include(GNUInstallDirs)

# Debian's Python reads this folder, whatever its version is.
set(python lib/python3/dist-packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/python/dendrolith
  ${CMAKE_SOURCE_DIR}/runtime/python/dendrolith_lava
  DESTINATION ${python} COMPONENT python
  PATTERN __pycache__ EXCLUDE PATTERN "*.pyc" EXCLUDE)
# The message classes are there once the whole tree was built.
install(FILES ${CMAKE_BINARY_DIR}/python/dendrolith_lava/lava_pb2.py
  DESTINATION ${python}/dendrolith_lava COMPONENT python OPTIONAL)

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/dendrolith
  RENAME copyright)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/python3-dendrolith
  RENAME copyright COMPONENT python)
# The documents name each other by where they stand in the tree.
foreach(folder compiler dialects models runtime simulator targets)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION share/doc/dendrolith
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/dendrolith)
# What `dendrolith demo` runs.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models/lif DESTINATION share/dendrolith/models
  FILES_MATCHING PATTERN "*.npy" PATTERN "*.nir")

# The pages are written while installing, by the command that was just built.
function(dendrolith_print_pages program)
  install(CODE "
  # No variable may be named as a component: old policies would read it.
  set(built_dendrolith \"$<TARGET_FILE:${program}>\")
  set(pages \"${CMAKE_BINARY_DIR}/pages\")
  file(MAKE_DIRECTORY \"\${pages}\")
  foreach(page \"man:dendrolith.1\" \"completion bash:dendrolith\"
          \"completion fish:dendrolith.fish\")
    string(REGEX REPLACE \":.*\" \"\" words \"\${page}\")
    string(REGEX REPLACE \".*:\" \"\" name \"\${page}\")
    separate_arguments(words)
    execute_process(COMMAND \"\${built_dendrolith}\" \${words}
      OUTPUT_FILE \"\${pages}/\${name}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # Without the time, so that the same page has the same bytes.
  execute_process(COMMAND gzip -9nf dendrolith.1
    WORKING_DIRECTORY \"\${pages}\" COMMAND_ERROR_IS_FATAL ANY)" ${ARGN})
endfunction()
dendrolith_print_pages(dendrolith)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith.1.gz DESTINATION share/man/man1)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith
  DESTINATION share/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/pages/dendrolith.fish
  DESTINATION share/fish/vendor_completions.d)

# Removes the files of the last `cmake --install`, by its own list.
file(WRITE ${CMAKE_BINARY_DIR}/Uninstall.cmake [=[
if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/install_manifest.txt)
  message(FATAL_ERROR "nothing to uninstall: no install_manifest.txt in "
    "${CMAKE_CURRENT_LIST_DIR}; it is written by cmake --install")
endif()
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/install_manifest.txt files)
foreach(file ${files})
  message(STATUS "removing ${file}")
  file(REMOVE ${file})
endforeach()
]=])
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${CMAKE_BINARY_DIR}/Uninstall.cmake VERBATIM)
