#!/bin/sh
# Installs packages of Debian or Ubuntu as root: `sh scripts/debian.sh nats-server g++`. It asks nothing, and no package starts a service: the two programs
# by which they do are those of scripts/no-services while dpkg runs (DPkg::Path, apt.conf(5)). That is a variable of this one run: nothing on the machine has
# to be taken back, whatever ends it.
set -eu
services=$(cd "$(dirname "$0")/no-services" && pwd)
# apt hands files in TMPDIR to a user of its own, to whom root's may be closed.
unset TMPDIR
# needrestart of Ubuntu would ask, or restart services.
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
# A fresh machine's own updates may hold apt's lock for a while. Configuration files that an operator changed stay as they are.
debian() {
  apt-get -o DPkg::Path="$services:/usr/sbin:/usr/bin:/sbin:/bin" -o DPkg::Lock::Timeout=120 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null
}
debian update
# How much comes, for who reads descriptor 3, before it does.
{ true >&3; } 2>/dev/null || exec 3>/dev/null
debian install --print-uris -qq --no-install-recommends "$@" |
  awk '{ bytes += $3 } END { printf "vedette setup: %d packages of the distribution, %d MB to fetch\n", NR, (bytes + 999999) / 1000000 }' >&3
debian install -y --no-install-recommends "$@"
