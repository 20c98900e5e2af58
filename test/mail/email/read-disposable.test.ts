import { DomainList } from '@vedette/intel/names';
import { readDisposable } from '@vedette/intel/mailboxes';
import { expect, it } from 'vitest';

const noPause = () => Promise.resolve();
const linesOf = async (entries: string[], curated = false) =>
  (await readDisposable(entries, { curated }, noPause)).bytes.toString().trim().split('\n');

it('makes one list of entries in any order and spelling, each once, without what another covers', async () => {
  expect(await linesOf(['b.example', 'A.example.', 'x.a.example', 'b.example', 'münchen.example', 'a-b.example', 'a.b-a.example'])).toEqual(
    ['a-b.example', 'a.b-a.example', 'a.example', 'b.example', 'xn--mnchen-3ya.example'],
  );
});

it('counts what is no domain that one can look for, and lists none of it', async () => {
  const entries = ['a.example', 'com', 'co.uk', 'github.io', '192.0.2.1', '*.b.example', 'two words', '', '<html>'];
  const { bytes, unreadable } = await readDisposable(entries, { curated: true }, noPause);
  expect([bytes.toString(), unreadable]).toEqual(['a.example\n', entries.length - 1]);
});

it('lists no provider and no well-known domain, and alias services and schools only where somebody has looked', async () => {
  const entries = ['a.example', 'posteo.de', 'mail.gmx.net', 'wikipedia.org', 'duck.com', 'some-college.edu'];
  expect(await linesOf(entries)).toEqual(['a.example']);
  expect(await linesOf(entries, true)).toEqual(['a.example', 'duck.com', 'some-college.edu']);
});

it('lists no firm that lists mistake, and none below which everybody may have a host, whoever says so', async () => {
  const entries = ['a.example', 'aver.com', 'mx1.mail2world.com', '99.com', 'us.to', 'mooo.com', 'throw-away.mooo.com'];
  expect(await linesOf(entries)).toEqual(['a.example', 'throw-away.mooo.com']);
  expect(await linesOf(entries, true)).toEqual(['a.example', 'throw-away.mooo.com']);
});

it('tells a domain that no such list has by right', async () => {
  const told = async (entry: string) => (await readDisposable(['a.example', entry], { curated: true }, noPause)).forbidden;
  expect(await Promise.all(['b.example', 'gmail.com', 'QQ.com.', 'mail.gmail.com'].map(told))).toEqual([
    undefined,
    'gmail.com',
    'qq.com',
    undefined,
  ]);
});

it('lets others work after every 256 names that it sorts, though all begin alike', async () => {
  let pauses = 0;
  const entries = Array.from({ length: 10_000 }, (_, i) => `n${(i * 7919) % 10_000}.example`);
  const { bytes } = await readDisposable(entries, { curated: false }, async () => void pauses++);
  expect(bytes.toString()).toBe(`${entries.toSorted().join('\n')}\n`);
  expect(new DomainList(bytes).rows).toBe(10_000);
  expect(pauses).toBeGreaterThanOrEqual(8 * Math.floor(10_000 / 256));
});
