# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
def implements(proc, protocol=None):
    def decorate(model):
        model.implements_process, model.implements_protocol = proc, protocol
        return model
    return decorate


def requires(*resources):
    return lambda model: model


def tag(*tags):
    def decorate(model):
        model.tags = list(tags)
        return model
    return decorate
