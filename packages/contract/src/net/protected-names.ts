/** Government and educational names (contract §4.1, §8) and names that only inner networks know, never asked outside. Hosts come normalised; see `parseHost`. */

import { isAtOrUnder, someAtOrAbove } from './names.ts';

/** A label as the DNS has it (UTS 46). */
const aLabel = (label: string): string => new URL(`http://${label}/`).hostname;

/**
 * Level of a country's registry that is for governments, or for schools, by country where the word is a name like any other elsewhere:
 * from the Public Suffix List. `int` has treaty organisations alone, and `un.int` the missions of states.
 */
interface Levels {
  tlds: ReadonlySet<string>;
  /** Such a level under every country. */
  everywhere: ReadonlySet<string>;
  suffixes: ReadonlySet<string>;
}
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const under = (level: string, countries: string): string[] => countries.split(' ').map((country) => `${level}.${country}`);
const GOVERNMENT: Levels = {
  tlds: new Set(['gov', 'mil', 'int', '政务'].map(aLabel)),
  everywhere: new Set(['gov', 'gob', 'gouv', 'govt', 'gub', 'mil']),
  suffixes: new Set([
    ...under('go', 'ci cr id jp ke kr th tj tz ug'),
    ...words('gv.at gv.ao gc.ca gok.pk mi.th mod.gi nhs.uk police.uk parliament.nz jus.br leg.br mp.br fed.us dni.us nsn.us'),
  ]),
};
const EDUCATION: Levels = {
  tlds: new Set(['edu']),
  everywhere: new Set(['edu']),
  suffixes: new Set([
    ...under(
      'ac',
      'ae at bd be bw ci cn cr cy gn id il im in ir jp ke kr lk ls ma me ml mu mw mz ni nz pa pr rs rw se sz th tz ug uk vn za zm zw',
    ),
    ...under('sch', 'ae bd id ir jo lk ly ng qa sa ss uk zm'),
    ...words('ed.ao ed.cr ed.jp school.nz school.za g12.br k12.tr k12.il k12.ec es.kr hs.kr ms.kr sc.kr'),
  ]),
};
/**
 * The same in the scripts of countries that have a name of their own there: government, army, schools, universities. From the Public
 * Suffix List and the registries' own rules; a word holds under every name that is not Latin, and of the others under .hk.
 */
