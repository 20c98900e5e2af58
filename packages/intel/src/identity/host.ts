import type { Brand, Brands, Token } from './brands.ts';
import { basicLetters } from './imitation.ts';
import { isOrdinary, nearBrand } from './slips.ts';
import { differing, disguisedBrand } from './disguised.ts';
import { LURE_WORDS, STRONG_LURES } from './lures.ts';
import { meanBits } from './letters.ts';
import { SELF_HOSTED } from './spoken.ts';
import { copiedWallet, isOfBuilder } from './tenants/index.ts';

/** A host name as people read it. */
export interface ShownHost {
  /** The registrable domain, or the tenant's below a shared host, in A-labels. */
  tenant: string;
  /** The label that its tenant chose, as it is shown. */
  label: string;
  /** Text in front of it; empty without. */
  subdomain: string;
  /** Anyone gets a name there for nothing. */
  isTenant: boolean;
  /** The registrable domain, the landlord's of a tenant. */
  registered: string;
  /** Names under its top-level domain cost next to nothing, and many are abused. */
  isCheap: boolean;
}

/** How a host names a brand that it is not. The first of a host's rules counts. */
export const IDENTITY_RULES = [
  'own_domain_in_front',
  'brand_and_lure',
  'slip_and_lure',
  'brand_of_tenant',
  'slip',
  'brand_in_front',
  'brand_and_word',
  'near_brand',
  'other_tld',
] as const;
export type IdentityRule = (typeof IDENTITY_RULES)[number];

export interface Identity {
  rule: IdentityRule;
  brand: Brand;
  /** The brand, and what of the name says so. */
  detail: string;
}

/** Letters from which on a name inside of another is one on purpose. */
const INSIDE = 7;
const INSIDE_OFTEN = 6;
const INSIDE_TENANT = 6;
/** Letters that a name needs before one of them may be wrong. */
const DISTINCT = 6;

/** Networks that deliver others' sites or advertising, below whose names those others' own names stand. */
const DELIVERY = new Set(
  'akadns.net akamai.net akamaiedge.net akamaized.net akahost.net edgekey.net edgesuite.net fastly.net cloudflare.net fastly-edge.com akamaihd.net trafficmanager.net azureedge.net cloudapp.net footprint.net llnwd.net cdn77.org gslb.com lswcdn.net kunlunaq.com cdngslb.com alikunlun.com qtlcdn.com edgecastcdn.net impervadns.net incapdns.net tbcache.com tremorhub.com dv.tech'.split(
    ' ',
  ),
);

/** The brand that a host names though it is not the brand's; undefined for the brand's own hosts, and for all that name none. */
export function judgeIdentity(host: ShownHost, brands: Brands): Identity | undefined {
  if (brands.ownerOf(host.tenant) || DELIVERY.has(host.registered)) return undefined;
  const landlord = brands.ownerOf(host.registered);
  const found = [...inLabel(host, brands), ...inFront(host, brands)].filter(({ brand }) => brand !== landlord);
  return found.toSorted((a, b) => IDENTITY_RULES.indexOf(a.rule) - IDENTITY_RULES.indexOf(b.rule))[0];
}

const LURED = 'with words of forgers';

/** The beginning of an address, in a name: `https-www-roblox`. */
const AN_ADDRESS = /^(?:w+v*w+|h[lt]{1,3}[pt]{1,2}s*x?)$/;

const wordsOf = (label: string): string[] => label.split(/[-_]|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/).filter((word) => word !== '');

