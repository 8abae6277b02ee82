// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/TypeSyntax.cpp.
// RUN: dendrolith-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error@+1 {{fixed-point width must be 1 to 64 bits, found 0}}
"test.op"() {t = !dend.fx<0, 0>} : () -> ()

// -----
// expected-error@+1 {{fixed-point width must be 1 to 64 bits, found 65}}
"test.op"() {t = !dend.fx<65, 0>} : () -> ()

// -----
// expected-error@+1 {{fixed-point exponent must be -1023 to 1023, found -1024}}
"test.op"() {t = !dend.fx<8, -1024>} : () -> ()

// -----
// expected-error@+1 {{unknown spike kind 'trinary', expected binary, unary, int or graded}}
"test.op"() {t = !dend.spike<trinary>} : () -> ()

// -----
// expected-error@+1 {{a unary spike needs a count of 1 to 2147483647, found 0}}
"test.op"() {t = !dend.spike<unary, 0>} : () -> ()

// -----
// expected-error@+1 {{a unary spike needs a count of 1 to 2147483647, found -3}}
"test.op"() {t = !dend.spike<unary, -3>} : () -> ()

// -----
// expected-error@+1 {{an integer spike needs low <= high, found 4 and -4}}
"test.op"() {t = !dend.spike<int, 4, -4>} : () -> ()

// -----
// expected-error@+1 {{an integer spike needs a 32-bit range, found 0 to 4294967296}}
"test.op"() {t = !dend.spike<int, 0, 4294967296>} : () -> ()

// -----
// expected-error@+1 {{expected '>'}}
"test.op"() {t = !dend.spike<binary, 3>} : () -> ()
