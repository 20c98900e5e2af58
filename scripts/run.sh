#!/bin/sh
# Sets up what is missing, then runs one process on the pinned Node: `sh scripts/run.sh packages/all/src/main.ts [arguments]`.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
sh "$root/scripts/setup.sh" run
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
# The pinned nats-server before the distribution's.
nats=$root/node_modules/.vedette-nats-$(sed -n "s/.* nats-server-$arch \([^ ]*\) .*/\1/p" "$root/scripts/binaries.sha256")
[ ! -x "$nats/nats-server" ] || PATH=$nats:$PATH
main=$1
shift
# One arena of glibc's: what the threads of a start have freed is given back, 10 MB in all.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
# Types are stripped once, not in each process: its children inherit this.
export NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }--import=\"$root/scripts/types.mjs\""
exec "$root/node_modules/node-linux-$arch/bin/node" --disable-warning=ExperimentalWarning "$root/$main" "$@"
