"""Pictures from outside: endings that are written and those that are not, PNG, animated GIF, up, wheels."""
import re
import struct
import unittest
import zlib

from program import InFolder

PENDULUM = """
trammel = 1
name    = "pendulum"
gravity = [{gravity}]

[body.bob]
mass = 1
com  = [{com}]

[joint.pivot]
type   = "revolute"
parent = "ground"
child  = "bob"
axis   = [{axis}]
"""


def png(data):
    """Width, height and rows of (r, g, b)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0]
        chunks[kind], at = body, at + 12 + size
    width, height, bits, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert bits == 8
    each = {2: 3, 3: 1}[color]
    raw, stride = zlib.decompress(chunks[b"IDAT"]), 1 + width * each
    assert len(raw) == height * stride and all(raw[y * stride] == 0 for y in range(height))
    rows = []
    for y in range(height):
        row = raw[y * stride + 1 : (y + 1) * stride]
        palette = chunks.get(b"PLTE")
        rows.append([tuple(palette[3 * k : 3 * k + 3]) for k in row] if palette else
                    [tuple(row[3 * x : 3 * x + 3]) for x in range(width)])
    return width, height, rows


def lzw(data, least):
    """The bytes that variable-length codes stand for."""
    clear, end = 1 << least, (1 << least) + 1
    table, bits, before, out = None, least + 1, None, bytearray()
    word = held = 0
    for byte in data:
        word |= byte << held
        held += 8
        while held >= bits:
            code, word, held = word & ((1 << bits) - 1), word >> bits, held - bits
            if code == clear:
                table, bits, before = [bytes([k]) for k in range(clear)] + [b"", b""], least + 1, None
                continue
            if code == end:
                return bytes(out)
            entry = table[code] if code < len(table) else before + before[:1]
            out += entry
            if before is not None and len(table) < 4096:
                table.append(before + entry[:1])
                if len(table) == 1 << bits and bits < 12:
                    bits += 1
            before = entry
    raise AssertionError("no end code")


def gif(data):
    """Width, height, whether it repeats for ever, and frames: hundredths of a second, rows of (r, g, b)."""
    assert data[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    palette = data[13 : 13 + 3 * (2 << (flags & 7))]
    at, frames, repeats = 13 + len(palette), [], False
    screen = [[None] * width for _ in range(height)]

    def blocks(at):
        out = b""
        while data[at]:
            out += data[at + 1 : at + 1 + data[at]]
            at += 1 + data[at]
        return out, at + 1

    while data[at] != 0x3B:
        if data[at] == 0x21:
            label = data[at + 1]
            body, at = blocks(at + 2)
            if label == 0xF9:
                packed, delay, transparent = struct.unpack("<BHB", body)
            else:
                repeats = body == b"NETSCAPE2.0\x01\x00\x00"
            continue
        left, top, wide, high, local = struct.unpack("<HHHHB", data[at + 1 : at + 10])
        assert local == 0
        least = data[at + 10]
        codes, at = blocks(at + 11)
        pixels = lzw(codes, least)
        assert len(pixels) == wide * high
        for k, index in enumerate(pixels):
            if not (packed & 1 and index == transparent):
                screen[top + k // wide][left + k % wide] = tuple(palette[3 * index : 3 * index + 3])
        frames.append((delay, [list(row) for row in screen]))
    assert at == len(data) - 1
    return width, height, repeats, frames


class Pictures(InFolder):
    def test_endings_that_are_not_written_are_refused_before_the_work(self):
        self.done("simulate", "@pendulum", "--duration", "0.1", "-o", "run.csv")
        self.done("convert", "@pendulum", "model.toml")
        (self.folder / "table.csv").write_text("")
        cases = [
            (["simulate", "nowhere.toml", "-o", "a.mp4"], "-o", ".csv, .h5, .hdf5, .json, .gif, .webm"),
            (["simulate", "nowhere.toml", "-o", "run.csv", "-o", "a.mat"], "-o", ".csv, .h5, .hdf5, .json, .gif, .webm"),
            (["simulate", "nowhere.toml", "--report", "a.pdf"], "--report", ".html, .htm"),
            (["recover", "nowhere.journal", "-o", "a.gif"], "-o", ".csv, .h5, .hdf5, .json"),
            (["inverse", "nowhere.toml", "-o", "a.xlsx"], "-o", ".csv, .json"),
            (["inverse", "nowhere.toml", "--report", "a.svg"], "--report", ".html, .htm"),
            (["linearize", "nowhere.toml", "-o", "a.mat"], "-o", ".csv, .json"),
            (["linearize", "nowhere.toml", "--report", "a.pdf"], "--report", ".html, .htm"),
            (["design", "nowhere.toml", "--report", "a.pdf"], "--report", ".svg, .png"),
            (["design", "nowhere.toml", "-o", "a.toml"], "-o", ".csv"),
            (["info", "nowhere.toml", "--svg", "a.jpg"], "--svg", ".svg, .png"),
            (["snapshot", "nowhere.toml", "-o", "a.jpg"], "-o", ".svg, .png"),
            (["plot", "nowhere.csv", "-o", "a.PDF"], "-o", ".svg, .png, .html, .htm"),
            (["examples", "pendulum", "-o", "a.urdf"], "-o", ".toml"),
            (["generate", "dh", "nowhere.csv", "-o", "a.urdf"], "-o", ".toml"),
        ]
        before = sorted(path.name for path in self.folder.iterdir())
        for words, option, endings in cases:
            answer = self.trammel(*words, "--force")
            file = words[-1]
            ending = file[file.rindex(".") :].lower()
            self.assertEqual((answer.code, answer.out), (2, ""), words)
            self.assertEqual(answer.err, f"trammel: option {option} is '{file}': '{ending}' files are not written\n"
                                         f"  hint: endings that are written here: {endings}\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        # upper case, and names without an extension, are unchanged
        self.done("simulate", "@pendulum", "--duration", "0.1", "-o", "RUN.CSV", "-o", "table")
        self.assertEqual((self.folder / "RUN.CSV").read_text(), (self.folder / "table").read_text())
        self.done("simulate", "@pendulum", "--duration", "0.1", "-o", "/dev/null")

    def test_png_is_the_svg_with_two_pixels_a_px(self):
        self.done("simulate", "@double_pendulum", "--duration", "1", "-o", "run.csv")
        for name, *words in (("plot", "plot", "run.csv", "q.*", "-o"), ("snapshot", "snapshot", "@s_t08", "--at", "0,1", "-o"),
                             ("info", "info", "@four_bar", "--svg"), ("design", "design", "@s_t08", "--report"),
                             ("ellipsoids", "design", "@four_bar", "--at", "coupler", "--report")):
            self.done(*words, f"{name}.svg")
            self.done(*words, f"{name}.png")
            svg = (self.folder / f"{name}.svg").read_text()
            width, height, rows = png((self.folder / f"{name}.png").read_bytes())
            output = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
            self.assertEqual((width, height), (2 * int(output[1]), 2 * int(output[2])))
            colors = {color for row in rows for color in row}
            self.assertIn((255, 255, 255), colors)
            self.assertGreater(len(colors), 10)  # edges are smooth

    def test_lines_of_a_png_are_where_the_svg_has_them(self):
        (self.folder / "p.toml").write_text(PENDULUM.format(gravity="0, 0, -9.81", com="0, 0, -1", axis="0, 1, 0"))
        words = ("snapshot", "p.toml", "--at", "0", "--view", "front", "--q", "pivot=1", "-o")
        self.done(*words, "p.svg")
        self.done(*words, "p.png")
        x1, y1, x2, y2 = map(float, re.search(r'class="body" x1="(.*?)" y1="(.*?)" x2="(.*?)" y2="(.*?)"', (self.folder / "p.svg").read_text()).groups())
        _, _, rows = png((self.folder / "p.png").read_bytes())
        for part in 0.4, 0.6, 0.95:
            x, y = x1 + part * (x2 - x1), y1 + part * (y2 - y1)
            self.assertEqual(rows[round(2 * y)][round(2 * x)], (0x4F, 0x7C, 0xAC))  # of the first body

    def test_a_run_as_an_animated_gif(self):
        self.done("simulate", "@four_bar", "--duration", "4", "--sample", "0.01", "-o", "run.gif", "-o", "run.csv")
        width, height, repeats, frames = gif((self.folder / "run.gif").read_bytes())
        self.assertTrue(repeats)
        self.assertEqual((width, height), (640, 520))
        self.assertEqual(len(frames), 101)  # 25 per second, in real time
        self.assertEqual([delay for delay, _ in frames[:-1]], [4] * 100)
        self.assertNotEqual(frames[0][1], frames[50][1])
        # every frame has the color of the bodies, and a white background
        for _, rows in frames[::20]:
            colors = {color for row in rows for color in row}
            self.assertTrue({(0x33, 0x47, 0x5B), (255, 255, 255)} <= colors)

    def test_short_and_long_runs_are_shown_in_some_seconds(self):
        for duration, seconds in ("0.3", 3), ("100", 10):
            self.done("simulate", "@pendulum", "--duration", duration, "-o", "run.gif", "--force")
            *_, frames = gif((self.folder / "run.gif").read_bytes())
            self.assertAlmostEqual(sum(delay for delay, _ in frames[:-1]) / 100, seconds, delta=0.05)

    def test_up_is_against_gravity(self):
        # one pendulum in three worlds: the same picture
        worlds = {"z": ("0, 0, -9.81", "0, 0, -1", "0, 1, 0"), "y": ("0, -9.81, 0", "0, -1, 0", "0, 0, -1"),
                  "down": ("0, 0, 9.81", "0, 0, 1", "0, -1, 0"), "none": ("0, 0, 0", "0, 0, -1", "0, 1, 0")}
        pictures = {}
        for name, (gravity, com, axis) in worlds.items():
            (self.folder / f"{name}.toml").write_text(PENDULUM.format(gravity=gravity, com=com, axis=axis))
            for view in "front", "aside", "top":
                pictures[name, view] = self.done("snapshot", f"{name}.toml", "--at", "0", "--view", view, "--q", "pivot=0.4").out
        for (name, view), picture in pictures.items():
            self.assertEqual(picture, pictures["z", view], (name, view))
        # and it hangs: y grows downward
        y1, y2 = map(float, re.search(r'class="body" x1=".*?" y1="(.*?)" x2=".*?" y2="(.*?)"', pictures["z", "front"]).groups())
        self.assertGreater(y2, y1 + 50)

    def test_wheels_are_disks_and_ground_lies_behind(self):
        for model, wheels in ("@s_t03", 2), ("@s_t08", 4):
            picture = self.done("snapshot", model, "--at", "0").out
            self.assertGreaterEqual(picture.count('class="wheel"'), wheels)
            self.assertIn('class="wheel"', self.done("info", model, "--svg", "-").out)
        picture = self.done("snapshot", "@four_bar", "--at", "0").out
        self.assertGreater(picture.index('class="solid"'), picture.rindex('class="anchor"'))
        # if the mechanism reaches below its anchor no post is drawn
        self.assertNotIn('class="post"', picture)

    def test_a_plot_has_a_panel_for_each_unit(self):
        self.done("simulate", "@double_pendulum", "--duration", "1", "-o", "run.csv")
        one = self.done("plot", "run.csv", "q.*").out
        both = self.done("plot", "run.csv", "q.*", "v.*", "--title", "a swing").out
        high = [int(re.search(r'viewBox="0 0 720 (\d+)"', svg)[1]) for svg in (one, both)]
        self.assertEqual(high, [300, 600])
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", both)
        self.assertEqual([texts.count(text) for text in ("[rad]", "[rad/s]", "a swing", "time [s]")], [1, 1, 1, 2])
        self.done("plot", "run.csv", "q.*", "v.*", "-o", "both.png")
        width, height, rows = png((self.folder / "both.png").read_bytes())
        self.assertEqual((width, height), (1440, 1200))
        for half in rows[:600], rows[600:]:  # lines in both panels
            self.assertTrue(any((0x2F, 0x6F, 0xBF) in row for row in half))

    def test_runs_are_drawn_over_each_other_with_their_differences(self):
        for name, gravity in ("earth", "9.81"), ("moon", "1.62"):
            self.done("simulate", "@double_pendulum", "--gravity", f"0,0,-{gravity}", "--duration", "1", "-o", f"{name}.csv")
        run = {name: [list(map(float, line.split(","))) for line in (self.folder / f"{name}.csv").read_text().splitlines()[1:] if line[:1].isdigit()]
               for name in ("earth", "moon")}
        joint = [c.split("[")[0].strip() for c in (self.folder / "earth.csv").read_text().splitlines()[0].split(",")][1]
        answer = self.done("plot", "earth.csv", "moon.csv", joint)
        self.assertIn(f">earth: {joint}<", answer.out)
        self.assertIn(f">moon: {joint}<", answer.out)
        largest = max(abs(a[1] - b[1]) for a, b in zip(run["earth"], run["moon"]))
        self.assertRegex(answer.err, rf"^{re.escape(joint)} differs by at most {largest:.3g} rad, at t = ")
        page = self.done("plot", "earth.csv", "moon.csv", joint, "-o", "both.html")
        self.assertIn(f"moon: {joint}", (self.folder / "both.html").read_text())
        self.assertEqual(self.done("plot", "earth.csv", "earth.csv", joint).err.count("at most 0 rad"), 1)

    def test_a_column_across_instead_of_the_time(self):
        self.done("simulate", "@double_pendulum", "--duration", "1", "-o", "run.csv")
        names = [c.split("[")[0].strip() for c in (self.folder / "run.csv").read_text().splitlines()[0].split(",")]
        q, v = names[1], next(name for name in names if name.startswith("v."))
        picture = self.done("plot", "run.csv", v, "--x", q).out
        self.assertIn(f">{q} [rad]<", picture)
        self.assertNotIn(">time", picture)
        for words, message in ((("--x", q + "x"), f"trammel: run.csv has no column '{q}x'\n  hint: did you mean '{q}'?\n"),
                               (("--x", q, "-o", "a.html"), "trammel: option --x is for pictures: a page has the time on its horizontal axis\n"
                                                            "  hint: -o FILE.svg or -o FILE.png\n"),
                               (("--x", v), "trammel: no column is left for the vertical axis\n  hint: name one other than that of --x\n")):
            answer = self.trammel("plot", "run.csv", v, *words)
            self.assertEqual((answer.code, answer.out, answer.err), (2, "", message))

    def test_a_video_needs_chromium_and_says_so_before_the_run(self):
        answer = self.trammel("simulate", "nowhere.toml", "-o", "run.webm", env={"PATH": str(self.folder)})
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertRegex(answer.err, r"^trammel: run.webm cannot be written: (no Chromium is on the PATH.*apt install chromium.*-o FILE.gif|.*npm.*)\n$")
        # a browser that ends at once
        (self.folder / "chromium").write_text("#!/bin/sh\nexit 1\n")
        (self.folder / "chromium").chmod(0o755)
        answer = self.trammel("simulate", "@pendulum", "--duration", "0.1", "-o", "run.webm", env={"PATH": f"{self.folder}:/usr/bin:/bin"})
        self.assertEqual(answer.code, 1)
        self.assertRegex(answer.err, "the video cannot be made: the browser has ended|npm")
        self.assertFalse((self.folder / "run.webm").exists())

    def test_the_page_of_inverse_has_the_path_and_the_simulated_one(self):
        self.done("inverse", "@diff_drive", "--path", "round", "--sample", "0.5", "--report", "round.html")
        page = (self.folder / "round.html").read_text()
        if '"paths":' in page:  # not in a build without npm
            self.assertIn('"name":"desired path"', page)
            self.assertRegex(page, r'"name":"simulated under these efforts, up to [0-9.e+-]+ m from it"')

    def test_snapshots_are_large_and_a_vehicle_stays_in_their_middle(self):
        picture = self.done("snapshot", "@mecanum", "--at", "0,10").out
        self.assertIn('viewBox="0 0 1280 520"', picture)
        middles = []
        for group in picture.split("<g transform")[1:]:
            xs = [float(x) for points in re.findall(r'class="solid"[^>]* points="([^"]*)"', group) for x in re.findall(r"(-?[\d.]+),", points)]
            middles.append((min(xs) + max(xs)) / 2)
            self.assertGreater(max(xs) - min(xs), 200)  # of 640 px
        for middle in middles:
            self.assertAlmostEqual(middle, 320, delta=64)


if __name__ == "__main__":
    unittest.main()
