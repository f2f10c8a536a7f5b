"""Opens the table's own network, beside a NetworkManager that has a cable and no radio."""

from companion.machine.network_files import texts
from companion.network.own_wifi import OwnWifi
from companion.network.wifi import Wifi

if __name__ == "__main__":
    for path, text in texts(80).items():
        if "NetworkManager" in path.parts:
            path.write_text(text, encoding="utf-8")
    wifi = Wifi(OwnWifi("Table", "secret-enough"), kind="ethernet")
    wifi.open()
    print("own:", wifi.standing.own is not None, *filter(None, [wifi.standing.trouble]))
