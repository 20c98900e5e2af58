import type { ParsedHost } from '@vedette/contract';
import { type HostRisk } from '@vedette/intel/urls';
import { registrableOf } from '@vedette/web/site';
import { type CentralContext } from '../kit/index.ts';
import { domainReputation } from '../domain-reputation/index.ts';
import { ipReputation } from '../ip-reputation/index.ts';
import { serverDetails } from '../shared/names/server-details.ts';

export interface HostQuery {
  exclude: readonly string[];
  key: string | undefined;
  age: 'asked' | 'cached';
}

type DomainReport = Awaited<ReturnType<typeof domainReputation.run>>;

/** The verdict of domain-reputation on one host of the way, or that of ip-reputation on an address. */
export interface JudgedHost {
  host: string;
  domain: string;
  blacklists: DomainReport['blacklists'];
  server: DomainReport['server_details'];
  risk: DomainReport['risk_score'];
  /** Undefined for an address. */
  report: DomainReport | undefined;
}

/** Judges a host as domain-reputation and ip-reputation do. Rejects with their errors, which are free. */
export async function judgeHost(
  { host, kind }: Pick<ParsedHost, 'host' | 'kind'>,
  query: HostQuery,
  context: CentralContext,
): Promise<JudgedHost> {
  const domain = registrableOf(host);
  if (kind === 'name') {
    const report = await domainReputation.run({ host, ...query }, context);
    return { host, domain, blacklists: report.blacklists, server: report.server_details, risk: report.risk_score, report };
  }
  const { exclude, key } = query;
  const [address, server] = await Promise.all([
    ipReputation.run({ target: { host, kind }, exclude, key, reverse: false }, context),
    serverDetails(host, context),
  ]);
  const { engines, ...block } = address.blacklists;
  // A listing of an address is of that very address.
  const sure = Object.fromEntries(Object.entries(engines).map(([at, engine]) => [at, { ...engine, confidence: 'high' as const }]));
  return { host, domain, blacklists: { ...block, engines: sure }, server, risk: address.risk_score, report: undefined };
}

/** How a host counts in the risk of the URL. A rule that acquits it, as of a well-known resolver, takes all else with it. */
export const hostRisk = ({ host, risk }: JudgedHost, passing: boolean): HostRisk => ({
  host,
  risk: risk.factors.some(({ weight, effect }) => weight === 0 && effect < 0) ? { result: 0, factors: [] } : risk,
  passing,
});
