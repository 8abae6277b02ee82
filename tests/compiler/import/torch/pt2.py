# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes .pt2 files without torch: a graph and its arrays, laid out as torch 2.8 and
later do, or as 2.6 did."""
import io
import json
import zipfile

import numpy as np

DOUBLE = 8  # ScalarType of torch's schema


def config(arrays, stem):
    entries = {}
    for i, (name, array) in enumerate(arrays.items()):
        strides = np.array(array.strides, dtype=int) // array.itemsize
        entries[name] = {
            "path_name": f"{stem}_{i}", "is_param": True, "use_pickle": False,
            "tensor_meta": {
                "dtype": DOUBLE, "layout": 7,
                "sizes": [{"as_int": int(n)} for n in array.shape],
                "strides": [{"as_int": int(n)} for n in strides],
                "storage_offset": {"as_int": 0}}}
    return {"config": entries}


def write(path, graph, weights, constants=None):
    """`graph` is model.json as a dict or as text."""
    with zipfile.ZipFile(path, "w") as archive:
        def put(name, content):
            archive.writestr(f"net/{name}", content)

        text = graph if isinstance(graph, str) else json.dumps(graph)
        put("models/" + "model.json", text)
        put("byteorder", "little")
        for folder, stem, arrays in (("weights", "weight", weights),
                                     ("constants", "tensor", constants or {})):
            whole = {k: np.ascontiguousarray(v, dtype="<f8").reshape(np.shape(v))
                     for k, v in arrays.items()}
            put(f"data/{folder}/model_{folder}_config.json",
                json.dumps(config(whole, stem)))
            for i, array in enumerate(whole.values()):
                put(f"data/{folder}/{stem}_{i}", array.tobytes())


def unicode(text):
    return b"X" + len(text).to_bytes(4, "little") + text.encode()


def saved(arrays):
    """The pickle of torch.save for a dict of arrays in double."""
    out = b"\x80\x02}("
    for i, (name, array) in enumerate(arrays.items()):
        numbers = [b"(" + b"".join(b"M" + int(n).to_bytes(2, "little") for n in row) + b"t" for row in (
            array.shape, np.array(array.strides, dtype=int) // array.itemsize)]
        out += (unicode(name) + b"ctorch._utils\n_rebuild_tensor_v2\n((" + unicode("storage")
                + b"ctorch\nDoubleStorage\n" + unicode(str(i)) + unicode("cpu") + b"M"
                + array.size.to_bytes(2, "little") + b"tQK\0" + numbers[0] + numbers[1]
                + b"\x89ccollections\nOrderedDict\n)RtR")
    return out + b"u."


def write_old(path, graph, weights, pickle=None):
    """The archive of torch 2.6 and 2.7; `pickle` in place of the true one."""
    whole = {k: np.ascontiguousarray(v, dtype="<f8") for k, v in weights.items()}
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("archive/data.pkl", saved(whole) if pickle is None else pickle)
        archive.writestr("archive/byteorder", "little")
        for i, array in enumerate(whole.values()):
            archive.writestr(f"archive/data/{i}", array.tobytes())
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("serialized_exported_program.json", graph if isinstance(graph, str) else json.dumps(graph))
        archive.writestr("serialized_state_dict.pt", inner.getvalue())


def tensor(name):
    return {"as_tensor": {"name": name}}


class Graph:
    """A step function, operation by operation."""

    def __init__(self):
        self.nodes, self.inputs, self.outputs = [], [], []
        self.weights, self.shapes = {}, {}

    def user(self, name, shape):
        self.shapes[name] = shape
        self.inputs.append({"user_input": {"arg": tensor(name)}})
        return name

    def weight(self, name, array):
        self.weights[name] = np.asarray(array, dtype=float)
        self.shapes["p_" + name] = self.weights[name].shape
        self.inputs.append({"parameter": {"arg": {"name": "p_" + name},
                                          "parameter_name": name}})
        return "p_" + name

    def op(graph, target, shape, line=1, also=None, **arguments):
        """The name of its output; of `also`'s shape there is a second one, `name_also`."""
        name = f"n{len(graph.nodes)}"
        graph.shapes[name] = shape
        if also:
            graph.shapes[name + "_also"] = also
        graph.nodes.append({
            "target": f"torch.ops.aten.{target}",
            "inputs": [{"name": k, "arg": graph.argument(v), "kind": 1}
                       for k, v in arguments.items()],
            "outputs": [tensor(name)] + ([tensor(name + "_also")] if also else []),
            "metadata": {"stack_trace": f'  File "cell.py", line {line}, in forward'}})
        return name

    def argument(self, value):
        if isinstance(value, str):
            return tensor(value)
        if isinstance(value, bool):
            return {"as_bool": value}
        if isinstance(value, float):
            return {"as_float": value if np.isfinite(value) else "Infinity"}
        return {"as_ints": value} if isinstance(value, list) else {"as_int": value}

    def file(self, *outputs):
        sizes = {k: {"dtype": DOUBLE, "sizes": [{"as_int": n} for n in shape]}
                 for k, shape in self.shapes.items()}
        return {"schema_version": {"major": 8, "minor": 14}, "graph_module": {
            "graph": {"inputs": [], "outputs": [], "nodes": self.nodes,
                      "tensor_values": sizes},
            "signature": {
                "input_specs": self.inputs,
                "output_specs": [{"user_output": {"arg": tensor(n)}} for n in outputs]}}}
