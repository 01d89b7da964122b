"""What is known of the mechanisms without the judge: mobility, redundant rows, accelerations by hand.

`mobility` counts instantaneous degrees of freedom, prescribed and locked joints taken away; `finite` is given where it
is less. `redundant` is the number of rows less their rank. Both are from counting or from the literature, as each
file's first lines say; `rates` and `by_hand` are velocities and accelerations of joints in closed form."""
from dataclasses import dataclass, field
from math import cos, pi, radians, sin, tan

g = 9.81


@dataclass
class Case:
    mobility: int
    redundant: int
    finite: int | None = None
    efforts: dict = field(default_factory=dict)
    prescribed: dict = field(default_factory=dict)
    rates: dict = field(default_factory=dict)
    by_hand: dict = field(default_factory=dict)


def _cardan():
    bend, q, speed, effort = radians(35), radians(30), 10, 2
    c = cos(bend)
    square = cos(q) ** 2 + c * c * sin(q) ** 2
    p1, p2 = c / square, c * sin(2 * q) * sin(bend) ** 2 / square ** 2
    first = (effort - 0.05 * p1 * p2 * speed ** 2) / (0.02 + 0.05 * p1 * p1)
    return {"in": first, "out": p1 * first + p2 * speed ** 2}


def _umbrella():
    l, q, rib, stretcher, runner = 0.25, radians(25), 0.2, 0.05, 0.1
    inertia = 4 * rib * (2 * l) ** 2 / 3 + 4 * stretcher * l * l * (sin(q) ** 2 / 4 + 9 / 4 * cos(q) ** 2 + 1 / 12)
    inertia += runner * (2 * l * cos(q)) ** 2
    a = g * cos(q) * (4 * rib * l + 6 * stretcher * l + 2 * runner * l) / inertia
    return {"crown1": a, "ring3": a, "stick": -2 * l * cos(q) * a}


def _car_jack():
    p, q, m, s = 0.004 / (2 * pi), radians(35), 300, 1
    k = p / tan(q)
    a = (m + s / 2) * g * k / (2e-4 + m * k * k + s * (k * k + p * p) / 4)
    return {"guide": -k * a}


def _differential():
    s, d = 3.5 / (0.02 / 2 + 0.05 / 4), 0.5 / (0.02 / 2 + 0.4 ** 2 * 0.003)
    return {"left": (s + d) / 2, "right": (s - d) / 2, "carrier": s / 2, "spider": 0.4 * d}


def _sarrus():
    q = 0.5
    a = 8 * g * sin(q) / (2 * (0.45 + 0.25 * cos(q) ** 2 + 2.25 * sin(q) ** 2) + 8 * sin(q) ** 2)
    return {"a_foot": a, "a_knee": -2 * a, "b_foot": -a}


def _nut():
    p = 0.03 / (2 * pi)
    return {"thread": -2 * g * p / (0.004 + 2 * p * p)}


def _cranks():
    a = -(3 * 0.4 / 2 + 4 * 0.4) * g * cos(0.6) / (3 * 0.16 / 3 + 4 * 0.16)
    return {"a": a, "b": a, "c": a, "top_a": -a}


def _tumbling():
    w, v, J = (3, -2, 5), (1, 2, -1), (0.01, 0.02, 0.025)
    spins = {f"float.{'w' + 'xyz'[k]}": (J[(k + 1) % 3] - J[(k + 2) % 3]) * w[(k + 1) % 3] * w[(k + 2) % 3] / J[k] for k in range(3)}
    speeds = {f"float.{'v' + 'xyz'[k]}": w[(k + 2) % 3] * v[(k + 1) % 3] - w[(k + 1) % 3] * v[(k + 2) % 3] for k in range(3)}
    speeds["float.vz"] -= g
    return spins | speeds


def _springs():
    l, w = 0.8, 1.5
    effort = g * l / 2 + 4 * 0.25 - 0.3 * w - l * (120 * 0.1 + 7 * l * w)
    return {"pivot": effort / (l * l / 3)}


def _hammer():
    handle, head = 0.3 * 0.02 * 0.04, pi * 0.03 ** 2 * 0.1
    m1, m2 = (1.5 * volume / (handle + head) for volume in (handle, head))
    inertia = m1 * ((0.3 ** 2 + 0.02 ** 2) / 12 + 0.15 ** 2) + m2 * (0.03 ** 2 / 2 + 0.33 ** 2)
    return {"pivot": -(m1 * 0.15 + m2 * 0.33) * g / inertia}


