#!/bin/sh
# `npm test`: set-up, then every check and test. `sh scripts/test.sh slow`: what takes longer (chaos, soak, long fuzz).
set -u
cd "$(dirname "$0")/.."
sh scripts/setup.sh test || exit 1
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
PATH="$PWD/node_modules/.bin:$PWD/node_modules/node-linux-$arch/bin:$PATH:/usr/sbin:/sbin"
export PATH
exec node --disable-warning=ExperimentalWarning scripts/test.ts "${1:-all}"
