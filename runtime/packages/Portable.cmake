# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes an archive that runs on any Linux with a new enough glibc, as it brings
# all other libraries along. Called by the target 'portable' with -DBUILD=, -DNAME=
# and -DPATCHELF=.
cmake_minimum_required(VERSION 3.25)
if(NOT PATCHELF)
  message(FATAL_ERROR "patchelf was not found: it makes libraries look for each "
    "other beside themselves; install it (Debian: apt install patchelf) and "
    "configure again")
endif()

set(root ${BUILD}/portable/${NAME})
file(REMOVE_RECURSE ${BUILD}/portable)
foreach(component dendrolith python)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${root}
    --component ${component} --strip OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# A glibc must fit its kernel and its loader, so it stays the machine's own.
file(GLOB tools ${root}/bin/*)
file(GLOB loaded ${root}/lib/dendrolith/*.so)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${tools} MODULES ${loaded}
  RESOLVED_DEPENDENCIES_VAR libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so"
  DIRECTORIES ${LIBRARIES})
foreach(library ${libraries})
  file(COPY ${library} DESTINATION ${root}/lib/dendrolith FOLLOW_SYMLINK_CHAIN)
  # The licence of each library goes with it, where Debian keeps it.
  file(REAL_PATH ${library} file)
  execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner
    RESULT_VARIABLE unknown ERROR_QUIET)
  if(NOT unknown AND owner MATCHES "^([^:]+):")
    set(licence /usr/share/doc/${CMAKE_MATCH_1}/copyright)
    if(EXISTS ${licence})
      configure_file(${licence}
        ${root}/share/doc/dendrolith/libraries/${CMAKE_MATCH_1} COPYONLY)
    endif()
  endif()
endforeach()

file(GLOB copied ${root}/lib/dendrolith/*)
foreach(file ${tools} ${copied})
  if(NOT IS_SYMLINK ${file})
    set(beside "$ORIGIN")
    if(file MATCHES "/bin/[^/]*$")
      set(beside "$ORIGIN/../lib/dendrolith")
    endif()
    execute_process(COMMAND ${PATCHELF} --set-rpath ${beside} ${file}
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# The newest version of a symbol of glibc that any file asks for.
set(glibc 2.0)
foreach(file ${tools} ${copied})
  execute_process(COMMAND objdump -T ${file} OUTPUT_VARIABLE symbols
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "GLIBC_[0-9.]+" versions "${symbols}")
  list(REMOVE_DUPLICATES versions)
  foreach(version ${versions})
    string(REPLACE "GLIBC_" "" version ${version})
    if(version VERSION_GREATER glibc)
      set(glibc ${version})
    endif()
  endforeach()
endforeach()

set(archive ${BUILD}/${NAME}-glibc${glibc}.tar.xz)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cJf ${archive} ${NAME}
  WORKING_DIRECTORY ${BUILD}/portable COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${BUILD}/portable)
file(SIZE ${archive} bytes)
math(EXPR megabytes "${bytes} / 1000000")
message(STATUS "wrote ${archive}: ${megabytes} MB, for glibc ${glibc} and newer")
