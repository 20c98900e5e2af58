import { expect, it } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { HALF_DEAD, HOSTILE_HOST, regionalAddress, REGIONS, site, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

const ALL = REGIONS.map(({ id }) => id);
/** What a loaded machine may add to a phase, ms. */
const SLACK_MS = 25;
const MAX_TURNS = 12;

describeLab('geo-request in the lab', () => {
  shareSystem();

  const request = async (url: string, more: { use_ipv6?: boolean; locations?: readonly string[] } = {}) => {
    const { status, body, elapsed_ms } = await system.post('geo-request', { url, ...more });
    expect(status).toBe(200);
    return { entries: new Map<string, any>(body.locations.map((entry: any) => [entry.location, entry])), elapsed_ms };
  };
  const from = async (location: string, url: string) => (await request(url, { locations: [location] })).entries.get(location);

  it('times each phase as the distance says: one round trip to connect, one more for TLS 1.3, one more for the answer', async () => {
    // The quickest of a few: what a busy machine adds is not the network's.
    const quickest = new Map<string, { connect: number; tls: number; answer: number }>();
    const late = () =>
      REGIONS.filter(({ id, delay_ms }) => Math.max(...Object.values(quickest.get(id) ?? [Infinity])) >= 2 * delay_ms + SLACK_MS);
    for (let turn = 0; turn < MAX_TURNS && (turn < 3 || late().length > 0); turn++) {
      const { entries } = await request('https://good.lab-tls.com/');
      for (const { id } of REGIONS) {
        const { request_output, error } = entries.get(id);
        expect(error).toBe('');
        expect(request_output).toMatchObject({
          status_code: 200,
          remote_addr: WEB_HOSTS.tlsGood.v4,
          network: 'tcp4',
          http_version: 'HTTP/2',
          tls_version: 'TLSv1.3',
          error_message: '',
        });
        const { dns_ms, connect_ms, tls_ms, ttfb_ms, total_ms } = request_output.timings;
        expect(total_ms).toBeGreaterThanOrEqual(ttfb_ms);
        const { connect = Infinity, tls = Infinity, answer = Infinity } = quickest.get(id) ?? {};
        quickest.set(id, {
          connect: Math.min(connect, connect_ms),
          tls: Math.min(tls, tls_ms),
          answer: Math.min(answer, ttfb_ms - dns_ms - connect_ms - tls_ms),
        });
      }
    }
    for (const { id, delay_ms } of REGIONS)
      expect(Math.min(...Object.values(quickest.get(id)!)), id).toBeGreaterThanOrEqual(2 * delay_ms - 2); // two roundings
    expect(late()).toEqual([]);
    const clients = lab.web.accesses(WEB_HOSTS.tlsGood.name).map(({ client }) => client);
    expect(new Set(clients)).toEqual(new Set(ALL.map((id) => site(id).v4)));
  });

  it('does what the options say at every location, and judges a Host as a target', async () => {
    const options = { max_redirects: 5, show_body: 'text', show_certificates: true, headers: { 'accept-language': 'de' } };
    const { status, headers, body } = await system.post('geo-request', { url: 'https://good.lab-tls.com/', options });
    expect([status, /cost=(\d+)/.exec(String(headers['x-service-quota']))?.[1]]).toEqual([200, '6']);
    for (const { request_output, error } of body.locations) {
      expect(error).toBe('');
      expect(request_output).toMatchObject({ final_url: 'https://good.lab-tls.com/', redirects: [], body: { truncated: false } });
      expect(request_output.body.text.length).toBe(request_output.body_bytes);
      expect(request_output.certificates[0].names.join()).toContain('lab-tls.com');
    }
    const refused = await system.post('geo-request', {
      url: 'https://good.lab-tls.com/',
      options: { headers: { Host: 'whitehouse.gov' } },
    });
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([400, 'blocked_target', 'options.headers.host']);
  });

  it('gives every region the content that it is served', async () => {
    const { entries } = await request('http://www.lab-regions.com/');
    expect(ALL.map((id) => entries.get(id).request_output.remote_addr)).toEqual(REGIONS.map(regionalAddress));
  });

  it('uses IPv6 when asked to, and says so when a host has none', async () => {
    const { entries } = await request('https://www.lab-good.com/', { use_ipv6: true });
    expect(entries.get('br-gru').request_output).toMatchObject({ network: 'tcp6', remote_addr: WEB_HOSTS.web.v6, status_code: 200 });
  });

  it('goes over to IPv6 where a host has nothing else, as ping-test does, unless it was forbidden', async () => {
    expect((await from('eu-fra', 'https://v6.lab-good.com/')).request_output).toMatchObject({
      network: 'tcp6',
      remote_addr: WEB_HOSTS.v6only.v6,
      status_code: 200,
    });
    const { entries } = await request('https://v6.lab-good.com/', { use_ipv6: false, locations: ['eu-fra'] });
    expect(entries.get('eu-fra').reason).toBe('dns_no_address');
  });

  it.each([
    ['the IPv4 of which is silent', 'silence', WEB_HOSTS.web.name, 'silent'],
    ['the IPv4 of which refuses', 'reset', WEB_HOSTS.web.name, 'connect_refused'],
    ['one of two of whose addresses is silent', 'silence', HALF_DEAD.name, 'silent'],
    ['one of two of whose addresses refuses', 'reset', HALF_DEAD.name, 'connect_refused'],
  ] as const)('answers for a host, %s, and says what it tried', async (_what, how, name, outcome) => {
    // Resolvers give addresses in any order, and caches keep it: the first one is cut off.
    const { request_output: before } = await from('us-ash', `http://${name}/`);
    const dead = before.remote_addr;
    const heal = await lab.faults.cutFromHost('us-ash', dead, how);
    try {
      let tried: { ip_address: string; outcome: string }[] = [];
      for (let turn = 0; turn < MAX_TURNS && tried.length < 2; turn++) {
        const { request_output, error } = await from('us-ash', `http://${name}/`);
        expect(error).toBe('');
        expect(request_output.remote_addr).not.toBe(dead);
        tried = request_output.attempts;
      }
      expect(tried.map((one) => [one.ip_address === dead, one.outcome])).toEqual([
        [true, outcome],
        [false, 'connected'],
      ]);
    } finally {
      await heal();
    }
  });

  it('keeps every header value on its own', async () => {
    const { request_output } = await from('eu-fra', 'https://www.lab-good.com/cookies');
    expect(request_output.response_headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Secure']);
  });

  it('reports what is wrong with a certificate and gives the answer all the same', async () => {
    for (const name of ['expired', 'not-yet-valid', 'wrong-name', 'self-signed', 'missing-intermediate']) {
      const { request_output, error } = await from('eu-fra', `https://${name}.lab-tls.com/`);
      expect({ name, error, status: request_output.status_code, told: request_output.error_message !== '' }).toEqual({
        name,
        error: '',
        status: 200,
        told: true,
      });
    }
    expect((await from('eu-fra', 'https://good.lab-tls.com/')).request_output.error_message).toBe('');
    expect((await from('eu-fra', 'https://tls10.lab-tls.com/')).request_output).toMatchObject({ status_code: 200, tls_version: 'TLSv1' });
  });

  it('follows no redirect, wherever it leads', async () => {
    const leads = async (path: string) => (await from('eu-fra', `http://redirects.lab-good.com/${path}`)).request_output;
    expect(await leads('web')).toMatchObject({ status_code: 302, redirects_to: 'https://www.lab-good.com/' });
    expect(await leads('relative')).toMatchObject({ redirects_to: 'http://redirects.lab-good.com/elsewhere?x=1' });
    expect(await leads('loopback')).toMatchObject({ redirects_to: 'http://127.0.0.1/' });
    expect(lab.web.accesses(WEB_HOSTS.redirects.name).map(({ path }) => path)).not.toContain('/elsewhere?x=1');
  });

  it('ends within the deadline whatever a server does, with the right reason', async () => {
    // One misbehaviour per region and round, so that no target limit is in the way.
    const expected: Record<string, string> = {
      '/never': 'http_timeout',
      '/header-drip': 'http_timeout',
      '/body-drip': 'http_timeout',
      '/endless-headers': 'too_large',
      '/garbage': 'http_protocol',
      '/ssh': 'http_protocol',
      '/close': 'http_protocol',
      '/short-body': 'http_protocol',
      '/reset': 'http_protocol',
      '/two-lengths': 'http_protocol',
    };
    await lab.faults.cutFromHost('sg-sin', WEB_HOSTS.plain.v4, 'silence');
    const silence = request('http://www.lab-plain.com/', { locations: ['sg-sin'] });
    const outcomes = await Promise.all(
      Object.keys(expected).map(async (path, index) => {
        const location = ALL[index % ALL.length]!;
        const { entries, elapsed_ms } = await request(`http://${HOSTILE_HOST.name}${path}`, { locations: [location] });
        expect(elapsed_ms).toBeLessThan(20_500);
        return [path, entries.get(location).reason];
      }),
    );
    expect(Object.fromEntries(outcomes)).toEqual(expected);
    expect((await from('eu-fra', `https://${HOSTILE_HOST.name}/`)).reason).toBe('tls_handshake');
    const { entries, elapsed_ms } = await silence;
    expect(entries.get('sg-sin').reason).toBe('connect_timeout');
    expect(elapsed_ms).toBeLessThan(20_500);
  }, 180_000);

  it('reads only so much of an endless body or a bomb', async () => {
    for (const path of ['/endless', '/gzip-bomb']) {
      const { request_output, error } = await from('eu-fra', `http://${HOSTILE_HOST.name}${path}`);
      expect({ path, error, status: request_output.status_code }).toEqual({ path, error: '', status: 200 });
      expect(request_output.body_bytes).toBeLessThanOrEqual(5 * 1024 * 1024);
    }
    expect((await from('eu-fra', `http://${HOSTILE_HOST.name}/endless`)).request_output.body_truncated).toBe(true);
    expect((await from('eu-fra', `http://${HOSTILE_HOST.name}/slow`)).request_output.timings.ttfb_ms).toBeGreaterThanOrEqual(1500);
  });

  it('tells a block by reset from one by notice, and both from a closed port', async () => {
    await lab.faults.cutFromHost('us-ash', WEB_HOSTS.plain.v4, 'reset');
    await lab.faults.cutFromHost('br-gru', WEB_HOSTS.plain.v4, 'admin-prohibited');
    const { entries } = await request('http://www.lab-plain.com/');
    expect(Object.fromEntries([...entries].map(([id, { reason }]) => [id, reason ?? 'answered']))).toEqual({
      'eu-fra': 'answered',
      'us-ash': 'connect_refused',
      'sg-sin': 'answered',
      'br-gru': 'connect_unreachable',
      'za-jnb': 'answered',
      'au-syd': 'answered',
    });
    expect((await from('eu-fra', 'http://www.lab-plain.com:8080/')).reason).toBe('connect_refused');
    expect((await from('eu-fra', 'http://nobody.lab-good.com/')).reason).toBe('dns_nxdomain');
  }, 180_000);
});
