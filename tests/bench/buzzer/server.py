"""A buzzer page of the usual kind, as tutorials build it: Flask-SocketIO in its default mode, one page for everybody.

    python server.py PORT SOCKET_IO_JS

Whoever buzzes first after a reset is shown to all.
"""

import logging
import sys
from pathlib import Path

from flask import Flask, Response, render_template_string
from flask_socketio import SocketIO, emit

PAGE = """<!doctype html>
<title>Buzzer</title>
<h1 id="live">Nobody yet</h1>
<input id="name" value="Ana"> <button id="buzz">Buzz</button> <button id="reset">Reset</button>
<script src="/socket.io.js"></script>
<script>
const socket = io();
const shown = document.getElementById("live");
document.getElementById("buzz").onclick = () => socket.emit("buzz", { name: document.getElementById("name").value });
document.getElementById("reset").onclick = () => socket.emit("reset");
socket.on("first", (who) => { shown.textContent = `${who.name} was first`; });
socket.on("cleared", () => { shown.textContent = "Nobody yet"; });
</script>
"""

app = Flask(__name__)
socketio = SocketIO(app)
first = None


@app.route("/")
def page():
    return render_template_string(PAGE)


@app.route("/socket.io.js")
def script():
    return Response(Path(sys.argv[2]).read_bytes(), mimetype="text/javascript")


@socketio.on("buzz")
def buzz(player):
    global first
    if first is None:
        first = player["name"]
        emit("first", {"name": first}, broadcast=True)


@socketio.on("reset")
def reset():
    global first
    first = None
    emit("cleared", broadcast=True)


if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    socketio.run(app, host="127.0.0.1", port=int(sys.argv[1]), allow_unsafe_werkzeug=True)
