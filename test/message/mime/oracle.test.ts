import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { beforeAll, expect, it } from 'vitest';
import { firstField, type Part, parseAddresses, parseDate, rawFields, readMime } from '@vedette/message/mime';
import { attachment, mail, message, multipart, part, raw } from '../message/messages/builder.ts';
import { runs } from '../../runs.ts';

/** Messages put together by chance, as legal programs write them, and what Python's email package and postal-mime read in them. */

const name = fc.constantFrom(
  'Ann',
  'Ann B. Doe',
  'Doe, Ann',
  'Jörg',
  '日本語 太郎',
  'Übersicht über alles Mögliche und noch viel mehr',
  'a "b" c',
  'x@y.test',
  '',
);
const words = fc.array(fc.constantFrom('Hello', 'Grüße', 'aus', 'Köln', '€100', '日本', 'Re:', '=', '🎅', 'a_b'), {
  minLength: 1,
  maxLength: 20,
});
const text = fc
  .array(fc.constantFrom('Hello', 'Grüße', '=', ' ', '\r\n', '--', '日本', '.', 'From ', '\t', 'x'.repeat(90)), { maxLength: 30 })
  .map((each) => each.join(''));
const bytes = fc.uint8Array({ maxLength: 300 });
const encoding = fc.constantFrom('base64' as const, 'quoted-printable' as const);
const fileName = fc.constantFrom('a.pdf', 'a b (1).pdf', 'Übersicht.xlsx', 'a;b="c".txt', '日本.zip');
const zone = fc.constantFrom('+0000', '+0100', '-0330', '+1245', 'GMT', 'EST', '-0800 (PST)');

const leaf = fc.oneof(
  fc.tuple(text, encoding).map(([said, how]) => part('text/plain; charset=utf-8', said, how)),
  fc.tuple(text, encoding).map(([said, how]) => part('text/html; charset="utf-8"', said, how)),
  fc
    .tuple(bytes, fileName, encoding)
    .map(([content, called, how]) => attachment({ content, name: called, encoding: how, type: 'application/x-test' })),
  fc.tuple(bytes, fileName).map(([content, called]) => attachment({ content, name: called, disposition: 'inline', contentId: 'a@b.test' })),
  fc.tuple(text).map(([said]) => part('text/plain', raw(said), '8bit')),
);
const around = fc.record({ preamble: fc.constantFrom('', 'This is MIME\r\n'), epilogue: fc.constantFrom('', '\r\n', 'epilogue\r\n') });
const { tree } = fc.letrec<{ tree: Buffer }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('mixed', 'alternative', 'related', 'x-odd'), fc.array(tie('tree'), { minLength: 1, maxLength: 4 }), around)
      .map(([subtype, parts, more]) => multipart(subtype, parts, more)),
    tie('tree').map((inner) => part('message/rfc822', message({ Subject: 'inner' }, inner), '')),
  ),
}));
const mailbox = name.map((called) =>
  `${/^[\w ]*$|[^ -~]/.test(called) ? called : `"${called.replaceAll('"', String.raw`\"`)}"`} <a.b@c.test>`.trimStart(),
);
const fields = fc.record({
  Subject: words.map((each) => each.join(' ')),
  To: fc.array(mailbox, { minLength: 1, maxLength: 5 }).map((each) => each.join(', ')),
  Date: fc
    .tuple(fc.date({ min: new Date('1971-01-01'), max: new Date('2049-12-31'), noInvalidDate: true }), zone)
    .map(([date, where]) => date.toUTCString().replace('GMT', where)),
});
const whole = fc.tuple(fields, tree, fc.boolean()).map(([header, body, bare]) => {
  const eml = message(header, body);
  return bare ? Buffer.from(eml.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : eml;
});

const MESSAGES = fc.sample(whole, { numRuns: 400, seed: 12 });

interface Reading {
  subject: string;
  to: string[][];
  date: string;
  leaves: string[][];
}

const leaves = (of: Part): string[][] => {
  if (of.message) return leaves(of.message);
  if (of.parts.length > 0) return of.parts.flatMap(leaves);
  return [[of.type, of.filename, createHash('sha256').update(of.content()).digest('hex')]];
};

function read(eml: Buffer): Reading {
  const { root } = readMime(eml);
  return {
    subject: firstField(root, 'subject'),
    to: parseAddresses(rawFields(root, 'to')[0]!).addresses.map((each) => [each.name, each.address]),
    date: parseDate(firstField(root, 'date'))?.iso ?? '',
    leaves: leaves(root),
  };
}

let python: Reading[];
beforeAll(() => {
  const input = JSON.stringify(MESSAGES.map((eml) => eml.toString('base64')));
  const script = new URL('oracle.py', import.meta.url).pathname;
  python = JSON.parse(execFileSync('python3', [script], { input, encoding: 'utf8', maxBuffer: 100_000_000 })) as Reading[];
});

it('agrees with Python on 400 messages put together by chance', () => {
  expect(MESSAGES.filter((_, index) => python[index]!.leaves.length > 3).length).toBeGreaterThan(50);
  MESSAGES.forEach((eml, index) => expect(read(eml), eml.toString()).toEqual(python[index]));
});

it('agrees with postal-mime on names and contents of attachments, and on what a message says', async () => {
  const flat = fc.sample(fc.tuple(fields, fc.array(fc.tuple(bytes, fileName), { maxLength: 5 }), text, text), {
    numRuns: 100,
    seed: 12,
  });
  for (const [header, files, plain, html] of flat) {
    const attach = files.map(([content, called]) => ({ content, name: called }));
    const eml = mail({ fields: header, text: `.${plain}.`, html: `.${html}.`, attach });
    const theirs = await PostalMime.parse(eml);
    const { root } = readMime(eml);
    const [body, ...others] = attach.length > 0 ? root.parts : [root];
    expect({
      subject: firstField(root, 'subject'),
      to: parseAddresses(rawFields(root, 'to')[0]!).addresses,
      text: body!.parts[0]!.text().replaceAll('\r\n', '\n').trimEnd(),
      html: body!.parts[1]!.text().replaceAll('\r\n', '\n').trimEnd(),
      files: others.map((each) => [each.filename, each.content().toString('hex')]),
    }).toEqual({
      subject: theirs.subject,
      to: theirs.to!.map((each) => ({ name: each.name, address: each.address })),
      text: theirs.text!.trimEnd(),
      html: theirs.html!.trimEnd(),
      files: theirs.attachments.map((each) => [each.filename, Buffer.from(each.content as ArrayBuffer).toString('hex')]),
    });
  }
});

it('reads what chance makes of them, and says nothing of limits', () => {
  const cut = fc.tuple(fc.constantFrom(...MESSAGES), fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 20 }));
  fc.assert(
    fc.property(cut, ([eml, at, length, instead]) => {
      const from = at % eml.length;
      const broken = Buffer.concat([eml.subarray(0, from), instead, eml.subarray(from + length)]);
      const { root, limits } = readMime(broken);
      expect(leaves(root).length).toBeGreaterThan(0);
      expect([...limits]).toEqual([]);
      for (const { key } of root.fields) parseAddresses(firstField(root, key));
    }),
    { numRuns: runs(2_000), seed: 12 },
  );
});
