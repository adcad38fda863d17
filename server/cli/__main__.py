"""`python -m server.cli`: the command `herald` without installation."""

from server.cli import main

if __name__ == "__main__":
    main(prog_name="herald")