function* inLabel(host: ShownHost, brands: Brands): Iterable<Identity> {
  const { tenant, label, isTenant, isCheap } = host;
  const squashed = label.replaceAll(/[-_]/g, '');
  if (isOrdinary(label)) return;
  const whole = brands.token(squashed);
  if (whole) {
    if (label !== squashed && isSlip(whole) && !whole.brand.name.includes(' ')) yield identity('slip', whole, 'hyphenation');
    else if (label !== squashed) yield identity('near_brand', whole, 'hyphenation');
    else if (!whole.isWord) yield identity(isForged(whole, host) ? 'brand_of_tenant' : 'other_tld', whole, label);
    return;
  }
  const beforeCom = squashed.endsWith('com') ? brands.token(squashed.slice(0, -3)) : undefined;
  if (beforeCom && beforeCom.text.length >= INSIDE_TENANT) yield identity('near_brand', beforeCom, label);
  const words = wordsOf(label);
  yield* amongWords(words, host, brands);
  const address = AN_ADDRESS.test(words[0]!) ? words.slice(words.findIndex((word) => !AN_ADDRESS.test(word))) : [];
  const addressed =
    address.length > 0 && address.length < words.length
      ? (brands.token(address.join('')) ?? nearBrand(address.join(''), brands)?.token)
      : undefined;
  if (addressed?.isOften && !addressed.isWord) yield identity('own_domain_in_front', addressed, words.join('-'));
  if (isCheap) yield* ofSenders(words, brands);
  if (tenant.endsWith('.cn')) yield* blockedInChina(words, brands);
  for (const word of label.split('-')) yield* inside(word, host, brands);
  const read = basicLetters(squashed);
  const spelled = read === squashed ? undefined : brands.token(read);
  if (spelled && !spelled.isWord) yield identity('near_brand', spelled, label);
  const copied = isOfBuilder(host.registered) ? copiedWallet(label) : undefined;
  const copiedToken = copied === undefined ? undefined : brands.token(copied);
  if (copiedToken) yield identity('slip_and_lure', copiedToken, label);
  const disguised = isTenant ? disguisedBrand(label, brands) : undefined;
  if (disguised) yield identity('slip_and_lure', disguised.token, disguised.detail);
  const near = nearBrand(label, brands) ?? nearBrand(read, brands);
  if (near) yield identity(isSlip(near.token) && !near.isWeak ? 'slip' : 'near_brand', near.token, near.slip);
  for (const [at, word] of words.entries()) {
    if (words.length === 1 || LURE_WORDS.has(word)) continue;
    const { token, slip, isWeak } = nearBrand(word, brands) ?? {};
    if (
      token &&
      isWeak === false &&
      slip !== undefined &&
      isSlip(token) &&
      words.some((other, i) => i !== at && (isLure(other, token) || (isTenant && LURE_WORDS.has(other))))
    )
      yield identity('slip_and_lure', token, slip);
  }
}

/** A number of that many digits beside a brand is a campaign's: `137662coinbase.com`. A year is that of an event. */
const A_NUMBER = /^(?!(?:19|20)\d\d$)\d{4,}$/;
const isLure = (word: string, { brand }: Token): boolean => STRONG_LURES.has(word) || brand.words.has(word);

/** Senders in whose name text messages ask for a fee: parcels, tolls and states. Their names are short, and are not words. */
const OF_MESSAGES: ReadonlySet<string> = new Set('dpd dhl usps evri brt pcn ezpass sunpass fastrak dmv gov hmrc'.split(' '));
/** The same at the beginning of a word, and no word: `dpdesign`, and names such as Dhlamini and Evripidis, are honest. */
const BEGINNING = /^(?:dpd|usps|ezpass)(?![aeiouy])/;

/** Services that China blocks: their programs are offered there by others. */
const BLOCKED_IN_CHINA: ReadonlySet<string> = new Set('whatsapp telegram bet365 imtoken tokenpocket'.split(' '));
/** The same in wrong letters, of which most words are not near: `whatscapp`, `tokenpocknt`. */
const MISSPELLED_IN_CHINA: readonly string[] = ['whatsapp', 'tokenpocket', 'imtoken', 'telegram'];
const NOT_MISSPELLED: ReadonlySet<string> = new Set('whatsapi telegraf telegrama telegrams intoken itoken wheatapp'.split(' '));
/** Two letters are wrong in the one that is forged most, if it ends as it is heard: `whatssappp`, and not `whatshop`. */
const isMisspelled = (word: string, name: string): boolean =>
  differing(word, name) <= (name === 'whatsapp' && /a+p{2,}s?$/.test(word) ? 2 : 1);
