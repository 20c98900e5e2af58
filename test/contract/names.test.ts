import { isAtOrUnder, isId } from '@vedette/contract/net';
import { expect, it } from 'vitest';

it.each(['eu-fra', 'EU_1', '7', 'a'.repeat(64)])('%s is an id', (text) => {
  expect(isId(text)).toBe(true);
});

it.each(['', 'a'.repeat(65), 'eu.fra', 'eu fra', '*', '>', 'é', 'eu-fra\n'])('%j is no id', (text) => {
  expect(isId(text)).toBe(false);
});

it.each([
  ['the domain itself', 'example.org', 'example.org', true],
  ['a name below it', 'www.example.org', 'example.org', true],
  ['a name far below it', 'a.b.c.example.org', 'example.org', true],
  ['a name that only ends alike', 'notexample.org', 'example.org', false],
  ['the domain above', 'org', 'example.org', false],
  ['a neighbour', 'example.net', 'example.org', false],
  ['no name', '', 'example.org', false],
])('%s', (_case, name, domain, expected) => {
  expect(isAtOrUnder(name, domain)).toBe(expected);
});
