"""A page on a port of this machine."""
import signal
import subprocess
import unittest
import urllib.request

from program import InFolder, program


class View(InFolder):
    def serving(self, *words):
        run = subprocess.Popen([program, "view", *words], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        return run, run.stdout.readline().strip()

    def test_a_motion_is_served_until_it_is_ended(self):
        run, address = self.serving("@pendulum", "--duration", "0.2")
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/$")
        with urllib.request.urlopen(address) as answer:
            page = answer.read().decode()
            self.assertEqual(answer.headers.get_content_type(), "text/html")
        self.assertIn("<html", page)
        self.assertIn("pendulum", page)
        # nothing but the page, and no other address of this machine
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

    def test_what_cannot_be_served_is_told(self):
        answer = self.trammel("view", "gone.html")
        self.assertEqual(answer.code, 1)
        self.assertIn("gone.html: cannot be read", answer.err)
        for port in ("-1", "65536", "1e99"):
            answer = self.trammel("view", "@pendulum", f"--port={port}")
            self.assertIn("it takes 1 to 65535", answer.err)
        run, address = self.serving("@pendulum", "--duration", "0.1")
        port = address.rsplit(":", 1)[1].rstrip("/")
        answer = self.trammel("view", "@pendulum", "--duration", "0.1", "--port", port)
        self.assertIn(f"port {port} cannot be taken", answer.err)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 0)


if __name__ == "__main__":
    unittest.main()
