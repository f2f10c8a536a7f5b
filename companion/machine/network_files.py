"""What the machine must be told so that phones find the table: its name by mDNS, who may change its network, and which
names lead to it in its own Wi-Fi.
"""

from collections.abc import Mapping
from pathlib import Path

from companion.machine.table_unit import NAME
from companion.web.http.captive_portal import HOSTS

GATEWAY = "10.42.0.1"
"""The address that NetworkManager gives a machine in a network of its own."""


PATHS = (
    Path("/etc/avahi/services") / f"{NAME}.service",
    Path("/etc/polkit-1/rules.d") / f"50-{NAME}.rules",
    Path("/etc/NetworkManager/dnsmasq-shared.d") / f"{NAME}.conf",
)
"""Each is of use only where its folder is, which comes with the program that reads it."""


def texts(port: int) -> Mapping[Path, str]:
    """Return every file and its text, for a page at this port."""
    return dict(zip(PATHS, (_AVAHI.format(port=port), _POLKIT, _names()), strict=True))


_AVAHI = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
  <service>
    <type>_http._tcp</type>
    <port>{port}</port>
    <txt-record></txt-record>
  </service>
</service-group>
"""

_POLKIT = f"""\
polkit.addRule(function(action, subject) {{
  if (action.id.indexOf("org.freedesktop.NetworkManager.") === 0 && subject.user === "{NAME}") {{
    return polkit.Result.YES;
  }}
}});
"""


def _names() -> str:
    """Only what phones ask to see whether there is an internet, and the table's own name: all else stays unknown."""
    return "".join(f"address=/{name}/{GATEWAY}\n" for name in ("table.local", "table.lan", *HOSTS))
