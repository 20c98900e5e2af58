import { allDatasets } from '../intel/feeds/all-datasets.ts';
import { createBlacklists, ENGINE_CATALOGUE } from '@vedette/intel/engines';
import type { Dialler } from '@vedette/contract';
import { DEFAULT_FEEDS } from '@vedette/intel/datasets';
import type { Dataset, Feed } from '@vedette/intel/feeds';
import { shippedNames } from '@vedette/intel/names';
import { createAddressPolicy, OptOuts } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { expect, it, onTestFinished } from 'vitest';
import { builders } from '../../packages/intel/src/datasets/builders.ts';
import { domainReputation } from '../../packages/operations/src/domain-reputation/index.ts';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import { emailVerify } from '../../packages/operations/src/email-verify/index.ts';
import { ipReputation } from '../../packages/operations/src/ip-reputation/index.ts';
import { urlReputation } from '../../packages/operations/src/url-reputation/index.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { folderOfTest, serve, startFeeds } from '../intel/feeds/own-feed.ts';
import { startPages } from '../operations/url-reputation/pages.ts';
import { UNKNOWN_DOMAIN } from '../registries/unknown.ts';
import { SHUT } from '../operations/shut.ts';
import { openApp, stubLedger } from './app-server.ts';
import { FEED_FILES } from './feed-files.ts';
import { everySecond } from '../runs.ts';

/** Feeds of engines, and of what else weighs in a risk: each with a file in its publisher's form. */
const DATASETS: ReadonlySet<string> = new Set(['attackers', 'as_drop', 'malicious_names', 'malicious_urls', 'disposable']);
const FEEDS = new Set(['tor-exits', 'x4b-vpn', 'vpn-mullvad', 'x4b-datacenter', 'icloud-relay', 'public-dns-ipv4', 'crawlers']);
const CATALOGUE = DEFAULT_FEEDS.catalogue.filter(({ enabled, name, dataset }) => enabled && (DATASETS.has(dataset) || FEEDS.has(name)));

const ofAddress = (ip: string, verdict: string) => ['ip-reputation', { ip, disable_reverse_dns: true }, verdict] as const;
const ofName = (host: string, verdict: string) => ['domain-reputation', { host }, verdict] as const;
const ofMailbox = (email: string, verdict: string) => ['email-verify', { email }, verdict] as const;
const ofPage = (host: string, verdict: string) => ['url-reputation', { url: `http://${host}/` }, verdict] as const;
/** Subjects that one list each accuses, or none. */
const SUBJECTS: readonly (readonly [operation: string, body: object, verdict: string])[] = [
  ofAddress('198.51.100.70', 'dangerous'),
  ofAddress('198.51.100.73', 'suspicious'),
  ofAddress('198.51.100.80', 'dangerous'),
  ofAddress('198.51.100.84', 'suspicious'),
  ofAddress('198.51.100.4', 'dangerous'),
  ofAddress('8.8.8.8', 'clean'),
  ofAddress('91.198.174.192', 'clean'),
  ofName('login-paypal.kit.example.org', 'dangerous'),
  ofName('www.oszustwo.example.org', 'suspicious'),
  ofName('c2.example.net', 'dangerous'),
  ofName('garden-club.org.uk', 'clean'),
  ofMailbox('ann.miller@ten-minutes.example.org', 'dangerous'),
  ofMailbox('ann.miller@c2.example.net', 'suspicious'),
  ofMailbox('ann.miller@garden-club.org.uk', 'clean'),
  ofPage('login-paypal.kit.example.org', 'dangerous'),
  ofPage('www.oszustwo.example.org', 'suspicious'),
  ofPage('www.wikipedia.org', 'clean'),
];

const MAIL = {
  'garden-club.org.uk': { A: ['142.250.72.14'], MX: [{ preference: 10, exchange: 'mx.garden-club.org.uk' }], TXT: ['v=spf1 mx -all'] },
  'mx.garden-club.org.uk': { A: ['142.250.72.14'] },
  '_dmarc.garden-club.org.uk': { TXT: ['v=DMARC1; p=reject'] },
};
const REGISTRIES = {
  ...SHUT.registries,
  domain: async () => ({ ...UNKNOWN_DOMAIN, state: 'registered', answered: true, created: '2010-05-01' }) as const,
};

