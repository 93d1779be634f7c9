"""The Azul family of board games behind one HTTP API.

This file imports nothing, because the rules must load with only numpy and marshmallow.
"""
