import { type Builders, FeedRefused } from '@vedette/intel/feeds';
import { adFilterOf, engineOf } from './engine.ts';

/** The longest lists have a hundred thousand. */
const RULES_MAX = 500_000;

/** A list that is not a feed: the engine, made of the lists of all feeds. */
export const ALL_LISTS = 'ALL';

/** Requests that no list may block: such a rule would leave pages bare. */
const CANARIES = [
  { url: 'https://www.example.org/main.css', type: 'Stylesheet', frameUrl: 'https://www.example.org/' },
  { url: 'https://www.example.org/article/picture.jpg', type: 'Image', frameUrl: 'https://www.example.org/article/' },
  { url: 'https://www.wikipedia.org/portal/index.js', type: 'Script', frameUrl: 'https://www.wikipedia.org/' },
  {
    url: 'https://upload.wikimedia.org/wikipedia/commons/4/47/Example.png',
    type: 'Image',
    frameUrl: 'https://en.wikipedia.org/wiki/Example',
  },
  { url: 'https://fonts.gstatic.com/s/roboto/v30/a.woff2', type: 'Font', frameUrl: 'https://www.example.com/' },
] as const;
/** Selectors that hide a page as a whole. */
const HIDES_ALL = /(^|[\n,}])\s*(\*|html|body|main|article)\s*[,{]/;

/** Made in the thread of `openBuilder`: reading a hundred thousand rules takes seconds. */
export const builders: Builders = {
  async filters(file, { name }) {
    const text = Buffer.concat(await Array.fromAsync(file.bytes()))
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    // Nearly every line is a rule of some kind, also those of an error page: a list is known by how it begins.
    if (!/^\s*(\[Adblock|!)/i.test(text)) throw new FeedRefused(/^\s*</.test(text) ? 'html' : 'format', 'no list in Adblock Plus syntax');
    const lines = text.split(/\r?\n/).filter((line) => line !== '' && !/^\s*([![]|$)/.test(line));
    if (lines.length > RULES_MAX) throw new FeedRefused('too_large', `it has more than ${RULES_MAX} rules`);
    const engine = engineOf([text]);
    if (name === ALL_LISTS) return { bytes: engine.serialize(), rows: lines.length, unreadable: 0, forbidden: undefined };
    const filter = adFilterOf(engine);
    const blocked = CANARIES.find((canary) => filter.blocks(canary))?.url;
    const hides = HIDES_ALL.test(filter.styleFor('https://www.example.org/', { ids: [], classes: [] }));
    const forbidden = blocked === undefined ? (hides ? 'a rule that hides whole pages' : undefined) : `a rule against ${blocked}`;
    return { bytes: Buffer.from(lines.join('\n')), rows: lines.length, unreadable: 0, forbidden };
  },
};
