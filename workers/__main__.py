"""`python -m workers` runs one worker."""

from workers.worker import main

if __name__ == "__main__":
    main()
