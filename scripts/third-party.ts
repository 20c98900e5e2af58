import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package whose code is in a bundle. */
interface ThirdParty {
  name: string;
  version: string;
  license: string;
  /** The texts that its licence wants to go with it. */
  texts: string[];
}

const TEXTS = /^(licen[cs]e|notice|copying)/i;
const LINE = '-'.repeat(100);

/** The folder of the package that a module is of: below the innermost node_modules, with its scope. */
const packageFolder = (module: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];

/** The packages of others that modules, paths of files, are of, by name. Throws where one has no text of its licence: it could not be given on. */
export function thirdParties(modules: Iterable<string>): ThirdParty[] {
  const folders = new Set([...modules].flatMap((module) => packageFolder(module) ?? []));
  return [...folders].map(readPackage).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder: string): ThirdParty {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ThirdParty;
  const texts = readdirSync(folder)
    .filter((file) => TEXTS.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name} has no text of its licence (${license}) in ${dirname(folder)}`);
  return { name, version, license, texts };
}

/** What goes with a bundle: our own licence and notices, then those of everybody whose code is in it. */
export const licencesText = (own: readonly string[], others: readonly ThirdParty[]): string =>
  [
    ...own.map((text) => text.trim()),
    ...others.map(({ name, version, license, texts }) => [`${name} ${version}, ${license}`, ...texts].join('\n\n')),
  ].join(`\n\n${LINE}\n\n`) + '\n';

/** The packages that such a text names. */
export const bundledPackages = (text: string): Omit<ThirdParty, 'texts'>[] =>
  text.split(`\n\n${LINE}\n\n`).flatMap((part) => {
    const [, name, version, license] = /^(\S+) (\d\S*), (.+)\n/.exec(part) ?? [];
    return name === undefined ? [] : [{ name, version: version!, license: license! }];
  });
