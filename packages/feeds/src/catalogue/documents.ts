import type { Feed } from '../feed.ts';
import { github, MEGABYTE, off, row } from './row.ts';

const documents = { dataset: 'documents', licence: 'public' } as const;
const SHIPPED = 'What is shipped is judged by.';

/** Files that are used as they are. */
export const DOCUMENT_FEEDS: readonly Feed[] = [
  ...['dns', 'ipv4', 'ipv6', 'asn'].map((registry) =>
    row({
      ...documents,
      name: `iana-rdap-${registry}`,
      url: `https://data.iana.org/rdap/${registry}.json`,
      format: 'json',
      pick: { at: ['services.*.0.*'] },
      tells: 'which server of a registry to ask (RFC 9224)',
      attribution: 'IANA, https://data.iana.org/rdap/',
      max_bytes: 4 * MEGABYTE,
      min_rows: 5,
    }),
  ),
  row({
    ...documents,
    name: 'iana-registrars',
    url: 'https://www.iana.org/assignments/registrar-ids/registrar-ids-1.csv',
    format: 'csv',
    tells: 'names of registrars and their RDAP servers',
    attribution: 'IANA, https://www.iana.org/assignments/registrar-ids',
    every_hours: 168,
    min_rows: 1_000,
  }),
  row({
    ...documents,
    name: 'iana-tlds',
    url: 'https://data.iana.org/TLD/tlds-alpha-by-domain.txt',
    tells: 'top-level domains',
    attribution: 'IANA, https://data.iana.org/TLD/',
    every_hours: 168,
    min_rows: 1_000,
    ...off(SHIPPED),
  }),
  row({
    ...documents,
    name: 'public-suffixes',
    url: 'https://publicsuffix.org/list/public_suffix_list.dat',
    tells: 'suffixes that names are registered under',
    licence: 'MPL-2.0',
    attribution: 'Mozilla Public Suffix List, https://publicsuffix.org/',
    every_hours: 168,
    min_rows: 5_000,
    ...off(SHIPPED),
  }),
  row({
    ...documents,
    name: 'confusables',
    url: 'https://www.unicode.org/Public/security/latest/confusables.txt',
    tells: 'characters that look alike (UTS 39)',
    licence: 'Unicode-3.0',
    attribution: 'Unicode, Inc., https://www.unicode.org/reports/tr39/',
    every_hours: 720,
    min_rows: 3_000,
    ...off(SHIPPED),
  }),
  row({
    ...documents,
    name: 'iana-special-ipv4',
    url: 'https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry-1.csv',
    format: 'csv',
    tells: 'addresses of special use',
    attribution: 'IANA, https://www.iana.org/assignments/iana-ipv4-special-registry',
    every_hours: 720,
    min_rows: 10,
    ...off(SHIPPED),
  }),
  row({
    ...documents,
    name: 'universities',
    url: github('Hipo/university-domains-list/master/world_universities_and_domains.json'),
    format: 'json',
    pick: { entry: ['domains'] },
    tells: 'domains of universities',
    licence: 'MIT',
    attribution: 'Hipo university-domains-list, https://github.com/Hipo/university-domains-list',
    every_hours: 168,
    min_rows: 5_000,
    ...off(SHIPPED),
  }),
];
