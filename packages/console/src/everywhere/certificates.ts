import { isObject, type Members, plainText } from '../report/shape.ts';
import { string } from './state-of.ts';

/** A certificate with its chain, as some locations were shown it, and their one verdict. */
export interface ShownCertificate {
  fingerprint: string;
  issuer: string;
  validTo: string;
  isSound: boolean;
  /** Defect of the certificate, or that it was revoked; empty without one. */
  fault: string;
  /** Addresses that answered with it. */
  addresses: string[];
  /** Cities, or ids, of the locations. */
  cities: string[];
}

/** A location, and its entry where it has answered. */
interface Seen {
  id: string;
  city: string;
  entry: Members | undefined;
}

/** Groups what ssl-info has seen so far, as `differences` of its report does; the most frequent first. */
export function certificatesOf(rows: readonly Seen[]): ShownCertificate[] {
  const seen = rows.flatMap(({ entry, id, city }) =>
    isObject(entry) && entry['certificate_found'] === true && entry['agent_state'] !== 'degraded'
      ? [{ entry, name: city === '' ? id : city }]
      : [],
  );
  const groups = Map.groupBy(seen, ({ entry }) => [plainText(entry['chain_sent']), entry['valid_ssl'], entry['revoked']].join(' '));
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((members) => {
      const { fingerprint_sha256, issuer, valid_to, valid_ssl, revoked, certificate_error } = members[0]!.entry;
      return {
        fingerprint: string(fingerprint_sha256),
        issuer: string(issuer),
        validTo: string(valid_to),
        isSound: valid_ssl === true && revoked !== true,
        fault: revoked === true ? 'The certificate, or one above it, was revoked' : string(certificate_error),
        addresses: [...new Set(members.map(({ entry }) => string(entry['ip'])))],
        cities: members.map(({ name }) => name),
      };
    });
}
