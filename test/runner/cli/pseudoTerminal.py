"""Runs a command at a pseudo-terminal and types at it.

Arguments: JSON of [[awaited text, keys to press then], ...], then the command. Prints JSON: what the terminal showed, its
exit code, and whether the terminal waited for whole lines and echoed: before, while the keys were pressed, and after.
"""
import json
import os
import pty
import sys
import termios

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])


def settings():
    flags = termios.tcgetattr(terminal)[3]
    return {"lines": bool(flags & termios.ICANON), "echo": bool(flags & termios.ECHO)}


shown = b""
before = settings()
during = []


def read():
    global shown
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        return False
    shown += piece
    return piece != b""


for awaited, keys in steps:
    while awaited.encode() not in shown and read():
        pass
    during.append(settings())
    os.write(terminal, keys.encode())
while read():
    pass
after = settings()
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"shown": shown.decode(), "code": code, "before": before, "during": during, "after": after}))
