import { parseHost } from '@vedette/contract';
import { isOrdinary, LURE_WORDS, POPULAR_DOMAINS, shippedBrands } from '../../identity/index.ts';
import { tenantOf } from '../../names/index.ts';
import { FeedRefused } from '../../feeds/index.ts';
import { bytesOf } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** Tables of more are slow to make, in the process that all requests share. */
const BRANDS_MAX = 5_000;
const LIST_MAX = 50;
/** How many problems a refusal names. */
const PROBLEMS_MAX = 5;
/** Letters of a name; one of fewer than `DISTINCT` is a word in some language. */
const [SHORTEST, DISTINCT, LONGEST] = [3, 4, 24];

const popularLabels = new Map([...POPULAR_DOMAINS].map((domain) => [domain.split('.', 1)[0]!, domain]));

/** Brands of the operator and of his customers, one a line: `name; own domains; aliases; words; icons` (docs/datasets.md). */
export const brands = defineDataset({
  name: 'brands',
  rules: 1,
  async build(file) {
    const { lines, problems } = readBrands((await bytesOf(file)).toString('utf8'));
    if (problems.length > 0) throw new FeedRefused('format', problemsOf(problems));
    if (lines.length > BRANDS_MAX) throw new FeedRefused('too_large', `it has ${lines.length} brands, and at most ${BRANDS_MAX} are read`);
    return { rows: lines.length, unreadable: 0, forbidden: undefined, bytes: Buffer.from(lines.join('\n')) };
  },
  open: ({ names }) => ({
    use: ({ name }, snapshot) => names.setBrands(name, snapshot),
    drop: ({ name }) => names.setBrands(name, undefined),
  }),
});

/** Reads brands, one a line: the lines of `brandsOf`, and what is wrong with the others. */
export function readBrands(text: string): { lines: string[]; problems: string[] } {
  const problems: string[] = [];
  const lines: string[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const row = brandOf(line);
    if ('problem' in row) problems.push(`line ${at + 1}: ${row.problem}`);
    else lines.push(row.line);
  }
  return { lines, problems };
}

/** The first problems, as a sentence. */
export const problemsOf = (problems: readonly string[]): string =>
  [...problems.slice(0, PROBLEMS_MAX), ...(problems.length > PROBLEMS_MAX ? ['…'] : [])].join('; ');

/** Makes of an operator's line one of `brandsOf`, or says what is wrong with it. */
function brandOf(text: string): { line: string } | { problem: string } {
  const fields = text.split(';').map((field) => field.trim());
  const [name = '', written = '', aliases = '', offers = '', icons = ''] = fields;
  if (fields.length < 2 || fields.length > 5 || name === '') return { problem: 'it is not `name; own domains; aliases; words; icons`' };
  if (/[\p{Cc}\p{Cf}]/u.test(name) || name.length > 100) return { problem: 'the name is too long, or has invisible characters' };
  const [domains, names, words] = [listOf(written), [name, ...listOf(aliases)], listOf(offers).map(squashed)];
  if (domains.length === 0) return { problem: 'it has no domain of its own' };
  const hashes = listOf(icons);
  if (Math.max(domains.length, names.length, words.length, hashes.length) > LIST_MAX)
    return { problem: `a list has more than ${LIST_MAX} entries` };
  const own: string[] = [];
  for (const domain of domains) {
    const host = parseHost(domain.toLowerCase());
    if (host?.kind !== 'name' || tenantOf(host.host) !== host.host) return { problem: `${quoted(domain)} is not a registrable domain` };
    own.push(host.host);
  }
  const tokens = new Map<string, string>();
  for (const alias of names) {
    const token = squashed(alias);
    if (token.length < SHORTEST || token.length > LONGEST)
      return { problem: `${quoted(alias)} has not ${SHORTEST} to ${LONGEST} letters and figures` };
    if (LURE_WORDS.has(token) || /^\d+$/.test(token)) return { problem: `${quoted(alias)} is in the names of too many others` };
    const isWord = alias.startsWith('~') || tokens.get(token)?.includes('~') === true || isWeak(token, own);
    tokens.set(token, `!${isWord ? '~' : ''}${token}`);
  }
  if (words.includes('')) return { problem: 'one of the words has no letter' };
  const odd = hashes.find((hash) => !/^-?\d{1,10}$/.test(hash) || (Number(hash) | 0) !== Number(hash) || Number(hash) === 0);
  if (odd !== undefined) return { problem: `${quoted(odd)} is not the MurmurHash3 of an icon` };
  const columns = [own.join(','), name.replace(/^~/, '').trim(), [...tokens.values()].join(','), '', words.join(',')];
  return { line: [...columns, ...(hashes.length > 0 ? [hashes.join(',')] : [])].join('\t') };
}

/** Strangers have the name too: alone it proves nothing. */
function isWeak(token: string, own: readonly string[]): boolean {
  const shipped = shippedBrands().token(token);
  const popular = popularLabels.get(token);
  if (shipped) return shipped.isWord;
  return token.length < DISTINCT || isOrdinary(token) || (popular !== undefined && !own.includes(popular));
}

const listOf = (field: string): string[] => field.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]));

const squashed = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '');

const quoted = (text: string): string => `"${text.slice(0, 60).replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?')}"`;
