import { ApiError } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../../packages/gateway/src/shares/registrable-domain.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { stubLedger } from '../app-server.ts';
import { httpResult, pingResult } from './results.ts';
import { KEY, openProbe, samplesOf, type Told } from './scraping.ts';

const WELL: Record<string, Told> = Object.fromEntries(['eu-fra', 'us-ash', 'sg-sin'].map((id) => [id, { result: pingResult() }]));
const ICMP = 'target=192.0.2.10&module=icmp';

describe('a scrape', () => {
  it('has every location’s series, and is paid for as its operation is', async () => {
    await using probe = await openProbe(WELL);
    const { status, headers, text } = await probe.scrape(ICMP);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-service-quota')).toContain('cost=5');
    const samples = samplesOf(text);
    for (const location of ['eu-fra', 'us-ash', 'sg-sin'])
      expect(samples).toMatchObject({
        [`probe_success{location="${location}"}`]: 1,
        [`probe_agent_ok{location="${location}"}`]: 1,
        [`probe_icmp_duration_seconds{location="${location}",phase="rtt"}`]: 0.015,
      });
    expect(samples).toMatchObject({
      'probe_locations{state="answered"}': 3,
      'probe_locations{state="failed"}': 0,
      'probe_location_info{location="eu-fra",continent="EU",country="DE",city="Frankfurt",latitude="50.11",longitude="8.68",simulated="false"}': 1,
    });
    expect(probe.money).toEqual(['reserve 5 for probe-icmp', 'settle 5']);
  });
  it('has the location in a label of another name, for targets with a label of that name', async () => {
    await using probe = await openProbe(WELL);
    const usual = samplesOf((await probe.scrape(ICMP)).text);
    const renamed = samplesOf((await probe.scrape(`${ICMP}&location_label=seen_from`)).text);
    expect(Object.keys(usual).filter((series) => series.includes('{location="'))).toHaveLength(48);
    expect(renamed).toEqual(
      Object.fromEntries(Object.entries(usual).map(([series, value]) => [series.replace('{location="', '{seen_from="'), value])),
    );
    for (const label of ['phase', 'instance', '__x', '1a', 'a-b', ''])
      expect([label, (await probe.scrape(`${ICMP}&location_label=${label}`)).status]).toEqual([label, label === '' ? 200 : 400]);
  });
  it('costs nothing where the plan says so, and is measured all the same', async () => {
    await using probe = await openProbe(WELL, { unmetered: true });
    const { status, headers } = await probe.scrape(ICMP);
    expect([status, headers.get('x-service-quota')]).toEqual([200, expect.stringContaining('cost=0')]);
    expect(probe.money[0]).toBe('reserve 0 for probe-icmp');
    expect(probe.asked).toHaveLength(1);
  });
  it('of two Prometheis at once is answered twice, each whole and each paid for', async () => {
    await using probe = await openProbe(WELL);
    const answers = await Promise.all([probe.scrape(ICMP), probe.scrape(ICMP)]);
    expect(answers.map(({ status, text }) => [status, samplesOf(text)['probe_locations{state="answered"}']])).toEqual([
      [200, 3],
      [200, 3],
    ]);
    expect(probe.money.toSorted()).toEqual(['reserve 5 for probe-icmp', 'reserve 5 for probe-icmp', 'settle 5', 'settle 5']);
    const [one, other] = probe.asked;
    expect(one!.spec).toEqual(other!.spec); // so that agents share a run
  });
  it('takes the key as a bearer token of any case, and in X-API-Key, which wins', async () => {
    await using probe = await openProbe(WELL);
    expect((await probe.scrape(ICMP, { authorization: 'bearer  key-of-a' })).status).toBe(200);
    expect((await probe.scrape(ICMP, { 'x-api-key': 'key-of-a' })).status).toBe(200);
    expect((await probe.scrape(ICMP, { 'x-api-key': 'key-of-a', authorization: 'Bearer nonsense' })).status).toBe(200);
  });
  it('asks the locations that the filter leaves, given once, often or with commas', async () => {
    await using probe = await openProbe(WELL);
    for (const query of ['location=eu-fra&location=us-ash', 'location=eu-fra,us-ash', 'location=!country:SG', 'location='])
      await probe.scrape(`${ICMP}&${query}`);
    expect(probe.asked.map(({ locations }) => locations)).toEqual([
      ['eu-fra', 'us-ash'],
      ['eu-fra', 'us-ash'],
      ['eu-fra', 'us-ash'],
      ['eu-fra', 'us-ash', 'sg-sin'],
    ]);
  });
  it('of the usual module, and of a target without a scheme, is http_2xx of it', async () => {
    await using probe = await openProbe({ 'eu-fra': { result: httpResult() } });
    expect((await probe.scrape('target=192.0.2.10:8080/x')).status).toBe(200);
    expect(probe.asked[0]).toMatchObject({
      kind: 'http',
      spec: { url: 'http://192.0.2.10:8080/x', follow_redirects: true },
    });
  });
});

