#!/bin/sh
# `npm run lab`: the network lab, open for playing until Ctrl-C.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh test
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
PATH="$PWD/node_modules/.bin:$PWD/node_modules/node-linux-$arch/bin:$PATH:/usr/sbin:/sbin"
export PATH
exec node --disable-warning=ExperimentalWarning test/lab/open.ts