def _swash_plate():
    return {"shaft": 0.5 / (0.002 + 1.5 * 0.3 * 0.04 ** 2 * tan(radians(18)) ** 2)}


def _mecanum():
    """A roller's axis is the axle turned by 45 degrees: r rate = vx - vy at the hub, or vx + vy if by -45 degrees."""
    x, y, turn, r = 0.5 * cos(0.4) - 0.3 * sin(0.4), -0.5 * sin(0.4) - 0.3 * cos(0.4), 0.8, 0.05
    hubs = {"axle1": (0.3, 0.2, 1), "axle2": (0.3, -0.2, -1), "axle3": (-0.3, 0.2, -1), "axle4": (-0.3, -0.2, 1)}
    return {axle: (x - turn * b - side * (y + turn * a)) / r for axle, (a, b, side) in hubs.items()}


def _lift():
    q = radians(30)
    a = -g * cos(q) * 68 / (16 / 3 + 60 * cos(q) ** 2)
    return {"pin": a, "middle": -2 * a}


def _governor():
    m, M, l, J, q, w, u = 0.8, 2.5, 0.3, 0.02, radians(35), 9, 0.6
    s, c = sin(q), cos(q)
    arms = (2 * m * l * l * w * w * s * c - 4 * M * l * l * s * c * u * u - 2 * (m + M) * g * l * s) / (2 * m * l * l + 4 * M * l * l * s * s)
    return {"left": arms, "right": arms, "shaft": -4 * m * l * l * s * c * w * u / (J + 2 * m * l * l * s * s),
            "guide": 2 * l * (s * arms + c * u * u)}


def _quick_return():
    r, d, q, w, tau = 0.1, 0.25, radians(20), 5, 2
    n = r * r + d * d + 2 * d * r * sin(q)
    top, J, R = r * r + d * r * sin(q), 0.03, 0.05 + 2 * 0.2 ** 2
    p, slope = top / n, d * r * cos(q) / n - top * 2 * d * r * cos(q) / n ** 2
    force = tau - 2 * g * 0.2 * r * cos(q) / n ** 0.5 * p  # cos of the rocker's angle: r cos(q) over the pin's distance
    a = (force - R * p * slope * w * w) / (J + R * p * p)
    return {"pivot": p * w}, {"main": a, "pivot": p * a + slope * w * w}


def _two_stages():
    m, M, L, q = 3, 40, 0.8, radians(25)
    s, c = sin(q), cos(q)
    inertia = 4 * m * L * L * (s * s / 2 + 5 / 2 * c * c + 1 / 6) + 4 * M * L * L * c * c
    a = -g * L * c * (8 * m + 2 * M) / inertia
    return {"left_pin": a, "right_middle2": -2 * a}


def _planetary():
    i, tau = 1 + 60 / 24, 0.3
    a = tau * i / (3e-3 + 3 * 0.2 * 0.042 ** 2 + 2e-4 * i * i + 3 * 4e-5 * (1 - 60 / 18) ** 2)
    return {"carrier": a, "sun": i * a, "planet2": -60 / 18 * a}


def _lamp():
    l, c, m1, m2, tau = 0.4, 0.3, 0.6, 1.1, 0.2
    M11, M12, M22 = m1 * l * l / 3 + m2 * l * l, m2 * l * c * cos(radians(85)), 0.02 + m2 * c * c
    det = M11 * M22 - M12 * M12
    return {"base": M22 * tau / det, "elbow": -M12 * tau / det}


def _boom():
    a, h, q, F = 0.9, 0.5, radians(25), 5000
    return {"pivot": (F * a * h / (a * a + h * h + 2 * a * h * sin(q)) ** 0.5 - 120 * g * 1.5) * cos(q) / (90 + 120 * 1.5 ** 2)}


