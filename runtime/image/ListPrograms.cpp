// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/ListPrograms.h"

#include "runtime/image/NeuronNumbers.h"
#include "runtime/microcode/Disassemble.h"

#include <map>
#include <vector>

namespace dendrolith {

std::string listPrograms(const image::Program &program) {
  struct Use {
    std::string cores, neurons;
  };
  const NeuronNumbers numbers(program);
  std::vector<const image::Microprogram *> order;
  std::map<std::string, Use> uses; // under the program's bytes
  auto append = [](std::string &list, const std::string &more) {
    list += (list.empty() ? "" : ", ") + more;
  };
  for (const image::Core &core : program.cores()) {
    std::vector<Use *> here;
    for (const image::Microprogram &each : core.programs()) {
      here.push_back(&uses[each.SerializeAsString()]);
      if (here.back()->cores.empty())
        order.push_back(&each);
      append(here.back()->cores, std::to_string(core.id()));
    }
    for (const image::Group &group : core.groups())
      if (group.has_microcode())
        append(here[group.microcode().program()]->neurons,
               numbers.textOf(group));
  }
  std::string text;
  for (const image::Microprogram *each : order) {
    const Use &use = uses.at(each->SerializeAsString());
    text += micro::disassemble(*each, "program") + "    run by " + use.neurons +
            "\n    on cores " + use.cores + "\n";
  }
  return text.empty() ? "no programs: every neuron is fixed-function\n" : text;
}

} // namespace dendrolith