const NATIVE_GOVERNMENT = new Set(
  [
    // Chinese: 政府.香港, 政府.澳門, 政务.中国
    '政府',
    '政务',
    '政務',
    // Japanese and Korean
    '政府機関',
    '정부',
    // Thai: go, mi
    'รัฐบาล',
    'ทหาร',
    // Russian
    'правительство',
    // Hebrew: government, army
    'ממשל',
    'צהל',
    // Arabic, Urdu, Persian
    'حكومة',
    'حکومت',
    'سرکار',
    'دولت',
    // India, by script: Devanagari, Bengali, Assamese, Gujarati, Gurmukhi, Odia, Tamil, Telugu, Kannada, Malayalam
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
// Chinese, Thai, Hebrew: 教育.香港, ศึกษา.ไทย, אקדמיה.ישראל
const NATIVE_EDUCATION = new Set(['教育', '敎育', 'ศึกษา', 'אקדמיה'].map(aLabel));

/** Governments outside those levels. */
const GOVERNMENT_DOMAINS = words(`
europa.eu admin.ch canada.ca bund.de bundesregierung.de bundestag.de gouvernement.fr governo.it overheid.nl rijksoverheid.nl
regeringen.se riksdagen.se government.nl belgium.be fgov.be regjeringen.no stortinget.no suomi.fi valtioneuvosto.fi gov.scot gov.wales
parliament.uk mod.uk un.org ${aLabel('упр.срб')}
`);
/** Universities outside those levels: the largest, for operators without a longer list. */
const EDUCATION_DOMAINS = words(`
ethz.ch epfl.ch uzh.ch unibas.ch unibe.ch unige.ch unil.ch tum.de lmu.de kit.edu rwth-aachen.de hu-berlin.de fu-berlin.de tu-berlin.de
tu-darmstadt.de tu-dresden.de fau.de sorbonne-universite.fr polytechnique.fr ens.fr inria.fr sciencespo.fr kuleuven.be ugent.be ulb.be vub.be
uva.nl vu.nl tudelft.nl tue.nl uu.nl rug.nl ru.nl utwente.nl leidenuniv.nl eur.nl kth.se lu.se uu.se su.se chalmers.se liu.se gu.se ku.dk
dtu.dk au.dk aau.dk uio.no ntnu.no uib.no uit.no helsinki.fi aalto.fi tuni.fi unibo.it polimi.it polito.it uniroma1.it unimi.it unipd.it unito.it
uam.es ucm.es upm.es uab.cat ulisboa.pt up.pt uc.pt tcd.ie ucd.ie cvut.cz cuni.cz muni.cz vut.cz bme.hu elte.hu mcgill.ca utoronto.ca ubc.ca
uwaterloo.ca ualberta.ca umontreal.ca ulaval.ca queensu.ca sfu.ca yorku.ca usp.br unicamp.br ufrj.br ufmg.br msu.ru spbu.ru mipt.ru hse.ru
${aLabel('обр.срб')} ${aLabel('ак.срб')}
`);
/** Names of the form `uni-heidelberg.de` and `fh-aachen.de`, in countries that name them so, and `univ-paris.fr`, `universidadreal.example`. */
const EDUCATION_NAME =
  /(?:^|\.)(?:(?:uni|tu|fh|th|hs|ph|hochschule)-[a-z][a-z0-9-]*\.(?:at|bg|ch|de|hu|li|lu|si)|(?:univ-|universidade?-?|universitas|university-?of-?)[a-z0-9-]+\.[a-z]{2,}(?:\.[a-z]{2})?)$/;

/** Whether the host is in a part of the DNS that is for governments and their armies, or under one of their domains. */
export function isGovernmentHost(host: string): boolean {
  const { tld, second, third } = ends(host);
  // `state.<state>.us` and libraries
  if (tld === 'us' && second.length === 2 && (third === 'state' || third === 'lib')) return true;
  return isAtLevel(GOVERNMENT, NATIVE_GOVERNMENT, tld, second) || hasAncestor(host, GOVERNMENT_DOMAINS);
}

/** Whether the host is in a part of the DNS that is for schools and universities, under one of their domains, or named as they are. */
export function isEducationalHost(host: string): boolean {
  const { tld, second, third } = ends(host);
  // `k12.<state>.us` and community colleges
  if (tld === 'us' && second.length === 2 && (third === 'k12' || third === 'cc')) return true;
  return isAtLevel(EDUCATION, NATIVE_EDUCATION, tld, second) || hasAncestor(host, EDUCATION_DOMAINS) || EDUCATION_NAME.test(host);
}

/** Whether pings, fetches and renders refuse this host: it is a government's or a school's (contract §4.1). */
export const isProtectedHost = (host: string): boolean => isGovernmentHost(host) || isEducationalHost(host);

function ends(host: string): { tld: string; second: string; third: string } {
  const labels = host.split('.');
  return { tld: labels.at(-1) ?? '', second: labels.at(-2) ?? '', third: labels.at(-3) ?? '' };
}

function isAtLevel({ tlds, everywhere, suffixes }: Levels, native: ReadonlySet<string>, tld: string, second: string): boolean {
  if (tlds.has(tld) || suffixes.has(`${second}.${tld}`)) return true;
  if (tld.length === 2 && everywhere.has(second)) return true;
  return native.has(second) && (tld.startsWith('xn--') || tld === 'hk');
}

/** Whether one of the names is the host or stands above it. */
const hasAncestor = (host: string, names: ReadonlySet<string>): boolean => someAtOrAbove(host, (name) => names.has(name));

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
