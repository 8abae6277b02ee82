// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks.h by MPI. This file is a module of its own, because MPI's libraries
// take longer to load than a small run takes; StartRanks.cpp loads it where a
// launcher has started several processes.

#include "runtime/host/Ranks.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mpi.h>
#include <utility>

namespace dendrolith {
namespace {

/// MPI counts in int. Messages go in pieces of so many bytes, and arrays that
/// all exchange in units, so that their counts fit.
constexpr size_t kPiece = size_t(1) << 30, kUnit = 64;

enum Tag { kSize, kBytes };

class MpiRanks final : public Ranks {
public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Type_contiguous(kUnit, MPI_CHAR, &unit);
    MPI_Type_commit(&unit);
    const auto all = static_cast<size_t>(count);
    sizes.resize(all);
    comingSizes.resize(all);
    for (auto *numbers : {&counts, &offsets, &comingCounts, &comingOffsets})
      numbers->resize(all);
  }

  unsigned rank() const override { return static_cast<unsigned>(number); }
  unsigned size() const override { return static_cast<unsigned>(count); }

  void begin(const std::vector<std::string> &to) override {
    for (size_t r = 0; r < to.size(); ++r)
      sizes[r] = to[r].size();
    // Every rank learns first how much comes from whom.
    MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, comingSizes.data(), 1,
                 MPI_UINT64_T, MPI_COMM_WORLD);
    const size_t bytes = place(sizes, counts, offsets),
                 comingBytes = place(comingSizes, comingCounts, comingOffsets);
    sent.resize(bytes);
    for (size_t r = 0; r < to.size(); ++r)
      std::copy(to[r].begin(), to[r].end(),
                sent.begin() + std::ptrdiff_t(kUnit) * offsets[r]);
    coming.resize(comingBytes);
    MPI_Ialltoallv(sent.data(), counts.data(), offsets.data(), unit,
                   coming.data(), comingCounts.data(), comingOffsets.data(),
                   unit, MPI_COMM_WORLD, &exchange);
  }

  void end(std::vector<std::string> &from) override {
    MPI_Wait(&exchange, MPI_STATUS_IGNORE);
    from.resize(static_cast<size_t>(count));
    for (size_t r = 0; r < from.size(); ++r)
      from[r].assign(coming, kUnit * static_cast<size_t>(comingOffsets[r]),
                     comingSizes[r]);
  }

  void send(std::string_view bytes) override {
    const uint64_t all = bytes.size();
    MPI_Send(&all, 1, MPI_UINT64_T, 0, kSize, MPI_COMM_WORLD);
    for (size_t at = 0; at < bytes.size(); at += kPiece)
      MPI_Send(bytes.data() + at,
               static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_CHAR,
               0, kBytes, MPI_COMM_WORLD);
  }

  std::string receive(unsigned from) override {
    const int source = static_cast<int>(from);
    uint64_t all = 0;
    MPI_Recv(&all, 1, MPI_UINT64_T, source, kSize, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    std::string bytes(all, 0);
    for (size_t at = 0; at < bytes.size(); at += kPiece)
      MPI_Recv(bytes.data() + at,
               static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_CHAR,
               source, kBytes, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bytes;
  }

  void broadcast(std::string &bytes) override {
    uint64_t all = bytes.size();
    MPI_Bcast(&all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(all);
    for (size_t at = 0; at < bytes.size(); at += kPiece)
      MPI_Bcast(bytes.data() + at,
                static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_CHAR,
                0, MPI_COMM_WORLD);
  }

  void finish() override {
    MPI_Barrier(MPI_COMM_WORLD); // which MPI_Finalize need not be
    MPI_Type_free(&unit);
    MPI_Finalize();
  }

  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

private:
  /// Where pieces of these sizes lie one after the other, in units. Returns the
  /// bytes of all.
  static size_t place(const std::vector<uint64_t> &sizes,
                      std::vector<int> &counts, std::vector<int> &offsets) {
    int at = 0;
    for (size_t r = 0; r < sizes.size(); ++r) {
      offsets[r] = at;
      counts[r] = static_cast<int>((sizes[r] + kUnit - 1) / kUnit);
      at += counts[r];
    }
    return kUnit * static_cast<size_t>(at);
  }

  int number = 0, count = 1;
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  MPI_Request exchange = MPI_REQUEST_NULL;
  std::vector<uint64_t> sizes, comingSizes;                      // in bytes
  std::vector<int> counts, offsets, comingCounts, comingOffsets; // in units
  std::string sent, coming;
};

} // namespace
} // namespace dendrolith

/// What StartRanks.cpp looks for. Null where MPI does not start.
extern "C" dendrolith::Ranks *dendrolithStartRanks() {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) !=
          MPI_SUCCESS ||
      provided < MPI_THREAD_FUNNELED)
    return nullptr;
  return new dendrolith::MpiRanks;
}
