// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/report/Report.cpp, dialects/report/Report.h.
// RUN: dendrolith-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{duplicate or unknown struct parameter name: worst}}
dend.network @n attributes {fit = [#report.fit<worst = 1>]} {
}

// -----
// expected-error@+2 {{expected integer value}}
// expected-error@+1 {{failed to parse Report_FitRow parameter 'used'}}
chip.program_image @n target "t" period 1 depth 1 attributes {fit = [#report.fit<used = "many">]} {
}

// -----
// expected-error@+1 {{attribute 'fit' failed to satisfy constraint: rows of `fit`}}
chip.program_image @n target "t" period 1 depth 1 attributes {fit = [{resource = "cores"}]} {
}

// -----
// expected-error@+1 {{has no attribute 'fits'; it has 'critical', 'depth', 'fit'}}
chip.program_image @n target "t" period 1 depth 1 attributes {fits = [#report.fit<resource = "cores">]} {
}
