/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What archives of Debian 12 ask of the C library and older ones lack, for a
   program that is linked to run with glibc 2.28 and newer (Linking.cmake). A
   newer glibc has these functions, too, but the program takes its own. */
#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

/* Since glibc 2.32. "No" is always right: it only costs a locked instruction.
 */
char __libc_single_threaded = 0;

/* Since glibc 2.36. */
uint32_t arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}

/* Since glibc 2.33, where it has fields that do not wrap at 4 GiB. */
struct mallinfo2 mallinfo2(void) {
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo old = mallinfo();
  struct mallinfo2 all = {(unsigned)old.arena,    (unsigned)old.ordblks,
                          (unsigned)old.smblks,   (unsigned)old.hblks,
                          (unsigned)old.hblkhd,   (unsigned)old.usmblks,
                          (unsigned)old.fsmblks,  (unsigned)old.uordblks,
                          (unsigned)old.fordblks, (unsigned)old.keepcost};
  return all;
}

/* Since glibc 2.35, for the unwinder of gcc: the loaded object that holds an
 * address. */
struct Search {
  uintptr_t address;
  struct dl_find_object *found;
};

static int holds(struct dl_phdr_info *object, size_t size, void *data) {
  struct Search *search = data;
  uintptr_t first = UINTPTR_MAX, end = 0, frames = 0;
  int inside = 0;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + header->p_vaddr;
    const uintptr_t behind = begin + header->p_memsz;
    if (header->p_type == PT_GNU_EH_FRAME)
      frames = begin;
    if (header->p_type != PT_LOAD)
      continue;
    first = begin < first ? begin : first;
    end = behind > end ? behind : end;
    inside |= search->address >= begin && search->address < behind;
  }
  if (!inside || !frames)
    return 0;
  memset(search->found, 0, sizeof *search->found);
  search->found->dlfo_map_start = (void *)first;
  search->found->dlfo_map_end = (void *)end;
  search->found->dlfo_eh_frame = (void *)frames;
  return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found) {
  struct Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(holds, &search) ? 0 : -1;
}

/* Since glibc 2.29 these have versions of their own, which differ in how an
   error is told alone. */
#define OLDER(name)                                                            \
  double older_##name(double);                                                 \
  __asm__(".symver older_" #name "," #name "@GLIBC_2.2.5");                    \
  double __wrap_##name(double x) { return older_##name(x); }
OLDER(exp)
OLDER(exp2)
OLDER(log)
OLDER(log2)
double older_pow(double, double);
__asm__(".symver older_pow,pow@GLIBC_2.2.5");
double __wrap_pow(double x, double y) { return older_pow(x, y); }
