import type { DnsAnswer, DnsRecord, Rcode } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { readCodes } from '../../../packages/intel/src/engines/codes.ts';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';

const answer = (codes: readonly string[], rcode: Rcode = 'NOERROR', authorities: DnsRecord[] = []): DnsAnswer => ({
  rcode,
  aa: true,
  ad: false,
  answers: codes.map((data) => ({ name: 'x.test', ttl: 300, rdata: new Uint8Array(), type: 'A', data })),
  authorities,
  additionals: [],
  server: '192.0.2.53:53',
  rtt_ms: 1,
  tries: 1,
  transport: 'udp',
  cached: false,
});
const read = (id: string, codes: readonly string[], rcode?: Rcode, authorities?: DnsRecord[]) =>
  readCodes(
    ENGINE_CATALOGUE.find((engine) => engine.id === id)!,
    answer(codes, rcode, authorities),
  );

describe('codes that are listings', () => {
  it.each([
    ['spamcop', ['127.0.0.2'], ['spam'], false],
    ['dronebl', ['127.0.0.8'], ['open-proxy'], false],
    ['dronebl', ['127.0.0.19'], ['vpn'], false],
    ['dronebl', ['127.0.0.8', '127.0.0.9', '127.0.0.17'], ['open-proxy', 'botnet'], false],
    ['spamhaus-zen', ['127.0.0.4', '127.0.0.10'], ['compromised', 'policy'], false],
    ['spamhaus-zen', ['127.0.0.7'], ['compromised'], false],
    ['spamhaus-zen', ['127.0.0.9', '127.0.0.2'], ['hijacked', 'spam'], false],
    ['spamhaus-dbl', ['127.0.1.4'], ['phishing'], false],
    ['spamhaus-dbl', ['127.0.1.104'], ['phishing'], true],
    ['spamhaus-dbl', ['127.0.1.5', '127.0.1.105'], ['malware'], false],
    ['surbl', ['127.0.0.24'], ['phishing', 'malware'], false],
    ['surbl', ['127.0.0.64'], ['abuse'], false],
    ['uribl', ['127.0.0.2'], ['spam'], false],
    ['uribl', ['127.0.0.6'], ['spam'], false],
    ['scientific-spam-rhsbl', ['127.0.1.2'], ['spam'], false],
  ])('%s %j', (id, codes, meanings, doubtful) => {
    expect(read(id, codes)).toEqual({ state: 'listed', meanings, doubtful });
  });
});

describe('codes that are known and no detection', () => {
  it.each([
    ['spamhaus-zen', ['127.0.0.10'], ['policy']],
    ['spamhaus-zen', ['127.0.0.11'], ['policy']],
    ['spamhaus-zrd', ['127.0.2.24'], ['new']],
    ['mailspike', ['127.0.0.13'], ['reputation']],
    ['spfbl', ['127.0.0.3'], ['policy']],
    ['spamrats-dyna', ['127.0.0.36'], ['policy']],
    ['uribl', ['127.0.0.4'], ['grey']],
  ])('%s %j', (id, codes, meanings) => {
    expect(read(id, codes)).toEqual({ state: 'clean', meanings });
  });

  it.each(['NXDOMAIN', 'NOERROR'])('%s without records', (rcode) => {
    expect(read('spamcop', [], rcode)).toEqual({ state: 'clean', meanings: [] });
  });
});

describe('answers that say nothing of the subject', () => {
  it.each([
    ['127.0.0.1 is a refusal', 'spamcop', ['127.0.0.1']],
    ['SURBL: access blocked', 'surbl', ['127.0.0.1']],
    ['URIBL: query blocked', 'uribl', ['127.0.0.1']],
    ['URIBL: all bits, the first too', 'uribl', ['127.0.0.255']],
    ['Spamhaus: typing error', 'spamhaus-zen', ['127.255.255.252']],
    ['Spamhaus: open resolver', 'spamhaus-zen', ['127.255.255.254']],
    ['Spamhaus: too much', 'spamhaus-zen', ['127.255.255.255']],
    ['DBL: an address was asked for', 'spamhaus-dbl', ['127.0.1.255']],
    ['ZRD: beyond a day', 'spamhaus-zrd', ['127.0.2.25']],
    ['a code that is not in the table', 'spamcop', ['127.0.0.3']],
    ['a bit mask elsewhere in 127/8', 'surbl', ['127.0.1.8']],
    ['a bit that is not in the table', 'surbl', ['127.0.0.4']],
    ['a resolver that leads NXDOMAIN to a portal', 'spamcop', ['198.51.100.80']],
    ['a listing beside an address of somebody in between', 'spamcop', ['127.0.0.2', '198.51.100.80']],
    ['a listing beside an error', 'spamhaus-zen', ['127.0.0.2', '127.255.255.254']],
    ['a listing beside 127.0.0.1', 'spamcop', ['127.0.0.2', '127.0.0.1']],
  ])('%s', (_, id, codes) => {
    expect(read(id, codes)).toEqual({ state: 'unknown', why: expect.any(String) });
  });

  it.each(['SERVFAIL', 'REFUSED', 'NOTIMP'])('%s', (rcode) => {
    expect(read('spamcop', [], rcode)).toMatchObject({ state: 'unknown' });
  });

  it('a referral: the server does not serve the zone', () => {
    const ns: DnsRecord = { name: 'test', ttl: 300, rdata: new Uint8Array(), type: 'NS', data: 'ns.test' };
    expect(read('spamcop', [], 'NOERROR', [ns])).toMatchObject({ state: 'unknown' });
  });
});
