import { parseHost } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';

function setUp({ spares = [], gateways = 1 }: { spares?: string[]; gateways?: number } = {}) {
  const clock = { at: 0, now: () => clock.at };
  const rates = new TargetRates({ clock, spares, gateways: () => gateways });
  let label = 0;
  return {
    clock,
    rates,
    /** Questions about random names of the domain, and how many of them were let through. */
    ask: (account: string, domain: string, tries = 9_999, server?: string) =>
      admitted(tries, () => rates.question(account, `label-${label++}.${domain}`, server)),
    /** Requests about the host, each measured at three locations, and how many contacts they came to. */
    contact: (account: string, host: string, tries = 999, locations = 3) =>
      locations * admitted(tries, () => rates.jobs(account, [parseHost(host)!], locations, undefined)),
  };
}

const admitted = (tries: number, take: () => object | undefined): number =>
  Array.from({ length: tries }, take).filter((refused) => refused === undefined).length;

describe('questions', () => {
  it('50 a second to a zone over all accounts, where dns-lookup sent 2,496 and dkim-validator 276; a burst is 100 look-ups', () => {
    const { clock, ask } = setUp();
    const accounts = ['a', 'b', 'c', 'd', 'e'];
    const askAll = () => accounts.reduce((sum, account) => sum + ask(account, 'victim.example'), 0);
    expect(askAll()).toBe(1_200);
    for (clock.at = 2_000; clock.at <= 10_000; clock.at += 2_000) expect(askAll()).toBe(100);
  });
  it('a quarter of it for one account: two of them closed a zone for all, for nothing', () => {
    const { clock, ask } = setUp();
    // A burst of its own each has once.
    for (; clock.at < 60_000; clock.at += 2_000) for (const account of ['flood', 'another']) ask(account, 'victim.example');
    for (; clock.at < 80_000; clock.at += 2_000)
      expect([ask('flood', 'victim.example'), ask('another', 'victim.example'), ask('honest', 'victim.example', 20)]).toEqual([25, 25, 20]);
  });
  it('each zone for itself, the root not at all', () => {
    const { rates, ask } = setUp();
    ask('a', 'victim.example');
    expect(ask('a', 'other.example', 1_200)).toBe(1_200);
    expect(admitted(2_000, () => rates.question('a', '.'))).toBe(2_000);
  });
  it('its part where gateways share the rate', () => {
    const { clock, ask } = setUp({ gateways: 5 });
    ask('a', 'victim.example');
    clock.at = 2_000;
    expect(ask('a', 'victim.example')).toBe(5);
  });
  it('500 a second to one server that is asked directly, for whatever zones', () => {
    const { clock, ask } = setUp();
    let zone = 0;
    const askServer = () => admitted(9_999, () => (ask('a', `zone${zone++}.example`, 1, '192.0.2.53') === 1 ? undefined : {}));
    expect(askServer()).toBe(1_000);
    clock.at = 1_000;
    expect(askServer()).toBe(125);
  });
  it("directly to the zone's server only out of the first half, what is promised always: the rest is for what no report can do without", () => {
    const { rates, ask } = setUp();
    expect(ask('a', 'victim.example', 9_999, '192.0.2.53')).toBe(601);
    expect(ask('a', 'victim.example')).toBe(599);
    expect(rates.question('a', 'www.victim.example', '192.0.2.53', ['victim.example'])).toBeUndefined();
  });
  it('a hundred hosts of one zone, looked up at once by one account with fourteen questions each: it was refused at the 43rd', () => {
    const { ask } = setUp();
    const lookUp = () => {
      const resolved = ask('customer', 'own.example', 8) === 8;
      ask('customer', 'own.example', 6, '192.0.2.53');
      return resolved ? undefined : {};
    };
    expect(admitted(100, lookUp)).toBe(100);
  });
  it('say when it is worth coming back, and for what', () => {
    const { rates, ask } = setUp();
    expect(rates.spent('a', [parseHost('www.victim.example')!])).toBeUndefined();
    ask('a', 'victim.example');
    const refused = { target: 'victim.example', retryAfterS: 2 };
    expect(rates.question('a', 'www.victim.example')).toEqual(refused);
    expect(rates.spent('a', [parseHost('www.victim.example')!])).toEqual(refused);
    // Another account's request begins: what it asks may be in the cache.
    expect(rates.spent('b', [parseHost('www.victim.example')!])).toBeUndefined();
  });
});

