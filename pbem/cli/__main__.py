"""`python -m pbem.cli`: the same as the command `pbem`."""

from pbem.cli import main

main()
