"""The Azul family of board games behind one HTTP API.

Nothing is imported here: an import in this file would drag the web stack into the rules, which must load with
numpy, llvmlite and marshmallow alone.
"""