describe('locations that fail', () => {
  it('leave the others their series, and say why', async () => {
    await using probe = await openProbe({
      'eu-fra': { result: pingResult() },
      'us-ash': {
        reason: 'icmp_timeout',
        seen: '4 sent',
        result: pingResult({ packets_received: 0, icmp_requests: [], rtt: { min: 0, avg: 0, max: 0, mdev: 0 } }),
      },
    });
    const { status, text } = await probe.scrape(ICMP);
    expect(status).toBe(200);
    const samples = samplesOf(text);
    expect(samples).toMatchObject({
      'probe_success{location="eu-fra"}': 1,
      'probe_success{location="us-ash"}': 0,
      'probe_agent_ok{location="us-ash"}': 1,
      'probe_failure_info{location="us-ash",reason="icmp_timeout"}': 1,
      'probe_icmp_packets_received_count{location="us-ash"}': 0,
      'probe_success{location="sg-sin"}': 0,
      'probe_agent_ok{location="sg-sin"}': 0,
      'probe_failure_info{location="sg-sin",reason="no_agent"}': 1,
      'probe_locations{state="answered"}': 1,
      'probe_locations{state="failed"}': 1,
      'probe_locations{state="down"}': 1,
      'probe_locations{state="agent_lost"}': 0,
    });
    // A lost packet has the exporter's round trip of 0 s and no other; a location that failed by itself says nothing of the target.
    expect(Object.keys(samples).filter((name) => /rtt|hop_limit/.test(name) && /us-ash|sg-sin/.test(name))).toEqual([
      'probe_icmp_duration_seconds{location="us-ash",phase="rtt"}',
    ]);
    expect(Object.values(samples).filter((value) => value < 0 || Number.isNaN(value))).toEqual([]);
    expect(text).toContain('# us-ash: No echo reply came back: 4 sent\n');
  });
  it('are not held against the target where the agent itself is in doubt', async () => {
    await using probe = await openProbe({ 'eu-fra': { result: pingResult(), agent_state: 'degraded' } });
    const { text } = await probe.scrape(`${ICMP}&location=eu-fra`);
    expect(samplesOf(text)).toMatchObject({ 'probe_success{location="eu-fra"}': 1, 'probe_agent_ok{location="eu-fra"}': 0 });
  });
  it('all of them by their own fault make a scrape that failed, and is free', async () => {
    await using probe = await openProbe({ 'eu-fra': { reason: 'agent_lost' } });
    const answer = await probe.scrape(ICMP);
    expect(answer).toMatchObject({ status: 503, statusText: 'No agent could take the measurement: The agent stopped answering' });
    expect(probe.money).toEqual(['reserve 5 for probe-icmp', 'release 5']);
  });
  it('since their agents are older than the gateway say so, and are free where all are', async () => {
    const old = { result: pingResult({ detail: undefined }) };
    const file = 'modules: {near: {prober: icmp, icmp: {ttl: 5}}}';
    await using probe = await openProbe({ 'eu-fra': old, 'us-ash': { result: pingResult() } }, { file });
    const near = 'target=192.0.2.10&module=near';
    expect(samplesOf((await probe.scrape(near)).text)).toMatchObject({
      'probe_failure_info{location="eu-fra",reason="unsupported"}': 1,
      'probe_agent_ok{location="eu-fra"}': 0,
      'probe_locations{state="agent_lost"}': 1,
    });
    expect(await probe.scrape(`${near}&location=eu-fra`)).toMatchObject({ status: 503 });
    expect(probe.money.slice(2)).toEqual(['reserve 5 for probe-icmp', 'release 5']);
    // Plain echoes they have always sent.
    expect(samplesOf((await probe.scrape(`${ICMP}&location=eu-fra`)).text)).toMatchObject({
      'probe_success{location="eu-fra"}': 1,
      'probe_icmp_duration_seconds{location="eu-fra",phase="rtt"}': 0.015,
      'probe_icmp_reply_hop_limit{location="eu-fra"}': 57,
    });
  });
});

