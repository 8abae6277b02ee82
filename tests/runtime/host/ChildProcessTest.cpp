// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work in a child: what it sends, how it ends, and what is left of it. Frames
// that no child of ours would send come from a file.

#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace dendrolith;

namespace {

using FailureKind = FrameFailure::Reason;
using Milliseconds = std::chrono::milliseconds;

/// The failure of reading the child's stream as one number and its end.
FrameFailure failureOf(ChildProcess &child) {
  try {
    child.frames().number<uint64_t>();
    child.frames().end();
  } catch (const FrameFailure &failure) {
    return failure;
  }
  ADD_FAILURE() << "expected a failure";
  return {FailureKind::Malformed, {}};
}

FrameFailure failureOf(const ChildProcess::Work &work,
                       const ProcessOptions &options = {}) {
  ChildProcess child("test", work, options);
  return failureOf(child);
}

size_t openDescriptors() {
  size_t count = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    (void)entry;
    ++count;
  }
  return count;
}

bool hasChildren() { return ::waitpid(-1, nullptr, WNOHANG) >= 0; }

/// A file whose bytes a reader takes for those of a child.
struct Bytes {
  explicit Bytes(const std::string &bytes) : fd(memfd_create("frames", 0)) {
    EXPECT_EQ(::write(fd, bytes.data(), bytes.size()), ssize_t(bytes.size()));
    ::lseek(fd, 0, SEEK_SET);
  }
  ~Bytes() { ::close(fd); }
  int fd;
};

std::string frame(char kind, uint32_t length, const std::string &content) {
  return std::string(1, kind) +
         std::string(reinterpret_cast<const char *>(&length), 4) + content;
}

FailureKind kindOf(const std::string &bytes) {
  Bytes file(bytes);
  FrameReader reader(file.fd, std::nullopt);
  try {
    reader.number<uint64_t>();
    reader.end();
  } catch (const FrameFailure &failure) {
    return failure.kind;
  }
  ADD_FAILURE() << "expected a failure";
  return FailureKind::Refused;
}

} // namespace

TEST(ChildProcess, SendsAStreamAndExits) {
  ChildProcess child("test", [](FrameWriter &out) {
    out.number<uint64_t>(7);
    out.text("seven");
  });
  EXPECT_EQ(child.frames().number<uint64_t>(), 7u);
  EXPECT_EQ(child.frames().number<uint32_t>(), 5u);
  std::string text(5, ' ');
  child.frames().bytes(text.data(), text.size());
  EXPECT_EQ(text, "seven");
  child.frames().end();
  const ProcessEnd end = child.wait();
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.exitCode, 0);
  EXPECT_EQ(child.wait().exitCode, 0); // a second time is the same answer
}

TEST(ChildProcess, StreamIsLongerThanAFrameAndThePipe) {
  const size_t count = 3000000;
  ChildProcess child("test", [&](FrameWriter &out) {
    out.number<uint8_t>(1); // blocks do not begin at a frame
    std::vector<uint32_t> numbers(count);
    for (size_t i = 0; i < count; ++i)
      numbers[i] = uint32_t(i * 2654435761u);
    out.bytes(numbers.data(), count * sizeof(uint32_t));
    out.bytes(numbers.data(), count * sizeof(uint32_t));
  });
  EXPECT_EQ(child.frames().number<uint8_t>(), 1);
  std::vector<uint32_t> got(2 * count);
  child.frames().bytes(got.data(), got.size() * sizeof(uint32_t));
  child.frames().end();
  for (size_t i = 0; i < got.size(); i += 997)
    ASSERT_EQ(got[i], uint32_t(i % count * 2654435761u)) << i;
}

TEST(ChildProcess, NotesComeBetweenData) {
  ChildProcess child("test", [](FrameWriter &out) {
    out.number<char>('a');
    out.note("at once", 7);
    out.number<char>('b');
  });
  std::string content;
  EXPECT_EQ(child.frames().next(content), Frame::Note);
  EXPECT_EQ(content, "at once");
  EXPECT_EQ(child.frames().next(content), Frame::Data);
  EXPECT_EQ(content, "ab");
  EXPECT_EQ(child.frames().next(content), Frame::End);
}

TEST(ChildProcess, ExceptionsAreErrorFrames) {
  FrameFailure failure = failureOf([](FrameWriter &out) {
    out.number<uint8_t>(1); // never sent
    throw std::runtime_error("too hot");
  });
  EXPECT_EQ(failure.kind, FailureKind::Refused);
  EXPECT_EQ(failure.message, "too hot");
  EXPECT_EQ(failureOf([](FrameWriter &) { throw 3; }).message,
            "unknown exception");
  // A message is cut to a frame.
  EXPECT_EQ(failureOf([](FrameWriter &) {
              throw std::runtime_error(std::string(100000, 'x'));
            }).message.size(),
            kMaxFrame);
}

TEST(ChildProcess, SaysHowItDied) {
  auto endOf = [](void (*body)()) {
    ChildProcess child("test", [&](FrameWriter &) { body(); });
    EXPECT_EQ(failureOf(child).kind, FailureKind::Closed);
    return child.wait();
  };
  ProcessEnd end = endOf([] { raise(SIGKILL); });
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_EQ(end.text(), "signal 9 (Killed)");
  EXPECT_FALSE(end.outOfProcessorTime());
  end = endOf([] { ::_exit(3); });
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.exitCode, 3);
  EXPECT_EQ(end.text(), "exit status 3");
}

