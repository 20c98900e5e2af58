/** Government and educational names (contract §4.1, §8) and names that only inner networks know, never asked outside. Hosts come normalised; see `parseHost`. */

import { isAtOrUnder } from './names.ts';

/** A label as the DNS has it (UTS 46). */
const aLabel = (label: string): string => new URL(`http://${label}/`).hostname;

const PROTECTED_TLDS = new Set(['gov', 'mil', 'edu', '政务'].map(aLabel));
const PROTECTED_SECOND_LEVELS = new Set(['gov', 'gob', 'gouv', 'govt', 'gub', 'go', 'mil', 'edu', 'ac']);
/**
 * The same in the scripts of countries that have a name of their own there: government, army, schools, universities. From the Public
 * Suffix List and the registries' own rules; a word holds under every name that is not Latin, and of the others under .hk.
 */
const PROTECTED_NATIVE_LABELS = new Set(
  [
    // Chinese: 政府.香港, 教育.香港, 政府.澳門, 政务.中国
    '政府',
    '政务',
    '政務',
    '教育',
    '敎育',
    // Japanese and Korean
    '政府機関',
    '정부',
    // Thai: go, mi, ac
    'รัฐบาล',
    'ทหาร',
    'ศึกษา',
    // Russian
    'правительство',
    // Hebrew: government, army, academy
    'ממשל',
    'צהל',
    'אקדמיה',
    // Arabic, Urdu, Persian
    'حكومة',
    'حکومت',
    'سرکار',
    'دولت',
    // of India, by script: Devanagari, Bengali, Assamese, Gujarati, Gurmukhi, Odia, Tamil, Telugu, Kannada, Malayalam
    'सरकार',
    'সরকার',
    'চৰকাৰ',
    'સરકાર',
    'ਸਰਕਾਰ',
    'ସରକାର',
    'அரசு',
    'ప్రభుత్వం',
    'ಸರ್ಕಾರ',
    'സർക്കാർ',
  ].map(aLabel),
);
const PROTECTED_DOMAINS = [
  'europa.eu',
  'admin.ch',
  'gc.ca',
  'canada.ca',
  'bund.de',
  'bundesregierung.de',
  'bundestag.de',
  'gouvernement.fr',
  'governo.it',
  'overheid.nl',
  'rijksoverheid.nl',
  'regeringen.se',
  'riksdagen.se',
  'government.nl',
  'belgium.be',
  'fgov.be',
  'gv.at',
  'regjeringen.no',
  'stortinget.no',
  'suomi.fi',
  'valtioneuvosto.fi',
  'gov.scot',
  'gov.wales',
  'parliament.uk',
  'police.uk',
  'nhs.uk',
  'sch.uk',
  'nato.int',
  'un.org',
  'who.int',
  'ethz.ch',
  'epfl.ch',
  'uzh.ch',
  'tum.de',
  'lmu.de',
  'kit.edu',
  'rwth-aachen.de',
  'hu-berlin.de',
  'fu-berlin.de',
  'tu-berlin.de',
  'uni-heidelberg.de',
  'uni-bonn.de',
  'uni-hamburg.de',
  'uni-koeln.de',
  'uni-muenchen.de',
  'sorbonne-universite.fr',
  'polytechnique.fr',
  'ens.fr',
  'kuleuven.be',
  'ugent.be',
  'uva.nl',
  'tudelft.nl',
  'uu.nl',
  'leidenuniv.nl',
  'kth.se',
  'lu.se',
  'uu.se',
  'ku.dk',
  'dtu.dk',
  'uio.no',
  'helsinki.fi',
  'aalto.fi',
  'unibo.it',
  'polimi.it',
  'uniroma1.it',
  'uam.es',
  'ub.edu',
  'mcgill.ca',
  'utoronto.ca',
  'ubc.ca',
  ...['упр.срб', 'обр.срб', 'ак.срб'].map(aLabel),
];

/** Whether pings, fetches and renders refuse this host. `k12.<state>.us` and `state.<state>.us` forms included. */
export function isProtectedHost(host: string): boolean {
  const labels = host.split('.');
  const tld = labels.at(-1)!;
  const second = labels.at(-2);
  if (PROTECTED_TLDS.has(tld)) return true;
  if (second !== undefined && tld.length === 2 && PROTECTED_SECOND_LEVELS.has(second)) return true;
  if (second?.startsWith('xn--') && (tld.startsWith('xn--') || tld === 'hk') && PROTECTED_NATIVE_LABELS.has(second)) return true;
  if (tld === 'us' && second !== undefined && second.length === 2 && ['k12', 'state', 'cc', 'lib'].includes(labels.at(-3) ?? ''))
    return true;
  if (tld === 'us' && ['fed', 'dni', 'nsn'].includes(second ?? '')) return true;
  return PROTECTED_DOMAINS.some((domain) => isAtOrUnder(host, domain));
}

// RFC 6761, 6762, 7686, 8375, 9476 and what inner networks use; a question for them would tell the resolver inner names.
const SPECIAL_USE = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'localdomain',
  'invalid',
  'onion',
  'alt',
  'home.arpa',
  'cluster.local',
  'svc',
  'resolver.arpa',
  'service.arpa',
  'ipv4only.arpa',
];

/** Whether the name must not be resolved: special use, the host's own search domains, or a private reverse zone. */
export function isSpecialUseName(host: string, searchDomains: readonly string[] = []): boolean {
  const under = (domain: string) => isAtOrUnder(host, domain);
  if (SPECIAL_USE.some(under) || searchDomains.some(under)) return true;
  return PRIVATE_REVERSE.test(host);
}

// in-addr.arpa of 0, 10, 127, 169.254, 172.16–31, 192.168, 100.64–127; ip6.arpa of ::, fc00::/7, fe80::/10 (RFC 6303)
const PRIVATE_REVERSE =
  /(^|\.)((0|10|127)|254\.169|(1[6-9]|2\d|3[01])\.172|168\.192|(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.100)\.in-addr\.arpa$|(^|\.)([cd]\.f|[89ab]\.e\.f|0\.0\.0\.0)\.ip6\.arpa$/;
