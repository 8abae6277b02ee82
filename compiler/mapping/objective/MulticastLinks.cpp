// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/MulticastLinks.h"

#include "compiler/mapping/result/RoutingProblem.h"

namespace dendrolith {

double linksPerRoute(const SliceGraph &nets, const std::vector<uint32_t> &cores,
                     const Target &target) {
  auto hops = [&](uint32_t from, uint32_t to) {
    auto at = [&](uint32_t slice) {
      return target.mesh.at(slice == host ? kHostTile
                                          : target.tileOf(cores[slice]));
    };
    return double(hopsBetween(at(from), at(to)).total());
  };
  double routes = 0;
  for (const Net &net : nets.nets)
    for (const Net::Pin &pin : net.pins)
      routes += net.rate * pin.messages * hops(net.source, pin.slice);
  double toHost = 0; // is no part of a tree
  for (uint32_t s = 0; s < nets.toHost.size(); ++s)
    toHost += nets.toHost[s] * hops(s, host);
  const double trees = RoutingProblem(target, nets, cores).hops();
  return routes > 0 ? (trees - toHost) / routes : 1;
}

} // namespace dendrolith
