import { readSignatures } from '@vedette/message/mail-trace';
import parseHeader from 'mailauth/lib/parse-dkim-headers.js';
import { expect, it } from 'vitest';

it('reads a DKIM signature as it stands', () => {
  const [signature] = readSignatures([
    ' v=1; a=RSA-SHA256; c=relaxed/simple; d=Example.ORG;\r\n\ts=S1; h=from:to; bh=Zm9v\r\n\t YmFy; b=QUJD\r\n\t REVG',
  ]);
  expect(signature).toEqual({
    signature: 'QUJDREVG',
    selector: 's1',
    domain: 'example.org',
    algo: 'rsa-sha256',
    canon: 'relaxed/simple',
    hash: 'Zm9vYmFy',
  });
});

it.each([
  'v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1; h=from:to; bh=Zm9v; b=QUJD',
  'v=1; a=ed25519-sha256; d=example.org; s=2026.mail; t=1795348800; x=1795953600; bh=\r\n Zm9v\r\n\tYmFy=; b=QU\r\n JD==;',
  'b=QUJD; bh=Zm9v; s=k1; d=mail.example.co.uk; q=dns/txt; i=@example.co.uk; a=rsa-sha1; c=simple; l=0',
])('agrees with mailauth: %j', (raw) => {
  const { parsed } = parseHeader(`DKIM-Signature: ${raw}`);
  const [found] = readSignatures([raw]);
  const { signature: b, selector: s, domain: d, algo: a, hash: bh } = found!;
  expect(Object.entries({ b, s, d, a, bh })).toEqual(
    ['b', 's', 'd', 'a', 'bh'].map((tag) => [tag, (parsed[tag] as { value: string }).value]),
  );
});

it.each<[string, string, Partial<ReturnType<typeof readSignatures>[number]>]>([
  ['without tags', '', { signature: '', selector: '', domain: '', algo: '', canon: 'simple/simple', hash: '' }],
  ['that is no tag-list', ';;;=;x', { signature: '', domain: '' }],
  [
    'with a domain in Unicode (RFC 8616)',
    Buffer.from('d=bücher.example; s=s1').toString('latin1'),
    { domain: 'xn--bcher-kva.example', selector: 's1' },
  ],
  ['with a domain that is none', 'd=a..b; s=x/y', { domain: 'a..b', selector: 'x/y' }],
])('reads one %s', (_what, raw, expected) => {
  expect(readSignatures([raw])).toMatchObject([expected]);
});
