#!/bin/sh
# Makes what compose.yml wants as secrets, in secrets/ beside it, and leaves what is there: `sh deploy/compose/prepare.sh [location [folder]]`.
# The bus is prepared by the command in the gateway's image: that of a release which was loaded (`docker load -i vedette-gateway-….oci.tar`), else one that
# is built. Without a running engine this clone does it, which Node and npm set up.
set -eu
cd "$(dirname "$0")/../.."
location=${1:-eu-fra}
here=${2:-$PWD/deploy/compose}
umask 077
mkdir -p "$here/secrets"
here=$(cd "$here" && pwd)
# One machine, one bridge that leads nowhere: no TLS. Between machines the bus has it (deploy/nats).
revision=$(git rev-parse HEAD 2>/dev/null) || revision=''
if docker info >/dev/null 2>&1; then
  image=vedette/gateway:1.0.0-rc.1
  docker image inspect "$image" >/dev/null 2>&1 ||
    docker build -f deploy/Dockerfile --build-arg REVISION="$revision" --target gateway -t "$image" .
  docker run --rm --network none --user "$(id -u):$(id -g)" -v "$here/secrets:/secrets" --entrypoint vedette "$image" \
    bus prepare /secrets/bus --location "$location" --renderers 1 --no-tls
else
  npm run -s vedette -- bus prepare "$here/secrets/bus" --location "$location" --renderers 1 --no-tls
fi
cp "$here/secrets/bus/agent-$location.nkey" "$here/secrets/bus/agent.nkey"
secret() { [ -s "$here/secrets/$1" ] || od -An -v -tx1 -N24 /dev/urandom | tr -d ' \n' >"$here/secrets/$1"; }
secret admin-token
secret bootstrap-key
secret database-password
secret grafana-password
# The engine hands a file over as it is, and each process is another user. Who is not root gets no further than the folder.
chmod -R a+rX "$here/secrets"
chmod 0700 "$here/secrets"
# Other lines of .env are the operator's.
others=$(grep -sv -e '^COMPOSE_PROJECT_NAME=' -e '^VEDETTE_LOCATION=' -e '^VEDETTE_REVISION=' "$here/.env" || :)
printf '%s\n' COMPOSE_PROJECT_NAME=vedette "VEDETTE_LOCATION=$location" "VEDETTE_REVISION=$revision" ${others:+"$others"} >"$here/.env"
echo "Then: cd deploy/compose && docker compose up -d --wait"
