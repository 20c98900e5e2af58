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

it('a test names every code that an answer can carry', () => {
  const sources = textsUnder('packages', '.ts').filter((text) => !text.includes('export const API_ERRORS'));
  const tests = textsUnder('test', '.test.ts');
  const named = (code: string) => (text: string) => text.includes(`'${code}'`);
  const untested = Object.keys(API_ERRORS).filter((code) => sources.some(named(code)) && !tests.some(named(code)));
  expect(untested).toEqual([]);
});
