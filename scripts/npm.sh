#!/bin/sh
# Runs npm on the Node that scripts/binaries.sha256 pins, whatever the machine's is: `sh scripts/npm.sh ci --omit=dev`. On an older Node npm leaves out
# optional packages that ask for a newer one, sharp's library among them, without a word.
set -eu
cd "$(dirname "$0")/.."
say() { printf 'vedette setup: %s\n' "$*" >&2; }
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) say "no Node for $(uname -m)"; exit 1 ;;
esac
npm=$(command -v npm) || { say 'npm is missing: install Node and npm, any version since Node 18'; exit 1; }
pin=$(grep " node-linux-$arch " scripts/binaries.sha256)
hash=${pin%% *}
version=$(echo "$pin" | cut -d ' ' -f 3)
is_pinned() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$hash" ]; }

# An image may have it without its symbols (deploy/Dockerfile).
if [ "$(node --version 2>/dev/null)" = "v$version" ]; then
  program=$(command -v node)
else
  # Not in node_modules, which `npm ci` empties; one for each run, of which another may be under way. Runs that were killed left theirs.
  for old in "$PWD"/.vedette-node*; do [ -d "/proc/${old##*.}" ] || rm -rf "$old" || say "$old cannot be removed"; done
  folder=$PWD/.vedette-node.$$
  rm -rf "$folder"
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir "$folder"
  program=$folder/node
  installed=node_modules/node-linux-$arch/bin/node
  if is_pinned "$installed"; then
    ln "$installed" "$program" 2>/dev/null || cp "$installed" "$program"
  else
    # npm keeps what it fetches: `npm ci` does not fetch it again.
    say "fetching Node $version, which npm runs on"
    "$npm" pack --silent --pack-destination "$folder" "node-linux-$arch@$version" >/dev/null
    tar -xzf "$folder"/*.tgz -C "$folder" package/bin/node
    mv "$folder/package/bin/node" "$program"
    is_pinned "$program" || { say "the registry's node-linux-$arch@$version is not what scripts/binaries.sha256 pins"; exit 1; }
  fi
  PATH="$folder:$PATH"
  export PATH
fi
script=$(readlink -f "$npm")
# Debian's npm finds its own parts where Debian's Node looks for them.
case $script in /usr/share/nodejs/*) NODE_PATH=/usr/share/nodejs; export NODE_PATH ;; esac
# A wrapper of a version manager is no script of Node's: it would choose a Node of its own.
case $(head -n 1 "$script") in
  *node*) "$program" "$script" "$@" ;;
  *) say "$npm is not npm itself: it may run on another Node than $version"; "$npm" "$@" ;;
esac
