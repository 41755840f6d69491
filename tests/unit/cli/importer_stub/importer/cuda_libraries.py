"""A stand-in needs no libraries of CUDA."""


def preload():
    pass
