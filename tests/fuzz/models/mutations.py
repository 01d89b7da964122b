"""Mutations of a model by meaning. Each takes the model (nested dictionaries) and a random.Random, and changes
the model in place; one that finds nothing to change leaves it as it is.
"""
import copy

KINDS = ["fixed", "revolute", "prismatic", "screw", "cylindrical", "universal", "spherical", "planar", "free", "compound",
         "constant_velocity", "plunging_constant_velocity"]
EXTREMES = [0, -0.0, 1, -1, 1e-300, 1e-30, 1e-12, 1e-6, 1e6, 1e12, 1e30, 1e99, 1e101, 1e300, 5e-324, 1.7e308,
            float("inf"), float("-inf"), float("nan"), 3, 0.5, 2**53 + 1]
TEXTS = ["90 deg", "-1 turn", "5 mm", "3 kg", "1 N*m", "2 furlong", "pi/2", "1/0", "0/0", "sqrt(-1)", "log(0)", "2^2999",
         "1e400", "", "(", "ground", "1e-9 m", "tan(pi/2)", "-pi", "1 rad/s"]
FACTORS = [-1, 0.5, 2, 1 + 1e-15, 1 + 1e-9, 1e-9, 1e9, 1e-3, 1e3, 1.1, 0.999]


def leaves(value, path=()):
    """Paths of all numbers and texts."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, path + (key,))
    elif isinstance(value, list):
        for key, each in enumerate(value):
            yield from leaves(each, path + (key,))
    else:
        yield path


def at(model, path):
    for key in path:
        model = model[key]
    return model


def items(model, *sections):
    """(section, name) of all named items of these sections."""
    return [(section, name) for section in sections if isinstance(model[section], dict)
            for name, item in model[section].items() if isinstance(item, dict)]


def bodies(model):
    return ["ground", *model.get("body", {})]


def places(model):
    return bodies(model) + list(model.get("frame", {}))


def joints(model):
    return list(model.get("joint", {}))


def free_name(model, section, name):
    taken, k = model.setdefault(section, {}), 2
    while f"{name}_{k}" in taken:
        k += 1
    return f"{name}_{k}"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def to_extreme(model, random):
    paths = [path for path in leaves(model) if is_number(at(model, path)) and path != ("trammel",)]
    if paths:
        path = random.choice(paths)
        at(model, path[:-1])[path[-1]] = random.choice(EXTREMES if random.random() < 0.8 else TEXTS)


def scale(model, random):
    paths = [path for path in leaves(model) if is_number(at(model, path)) and path != ("trammel",)]
    if paths:
        path = random.choice(paths)
        at(model, path[:-1])[path[-1]] = at(model, path) * random.choice(FACTORS)


def change_formula(model, random):
    paths = [path for path in leaves(model) if isinstance(at(model, path), str) and len(path) > 1]
    if paths:
        path, text = random.choice(paths), random.choice(TEXTS)
        old = at(model, path)
        at(model, path[:-1])[path[-1]] = random.choice([text, f"({old})*0", f"-({old})", f"({old})/0", f"({old})*1e9", f"2*({old})", f"{old} deg"])


def drop_key(model, random):
    chosen = items(model, *model)
    if chosen:
        section, name = random.choice(chosen)
        if model[section][name]:
            del model[section][name][random.choice(list(model[section][name]))]


def drop_item(model, random):
    chosen = items(model, *model)
    if chosen:
        section, name = random.choice(chosen)
        del model[section][name]


def repeat_item(model, random):
    chosen = items(model, *[section for section in model if section not in ("state", "ground")])
    if chosen:
        section, name = random.choice(chosen)
        model[section][free_name(model, section, name)] = copy.deepcopy(model[section][name])


def twin_joint(model, random):
    """The same joint once more: a loop all of whose rows are redundant."""
    if joints(model):
        name = random.choice(joints(model))
        twin = {key: copy.deepcopy(value) for key, value in model["joint"][name].items()
                if key in ("type", "parent", "child", "at", "child_at", "axis", "axis2", "pitch", "motions")}
        if random.random() < 0.3:
            twin["parent"], twin["child"] = twin.get("child"), twin.get("parent")
            twin["at"], twin["child_at"] = twin.get("child_at", {}), twin.get("at", {})
            twin = {key: value for key, value in twin.items() if value is not None}
        model["joint"][free_name(model, "joint", name)] = twin


def change_kind(model, random):
    if joints(model):
        joint = model["joint"][random.choice(joints(model))]
        joint["type"] = random.choice(KINDS)
        if joint["type"] == "compound":
            axes = ["x", "y", "z", "-x", [1, 2, 3]]
            joint["motions"] = [{random.choice(["turn", "slide"]): random.choice(axes)} for _ in range(random.randint(1, 6))]
        if joint["type"] == "screw":
            joint["pitch"] = random.choice([0.01, 0, -1, 1e9])
        if joint["type"] in ("spherical", "planar", "free", "compound", "fixed") and random.random() < 0.8:
            for key in ("axis", "limits", "spring", "friction"):
                joint.pop(key, None)


def swap_names(model, random):
    """Two texts that name something change places."""
    names = set(places(model)) | set(joints(model))
    paths = [path for path in leaves(model) if isinstance(at(model, path), str) and at(model, path) in names]
    if len(paths) >= 2:
        one, two = random.sample(paths, 2)
        a, b = at(model, one), at(model, two)
        at(model, one[:-1])[one[-1]], at(model, two[:-1])[two[-1]] = b, a


def change_parent(model, random):
    if joints(model):
        model["joint"][random.choice(joints(model))][random.choice(["parent", "child"])] = random.choice(bodies(model))


def add_joint(model, random):
    """One more joint between two bodies closes a loop, or ties something to ground."""
    joint = {"type": random.choice(KINDS[:-1]), "parent": random.choice(bodies(model)), "child": random.choice(bodies(model))}
    if random.random() < 0.5:
        joint["axis"] = random.choice(["x", "y", "z", [1, 1, 0]])
    if joint["type"] == "screw":
        joint["pitch"] = 0.01
    if random.random() < 0.2:
        joint["drive"] = random.choice(["torque", "motion", "locked"])
    if random.random() < 0.2:
        joint["cut"] = True
    model.setdefault("joint", {})[free_name(model, "joint", "added")] = joint


def add_coupling(model, random):
    if joints(model):
        chosen = random.sample(joints(model), min(len(joints(model)), random.randint(1, 3)))
        terms = {name: random.choice([1, -1, 2, 0, 100, 1e-9]) for name in chosen}
        coupling = {"terms": terms}
        if random.random() < 0.3:
            coupling["offset"] = random.choice([0, 0.5, 1e6])
        model.setdefault("coupling", {})[free_name(model, "coupling", "added")] = coupling


def add_constraint(model, random):
    constraint = {"type": random.choice(["point", "weld", "distance"]), "between": [random.choice(places(model)), random.choice(places(model))]}
    if constraint["type"] == "distance":
        constraint["distance"] = random.choice([0, 0.1, 1, 100])
    if random.random() < 0.2:
        constraint["active"] = False
    model.setdefault("constraint", {})[free_name(model, "constraint", "added")] = constraint


def add_element(model, random):
    """A spring, wheel, contact, motor, event, input or controller."""
    section, item = random.choice([
        ("spring", {"between": [random.choice(places(model)), random.choice(places(model))], "stiffness": random.choice([0, 10, 1e9]), "length": random.choice([0, 0.3])}),
        ("wheel", {"body": random.choice(bodies(model)), "radius": random.choice([0.1, 0, 1e6]), "type": random.choice(["conventional", "omni", "ball", "knife-edge"])}),
        ("contact", {"body": random.choice(bodies(model)), "stiffness": random.choice([0, 1e6]), "radius": random.choice([0, 0.1]), "friction": random.choice([0, 0.8])}),
    ] + ([] if not joints(model) else [
        ("motor", {"joint": random.choice(joints(model)), "gear": random.choice([0, 1, 50, -1]), "rotor_inertia": random.choice([0, 1e-4])}),
        ("event", {"at": random.choice([0, 0.01, -1]), random.choice(["lock", "unlock"]): random.choice(joints(model))}),
        ("event", {"when": {"joint": random.choice(joints(model)), "crosses": random.choice([0, 0.1])}, "every": True}),
        ("input", {"joint": random.choice(joints(model)), "sine": {"amplitude": random.choice([0, 1, 1e9]), "frequency": random.choice([0, 1, 1e6])}}),
        ("input", {"joint": random.choice(joints(model)), "step": {"to": 1, "at": random.choice([0, 0.01])}}),
        ("controller", {"joint": random.choice(joints(model)), "p": random.choice([0, 10, 1e9]), "d": 1, "i": random.choice([0, 1]), "target": 0.1}),
    ]))
    model.setdefault(section, {})[free_name(model, section, "added")] = item


def change_drive(model, random):
    if joints(model):
        model["joint"][random.choice(joints(model))]["drive"] = random.choice(["none", "torque", "motion", "locked"])


def add_limits(model, random):
    if joints(model):
        joint = model["joint"][random.choice(joints(model))]
        joint["limits"] = {"position": random.choice([[-1, 1], [0, 0], [1, -1], [0.1, 0.2], [-1e-9, 1e-9]])}
        if random.random() < 0.7:
            joint["limits"]["restitution"] = random.choice([0, 0.5, 1])
        if random.random() < 0.3:
            joint["friction"] = {"effort": random.choice([0.1, 1e6]), "speed": random.choice([1e-9, 1e-3])}


def change_start(model, random):
    if joints(model):
        state = model.setdefault("state", {}).setdefault(random.choice(["position", "velocity", "guess", "velocity_guess"]), {})
        count = random.choice([1, 1, 1, 3, 4, 6, 7])
        values = [random.choice([0, 0.3, -2, 100, 1e7, 1]) for _ in range(count)]
        state[random.choice(joints(model))] = values if count > 1 else values[0]


def remove_mass(model, random):
    if model.get("body"):
        body = model["body"][random.choice(list(model["body"]))]
        body["mass"] = random.choice([0, 0, 1e-12, 1e12])
        if random.random() < 0.5:
            body["inertia"] = random.choice([[0, 0, 0], [1, 1, 3], [1, 0, 0], [0, 1, 1]])


MUTATIONS = [to_extreme, to_extreme, to_extreme, scale, change_formula, drop_key, drop_item, repeat_item, twin_joint, twin_joint,
             change_kind, change_kind, swap_names, change_parent, add_joint, add_joint, add_coupling, add_constraint, add_constraint,
             add_element, add_element, change_drive, add_limits, change_start, remove_mass]


def mutate_cells(text, random):
    """A CSV table with some cells changed, rows doubled or left out."""
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    for _ in range(random.randint(1, 3)):
        kind = random.random()
        row = random.randrange(1, len(rows)) if len(rows) > 1 else 0
        if kind < 0.15 and len(rows) > 2:
            del rows[row]
        elif kind < 0.3:
            rows.insert(row, [cell if k else f"{cell}_twin" for k, cell in enumerate(rows[row])])
        else:
            rows[row][random.randrange(len(rows[row]))] = str(random.choice(EXTREMES if random.random() < 0.7 else TEXTS))
    return "\n".join(",".join(row) for row in rows) + "\n"
