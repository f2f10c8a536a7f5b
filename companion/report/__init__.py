"""The report for remote support: one file with what is known of a table, without anything private."""
