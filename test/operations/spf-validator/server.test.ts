import { createAddressPolicy } from '@vedette/probes/host';
import { DKIM_SELECTORS } from '@vedette/mail/dkim';
import { createResolver } from '@vedette/probes/dns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dkimValidator } from '../../../packages/operations/src/dkim-validator/index.ts';
import { dmarcValidator } from '../../../packages/operations/src/dmarc-validator/index.ts';
import { spfValidator } from '../../../packages/operations/src/spf-validator/index.ts';
import { systemClock } from '@vedette/probes/net';
import { mailContext } from '../../intel/mail-context.ts';
import { type NsdServer, startNsd } from '../../probes/dns/nsd.ts';
import { answer } from '../answer.ts';

const RANGES = Array.from({ length: 4_000 }, (_, i) => `ip4:10.${i >> 8}.${i & 255}.1`);
const chunks = (text: string): string => (text.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
const ZONE = `$ORIGIN mail.test.
$TTL 300
@ SOA ns1 host 1 3600 600 86400 60
@ NS ns1
ns1 A 127.0.0.1
@ MX 10 mx
mx A 192.0.2.25
mx AAAA 2001:db8::25
@ TXT "v=spf1 mx include:big.mail" ".test exists:%{ir}.list.mail.test -all"
big TXT ${chunks(`v=spf1 ${RANGES.join(' ')} -all`)}
1.2.0.192.list A 127.0.0.2
${DKIM_SELECTORS.at(-1)!}._domainkey TXT "v=DKIM1; p="
_dmarc CNAME policy
policy TXT "v=DMARC1; p=reject; rua=mailto:reports@mail.test"
`;

let nsd: NsdServer;
let resolver: ReturnType<typeof createResolver>;
beforeAll(async () => {
  nsd = await startNsd('mail.test', ZONE);
  resolver = createResolver({ servers: [nsd.endpoint], policy: createAddressPolicy(), clock: systemClock, cache: false });
});
afterAll(async () => {
  resolver.close();
  await nsd.stop();
});

describe('the mail validators over our DNS engine and nsd', () => {
  const context = () => ({ ...mailContext({}).context, resolver, clock: systemClock });

  it('spf-validator reads 60 KB of TXT and evaluates macros', async () => {
    const report = await answer(spfValidator, { host: 'mail.test', iptest: '192.0.2.1' }, context());
    expect(report).toMatchObject({
      dns_lookups_num: 3,
      spf_valid: true,
      issues_found: [],
      ip_result: 'pass',
      ip_reason: 'exists:%{ir}.list.mail.test of mail.test',
      dns_error: '',
    });
    expect(report.authorized_ips.ipv4).toHaveLength(RANGES.length + 1);
    expect(report.authorized_ips.ipv6).toEqual(['2001:db8::25']);
  });

  it('dkim-validator finds the least popular selector', async () => {
    expect(await answer(dkimValidator, { host: 'mail.test' }, context())).toMatchObject({
      selector: DKIM_SELECTORS.at(-1),
      dkim_record: 'v=DKIM1; p=',
      issues_found: [{ code: 'PUBLIC_KEY_REVOKED' }],
      selectors_tried: DKIM_SELECTORS.length,
      dns_error: '',
    });
  });

  it('dmarc-validator follows the alias and checks where reports go', async () => {
    expect(await answer(dmarcValidator, { host: 'mail.test' }, context())).toMatchObject({
      cname_target: 'policy.mail.test',
      dmarc_enforced: true,
      rua_emails: [{ email: 'reports@mail.test', has_mx_records: true, accepts_reports: true }],
      issues_found: [],
    });
  });
});
