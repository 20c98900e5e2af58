#!/bin/sh
# Installs packages of Debian or Ubuntu as root: `sh scripts/debian.sh nats-server g++`. It asks nothing, and no package starts a service: the two programs
# by which they do are those of scripts/no-services while dpkg runs (DPkg::Path, apt.conf(5)). That is a variable of this one run: nothing on the machine has
# to be taken back, whatever ends it.
set -eu
services=$(cd "$(dirname "$0")/no-services" && pwd)
# needrestart of Ubuntu would ask, or restart services.
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
# A fresh machine's own updates may hold apt's lock for a while. Configuration files that an operator changed stay as they are.
debian() {
  apt-get -o DPkg::Path="$services:/usr/sbin:/usr/bin:/sbin:/bin" -o DPkg::Lock::Timeout=120 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null
}
debian update
debian install -y --no-install-recommends "$@"
