#!/bin/sh
# Runs a script of ours on the pinned Node, with the development tools in the path: `sh scripts/node.sh scripts/check.ts [arguments]`.
set -eu
cd "$(dirname "$0")/.."
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
node="node_modules/node-linux-$arch/bin/node"
[ -x "$node" ] && [ -x node_modules/.bin/vitest ] || { echo 'vedette: the development tools are missing; sh scripts/setup.sh build installs them' >&2; exit 1; }
PATH="$PWD/node_modules/.bin:$PWD/${node%/node}:$PATH:/usr/sbin:/sbin"
export PATH
exec node --disable-warning=ExperimentalWarning "$@"
