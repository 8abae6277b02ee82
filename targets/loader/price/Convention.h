// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A published way to count the energy of a spiking network, as a file says it:
// formulas over the counts of a run, prices, and what it leaves out. The
// arithmetic is in simulator/report/paper. targets/conventions has those that
// are shipped, and README.md there the keys and the counts.

#ifndef DENDROLITH_TARGETS_LOADER_PRICE_CONVENTION_H
#define DENDROLITH_TARGETS_LOADER_PRICE_CONVENTION_H

#include "targets/loader/chip/Record.h"
#include "targets/loader/yaml/Expression.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// What a formula is evaluated for.
enum class CountScope { Layer, Projection };

/// The counts that formulas of a scope may use, in the order of README.md.
const std::vector<std::string> &countsOf(CountScope scope);

/// An expression and its text.
struct Formula {
  std::string text;
  std::shared_ptr<const yaml::Term> term;
};

/// Points of a price by size; between them it is linear, beyond them constant.
struct PriceCurve {
  std::string of, source; ///< unit of the sizes, key into sources
  std::vector<std::pair<double, double>> points;

  double at(double size) const;
};

struct ConventionPrice {
  double value = 0; ///< pJ
  Provenance kind = Provenance::Assumed;
  std::string source;
};

/// A sum over all layers, or over all projections: count times price.
struct ConventionTerm {
  std::string name;
  CountScope scope = CountScope::Layer;
  Formula count, each; ///< `each` in pJ; no text where nothing is priced
  Formula when;        ///< for which of them; no text for all
};

/// What the network must be: each of its layers or projections, or some of
/// them.
struct ConventionNeed {
  CountScope scope = CountScope::Layer;
  bool some = false;
  Formula that;
  std::string otherwise; ///< the reason why there is no figure
};

struct Convention {
  std::string name, description, node, filename;
  /// Whether it prices the same layers as a conventional network.
  bool isArtificial = false;
  std::vector<std::string> leavesOut;
  std::vector<std::pair<std::string, std::string>> sources; ///< key, citation
  std::map<std::string, ConventionPrice> prices;
  std::map<std::string, PriceCurve> curves;
  std::vector<ConventionNeed> needs;
  std::vector<ConventionTerm> terms;

  /// Whether it prices what it counts.
  bool isPriced() const;
};

/// Throw Error with file:line:column.
Convention readConvention(const std::string &filename);
Convention parseConvention(const std::string &text,
                           const std::string &filename);

/// The shipped conventions and those of the folders `conventions` in
/// $DENDROLITH_TARGETS, sorted by name; of one name the first found.
std::vector<Convention> allConventions();

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_PRICE_CONVENTION_H
