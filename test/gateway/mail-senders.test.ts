import { setImmediate as nextTurn } from 'node:timers/promises';
import { createNetworks } from '@vedette/intel/networks';
import { describe, expect, it } from 'vitest';
import { MailSenderNetworks } from '../../packages/gateway/src/intel/mail-senders.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';

const GOOGLE = '_spf.google.com';
const SENDGRID = 'sendgrid.net';
const wide = {
  [SENDGRID]: { TXT: ['v=spf1 ip4:167.89.0.0/17 ip4:149.72.0.0/16 ip4:168.245.0.0/17 ip4:159.183.0.0/16 ip4:203.0.113.0/24 -all'] },
};

/** A reader that has sent all of one round, over these records; `pauses` are what it waited in between. */
async function afterOneRound(zone: FakeZone, isBelieved = true) {
  const networks = createNetworks();
  const resolver = fakeResolver(zone);
  const pauses: number[] = [];
  const told: object[] = [];
  const clock = {
    now: () => 0,
    sleep: (ms: number) => {
      if (ms > 60_000) return new Promise<void>(() => {}); // the next round
      if (ms < 30_000) pauses.push(ms);
      return ms < 30_000 ? Promise.resolve() : new Promise<void>(() => {}); // a budget's time is never up
    },
  };
  const tell = (about: object) => void told.push(about);
  const log = { debug: tell, info: tell, warn: tell, error: tell };
  const reader = new MailSenderNetworks({ networks, resolver, clock, log, isBelieved: () => isBelieved });
  await reader.ship();
  const senderOf = (address: string) => networks.marks(address).map(({ label }) => label);
  const before = senderOf('74.125.82.41');
  reader.start();
  while (told.length === 0) await nextTurn();
  reader.stop();
  return { senderOf, before, pauses, told, asked: resolver.queries };
}

describe('the networks of mail senders', () => {
  it('are shipped, and then what the records say, one record every ten seconds', async () => {
    const { senderOf, before, pauses, asked } = await afterOneRound(wide);
    expect(before).toEqual([GOOGLE]);
    expect(senderOf('203.0.113.5')).toEqual([SENDGRID]);
    expect(senderOf('208.117.48.1')).toEqual([]); // shipped, and no longer in the record
    expect(senderOf('74.125.82.41')).toEqual([GOOGLE]); // whose record was not to be had
    expect(new Set(pauses)).toEqual(new Set([10_000]));
    expect(pauses).toHaveLength(22);
    expect(asked).toContain(`${GOOGLE} TXT`);
  });

  it.each<[string, FakeZone]>([
    ['was not answered', { [SENDGRID]: 'SERVFAIL' }],
    ['has shrunk to less than half', { [SENDGRID]: { TXT: ['v=spf1 ip4:203.0.113.0/24 -all'] } }],
    ['lets the world send', { [SENDGRID]: { TXT: ['v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all'] } }],
    ['lets much of IPv6 send', { [SENDGRID]: { TXT: [`${wide[SENDGRID].TXT[0]!.replace(' -all', '')} ip6:2000::/3 -all`] } }],
    [
      'includes what was not answered',
      { [SENDGRID]: { TXT: [wide[SENDGRID].TXT[0]!.replace('-all', 'include:x.test -all')] }, 'x.test': 'TIMEOUT' },
    ],
    ['is gone', {}],
  ])('stay what they were for a record that %s', async (_what, zone) => {
    const { senderOf, told } = await afterOneRound(zone);
    expect(senderOf('208.117.48.1')).toEqual([SENDGRID]);
    expect(senderOf('203.0.113.5')).toEqual([]);
    expect(told).toEqual([{ unread: expect.arrayContaining([SENDGRID]) }]);
  });

  it('are not asked for while our resolvers cannot be believed', async () => {
    const { senderOf, asked } = await afterOneRound(wide, false);
    expect(asked).toEqual([]);
    expect(senderOf('208.117.48.1')).toEqual([SENDGRID]);
  });
});
