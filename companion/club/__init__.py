"""Many tables at one broker: what they tell it, in what words, and the table's own part in that."""
