import { attackers } from '../addresses/attackers.ts';
import { type CatalogueRow, MEGABYTE, off, row } from './row.ts';

/** Zones as local data (docs/engines.md): each is called as its engine, and answers in its place. */
const zone = {
  dataset: attackers,
  format: 'rbldnsd',
  every_hours: 1,
  rest_minutes: 30,
  max_age_days: 2,
  max_bytes: 32 * MEGABYTE,
  max_change: 5,
} as const;

export const ZONE_FEEDS: readonly CatalogueRow[] = [
  row({
    ...zone,
    name: 'psbl',
    url: 'https://psbl.invalid/psbl.txt',
    tells: 'the zone of PSBL: senders to spam traps',
    licence: 'free for anybody to use',
    attribution: 'Passive Spam Block List, https://psbl.org/',
    min_rows: 1_000,
    ...off(
      'Its publisher serves it by rsync alone: `rsync -z psbl-mirror.surriel.com::psbl/psbl.txt .`, then `vedette feeds import psbl psbl.txt`, by cron.',
    ),
  }),
  row({
    ...zone,
    name: 'uceprotect-l1',
    url: 'https://uceprotect.invalid/dnsbl-1.uceprotect.net.gz',
    packing: 'gzip',
    tells: 'the zone of UCEPROTECT Level 1: single addresses that wrote to traps in the last week',
    licence: 'free to use; terms of UCEPROTECT',
    attribution: 'UCEPROTECT-Network, https://www.uceprotect.net/',
    min_rows: 5_000,
    ...off(
      'Its mirror has no https. Where that suits you, set "enabled" and "url": http://wget-mirrors.uceprotect.net/rbldnsd-all/dnsbl-1.uceprotect.net.gz, or import that file.',
    ),
  }),
  row({
    ...zone,
    name: 'interserver',
    url: 'https://sigs.interserver.net/iprbl.txt',
    tells: 'the zone of InterServer: senders of spam, and attackers of its customers',
    licence: 'free to use; its terms are not told',
    attribution: 'InterServer, https://rbl.interserver.net/',
    min_rows: 500,
    ...off('Its engine is off: turn both on, or neither.'),
  }),
];
