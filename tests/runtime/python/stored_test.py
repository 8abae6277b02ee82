# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/stored.py.
"""A file of torch.save is read without torch. What it names is not looked up, what it
calls is refused by name, and damage is one error."""
import pathlib
import random
import zipfile

from support import FOLDER, check, dl, finish, np, refused

STORED = dl.torch.stored
path = FOLDER / "net.pth"
rng = np.random.default_rng(1)
WEIGHT, MASK = rng.normal(size=(4, 3)), (rng.random((4, 3)) < 0.5).astype("<f4")


# The pickle, opcode by opcode, in the form of torch.save.
def named(module, name):
    return f"c{module}\n{name}\n".encode()


def text(value):
    return f"V{value}\n".encode()


def number(value):
    return f"I{value}\n".encode()


def row(*parts):
    return b"(" + b"".join(parts) + b"t"


def table(**items):
    return b"}(" + b"".join(text(k) + v for k, v in items.items()) + b"u"


def ordered(**items):
    return named("collections", "OrderedDict") + b")R(" + b"".join(
        text(k) + v for k, v in items.items()) + b"u"


def module(name, **attributes):
    return named("their.layers", name) + b")\x81" + table(**attributes) + b"b"


def tensor(key, kind, count, size, stride, offset=0):
    storage = row(text("storage"), named("torch", kind), text(key), text("cpu"), number(count)) + b"Q"
    return named("torch._utils", "_rebuild_tensor_v2") + row(
        storage, number(offset), row(*map(number, size)), row(*map(number, stride)), b"I00\n",
        ordered()) + b"R"


def parameter(inner):
    return named("torch._utils", "_rebuild_parameter") + row(inner, b"I01\n", ordered()) + b"R"


def write(content, arrays=None, folder="archive"):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{folder}/data.pkl", b"\x80\x02" + content + b".")
        for key, array in (ARRAYS if arrays is None else arrays).items():
            archive.writestr(f"{folder}/data/{key}", np.asarray(array).tobytes())
    return path


ARRAYS = {"0": WEIGHT.astype("<f8"), "1": MASK}
LINEAR = module("Linear", _parameters=ordered(weight=parameter(tensor("0", "DoubleStorage", 12, (4, 3), (3, 1)))),
                _modules=ordered(), in_features=number(3))
NET = module("Net", _parameters=ordered(), _modules=ordered(dense=LINEAR), training=b"I00\n",
             mask=tensor("1", "FloatStorage", 12, (3, 4), (1, 3)),
             device=named("torch", "device") + row(text("cuda:0")) + b"R",
             function=named("torch.nn.functional", "relu"))
found = STORED(write(NET))
check(found.class_name == "Net" and list(found.modules) == ["dense"], f"modules: {found}")
check(np.array_equal(found.tensors()["dense.weight"], WEIGHT), "its parameter")
check(np.array_equal(found.mask, MASK.T), "an attribute, with strides")
check(found.device == "cuda:0" and found.training is False, "plain attributes")
check("their.layers.Net" in repr(found), f"its class is a name: {found}")
state = STORED(write(ordered(weight=tensor("0", "DoubleStorage", 12, (4, 3), (3, 1)))))
check(np.array_equal(state["weight"], WEIGHT), "a state_dict")

# What a file wants called.
trace = pathlib.Path(FOLDER) / "touched"
for title, content, word in (
        ("system", named("posix", "system") + row(text(f"touch {trace}")) + b"R", "posix.system"),
        ("os.system", named("os", "system") + row(text(f"touch {trace}")) + b"R", "os.system"),
        ("within a module", module("Net", x=named("os", "system") + row(text(f"touch {trace}")) + b"R"), "os.system"),
        ("eval", named("builtins", "eval") + row(text("1 + 1")) + b"R", "builtins.eval"),
        ("getattr", named("builtins", "getattr") + row(text("a"), text("upper")) + b"R", "builtins.getattr"),
        ("a class", named("subprocess", "Popen") + row(text(f"touch {trace}")) + b"R", "subprocess.Popen"),
        ("no argument", named("os", "getcwd") + b")R", "os.getcwd"),
        ("the old way", b"(V/bin/true\nios\nsystem\n", "os.system"),
        ("bytes of a storage", named("torch.storage", "_load_from_bytes") + row(text("x")) + b"R",
         "_load_from_bytes"),
        ("a dotted name", named("collections", "OrderedDict.fromkeys") + row(text("ab")) + b"R",
         "OrderedDict.fromkeys")):
    refused(title, lambda: STORED(write(content)), "net.pth", "calls", word)
check(not trace.exists(), "nothing was run")

# Damage.
shared = {"0": np.zeros(3)}
for title, content, arrays, words in (
        ("a short array", NET, {"0": WEIGHT[:2], "1": MASK}, ["another length"]),
        ("an absent array", NET, {"0": WEIGHT}, ["damaged"]),
        ("beyond its array", tensor("0", "DoubleStorage", 3, (4, 3), (3, 1)), shared, ["shorter"]),
        ("a wide view", tensor("0", "DoubleStorage", 3, (1 << 20, 1 << 20), (0, 0)), shared, ["shorter"]),
        ("a step backwards", tensor("0", "DoubleStorage", 3, (3,), (-1,), 2), shared, ["out of range"]),
        ("of quantised numbers", tensor("0", "QInt8Storage", 3, (3,), (1,)), shared, ["QInt8Storage"]),
        ("a memo of any size", named("a", "b") + b"r\xff\xff\xff\x7f", {}, ["counts more"]),
        ("a number", number(3), {}, ["found a int"]),
        ("a stranger's storage", row(text("x")) + b"Q", {}, ["no array"])):
    refused(title, lambda: STORED(write(content, arrays)), "net.pth", *words)
path.write_bytes(b"\x80\x02" + NET + b".")
refused("no zip", lambda: STORED(path), "expected a zip", "1.6")
refused("no file", lambda: STORED(FOLDER / "none.pth"), "No such file")
with zipfile.ZipFile(path, "w") as archive:
    archive.writestr("net/models/" + "model.json", "{}")
refused("a .pt2", lambda: STORED(path), ".pt2")
whole = write(NET).read_bytes()
random.seed(1)
for _ in range(300):
    changed = bytearray(whole)
    for _ in range(random.randint(1, 4)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    path.write_bytes(changed[:random.choice([len(changed), random.randrange(len(changed))])])
    try:
        STORED(path)
    except dl.DendrolithError as error:
        check("net.pth" in str(error), f"damaged: {error}")
check(not trace.exists(), "nothing was run by damage")
finish()
