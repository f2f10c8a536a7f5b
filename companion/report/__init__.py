"""One file for whoever helps from afar: what is known of a table, without anything private."""