TEST(ChildProcess, KeepsItsMemoryLimit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "these sanitizers end the process where there is no memory, "
                  "and say so";
#endif
  ProcessOptions options;
  options.memoryBytes = uint64_t(64) << 20;
  options.outOfMemory = "more than a file may";
  FrameFailure failure = failureOf(
      [](FrameWriter &out) {
        std::string much(size_t(256) << 20, 'x');
        out.bytes(much.data(), much.size());
      },
      options);
  EXPECT_EQ(failure.kind, FailureKind::Refused);
  EXPECT_EQ(failure.message, "more than a file may");
  ChildProcess child(
      "test", [](FrameWriter &) { std::string little(1 << 20, 'x'); }, options);
  child.frames().end();
}

TEST(ChildProcess, KeepsItsLimitOfProcessorTime) {
  ProcessOptions options;
  options.cpuSeconds = 1;
  ChildProcess child(
      "test",
      [](FrameWriter &) {
        for (volatile uint64_t i = 0;; i = i + 1) {
        }
      },
      options);
  EXPECT_EQ(failureOf(child).kind, FailureKind::Closed);
  EXPECT_TRUE(child.wait().outOfProcessorTime());
}

TEST(ChildProcess, DeadlineEndsTheWait) {
  ProcessOptions options;
  options.wall = Milliseconds(100);
  const auto start = FrameReader::Clock::now();
  {
    ChildProcess child("test", [](FrameWriter &) { ::pause(); }, options);
    EXPECT_EQ(failureOf(child).kind, FailureKind::TimedOut);
  }
  EXPECT_LT(FrameReader::Clock::now() - start, std::chrono::seconds(30));
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, LeavesNeitherProcessNorDescriptor) {
  const size_t before = openDescriptors();
  for (int i = 0; i < 10; ++i) {
    // Ended, killed by its owner, and one that writes without end.
    ChildProcess ended("test", [](FrameWriter &) {});
    ended.frames().end();
    ChildProcess sleeping("test", [](FrameWriter &) { ::pause(); });
    ChildProcess writing("test", [](FrameWriter &out) {
      for (;;)
        out.number<uint64_t>(1);
    });
    EXPECT_EQ(writing.wait().exitCode, 1);
  }
  EXPECT_EQ(openDescriptors(), before);
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, RefusesWithoutDescriptors) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3;
  std::string message;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  try {
    ChildProcess child("model.nir", [](FrameWriter &) {});
  } catch (const Error &error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(message,
            "model.nir: no pipe for a child process: Too many open files");
}

/// Without standard descriptors a pipe would become them, and what the child
/// prints would go into it.
TEST(ChildProcess, WorksWithoutStandardDescriptors) {
  for (bool silent : {false, true})
    for (int open = 0; open < 8; ++open) {
      pid_t pid = ::fork();
      if (pid == 0) {
        for (int fd = 0; fd < 3; ++fd)
          if (!(open >> fd & 1))
            ::close(fd);
        ProcessOptions options;
        options.silent = silent;
        bool right = false;
        try {
          ChildProcess child(
              "test",
              [](FrameWriter &out) {
                std::fputs("talk", stdout);
                std::fputs("talk", stderr);
                std::fflush(stdout);
                out.number<uint64_t>(7);
              },
              options);
          right = child.frames().number<uint64_t>() == 7;
          child.frames().end();
        } catch (...) {
          right = false;
        }
        ::_exit(right ? 0 : 1);
      }
      int status = -1;
      ASSERT_EQ(::waitpid(pid, &status, 0), pid);
      EXPECT_EQ(status, 0) << "open " << open << ", silent " << silent;
    }
}

TEST(Frames, ReadAsWritten) {
  Bytes file(frame('D', 4, "1234") + frame('D', 4, "5678") + frame('F', 0, ""));
  FrameReader reader(file.fd, std::nullopt);
  char got[8];
  reader.bytes(got, sizeof got);
  EXPECT_EQ(std::string(got, sizeof got), "12345678");
  reader.end();
}

TEST(Frames, BadOnesAreRefused) {
  EXPECT_EQ(kindOf(""), FailureKind::Closed);
  EXPECT_EQ(kindOf(frame('D', 8, "1234")), FailureKind::Closed);
  EXPECT_EQ(kindOf(frame('D', 8, "12345678")), FailureKind::Closed);
  EXPECT_EQ(kindOf(frame('D', 8, "12345678").substr(0, 3)),
            FailureKind::Closed);
  EXPECT_EQ(kindOf(frame('D', 9, "123456789") + frame('F', 0, "")),
            FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('D', 8, "12345678") + frame('F', 1, "x")),
            FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('F', 0, "")), FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('N', 8, "12345678")), FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('?', 8, "12345678")), FailureKind::Malformed);
  // No memory is taken for a length that no writer sends.
  EXPECT_EQ(kindOf(frame('D', kMaxFrame + 1, "")), FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('E', 0xffffffff, "")), FailureKind::Malformed);
  EXPECT_EQ(kindOf(frame('E', 5, "why")), FailureKind::Closed);
  EXPECT_EQ(kindOf(frame('E', 3, "why")), FailureKind::Refused);
}
