// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_DIALECTS_DEND_DENDTYPES_TD
#define DENDROLITH_DIALECTS_DEND_DENDTYPES_TD

include "dialects/dend/DendDialect.td"
include "mlir/IR/CommonTypeConstraints.td"

class Dend_Type<string name, string typeMnemonic> : TypeDef<Dend_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Dend_FxType : Dend_Type<"Fx", "fx"> {
  let summary = "Signed fixed-point number of `width` bits worth 2^exponent each";
  let description = [{
    `!dend.fx<24, -12>` holds integers in [-2^23, 2^23-1], each worth 2^-12.
    1 <= width <= 64 and |exponent| <= 1023.
  }];
  let parameters = (ins "unsigned":$width, "int":$exponent);
  let assemblyFormat = "`<` $width `,` $exponent `>`";
  let genVerifyDecl = 1;
}

def Dend_SpikeKind : I32EnumAttr<"SpikeKind", "what one spike carries", [
    I32EnumAttrCase<"Binary", 0, "binary">,
    I32EnumAttrCase<"Unary", 1, "unary">,
    I32EnumAttrCase<"Int", 2, "int">,
    I32EnumAttrCase<"Graded", 3, "graded">]> {
  let cppNamespace = "::dendrolith::dend";
  let genSpecializedAttr = 0;
}

def Dend_SpikeType : Dend_Type<"Spike", "spike"> {
  let summary = "What an axon carries: binary, signed unary, integer or real";
  let description = [{
    `!dend.spike<binary>`; `!dend.spike<unary, 4>` (up to 4 signed unit spikes
    per tick); `!dend.spike<int, -4, 4>` (an integer in the closed range);
    `!dend.spike<graded>` (a real value, float networks only). Zero sends
    nothing in every kind.
  }];
  let parameters = (ins "SpikeKind":$kind, "int64_t":$low, "int64_t":$high);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Types of the values of step bodies. A constraint says what an op may hold at
// the most; where the kinds depend on each other or on an attribute, or where an
// op has its own wording for a wrong kind, the op's verifier says the rest.
def Dend_BodyValue : Type<CPred<"::dendrolith::dend::isBodyType($_self)">,
    "a float, complex, fixed-point, i1 or i32 value or a static tensor of them">;
class Dend_BodyOf<string kinds, string summary>
    : Type<And<[Dend_BodyValue.predicate,
                CPred<"(::dendrolith::dend::numbersOf($_self) & (" # kinds # "))">]>,
           summary # " or a static tensor of them">;

def Dend_RealLike : Dend_BodyOf<"::dendrolith::dend::kReal", "a real value">;
def Dend_FxLike : Dend_BodyOf<"::dendrolith::dend::kFixed", "a fixed-point value">;
def Dend_RealOrFxLike : Dend_BodyOf<
    "::dendrolith::dend::kReal | ::dendrolith::dend::kFixed", "a real or fixed-point value">;
def Dend_RealOrComplexLike : Dend_BodyOf<
    "::dendrolith::dend::kReal | ::dendrolith::dend::kComplex", "a real or complex value">;
def Dend_OrderedLike : Dend_BodyOf<
    "::dendrolith::dend::kOrdered", "a real, fixed-point or i32 value">;
def Dend_OrderedOrBoolLike : Dend_BodyOf<
    "::dendrolith::dend::kOrdered | ::dendrolith::dend::kBool",
    "a real, fixed-point, i32 or i1 value">;

#endif // DENDROLITH_DIALECTS_DEND_DENDTYPES_TD
