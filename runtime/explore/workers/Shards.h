// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The designs of a study cut into pieces, each of which one worker measures.
// The pieces depend on the study alone, so that all workers, on all machines,
// have the same ones.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_SHARDS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_SHARDS_H

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// Numbers of designs, from 0 on.
using Shard = std::vector<uint64_t>;

/// Designs of one group come one after the other, groups in the order in which
/// they are met first. A group is divided only where it is longer than a shard
/// and than eight designs: to compile its program twice costs more than a
/// worker that waits at the end.
std::vector<Shard> shardsOf(const std::vector<uint32_t> &groups);

/// How many designs a shard has at the most: enough that claims are few, few
/// enough that workers end at about the same time.
uint64_t shardSize(uint64_t designs);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_SHARDS_H
