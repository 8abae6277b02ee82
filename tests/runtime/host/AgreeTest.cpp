// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Agree.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

using namespace dendrolith;

static Readiness ready(const std::string &input) {
  return {Readiness::Ready,
          "",
          {{"image", "1", "net.dlp"}, {"input 'x'", input, "file " + input}}};
}

TEST(Agree, NamesTheRankAndWhatDiffers) {
  EXPECT_EQ(disagreementOf({ready("a"), ready("a")}), "");
  EXPECT_EQ(disagreementOf({ready("a"), ready("a"), ready("b")}),
            "rank 2: its input 'x' is not that of rank 0: found file b, "
            "expected file a; give all processes the same version, files and "
            "flags");
  Readiness fewer = ready("a");
  fewer.common.pop_back();
  EXPECT_NE(disagreementOf({ready("a"), fewer}).find("found nothing"),
            std::string::npos);
  EXPECT_NE(disagreementOf({fewer, ready("a")}).find("expected nothing"),
            std::string::npos);
}

TEST(Agree, AFailureIsSaidBeforeADifference) {
  const Readiness failed = {Readiness::Failed, "no such file", {}};
  EXPECT_EQ(disagreementOf({failed, ready("b")}), "no such file");
  EXPECT_EQ(disagreementOf({ready("a"), ready("b"), failed}),
            "rank 2: no such file");
}

TEST(Agree, OneThatEndsEarlyHoldsNobodyUp) {
  const Readiness ended = {Readiness::Ended, "", {}};
  EXPECT_EQ(disagreementOf({ended, ended}), "");
  EXPECT_EQ(disagreementOf({ready("a"), ended}),
            "rank 1: it ended without a run, which rank 0 begins");
  EXPECT_EQ(disagreementOf({ended, ready("a")}),
            "rank 1: it begins a run, without which rank 0 ended");
}

namespace {

/// Two ranks as threads, for as much as disagreement() needs.
struct Channel {
  void put(const std::string &text) {
    const std::lock_guard<std::mutex> hold(mutex);
    bytes = text;
    full = true;
    changed.notify_all();
  }
  std::string take() {
    std::unique_lock<std::mutex> hold(mutex);
    changed.wait(hold, [&] { return full; });
    full = false;
    return bytes;
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::string bytes;
  bool full = false;
};

class TwoRanks final : public Ranks {
public:
  TwoRanks(unsigned number, Channel &up, Channel &down)
      : number(number), up(up), down(down) {}
  unsigned rank() const override { return number; }
  unsigned size() const override { return 2; }
  void begin(const std::vector<std::string> &) override {}
  void end(std::vector<std::string> &) override {}
  void send(std::string_view bytes) override { up.put(std::string(bytes)); }
  std::string receive(unsigned) override { return up.take(); }
  void broadcast(std::string &bytes) override {
    if (first())
      down.put(bytes);
    else
      bytes = down.take();
  }
  void finish() override {}
  [[noreturn]] void abort(int) override { std::abort(); }

private:
  unsigned number;
  Channel &up, &down;
};

} // namespace

TEST(Agree, AllRanksHearTheSame) {
  const Readiness failed = {Readiness::Failed, "no such file", {}};
  for (const Readiness &other : {ready("a"), ready("b"), failed}) {
    Channel up, down;
    std::string said;
    std::thread second([&] {
      TwoRanks ranks(1, up, down);
      said = disagreement(ranks, other);
    });
    TwoRanks ranks(0, up, down);
    const std::string heard = disagreement(ranks, ready("a"));
    second.join();
    EXPECT_EQ(heard, disagreementOf({ready("a"), other}));
    EXPECT_EQ(said, heard);
  }
}
