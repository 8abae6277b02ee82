# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/CompletionCommand.cpp, runtime/driver/ManualCommand.cpp and Command.cpp.
"""A mistyped flag or command names what it may have meant; completion scripts
and the manual page have every flag that the help has."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DENDROLITH = sys.argv[1]
failed = 0


def check(what, good, found=""):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {what}: {found}")


def dendrolith(*arguments):
    return subprocess.run([DENDROLITH, *arguments], capture_output=True, text=True,
                          timeout=60)


for typed, meant in [(["run", "m.nir", "--targt", "loihi1"], "--target"),
                     (["run", "m.nir", "--engin=cycle"], "--engine"),
                     (["complie", "m.nir"], "compile")]:
    said = dendrolith(*typed)
    check(f"{typed} is a usage error", said.returncode == 2, said.returncode)
    check(f"{typed} means {meant}", f"did you mean {meant}?" in said.stderr,
          said.stderr)
said = dendrolith("run", "m.nir", "--input", "x.npy", "--zebra", "7")
check("nothing is near", "did you mean" not in said.stderr, said.stderr)

# Keys of a tuning file are options, too, with errors at their place.
told = dendrolith("compile", "--help-all").stdout
check("the keys are told", "map-seed" in told and "if-convention" in told, told)
folder = tempfile.TemporaryDirectory()
tuning = pathlib.Path(folder.name) / "tuning.yaml"
for text, place, word in [("map-sed: 3", "1:1", "did you mean 'map-seed'"),
                          ("map-for: time", "1:1", "unknown key"),
                          ("map-seed: many", "1:11", "whole number"),
                          ("map-seed: 3\nrescaling: 2", "2:12", "true,false")]:
    tuning.write_text(text)
    said = dendrolith("check", "none.nir", "--tuning", tuning)
    check(f"tuning {text}", said.returncode == 1 and f"{tuning}:{place}: " in said.stderr and
          word in said.stderr, said.stderr)

commands = re.findall(r"^  (\w+) +\S", dendrolith("--help").stdout.split(
    "Subcommands:")[1], re.M)
check("commands", {"run", "compile", "man", "completion"} <= set(commands),
      commands)
pages = {name: dendrolith(*words).stdout for name, words in {
    "bash": ["completion", "bash"], "fish": ["completion", "fish"],
    "man": ["man"]}.items()}
for command in commands:
    help = dendrolith(command, "--help").stdout
    flags = re.findall(r"^  (?:-\w,)?(--[\w-]+)", help, re.M)
    check(f"{command} has flags", "--help" in flags, help)
    check(f"{command} --help shows 25 options at most", len(flags) <= 26, flags)
    every = re.findall(r"^  (?:-\w,)?(--[\w-]+)",
                       dendrolith(command, "--help-all").stdout, re.M)
    check(f"{command} --help-all has them too", set(flags) <= set(every), every)
    flags = every
    check(f"{command} --help ends with an example", "Example" in help, help)
    for flag in flags:
        check(f"bash knows {command} {flag}", re.search(
            rf"{command}\) words=.*{flag}\b", pages["bash"]))
        check(f"fish knows {command} {flag}",
              f"from {command}' -l {flag[2:]}" in pages["fish"])
        check(f"the manual knows {flag}",
              flag.replace("-", "\\-") in pages["man"])

# The script does what a shell asks of it.
script = pages["bash"] + """
COMP_WORDS=(dendrolith run m.nir --engine cy); COMP_CWORD=4; _dendrolith
echo "${COMPREPLY[@]}"
COMP_WORDS=(dendrolith run --tar); COMP_CWORD=2; _dendrolith
echo "${COMPREPLY[@]}"
COMP_WORDS=(dendrolith expo); COMP_CWORD=1; _dendrolith
echo "${COMPREPLY[@]}"
COMP_WORDS=('%s' run m.nir --target loihi1); COMP_CWORD=4; _dendrolith
echo "${COMPREPLY[@]}"
for line in 'help ru' 'man comp' 'completion z' 'explore study --pareto latency.m' 'run m.nir --import v-r' 'hel'; do
  COMP_WORDS=(dendrolith $line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dendrolith
  echo "${COMPREPLY[@]}"
done
""" % DENDROLITH
answers = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
check("bash completes", answers.stdout.split() == ["cycle", "--target", "export", "loihi1", "loihi1-study",
      "run", "compile", "completion", "zsh", "latency.mean", "v-reset=", "help"],
      answers.stdout + answers.stderr)
if shutil.which("zsh"):
    zsh = subprocess.run(["zsh", "-f", "-c", dendrolith("completion", "zsh").stdout + """
whence -w _dendrolith; echo ${_comps[dendrolith]}"""], capture_output=True, text=True)
    check("zsh takes it", "_dendrolith: function" in zsh.stdout and "bash" in zsh.stdout, zsh)
check("zsh has bash's script", dendrolith("completion", "zsh").stdout.endswith(pages["bash"]))
check("help COMMAND", dendrolith("help", "run").stdout == dendrolith("run", "--help").stdout)
check("help", dendrolith("help").stdout == dendrolith("--help").stdout)
wrong = dendrolith("help", "nothing")
check("help of no command", wrong.returncode == 2 and "found 'nothing'" in wrong.stderr)
if shutil.which("man"):
    shown = subprocess.run(["man", "-l", "--warnings", "-"], input=pages["man"],
                           capture_output=True, text=True)
    check("man reads the page", shown.returncode == 0 and not shown.stderr,
          shown.stderr)
    check("the page has the flags", "--map-for" in shown.stdout,
          shown.stdout[:500])
sys.exit(failed > 0)
