"""Integration with the machine: systemd's units and watchdog, mDNS, permission to change the network."""
