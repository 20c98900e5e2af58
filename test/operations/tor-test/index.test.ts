import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { describe, expect, it } from 'vitest';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const torTest = operations.find(({ name }) => name === 'tor-test') as CentralOperation<any, any, any, any>;
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'tor-exits': ['93.184.215.80', '2606:2800::80'],
  'tor-relays': ['93.184.215.80', '93.184.215.81'],
  'x4b-vpn': ['93.184.215.82'],
};
const RELAY = {
  at: '93.184.215.80',
  relay: {
    nickname: 'anexit',
    fingerprint: '0123456789ABCDEF0123456789ABCDEF01234567',
    flags: ['Exit', 'Fast', 'Running', 'Valid'],
    exit_policy: 'accept 80,443',
    first_seen: '2021-03-04 05:00:00',
    last_seen: '2026-11-28 09:00:00',
    asn: 64_496,
    as_name: 'Example Hosting',
    country_code: 'DE',
    contact: 'tor@example.org',
  },
};
const opened = (loaded: readonly string[] = Object.keys(LISTS)): Opened => ({
  ...SHUT,
  torRelays: { of: (address) => (address === RELAY.at ? [RELAY.relay] : []) },
  networks: {
    ...SHUT.networks,
    hasList: (list) => loaded.includes(list),
    marks: (address) => loaded.filter((list) => LISTS[list]!.includes(address)).map((list) => ({ list, label: '' })),
  },
});
const of = async (ip: string, loaded?: readonly string[]) => (await answer(torTest, { ip }, opened(loaded))) as object;

describe('tor-test', () => {
  it.each([
    ['an ordinary address', '8.8.8.8', false, false, []],
    ['an exit', '93.184.215.80', true, true, ['tor-exits', 'tor-relays']],
    ['a relay that is not an exit', '93.184.215.81', false, true, ['tor-relays']],
    ['an exit that has just left the list of relays', '2606:2800::80', true, true, ['tor-exits']],
    ['a neighbour of an exit', '93.184.215.79', false, false, []],
    ['an exit of a VPN', '93.184.215.82', false, false, []],
  ])('%s', async (_, ip, is_tor_exit, is_tor_relay, lists) => {
    const relays = ip === RELAY.at ? [RELAY.relay] : [];
    expect(await of(ip)).toEqual({ ip, is_tor_exit, is_tor_relay, lists, relays });
  });

  it.each([
    [[], 'lists that are not loaded: tor-exits, tor-relays'],
    [['tor-exits'], 'lists that are not loaded: tor-relays'],
    [['tor-relays'], 'lists that are not loaded: tor-exits'],
  ])('with %j loaded is a free error that names the others', async (loaded, why) => {
    await expect(of('93.184.215.80', loaded)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining(why),
      retryAfterS: 600,
    });
  });

  it.each(['example.org', '8.8.8', ''])('%j is no address', (ip) => {
    expect(() => read(torTest, { ip })).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'ip' }) as Error);
  });
});

it('answers as the example shows', () => expectExample('tor-test', { ip: '93.184.215.80' }, ({ ip }) => of(ip)));
