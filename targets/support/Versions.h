// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way in which a loop exists several times, for any processor, for AVX2
// and for AVX-512, and is chosen at run time. versionsOf<function>() compiles
// `function`, and all that it calls, once for each. The version for any
// processor is the plain twin of the others: the same source, with integers
// alone, so that all give the same results. MicroKernelsTest and CubaStepTest
// run them side by side. CubaStep.h and MicroKernels.h, which use this, say
// what it gains.

#ifndef DENDROLITH_TARGETS_SUPPORT_VERSIONS_H
#define DENDROLITH_TARGETS_SUPPORT_VERSIONS_H

#ifdef __x86_64__
#define DENDROLITH_TARGET_AVX2 __attribute__((target("avx2")))
/// Stands before what only runs where bestIsa() is Isa::Avx512.
#define DENDROLITH_TARGET_AVX512                                               \
  __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq")))
#else
#define DENDROLITH_TARGET_AVX2
#define DENDROLITH_TARGET_AVX512
#endif

namespace dendrolith {

/// For which processors a version is compiled: each runs what stands before it,
/// too.
enum class Isa { Any, Avx2, Avx512 };

/// What the processor runs that executes this.
inline Isa bestIsa() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return Isa::Avx512;
  return __builtin_cpu_supports("avx2") ? Isa::Avx2 : Isa::Any;
#else
  return Isa::Any;
#endif
}

/// The versions of a function of type `Function`.
template <typename Function> struct Versions {
  Function *any = nullptr, *avx2 = nullptr, *avx512 = nullptr;
  Function *of(Isa isa) const {
    return isa == Isa::Avx512 ? avx512 : isa == Isa::Avx2 ? avx2 : any;
  }
};

namespace detail {
// A version is `flatten`: the compiler draws into it whatever it calls. A
// function that stayed apart would be compiled once, for any processor.
template <auto *F> struct Compiled;
template <typename... Arguments, void (*F)(Arguments...)> struct Compiled<F> {
  __attribute__((flatten)) static void any(Arguments... arguments) {
    F(arguments...);
  }
  DENDROLITH_TARGET_AVX2 __attribute__((flatten)) static void
  avx2(Arguments... arguments) {
    F(arguments...);
  }
  DENDROLITH_TARGET_AVX512 __attribute__((flatten)) static void
  avx512(Arguments... arguments) {
    F(arguments...);
  }
  static constexpr Versions<void(Arguments...)> all() {
    return {any, avx2, avx512};
  }
};
} // namespace detail

/// The versions of `F`, whose arguments are references and pointers.
template <auto *F> constexpr auto versionsOf() {
  return detail::Compiled<F>::all();
}

} // namespace dendrolith

#undef DENDROLITH_TARGET_AVX2

#endif // DENDROLITH_TARGETS_SUPPORT_VERSIONS_H