/** Words of tools that Chinese firms make for their sales abroad, beside the service that these work with: `whatsapp-crm`. */
const OF_TOOLS = /s?crm|market|api|biz|business|tool|kefu|yingxiao|waimao|ads|sms|bot|plugin|saas|sdk/;
function* blockedInChina(words: readonly string[], brands: Brands): Iterable<Identity> {
  if (words.some((word) => OF_TOOLS.test(word))) return;
  for (const [at, word] of words.entries()) {
    const text = BLOCKED_IN_CHINA.has(word) ? word : word + (words[at + 1] ?? '');
    const token = BLOCKED_IN_CHINA.has(text) && words.length > 1 ? brands.token(text) : undefined;
    if (token) yield identity('brand_and_lure', token, words.join('-'));
    for (const name of MISSPELLED_IN_CHINA) {
      const meant = word !== name && word[0] === name[0] && !NOT_MISSPELLED.has(word) && isMisspelled(word, name);
      const misspelled = meant ? brands.token(name) : undefined;
      if (misspelled) yield identity('brand_and_lure', misspelled, word);
    }
  }
}

/** Senders whose abbreviations stand for regions and firms, too: `dmv-furniture` is one of Washington. */
const OF_OTHERS: ReadonlySet<string> = new Set('dmv brt pcn fastrak'.split(' '));
const OF_STATES =
  /^(?:parking|ticket|license|licence|plates?|registration|dmv|gov|state|traffic|vehicle|court|due|owed|violation|citation)s?$/;
/** States of the USA and the countries of these senders by their letters, and no others: `fastrak-rc` sells toy cars. */
const A_STATE =
  /^(?:a[kzlr]|c[aot]|d[ce]|fl|ga|hi|i[adln]|k[sy]|la|m[adeinost]|n[cdehjmvy]|o[hkr]|pa|ri|s[cd]|t[nx]|ut|v[at]|w[aivy]|us|uk|gb|it)$/;
const isOfSender = (word: string): boolean =>
  A_STATE.test(word) || /^\d+$/.test(word) || OF_OTHERS.has(word) || OF_STATES.test(word) || STRONG_LURES.has(word);

/** Departments of motor vehicles of states: `txdmv`. */
const OF_DMV = /^(?:tx|ny|ca|nj|nv|az|fl|ga|va|nc|pa|il)dmv$|^flhsmv$/;
/** Words of learners and lawyers. */
const OF_DRIVERS = /^(?:practice|permit|test|quiz|exam|prep|school|driving|guide|law|lawyer|appointments?|hours|locations?)s?$/;

/** Yields such a sender in a name that costs next to nothing: `dpd-ie-f.top`, `dpdlocajt.shop`, `gov-parking.top`. */
function* ofSenders(words: readonly string[], brands: Brands): Iterable<Identity> {
  for (const word of words) {
    const isDmv = OF_DMV.test(word) && !words.some((other) => OF_DRIVERS.test(other));
    const text = OF_MESSAGES.has(word) ? word : isDmv ? 'dmv' : BEGINNING.exec(word)?.[0];
    const token = text === undefined ? undefined : brands.token(text);
    if (token && (!OF_OTHERS.has(word) || words.every(isOfSender))) yield identity('brand_and_lure', token, words.join('-'));
  }
}

const isSlip = ({ text, isOften, isWord }: Token): boolean => isOften && (isWord || text.length >= DISTINCT);

/** Words of copies, beside which a brand that is a word too is meant. */
const COPIES: ReadonlySet<string> = new Set('clone copy replica'.split(' '));

