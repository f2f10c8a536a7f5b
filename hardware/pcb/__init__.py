"""The two printed circuit boards, made from code: parts and nets in, files for a board house and a drawing out."""
