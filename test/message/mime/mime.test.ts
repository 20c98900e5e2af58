import { expect, it } from 'vitest';
import { allFields, decodeWords, firstField, type Part, parseAddresses, parseDate, rawFields, readMime } from '@vedette/message/mime';
import { attachment, lines, mail, message, multipart, part, raw } from '../message/messages/builder.ts';

/** A part as a tree of what matters of it. */
type Tree = string | { [type: string]: Tree[] };
function tree(of: Part): Tree {
  if (of.message) return { [of.type]: [tree(of.message)] };
  return of.parts.length > 0 ? { [of.type]: of.parts.map(tree) } : `${of.type} ${of.filename || of.text()}`.trim();
}

it('reads a message as programs write it', () => {
  const eml = mail({
    fields: { Subject: 'Grüße aus Köln', Received: ['from a.test', 'from b.test'] },
    text: 'Hallo Jörg  \n',
    html: '<p>Hallo Jörg</p>',
    related: [{ content: 'PNG', type: 'image/png', contentId: 'logo@sender.test' }],
    attach: [{ content: 'Ü', name: 'Übersicht.txt', type: 'text/plain; charset=utf-8' }],
  });
  const { root, limits } = readMime(eml);
  expect(firstField(root, 'subject')).toBe('Grüße aus Köln');
  expect(allFields(root, 'received')).toEqual(['from a.test', 'from b.test']);
  expect(rawFields(root, 'subject')).toEqual([expect.stringMatching(/^=\?utf-8\?B\?/)]);
  expect(tree(root)).toEqual({
    'multipart/mixed': [
      { 'multipart/alternative': ['text/plain Hallo Jörg', { 'multipart/related': ['text/html <p>Hallo Jörg</p>', 'image/png PNG'] }] },
      'text/plain Übersicht.txt',
    ],
  });
  expect(root.parts[1]!.text()).toBe('Ü');
  expect(root.parts[1]!.size).toBe(2);
  expect(limits).toEqual(new Set());
});

it('reads messages in messages', () => {
  const inner = mail({ text: 'inner', attach: [{ content: 'x', name: 'x.bin' }] });
  const eml = message({}, multipart('mixed', [part('text/plain', 'outer'), part('message/rfc822', inner, '')]));
  const { root } = readMime(eml);
  expect(tree(root)).toEqual({
    'multipart/mixed': [
      'text/plain outer',
      { 'message/rfc822': [{ 'multipart/mixed': ['text/plain inner', 'application/octet-stream x.bin'] }] },
    ],
  });
  expect(root.parts[1]!.content()).toEqual(inner);
});

it('reads addresses and dates', () => {
  expect(parseAddresses('"Doe, Jo" <j@a.test>, undisclosed:;, b@a.test (Bob)')).toEqual({
    addresses: [
      { name: 'Doe, Jo', address: 'j@a.test' },
      { name: 'Bob', address: 'b@a.test' },
    ],
    groups: ['undisclosed'],
    commented: [],
    malformed: false,
    cut: false,
  });
  expect(parseDate('Tue, 17 Nov 2026 10:15:00 +0100 (CET)')).toEqual({ iso: '2026-11-17T10:15:00+01:00', minutes: 615, weekday: 2 });
  expect(decodeWords('=?utf-8?q?J=C3?= =?utf-8?q?=B6rg?= x')).toBe('Jörg x');
});

it('reads what is no message at all', () => {
  expect(tree(readMime(raw('')).root)).toBe('text/plain');
  expect(tree(readMime(raw('nothing like a header\r\nx')).root)).toBe('text/plain nothing like a header\r\nx');
  expect(tree(readMime(lines(['Subject: only a header'])).root)).toBe('text/plain');
  expect(attachment({ content: 'x' }).toString()).toContain('eA==');
});
