import { failure, ProbeFailure } from '@vedette/contract';
import { nothingScanned, type TlsScan, VERSIONS, weaknessOf } from '@vedette/probes/tls';
import type { Static } from 'typebox';
import { findingsOf, gradeOf } from './findings.ts';
import type { TlsReport } from './schema.ts';

type Report = Static<typeof TlsReport>;

/** The reason why a server that accepts connections has no TLS, in words. */
const WITHOUT_TLS: Readonly<Record<string, string>> = {
  alert: 'the server refused every hello',
  closed: 'the server closed the connection',
  reset: 'the server reset the connection',
  silent: 'the server did not answer a hello in time',
  garbage: 'the answer is not TLS',
};

/** The report of a scan; of a host without an address where `outcome` is why it has none. */
export function reportOf(
  asked: { host: string; port: number; starttls: Report['starttls']; ip_address: string; ech: Report['ech'] },
  outcome: TlsScan | ProbeFailure,
): Report {
  const { host, port, starttls, ip_address, ech } = asked;
  const scan = outcome instanceof ProbeFailure ? nothingScanned() : outcome;
  const issues = findingsOf(scan, starttls === 'smtp');
  const { grade, caps } = gradeOf(scan, issues);
  const failed = failureOf(outcome);
  return {
    host,
    port,
    starttls,
    ip_address,
    tls_found: VERSIONS.some((version) => scan.versions[version] === 'yes'),
    grade,
    grade_caps: caps,
    protocols: scan.versions,
    preferred_protocol: scan.preferred,
    cipher_suites: suitesOf(scan),
    groups: scan.groups,
    groups_complete: scan.groupsKnown,
    post_quantum: scan.postQuantum,
    dh_bits: scan.dhBits,
    signature_algorithms: scan.signatures,
    signature_algorithms_complete: scan.signaturesKnown,
    signature_algorithms_tls1_3: scan.signatures13,
    signature_algorithms_tls1_3_complete: scan.signatures13Known,
    alpn: scan.alpn,
    alpn_complete: scan.alpnKnown,
    session_tickets: scan.tickets,
    session_tickets_tls1_3: scan.tickets13,
    session_resumption_by_ticket: scan.resumesByTicket,
    session_resumption_by_id: scan.resumesById,
    session_resumption_tls1_3: scan.resumes13,
    secure_renegotiation: scan.secureRenegotiation,
    compression: scan.compression,
    fallback_scsv: scan.fallbackScsv,
    extended_master_secret: scan.extendedMasterSecret,
    encrypt_then_mac: scan.encryptThenMac,
    heartbeat: scan.heartbeat,
    ocsp_stapling: scan.stapling,
    ech,
    answers_without_sni_only: scan.withoutName,
    issues_found: issues,
    connections: scan.connections,
    complete: scan.stopped === undefined && failed.reason === '',
    ...failed,
  };
}

const suitesOf = ({ suites }: TlsScan): Report['cipher_suites'] =>
  VERSIONS.toReversed().flatMap((version) => {
    const listed = suites[version];
    if (!listed) return [];
    return [
      {
        version,
        order: listed.order,
        complete: listed.complete,
        suites: listed.suites.map((suite) => ({
          name: suite.name,
          code: `0x${suite.code.toString(16).padStart(4, '0')}`,
          bits: suite.bits,
          forward_secrecy: suite.forwardSecrecy,
          aead: suite.aead,
          weakness: weaknessOf(suite) ?? '',
        })),
      },
    ];
  });

function failureOf(outcome: TlsScan | ProbeFailure): { error: string; reason: string } {
  if (outcome instanceof ProbeFailure) return failure(outcome.code, outcome.seen);
  const { failed, versions } = outcome;
  if (!failed || failed.kind === 'hello' || versions.sslv2 === 'yes') return { error: '', reason: '' };
  if (failed.kind === 'unconnected') return failure(failed.failure.code, failed.failure.seen);
  return failure('tls_handshake', WITHOUT_TLS[failed.kind]);
}
