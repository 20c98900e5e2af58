import { Enum, flag, text, texts } from '@vedette/contract';
import { listing } from '@vedette/mail/findings';
import { type Static, Type } from 'typebox';
import type { SslAtLocation } from './schema.ts';

/** A location that was shown a certificate. */
interface Seen {
  location: string;
  fields: Static<typeof SslAtLocation>;
}

const STATES = ['none_seen', 'same', 'several_valid', 'some_invalid', 'several_invalid'] as const;
/** Fields of an entry that are compared. */
const COMPARED = [
  'ip',
  'fingerprint_sha256',
  'issuer',
  'valid_to',
  'chain_sent',
  'valid_ssl',
  'revocation',
  'stapled',
  'tls_version',
  'cipher_suite',
  'alpn',
] as const;

const ShownCertificate = Type.Object(
  {
    fingerprint_sha256: text('SHA-256 fingerprint in hexadecimal'),
    subject: text('Subject of the certificate (RFC 2253)'),
    issuer: text('Issuer of the certificate (RFC 2253)'),
    valid_to: text('End of validity, YYYY-MM-DD HH:MM:SS in UTC'),
    chain_sent: texts('Fingerprints of the certificates that were sent, in order'),
    valid_ssl: flag('The certificate is trusted, current and for this name, by what was sent alone'),
    revoked: flag("The certificate or an issuer's certificate was revoked; false if unknown"),
    certificate_error: text('Defect of the certificate; empty if valid'),
    ips: texts('Addresses that answered with this certificate'),
    locations: texts('Ids of the locations that were shown this certificate'),
  },
  { title: 'ShownCertificate' },
);

/** The differences between what locations were shown. */
export const Differences = Type.Object(
  {
    state: Enum(STATES, {
      description:
        'same (one chain, one verdict), several_valid (different ones, all valid, as CDNs have them), some_invalid, several_invalid, or none_seen (no location was shown a certificate)',
    }),
    fields: Type.Array(Enum(COMPARED, { description: 'Name of a field' }), {
      description: 'Fields of the entries in `locations` that differ between locations with a certificate',
    }),
    certificates: Type.Array(ShownCertificate, {
      description: 'Different chains, and different verdicts on one chain; the most frequent first',
    }),
    summary: text('The differences in words'),
  },
  { title: 'SslDifferences', description: 'Differences between the locations; absent without `locations`' },
);
type Differences = Static<typeof Differences>;
type ShownCertificate = Static<typeof ShownCertificate>;

/** Numbers of locations that are not compared. */
interface Others {
  /** The server, or its DNS, showed them no certificate. */
  silent: number;
  /** They failed for reasons of our own. */
  failed: number;
  /** They were shown one, and have no reliable network. */
  unreliable: number;
}

/** Compares what locations were shown. */
export function differencesOf(seen: readonly Seen[], { silent, failed, unreliable }: Others): Differences {
  const certificates = certificatesOf(seen);
  const sound = certificates.filter(isSound).length;
  const several = sound === certificates.length ? 'several_valid' : sound === 0 ? 'several_invalid' : 'some_invalid';
  const state = certificates.length === 0 ? 'none_seen' : certificates.length === 1 ? 'same' : several;
  const fields = COMPARED.filter((name) => new Set(seen.map(({ fields: each }) => String(each[name]))).size > 1);
  const sentences = [
    SUMMARIES[state](certificates, seen),
    ...(silent > 0 && seen.length > 0 ? [`${plural(silent, 'location was', 'locations were')} shown no certificate`] : []),
    ...(failed > 0 ? [`${plural(failed, 'location', 'locations')} could not measure`] : []),
    ...(unreliable > 0
      ? [`${plural(unreliable, 'location is', 'locations are')} left out: the network of the agent there is unreliable`]
      : []),
  ];
  return { state, fields, certificates, summary: sentences.join('. ') };
}

const isSound = ({ valid_ssl, revoked }: ShownCertificate): boolean => valid_ssl && !revoked;

function certificatesOf(seen: readonly Seen[]): ShownCertificate[] {
  const groups = Map.groupBy(seen, ({ fields: { chain_sent, valid_ssl, revoked } }) => `${chain_sent.join()} ${valid_ssl} ${revoked}`);
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((members) => {
      const { fingerprint_sha256, subject, issuer, valid_to, chain_sent, valid_ssl, revoked, certificate_error } = members[0]!.fields;
      return {
        fingerprint_sha256,
        subject,
        issuer,
        valid_to,
        chain_sent,
        valid_ssl,
        revoked,
        certificate_error,
        ips: [...new Set(members.map(({ fields }) => fields.ip))],
        locations: members.map(({ location }) => location),
      };
    });
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

type Summary = (certificates: readonly ShownCertificate[], seen: readonly Seen[]) => string;

const SUMMARIES: Readonly<Record<Differences['state'], Summary>> = {
  none_seen: () => 'No location was shown a certificate',
  same: (_certificates, { length }) =>
    length === 1 ? 'One location was shown a certificate' : `${length} locations were shown the same certificate`,
  several_valid: (certificates) => `${different(certificates)}, all valid: usual for CDNs, load balancers and renewals`,
  several_invalid: (certificates) => `${different(certificates)}, none of them valid`,
  some_invalid: (certificates) => {
    const faulty = certificates.filter((each) => !isSound(each));
    const sound = certificates.filter(isSound);
    const faults = faulty.map(({ locations, revoked, certificate_error }) => {
      const fault = revoked ? 'The certificate, or one above it, was revoked' : certificate_error;
      return `At ${listing(locations)}: ${fault}`;
    });
    return `${faults.join('. ')}. Valid at ${listing(sound.flatMap(({ locations }) => locations))}. ${causeOf(faulty, sound)}`;
  },
};

function different(certificates: readonly ShownCertificate[]): string {
  const own = new Set(certificates.map(({ fingerprint_sha256 }) => fingerprint_sha256)).size;
  if (own > 1) return `The locations were shown ${own} different certificates`;
  const chains = new Set(certificates.map(({ chain_sent }) => chain_sent.join())).size;
  return chains > 1
    ? `The locations were shown one certificate with ${chains} different chains`
    : 'The locations were shown one certificate, with different verdicts';
}

/** The place to look for the fault. */
function causeOf(faulty: readonly ShownCertificate[], sound: readonly ShownCertificate[]): string {
  const chains = new Set(sound.map(({ chain_sent }) => chain_sent.join()));
  if (faulty.every(({ chain_sent, revoked }) => !revoked && chains.has(chain_sent.join())))
    return 'All were shown the same certificates, so these agents trust other roots, have a wrong clock, or were sent no OCSP response';
  if (faulty.every(({ chain_sent, revoked }) => revoked && chains.has(chain_sent.join())))
    return 'All were shown the same certificates, so they are revoked everywhere: the others had an older stapled response, or no answer of the issuer'; // prettier-ignore
  const good = new Set(sound.flatMap(({ ips }) => ips));
  const bad = faulty.flatMap(({ ips }) => ips);
  if (bad.every((ip) => !good.has(ip))) {
    const near = listing(faulty.flatMap(({ locations }) => locations));
    return `Only ${listing(bad)} had the fault: look at the servers there. If they are well, the DNS or a device near ${near} leads clients astray`;
  }
  return 'One address showed both: its servers differ, or a device near these locations answers in place of the server';
}
