import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { API_ERRORS } from '@vedette/contract';
import { expect, it } from 'vitest';

const textsUnder = (folder: string, extension: string): string[] => {
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension) && !path.includes('node_modules'))
    .map((path) => readFileSync(root + path, 'utf8'));
};

const codesNotIn = (texts: readonly string[]): string[] =>
  Object.keys(API_ERRORS).filter((code) => !texts.some((text) => text.includes(`'${code}'`)));

it('every code is one that the sources throw', () => {
  expect(codesNotIn(textsUnder('packages', '.ts').filter((text) => !text.includes('export const API_ERRORS')))).toEqual([]);
});

it('a test names every code that an answer can carry', () => {
  expect(codesNotIn(textsUnder('test', '.test.ts'))).toEqual([]);
});
