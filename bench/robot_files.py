"""Real robot files: every URDF of PyPI's example-robot-data through check, info and two seconds of simulate, and M,
bias and forward dynamics compared with Pinocchio's. Prints Markdown; `./dev validate --robots` runs it.

Pinocchio is that of `./dev bench --peers`, in the user's cache; the robots are fetched into the same cache."""
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import peers

package, version = "example-robot-data", "6.0.0"
seconds_of_motion, patience = 2, 120  # [s] limit of wall-clock time for one command


def robots():
    """The folder of the robots; fetched if it is missing (131 MB)."""
    folder = peers.cache().parent / "robots"
    unpacked = folder / f"{package}-{version}"
    if not unpacked.is_dir():
        print(f"validate: fetching {package} {version} into {folder}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        peers.run([str(peers.cache() / "bin/pip"), "download", "-q", "--no-deps", "-d", str(folder),
                   f"{package}=={version}"], f"pip download {package}=={version}")
        wheel = next(folder.glob(f"{package.replace('-', '_')}-{version}-*.whl"))
        beside = folder / "unpacking"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(beside)
        beside.rename(unpacked)
        wheel.unlink()
    return unpacked / "cmeel.prefix/share/example-robot-data/robots"


class Trammel:
    def __init__(self, program, share):
        self._program, self._environment = program, {**os.environ, "ROS_PACKAGE_PATH": str(share)}

    def __call__(self, command, path, *options, seconds=patience):
        """Exit code, stdout, stderr."""
        try:
            done = subprocess.run([self._program, command, str(path), *options], capture_output=True, text=True,
                                  timeout=seconds, env=self._environment)
            return done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            return -1, "", f"not done after {seconds:.0f} s"


class Judge:
    """The same robot in Pinocchio, with a map to our order of coordinates."""

    def __init__(self, path, base, joints):
        import numpy
        import pinocchio
        self._np, self._pin = numpy, pinocchio
        root = (pinocchio.JointModelFreeFlyer(),) if base == "free" else ()
        self._model = pinocchio.buildModelFromUrdf(str(path), *root)
        self._data = self._model.createData()
        self._joints = joints  # moving joints of ours: name, type, nq, nv
        names = list(self._model.names)
        self._ids = [names.index("root_joint" if j["type"] == "free" and j["name"] not in names else j["name"])
                     for j in joints]

    def position(self, q):
        theirs, at = self._pin.neutral(self._model), 0
        for joint, i in zip(self._joints, self._ids):
            there, count = self._model.joints[i].idx_q, self._model.joints[i].nq
            ours = q[at:at + joint["nq"]]
            at += joint["nq"]
            if joint["type"] == "free":
                theirs[there:there + 7] = [*ours[4:], *ours[1:4], ours[0]]
            elif joint["nq"] == 1 and count == 2:  # continuous: cosine and sine
                theirs[there:there + 2] = [self._np.cos(ours[0]), self._np.sin(ours[0])]
            elif joint["nq"] == 1:
                theirs[there] = ours[0]
            else:
                raise LookupError(f"joint '{joint['name']}' is {joint['type']}, which is not compared")
        return theirs

    def _order(self):
        """Pinocchio's index of each of our velocities."""
        order = []
        for joint, i in zip(self._joints, self._ids):
            there = self._model.joints[i].idx_v
            order += [there + k for k in (3, 4, 5, 0, 1, 2)] if joint["type"] == "free" else [there]
        return order

    def answers(self, q, v, tau, ties):
        """M, bias, and accelerations under tau; ties: constraint rows G with G v = 0, of mimic joints."""
        np, pin, order = self._np, self._pin, self._order()
        if len(order) != self._model.nv:
            raise LookupError(f"{len(order)} degrees of freedom here, {self._model.nv} there")
        theirs, w, effort = self.position(q), np.zeros(self._model.nv), np.zeros(self._model.nv)
        w[order], effort[order] = v, tau
        M = pin.crba(self._model, self._data, theirs)
        M = np.triu(M) + np.triu(M, 1).T
        bias = np.array(pin.nonLinearEffects(self._model, self._data, theirs, w))
        damping = np.array(getattr(self._model, "damping", np.zeros(self._model.nv)))
        M, bias, damping = M[np.ix_(order, order)], bias[order], damping[order]
        if not len(ties):
            a = np.array(pin.aba(self._model, self._data, theirs, w, effort - damping_there(self._model, w)))[order]
        else:
            k = len(ties)
            system = np.block([[M, ties.T], [ties, np.zeros((k, k))]])
            right = np.concatenate([tau - damping * v - bias, np.zeros(k)])
            try:
                a = np.linalg.solve(system, right)[:len(order)]
            except np.linalg.LinAlgError:  # a motion without inertia: ours must fail naming it
                a = np.full(len(order), np.nan)
        return M, bias, a


