import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIL_SENDERS_LIST } from '@vedette/intel/addresses';
import { senderSnapshot, shippedSenders } from '@vedette/mail/senders';
import { createNetworks, RangeListBuilder, useEmbedded } from '@vedette/intel/networks';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ipReputation } from '../../../packages/operations/src/ip-reputation/index.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';
import { FINE, MARKS, WELL_KNOWN } from './well-known.ts';

const folder = mkdtempSync(join(tmpdir(), 'vedette-well-known-'));
const networks = createNetworks();
const addresses = Object.entries(WELL_KNOWN).flatMap(([whose, list]) => list.split(' ').map((ip) => ({ whose, ip })));

beforeAll(async () => {
  const lists = new Map<string, RangeListBuilder>();
  for (const [list, label, ranges] of MARKS) {
    const builder = lists.get(list) ?? new RangeListBuilder();
    lists.set(list, builder);
    for (const range of ranges.split(' ')) builder.add(range, label);
  }
  await Promise.all([
    useEmbedded(networks, folder),
    networks.setList(MAIL_SENDERS_LIST, senderSnapshot(shippedSenders())),
    ...Array.from(lists, ([list, builder]) => networks.setList(list, builder.build())),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reports with the real tables, on engines that list none of them; the reverse DNS is not asked. */
const reportOf = (ip: string) =>
  answer(
    ipReputation,
    { ip, disable_reverse_dns: true },
    {
      ...SHUT,
      clock: systemClock,
      networks,
      blacklists: { ...SHUT.blacklists, address: async () => ({ results: [], unanswered: [], scan_time_ms: 0 }) },
    },
  );
const trueOf = (part: object): string[] => Object.entries(part).flatMap(([name, value]) => (value === true ? [name] : []));

/** Networks that the embedded table of June 2026 does not have, though they are announced: it leaves holes rather than guess. */
const HOLES = '103.244.50.1 140.248.64.1 199.27.72.1 13.224.0.10 91.198.174.192'.split(' ');

describe(`${addresses.length} well-known addresses`, () => {
  it('are three hundred at least', () => expect(new Set(addresses.map(({ ip }) => ip)).size).toBeGreaterThanOrEqual(300));

  it('are clean, but for what is so', async () => {
    const flagged: string[] = [];
    for (const { whose, ip } of addresses) {
      const { information, anonymity, risk_score: risk } = await reportOf(ip);
      const said = [...trueOf(information), ...trueOf(anonymity)].filter((flag) => !FINE[flag]?.test(whose));
      if (risk.result > 10) said.push(`risk ${risk.result}`);
      if ((information.asn === '') !== HOLES.includes(ip)) said.push(`announced by ${information.asn || 'nobody'}`);
      if (said.length > 0) flagged.push(`${whose} ${ip}: ${said.join(', ')}`);
    }
    expect(flagged).toEqual([]);
  });

  it('are called what they are', async () => {
    const { information } = await reportOf('66.249.66.1');
    expect(information).toMatchObject({ related_service_name: 'Googlebot', related_service_type: 'Search Engine Bot' });
    expect((await reportOf('40.107.22.52')).information).toMatchObject({
      related_service_name: 'Microsoft 365',
      country_code: expect.stringMatching(/^[A-Z]{2}$/),
    });
    expect((await reportOf('13.224.0.10')).information).toMatchObject({
      cloudvendor_service: 'CLOUDFRONT',
      edge_service: 'Amazon CloudFront',
    });
    expect((await reportOf('140.82.112.3')).information).toMatchObject({ related_service_name: 'GitHub', related_service_type: 'SaaS' });
  });
});
