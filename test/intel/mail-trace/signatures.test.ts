import { readSignatures } from '@vedette/intel/mail-trace';
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
    key_type: '',
    canon: 'relaxed/simple',
    hash: 'Zm9vYmFy',
    key_bits: 0,
    dnssec: false,
    dns_error: '',
  });
});
