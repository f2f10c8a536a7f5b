"""The table's own network by a real NetworkManager and its dnsmasq, on a cable in namespaces of its own: no radio."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INSIDE = """
set -e
mount -t tmpfs none /run; mkdir -p /run/dbus /run/NetworkManager
mount -t tmpfs none /var/lib/NetworkManager; mount -t tmpfs none /etc/NetworkManager; mount -t sysfs -o ro none /sys
mkdir -p /etc/NetworkManager/dnsmasq-shared.d /etc/NetworkManager/conf.d /etc/NetworkManager/system-connections
printf '[main]\\nauth-polkit=false\\n' > /etc/NetworkManager/NetworkManager.conf
ip link set lo up
dbus-daemon --system --fork --nopidfile
ip netns add phone; ip link add table0 type veth peer name phone0; ip link set phone0 netns phone
ip netns exec phone ip link set phone0 up
NetworkManager --no-daemon > /run/nm.log 2>&1 & manager=$!
trap "kill $manager" EXIT
until nmcli -t general status > /run/status 2>&1; do sleep 0.1; done
nmcli device set table0 managed yes
{python} -m tests.network.opened
ip netns exec phone ip address add 10.42.0.77/24 dev phone0
ip netns exec phone {python} -m tests.network.asked
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a network namespace")
@pytest.mark.skipif(
    not all(map(shutil.which, ("NetworkManager", "nmcli", "dnsmasq", "dbus-daemon", "unshare", "ip"))),
    reason="NetworkManager and dnsmasq are not installed: apt-get install network-manager dnsmasq-base iproute2",
)
def test_a_phone_in_the_tables_own_network_finds_it_by_name() -> None:
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--propagation", "private", "sh", "-c"]
    done = subprocess.run(
        [*words, INSIDE.format(python=sys.executable)],
        capture_output=True,
        text=True,
        env=where,
        timeout=60,
        check=False,
    )
    if "Operation not permitted" in done.stderr and not done.stdout:
        pytest.skip("this machine lends no namespaces")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-4:] == [
        "own: True",
        "table.local 10.42.0.1",
        "connectivitycheck.gstatic.com 10.42.0.1",
        "example.com –",
    ]
