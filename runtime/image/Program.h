// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program image as a file: how it is read, checked, written and printed.
// What an engine takes from an image it takes from here, so that it never meets
// one that validate() has not accepted.

#ifndef DENDROLITH_RUNTIME_IMAGE_PROGRAM_H
#define DENDROLITH_RUNTIME_IMAGE_PROGRAM_H

#include "runtime/image/program.pb.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace dendrolith {

/// The only format_version this build reads and writes.
constexpr uint32_t kFormatVersion = 3;

/// Reads and validates an image. The file is untrusted: a missing, truncated,
/// altered or foreign file, or one that validate() refuses, throws Error.
/// ProgramFile.h reads by several threads, or the synapses of some cores alone.
/// `digest`, if there is one, gets what digestOf() says.
image::Program loadProgram(const std::string &path,
                           std::string *digest = nullptr);

/// The same from the bytes of a file; `where` begins every message.
image::Program parseProgram(std::string_view bytes, const std::string &where);

/// The bytes of the file: one message (ProgramFile.h), or, from 16 MiB on, a
/// message for each part of a core (Sections.h). Equal programs give equal
/// bytes. Throws Error when validate() refuses the program.
std::string serialize(const image::Program &program);

/// The SHA-256 that the header or the last line of the file has, without
/// validating.
std::string digestOf(const image::Program &program);

/// serialize() to a file, part by part, written aside and then renamed.
void saveProgram(const image::Program &program, const std::string &path);

/// Checks everything an engine relies on: names, coverage of the populations,
/// ranges, table sizes, and that every reference resolves. Throws Error naming
/// the place (core, group, row), what was expected and what was found. Takes
/// time linear in the size of the image. Does not parse target_yaml.
void validate(const image::Program &program);

/// A readable dump for people: schedule, populations, inputs, outputs, cores
/// with groups, axons and memory. Expects a validated program.
std::string describeProgram(const image::Program &program);

/// A listing of the programs of a validated image. Each stands once, with the
/// neurons that run it and the cores that hold it.
std::string listPrograms(const image::Program &program);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_PROGRAM_H
