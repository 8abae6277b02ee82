# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Files that become part of a page.
#
#   dendrolith_embed(VARIABLE HEADER NAMESPACE NAME=FILE...)
#
# sets VARIABLE to a source, made when a file changes, that defines each NAME, which
# HEADER declares, as the text of its FILE.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(DENDROLITH_EMBED ${CMAKE_CURRENT_LIST_FILE} CACHE INTERNAL "Files as sources")
  function(dendrolith_embed variable header namespace)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/Embedded.cpp)
    foreach(entry ${ARGN})
      string(REPLACE "=" ";" parts ${entry})
      list(GET parts 0 name)
      list(GET parts 1 file)
      list(APPEND paths ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      list(APPEND entries ${name}=${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endforeach()
    list(JOIN entries "|" entries)
    add_custom_command(OUTPUT ${out}
      COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DHEADER=${header}
        -DNAMESPACE=${namespace} "-DFILES=${entries}" -P ${DENDROLITH_EMBED}
      DEPENDS ${DENDROLITH_EMBED} ${paths}
      VERBATIM)
    set(${variable} ${out} PARENT_SCOPE)
  endfunction()
  return()
endif()

set(source "// Made by the build from the files that it names.\n#include \"${HEADER}\"\n")
string(APPEND source "namespace ${NAMESPACE} {\n")
string(REPLACE "|" ";" FILES "${FILES}")
foreach(entry ${FILES})
  string(FIND "${entry}" "=" at)
  string(SUBSTRING "${entry}" 0 ${at} name)
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${entry}" ${at} -1 path)
  file(READ "${path}" content)
  string(APPEND source
    "const char *const ${name} = R\"~embedded~(${content})~embedded~\";\n")
endforeach()
string(APPEND source "} // namespace ${NAMESPACE}\n")
file(WRITE "${OUT}" "${source}")