/** Hosts where a name is an account, which a firm has for itself. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['github.io', 'gitlab.io']);
/** Brands with which honest tenants write programs, by the brand's own interface: `chat-with-youtube`. */
const WITH_PROGRAMS: ReadonlySet<string> = new Set(
  'youtube google spotify onedrive discord github gitlab telegram twitter reddit chatgpt openai gmail twitch linkedin pinterest whatsapp alibaba fiverr wordpress'.split(
    ' ',
  ),
);
/** Games and consoles, of which players have pages: `callofdutymobile`. */
const WITH_PLAYERS: ReadonlySet<string> = new Set(
  'roblox minecraft callofduty freefire garena fortnite pubg nintendo playstation xbox steam activision'.split(' '),
);
/** Promises to players. */
const PROMISED = /free(?!fire)|codes?|robux|skin|hack|generat|diamond|vbucks|gift|reward|top-?up|money/;
/** Words of programs that work with a brand, or are shown to an employer. */
const OF_WORKS: ReadonlySet<string> = new Set(
  'portfolio rss api sdk docs bot stats wrapped downloader converter player playlist theme plugin cli gpt analyzer analysis challenge recommender recommendation recommendations prediction sales eda viz visualization dataset scraper listings webhook'.split(
    ' ',
  ),
);

/** Trades of others beside a brand, at builders of sites, too: `office365-schulung`. */
const OF_TRADES: ReadonlySet<string> = new Set(
  'training trainings trainer coaching coach kurs kurse course courses curso cursos cours corso schulung seminar workshop marketing consulting consultant consultants beratung agentur alternative alternatives tips tipps tricks themes templates addon collectors fans fanclub hacks repair repairs reparatur reparatie parts ersatzteile tutorial tutorials'.split(
    ' ',
  ),
);

/** Whether a brand in a tenant's name is there to be taken for the brand. */
function isForged({ text, isOften }: Token, { label, registered, isTenant }: TenantName): boolean {
  if (!isTenant || !isOften) return false;
  if (label === text && OF_ACCOUNTS.has(registered)) return false;
  const words = label.split(/[-_]/);
  if (/clone|replica|copy|\d{3}|account|sign-?in|log-?in|verif|support/.test(label.replace(text, ''))) return true;
  if (WITH_PLAYERS.has(text)) return PROMISED.test(label);
  if (words.some((word) => OF_TRADES.has(word))) return false;
  return isOfBuilder(registered) || !(WITH_PROGRAMS.has(text) || words.some((word) => OF_WORKS.has(word)));
}
type TenantName = Pick<ShownHost, 'label' | 'registered' | 'isTenant'>;

/** A name among the words between hyphens. */
function* amongWords(words: readonly string[], host: TenantName, brands: Brands, behind: readonly string[] = []): Iterable<Identity> {
  const { isTenant } = host;
  for (const at of words.keys()) {
    const token = tokenAt(words, at, brands);
    const beside = words.filter((_, i) => i < at || i >= at + (token?.words ?? 0));
    const rest = token?.isWord === false ? [...beside, ...behind] : beside;
    if (!token || rest.length === 0) continue;
    const isStrong = rest.some((other) => isLure(other, token) || (!isTenant && token.isOften && !token.isWord && A_NUMBER.test(other)));
    if (isStrong && (!token.isWord || token.isOften)) yield identity('brand_and_lure', token, LURED);
    else if (isTenant && token.isOften && rest.some((other) => COPIES.has(other)))
      yield identity('brand_of_tenant', token, words.join('-'));
    else if (token.isWord) continue;
    else yield identity(isForged(token, host) ? 'brand_of_tenant' : 'brand_and_word', token, words.join('-'));
  }
}

/** A name inside of a word. */
function* inside(text: string, host: TenantName, brands: Brands): Iterable<Identity> {
  const token = longestInside(text.replace(/revolution|baseball/, '-'), host.isTenant, brands);
  if (!token) return;
  const rests = text
    .split(token.text)
    .flatMap((rest) => rest.split(/\d+/))
    .filter((rest) => rest !== '');
  if (rests.some((rest) => isLure(rest, token))) yield identity('brand_and_lure', token, LURED);
  else if (isForged(token, host)) yield identity('brand_of_tenant', token, text);
  else yield identity('near_brand', token, text);
}

