import { textOf } from '@vedette/mail/txt';
import { expect, it } from 'vitest';

it.each<[string, (string | Uint8Array)[], string]>([
  ['strings are joined without a space', ['v=spf1 ip4:', '192.0.2.1'], 'v=spf1 ip4:192.0.2.1'],
  ['UTF-8 across two strings', [Uint8Array.of(0xc3), Uint8Array.of(0xa9)], 'é'],
  ['Latin-1 where it is not UTF-8', [Uint8Array.of(0x61, 0xe9)], 'aé'],
])('%s', (_rule, strings, text) => {
  const bytes = strings.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  expect(textOf({ name: 'a.test', type: 'TXT', ttl: 300, rdata: Buffer.concat(bytes), data: bytes })).toBe(text);
});
