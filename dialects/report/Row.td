// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows: attributes that are lists of named fields, such as one line of the fit
// report. A row is defined once, by its fields in the order in which they are
// printed. From them TableGen writes the attribute with its parser and
// verifier, a C++ struct `Fields` to fill in and to read back, and `writeTo`,
// which copies every field into the protobuf message that has fields of the
// same names. A misspelt field is an error of the compiler or of the parser.
#ifndef DENDROLITH_DIALECTS_REPORT_ROW_TD
#define DENDROLITH_DIALECTS_REPORT_ROW_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

// The spelling `WeightBits` of the name `weight_bits`: TableGen calls the
// accessor of a parameter so, and getters and setters need both.
class Row_Camel<string snake> {
  string text = !foldl("", !range(!size(snake)), sum, i, sum #
      !if(!eq(!substr(snake, i, 1), "_"), "",
      !if(!eq(i, 0), !toupper(!substr(snake, i, 1)),
      !if(!eq(!substr(snake, !if(!eq(i, 0), 0, !sub(i, 1)), 1), "_"),
          !toupper(!substr(snake, i, 1)), !substr(snake, i, 1)))));
}

// One field. `member` declares it in `Fields`, `pass` is the argument that
// makes the attribute of `fields`, `read` is its value for `Fields`, and `write`
// sets it in a protobuf message called `message`.
class Row_Field<string fieldName, AttrOrTypeParameter parameterClass> {
  string name = fieldName;
  AttrOrTypeParameter parameter = parameterClass;
  string getter = "get" # Row_Camel<fieldName>.text # "()";
  string member = "";
  string pass = "fields." # fieldName;
  string read = getter;
  string write = "";
}

class Row_Text<string name>
    : Row_Field<name, StringRefParameter<"", "\"\"">> {
  let member = "std::string " # name # ";";
  let read = getter # ".str()";
  let write = "message.set_" # name # "(" # getter # ".str());";
}
class Row_Number<string name>
    : Row_Field<name, DefaultValuedParameter<"int64_t", "0">> {
  let member = "int64_t " # name # " = 0;";
  let write = "::dendrolith::report::assign(message, &Message::set_" # name # ", " #
              getter # ");";
}
// A number that must be given.
class Row_Required<string name> : Row_Field<name, AttrParameter<"int64_t", "">> {
  let member = "int64_t " # name # " = 0;";
  let write = "::dendrolith::report::assign(message, &Message::set_" # name # ", " #
              getter # ");";
}
class Row_Flag<string name>
    : Row_Field<name, DefaultValuedParameter<"bool", "false">> {
  let member = "bool " # name # " = false;";
  let write = "message.set_" # name # "(" # getter # ");";
}
// A double. The attribute holds none where it is zero.
class Row_Real<string name>
    : Row_Field<name, OptionalParameter<"::mlir::FloatAttr">> {
  let member = "double " # name # " = 0;";
  let pass = "::dendrolith::report::real(context, fields." # name # ")";
  let read = "(" # getter # " ? " # getter # ".getValueAsDouble() : 0.0)";
  let write = "message.set_" # name # "(" # read # ");";
}
// An enumeration whose numbers are those of the message's.
class Row_Enum<string name, EnumAttrInfo info, string initial>
    : Row_Field<name, EnumParameter<info>> {
  let member = info.cppNamespace # "::" # info.className # " " # name # " = " #
               info.cppNamespace # "::" # info.className # "::" # initial # ";";
  let write = "message.set_" # name #
              "(static_cast<std::decay_t<decltype(message." # name # "())>>(" #
              getter # "));";
}
// Rows of another kind, printed as `[<...>, <...>]`.
class Row_ListParameter<string rowClass> : OptionalArrayRefParameter<rowClass> {
  let parser = "::dendrolith::report::parseRows<" # rowClass # ">($_parser)";
  let printer = "::dendrolith::report::printRows($_printer, $_self)";
}
class Row_List<string name, string rowClass>
    : Row_Field<name, Row_ListParameter<rowClass>> {
  let member = "std::vector<" # rowClass # "> " # name # ";";
  let read = getter # ".vec()";
  let write = "for (auto row : " # getter # ") row.writeTo(*message.add_" # name # "());";
}
// Any other attribute. Whoever writes the message reads it from the row.
class Row_Attribute<string name, string cppClass>
    : Row_Field<name, AttrParameter<cppClass, "">> {
  let member = cppClass # " " # name # ";";
}
class Row_OptionalAttribute<string name, string cppClass>
    : Row_Field<name, OptionalParameter<cppClass>> {
  let member = cppClass # " " # name # ";";
}

// What every row has; `Row` makes the attribute of it.
class Row<Dialect dialect, string className, string attrMnemonic,
          list<Row_Field> fields> : AttrDef<dialect, className> {
  let mnemonic = attrMnemonic;
  let parameters = !dag(ins, !foreach(f, fields, f.parameter),
                        !foreach(f, fields, f.name));
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    struct Fields {
      }] # !interleave(!foreach(f, fields, f.member), "\n      ") # [{
      friend bool operator==(const Fields &a, const Fields &b) {
        return }] # !interleave(!foreach(f, fields, "a." # f.name # " == b." # f.name), " && ") # [{;
      }
    };
    static }] # className # [{Attr of(::mlir::MLIRContext *context,
                                      const Fields &fields) {
      return get(context, }] # !interleave(!foreach(f, fields, f.pass), ",\n                 ") # [{);
    }
    Fields fields() const {
      return {}] # !interleave(!foreach(f, fields, f.read), ", ") # [{};
    }
    /// Copies every field into a message that has the same ones.
    template <typename Message> void writeTo(Message &message) const {
      }] # !interleave(!foreach(f, fields, f.write), "\n      ") # [{
    }
  }];
}

#endif // DENDROLITH_DIALECTS_REPORT_ROW_TD
