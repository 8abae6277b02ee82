# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An outside optimiser: NSGA-II with constraints, by Debian's python3-optuna.

    dendrolith explore ask.yaml -o STUDY &
    python3 ask_optuna.py asked --generations 5 --population 20

Everything it needs to know of the study is in DIR/study.json.  It writes
DIR/ask-N.csv, waits for DIR/answer-N.csv, and ends with DIR/end; answers that are
there already are taken as they are, so that it may be started again.
"""
import argparse
import csv
import json
import os
import pathlib
import sys
import time
import warnings

try:
    import optuna
except ImportError:
    optuna = None


def number(cell):
    return float(cell) if cell else None


def excess(value, constraint):
    """At most 0 where the constraint is kept, as optuna has it."""
    sign = 1 if constraint["comparison"].startswith("<") else -1
    return sign * (value - constraint["bound"])


class Asker:
    def __init__(self, folder, patience):
        self.folder, self.patience, self.asks = folder, patience, 0
        self.about = json.loads(self.wait(folder / "study.json").read_text())

    def wait(self, path):
        until = time.monotonic() + self.patience
        while not path.exists():
            if (self.folder / "end").exists():
                sys.exit(f"ended: {(self.folder / 'end').read_text().strip()}")
            if time.monotonic() > until:
                sys.exit(f"{path}: nobody wrote it within {self.patience} s")
            time.sleep(0.05)
        return path

    def ask(self, designs):
        """Rows of the answer, one for each of the designs, which all differ."""
        self.asks += 1
        ask, answer = (self.folder / f"{word}-{self.asks}.csv" for word in ("ask", "answer"))
        text = "".join(",".join(row) + "\n" for row in [self.about["axes"], *designs])
        if not ask.exists():
            part = self.folder / f".ask-{self.asks}.part"
            part.write_text(text)
            os.rename(part, ask)
        elif ask.read_text() != text:
            sys.exit(f"{ask}: another search asked there; give it another folder")
        with self.wait(answer).open(newline="") as rows:
            table = csv.DictReader(rows)
            wanted = [*self.about["objectives"], *(each["name"] for each in self.about["constraints"])]
            for name in wanted:
                if name not in table.fieldnames:
                    sys.exit(f"{answer}: no column '{name}'; of a band, name one end")
            return list(table)

    def end(self):
        (self.folder / "end").touch()


def worst(about):
    """Objectives of a design that does not fit: so bad that nobody chooses it."""
    return [-1e30 if end == "max" else 1e30 for end in about["objectives"].values()]


def search(asker, generations, population):
    about = asker.about
    axes, objectives = about["axes"], list(about["objectives"])
    sampler = optuna.samplers.NSGAIISampler(
        population_size=population, seed=about["seed"],
        constraints_func=lambda trial: trial.user_attrs["excess"])
    study = optuna.create_study(
        sampler=sampler,
        directions=["maximize" if end == "max" else "minimize"
                    for end in about["objectives"].values()])
    known = {}
    for _ in range(generations):
        trials = [study.ask() for _ in range(population)]
        designs = [tuple(trial.suggest_categorical(axis, values) for axis, values in axes.items())
                   for trial in trials]
        new = sorted({design for design in designs if design not in known})
        if new:
            known.update(zip(new, asker.ask(new)))
        for trial, design in zip(trials, designs):
            row = known[design]
            values = [number(row.get(name)) for name in objectives]
            bounds = [number(row.get(each["name"])) for each in about["constraints"]]
            done = row["state"] == "done" and None not in values + bounds
            trial.set_user_attr("id", row["id"])
            # Optuna counts what is no more than 0 as kept.
            trial.set_user_attr("excess", [excess(value, each) if done else 1e30 for value, each
                                           in zip(bounds, about["constraints"])] or [0.0 if done else 1.0])
            study.tell(trial, values if done else worst(about))
    return study, known


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="DIR of `strategy: {ask: DIR}`")
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--population", type=int, default=20)
    parser.add_argument("--patience", type=float, default=600, help="seconds to wait for an answer")
    options = parser.parse_args()
    if optuna is None:
        sys.exit("python3-optuna is not installed")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    asker = Asker(options.folder, options.patience)
    study, known = search(asker, options.generations, options.population)
    asker.end()
    front = {}
    for trial in study.best_trials:
        if all(value <= 0 for value in trial.user_attrs["excess"]):
            front[trial.user_attrs["id"]] = trial
    print(f"{len(known)} points asked for, {len(front)} of them on the front")
    for point, trial in sorted(front.items(), key=lambda each: int(each[0][1:])):
        print(point, *(f"{name} {value:.6g}" for name, value
                       in zip(asker.about["objectives"], trial.values)),
              *(f"{axis}={value}" for axis, value in trial.params.items()))


if __name__ == "__main__":
    main()
