"""What is asked of the operating system: files read and written safely, processes started and ended."""
