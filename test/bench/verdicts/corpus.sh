#!/bin/sh
# Makes the corpus of `npm run bench -- verdicts`: corpus.sh FOLDER CLONES. CLONES has git directories named owner+name. Nothing of it may be
# copied into this repository: OpenPhish and the kits have terms of their own.
set -eu
to=$1 from=$2
mkdir -p "$to/addresses/honest" "$to/addresses/bad" "$to/mailboxes/honest" "$to/mailboxes/bad" "$to/lists" "$to/urls/honest" "$to/urls/bad" "$to/names/honest" "$to/names/bad" "$to/names/generated" "$to/names/permutations" "$to/pages/honest" "$to/pages/bad" "$to/feeds"
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
git -C "$feed" log --until=2026-02-28 --format='%H:feed.txt' -- feed.txt | git -C "$feed" cat-file --batch | grep -a '^http' | hosts | comm -23 - "$to/names/bad/openphish-2026.txt" | awk 'NR % 8 == 0' >"$to/names/bad/openphish-earlier.txt"
show openphish+public_feed feed.txt | hosts >"$to/names/bad/openphish-newest.txt"
show Phishing-Database+Phishing.Database phishing-domains-ACTIVE/phishing-domains-ACTIVE2.txt | hosts | tee "$to/feeds/phishing-database.txt" >"$to/names/bad/phishing-database.txt"

git -C "$(git_of kagisearch+smallweb)" grep -ahoE "https?://[^] )>\"'<|,]+" HEAD | hosts >"$to/names/honest/small-web.txt"

# Tenants of free hosts that people show to one another.
free='github\.io|gitlab\.io|vercel\.app|netlify\.app|pages\.dev|workers\.dev|blogspot\.com|weebly\.com|webflow\.io|wordpress\.com|wixsite\.com|herokuapp\.com|surge\.sh|web\.app|onrender\.com|glitch\.me|gitbook\.io|framer\.website|carrd\.co|tumblr\.com|js\.org|is-a\.dev|duckdns\.org|codeberg\.page'
for repo in emmabostian+developer-portfolios jorgeadev+developer-portfolios is-a-dev+register timqian+chinese-independent-blogs EbookFoundation+free-programming-books birobirobiro+awesome-shadcn-ui enaqx+awesome-react plenaryapp+awesome-rss-feeds public-apis+public-apis; do
  git -C "$(git_of $repo)" grep -ahioE "[a-z0-9][a-z0-9-]*\.($free)" HEAD || true
done | hosts | comm -23 - "$to/names/bad/openphish-2026.txt" >"$to/names/honest/tenants.txt"

dga=$(git_of baderj+domain_generation_algorithms)
git -C "$dga" ls-tree -r --name-only HEAD | grep example_domains | while read -r file; do
  git -C "$dga" show "HEAD:$file" 2>/dev/null | tr -d '\r' | grep -E '^[a-z0-9-]+(\.[a-z0-9-]+)+$' | awk 'NR % 17 == 1' | head -60
done | sort -u >"$to/names/generated/dga.txt"

