import type { Static } from 'typebox';
import { SCRAPED_WELL, type ScrapeForm } from '../kit/index.ts';
import type { SslReport } from './schema.ts';

const DAY_MS = 86_400_000;

/** ssl-info as a module of `/probe`. */
export const sslScrape: ScrapeForm = {
  module: 'ssl_info',
  // `host` or `host:port`; more than one colon without brackets is an address alone.
  paramsOf(target) {
    const [, host = target, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(target) ?? [];
    return { host, ...(port !== undefined && { port: Number(port) }) };
  },
  read(printed, now) {
    const report = printed as Static<typeof SslReport>;
    const { valid_ssl, chain, chain_sent, revocation, ssl_details, reason, error } = report;
    if (!report.certificate_found) return { failed: { reason, error }, series: {} };
    const ends = chain_sent.map(({ valid_to }) => Date.parse(`${valid_to.replace(' ', 'T')}Z`) / 1_000);
    const isSent = chain.every(({ source }) => source !== 'fetched');
    const isRevoked = revocation === 'revoked';
    const fault = valid_ssl ? 'The certificate was revoked' : ssl_details.error;
    return {
      failed: !valid_ssl || isRevoked ? { reason: 'tls_cert_invalid', error: fault } : SCRAPED_WELL,
      series: {
        probe_ssl_earliest_cert_expiry: Math.min(...ends),
        probe_ssl_days_left: Math.floor((ssl_details.not_after_ts * 1_000 - now.getTime()) / DAY_MS),
        probe_ssl_chain_valid: report.chain_complete && isSent ? 1 : 0,
        probe_ssl_hostname_valid: report.hostname_matches ? 1 : 0,
        ...((isRevoked || revocation === 'good') && { probe_ssl_revoked: isRevoked ? 1 : 0 }),
      },
    };
  },
};
