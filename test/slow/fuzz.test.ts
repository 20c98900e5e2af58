import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHost, parseHttpUrl, parseIp, formatIp } from '@vedette/contract';
import { parseBody } from '../../packages/gateway/src/http/strict-json.ts';

// What `npm test` tries some hundred times, here by the hundred thousand.
const RUNS = 300_000;

describe('long fuzz', () => {
  it('a host that parses is stable: parsing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.webUrl(), fc.ipV4(), fc.ipV6()), (text) => {
        const once = parseHost(text);
        return once === undefined || JSON.stringify(parseHost(once.host)) === JSON.stringify(once);
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('a URL that parses names the host that would be dialled', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom('http://', 'https://', 'HTTP://', 'http:\\\\'), fc.string({ unit: 'binary', maxLength: 40 })),
        ([scheme, rest]) => {
          const parsed = parseHttpUrl(scheme + rest);
          if (!parsed) return true;
          const dialled = new URL(parsed.url.href).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
          const ip = parseIp(dialled);
          return parsed.host === (ip ? formatIp(ip) : dialled);
        },
      ),
      { numRuns: RUNS },
    );
  }, 600_000);

  it('a body is parsed as JSON.parse does, or refused', () => {
    for (let run = 0; run < RUNS; run++) {
      const bytes = randomBytes(run % 60);
      const text = `{"host":${JSON.stringify(bytes.toString('latin1'))},"n":${run}}`;
      expect(parseBody(Buffer.from(text))).toEqual(JSON.parse(text));
      expect([200, 400]).toContain(statusOf(Buffer.concat([Buffer.from('{'), bytes, Buffer.from('}')])));
    }
  }, 600_000);
});

function statusOf(body: Buffer): number {
  try {
    parseBody(body);
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}
