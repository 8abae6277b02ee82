# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every fourth reference row with one seed; all of them:
# dendrolith-noc-traffic --reference FILE.
if(DEFINED ENV{DENDROLITH_SHARED})
  set(SHARED $ENV{DENDROLITH_SHARED})
endif()
set(rows ${SHARED}/data/noc/booksim2_mesh.csv)
if(NOT EXISTS ${rows})
  message("skipped: ${rows} is not present")
  return()
endif()
execute_process(COMMAND ${TOOL} --reference ${rows} --every 4 --seeds 1
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a reference row is missed")
endif()
