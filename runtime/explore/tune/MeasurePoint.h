// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network with given bits, compiled and run on samples with labels.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_MEASUREPOINT_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_MEASUREPOINT_H

#include "runtime/explore/tune/TunePoint.h"
#include "runtime/session/Run.h"

#include <memory>
#include <string>
#include <vector>

namespace dendrolith::tuning {

/// A layer whose bits can be chosen, and the widths that its weights may have.
struct TunedLayer {
  std::string name; ///< as --weight-bits takes it
  std::vector<uint64_t> widths;
};

/// "lif1=8,read=4": what --weight-bits takes.
std::string bitsText(const std::vector<TunedLayer> &layers, const Bits &bits);

/// Samples and the labels that belong to them.
struct LabelledFiles {
  std::vector<std::string> inputs;
  std::string labels;
  std::string place; ///< how errors call the labels; "" is by their file
};

class PointMeter {
public:
  /// Points are measured as `request` runs, on its engine.
  explicit PointMeter(session::RunRequest request);

  /// Calibrates, once for all points, compiles with the weight bits of the
  /// request, and looks which layers there are. Throws Error where none has
  /// bits to choose.
  void findLayers();
  const std::vector<TunedLayer> &layers() const { return tuned; }
  /// The widths of a layer up to the chip's own, whatever was asked for.
  std::vector<uint64_t> allWidths(size_t layer) const;

  /// Throws Error for bad input; a network that the chip refuses at these bits
  /// is a point that says so.
  Point measure(const Bits &bits, const LabelledFiles &on);
  /// The score of the float network.
  Point measureFloat(const LabelledFiles &on) const;
  /// "accuracy" or "r2".
  const std::string &metric() const { return metricName; }

  /// Writes the program of these bits.
  void saveImage(const Bits &bits, const std::string &path);

private:
  session::MappedProgram compile(const Bits &bits);
  Point run(const Bits &bits, const LabelledFiles &on);
  void judge(Point &point, const session::Recording &recording,
             const LabelledFiles &on) const;

  session::RunRequest request;
  std::shared_ptr<Compilation> model; ///< calibrated
  std::string decode;                 ///< of the model's answer
  std::vector<TunedLayer> tuned;
  std::vector<std::vector<uint64_t>> chipWidths;
  std::string metricName;
};

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_MEASUREPOINT_H
