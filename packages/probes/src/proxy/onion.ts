import { createHash } from 'node:crypto';
import { parseWebUrl, shownUrl } from '@vedette/contract';
import { headerValues, type HttpHead } from '../http/wire/message.ts';

const SERVICE = /(?:^|\.)([a-z2-7]{56})\.onion$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const KEY_OCTETS = 32;
const CHECKSUM_OCTETS = 2;
const ONION_VERSION = 3;

/** Whether a name in lower case is that of an onion service, or below it (rend-spec-v3 §6): key, checksum and version in base32. */
export function isOnionService(host: string): boolean {
  const text = SERVICE.exec(host)?.[1];
  if (text === undefined) return false;
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const octets = Buffer.from(Array.from({ length: bits.length / 8 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)));
  const key = octets.subarray(0, KEY_OCTETS);
  const version = octets.subarray(KEY_OCTETS + CHECKSUM_OCTETS);
  const checksum = createHash('sha3-256').update('.onion checksum').update(key).update(version).digest().subarray(0, CHECKSUM_OCTETS);
  return version[0] === ONION_VERSION && checksum.equals(octets.subarray(KEY_OCTETS, KEY_OCTETS + CHECKSUM_OCTETS));
}

/** URL of the onion service that a site names for itself by the field `Onion-Location`; empty without one. */
export function onionLocation(head: HttpHead): string {
  const target = parseWebUrl(headerValues(head, 'onion-location')[0] ?? '');
  return target && isOnionService(target.host) ? shownUrl(target.url.href) : '';
}
