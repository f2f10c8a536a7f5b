"""To come."""

from flask import Blueprint

routes = Blueprint("wall", __name__)
