import { isAtOrUnder } from '@vedette/contract';
import type { SiteVisit } from '../evidence.ts';
import { valuesOf } from '../headers.ts';
import { gives, type SignedPage } from '../shop/signatures.ts';
import { elsewhere as elsewhereOf, landingOf } from '../visit/main-visit.ts';
import { codeOf, isProviders, marketOf } from './providers.ts';

/** Signs of a parked name in the answer of its site. */
export const PAGE_SIGNS = {
  market_redirect: 'the name leads to a market for domains',
  adblock_key: 'the answer has a key by which ad blockers let advertisements of parked names through',
  parking_code: "the page loads the code of a parking service, or of Google's advertisements for parked names",
  parking_script: 'a script in the page is that of a parking service',
  parking_notice: 'the page says that the name is parked, or only registered',
  sale_offer: 'the page offers the name for sale',
} as const;
export type PageSign = keyof typeof PAGE_SIGNS;

export interface PageParking {
  signs: readonly PageSign[];
  /** Empty where no sign names it. */
  provider: string;
  forSale: boolean;
}

/** The domain whose site was visited, and the one that it led to. */
interface Visited {
  domain: string;
  elsewhere: string;
}

/** Search results that stand on parked domains are longer than notices. */
const PARKED_MAX_CHARS = 2_500;

/** Google serves these advertisements to parked names alone. */
const DOMAIN_ADS = /^(?:https?:)?\/\/(?:www|partner|syndicatedsearch)\.(?:google\.[a-z.]+|googleadservices\.com|goog)\/adsense\/domains\//i;