/** A label beside which a brand that is a word too is meant: `steam.example.life` is a person's page, `allegro.493492300h9.shop` is not. */
const INVENTED = /[\d-]/;

/** Top-level domains beside the cheap ones, where a carrier's name stands in front of letters that spell nothing. */
const OF_CLUBS = /\.(?:club|ink|link|cloud)$/;
/** Mean bits of letter triples from which a label spells nothing. */
const SPELLS_NOTHING = 4.4;

function* inFront({ tenant, subdomain, label, isCheap }: ShownHost, brands: Brands): Iterable<Identity> {
  if (subdomain === '') return;
  const labels = subdomain.split('.');
  const behind = label.includes('-') ? wordsOf(label) : [];
  const parted = brands.token(labels.at(-1)! + label);
  if (parted && isParted(parted) && labels.length === 1) yield identity('near_brand', parted, subdomain);
  for (const [at, part] of labels.entries()) {
    const token = brands.token(part.replaceAll('-', ''));
    if (token && /^(?:com|net|org|co|gov)$/.test(labels[at + 1] ?? '')) yield identity('own_domain_in_front', token, LURED);
    const [first = '', tld = ''] = part.split('-').slice(-2);
    const joined = brands.token(first);
    if (joined && /^(?:com|net|org|co)$/.test(tld)) yield identity('own_domain_in_front', joined, LURED);
    if (
      token?.isOften &&
      (!token.isWord || (isCheap && INVENTED.test(label))) &&
      !label.includes(token.text) &&
      !SELF_HOSTED.has(token.text)
    )
      yield identity('brand_in_front', token, part);
    const words = wordsOf(part);
    for (const found of amongWords(words, { label: part, registered: '', isTenant: false }, brands, behind))
      if (found.rule === 'brand_and_lure') yield found;
    if (isCheap) yield* ofSenders(words, brands);
    else if (part === 'dpd' && OF_CLUBS.test(tenant) && meanBits([label.replace(/[-\d].*/, '')]) > SPELLS_NOTHING)
      yield* ofSenders(words, brands);
  }
}

/** A name with a dot in it: `pay.pal.example`, `credit.karma.example`. */
const isParted = ({ text, isOften, isWord, isAmongOthers }: Token): boolean =>
  isOften ? text.length >= INSIDE_TENANT : text.length >= INSIDE && !isWord && !isAmongOthers;

const identity = (rule: IdentityRule, { brand, text }: Token, by: string): Identity => ({
  rule,
  brand,
  detail: by === LURED ? `${text} ${by}` : `${text}, ${by}`,
});

/** The brand's name that begins at a word, over up to three words. */
function tokenAt(words: readonly string[], at: number, brands: Brands): (Token & { words: number }) | undefined {
  for (let many = Math.min(3, words.length - at); many > 0; many--) {
    const parts = words.slice(at, at + many);
    const token = brands.token(parts.join(''));
    // Several words are a phrase, and no brand that is a word: `find-my-parcel`. One letter is a part of a name: `t-online`.
    if (token && !(token.isWord && many > 1 && parts.every(({ length }) => length > 1))) return { ...token, words: many };
  }
  return undefined;
}

/** The longest distinct name in a text without its hyphens. */
function longestInside(text: string, isTenant: boolean, brands: Brands): Token | undefined {
  for (let length = Math.min(24, text.length - 1); length >= INSIDE_TENANT; length--)
    for (let at = 0; at + length <= text.length; at++) {
      const token = brands.token(text.slice(at, at + length));
      if (token && !token.isWord && !token.isAmongOthers && length >= (token.isOften ? (isTenant ? INSIDE_TENANT : INSIDE_OFTEN) : INSIDE))
        return token;
    }
  return undefined;
}
