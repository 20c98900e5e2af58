import { maliciousUrls } from '../names/malicious-urls.ts';
import { type CatalogueRow, github, MEGABYTE, off, openPhish, phishTank, row } from './row.ts';

const malicious = { dataset: maliciousUrls, max_age_days: 7, min_rows: 10, max_change: 100 } as const;
const ABUSE_CH = 'CC0-1.0; an Auth-Key is wanted since 2025';
const KEY = 'Wants a key of your own: {"headers": {"Auth-Key": "…"}}, free at https://auth.abuse.ch/';

/** Single URLs that do harm, kept as they are: what a feed says of a page it does not say of its host. */
export const URL_FEEDS: readonly CatalogueRow[] = [
  row({
    ...malicious,
    name: 'phishing-database-urls',
    url: github('Phishing-Database/Phishing.Database/master/phishing-links-NEW-today.txt'),
    tells: 'URLs of phishing that were found today',
    licence: 'MIT',
    attribution: 'Phishing.Database, https://github.com/Phishing-Database/Phishing.Database',
    every_hours: 2,
    max_bytes: 32 * MEGABYTE,
  }),
  row({
    ...malicious,
    ...openPhish,
    name: 'openphish-urls',
    tells: 'URLs of phishing, the newest',
  }),
  row({
    ...malicious,
    ...phishTank,
    name: 'phishtank-urls',
    tells: 'URLs of phishing that users confirmed',
  }),
  row({
    ...malicious,
    name: 'urlhaus-urls',
    url: 'https://urlhaus.abuse.ch/downloads/text_online/',
    tells: 'URLs that malware is fetched from now',
    licence: ABUSE_CH,
    attribution: 'URLhaus by abuse.ch, https://urlhaus.abuse.ch/',
    every_hours: 1,
    ...off(KEY),
  }),
  row({
    ...malicious,
    name: 'threatfox-urls',
    url: 'https://threatfox.abuse.ch/export/json/urls/recent/',
    format: 'json',
    pick: { at: ['*.*'], entry: ['ioc_value'] },
    tells: 'URLs of malware and of command servers that analysts reported',
    licence: ABUSE_CH,
    attribution: 'ThreatFox by abuse.ch, https://threatfox.abuse.ch/',
    every_hours: 1,
    rest_minutes: 30,
    ...off(KEY),
  }),
];
