"""What the machine must be told so that phones find the table: its mDNS name, who may change its network, and which
names lead to it in its own Wi-Fi.
"""

from collections.abc import Mapping
from pathlib import Path

from companion.machine.table_unit import NAME
from companion.web.http.captive_portal import HOSTS

GATEWAY = "10.42.0.1"
"""The address that NetworkManager gives a machine on its own network."""


PATHS = (
    Path("/etc/avahi/services") / f"{NAME}.service",
    Path("/etc/polkit-1/rules.d") / f"50-{NAME}.rules",
    Path("/etc/NetworkManager/dnsmasq-shared.d") / f"{NAME}.conf",
)
"""Each is useful only if its folder exists, which comes with the program that reads it."""


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
    """Return only the names that phones use to check for internet, and the table's own: all others stay unknown."""
    return "".join(f"address=/{name}/{GATEWAY}\n" for name in ("table.local", "table.lan", *HOSTS))
