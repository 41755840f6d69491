"""Config files: three sets of three lists each. The product of a set's lists is tested."""

PARTS = ("input", "init", "shared")
LISTED = ("single", "multi")


def listed_params(source, direction, sets=LISTED):
    """The parameters of each listed config, as a config file gives them."""
    configs = source.configs.get(direction, {})
    found = []
    for name in sets:
        lists = [configs.get(f"{name}_{part}_configs") for part in PARTS]
        if all(part is None for part in lists):
            continue
        init, inputs, shared = (lists[PARTS.index(p)] or [{}] for p in ("init", "input", "shared"))
        for a in init:
            for b in inputs:
                for c in shared:
                    params = {**source.defaults, **a, **b, **c}
                    params = {k: as_default(v, source.defaults[k]) for k, v in params.items()
                              if k in source.defaults}
                    if params not in found:
                        found.append(params)
    return found


def as_default(value, default):
    return float(value) if isinstance(default, float) and isinstance(value, int) and \
        not isinstance(value, bool) else value


def changed(params, defaults):
    return {name: value for name, value in params.items() if defaults[name] != value}


def set_configs(configs, name, shared):
    configs.update({f"{name}_input_configs": [{}], f"{name}_init_configs": [{}],
                    f"{name}_shared_configs": shared})


def append_config(configs, name, config):
    """Appends a config to a set. A set is a product, so all of its configs then go into its last
    list."""
    lists = [configs.get(f"{name}_{part}_configs", [{}]) for part in PARTS]
    flat = [{**a, **b, **c} for a in lists[1] for b in lists[0] for c in lists[2]]
    set_configs(configs, name, [*flat, config])


def keep_only(source, direction, kept):
    """Keeps those of the listed configs whose parameters are among `kept`, and lists them one by
    one."""
    configs = source.configs[direction]
    for name in LISTED:
        if f"{name}_shared_configs" in configs:
            fitting = [params for params in listed_params(source, direction, (name,))
                       if params in kept]
            set_configs(configs, name, fitting or kept[:1])


def list_in_full(source):
    """Lists every config with all of its parameters, so that none depends on the defaults."""
    for direction, configs in source.configs.items():
        for name in (*LISTED, "small"):
            if f"{name}_shared_configs" in configs:
                set_configs(configs, name, listed_params(source, direction, (name,)))
