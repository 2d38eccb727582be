"""Two bots of examples/bot.py meet on a real server and play a game to its end.

    test_bot.py MERELS BOT

Exit code 77: the package python3-websockets is missing.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request

try:
    import websockets  # noqa: F401
except ImportError:
    print("python3-websockets is not installed; skipped")
    sys.exit(77)

PATIENCE = 120  # seconds


def register(url, name):
    body = json.dumps({"name": name, "password": "a password of " + name, "bot": True}).encode()
    request = urllib.request.Request(url + "/api/v1/register", body,
                                     {"Content-Type": "application/json", "Origin": url, "Connection": "close"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert answer.status == 201, answer.status
        told = json.load(answer)
    assert told["person"]["kind"] == "bot" and told["person"]["name"] == name, told
    return told["token"]


def start_bot(merels, bot, url, token, *options):
    return subprocess.Popen(
        [sys.executable, bot, url, "--engine", merels + " engine", "--level", "1", "--rules", "three", "--movetime", "20",
         "--games", "1", *options],
        env={**os.environ, "MERELS_TOKEN": token}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    merels, bot = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        web = os.path.join(folder, "web")
        os.mkdir(web)
        with open(os.path.join(web, "index.html"), "w", encoding="utf-8") as page:
            page.write("<!doctype html>")
        server = subprocess.Popen([merels, "serve", "--listen", "127.0.0.1:0", "--web", web, "--data",
                                   os.path.join(folder, "data")], stdout=subprocess.PIPE, text=True)
        bots = []
        try:
            url = server.stdout.readline().split()[-1].rstrip("/")
            tokens = [register(url, "BotAnna"), register(url, "BotBert")]
            bots = [start_bot(merels, bot, url, tokens[0]), start_bot(merels, bot, url, tokens[1], "--take")]
            said = [b.communicate(timeout=PATIENCE)[0] for b in bots]
            codes = [b.returncode for b in bots]
        finally:
            for b in bots:
                if b.poll() is None:
                    b.kill()
                    print("a bot did not end; it said:", b.communicate()[0])
            server.send_signal(signal.SIGTERM)
            code = server.wait(timeout=PATIENCE)
    assert codes == [0, 0], (codes, said)
    assert said[0] == said[1] and " turns" in said[0], said
    assert code == 0, code
    print(said[0], end="")


main()
