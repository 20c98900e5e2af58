import { shippedNames } from '@vedette/intel/names';
import { createAddressPolicy } from '@vedette/probes/host';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { type Dialler, isSpecialUseName } from '@vedette/contract';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { type FakeSites, startFakeSites } from '../site-trust/fake-sites.ts';

const parkedDomain = operations.find(({ name }) => name === 'parked-domain') as CentralOperation<any, any, any, any>;

let sites: FakeSites;
beforeAll(async () => {
  sites = await startFakeSites();
});
afterAll(() => sites[Symbol.asyncDispose]());

const HERE = { A: ['127.0.0.1'], NS: ['ns1.host.test'] };
const ZONE: FakeZone = {
  test: { NS: ['a.nic.test'] },
  'plain.test': HERE,
  'parked.test': HERE,
  'wrong-name.test': { ...HERE, NS: ['ns1.sedoparking.com', 'ns2.sedoparking.com'] },
  'silent.test': { ...HERE, NS: ['ns1.bodis.com'], A: ['127.0.0.2'] },
  'no-site.test': { NS: ['ns1.host.test'] },
  'no-site-parked.test': { NS: ['NS1.ParkingCrew.net'] },
  'private.test': { ...HERE, A: ['10.0.0.7'] },
};

function opened(marked: readonly string[] = [], zone = ZONE, lists: readonly string[] = ['parking']): Opened & { waived: number } {
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = {
    ...inner,
    tcp: (options) =>
      inner.tcp({ ...options, port: options.port === 443 ? sites.httpsPort : options.port === 80 ? sites.httpPort : options.port }),
  };
  const whole = {
    ...SHUT,
    waived: 0,
    resolver: refusing(fakeResolver(zone), isSpecialUseName),
    dialler,
    clock: systemClock,
    ca: [sites.root],
    today: () => new Date(),
    names: shippedNames(),
    networks: {
      ...SHUT.networks,
      hasList: (list: string) => lists.includes(list),
      marks: (address: string) => (marked.includes(address) ? [{ list: 'parking', label: '' }] : []),
    },
    waivePrice: () => void whole.waived++,
  };
  return whole;
}
type Report = Record<string, any>;
const schema = Compile(parkedDomain.response);
async function parked(host: string, ...rest: Parameters<typeof opened>) {
  const report = (await answer(parkedDomain, { host }, opened(...rest))) as Report;
  expect([...schema.Errors(report)]).toEqual([]);
  expect(report['detections_count']).toBe(report['reasons'].length);
  return { ...report, codes: report['reasons'].map(({ code }: { code: string }) => code) };
}

describe('parked-domain', () => {
  it('tells of an ordinary site that it is not parked', async () => {
    expect(await parked('WWW.Plain.test')).toEqual({
      host: 'plain.test',
      parked_domain: false,
      confidence: 'high',
      parking_provider: '',
      for_sale: false,
      content_parked: false,
      ns_parked: false,
      a_records_parked: false,
      a_records_found: true,
      a_records: ['127.0.0.1'],
      ns_records: ['ns1.host.test'],
      url_final: 'https://plain.test/',
      detections_count: 0,
      reasons: [],
      codes: [],
      debug_message: '',
    });
  });

  it('is less sure of a short page without the list of addresses, and names the list', async () => {
    const blind = { parked_domain: false, a_records_parked: false, debug_message: 'the list parking is not loaded' };
    expect(await parked('plain.test', [], ZONE, [])).toMatchObject({ ...blind, confidence: 'medium' });
    expect(await parked('parked.test', [], ZONE, [])).toMatchObject({ ...blind, parked_domain: true, confidence: 'high' });
  });

  it('knows a parked page by its code and its words', async () => {
    expect(await parked('parked.test')).toMatchObject({
      parked_domain: true,
      confidence: 'high',
      parking_provider: 'Sedo',
      for_sale: true,
      content_parked: true,
      ns_parked: false,
      codes: ['adblock_key', 'parking_code', 'sale_offer'],
      reasons: [
        { detail: expect.stringContaining('ad blockers') },
        { code: 'parking_code' },
        { detail: 'the page offers the name for sale' },
      ],
    });
  });

  it.each<[string, string, object]>([
    [
      'a small page at name servers of a parking service is doubtful',
      'wrong-name.test',
      {
        parked_domain: true,
        ns_parked: true,
        content_parked: false,
        parking_provider: 'Sedo',
        for_sale: false,
        codes: ['parked_name_server'],
      },
    ],
    [
      'a site that is silent is judged by its name servers',
      'silent.test',
      {
        parked_domain: true,
        confidence: 'medium',
        parking_provider: 'Bodis',
        url_final: '',
        debug_message: expect.stringContaining('silent.test'),
      },
    ],
    [
      'so is a name without a site',
      'no-site-parked.test',
      {
        parked_domain: true,
        confidence: 'medium',
        parking_provider: 'ParkingCrew',
        a_records_found: false,
        ns_records: ['ns1.parkingcrew.net'],
      },
    ],
    ['a name without a site is not parked for that alone', 'no-site.test', { parked_domain: false, confidence: 'low', codes: [] }],
  ])('%s', async (_, host, says) => {
    expect(await parked(host)).toMatchObject(says);
  });

  it('believes a list of addresses little', async () => {
    expect(await parked('plain.test', ['127.0.0.1'])).toMatchObject({
      parked_domain: true,
      confidence: 'low',
      a_records_parked: true,
      codes: ['parked_address'],
    });
    expect(await parked('parked.test', ['127.0.0.1'])).toMatchObject({ confidence: 'high', parking_provider: 'Sedo' });
  });

  it('does not visit a name with an inner address, and its report is free', async () => {
    const context = opened();
    const report = (await answer(parkedDomain, { host: 'private.test' }, context)) as Report;
    expect([report['parked_domain'], report['confidence'], report['url_final'], context.waived]).toEqual([false, 'low', '', 1]);
    const outside = opened();
    await answer(parkedDomain, { host: 'plain.test' }, outside);
    expect(outside.waived).toBe(0);
  });

  it('is a free error where no server of the DNS answers', async () => {
    const silent = Object.fromEntries(['plain.test', 'www.plain.test', 'test', '.'].map((name) => [name, 'TIMEOUT' as const]));
    await expect(parked('plain.test', [], silent)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('takes names only', () => {
    expect(() => read(parkedDomain, { host: '192.0.2.1' })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }) as Error);
  });
});

it('answers as the example shows', () =>
  expectExample('parked-domain', { host: 'parked.test' }, async (request) => (await answer(parkedDomain, request, opened())) as Report));
