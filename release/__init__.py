"""What is made for people who have no tree: the packages of a release, the files of a fresh card."""
