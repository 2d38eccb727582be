"""What packaging/ says of the server is true of it, and other programs can read it.

    test_packaging.py MERELS SOURCE

Every metric that the board and the alerts name is in /metrics; nginx and nats-server take the examples.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

PATIENCE = 60  # seconds
failed = []


def fail(what):
    print("FAILED: " + what)
    failed.append(what)


def metrics_of(merels, folder):
    """The names that a running server has in /metrics."""
    web = os.path.join(folder, "web")
    os.mkdir(web)
    with open(os.path.join(web, "index.html"), "w", encoding="utf-8") as page:
        page.write("<!doctype html>")
    server = subprocess.Popen([merels, "serve", "--listen", "127.0.0.1:0", "--web", web, "--data",
                               os.path.join(folder, "data")], stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().split()[-1].rstrip("/")
        with urllib.request.urlopen(url + "/metrics", timeout=PATIENCE) as answer:
            text = answer.read().decode()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    return set(re.findall(r"^(merels_[a-z_]+)", text, re.MULTILINE))


def check_names(what, text, names):
    named = set(re.findall(r"\bmerels_[a-z_]+", text))
    if not named:
        fail(what + " names no metric")
    for name in sorted(named - names):
        fail(what + " names " + name + ", which /metrics does not have")
    return named


def check_board(path, names):
    with open(path, encoding="utf-8") as file:
        board = json.load(file)
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = check_names("the board", "\n".join(expressions), names)
    # A counter is shown by how it grows; what only ever rises tells nobody anything.
    for expression in expressions:
        for name in re.findall(r"\bmerels_[a-z_]+_total", expression):
            if "rate(" + name not in expression:
                fail("the board shows the counter " + name + " as it is")
    for name in sorted(names - named):
        if not name.endswith(("_sum", "_count")):
            fail("the board shows nothing of " + name)
    places = [tuple(panel["gridPos"][key] for key in "xy") for panel in board["panels"]]
    if len(set(places)) != len(places) or len({panel["id"] for panel in board["panels"]}) != len(places):
        fail("two panels of the board have one place or id")


def check_program(program, arguments, what):
    """Has another program read its settings."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        fail(program + " is not installed")
        return
    run = subprocess.run([found, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         timeout=PATIENCE, check=False)
    if run.returncode != 0:
        fail(what + ": " + run.stdout)


def check_nginx(source, name, folder):
    """With a certificate of its own, and everything it would write in a folder of its own."""
    with open(os.path.join(source, "packaging", "nginx", name), encoding="utf-8") as file:
        text = file.read()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-subj", "/CN=mill.example.org", "-keyout", folder + "/key", "-out", folder + "/certificate"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = re.sub(r"ssl_certificate \S+;", "ssl_certificate " + folder + "/certificate;", text)
    text = re.sub(r"ssl_certificate_key \S+;", "ssl_certificate_key " + folder + "/key;", text)
    # Whether this machine would let it listen there is not what is asked.
    text = re.sub(r"listen (\[::\]:)?(80|443)", r"listen \g<1>1\g<2>8", text)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {temporary}\n{text}\n}}\n")
    check_program("nginx", ["-t", "-q", "-c", path, "-e", "stderr"], name)


def main():
    merels, source = sys.argv[1:]
    packaging = os.path.join(source, "packaging")
    with tempfile.TemporaryDirectory() as folder:
        names = metrics_of(merels, folder)
        check_board(os.path.join(packaging, "grafana", "merels.json"), names)
        with open(os.path.join(packaging, "prometheus", "merels.rules.yml"), encoding="utf-8") as file:
            check_names("an alert", re.sub(r"summary:.*", "", file.read()), names)
        check_nginx(source, "merels.conf", folder)
        check_nginx(source, "merels-nodes.conf", folder)
        check_program("nats-server", ["-t", "-c", os.path.join(packaging, "nats", "nats-server.conf")],
                      "nats-server.conf")
    print("FAILED" if failed else "good")
    return 1 if failed else 0


sys.exit(main())
