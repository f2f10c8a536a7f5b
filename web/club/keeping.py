"""To come."""

from flask import Blueprint

routes = Blueprint("keeping", __name__)