# Addresses: what owners publish of their own resolvers, crawlers, monitors, senders of mail, fronts and offices; and sensors of others than our lists.
plain() { sed -E 's/#.*//; s/[[:space:]]//g' | grep -E '^[0-9.]+(/[0-9]+)?$' | sort -u; }
iplists() { for file; do show borestad+iplists "$file"; done | plain; }
iplists doh/doh.ipv4 >"$to/addresses/honest/resolvers-doh.txt"
iplists google/googlebot.ipv4 bing/bingbot.ipv4 apple/applebot.ipv4 duckduckgo/duckduckgobot.ipv4 openai/openai-gptbot.ipv4 openai/openai-searchbot.ipv4 >"$to/addresses/honest/crawlers.txt"
iplists uptimerobot/uptimerobot.ipv4 updownio/updownio.ipv4 netdata/netdata.ipv4 >"$to/addresses/honest/monitors.txt"
iplists email/gmail-smtp.ipv4 email/mailchimp-smtp.ipv4 email/mailgun-smtp.ipv4 email/mailjet-smtp.ipv4 email/mandrill-smtp.ipv4 email/office365-exchange-smtp.ipv4 email/postmark-smtp.ipv4 email/sendgrid-smtp.ipv4 email/sendinblue-smtp.ipv4 >"$to/addresses/honest/mail-senders.txt"
for list in cloudflare fastly akamai bunny-net stackpath; do show MISP+misp-warninglists "lists/$list/list.json" | jq -r '.list[]'; done | plain >"$to/addresses/honest/fronts.txt"
iplists zoom/zoom.ipv4 bitbucket/bitbucket.ipv4 tailscale/tailscale-derp.ipv4 github/github-web.ipv4 github/github-git.ipv4 facebook/facebook.ipv4 >"$to/addresses/honest/services.txt"
for list in wikimedia microsoft-office365-ip telegram-ips; do show MISP+misp-warninglists "lists/$list/list.json" | jq -r '.list[]'; done | plain >>"$to/addresses/honest/services.txt"
show duggytuxy+Data-Shield_IPv4_Blocklist prod_critical_data-shield_ipv4_blocklist.txt | plain >"$to/addresses/bad/data-shield-critical.txt"
show ddrimus+http-threat-blocklist blocklist.txt | plain >"$to/addresses/bad/http-threats.txt"
show ShadowWhisperer+IPs Lists/Threats | plain >"$to/addresses/bad/shadowwhisperer-threats.txt"
git -C "$(git_of montysecurity+C2-Tracker)" archive HEAD data | tar -xO | plain >"$to/addresses/bad/c2-tracker.txt"
show stamparm+ipsum levels/8.txt | plain >"$to/addresses/bad/ipsum-8.txt"

# Lists as their publishers have them, by the names of our feeds.
for level in 3 5; do show stamparm+ipsum "levels/$level.txt" >"$to/lists/ipsum-$level"; done
show X4BNet+lists_vpn output/vpn/ipv4.txt >"$to/lists/x4b-vpn"
show X4BNet+lists_vpn output/datacenter/ipv4.txt >"$to/lists/x4b-datacenter"
show ipverse+bot-ip-blocks crawlers.json >"$to/lists/crawlers"
show ipverse+bot-ip-blocks monitoring.json >"$to/lists/monitoring"
show MISP+misp-warninglists lists/public-dns-v4/list.json >"$to/lists/public-dns-ipv4"
show MISP+misp-warninglists lists/sinkholes/list.json >"$to/lists/sinkholes"
show MISP+misp-warninglists lists/cloudflare/list.json | jq -r '.list[]' | plain >"$to/lists/cloudflare"
show SecOps-Institute+Tor-IP-Addresses tor-exit-nodes.lst | plain >"$to/lists/tor-exits"
iplists spamhaus/spamhaus-drop.ipv4 | jq -cR '{cidr: ., sblid: ""}' >"$to/lists/spamhaus-drop"
show borestad+iplists spamhaus/spamhaus-asndrop.ipv4 | sed -nE 's/^# AS([0-9]+) \((.*)\)/{"asn":\1,"asname":"\2","domain":"","cc":""}/p' >"$to/lists/spamhaus-asndrop"
show disposable-email-domains+disposable-email-domains disposable_email_blocklist.conf >"$to/lists/disposable-email-domains"
show tompec+disposable-email-domains index.json >"$to/lists/disposable-domains"
show FGRibreau+mailchecker list.txt >"$to/lists/mailchecker"

# URLs: half a year of a feed, and links that people keep for one another. Our list has names of another source.
git -C "$feed" log --since=2026-03-01 --format='%H:feed.txt' -- feed.txt | git -C "$feed" cat-file --batch | grep -a '^http' | tr -d '\r' | sort -u | awk 'NR % 4 == 0' >"$to/urls/bad/openphish-2026.txt"
for repo in EbookFoundation+free-programming-books public-apis+public-apis enaqx+awesome-react plenaryapp+awesome-rss-feeds kilimchoi+engineering-blogs; do
  git -C "$(git_of $repo)" grep -ahoE "https?://[^] )>\"'<|]+" HEAD || true
done | sort -u >"$to/urls/honest/links.txt"
show Phishing-Database+Phishing.Database phishing-domains-ACTIVE/phishing-domains-ACTIVE2.txt >"$to/lists/phishing-database"

