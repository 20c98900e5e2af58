#!/bin/sh
# Installs Vedette's agent, with Node in it, for root in /opt, else in ~/.local/share/vedette; a later run upgrades it.
#   sh install.sh [--from <URL or folder>] [--version <version>] [--prefix <folder>] [--token-file <file>]
#     --from        where the files of the release are: a folder needs no network
#     --version     another version than that of this script; its checksums must be signed
#     --prefix      the folder to install into
#     --token-file  joins a fleet with this token
# It needs sh, tar, sha256sum, xz or gzip, and curl or wget; not root. `npm run release` wrote it.
set -eu
umask 022

own_version='@VERSION@'
url='@URL@'
public_key='@PUBLIC_KEY@'
hashes='@HASHES@'

say() { printf 'vedette install: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

fetch() {
  case $from in
    http://* | https://*)
      if has curl; then curl -fsSL -o "$work/$1" "$from/$1"
      elif has wget; then wget -q -O "$work/$1" "$from/$1"
      else fail 'needs curl or wget; or fetch the files yourself and name their folder with --from'
      fi || fail "$from/$1 cannot be fetched" ;;
    *) cp "$from/$1" "$work/$1" || fail "there is no $1 in $from" ;;
  esac
}

# Whether the maintainers signed SHA256SUMS. The signature is of minisign's older form, which is plain Ed25519 of the file: openssl reads that, too.
verify_signature() {
  [ -n "$public_key" ] || fail "this script has no key to check signatures with: take the install.sh of $version"
  fetch SHA256SUMS
  fetch SHA256SUMS.minisig
  if has minisign; then
    minisign -V -q -m "$work/SHA256SUMS" -P "$public_key" >&2 || fail 'the signature of SHA256SUMS is not ours: nothing is installed'
  elif has openssl; then
    printf '%s\n' "$public_key" | openssl base64 -d -A | tail -c 32 >"$work/key"
    { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; cat "$work/key"; } >"$work/key.der"
    sed -n 2p "$work/SHA256SUMS.minisig" | openssl base64 -d -A | tail -c 64 >"$work/signature"
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin -in "$work/SHA256SUMS" -sigfile "$work/signature" >/dev/null 2>&1 ||
      fail 'the signature of SHA256SUMS is not ours, or openssl is older than 3.0: nothing is installed'
  else
    fail "needs minisign or openssl, to check that $version is ours"
  fi
  hashes=$(cat "$work/SHA256SUMS")
}

main() {
  version=$own_version from='' prefix='' token_file=''
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --version | --prefix | --token-file) [ $# -gt 1 ] || fail "$1 wants a value" ;;
      *) fail "there is no $1; there are --from, --version, --prefix and --token-file" ;;
    esac
    case $1 in
      --from) from=$2 ;;
      --version) version=${2#v} ;;
      --prefix) prefix=$2 ;;
      --token-file) token_file=$2 ;;
    esac
    shift 2
  done
  [ "$(uname -s)" = Linux ] || fail "only Linux is supported; this is $(uname -s)"
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) fail "there is no agent for $(uname -m)" ;;
  esac
  for program in tar sha256sum; do has "$program" || fail "needs $program"; done
  if has xzcat; then kind=xz unpack=xzcat; else kind=gz unpack='gzip -dc'; fi
  [ -n "$from" ] || from=${url:+$url/v$version}
  [ -n "$from" ] || fail 'say where the files of the release are: --from <URL or folder>'
  [ -z "$token_file" ] || [ -r "$token_file" ] || fail "$token_file cannot be read"
  if [ -z "$prefix" ]; then
    if [ "$(id -u)" = 0 ]; then prefix=/opt; else prefix=${XDG_DATA_HOME:-$HOME/.local/share}/vedette; fi
  fi
  mkdir -p "$prefix" || fail "$prefix cannot be made: name another folder with --prefix"
  prefix=$(cd "$prefix" && pwd)
  current=$prefix/vedette-agent
  [ -L "$current" ] || [ ! -e "$current" ] || fail "$current was not installed by this script: move it away, then try again"
  # On the same file system, so that what is whole can be renamed into its place.
  work=$(mktemp -d "$prefix/.vedette-install.XXXXXX") || fail "nothing can be written to $prefix: name another folder with --prefix"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  [ "$version" = "$own_version" ] || verify_signature
  name=vedette-agent-$version-linux-$arch
  file=$name.tar.$kind
  hash=$(printf '%s\n' "$hashes" | sed -n "s/^\([0-9a-f]\{64\}\)  $file\$/\1/p")
  [ -n "$hash" ] || fail "release $version has no $file"
  if [ ! -d "$prefix/$name" ]; then
    fetch "$file"
    [ "$(sha256sum <"$work/$file" | cut -d ' ' -f 1)" = "$hash" ] || fail "$file is not the one of release $version: its SHA-256 differs. Nothing is installed"
    $unpack "$work/$file" | tar -xf - -C "$work"
    "$work/$name/vedette" agent --version >&2 || fail 'the agent does not run on this machine: nothing is installed'
    mv "$work/$name" "$prefix/$name"
  fi
  ln -s "$name" "$work/current"
  mv -f -T "$work/current" "$current"
  # Systemd's unit names the link: the running agent finishes its jobs, and the new one takes over.
  if [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; then systemctl try-restart vedette-agent.service || :; fi
  say "$version is installed: $current"
  if [ -n "$token_file" ]; then "$current/vedette" agent join --token-file "$token_file"
  else say "to join a fleet, paste its token into: $current/vedette agent join -"
  fi
}

main "$@"
