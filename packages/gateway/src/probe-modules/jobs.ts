import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { parseIp } from '@vedette/contract';
import { dns, dnsServer } from '@vedette/probes/dns';
import { httpAsked, httpProbe } from '@vedette/probes/http';
import { ping, pingJob } from '@vedette/probes/ping';
import { tcpProbe } from '@vedette/probes/tcp';
import { trace, traceJob } from '@vedette/probes/trace';
import { typeName, typeNumber } from './dns-words.ts';
import type { DnsModule, HttpModule, IcmpModule, ProbeModule, TcpModule, TraceModule } from './modules.ts';
import { UnsupportedKey } from './section-parts.ts';

/** The agents' job for an http module. `hostname` stands for the URL's host in what is asked of the address. */
export function httpJob(module: HttpModule, url: string, hostname?: string): Static<typeof httpProbe.job> {
  const { max_redirects, headers, ...options } = module.options;
  return {
    url,
    detail: true,
    verify_certificate: module.verifyCertificate,
    ...httpAsked({ ...options, ...(max_redirects !== undefined && { max_redirects }) }),
    ...(max_redirects === undefined && { follow_redirects: true }),
    ...((headers ?? hostname) !== undefined && { headers: hostname === undefined ? headers! : { ...headers, host: hostname } }),
    ...(module.body !== undefined && { body: module.body }),
    ...laterKeys(module),
    ...(module.serverName !== undefined && { server_name: module.serverName }),
    ...(module.bodyPatterns.length > 0 && { body_matches: module.bodyPatterns.map(({ regexp }) => regexp) }),
    ...(module.headerPatterns.length > 0 && {
      header_matches: module.headerPatterns.map(({ header, regexp }) => ({ header, regexp })),
    }),
  };
}

/** The parts of a job that agents of earlier builds ignore, by key. */
export function laterKeys({ compression, bodyMaxBytes, proxy, oauth2, ipv6First }: HttpModule): Partial<Static<typeof httpProbe.job>> {
  return {
    ...(compression !== undefined && { compression }),
    ...(ipv6First && { ipv6_first: true }),
    ...(bodyMaxBytes !== undefined && { body_max_bytes: bodyMaxBytes }),
    ...(proxy && { proxy: { ...proxy, except: [...proxy.except] } }),
    ...(oauth2 && {
      oauth2: {
        token_url: oauth2.tokenUrl,
        client_id: oauth2.clientId,
        client_secret: oauth2.clientSecret,
        scopes: [...oauth2.scopes],
        parameters: oauth2.parameters,
      },
    }),
  };
}

/** Nothing for an address, which agents of earlier builds measure as well. */
const familyOrder = ({ ipv6First }: ProbeModule, host: string) => (ipv6First && !parseIp(host) ? { ipv6_first: true } : {});

export const icmpJob = (module: IcmpModule, host: string): Static<typeof ping.job> => ({
  ...pingJob(host, module.options),
  ...familyOrder(module, host),
  detail: true,
});

export const pathJob = (module: TraceModule, host: string): Static<typeof trace.job> => ({
  ...traceJob(host, module.options),
  ...familyOrder(module, host),
});

/** A question to the resolvers of each location. */
export const namedJob = ({ queryType }: DnsModule, host: string): Static<typeof dns.job> => ({ host, types: [typeName(queryType)!] });

/** A question to one server. */
export function serverJob(module: DnsModule, host: string, port: number): Static<typeof dns.job> {
  const { queryName, queryType, options } = module;
  const named = typeName(queryType);
  const number = named === undefined ? typeNumber(queryType) : undefined;
  const server = {
    ...dnsServer(options, { host, port }),
    ...familyOrder(module, host),
    ...(number !== undefined && { type: number }),
  };
  return { host: queryName!, types: [named ?? 'A'], server };
}

/** One connection, over which the steps are done. */
export function tcpJob(module: TcpModule, host: string, port: number): Static<typeof tcpProbe.job> {
  const { family, ipv6First, tls, verifyCertificate, serverName, terms, steps } = module;
  const { roots, certificate, key, minVersion, maxVersion } = terms;
  const octets = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    host,
    port,
    family,
    ...(ipv6First && { ipv6_first: true }),
    attempts: 1,
    tls: {
      verify: verifyCertificate,
      ...(serverName !== undefined && { server_name: serverName }),
      terms: {
        ...(roots !== undefined && { roots }),
        ...(certificate !== undefined && { certificate }),
        ...(key !== undefined && { key }),
        ...(minVersion !== undefined && { min_version: minVersion }),
        ...(maxVersion !== undefined && { max_version: maxVersion }),
      },
    },
    ...(tls && { script_in_tls: true }),
    script: steps.map(({ expect, labels, expectBytes, send, startTls }) => ({
      ...(expect !== undefined && { expect }),
      ...(labels.length > 0 && { labels: [...labels] }),
      ...(expectBytes && { expect_bytes: octets(expectBytes) }),
      ...(send && { send: octets(send) }),
      ...(startTls && { starttls: true }),
    })),
  };
}

const CHECKS = {
  http: Compile(httpProbe.job),
  icmp: Compile(ping.job),
  dns: Compile(dns.job),
  tcp: Compile(tcpProbe.job),
  trace: Compile(trace.job),
};

/** Throws `UnsupportedKey` for a module whose jobs no agent would take: too large, or out of range. */
export function assertRunnable(module: ProbeModule, line: number): void {
  const [, [wrong]] = CHECKS[module.prober].Errors(jobOf(module));
  if (wrong) throw new UnsupportedKey(line, `${wrong.instancePath.slice(1).replaceAll('/', '.')}: ${wrong.message}`);
}

function jobOf(module: ProbeModule): object {
  switch (module.prober) {
    case 'http':
      return httpJob(module, 'http://example.org/');
    case 'icmp':
      return icmpJob(module, 'example.org');
    case 'tcp':
      return tcpJob(module, 'example.org', 443);
    case 'trace':
      return pathJob(module, 'example.org');
    case 'dns':
      return module.queryName === undefined ? namedJob(module, 'example.org') : serverJob(module, '192.0.2.1', 53);
  }
}
