// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListClasses.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace dendrolith;

namespace {

/// Lists under construction, their contents beside their classes.
class Lists {
public:
  explicit Lists(size_t count) : contents(count), classOf(count, 0) {}

  void add(size_t list, uint64_t origin, ListEntry entry) {
    auto &content = contents[list];
    const uint32_t old = classOf[list];
    const bool fresh = content.empty();
    if (fresh)
      origins[list] = origin;
    classOf[list] =
        fresh ? classes.begin(origin, entry) : classes.next(old, entry);
    content.push_back(entry.key());
    words += classes.enter(classOf[list], content.size()) ? content.size() : 0;
    if (!fresh && classes.leave(old))
      words -= classes.wordsOf(old);
  }

  /// Equal classes stand for equal contents, and words count each once.
  void check() const {
    std::map<std::pair<uint64_t, std::vector<uint64_t>>, uint32_t> known;
    std::set<uint32_t> ids;
    uint64_t expected = 0;
    for (size_t k = 0; k < contents.size(); ++k) {
      if (contents[k].empty())
        continue;
      auto [at, isNew] =
          known.insert({{origins.at(k), contents[k]}, classOf[k]});
      EXPECT_EQ(at->second, classOf[k]);
      EXPECT_EQ(ids.insert(classOf[k]).second, isNew);
      expected += isNew ? contents[k].size() : 0;
    }
    EXPECT_EQ(words, expected);
  }

private:
  ListClasses classes;
  std::vector<std::vector<uint64_t>> contents;
  std::vector<uint32_t> classOf;
  std::map<size_t, uint64_t> origins;
  uint64_t words = 0;
};

} // namespace

// Lists that get the same entries at different times, as sources of a
// convolution do, meet in one class, also where those before them have left it.
TEST(ListClasses, ListThatFollowsTakesTheSameClasses) {
  Lists lists(3);
  for (uint32_t step = 0; step < 8; ++step)
    for (uint32_t list = 0; list < 3; ++list) {
      if (step >= 2 * list && step < 2 * list + 4)
        lists.add(list, 7, {step - 2 * list, int16_t(3 + step - 2 * list)});
      lists.check();
    }
}

TEST(ListClasses, OriginsAreApart) {
  ListClasses classes;
  EXPECT_NE(classes.begin(0, {0, 5}), classes.begin(1, {0, 5}));
  EXPECT_EQ(classes.begin(0, {0, 5}), classes.begin(0, {0, 5}));
  EXPECT_NE(classes.begin(0, {0, 5}), classes.begin(0, {0, -5}));
}

TEST(ListClasses, RandomListsAreClassedByContent) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    Lists lists(12);
    std::vector<uint32_t> distance(12, 0);
    for (int step = 0; step < 200; ++step) {
      const size_t list = random() % 12;
      lists.add(list, random() % 2, {distance[list], int16_t(random() % 2)});
      distance[list] += 1 + random() % 2;
      lists.check();
    }
  }
}

TEST(ListClasses, ForgottenClassIsGivenAnew) {
  ListClasses classes;
  const uint32_t first = classes.begin(0, {0, 1});
  EXPECT_TRUE(classes.enter(first, 1));
  const uint32_t second = classes.next(first, {1, 1});
  EXPECT_TRUE(classes.enter(second, 2));
  EXPECT_TRUE(classes.leave(first));
  classes.forget(first);
  classes.forget(first);
  classes.forget(second); // has a list
  EXPECT_EQ(classes.begin(0, {0, 2}), first);
  EXPECT_NE(classes.begin(0, {0, 3}), first);
  EXPECT_NE(classes.begin(0, {0, 3}), second);
  EXPECT_EQ(classes.wordsOf(second), 2u);
}