describe('an error is text, also in the status line that Prometheus shows', () => {
  it.each([
    ['no target', 'module=icmp', 400, 'A required parameter is missing: target'],
    ['a module that there is not', 'target=192.0.2.1&module=icpm', 400, 'the module icpm does not exist; did you mean icmp?'],
    ['a module with hostile letters', 'target=192.0.2.1&module=%0d%0aX-Evil:%201', 400, 'the module "'],
    ['a parameter twice', `${ICMP}&target=192.0.2.11`, 400, 'target was sent twice'],
    ['a module twice', `${ICMP}&module=http`, 400, 'module was sent twice'],
    ['a parameter that there is not', `${ICMP}&locaton=eu-fra`, 400, 'locaton; did you mean location?'],
    ['debug', `${ICMP}&debug=true`, 400, 'debug; /probe takes target, module, location, location_label, hostname'],
    ['a location that there is not', `${ICMP}&location=mars`, 400, 'No location matches the selection: mars'],
    ['an inner address', 'target=10.0.0.1&module=icmp', 400, 'The target is not a public address'],
    ['an inner URL', 'target=http://127.0.0.1/&module=http', 400, 'The target is not a public address'],
    ['a metadata service', 'target=169.254.169.254/latest/meta-data', 400, 'The target is not a public address'],
    ['a government', 'target=whitehouse.gov&module=icmp', 400, 'Government and educational targets'],
    ['an inner address behind a user name', 'target=http://a.test:b@10.0.0.7/', 400, 'The target is not a public address'],
    ['a government behind a user name', 'target=http://a.test@whitehouse.gov/', 400, 'Government and educational targets'],
    ['another scheme', 'target=file:///etc/passwd', 400, 'target must be an http or https URL'],
    ['a hostname for ICMP', `${ICMP}&hostname=a.test`, 400, 'and icmp is not one'],
    ['an address for the resolvers', 'target=192.0.2.1&module=dns', 400, 'target must be a name'],
    ['line ends in a target', 'target=192.0.2.10%0d%0aHost:%20x&module=icmp', 400, 'A parameter has the wrong type'],
    ['a target of 10,000 letters', `target=${'a'.repeat(10_000)}&module=icmp`, 400, 'A parameter has the wrong type'],
  ])('%s', async (_what, query, status, sentence) => {
    await using probe = await openProbe(WELL);
    const answer = await probe.scrape(query);
    expect(answer).toMatchObject({ status, text: expect.stringContaining(sentence) });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('x-evil')).toBeNull();
    expect(answer.statusText).toBe(
      answer.text
        .trimEnd()
        .replace(/[^ -~]+/g, '?')
        .slice(0, 200),
    );
    expect([probe.asked, probe.money]).toEqual([[], []]);
  });
  it.each([
    ['no key', {}, 401, 'No API key was sent: send the key as a bearer token'],
    ['a wrong key', { authorization: 'Bearer guess-1' }, 401, 'The API key is unknown'],
    ['another scheme', { authorization: 'Basic a2V5LW9mLWE6' }, 401, 'No API key was sent'],
  ])('%s', async (_what, headers, status, sentence) => {
    await using probe = await openProbe(WELL);
    const answer = await probe.scrape(ICMP, headers);
    expect(answer).toMatchObject({ status, text: expect.stringContaining(sentence) });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Vedette"');
    expect(probe.asked).toEqual([]);
  });
  it('no credits', async () => {
    const ledger = stubLedger();
    ledger.reserve = () => Promise.reject(new ApiError('insufficient_credits'));
    await using probe = await openProbe(WELL, { ledger });
    expect(await probe.scrape(ICMP)).toMatchObject({ status: 402, statusText: 'Not enough credits' });
    expect(probe.asked).toEqual([]);
  });
  it('ten bad tokens block the address, as ten bad keys do', async () => {
    await using probe = await openProbe(WELL);
    for (let i = 0; i < 10; i++) await probe.scrape(ICMP, { authorization: `Bearer guess-${i}` });
    const answer = await probe.scrape(ICMP);
    expect(answer.status).toBe(403);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
  it('a token twice', async () => {
    await using probe = await openProbe(WELL);
    const answer = await probe.scrape(ICMP, { authorization: 'Bearer key-of-a', Authorization: 'Bearer key-of-b' });
    expect(answer.status).toBe(401); // fetch joins them into one that is none
  });
  it('a key that may do something else', async () => {
    const ledger = stubLedger();
    const { authenticate } = ledger;
    ledger.authenticate = async (text) => ({ ...(await authenticate(text)), allowedOperations: ['ping-test'] });
    await using probe = await openProbe(WELL, { ledger });
    expect((await probe.scrape(ICMP)).status).toBe(403);
    ledger.authenticate = async (text) => ({ ...(await authenticate(text)), allowedOperations: ['probe'] });
    expect((await probe.scrape(ICMP, { authorization: 'Bearer key-of-b' })).status).toBe(200);
  });
  it('a key that no operator made for it, where a module has secrets', async () => {
    const file = `modules:
  private: {prober: http, http: {bearer_token: hush}}
  cookie: {prober: http, http: {headers: {Cookie: hush}}}
  public: {prober: http, http: {headers: {Accept: text/html, User-Agent: me}}}`;
    await using probe = await openProbe({}, { file, allowedOperations: null });
    for (const module of ['private', 'cookie']) {
      const { status, text } = await probe.scrape(`target=192.0.2.10&module=${module}`);
      expect([status, text]).toEqual([403, expect.stringContaining(`the module ${module} sends headers of its operator's`)]);
      expect(text).not.toContain('hush');
    }
    expect(probe.asked).toEqual([]);
    await probe.scrape('target=192.0.2.10&module=public');
    await using made = await openProbe({}, { file });
    await made.scrape('target=192.0.2.10&module=private');
    expect([...probe.asked, ...made.asked]).toHaveLength(2);
  });
  it.each(['HEAD', 'POST', 'PUT', 'DELETE'])('%s: a scrape costs, and is asked for with GET', async (method) => {
    await using probe = await openProbe(WELL);
    const answer = await probe.scrape(ICMP, KEY, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(probe.asked).toEqual([]);
  });
});

describe('the scrape timeout', () => {
  const withTimeout = (seconds: string) => ({ ...KEY, 'x-prometheus-scrape-timeout-seconds': seconds });

  it('is honoured, less half a second for the answer', async () => {
    await using probe = await openProbe(WELL);
    expect((await probe.scrape(ICMP, withTimeout('3'))).status).toBe(200);
    const { budgetMs } = probe.asked[0]!;
    expect(budgetMs).toBeLessThanOrEqual(2_500);
    expect(budgetMs).toBeGreaterThan(1_500);
  });
  it('makes no more of a module than it has, nor of one that says nothing', async () => {
    const file = 'modules: {quick: {prober: icmp, timeout: 1500ms}, slow: {prober: icmp, timeout: 10m}}';
    await using probe = await openProbe(WELL, { file });
    for (const module of ['quick', 'slow', 'icmp']) await probe.scrape(`target=192.0.2.10&module=${module}`, withTimeout('300'));
    const limits = [1_500, 60_000, 10_000];
    expect(probe.asked.map(({ budgetMs }, i) => budgetMs <= limits[i]! && budgetMs > limits[i]! * 0.5)).toEqual([true, true, true]);
  });
  it('is refused of a module that has too little of it', async () => {
    await using probe = await openProbe(WELL, { file: 'modules: {hasty: {prober: icmp, timeout: 500ms}}' });
    const answer = await probe.scrape('target=192.0.2.10&module=hasty', KEY);
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('the timeout of the module, 0.5 s, leaves no time to measure; it takes more than 0.6 s'),
    ]);
  });
  it.each(['1.1', '0.7', '0', '-1', 'abc', 'NaN', '1e3', '', '1, 1', '99999999999'])(
    'of %j is refused: nothing can be measured, or read',
    async (seconds) => {
      await using probe = await openProbe(WELL);
      const answer = await probe.scrape(ICMP, withTimeout(seconds));
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(
        /X-Prometheus-Scrape-Timeout-Seconds is not a number of seconds|scrape_timeout of .* leaves no time to measure; it takes more than 1\.1 s/,
      );
      expect([probe.asked, probe.money]).toEqual([[], []]);
    },
  );
});

