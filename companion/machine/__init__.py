"""What the machine is told about a table: systemd's units and its watchdog, mDNS, who may change the network."""