def damping_there(model, w):
    return model.damping * w if hasattr(model, "damping") else 0 * w


def ties_of(path, joints):
    """Mimic joints: index of the follower, of the leader, multiplier, offset."""
    import xml.etree.ElementTree as ElementTree
    start, index = 0, {}
    for joint in joints:
        index[joint["name"]] = start
        start += joint["nv"]
    found = []
    for joint in ElementTree.parse(path).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("name") in index and mimic.get("joint") in index:
            found.append((index[joint.get("name")], index[mimic.get("joint")], float(mimic.get("multiplier", 1)),
                          float(mimic.get("offset", 0))))
    return found


def compare(trammel, path, base, options):
    """Largest differences of M, bias and accelerations, each relative to the largest entry; or the reason
    why there are none."""
    import numpy as np
    code, out, err = trammel("info", path, "--base", base, "--json", "--quiet", *options)
    if code:
        return reason(err)
    info = json.loads(out)
    joints = [dict(name=j["name"], type=j["kind"], nq=j["q"]["count"], nv=j["v"]["count"]) for j in info["joints"]
              if j["role"] == "tree"]  # in the order of q
    nq, nv = sum(j["nq"] for j in joints), sum(j["nv"] for j in joints)
    if nv == 0:
        return "nothing moves"
    if base == "free" and not any(j["type"] == "free" for j in joints):
        return "root is ground"
    try:
        judge = Judge(path, base, joints)
    except (ValueError, RuntimeError) as error:
        return f"Pinocchio: {error}".splitlines()[0]
    rng = random.Random(path.name)
    q, at = [0.0] * nq, 0
    for joint in joints:
        if joint["type"] == "free":
            w = [rng.gauss(0, 1) for _ in range(4)]
            length = sum(x * x for x in w) ** 0.5
            q[at:at + 7] = [*(x / length for x in w), *(rng.uniform(-1, 1) for _ in range(3))]
        else:
            q[at:at + joint["nq"]] = [rng.uniform(-1, 1) for _ in range(joint["nq"])]
        at += joint["nq"]
    v, tau = [rng.uniform(-1, 1) for _ in range(nv)], [rng.uniform(-1, 1) for _ in range(nv)]
    shift = nq - nv  # of a free root, which comes first
    mimics = ties_of(path, joints)
    ties = np.zeros((len(mimics), nv))
    for _ in mimics:  # as often as a mimic may refer to a mimic
        for follower, leader, multiplier, offset in mimics:
            q[follower + shift] = multiplier * q[leader + shift] + offset
            v[follower] = multiplier * v[leader]
    for row, (follower, leader, multiplier, _) in zip(ties, mimics):
        row[follower], row[leader] = 1, -multiplier

    def listed(x):
        return ",".join(f"{k:.17g}" for k in x)

    code, out, err = trammel("eval", path, "mass_matrix", "bias", "forward_dynamics", "--base", base, "--json", "--quiet",
                             f"--q={listed(q)}", f"--v={listed(v)}", f"--tau={listed(tau)}", *options)
    if not out:
        return reason(err)
    told = json.loads(out)
    try:
        theirs = judge.answers(q, v, tau, ties)
    except LookupError as why:
        return str(why)
    found = []
    for name, reference in zip(("mass_matrix", "bias", "forward_dynamics"), theirs):
        if name not in told["answers"]:
            found.append(reason(told["failed"][name]))
            continue
        apart, largest = np.max(abs(np.array(told["answers"][name]["values"]) - reference)), np.max(abs(reference))
        found.append(float(apart / largest) if largest > 0 else float(apart))
    return found


def reason(text):
    """The first sentence of a message, without the program's name and the hint."""
    return text.strip().splitlines()[0].removeprefix("trammel: ").split("; ")[0]


def moved(trammel, path, options):
    """Result of two seconds of simulation: with the default method, or with that for stiff systems."""
    for method, seconds in (("dormand-prince", patience / 4), ("radau", patience)):
        code, _, err = trammel("simulate", path, f"--duration={seconds_of_motion}", "--quiet", "--method", method, *options,
                               seconds=seconds)
        if code == 0:
            return "done" if method == "dormand-prince" else f"done, {method}"
    return reason(err)


