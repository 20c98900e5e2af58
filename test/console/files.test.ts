import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE_PAGES, consoleFiles, isConsoleBuilt } from '@vedette/console';
import { beforeAll, expect, it } from 'vitest';
import { ROOT } from '../repo/pages.ts';
import { buildConsole } from './browser.ts';

beforeAll(buildConsole);

/** Compressed octets of a first visit: a phone on a slow line has it in a second. */
const MAX_FIRST_LOAD = 150_000;

it('the first load is small', () => {
  expect(isConsoleBuilt()).toBe(true);
  const loaded = consoleFiles();
  expect(loaded.map(({ name }) => name.replace(/-[\w-]{8,10}\./, '-*.')).sort()).toEqual(['index.html', 'main-*.js', 'style-*.css']);
  expect(loaded.reduce((sum, { br }) => sum + br.length, 0)).toBeLessThan(MAX_FIRST_LOAD);
});

it('the document has nothing inline, and loads nothing of another host', () => {
  const html = consoleFiles()
    .find(({ name }) => name === 'index.html')!
    .identity.toString();
  expect(html).not.toMatch(/<script(?![^>]* src=")|<style|\son\w+=|\sstyle=|https?:/);
});

const sources = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

it('markup comes from components alone, and links from one of them', () => {
  expect(sources.length).toBeGreaterThan(30);
  const found = (pattern: RegExp) =>
    sources.flatMap(({ path, text }) => (pattern.test(text) ? [path.replace('packages/console/src/', '')] : []));
  expect(
    found(/dangerouslySetInnerHTML|\.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(/),
  ).toEqual([]);
  expect(found(/<a\b/)).toEqual(['look/link.tsx']);
  // The one that saves a file has the address of a blob.
  expect(found(/\.href = /)).toEqual(['look/save.ts']);
  expect(found(/localStorage|document\.cookie/)).toEqual([]);
});

it('every page that the console shows is a path that the gateway answers', () => {
  const app = sources.find(({ path }) => path.endsWith('/app.tsx'))!.text;
  const shown = [...app.matchAll(/path: \/\^\\\/([\w-]*)/g)].map(([, first]) => `/${first}`);
  const answered = new Set(CONSOLE_PAGES.map((path) => path.replace('/*', '')));
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter((path) => !answered.has(path))).toEqual([]);
});