/** Scripts by which parked pages begin, with the provider where the script has one. */
const SCRIPTS: readonly { pattern: RegExp; provider: string }[] = [
  { pattern: /\bwindow\.park\s*=\s*["'{]/, provider: 'Bodis' },
  { pattern: /\bwindow\.LANDER_SYSTEM\s*=|\bap\s*:\s*["']parking["']/, provider: 'GoDaddy' },
  { pattern: /\blocation(?:\.href)?\s*=\s*["']\/lander["']/, provider: 'GoDaddy' },
  { pattern: /\bparking_?crew\b/i, provider: 'ParkingCrew' },
  { pattern: /\bsrc\s*=\s*["'](?:https?:)?\/\/www\.google\.com\/adsense\/domains\/caf\.js\b/, provider: '' },
];

const SALE =
  /\b(?:this |the )?(?:premium )?domain(?: name)?\b[^.!?]{0,60}\b(?:is|may be|could be) (?:available )?for sale\b|\b(?:buy|purchase|own|get) this (?:premium )?domain\b|\binquire about this domain\b|\bdomain name for sale\b(?!\s*\?)|\bdiese domain\b[^.!?]{0,40}\bzum verkauf|\bdiese domain (?:jetzt )?(?:kaufen|erwerben)\b|\bdomain (?:steht )?zum verkauf\b|\bce (?:nom de )?domaine est (?:à|a) vendre\b|\beste dominio est[aá] (?:en venta|[aà] venda)\b|\beste dominio (?:est[aá] )?[aà] venda\b|\bquesto dominio [eè] in vendita\b|\bd(?:it|eze) domein(?:naam)? is te koop\b|\b(?:ta )?domena jest na sprzeda|домен (?:этот )?продаётся|(?:этот )?домен продается|(?:此|该|本)域名.{0,6}出售|域名正在出售|このドメインは(?:売り出し中|販売中)/iu;
/** What Polish pages say of a name that they tell; sellers have names of others. A choir tells the year of its registration. */
const SAID_OF_NAME =
  /\bdomena ([\p{L}\p{N}.-]{3,80}) (?:jest (na sprzeda)|(?:jest|zosta[lł]a) (?:zaparkowana|zarejestrowana(?![^.!?]{0,30}\d{4})|utrzymywana)|utrzymywana jest na serwerach)/iu;

/** Words that may stand around the site's own name where a title offers it, as in `Buy name.example - for sale`. Each has one way to match. */
const BEFORE_OWN_NAME = /^\W*(?:buy )?(?:www\.)?/;
const AFTER_OWN_NAME = /^\W+(?:(?:is|may be) )?for sale\b/;
const OFFER_MAX_CHARS = 500;
/** Sites with visitors are sold too: it offers the name only on a page with a sign. */
const SITE_SALE = /\bthis website is for sale\b/i;
const NOTICE =
  /\bthis domain(?: name)? (?:is|has been) parked\b|\bdomain (?:is )?parked\b|\bparked (?:free,? )?courtesy of\b|\bthis domain(?: name)? (?:is|was|has been) (?:recently |newly |just )?registered (?:at|by|with|through)\b|\bthis domain(?: name)? has (?:recently )?(?:been registered|expired)\b|\bthis domain(?: name)? (?:has )?expired\b|\bregistered at namecheap\b|\bfuture home of something quite cool\b|\beste dominio (?:est[aá] aparcado|ha sido registrado)|\bdiese domain (?:wurde|ist)(?: soeben| bereits| gerade)? (?:registriert|geparkt|reserviert)|\bce (?:nom de )?domaine (?:est|a [eé]t[eé]) (?:enregistr[eé]|r[eé]serv[eé]|parqu[eé])|\bquesto dominio [eè] (?:stato registrato|parcheggiato)|\bd(?:it|eze) domein(?:naam)? is (?:geregistreerd|geparkeerd|gereserveerd)|\bta domena (?:jest|zosta[lł]a) (?:zaparkowana|zarejestrowana|utrzymywana)|\bdomena jest utrzymywana na serwerach|\baftermarket\.pl :: domena\b|\bdomain registered at safenames\b|домен (?:припаркован|зарегистрирован)|срок регистрации домена|域名已(?:注册|过期)/iu;

/** The signs in what a visit of a domain's site ended with. `elsewhere`: the domain that it led to; empty where it stayed. */
function readParking(answer: SignedPage, { domain, elsewhere }: Visited): PageParking {
  const { url, fields, page } = answer;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  // Markets lead to one another, and load their own code.
  const isOwn = isProviders(domain);
  const market = elsewhere === '' || isOwn ? undefined : marketOf(host);
  // Badges of a market stand on ordinary sites, as pictures.
  const assets = page.assets.filter(({ kind }) => kind === 'script' || kind === 'frame' || kind === 'style').map((asset) => asset.url);
  const coded = isOwn ? undefined : assets.map(codeOf).find((name) => name !== undefined);
  const script = SCRIPTS.find(({ pattern }) => page.inlineScripts.some((text) => pattern.test(text)));
  const said = saidOfName(page, domain);
  const offers = gives(SALE, page, PARKED_MAX_CHARS) || offersName(answer) || said === 'sale';
  const found: Record<PageSign, boolean> = {
    market_redirect: market !== undefined,
    adblock_key: page.hasAdblockKey || valuesOf(fields, 'x-adblock-key').length > 0,
    parking_code: coded !== undefined || assets.some((asset) => DOMAIN_ADS.test(asset)),
    parking_script: script !== undefined,
    parking_notice: gives(NOTICE, page, PARKED_MAX_CHARS) || said === 'notice',
    sale_offer: offers,
  };
  const signs = (Object.keys(found) as PageSign[]).filter((sign) => found[sign]);
  // Links to a parking service stand on ordinary pages too: they name it only where a sign was found.
  const linked = signs.length === 0 || isOwn ? undefined : page.links.map(({ href }) => codeOf(href)).find((name) => name !== undefined);
  return {
    signs,
    provider: market ?? coded ?? (script?.provider || linked) ?? '',
    forSale: offers || market !== undefined || (signs.length > 0 && SITE_SALE.test(page.info.title)),
  };
}

/** What the title, a heading or the text of a bare page says of the domain itself, by its name. */
function saidOfName(page: SignedPage['page'], domain: string): 'sale' | 'notice' | undefined {
  if (!gives(SAID_OF_NAME, page, PARKED_MAX_CHARS)) return undefined;
  for (const text of [page.info.title, ...page.headings, page.text]) {
    const [, name = '', sale] = SAID_OF_NAME.exec(text) ?? [];
    const host = URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : '';
    if (isAtOrUnder(host, domain)) return sale === undefined ? 'notice' : 'sale';
  }
  return undefined;
}

/** Whether a title or heading of a short page says of the site's own name that it is for sale. */
function offersName({ url, page }: SignedPage): boolean {
  if (page.text.length > PARKED_MAX_CHARS || !URL.canParse(url)) return false;
  const own = new URL(url).hostname.replace(/^www\./, '');
  return [page.info.title, ...page.headings].some((title) => {
    const said = title.slice(0, OFFER_MAX_CHARS).toLowerCase().replace(BEFORE_OWN_NAME, '');
    return said.startsWith(own) && AFTER_OWN_NAME.test(said.slice(own.length));
  });
}

/** Whether the name only waits for a buyer, or earns money by advertisements until then. */
export const isParked = (answer: SignedPage, visited: Visited): boolean => readParking(answer, visited).signs.length > 0;

/** The answer that a visitor of the site gets, with the domain that it led to. */
export type ParkedAnswer = SignedPage & { elsewhere: string };

/** Whether the site speaks for itself: lists of addresses and of name servers age, and are not believed then. */
export const speaksForItself = ({ status, elsewhere, page }: ParkedAnswer): boolean =>
  status >= 200 && status < 300 && elsewhere === '' && page.text.length > PARKED_MAX_CHARS;

/** The result of a visit to a name. */
export interface ParkedVisit extends PageParking {
  /** Whether the site's own page was seen: not a guard's, and not only a redirect. */
  seen: boolean;
  speaksForItself: boolean;
  /** Length of the visible text of the page that was seen, in characters. */
  textChars: number;
}

/** Reads a whole visit: a market to which the name leads counts, even if the market itself does not let us in. */
export function readParkedVisit(visit: SiteVisit, domain: string): ParkedVisit {
  const landing = landingOf({ https: visit, http: visit, domain });
  const isOwn = landing !== undefined && landing.guard === '';
  const read = landing ? readParking(landing, { domain, elsewhere: landing.elsewhere }) : NOTHING;
  const market = (isProviders(domain) ? [] : visit.hops)
    .flatMap(({ url, next }) => [url, next])
    .filter((url) => url !== '' && elsewhereOf(url, domain) !== '')
    .map((url) => marketOf(new URL(url).hostname))
    .find((name) => name !== undefined);
  return {
    signs: market === undefined || read.signs.includes('market_redirect') ? read.signs : ['market_redirect', ...read.signs],
    provider: market ?? read.provider,
    forSale: read.forSale || market !== undefined,
    seen: isOwn,
    speaksForItself: isOwn && speaksForItself(landing),
    textChars: isOwn ? landing.page.text.length : 0,
  };
}

const NOTHING: PageParking = { signs: [], provider: '', forSale: false };
