"""What the machine must be told so that phones find the table: its name by mDNS, who may change its network, and which
names lead to it in its own Wi-Fi.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.machine.table_unit import NAME
from companion.web.http.captive_portal import HOSTS

GATEWAY = "10.42.0.1"
"""The address that NetworkManager gives a machine in a network of its own."""


def texts(port: int) -> Mapping[Path, str]:
    """Return every file and its text."""
    return {
        Path("/etc/avahi/services") / f"{NAME}.service": _AVAHI.format(port=port),
        Path("/etc/polkit-1/rules.d") / f"50-{NAME}.rules": _POLKIT,
        Path("/etc/NetworkManager/dnsmasq-shared.d") / f"{NAME}.conf": _names(),
    }


def install(port: int) -> Iterator[str]:
    """Write them where the programs are there that read them; yield what is done. Raises OSError."""
    for path, text in texts(port).items():
        if path.parent.is_dir():
            path.write_text(text, encoding="utf-8")
            yield f"written {path}"
        else:
            yield f"not written {path}: there is no {path.parent}"


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
