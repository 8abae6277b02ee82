// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array (samples, root ticks, values of a tick) on its way into a file.
// Ticks that something can still be added to are held, and those that are over
// leave in blocks. What is held does not grow with the ticks of a run. Each
// sample has its own ticks, so that several threads may record one each.

#ifndef DENDROLITH_SIMULATOR_RECORD_TICKWINDOWS_H
#define DENDROLITH_SIMULATOR_RECORD_TICKWINDOWS_H

#include "runtime/arrays/ValueFile.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace dendrolith::sim {

template <typename Value> class TickWindows {
public:
  /// So many ticks of a sample can have begun and not ended.
  TickWindows(std::shared_ptr<ValueFile> file, uint64_t samples, uint64_t ticks,
              uint64_t width, uint64_t begun)
      : file(std::move(file)), ticks(ticks), width(width), begun(begun),
        block(std::clamp<uint64_t>(kBlock / std::max<uint64_t>(width, 1), 1,
                                   std::clamp<uint64_t>(ticks, 1, kMostTicks))),
        windows(samples) {}

  /// Makes room for a sample, as threads that share it must not.
  void open(uint64_t sample) {
    if (windows[sample].rows.empty())
      windows[sample].rows.resize((block + begun) * width);
  }

  /// The values of a tick, for as long as the sample's next call.
  Value *row(uint64_t sample, uint64_t tick) {
    open(sample);
    Window &window = windows[sample];
    return window.rows.data() + (tick - window.first) * width;
  }

  /// Nothing is added to the ticks before `over` any more.
  void write(uint64_t sample, uint64_t over) {
    Window &window = windows[sample];
    const uint64_t count = over - window.first;
    if (count < (over == ticks ? 1 : block))
      return;
    // Where nothing came, the file has its zeros already.
    if (!window.rows.empty()) {
      file->put((sample * ticks + window.first) * width, window.rows.data(),
                count * width);
      const auto written = window.rows.begin() + ptrdiff_t(count * width);
      std::fill(std::copy(written, window.rows.end(), window.rows.begin()),
                window.rows.end(), 0);
    }
    window.first = over;
    if (over == ticks)
      window.rows = {};
  }

private:
  /// 1 MiB leaves at a time, which a processor still has in its cache, or as
  /// few ticks as there are.
  static constexpr uint64_t kBlock = (uint64_t(1) << 20) / sizeof(Value);
  static constexpr uint64_t kMostTicks = 64;

  struct Window {
    uint64_t first = 0; // tick
    std::vector<Value> rows;
  };

  const std::shared_ptr<ValueFile> file;
  const uint64_t ticks, width, begun, block;
  std::vector<Window> windows; // by sample
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_TICKWINDOWS_H
