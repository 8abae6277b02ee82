// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/Meta.h"

#include "dialects/dend/DendEnums.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace neurite::npz {
namespace {

using Json = nlohmann::json;

constexpr double kMostMicroSteps = 1024;
// The largest spike, U / Vth, may be this much.
constexpr double kLargestSpike = 1 << 15;

class Reader {
public:
  Reader(const Json &json, const std::string &place)
      : json(json), place(place) {}

  [[noreturn]] void fail(const char *key, const std::string &expected) const {
    throw Error(fmt::format("{}\"{}\": expected {}, found {}", place, key,
                            expected, json.at(key).dump()));
  }
  bool has(const char *key) const { return json.contains(key); }
  std::string text(const char *key, const std::string &otherwise) const {
    if (!has(key))
      return otherwise;
    if (!json[key].is_string())
      fail(key, "a text");
    return json[key].get<std::string>();
  }
  /// Reads a text that is one of `words`; gives its index.
  size_t choice(const char *key, size_t otherwise,
                const std::vector<std::string> &words,
                const std::string &expected) const {
    if (!has(key))
      return otherwise;
    for (size_t i = 0; i < words.size(); ++i)
      if (text(key, "") == words[i])
        return i;
    fail(key, expected);
  }
  double number(const char *key, double otherwise) const {
    if (!has(key))
      return otherwise;
    if (!json[key].is_number())
      fail(key, "a number");
    return json[key].get<double>();
  }

  /// Checks that nothing is there but `read`, and what training tools write
  /// about a run or what the arrays say themselves: any other key may say that
  /// the network is another one than this importer makes of the arrays.
  void only(const std::vector<std::string> &read) const {
    static const std::vector<std::string> idle = {
        "neuron",  "name",    "task",     "d",       "k",        "dm",
        "da",      "d_m",     "d_a",      "ffx",     "width",    "H",
        "J",       "K",       "share",    "T",       "noise",    "steps",
        "lr",      "rate",    "wd",       "clip",    "bs",       "seed",
        "threads", "evalint", "wainit",   "gam0",    "thtrain",  "reg",
        "price",   "act",     "activity", "queries", "recurrent"};
    for (const auto &entry : json.items()) {
      auto isIn = [&](const std::vector<std::string> &keys) {
        return std::find(keys.begin(), keys.end(), entry.key()) != keys.end();
      };
      if (!isIn(read) && !isIn(idle))
        throw Error(fmt::format(
            "{}{}: expected one of the keys {} or one about training, found "
            "one that may change what the arrays mean; remove it if it does "
            "not",
            place, quotedName(entry.key()), fmt::join(read, ", ")));
    }
  }
  /// Checks a number that only one value of is read; `why` says what it is.
  void onlyNumber(const char *key, double value, const char *why) const {
    if (has(key) && json[key] != Json(value) && json[key] != Json(value != 0))
      fail(key, why);
  }

private:
  const Json &json;
  const std::string &place;
};

/// Whether the text is "mean", or "last=n" with n >= 1.
bool isDecode(const std::string &text) {
  if (text == "mean")
    return true;
  return text.rfind("last=", 0) == 0 && text.size() > 5 && text.size() < 15 &&
         text[5] != '0' &&
         text.find_first_not_of("0123456789", 5) == std::string::npos;
}

/// How many passes per token a soma of this kind makes.
int64_t microSteps(const Reader &reader, Meta::Soma soma, int64_t otherwise) {
  double micro = reader.number("n_micro", double(otherwise));
  if (!(micro >= 1 && micro <= kMostMicroSteps) || micro != std::floor(micro))
    reader.fail("n_micro",
                fmt::format("1 to {} micro steps per token", kMostMicroSteps));
  return soma == Meta::Soma::Virtual ? int64_t(micro) : 1;
}

/// Other forms of the network that training tools write are refused by name.
void parseDendricl(const Reader &reader, Meta &meta) {
  reader.only({"soma", "readout", "ffin", "res", "n_micro", "tau", "decay",
               "decode", "spike"});
  reader.onlyNumber("spike", 1,
                    "1, somas that spike: a DendriCNN, whose somas pass their "
                    "potentials on, is no network that this importer makes");
  static const std::vector<std::string> somas = {"virtual", "memoryless",
                                                 "leaky", "virt"};
  size_t soma = reader.choice("soma", 0, somas, "virtual, memoryless or leaky");
  meta.soma = soma == 3 ? Meta::Soma::Virtual : Meta::Soma(soma);
  meta.readsPrediction =
      reader.choice("readout", 0, {"ff", "ff+prediction"},
                    "ff, a read-out that sees the block only, or "
                    "ff+prediction") == 1;
  reader.choice("ffin", 0, {"spike"}, "spike, a block fed by somatic spikes");
  if (reader.number("res", 0) != 0)
    reader.fail("res", "0, a block without a residual");
  meta.micro = microSteps(reader, meta.soma, meta.micro);
  double tau = reader.number("tau", 1 / (1 - meta.decay));
  if (!(tau >= 1) || !std::isfinite(tau))
    reader.fail("tau", "a time constant of at least one step");
  meta.decay = reader.number("decay", 1 - 1 / tau);
  if (!(meta.decay >= 0 && meta.decay < 1))
    reader.fail("decay", "a number in [0, 1)");
  if (reader.text("decode", "last=1") != "last=1")
    reader.fail("decode", "last=1, the read-out at the query");
  meta.decode = "last=1";
}

} // namespace

