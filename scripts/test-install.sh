#!/bin/sh
# A production-only install in a folder of its own, from what is committed: every process must start without the
# development tools. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
started=''
trap '[ -n "$started" ] && kill -TERM "$started" 2>/dev/null && wait "$started" 2>/dev/null; rm -rf "$folder"' EXIT
passed=0
failed=0
check() {
  if [ "$2" = 0 ]; then passed=$((passed + 1)); echo "ok      $1"; else failed=$((failed + 1)); echo "FAILED  $1"; fi
}

git clone -q . "$folder/vedette" || exit 1
chmod 755 "$folder"
cd "$folder/vedette" || exit 1
sh scripts/setup.sh run
check 'production-only install' $?
[ ! -e node_modules/vitest ]
check 'without development tools' $?
[ "$(du -sm node_modules | cut -f 1)" -le 650 ]
check 'at most 650 MB of it' $?
sh scripts/binaries.sh check "$(node_modules/node-linux-*/bin/node -p process.arch)"
check 'what is left of the repackaged binaries is what is pinned' $?

VEDETTE_PORT=0 VEDETTE_OPS_PORT=0 VEDETTE_WITNESSES='' VEDETTE_FEEDS_FILE="$folder/vedette/test/intel/feeds/none.json" VEDETTE_ENGINES_FILE="$folder/vedette/test/intel/engines/none.json" setsid sh scripts/run.sh packages/all/src/main.ts >"$folder/out" 2>"$folder/log" &
started=$!
tries=0
until grep -q '^vedette ready ' "$folder/out" || [ "$tries" -ge 1800 ] || ! kill -0 "$started" 2>/dev/null; do
  tries=$((tries + 1))
  sleep 0.1
done
grep -q '^vedette ready ' "$folder/out"
check 'nats-server, gateway, three agents and the renderer start' $?
[ "$failed" = 0 ] || cat "$folder/log"
answer=$(eval "$(grep '^curl ' "$folder/out")")
case $answer in *'"remained":1000000'*) true ;; *) false ;; esac
check 'the printed curl line answers' $?

url=$(sed -n 's/^vedette ready \([^ ]*\) .*/\1/p' "$folder/out")
key=$(sed -n 's/^vedette ready .* key=//p' "$folder/out")
answer=$(curl -s -X POST "$url/v2/html-to-png" -H "X-API-Key: $key" -H 'content-type: application/json' -d '{"html_base64":"PGgxPkhlbGxvPC9oMT4="}')
case $answer in *'"base64_file":"iVBOR'*) true ;; *) false ;; esac
check 'the renderer draws a picture' $?
answer=$(curl -s -X POST "$url/v2/eml-insights" -H "X-API-Key: $key" -H 'content-type: application/json' -d '{"eml_base64":"RnJvbTogYUBleGFtcGxlLm9yZw0KDQpIZWxsbw=="}')
case $answer in *'"body_text":"Hello"'*) true ;; *) false ;; esac
check 'a message is read' $?

kill -TERM "$started"
wait "$started"
check 'SIGTERM ends it with status 0' $?
started=''
pgrep -f "$folder" >/dev/null
check 'no process is left behind' $((1 - $?))
sh scripts/run.sh packages/cli/src/main.ts --help >/dev/null 2>&1
check 'the CLI starts' $?
sh scripts/setup.sh build && sh scripts/node.sh scripts/build-agent.ts && node_modules/node-linux-*/bin/node dist/agent/agent.mjs --version
check 'the agent is bundled, with what that takes beside the rest' $?
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
