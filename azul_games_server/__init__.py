"""The private package of the server's wheel, with the command `azul-games-server`."""
