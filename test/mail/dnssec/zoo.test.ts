import { createAddressPolicy } from '@vedette/probes/host';
import type { Resolver } from '@vedette/contract';
import { budgeted, createResolver } from '@vedette/probes/dns';
import { parseTrustAnchors, validate } from '@vedette/mail/dnssec';
import { systemClock } from '@vedette/probes/net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveZones, outputOf, type ZoneServers } from './zone-servers.ts';
import { EXHIBITS, type Exhibit, ZONES } from './zoo.ts';

let servers: ZoneServers;
let resolver: Resolver & { close(): void };

beforeAll(async () => {
  servers = await serveZones(ZONES);
  const anchors = servers.anchors.replace(/^\. (?:\d+ )?IN DNSKEY (\d+ \d+ \d+) (.*)$/gm, '. static-key $1 "$2";');
  await writeFile(join(servers.directory, 'delv.keys'), `trust-anchors { ${anchors} };\n`);
  resolver = createResolver({ servers: [servers.recursive], policy: createAddressPolicy(), clock: systemClock, cache: false });
});
afterAll(async () => {
  resolver?.close();
  await servers?.close();
});

const signal = new AbortController().signal;

async function ours({ name, type = 'A' }: Exhibit) {
  using share = budgeted(resolver, { questions: 60 }, systemClock);
  const { verdict } = await validate(name, type, {
    resolver: share,
    anchors: parseTrustAnchors(servers.anchors),
    now: Math.floor(Date.now() / 1000),
    signal,
  });
  return verdict.status === 'secure' ? { status: verdict.status } : { status: verdict.status, code: verdict.code };
}

async function delv({ name, type = 'A' }: Exhibit): Promise<string> {
  const { address, port } = servers.authoritative;
  const output = await outputOf('delv', [
    `@${address}`,
    '-p',
    String(port),
    '-a',
    join(servers.directory, 'delv.keys'),
    '+root=.',
    name,
    type,
  ]);
  // An answer of several links gets a line for each. "ncache" is how a validated absence ends.
  if (/resolution failed: (?!ncache)/.test(output)) return 'bogus';
  if (output.includes('unsigned answer')) return 'insecure';
  return output.includes('fully validated') ? 'secure' : output;
}

/** unbound sets AD on what it found secure and answers SERVFAIL for what is bogus. */
async function unbound({ name, type = 'A' }: Exhibit): Promise<string> {
  const { rcode, ad } = await resolver.query(name, type, { dnssec: true, signal });
  if (rcode === 'SERVFAIL') return 'bogus';
  return ad ? 'secure' : 'insecure';
}

describe.each(EXHIBITS)('$what: $name', (exhibit) => {
  it(`is ${exhibit.expected}`, async () => {
    const { expected, code } = exhibit;
    expect(await ours(exhibit)).toEqual(code === undefined ? { status: expected } : { status: expected, code });
  });
  it('delv agrees', async () => {
    expect(await delv(exhibit)).toBe(exhibit.delv ?? exhibit.expected);
  });
  it('unbound agrees', async () => {
    expect(await unbound(exhibit)).toBe(exhibit.unbound ?? exhibit.expected);
  });
});