/** The lists of a gateway that has just started without any, and a server that gives one file of a publisher each time that it may. */
async function open(next: (waiting: number) => number) {
  const waiting: { name: string; send(): void }[] = [];
  const server = await serve((request, response) => {
    const [, name = '', part = '0'] = request.url!.split('/');
    const given = FEED_FILES[name];
    const file = Array.isArray(given) ? (given[Number(part)] as string) : (given as string);
    waiting.push({ name, send: () => void response.end(file) });
  });
  const catalogue = CATALOGUE.map((feed): Feed => ({
    ...feed,
    url: `http://127.0.0.1:${server.port}/${feed.name}/0`,
    ...(feed.more && { more: feed.more.map((_, i) => `http://127.0.0.1:${server.port}/${feed.name}/${i + 1}`) }),
    min_rows: 1, // the files are small
  }));
  const { datasets, networks, names, urls, mailboxes } = allDatasets({ names: shippedNames() });
  const unshipped = Object.entries(datasets).map(([name, dataset]): [string, Dataset] => [name, { ...dataset, shipped: () => undefined }]);
  const { feeds, clock } = startFeeds(catalogue, {
    datasets: Object.fromEntries(unshipped),
    builders,
    folder: folderOfTest(),
    today: Date.now, // what is weighed is weighed by the age of its list
  });
  await expect.poll(() => clock.slept.length, { interval: 1, timeout: 10_000 }).toBeGreaterThanOrEqual(catalogue.length);
  const resolver = fakeResolver({ '*.': { A: ['142.250.72.14'] }, ...MAIL });
  const pages = await startPages();
  onTestFinished(() => pages[Symbol.asyncDispose]());
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = { ...inner, tcp: (options) => inner.tcp({ ...options, address: '127.0.0.1', port: pages.port }) };
  const engines = ENGINE_CATALOGUE.filter(
    ({ list }) => list !== undefined && CATALOGUE.some((feed) => feed.name === list || feed.list === list),
  );
  const blacklists = createBlacklists({
    urls,
    catalogue: engines,
    networks,
    names,
    resolver,
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });
  blacklists.ageBy(feeds);
  const settled: string[] = [];
  const app = await openApp({
    operations: [ipReputation, domainReputation, emailVerify, urlReputation],
    ledger: { ...stubLedger(), settle: async ({ operation }) => void settled.push(operation) },
    optOuts: new OptOuts({ siteOf: registrableDomain, resolver, clock: systemClock }),
    policy: createAddressPolicy({ allowNets: ['198.51.100.0/24'] }),
    ports: {
      ...SHUT,
      clock: systemClock,
      resolver,
      dialler,
      networks,
      names,
      urls,
      mailboxes,
      blacklists,
      registries: REGISTRIES,
      lists: feeds,
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const ask = async ([operation, body]: (typeof SUBJECTS)[number]): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${app.port}/v2/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key-of-a' },
      body: JSON.stringify(body),
    });
    const report = (await response.json()) as { verdict?: string; risk_score?: Judged; score?: number; coverage?: Coverage };
    const { verdict = '', risk_score: judged, score = 100 } = report;
    return { status: response.status, verdict, risk: judged?.result ?? 100 - score, missing: (judged ?? report).coverage?.missing ?? [] };
  };
  const isLoaded = (feed: string) => feeds.status().some(({ name, origin }) => name === feed && origin === 'source');
  return {
    settled,
    askAll: () => Promise.all(SUBJECTS.map(ask)),
    begin: () => clock.wake(),
    /** Whether all lists are in use. */
    done: () => feeds.status().every(({ origin }) => origin === 'source'),
    /** Lets one of the files come that are waited for, and waits until it is in use or its next part is asked for. */
    async oneMore() {
      await expect.poll(() => waiting.length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(0);
      const [file] = waiting.splice(next(waiting.length), 1);
      const { name, send } = file!;
      send();
      const isNext = () => isLoaded(name) || waiting.some((one) => one.name === name);
      await expect.poll(isNext, { interval: 1, timeout: 20_000 }).toBe(true);
    },
  };
}

interface Answer {
  status: number;
  verdict: string;
  risk: number;
  missing: readonly object[];
}
interface Coverage {
  missing: readonly object[];
}
interface Judged {
  result: number;
  coverage: Coverage;
}

/** Words that are better than others; `unknown` claims nothing. */
const GOODNESS = ['dangerous', 'suspicious', 'clean'];

it.each<[string, (waiting: number) => number]>(
  everySecond([
    ['the newest first', (waiting) => waiting - 1],
    ['the oldest first', () => 0],
    ['one in the middle first', (waiting) => waiting >> 1],
  ]),
)(
  'no answer is better than the last one while lists come one by one after a start, %s, and what is free is free',
  async (_order, next) => {
    const gateway = await open(next);
    const rounds = [await gateway.askAll()];
    gateway.begin();
    while (!gateway.done()) {
      await gateway.oneMore();
      rounds.push(await gateway.askAll());
    }
    const last = rounds.at(-1)!;
    expect(last.map(({ verdict }) => verdict)).toEqual(SUBJECTS.map(([, , verdict]) => verdict));
    const wrong = rounds.flatMap((answers, round) =>
      answers.flatMap(({ status, verdict, risk, missing }, at) => {
        if (status === 502 || status === 503) return [];
        const isTold = verdict === last[at]!.verdict || (verdict === 'unknown' && missing.length > 0 && risk > 0);
        const isBetter = GOODNESS.indexOf(verdict) > GOODNESS.indexOf(last[at]!.verdict);
        return isTold && !isBetter ? [] : [`round ${round}: ${JSON.stringify(SUBJECTS[at])} ${status} ${verdict} ${risk}`];
      }),
    );
    expect(wrong, wrong[0]).toEqual([]);
    const words = new Set(rounds.flat().map(({ status, verdict }) => `${status} ${verdict}`));
    expect([...words].toSorted()).toEqual(['200 clean', '200 dangerous', '200 suspicious', '200 unknown', '502 ']); // each kind came
    expect(gateway.settled).toHaveLength(rounds.flat().filter(({ status }) => status === 200).length);
  },
  120_000,
);
