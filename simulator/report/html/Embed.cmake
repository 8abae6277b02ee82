# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DOUT=F.cpp -DHEADER=H -DNAMESPACE=N -DFILES=name=path|name=path -P Embed.cmake:
# a source with the contents of files as text.
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
