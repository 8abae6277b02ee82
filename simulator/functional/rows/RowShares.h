// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a program, cut by the cores that they reach: a thread that holds
// the accumulators of some cores walks the rows that lead there.
//
// The plain twin is one share. AgreementTest (of tests/simulator) holds both
// equal over random programs; tests/bench/README.md has the gain.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWSHARES_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWSHARES_H

#include "simulator/functional/machine/CoreShares.h"
#include "simulator/functional/rows/Rows.h"

#include <memory>
#include <vector>

namespace dendrolith::sim {

class RowShares : public Traffic {
public:
  /// Builds the rows of all shares at a time. `release` as for Rows.
  RowShares(const image::Program &program, const Machine &machine,
            std::vector<CoreShare> shares, image::Program *release);

  size_t size() const { return rows.size(); }
  const CoreShare &cores(size_t share) const { return shares[share]; }
  CoreShare allCores() const { return {shares[0].first, shares.back().end}; }
  const Rows &operator[](size_t share) const { return *rows[share]; }

  /// The buckets that a State needs to which all of them send.
  const BucketLayout &layout() const { return buckets; }
  /// The bytes that entries and lists take.
  uint64_t bytes() const;

  size_t kinds() const override { return firstKind.back(); }
  Delivery delivery(size_t kind) const override;
  std::vector<Messages> sum(SourceRange sources,
                            const uint64_t *times) const override;
  void kindsOf(uint32_t source, std::vector<size_t> &kinds) const override;

private:
  std::vector<CoreShare> shares;
  std::vector<std::unique_ptr<Rows>> rows; // by share
  BucketLayout buckets;
  std::vector<size_t> firstKind; // by share, and the end
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWSHARES_H