describe('contacts', () => {
  it('20 a second with a domain over all accounts and locations, half of it for one account', () => {
    const { clock, contact } = setUp();
    expect(contact('a', 'www.victim.example')).toBe(198);
    clock.at = 3_000;
    expect([contact('a', 'victim.example'), contact('b', 'x.victim.example')]).toEqual([30, 30]);
  });
  it('with an address as with a domain, and five times that with its prefix', () => {
    const { clock, contact } = setUp();
    expect(contact('a', '192.0.2.1')).toBe(198);
    let host = 2;
    expect(admitted(250, () => (contact('a', `192.0.2.${host++}`, 1, 10) === 10 ? undefined : {})) * 10).toBe(800);
    expect(contact('a', '192.0.3.1')).toBe(198);
    clock.at = 1_000;
    expect(contact('b', '192.0.2.1')).toBe(21);
    expect(contact('a', '2001:db8::1')).toBe(198);
  });
  it('connections of ours count with the jobs', () => {
    const { rates, contact } = setUp();
    contact('a', '192.0.2.1');
    expect(admitted(9, () => rates.connection('a', '192.0.2.1'))).toBe(2);
  });
  it('any one request of a fleet is let through while nothing else was, then none until it is paid off', () => {
    const { clock, contact } = setUp();
    expect(contact('a', 'example.org', 9, 500)).toBe(500);
    clock.at = 29_999;
    expect(contact('a', 'example.org', 9, 1)).toBe(0);
    clock.at = 50_000;
    expect(contact('a', 'example.org', 9, 100)).toBe(200);
  });
  it('of two targets take nothing where one is refused: what the first had was gone', () => {
    const { rates, contact } = setUp();
    contact('a', 'busy.example');
    const both = [parseHost('example.org')!, parseHost('busy.example')!];
    expect(admitted(99, () => rates.jobs('a', both, 3, undefined))).toBe(0);
    expect(contact('a', 'example.org')).toBe(198);
  });
  it('leave room for monitoring: three locations every second for an hour', () => {
    const { clock, contact } = setUp();
    for (; clock.at < 3_600_000; clock.at += 1_000) expect(contact('a', 'www.example.org', 3)).toBe(9);
  });
  it('count what each job contacts beside its targets', () => {
    const { rates } = setUp();
    const [zone, server] = [parseHost('a.test')!, parseHost('192.0.2.53')!];
    const tries = admitted(999, () => rates.jobs('one', [zone], 10, 1, false, [server]));
    expect(tries).toBe(20); // the burst of contacts with the server; the zone takes more questions
    expect(rates.jobs('one', [zone], 10, 1)).toBeUndefined();
    expect(rates.jobs('one', [zone], 10, 1, true, [server])).toMatchObject({ target: '192.0.2.53' });
  });
  it('a look before the reservation takes nothing', () => {
    const { rates, contact } = setUp();
    const targets = [parseHost('example.org')!];
    expect(admitted(999, () => rates.jobs('poor', targets, 3, undefined, true))).toBe(999);
    expect(contact('a', 'example.org')).toBe(198);
    expect(rates.jobs('poor', targets, 3, undefined, true)).toEqual({ target: 'example.org', retryAfterS: 0.05 });
  });
});

it("jobs that ask the DNS count as each location's questions", () => {
  const { rates } = setUp();
  const job = () => rates.jobs('a', [parseHost('example.org')!], 3, 20);
  expect(admitted(99, job)).toBe(20);
  expect(job()).toEqual({ target: 'example.org', retryAfterS: 4.8 });
});

it("spares the operator's own names and networks", () => {
  const { ask, contact, rates } = setUp({ spares: ['own.example', '198.51.100.0/24'] });
  expect(ask('a', 'own.example', 2_000)).toBe(2_000);
  expect(contact('a', 'www.own.example', 500)).toBe(1_500);
  expect(contact('a', '198.51.100.1', 500)).toBe(1_500);
  expect(admitted(2_000, () => rates.connection('a', '198.51.100.1'))).toBe(2_000);
  expect(ask('a', 'notown.example')).toBe(1_200);
});

describe('ports', () => {
  const scan = (rates: TargetRates, account: string, host: string, ports: readonly number[]) =>
    ports.filter((port) => rates.connection(account, host, port) === undefined).length;
  const ports = (count: number, first = 1): number[] => Array.from({ length: count }, (_, n) => first + n);

  it('20 of one host for one account in an hour: 150 were told in a second, for a credit each', () => {
    const { rates, clock } = setUp();
    expect(scan(rates, 'a', '192.0.2.1', ports(150))).toBe(20);
    expect(scan(rates, 'a', '192.0.2.1', [1, 20, 1])).toBe(3); // those again, as often as one likes
    expect(rates.connection('a', '192.0.2.1', 500)).toEqual({ target: '192.0.2.1', retryAfterS: 3_600 });
    expect(scan(rates, 'a', '192.0.2.2', [80])).toBe(1);
    expect(scan(rates, 'b', '192.0.2.1', [500])).toBe(1);
    clock.at = 3_600_000;
    expect(scan(rates, 'a', '192.0.2.1', ports(150, 500))).toBe(20);
  });
  it('do not count where the connection or the job is refused: what was never contacted kept an account from its own site for an hour', () => {
    const { rates, clock } = setUp();
    for (let n = 0; n < 200; n++) rates.connection('a', '192.0.2.1');
    expect(scan(rates, 'a', '192.0.2.1', ports(30))).toBe(0);
    const target = { ...parseHost('example.org')!, port: 443 };
    rates.jobs('a', [target], 200, undefined);
    for (const port of ports(30)) expect(rates.jobs('a', [{ ...target, port }], 1, undefined)).toMatchObject({ target: 'example.org' });
    clock.at = 10_000;
    expect(rates.connection('a', '192.0.2.1', 8443)).toBeUndefined();
    expect(rates.jobs('a', [{ ...target, port: 8443 }], 1, undefined)).toBeUndefined();
  });
  it('count for jobs at locations, too, and not for the operator', () => {
    const { rates } = setUp({ spares: ['192.0.2.9'] });
    const at = (host: string) => ports(30, 8_000).filter((port) => !rates.jobs('a', [{ ...parseHost(host)!, port }], 1, undefined)).length;
    expect([at('www.example.org'), at('192.0.2.9')]).toEqual([20, 30]);
  });
  it('of all names below a registrable domain together: a wildcard gave each port a name of its own', () => {
    const { rates } = setUp();
    const jobAt = (host: string, port: number) => rates.jobs('a', [{ ...parseHost(host)!, port }], 1, undefined);
    expect(ports(150).filter((port) => !jobAt(`label-${port}.victim.example`, port))).toEqual(ports(20));
    expect(jobAt('another.victim.example', 500)).toEqual({ target: 'victim.example', retryAfterS: 3_600 });
    expect(jobAt('another.victim.example', 20)).toBeUndefined();
    // The last labels of an address are no domain.
    expect(ports(20).filter((port) => jobAt('192.0.2.1', port) ?? jobAt('198.51.2.1', 100 + port))).toEqual([]);
  });
});
