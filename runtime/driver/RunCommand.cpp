// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags of `neurite run`.

#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/session/Run.h"

namespace neurite::driver {

void addRun(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "run", "Run a program image, or compile a model and run it");
  auto flags = std::make_shared<session::RunRequest>();
  command
      ->add_option("MODEL", flags->path,
                   "Program image (.nrt), .nir, .npz, .net, .lava.pb or .mlir")
      ->required();
  command->add_option(
      "--input", flags->inputs,
      "X.npy or NAME=X.npy: (steps, *shape) or (samples, steps, "
      "*shape); a study network (.npz) brings its own");
  command->add_option("--labels", flags->labels,
                      "Y.npy: one class per sample, or with --metric r2 one "
                      "answer; prints the score");
  command->add_option("--metric", flags->metric,
                      "accuracy or r2, with [:mean|:last=N]: the answer is the "
                      "read-out over all or the last N ticks, else as the "
                      "model says, else mean; the class its largest element");
  command->add_option("--engine", flags->engine, "Which engine")
      ->check(CLI::IsMember({"float", "reference", "functional", "cycle"}))
      ->capture_default_str();
  command->add_option("--timing", flags->timing,
                      "Timing set of the chip (cycle engine)");
  command->add_option("--costs", flags->costs,
                      "Cost table: a name or a .yaml file");
  command->add_flag("--verify", flags->verify,
                    "Compare with the reference interpreter, and in the cycle "
                    "engine accumulators at every barrier");
  command->add_option("--trace", flags->traces,
                      "NODE[:STATE],... to record in traces.npz");
  command->add_option("--timeline", flags->timeline,
                      "F.json: the run in time for Perfetto or "
                      "chrome://tracing (cycle engine)");
  command->add_option("--out", flags->out,
                      "Folder for result.json, outputs.npy and traces.npz");
  command
      ->add_option("--compare", flags->compare,
                   "float or reference: run this engine too and print how far "
                   "both agree; X.npy or X.npz: compare outputs, and "
                   "POPULATION[:STATE], with these arrays and print the first "
                   "difference")
      ->check([](const std::string &given) {
        bool isFile =
            given.size() > 4 && (given.substr(given.size() - 4) == ".npy" ||
                                 given.substr(given.size() - 4) == ".npz");
        return isFile || given == "float" || given == "reference"
                   ? std::string()
                   : given + " not in {float,reference} and no .npy or .npz";
      });
  command->add_option("--model", flags->modelPath,
                      "For a program image: the model it was compiled from, "
                      "which --compare float runs");
  command
      ->add_option("--threads", flags->threads,
                   "Samples at a time in the functional engine; 0 = one per "
                   "processor")
      ->capture_default_str();
  addModelFlags(*command, flags->model);
  command->callback([flags, command] {
    // Of archives, those of study networks bring their own.
    if (flags->inputs.empty() && !flags->isArchive())
      throw CLI::RequiredError("--input");
    if (flags->compare.find(".np") != std::string::npos)
      flags->expected.swap(flags->compare);
    flags->targetGiven = command->count("--target") > 0;
    flags->modelFlags = givenModelFlags(*command);
    session::execute(*flags);
  });
}

} // namespace neurite::driver
