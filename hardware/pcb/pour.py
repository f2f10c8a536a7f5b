"""Pour the ground of a board and save it: run by the Python that KiCad brings."""

import sys

import pcbnew

board = pcbnew.LoadBoard(sys.argv[1])
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
board.Save(sys.argv[1])
