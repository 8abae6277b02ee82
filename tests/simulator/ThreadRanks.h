// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are threads of one process, so that what processes do together
// can be tested without a launcher.

#ifndef DENDROLITH_TESTS_SIMULATOR_THREADRANKS_H
#define DENDROLITH_TESTS_SIMULATOR_THREADRANKS_H

#include "runtime/host/Ranks.h"
#include "simulator/functional/machine/CoreShares.h"
#include "targets/loader/Target.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace dendrolith::test {

/// What is on its way between ranks.
class Post {
public:
  void put(unsigned from, unsigned to, std::string bytes);
  /// Throws where nothing is there and a rank has failed.
  std::string take(unsigned from, unsigned to);
  void fail();

private:
  std::mutex mutex;
  std::condition_variable came;
  bool failed = false;
  std::map<std::pair<unsigned, unsigned>, std::deque<std::string>> boxes;
};

class ThreadRank final : public Ranks {
public:
  ThreadRank(Post &post, unsigned number, unsigned count)
      : post(post), number(number), count(count) {}

  unsigned rank() const override { return number; }
  unsigned size() const override { return count; }
  void begin(const std::vector<std::string> &to) override;
  void end(std::vector<std::string> &from) override;
  void send(std::string_view bytes) override;
  std::string receive(unsigned from) override;
  void broadcast(std::string &bytes) override;
  void finish() override {}
  [[noreturn]] void abort(int status) override;

private:
  Post &post;
  const unsigned number, count;
};

/// How the cores of a program are dealt to so many ranks.
std::vector<sim::CoreShare> dealt(const image::Program &program,
                                  const Target &target, unsigned count);

/// The program of the rank that has these cores, without the synapses of others
/// where it need not know them.
image::Program partOf(const image::Program &program, const Target &target,
                      sim::CoreShare own);

/// Calls `run` in each of `count` ranks, and returns when all have ended.
void onRanks(unsigned count, const std::function<void(Ranks &)> &run);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_THREADRANKS_H