describe('what protects targets', () => {
  const resolver = fakeResolver({ '_probe-optout.example.org': { TXT: ['v=optout1'] }, 'example.com': { A: ['192.0.2.10'] } });
  const optOuts = () => new OptOuts({ siteOf: registrableDomain, resolver, clock: systemClock });

  it.each(['target=https://www.example.org/', 'target=192.0.2.10&hostname=example.org', 'target=example.org&module=icmp'])(
    'holds for %s, whose owner has opted out, at no cost',
    async (query) => {
      await using probe = await openProbe(
        { 'eu-fra': { result: query.includes('icmp') ? pingResult() : httpResult() } },
        { optOuts: optOuts() },
      );
      expect(await probe.scrape(query)).toMatchObject({ status: 400, statusText: expect.stringContaining('has opted out') });
      expect(probe.money).toEqual([expect.stringMatching(/^reserve 5/), 'release 5']);
    },
  );
  it('lets a hostname stand for that of the URL, where it may be measured', async () => {
    await using probe = await openProbe({ 'eu-fra': { result: httpResult() } }, { optOuts: optOuts() });
    expect((await probe.scrape('target=192.0.2.10&hostname=Example.com&location=eu-fra')).status).toBe(200);
    expect(probe.asked[0]!.spec).toMatchObject({ url: 'http://192.0.2.10/', headers: { host: 'example.com' } });
  });
  it('refuses what is too much for one of them, at no cost, and says when to come back', async () => {
    await using probe = await openProbe(WELL);
    let answer = await probe.scrape(ICMP);
    for (let i = 0; i < 100 && answer.status === 200; i++) answer = await probe.scrape(ICMP);
    expect(answer).toMatchObject({ status: 429, statusText: 'This target is being measured too often: 192.0.2.10' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(probe.asked.length).toBeGreaterThan(60); // a burst of 200 contacts is that of 66 scrapes of three locations
    expect(probe.money.filter((line) => line.startsWith('settle'))).toHaveLength(probe.asked.length);
  });
  it('keeps to the operator’s deny-list', async () => {
    const ledger = stubLedger();
    ledger.isDenied = (host) => host === '192.0.2.10';
    await using probe = await openProbe(WELL, { ledger });
    expect(await probe.scrape(ICMP)).toMatchObject({ status: 400, text: expect.stringContaining('deny-list') });
  });
  it('charges a Prometheus that hangs up once its scrape was measured', async () => {
    const { promise: answered, resolve: answerNow } = Promise.withResolvers<void>();
    await using probe = await openProbe(WELL, { before: () => answered });
    const gone = new AbortController();
    const scrape = fetch(`http://127.0.0.1:${probe.port}/probe?${ICMP}`, { headers: KEY, signal: gone.signal }).catch(() => undefined);
    await expect.poll(() => probe.asked.length).toBe(1);
    gone.abort();
    await scrape;
    await expect.poll(() => probe.money).toEqual(['reserve 5 for probe-icmp', 'settle 5']);
    answerNow();
  });
});
