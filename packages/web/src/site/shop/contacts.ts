import type { Link, PageFacts } from '../visit/page-facts.ts';
import { registrableOf } from '../registrable-of.ts';

/** Networks by the domains of their profiles. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['facebook.com', 'facebook'],
  ['fb.com', 'facebook'],
  ['twitter.com', 'twitter'],
  ['x.com', 'twitter'],
  ['instagram.com', 'instagram'],
  ['youtube.com', 'youtube'],
  ['tiktok.com', 'tiktok'],
  ['pinterest.com', 'pinterest'],
  ['linkedin.com', 'linkedin'],
]);
const ICON = /\b(facebook|twitter|instagram|youtube|tiktok|pinterest|linkedin)\b/i;
/** A button that logs in with a network's account leads nowhere by itself, and is not a profile. */
const LOGS_IN =
  /\b(?:log[ -]?in|sign[ -]?(?:in|up)|oauth|sso|(?:continue|connect|register) with|anmelden|weiter mit|se connecter|connexion|continuer avec|iniciar sesi[oó]n|continuar con|accedi|entrar com|inloggen|zaloguj)\b/iu;
/** A button that shares the page is not a profile either. */
const SHARES =
  /\b(?:share|sharer|sharing|tweet|pin it|teilen|partager|compartir|condividi|delen|udost[eę]pnij|del)\b|share[-_]|[-_]share|addtoany|addthis/i;
const SHARE_PATH = /^\/(?:sharer|share|intent|dialog|shareArticle|pin\/create|home|login|signup)/i;

/**
 * Whether a page shows the icons of two or more networks, and none of them leads to a profile: to the network's own front page, or to `#`. Buttons
 * that share the page do not count, for either side.
 */
export function hasFakeSocials({ links }: Pick<PageFacts, 'links'>): boolean {
  const empty = new Set<string>();
  for (const link of links) {
    const kind = socialOf(link);
    if (kind === undefined) continue;
    if (kind.isProfile) return false;
    empty.add(kind.network);
  }
  return empty.size >= 2;
}

function socialOf({ href, label, around }: Link): { network: string; isProfile: boolean } | undefined {
  if ([label, around].some((words) => SHARES.test(words) || LOGS_IN.test(words))) return undefined;
  const url = URL.parse(href, 'https://page.invalid/') ?? undefined;
  const network = url && NETWORKS.get(registrableOf(url.hostname));
  if (url && network !== undefined) {
    if (SHARE_PATH.test(url.pathname)) return undefined;
    return { network, isProfile: url.pathname.length > 1 || url.search.length > 1 };
  }
  const icon = href === '#' || href === '' || /^javascript:\s*(?:;|void)/i.test(href) ? ICON.exec(label)?.[1] : undefined;
  // Pages toggle things by such links; an icon has no words beside the network's name.
  return icon === undefined || label.length > 80 ? undefined : { network: icon.toLowerCase(), isProfile: false };
}

/** Linear in the text, and quickly so: a search begins at each `@` only, and every part is bounded. */
const EMAIL = /(?<=[\w.+-])@((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})\b/gi;
const EMAILS_MAX = 100;

/** Domains of the addresses that a page gives: in `mailto:` links, and in its text. */
export function contactDomains({ links, text }: Pick<PageFacts, 'links' | 'text'>): ReadonlySet<string> {
  const linked = links.flatMap(({ href }) => (/^mailto:/i.test(href) ? [decoded(href.slice(7).split('?', 1)[0]!)] : []));
  const domains = [...linked, text].flatMap((part) =>
    [...part.matchAll(EMAIL)].slice(0, EMAILS_MAX).map((match) => match[1]!.toLowerCase()),
  );
  return new Set(domains);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a URIError: a per cent sign that is one
  }
}

const PHONE = /(?:\+|\b00|\btel\b[^\d]{0,5}|\bphone\b[^\d]{0,5}|\bcall\b[^\d]{0,10})\(?\d[\d ()./-]{6,18}\d/i;
const ADDRESS =
  /\b(?:street|avenue|road|suite|blvd|boulevard|p\.?o\.? box|straße|strasse|str\.|platz|rue|calle|avenida|via|piazza|laan|straat|ul\.)\s?[\p{L}\d]/iu;

/** Whether a visitor is told a telephone number or where the owner sits; a link to a page with the imprint will do. */
export const hasImprint = ({ links, text }: Pick<PageFacts, 'links' | 'text'>): boolean =>
  PHONE.test(text) ||
  ADDRESS.test(text) ||
  links.some(
    ({ href, label }) =>
      /^tel:/i.test(href) ||
      /\b(?:imprint|impressum|mentions l[ée]gales|aviso legal|note legali|contact|kontakt|contacto|contatti)\b/iu.test(label),
  );
