"""Lets the system start the daemon at login: systemd and launchd, told by their own programs and files."""
