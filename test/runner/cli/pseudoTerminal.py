"""Runs a command at a pseudo-terminal and types at it.

Arguments: JSON of [[awaited text, keys to press then, seconds before each key], ...] (the seconds may be left out), then the
command. Prints JSON: what the terminal showed, whole and in pieces with the seconds at which they came, its exit code, and
whether the terminal waited for whole lines and echoed: before, while the keys were pressed, and after.
"""
import codecs
import json
import os
import pty
import select
import sys
import termios
import time

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # Before the command, so that it finds it: the size of the recordings.
    termios.tcsetwinsize(0, (30, 120))
    os.execvp(sys.argv[2], sys.argv[2:])


def settings():
    flags = termios.tcgetattr(terminal)[3]
    return {"lines": bool(flags & termios.ICANON), "echo": bool(flags & termios.ECHO)}


shown = ""
pieces = []
decoder = codecs.getincrementaldecoder("utf-8")()
began = time.monotonic()
before = settings()
during = []


def read():
    global shown
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        return False
    text = decoder.decode(piece)
    shown += text
    pieces.append([round(time.monotonic() - began, 3), text])
    return piece != b""


def wait(seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0] and not read():
            return


for awaited, keys, *seconds in steps:
    while awaited not in shown and read():
        pass
    during.append(settings())
    for key in keys:
        wait(sum(seconds))
        os.write(terminal, key.encode())
while read():
    pass
after = settings()
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
result = {"shown": shown, "pieces": pieces, "code": code, "before": before, "during": during, "after": after}
print(json.dumps(result))