Meta parseMeta(const std::string &text, const std::string &place,
               Meta::Neuron otherwise) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    throw Error(place + "expected a JSON object");
  Reader reader(json, place);
  Meta meta;
  meta.neuron = Meta::Neuron(reader.choice("neuron", size_t(otherwise),
                                           {"mmdend", "lif", "dendricl"},
                                           "mmdend, lif or dendricl"));
  if (meta.neuron == Meta::Neuron::Dendricl) {
    parseDendricl(reader, meta);
    return meta;
  }
  if (meta.neuron == Meta::Neuron::Lif) {
    // Tools write what the other kind of layer would have beside it.
    reader.only(
        {"layers", "decode", "tau", "soma", "n_micro", "Vth", "U", "f"});
    reader.onlyNumber("Vth", 1, "1, the threshold of LIF");
  } else {
    reader.only({"layers", "decode", "f", "U", "Vth", "tau"});
  }
  if (reader.has("layers")) {
    double layers = reader.number("layers", 0);
    if (!(layers >= 1 && layers <= 1e6) || layers != std::floor(layers))
      reader.fail("layers", "a number of layers");
    meta.layers = static_cast<int64_t>(layers);
  }
  meta.decode = reader.text(
      "decode", reader.text("task", "") == "xor" ? "last=10" : "mean");
  if (!isDecode(meta.decode))
    reader.fail("decode", "mean or last=N");
  if (meta.neuron == Meta::Neuron::Lif) {
    meta.tau = reader.number("tau", meta.tau);
    if (!(meta.tau >= 1) || !std::isfinite(meta.tau))
      reader.fail("tau", "a time constant of at least one step");
    meta.soma = reader.choice("soma", 0, {"leaky", "virtual"},
                              "leaky or virtual, of a LIF network")
                    ? Meta::Soma::Virtual
                    : Meta::Soma::Leaky;
    meta.micro = microSteps(reader, meta.soma, meta.micro);
    if (reader.has("d")) {
      double d = reader.number("d", 0);
      if (!(d >= 1 && d <= 1e6) || d != std::floor(d))
        reader.fail("d", "a number of features, at least 1");
      meta.features = int64_t(d);
    }
    return meta;
  }
  meta.activation = reader.text("f", meta.activation);
  if (!dend::symbolizeActivation(meta.activation))
    reader.fail("f", "relu, leaky_relu, tanh or identity");
  meta.U = reader.number("U", meta.U);
  if (!(meta.U > 0) || !std::isfinite(meta.U))
    reader.fail("U", "a number above 0");
  meta.Vth = reader.number("Vth", meta.Vth);
  if (!(meta.Vth > 0) || std::fmod(meta.U, meta.Vth) != 0 ||
      meta.U / meta.Vth > kLargestSpike)
    reader.fail("Vth", fmt::format("a threshold that divides U = {}", meta.U));
  return meta;
}

} // namespace neurite::npz
