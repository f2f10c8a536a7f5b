"""`make fresh`: does the README keep its word on a Debian that has git, make and python3, and nothing else?

Each is made anew in build/fresh, gets a clone of what is committed, and runs there what the README says: `make play`,
until the table answers, and `make test`; as root, and as somebody with sudo. A guest, who has no sudo, is told in one
line what is missing. What is mounted and what is left running there is gone with the namespaces it is in, however that
ends.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/fresh"
PACKAGES = ("git", "make", "python3", "ca-certificates")
# Its shell stays: whom it starts may be another user, and would then outlive `unshare`.
ENTER = """
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount --bind /dev "$1/dev"
mount --bind /dev/pts "$1/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
shift
chroot "$@"
"""
HANDED_ON = re.compile(r"(.*_)?(proxy|cert|certs|cainfo|index_url)|.*_ca_.*|(pip|npm_config)_.*|ssl_.*", re.IGNORECASE)
"""How this machine comes to its packages: variables that name proxies, indexes and authorities."""
APT = re.compile(r"Acquire::(https?::|Check-).*")
AUTHORITIES = Path("usr/local/share/ca-certificates")
PLAYS_S = 900
ENDS_S = 20
ENDED = (0, 2, -signal.SIGINT, 128 + signal.SIGINT)
"""What make says of a Ctrl-C."""
SHOWN = 40
GUEST = "guest"
PEOPLE = f"root; {GUEST}, who has no sudo; anybody else has it"
MISSING = re.compile(r"^Missing: python3-venv\. To be installed as root: apt-get install python3-venv$", re.MULTILINE)


class Fresh:
    """One Debian, and somebody who works there."""

    def __init__(self, base: Path, person: str) -> None:
        self.name = f"{base.name}, {person}"
        self._there = BUILD / f"{base.name}-{person}"
        self._person = person
        self._log = BUILD / f"{base.name}-{person}.log"
        self._environment = handed_on()
        home = Path("root" if person == "root" else f"home/{person}")
        self._environment |= {"HOME": f"/{home}", "LANG": "C.UTF-8", "TERM": "dumb"}
        self._environment["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        self._clone = home / "table-companion"
        _remove(self._there)
        subprocess.run(["cp", "-a", base, self._there], check=True)
        self._log.write_text("")
        if person != "root":
            self._as_root("useradd", "--create-home", "--shell", "/bin/bash", person)
        if person not in ("root", GUEST):
            self._let_in()
        subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{ROOT}", self._there / self._clone], check=True)
        self._as_root("chown", "-R", person, f"/{self._clone}")

    def tries(self, test: str) -> dict[str, Callable[[], str | None]]:
        """Return the README's commands, with what tries each of them and gives what is wrong."""
        if self._person == GUEST:
            return {command: partial(self.refused, command) for command in ("make play", test)}
        return {"make play": self.play, test: partial(self.test, test)}

    def play(self) -> str | None:
        """Start the table, look whether it answers at the address it tells, and stop it; give what is wrong."""
        with socket.socket() as free:
            free.bind(("", 0))
            port = free.getsockname()[1]
        with self._log.open("a") as log:
            playing = self._run(f"make play PORT={port}", stdout=log, stderr=log, start_new_session=True)
        try:
            return self._looked_at(playing)
        finally:
            playing.kill()
            playing.wait()

    def _looked_at(self, playing: subprocess.Popen[str]) -> str | None:
        until = time.monotonic() + PLAYS_S
        while not (address := re.search(r"open at (http://\S+)", self._log.read_text())):
            if playing.poll() is not None:
                return f"it ended with {playing.returncode}"
            if time.monotonic() > until:
                return f"it told no address in {PLAYS_S} s"
            time.sleep(0.2)
        while why := _amiss(address[1]):  # it tells its address a moment before it is there
            if time.monotonic() > until:
                return why
            time.sleep(0.2)
        os.killpg(playing.pid, signal.SIGINT)
        try:
            ended = playing.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            return f"it did not stop in {ENDS_S} s"
        return None if ended in ENDED else f"stopped, it ended with {ended}"

    def test(self, command: str) -> str | None:
        """Run it; give what is wrong."""
        with self._log.open("a") as log:
            ended = self._run(command, stdout=log, stderr=log).wait()
        return f"it ended with {ended}" if ended else None

    def refused(self, command: str) -> str | None:
        """Run it where nothing can be installed; give what is wrong."""
        known_missing = len(MISSING.findall(self._log.read_text()))
        ended = self.test(command)
        times_told = len(MISSING.findall(self._log.read_text())) - known_missing
        return None if ended and times_told == 1 else f"it told {times_told} times what is missing"

    def last_words(self) -> str:
        """Return the end of all it has said, and where there is more."""
        return "\n".join([*self._log.read_text(errors="replace").splitlines()[-SHOWN:], f"All of it: {self._log}"])

    def remove(self) -> None:
        """Take no more room than the log."""
        _remove(self._there)

    def _let_in(self) -> None:
        self._as_root("apt-get", "update", "-qq")
        self._as_root("apt-get", "install", "-y", "-qq", "sudo")
        may = f'Defaults env_keep += "{" ".join(handed_on())}"\n{self._person} ALL=(ALL) NOPASSWD: ALL\n'
        (self._there / "etc/sudoers.d/fresh").write_text(may)

    def _as_root(self, *command: str) -> None:
        entered(self._there, *command, environment=self._environment, log=self._log)

    def _run(self, command: str, **more: object) -> subprocess.Popen[str]:
        """Start a command in the clone, as that person."""
        inside = f"cd /{self._clone} && {command}"
        # Without a terminal: nobody is there to be asked anything.
        words = _entering(self._there, "sh", "-c", inside, person=self._person, environment=self._environment)
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True, **more)  # type: ignore[call-overload, no-any-return]