cases = {
    # trees
    "pendulum": Case(1, 0, by_hand={"pivot": 1.5 * g / 0.8}),
    "double_pendulum_moving": Case(2, 0),
    "heavy_top": Case(3, 0),
    "tumbling_body": Case(6, 0, by_hand=_tumbling()),
    "stone_on_a_string": Case(5, 0, by_hand={"float.vx": -(1.2 ** 2 + 0.7 ** 2) / 0.5, "float.vy": 0, "float.vz": -g}),
    "pendulum_with_springs": Case(1, 0, by_hand=_springs()),
    "hammer": Case(1, 0, by_hand=_hammer()),
    "scara": Case(4, 0, efforts={"shoulder": 3, "elbow": -1}, by_hand={"quill.slide": -g}),
    "massless_links": Case(2, 0, by_hand={"shoulder": (-g + 4.8) / 0.3, "elbow": -3.6 / 0.4 - (-g + 4.8) / 0.3}),

    # duplicated constraints, and structures
    "door_two_hinges": Case(1, 5, efforts={"lower": 2}, by_hand={"lower": 2 / (1 + 20 * 0.4 ** 2)}),
    "door_three_hinges": Case(1, 10, by_hand={"lower": -20 * 0.4 * g * sin(radians(7)) * cos(radians(30)) / (1 + 20 * 0.16)}),
    "flap_two_hinges": Case(1, 5, by_hand={"left": -5.94920990949}),
    "drawer_two_rails": Case(1, 5, by_hand={"left": g * sin(0.4)}),
    "shaft_two_bearings": Case(2, 4, by_hand={"near.turn": 0, "near.slide": g * sin(radians(20))}),
    "nut_written_twice": Case(1, 5, by_hand=_nut()),
    "chain_hinge_twice": Case(5, 5),
    "ball_written_twice": Case(3, 3),
    "puck_between_plates": Case(3, 3, by_hand={"table.x": g * sin(0.25), "table.y": 0, "table.turn": 0}),
    "weld_twice": Case(1, 6, by_hand={"pivot": (0.4 + 1.6) * g / (0.64 / 3 + 2 * 0.64 + 0.01)}),
    "fixed_loop": Case(0, 6),
    "weld_of_a_free_body": Case(0, 0, by_hand={f"float.{k}": 0 for k in "wx wy wz vx vy vz".split()}),
    "locked_and_welded": Case(0, 6, by_hand={"hinge": 0}),
    "hinge_and_free_joint": Case(1, 0, by_hand={"hinge": 0.4 * g / (0.1 + 0.16)}),
    "balls_and_points": Case(6, 6, by_hand={"one.wy": 0.3 * g / (0.2 + 0.09), "two.wx": -0.2 * g / (0.2 + 0.04)}),
    "point_on_a_tip": Case(3, 0),
    "ball_on_three_strings": Case(3, 0),
    "string_written_twice": Case(1, 2, by_hand={"pivot": 1.5 * g / 0.7}),
    "planar_guide": Case(2, 3),
    "locked_four_bar": Case(0, 3, by_hand={"motor": 0, "foot": 0}),
    "loop_through_a_fixed_body": Case(1, 3, by_hand={"left_foot": 0, "hang": -0.4 * g / (0.1 + 0.16)}),
    "prescribed_twice": Case(0, 6, prescribed={"one": 1.5, "two": 1.5}, by_hand={"one": 1.5}),
    "prescribed_crank": Case(1, 3, prescribed={"main": -3}, by_hand={"main": -3, "guide": 0.9 + 0.225 * 16}),

    # couplings
    "coupling_gears": Case(1, 1, efforts={"a": 1}, by_hand={"a": 1 / (0.002 + 0.004 * 0.36 + 0.006 * (3 / 7) ** 2)}),
    "geared_five_bar": Case(1, 3),
    "bevel_differential": Case(2, 0, efforts={"carrier": 6, "left": 1}, by_hand=_differential()),

    # linkages
    "bennett": Case(1, 3),
    "sarrus": Case(1, 1, by_hand=_sarrus()),
    "planar_four_bar_in_space": Case(1, 3),
    "parallelogram_flat": Case(2, 4, finite=1),
    "parallelogram_three_cranks": Case(1, 7, by_hand=_cranks()),
    "slider_crank": Case(1, 3, by_hand={"main": 2 * 0.3 ** 3 / 0.4 * 16 / (0.05 + 2 * 0.09)}),
    "engine_at_sixty_degrees": Case(1, 3),
    "folded_slider_crank": Case(2, 4, finite=1),
    "scissor": Case(1, 6, by_hand=_lift()),
    "stephenson": Case(1, 6, efforts={"O2": 0.7}),
    "cardan_shaft": Case(1, 3, efforts={"in": 2}, by_hand=_cardan()),
    "rssr": Case(2, 0),
    "springs_and_dampers": Case(1, 3),
    "cooperating_arms": Case(1, 3, efforts={"left_shoulder": 5}, by_hand={"left_shoulder": 0.5, "right_shoulder": 0.5}),
    "stewart": Case(6, 0, efforts={"slide1": 40}),
    "delta": Case(3, 0, efforts={"motor1": -1}),

    # rolling
    "two_wheels_one_axle": Case(2, 1, efforts={"left": 0.1}),
    "wagon_on_floor": Case(1, 3, efforts={"axle1": 0.8}, by_hand={"axle1": 5, "float.vx": 0.5}),
    "rover_locked_arm": Case(2, 1, efforts={"left": 0.4, "right": 0.1}, rates={"base.vx": 0.075 * 6, "base.wz": 0.075 * 2 / 0.4}),
    "mecanum": Case(3, 0, efforts={"axle1": 0.5, "axle4": -0.2}, rates=_mecanum()),
    "sleigh": Case(2, 0, by_hand={"base.x": 0.15 * 2.25, "base.y": 3, "base.turn": -4 * 0.15 * 3 / (0.25 + 4 * 0.0225)}),
    "rolling_ball": Case(3, 0),
    "leaning_disk": Case(3, 0),

    # everyday machines
    "pantograph": Case(2, 3, efforts={"pivot": 3}),
    "umbrella": Case(1, 12, by_hand=_umbrella()),
    "wiper_two_arms": Case(1, 6, efforts={"motor": 1}),
    "hoeken_leg": Case(2, 3, efforts={"motor": 4}, rates={"knee": -2 / 3}),
    "two_flaps_on_a_cart": Case(3, 16, by_hand={"rail": 0, "front_left": g * 1.5, "back_left": g * 1.5}),
    "garage_door": Case(1, 11, by_hand={"left": -32 * g * sin(radians(40)) / (40 + 4 / 3)}),
    "car_jack": Case(1, 8, by_hand=_car_jack()),
    "swash_plate": Case(1, 0, efforts={"shaft": 0.5}, by_hand=_swash_plate()),
    "peaucellier": Case(1, 9, efforts={"center": 0.5}),
    "scotch_yoke": Case(1, 8, efforts={"main": 1.5}, rates={"rail": -0.1 * sin(radians(50)) * 12},
                        by_hand={"main": (1.5 - 0.03 * sin(radians(100)) / 2 * 144) / (0.02 + 0.03 * sin(radians(50)) ** 2)}),
    "roberval_balance": Case(1, 7, by_hand={"pivot": 3 * 0.2 * g * cos(radians(12)) / (0.04 + 7 * 0.04)}),
    "porter_governor": Case(2, 6, by_hand=_governor()),
    "quick_return": Case(1, 3, efforts={"main": 2}, rates=_quick_return()[0], by_hand=_quick_return()[1]),
    "rack_steering": Case(1, 0, efforts={"housing": 60}, rates={"left_kingpin": -2, "right_kingpin": -2},
                          by_hand={"housing": 60 / (3 + 0.8 + 0.8 / 0.15 ** 2)}),
    "toggle_press": Case(1, 3, efforts={"top": 20}, by_hand={"top": (20 - 40 * g * sin(radians(1))) / (32 * sin(radians(1)) ** 2)}),
    "two_stage_lift": Case(1, 23, by_hand=_two_stages()),
    "planetary_gear": Case(1, 2, efforts={"sun": 0.3}, by_hand=_planetary()),
    "balanced_lamp": Case(2, 3, efforts={"base": 0.2}, by_hand=_lamp()),
    "boom_crane": Case(1, 3, efforts={"cylinder": 5000}, by_hand=_boom()),
    "ellipsograph": Case(1, 3, by_hand={"pin": -1.3 * g * 0.5 * cos(radians(65)) / (1.1 * 0.25)}),
    "oldham_coupling": Case(1, 3, efforts={"in": 0.05}, by_hand={"in": 0.05 / (0.0065 + 0.8 * 0.0009)}),
}
