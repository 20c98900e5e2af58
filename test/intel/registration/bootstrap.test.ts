import type { Clock } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { Bootstrap } from '../../../packages/intel/src/registration/rdap/bootstrap.ts';

const services = (...list: [string[], string[]][]) => ({ version: '1.0', services: list });
const DNS = services(
  [['com', 'xn--fiqs8s'], ['https://rdap.example/com']],
  [['uk'], ['https://rdap.example/uk/']],
  [['co.uk'], ['https://co.example/']],
);
const HOUR_MS = 3_600_000;

/** A bootstrap whose files are what `answer` says; time stands still until it is moved. */
function open(answer: () => unknown, plain = false) {
  const fetched: string[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: (_ms, signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('ended')))),
  };
  const bootstrap = new Bootstrap({
    clock,
    plain,
    async fetch(file) {
      fetched.push(file);
      return await Promise.resolve(answer());
    },
  });
  const { signal } = new AbortController();
  return {
    fetched,
    domain: (name: string) => bootstrap.forDomain(name, signal),
    autnum: (asn: number) => bootstrap.forAutnum(asn, signal),
    later: (ms: number) => void (now += ms),
  };
}
const fails = () => {
  throw new Error('no network');
};

describe("IANA's bootstrap", () => {
  it('is matched by the longest suffix (RFC 9224 §4)', async () => {
    const { domain, fetched } = open(() => DNS);
    expect(await domain('a.com')).toEqual(['https://rdap.example/com/']);
    expect(await domain('a.co.uk')).toEqual(['https://co.example/']);
    expect(await domain('a.org.uk')).toEqual(['https://rdap.example/uk/']);
    expect(await domain('a.xn--fiqs8s')).toEqual(['https://rdap.example/com/']);
    expect(await domain('com.zz')).toEqual([]);
    expect(await domain('acom')).toEqual([]);
    expect(fetched).toEqual(['dns.json']);
  });

  it('names servers over TLS, and over plain http where it is had so itself', async () => {
    const both = () =>
      services([['zz'], ['http://plain.example/', 'https://tls.example/']], [['yy'], ['http://plain.example/']], [['xx'], ['ftp://x/']]);
    const strict = open(both);
    expect([await strict.domain('a.zz'), await strict.domain('a.yy')]).toEqual([['https://tls.example/'], []]);
    const plain = open(both, true);
    expect(await plain.domain('a.zz')).toEqual(['https://tls.example/', 'http://plain.example/']);
    expect([await plain.domain('a.yy'), await plain.domain('a.xx')]).toEqual([['http://plain.example/'], []]);
  });

  it('knows ranges of numbers, and that the rest was given to nobody', async () => {
    const { autnum } = open(() => services([['1-6', '8'], ['https://a.example/']], [['4200000'], ['https://b.example/']]));
    expect(await autnum(6)).toEqual({ urls: ['https://a.example/'], isWhole: true });
    expect(await autnum(8)).toMatchObject({ urls: ['https://a.example/'] });
    expect(await autnum(7)).toEqual({ urls: [], isWhole: true });
    expect(await autnum(4_200_000)).toMatchObject({ urls: ['https://b.example/'] });
  });

  it('is fetched once a day, beside the requests, and what is there stays while it cannot be', async () => {
    let answer: () => unknown = () => DNS;
    const { domain, fetched, later } = open(() => answer());
    await Promise.all([domain('a.com'), domain('b.com'), domain('c.uk')]);
    later(23 * HOUR_MS);
    await domain('a.com');
    expect(fetched).toHaveLength(1);
    answer = fails;
    later(2 * HOUR_MS);
    expect(await domain('a.com')).toEqual(['https://rdap.example/com/']);
    await expect.poll(() => fetched).toHaveLength(2);
    for (let i = 0; i < 5; i++) await domain('a.com');
    expect(fetched).toHaveLength(2);
    answer = () => services([['com'], ['https://new.example/']]);
    later(HOUR_MS);
    await domain('a.com');
    await expect.poll(() => domain('a.com')).toEqual(['https://new.example/']);
    expect(fetched).toHaveLength(3);
  });

  it('is shipped in small for who cannot reach it, who tries again', async () => {
    let answer: () => unknown = fails;
    const { domain, autnum, fetched, later } = open(() => answer());
    expect(await domain('a.com')).toEqual(['https://rdap.verisign.com/com/v1/']);
    expect(await domain('a.de')).toEqual([]);
    expect((await autnum(3_333)).urls).toEqual(['https://rdap.db.ripe.net/']);
    expect(await autnum(15_169)).toEqual({ urls: ['https://rdap.arin.net/registry/'], isWhole: false });
    expect(await autnum(3_000_000)).toEqual({ urls: [], isWhole: false });
    expect(fetched).toEqual(['dns.json', 'asn.json']);
    later(11_000);
    answer = () => DNS;
    expect(await domain('a.co.uk')).toEqual(['https://co.example/']);
  });

  it.each([undefined, null, [], {}, { services: [] }, { services: 'x' }, 'text'])('is not %j', async (answer) => {
    expect(await open(() => answer).domain('a.com')).toEqual(['https://rdap.verisign.com/com/v1/']);
  });
});
