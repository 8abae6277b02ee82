// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries the precompiled headers of the tests, which are executables.
int main() { return 0; }
