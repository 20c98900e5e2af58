import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { MARK_ROOTS } from '../../../packages/mail/src/bimi/mark-roots.ts';

it.each(MARK_ROOTS)('the root with the fingerprint $sha256 has it', ({ sha256, pem }) => {
  expect(new X509Certificate(pem).fingerprint256).toBe(sha256);
});
