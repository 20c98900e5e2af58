// SPF evaluation beside perl's Mail::SPF and mailauth on the same local server, and the search for a DKIM selector beside
// the round trip it is made of. Run from the root: node test/bench/spf.ts. Needs nsd, perl and libmail-spf-perl. One JSON
// line per figure.
import { execFile } from 'node:child_process';
import { Resolver as NodeResolver } from 'node:dns/promises';
import { promisify } from 'node:util';
import { createAddressPolicy } from '@vedette/probes/host';
import { parseIp, type Resolver } from '@vedette/contract';
import { DKIM_SELECTORS, findSelector } from '@vedette/mail/dkim';
import { checkHost } from '@vedette/mail/spf';
import { spf } from 'mailauth/lib/spf/index.js';
import { budgeted, createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { startNsd } from '../probes/dns/nsd.ts';
import { median } from './figures.ts';

const DOMAIN = 'example.test';
const IPS = ['192.0.2.55', '203.0.113.200', '198.51.100.4', '8.8.8.8'];
const PAIRS = 7;
const EVALUATIONS = 200;
const WARM_UP = 20;
const ROUND_TRIP_MS = 40;
const SEARCHES = 15;

const zone = `$ORIGIN ${DOMAIN}.
$TTL 300
@ SOA ns1 host 1 3600 600 86400 60
@ NS ns1
ns1 A 127.0.0.1
@ A 192.0.2.1
@ A 192.0.2.2
@ MX 10 mx1
@ MX 20 mx2
mx1 A 192.0.2.10
mx2 A 192.0.2.11
@ TXT "v=spf1 include:_spf.${DOMAIN} ip4:192.0.2.0/24 a mx -all"
_spf TXT "v=spf1 include:_spf1.${DOMAIN} include:_spf2.${DOMAIN} ~all"
_spf1 TXT "v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.0/25 ip6:2001:db8::/32 ~all"
_spf2 TXT "v=spf1 ip4:203.0.113.128/25 a:mx1.${DOMAIN} -all"
very-own._domainkey TXT "v=DKIM1; p="
`;

const PERL = `use Mail::SPF; use Net::DNS::Resolver; use Time::HiRes qw(time clock);
my ($port, $domain, $n, $warm, @ips) = @ARGV;
my $server = Mail::SPF::Server->new(dns_resolver => Net::DNS::Resolver->new(nameservers => ['127.0.0.1'], port => $port));
my (@times, @results, $cpu);
for my $i (0 .. $warm + $n - 1) {
  $cpu = clock() if $i == $warm;
  my $start = time;
  my $request = Mail::SPF::Request->new(scope => 'mfrom', identity => "postmaster\\@$domain", ip_address => $ips[$i % @ips]);
  my $result = $server->process($request)->code;
  push @results, $result if $i < @ips;
  push @times, (time - $start) * 1e3 if $i >= $warm;
}
printf "%f %s %s", (clock() - $cpu) * 1e3 / $n, join(',', @results), join(',', @times);`;

interface Run {
  results: string[];
  p50_ms: number;
  cpu_ms: number;
}

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'spf', ...figure })}\n`);
const round = (value: number) => Number(value.toFixed(3));
const signal = new AbortController().signal;

async function measure(evaluate: (ip: string) => Promise<string>): Promise<Run> {
  const results: string[] = [];
  for (const ip of IPS) results.push(await evaluate(ip));
  for (let i = 0; i < WARM_UP; i++) await evaluate(IPS[i % IPS.length]!);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < EVALUATIONS; i++) {
    const start = performance.now();
    await evaluate(IPS[i % IPS.length]!);
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { results, p50_ms: median(times), cpu_ms: (user + system) / 1e3 / EVALUATIONS };
}

async function measurePerl(port: number): Promise<Run> {
  const args = ['-e', PERL, port, DOMAIN, EVALUATIONS, WARM_UP, ...IPS].map(String);
  const { stdout } = await promisify(execFile)('perl', args, { timeout: 60_000 });
  const [cpu, results, times] = stdout.split(' ');
  return { results: results!.split(','), p50_ms: median(times!.split(',').map(Number)), cpu_ms: Number(cpu) };
}

/** The same answers, one round trip later; counts what is under way. */
function distant(resolver: Resolver, ms: number): Resolver & { widest(): number } {
  let [now, widest] = [0, 0];
  return {
    ...resolver,
    widest: () => widest,
    async query(name, type, options) {
      widest = Math.max(widest, ++now);
      try {
        const [answer] = await Promise.all([resolver.query(name, type, options), systemClock.sleep(ms)]);
        return answer;
      } finally {
        now--;
      }
    },
  };
}

async function evaluations(resolver: Resolver, port: number): Promise<void> {
  const node = new NodeResolver();
  node.setServers([`127.0.0.1:${port}`]);
  const ask = (name: string, type: string) => node.resolve(name, type) as Promise<string[]>;
  const ways = {
    ours: () =>
      measure(
        async (ip) =>
          (await checkHost({ ip: parseIp(ip)!, domain: DOMAIN }, { resolver: budgeted(resolver, {}, systemClock), signal })).result,
      ),
    perl: () => measurePerl(port),
    mailauth: () => measure(async (ip) => (await spf({ sender: `postmaster@${DOMAIN}`, ip, helo: DOMAIN, resolver: ask })).status.result),
  };
  const pairs: Record<keyof typeof ways, Run>[] = [];
  for (let i = 0; i < PAIRS; i++) pairs.push({ ours: await ways.ours(), perl: await ways.perl(), mailauth: await ways.mailauth() });
  for (const peer of ['perl', 'mailauth'] as const)
    print({
      what: `evaluation beside ${peer}`,
      agree: pairs.every((pair) => pair.ours.results.join() === pair[peer].results.join()),
      ours_p50_ms: round(median(pairs.map(({ ours }) => ours.p50_ms))),
      peer_p50_ms: round(median(pairs.map((pair) => pair[peer].p50_ms))),
      ratio: round(median(pairs.map((pair) => pair.ours.p50_ms / pair[peer].p50_ms))),
      cpu_ratio: round(median(pairs.map((pair) => pair.ours.cpu_ms / pair[peer].cpu_ms))),
      ...(peer === 'perl' && { goal: 0.15 }),
    });
}

async function selectorSearch(resolver: Resolver): Promise<void> {
  const times: number[] = [];
  let widest = 0;
  for (let i = 0; i < SEARCHES; i++) {
    const far = distant(resolver, ROUND_TRIP_MS);
    const start = performance.now();
    const { tried } = await findSelector(DOMAIN, { resolver: budgeted(far, {}, systemClock), clock: systemClock, signal });
    times.push(performance.now() - start);
    widest = far.widest();
    if (tried !== DKIM_SELECTORS.length) throw new Error('the search ended early');
  }
  print({
    what: `search over ${DKIM_SELECTORS.length} selectors, round trip ${ROUND_TRIP_MS} ms`,
    p50_ms: round(median(times)),
    in_flight: widest,
    goal: 2 * ROUND_TRIP_MS + 10,
  });
}

const nsd = await startNsd(DOMAIN, zone);
const resolver = createResolver({ servers: [nsd.endpoint], policy: createAddressPolicy(), clock: systemClock, cache: false });
try {
  await evaluations(resolver, nsd.endpoint.port);
  await selectorSearch(resolver);
} finally {
  resolver.close();
  await nsd.stop();
}
