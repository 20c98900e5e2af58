import { expect, it } from 'vitest';
import { languagesOf } from '@vedette/contract/tools';

it.each([
  ['en-US', ['en-US']],
  ['de-DE,de;q=0.8, en ; q=0.9', ['de-DE', 'en', 'de']],
  ['en, *;q=0.1', ['en']],
  ['fr;q=0, zh-Hant-TW', ['zh-Hant-TW']],
  ['*', []],
  ['', undefined],
  ['en_US', undefined],
  ['en;q=2', undefined],
  ['en;q=0.12345', undefined],
  ['en,,de', undefined],
  ['en\r\nX: y', undefined],
])('reads %j', (text, languages) => expect(languagesOf(text)).toEqual(languages));
