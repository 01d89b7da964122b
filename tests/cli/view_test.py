"""A page on a port of this machine."""
import base64
import hashlib
import http.client
import re
import resource
import signal
import socket
import subprocess
import unittest
import urllib.request

from program import InFolder, program


class Serving(InFolder):
    def serving(self, *words):
        run = subprocess.Popen([program, "view", *words], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        return run, run.stdout.readline().strip()


class View(Serving):
    def test_a_motion_is_served_until_it_is_ended(self):
        run, address = self.serving("@pendulum", "--duration", "0.2")
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/$")
        with urllib.request.urlopen(address) as answer:
            page = answer.read().decode()
            self.assertEqual(answer.headers.get_content_type(), "text/html")
        self.assertIn("<html", page)
        self.assertIn("pendulum", page)
        # only the page, and no other address of this machine
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(address + "etc/passwd")
        with self.assertRaises(OSError):
            urllib.request.urlopen(address.replace("127.0.0.1", "127.0.0.2"), timeout=2)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 0)

    def test_what_acts_acts_on_the_page_too(self):
        pages = []
        for words in [], ["--tau", "elbow=1"], ["--wrench", "fore=0,0,0,5,0,0"], ["--v", "elbow=1"]:
            run, address = self.serving("arm.urdf", "--duration", "0.2", *words)
            with urllib.request.urlopen(address) as answer:
                pages.append(answer.read().decode())
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(20), 0)
        self.assertEqual(len(set(pages)), len(pages))

    def test_a_page_that_is_there_is_served_as_it_is(self):
        (self.folder / "run.html").write_text("<html>é</html>")
        run, address = self.serving("run.html", "--for", "5")
        with urllib.request.urlopen(address) as answer:
            self.assertEqual(answer.read().decode(), "<html>é</html>")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 0)

    def test_a_page_that_cannot_be_served_is_reported(self):
        answer = self.trammel("view", "gone.html")
        self.assertEqual(answer.code, 1)
        self.assertIn("gone.html: there is no such file; give a page that simulate --report wrote", answer.err)
        for port in ("-1", "65536", "1e99"):
            answer = self.trammel("view", "@pendulum", f"--port={port}")
            self.assertIn("it takes 1 to 65535", answer.err)
        run, address = self.serving("@pendulum", "--duration", "0.1")
        port = address.rsplit(":", 1)[1].rstrip("/")
        answer = self.trammel("view", "@pendulum", "--duration", "0.1", "--port", port)
        self.assertIn(f"port {port} cannot be taken", answer.err)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 0)


class Guarded(Serving):
    """Other pages in the same browser, and other users of this machine, send what they like."""

    def setUp(self):
        super().setUp()
        self.page = b"<html>" + 100_000 * b"x" + b"</html>"
        (self.folder / "run.html").write_bytes(self.page)
        self.run_, address = self.serving("run.html")
        self.port = int(address.rsplit(":", 1)[1].rstrip("/"))

    def tearDown(self):
        self.run_.send_signal(signal.SIGINT)
        self.assertEqual(self.run_.wait(20), 0)

    def ask(self, method="GET", headers={}, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        self.addCleanup(connection.close)
        connection.request(method, "/", body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def test_only_this_machine_is_answered(self):
        for name in "127.0.0.1", "localhost", "[::1]":
            self.assertEqual(self.ask(headers={"Host": f"{name}:{self.port}"}), (200, self.page))
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1", "localhost", f"127.0.0.1:{self.port + 1}",
                     f"localhost:{self.port}.evil.example", ""):
            status, body = self.ask(headers={"Host": host})
            self.assertEqual(status, 403, host)
            self.assertNotIn(b"<html>", body)

    def test_ranges_are_not_multiplied(self):
        for count in 1, 2, 1000:
            status, body = self.ask(headers={"Range": "bytes=" + ",".join(count * ["0-"])})
            self.assertEqual((status, body), (200, self.page))

    def test_bodies_are_not_kept(self):
        def memory():
            with open(f"/proc/{self.run_.pid}/status") as status:
                return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1])
        before = memory()
        piece = 1 << 20
        for head in f"Content-Length: {100 * piece}\r\n", "", "Transfer-Encoding: chunked\r\n":
            with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
                line.sendall(f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{head}\r\n".encode())
                try:
                    for _ in range(100):
                        line.sendall(f"{piece:x}\r\n".encode() + piece * b"x" + b"\r\n" if "chunked" in head else piece * b"x")
                except OSError:
                    pass  # it has closed the connection
            self.assertLess(memory() - before, 20 << 10)  # kB, of 100 MB sent
        self.assertEqual(self.ask()[0], 200)
        for method in "POST", "PUT", "DELETE", "OPTIONS":
            self.assertEqual(self.ask(method)[0], 405)
        self.assertEqual(self.ask("HEAD"), (200, b""))

    def test_threads_that_cannot_be_had_are_reported(self):
        # stacks larger than the memory limit of the program: no thread can be created
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (8 << 30, resource.RLIM_INFINITY))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        done = subprocess.run([program, "view", "run.html"], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(done.stderr, "trammel: the page cannot be served: this machine gives no thread to answer with\n")


class Policy(InFolder):
    def test_a_page_runs_its_own_script_and_no_other(self):
        self.done("simulate", "@pendulum", "--duration", "0.1", "--report", "run.html", "-o", "run.csv")
        self.done("plot", "run.csv", "-o", "plots.html")
        for file in "run.html", "plots.html":
            page = (self.folder / file).read_text()
            policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
            self.assertIn("default-src 'none'", policy)
            scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
            if not scripts:  # built without npm: a plain page
                self.assertNotIn("script-src", policy)
                continue
            self.assertNotIn("unsafe", policy.split("style-src")[0])
            hash_of = lambda text: "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertEqual(re.findall("script-src '(.*?)'", policy), list(map(hash_of, scripts)))
            if file == "run.html":  # the other has drawings with style sheets of their own, for browsers without scripts
                self.assertEqual(re.findall("style-src '(.*?)'", policy), list(map(hash_of, re.findall("<style>(.*?)</style>", page, re.S))))
                self.assertNotIn(' style="', re.sub(r"<script.*?</script>", "", page, flags=re.S))


if __name__ == "__main__":
    unittest.main()