def pinocchio_reads(path):
    import pinocchio
    try:
        pinocchio.buildModelFromUrdf(str(path))
        return True
    except (ValueError, RuntimeError):
        return False


def one(trammel, path):
    """The cells of a robot's row."""
    code, out, _ = trammel("check", path, "--json")
    if code < 0:
        return dict(check="not done")
    file = json.loads(out)["files"][0]
    errors = [d["message"] for d in file["diagnostics"] if d["severity"] == "error"]
    options, remarks = [], []
    if errors and all("principal moment" in e for e in errors):
        options = ["--allow-nonphysical"]
        remarks.append(f"{len(errors)} inertia{'s' if len(errors) > 1 else ''} with a negative principal moment: with "
                       "`--allow-nonphysical`")
    elif errors:
        return dict(check="refused", remarks=errors[0] + ("" if pinocchio_reads(path) else "; Pinocchio refuses it, too"))
    broken = sum("exceeds the sum" in d["message"] for d in file["diagnostics"])
    if broken:
        remarks.append(f"{broken} break{'s' if broken == 1 else ''} the triangle inequality")
    row = dict(check="refused" if errors else "sound", warnings=len(file["diagnostics"]) - len(errors))
    code, out, err = trammel("info", path, "--json", "--quiet", *options)
    row["info"] = "done" if code == 0 else reason(err)
    row["nv"] = json.loads(out)["nv"] if code == 0 else "-"
    row["simulate"] = moved(trammel, path, options)
    for base in ("fixed", "free"):
        row[base] = compare(trammel, path, base, options)
        if isinstance(row[base], list):
            remarks += [x for x in row[base] if isinstance(x, str) and base == "fixed"]
    if not row["simulate"].startswith("done"):
        remarks.append(row["simulate"])
        row["simulate"] = "stopped"
    row["remarks"] = "; ".join(remarks)
    return row


def cell(found):
    if not isinstance(found, list):
        return f"{found} | | "
    return " | ".join("see remarks" if isinstance(x, str) else f"{x:.0e}" if x else "0" for x in found)


def table(program, only):
    share = robots()
    paths = sorted(share.glob("**/*.urdf"))
    trammel = Trammel(program, share)
    counts, worst = collections.Counter(), [0.0, 0.0, 0.0]
    lines = []
    for path in paths:
        name = path.relative_to(share).as_posix()
        if only and not any(word in name for word in only):
            continue
        row = one(trammel, path)
        print(f"{name}: {row}", file=sys.stderr)
        counts["files"] += 1
        loads = row.get("info") == "done"
        counts["load"] += loads
        counts["simulated"] += row.get("simulate", "").startswith("done")
        compared = [row[base] for base in ("fixed", "free") if isinstance(row.get(base), list)]
        counts["compared"] += bool(compared)
        for found in compared:
            worst = [x if isinstance(y, str) else max(x, y) for x, y in zip(worst, found)]
        short = name.removesuffix(".urdf").replace("_description/", "/").replace("/robots/", "/").replace("/urdf/", "/")
        if loads:
            lines.append(f"| {short} | {row['nv']} | {row['check']}, {row['warnings']} | {row['simulate']} | "
                         f"{cell(row['fixed'])} | {cell(row['free'])} | {row['remarks']} |")
        else:
            lines.append(f"| {short} | | {row.get('info', row['check'])} | | | | | | | | {row.get('remarks', '')} |")
    import pinocchio
    print(f"{counts['files']} files of {package} {version}: {counts['load']} load, {counts['simulated']} move for "
          f"{seconds_of_motion} s, {counts['compared']} are compared with Pinocchio {pinocchio.__version__} in a random state; the largest "
          f"differences, over the largest entry, are {worst[0]:.0e} in M, {worst[1]:.0e} in the bias, {worst[2]:.0e} in the "
          "accelerations.\n")
    print("| robot | nv | check, warnings | simulate | M | bias | FD | M, floating | bias | FD | remarks |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    print("\n".join(lines))


def main():
    try:
        import pinocchio  # noqa: F401
    except ImportError:  # installed in the cache's Python
        python = str(peers.cache() / "bin/python")
        if sys.executable == python:
            raise peers.PeerError(f"{peers.cache()}: pinocchio cannot be imported; remove the folder to fetch it again")
        peers.fetched("pin")
        os.execv(python, [python, "-B", *sys.argv])
    table(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    try:
        main()
    except peers.PeerError as error:
        sys.exit(f"validate: {error}")
