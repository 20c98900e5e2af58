#!/bin/sh
# Makes the corpus of `npm run bench -- verdicts`: corpus.sh FOLDER CLONES. CLONES has git directories named owner+name. Nothing of it may be
# copied into this repository: OpenPhish and the kits have terms of their own.
set -eu
to=$1 from=$2
mkdir -p "$to/names/honest" "$to/names/bad" "$to/names/generated" "$to/names/permutations" "$to/pages/honest" "$to/pages/bad" "$to/feeds"
git_of() { d="$from/$1"; [ -d "$d/repo" ] && d="$d/repo"; printf %s "$d"; }
show() { git -C "$(git_of "$1")" show "HEAD:$2"; }
hosts() { sed -E 's#^https?://##; s#[/?\#].*##; s#^[^@]*@##; s#:.*##; s#^(\*?\.)+##' | tr A-Z a-z | grep -E '^[a-z0-9_.-]+\.[a-z0-9-]+$' | grep -vE '^[0-9.]+$' | sort -u; }

for list in moz-top500 majestic_million cloudflare-top100k cisco_top20k tranco10k bank-website university_domains; do
  show MISP+misp-warninglists "lists/$list/list.json" | jq -r '.list[]' | hosts >"$to/names/honest/$list.txt"
done
show Hipo+university-domains-list world_universities_and_domains.json | jq -r '.[].domains[]' | hosts >"$to/names/honest/universities.txt"

# The feed as it was on all days since March 2026.
feed=$(git_of openphish+public_feed)
git -C "$feed" log --since=2026-03-01 --format='%H:feed.txt' -- feed.txt | git -C "$feed" cat-file --batch | grep -a '^http' | hosts >"$to/names/bad/openphish-2026.txt"
show openphish+public_feed feed.txt | hosts >"$to/names/bad/openphish-newest.txt"
show Phishing-Database+Phishing.Database phishing-domains-ACTIVE/phishing-domains-ACTIVE2.txt | hosts | tee "$to/feeds/phishing-database.txt" >"$to/names/bad/phishing-database.txt"

# Tenants of free hosts that people show to one another.
free='github\.io|gitlab\.io|vercel\.app|netlify\.app|pages\.dev|workers\.dev|blogspot\.com|weebly\.com|webflow\.io|wordpress\.com|wixsite\.com|herokuapp\.com|surge\.sh|web\.app|onrender\.com|glitch\.me|gitbook\.io|framer\.website|carrd\.co|tumblr\.com|js\.org|is-a\.dev|duckdns\.org|codeberg\.page'
for repo in emmabostian+developer-portfolios jorgeadev+developer-portfolios is-a-dev+register timqian+chinese-independent-blogs EbookFoundation+free-programming-books birobirobiro+awesome-shadcn-ui enaqx+awesome-react plenaryapp+awesome-rss-feeds public-apis+public-apis; do
  git -C "$(git_of $repo)" grep -ahioE "[a-z0-9][a-z0-9-]*\.($free)" HEAD || true
done | hosts | comm -23 - "$to/names/bad/openphish-2026.txt" >"$to/names/honest/tenants.txt"

dga=$(git_of baderj+domain_generation_algorithms)
git -C "$dga" ls-tree -r --name-only HEAD | grep example_domains | while read -r file; do
  git -C "$dga" show "HEAD:$file" 2>/dev/null | tr -d '\r' | grep -E '^[a-z0-9-]+(\.[a-z0-9-]+)+$' | awk 'NR % 17 == 1' | head -60
done | sort -u >"$to/names/generated/dga.txt"

# dnstwist's own forms of the domains on standard input, one a line.
[ -t 0 ] || PYTHONPATH=${DNSTWIST:-/usr/lib/python3/dist-packages} python3 -c '
import sys, dnstwist
for line in sys.stdin:
    fuzzer = dnstwist.Fuzzer(line.strip(), [], [])
    fuzzer.generate()
    for form in fuzzer.domains:
        if form["fuzzer"] != "*original": print(line.strip(), form["domain"], form["fuzzer"], sep="\t")
' >"$to/names/permutations/dnstwist.txt"