# Pages of the feed's tenants of github.io, from their repositories, where CLONES has these: seen/bad, with the URL in the first line. Names of exercises apart.
mkdir -p "$to/seen/bad" "$to/seen/honest"
owners=$(ls "$from" | sed 's/+.*//' | grep -xE '[a-z0-9-]+' | sort -u | paste -sd '|' -)
git -C "$feed" log --format='%H:feed.txt' -- feed.txt | git -C "$feed" cat-file --batch | grep -aiE "^https?://($owners)\.github\.io" | tr -d '\r' | sort -u | while read -r url; do
  owner=$(printf %s "$url" | sed -E 's#^https?://([^./]+)\..*#\1#' | tr A-Z a-z)
  path=$(printf %s "$url" | sed -E 's#^https?://[^/]+/?##; s#[?\#].*##; s#/+$##')
  [ -z "$(find "$to/seen/bad" -name "*__$owner.txt")" ] || continue
  for at in "${path%%/*}" "$owner.github.io"; do
    [ -n "$at" ] && [ -d "$from/$owner+$at" ] || continue
    rest=$([ "$at" = "$owner.github.io" ] && printf %s "$path" || printf %s "$path" | sed -E 's#^[^/]*/?##')
    for file in "$rest" "$rest/index.html" "$rest.html"; do
      case $file in *.html | *.htm) ;; *) continue ;; esac
      html=$(show "$owner+$at" "${file#/}" 2>/dev/null | tr -d '\000') && [ -n "$html" ] || continue
      set=$(printf %s "$url" | grep -qiE 'clon|netfl|amazon|project|html|css|practice|portfolio|intern|task|landing|homepage|react|javascript|spotify|bootstrap|frontend|website|replica' && echo 'feed at github.io, exercises' || echo 'feed at github.io')
      printf '%s\n%s\n' "$url" "$html" >"$to/seen/bad/${set}__$owner.txt"
      break 2
    done
  done
done

# Mailboxes: plain names at large providers, at firms, and of students; names of offices; throw-away ones.
show dominictarr+random-name first-names.txt | tr -d '\r' | tr A-Z a-z | grep -E '^[a-z]+$' | head -4000 >"$to/first"
show dominictarr+random-name names.txt | tr -d '\r' | tr A-Z a-z | grep -E '^[a-z]+$' | head -4000 >"$to/last"
people() { paste "$to/first" "$to/last" | awk -v n="$1" 'NF == 2 && NR % n == 0 { form = NR % 5; print (form == 0 ? $1 "." $2 : form == 1 ? substr($1, 1, 1) $2 : form == 2 ? $1 $2 (40 + NR % 60) : form == 3 ? $1 "_" $2 : $2 "." $1) }'; }
people 2 | awk '{ split("gmail.com outlook.com yahoo.com hotmail.com icloud.com gmx.de web.de orange.fr libero.it proton.me qq.com mail.ru", at, " "); print $0 "@" at[1 + NR % 12] }' >"$to/mailboxes/honest/providers.txt"
people 3 | paste -d@ - "$to/names/honest/bank-website.txt" | grep -E '^.+@.+$' >"$to/mailboxes/honest/firms.txt"
people 2 | paste -d@ - "$to/names/honest/universities.txt" | grep -E '^.+@.+$' >"$to/mailboxes/honest/universities.txt"
awk '{ print "s" 100000 + NR * 37 "@student." $0 }' "$to/names/honest/universities.txt" | head -1500 >"$to/mailboxes/honest/students.txt"
awk '{ split("info sales support office contact billing press jobs hello service", who, " "); print who[1 + NR % 10] "@" $0 }' "$to/names/honest/moz-top500.txt" "$to/names/honest/bank-website.txt" >"$to/mailboxes/honest/offices.txt"
rm "$to/first" "$to/last"
show disposable-email-domains+disposable-email-domains disposable_email_blocklist.conf | awk '{ print "jane.doe" NR % 90 "@" $0 }' >"$to/mailboxes/bad/disposable.txt"
awk 'NR % 20 == 0 { print "jane.doe@" $0 }' "$to/names/bad/openphish-2026.txt" | grep -vE '@([a-z0-9-]+\.){3}' >"$to/mailboxes/bad/phishing-domains.txt"

# dnstwist's own forms of the domains on standard input, one a line.
[ -t 0 ] || PYTHONPATH=${DNSTWIST:-/usr/lib/python3/dist-packages} python3 -c '
import sys, dnstwist
for line in sys.stdin:
    fuzzer = dnstwist.Fuzzer(line.strip(), [], [])
    fuzzer.generate()
    for form in fuzzer.domains:
        if form["fuzzer"] != "*original": print(line.strip(), form["domain"], form["fuzzer"], sep="\t")
' >"$to/names/permutations/dnstwist.txt"
