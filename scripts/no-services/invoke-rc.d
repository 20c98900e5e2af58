#!/bin/sh
# Stands before Debian's own in the PATH of packages that scripts/debian.sh installs: they start, stop and restart no service.
exit 0
