// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as text, and as JSON with the numbers of the machine it rests on.

#ifndef DENDROLITH_RUNTIME_SESSION_PLAN_FORMAT_H
#define DENDROLITH_RUNTIME_SESSION_PLAN_FORMAT_H

#include "runtime/session/plan/Machine.h"

namespace dendrolith::plan {

struct Request {
  ChipQuestion chip;
  Machine machine;
  Run run;
};

struct Answer {
  const Description &network;
  const Target &target;
  const ChipPlan &chip;
  const Request &request;
};

std::string formatText(const Answer &answer);
std::string formatJson(const Answer &answer);

} // namespace dendrolith::plan

#endif // DENDROLITH_RUNTIME_SESSION_PLAN_FORMAT_H
