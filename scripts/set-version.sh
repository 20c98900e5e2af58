#!/bin/sh
# Writes another version wherever this checkout names its own: `sh scripts/set-version.sh 1.2.3`, then `npm run generate`.
set -eu
cd "$(dirname "$0")/.."
new=$1
old=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
pattern=$(printf '%s' "$old" | sed 's/\./\\./g')
ours="s/\(\"version\": \"\|\"@vedette\/[a-z]*\": \"\)$pattern\"/\1$new\"/"
sed -i "$ours" package.json packages/*/package.json test/clients/package.json
# Other packages may have a version of ours.
sed -i -e "1,/^    }/$ours" -e "/^    \"\(packages\/\|test\/clients\"\)/,/^    }/$ours" package-lock.json
git grep -lF "$old" -- deploy ':!deploy/grafana' | xargs sed -i "s/$pattern/$new/g"