def _entering(root: Path, *command: str, environment: Mapping[str, str], person: str = "root") -> list[str]:
    alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", ENTER, "sh", str(root)]
    variables = [f"{name}={value}" for name, value in environment.items()]
    return [*alone, f"--userspec={person}", str(root), "env", "-i", *variables, *command]


def entered(root: Path, *command: str, environment: Mapping[str, str], log: Path) -> None:
    """Have root run a command in there."""
    with log.open("a") as journal:
        words = _entering(root, *command, environment={**environment, "DEBIAN_FRONTEND": "noninteractive"})
        subprocess.run(words, stdin=subprocess.DEVNULL, stdout=journal, stderr=journal, check=True)


def handed_on() -> dict[str, str]:
    """Return the variables that are of use in there: a folder of this machine is not."""
    named = {name: value for name, value in os.environ.items() if HANDED_ON.fullmatch(name)}
    return {name: value for name, value in named.items() if not Path(value).is_dir()}


def make_debian(debian: str, build: Path = BUILD, packages: Iterable[str] = PACKAGES) -> Path:
    """Make that Debian as `debootstrap` makes it, with what this machine needs to reach any other."""
    root = build / debian
    log = build / f"{debian}.log"
    _remove(root)
    build.mkdir(parents=True, exist_ok=True)
    debootstrap = ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", debian, str(root)]
    with log.open("w") as journal:
        subprocess.run(debootstrap, stdout=journal, stderr=journal, check=True)
    for file in ("etc/resolv.conf", "etc/hosts"):
        shutil.copy(f"/{file}", root / file)
    settings = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout.splitlines()
    ours = "".join(f"{line}\n" for line in settings if APT.match(line))
    (root / "etc/apt/apt.conf.d/99fresh").write_text(ours)
    if ("/" / AUTHORITIES).exists():
        shutil.copytree("/" / AUTHORITIES, root / AUTHORITIES, dirs_exist_ok=True)
    entered(root, "update-ca-certificates", environment={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, log=log)
    for value in handed_on().values():
        if Path(value).is_absolute() and Path(value).is_file():
            (root / value[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(value, root / value[1:])
    return root


def _amiss(address: str) -> str | None:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=20) as page:
            return None if page.status == 200 else f"{address} answers {page.status}"
    except OSError as wrong:
        return f"{address}: {wrong}"


def _remove(root: Path) -> None:
    subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)


def main(args: list[str]) -> int:
    """Say what is done, how long it took and how it ended; give the exit status."""
    parser = argparse.ArgumentParser(prog="tests.fresh", description="Try the README's commands on fresh Debians.")
    parser.add_argument("--debians", nargs="+", default=["bookworm", "trixie"])
    parser.add_argument("--as", nargs="+", default=["root", "user", GUEST], dest="people", help=PEOPLE)
    parser.add_argument("--test", default="make test", help="the command to try after `make play`")
    options = parser.parse_args(args)
    if os.geteuid() != 0:
        print("Only root may make a Debian: sudo -E make fresh")
        return 1
    wrong = 0
    for debian in options.debians:
        base = make_debian(debian)
        for person in options.people:
            fresh = Fresh(base, person)
            for command, tried in fresh.tries(options.test).items():
                began = time.monotonic()
                why = tried()
                print(f"{fresh.name}: {command}: {why or 'well'} ({time.monotonic() - began:.0f} s)", flush=True)
                if why:
                    wrong += 1
                    print(fresh.last_words(), flush=True)
            fresh.remove()
        _remove(base)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
