import type { SentRequest } from '@vedette/contract';
import { getDomain } from 'tldts';
import { type FileClass, fileClass } from './file-class.ts';

/** The name of each count is the one that reports have. */
export type RequestStats = Record<
  | 'total_requests'
  | 'unsecure_requests'
  | 'same_origin_requests'
  | 'cross_origin_requests'
  | 'unique_hosts'
  | 'external_hosts'
  | 'unique_ips'
  | `${2 | 3 | 4 | 5}xx_status_codes`
  | 'transferred_bytes'
  | `${FileClass}_files`
  | `${FileClass}_files_bytes`,
  number
>;

export interface RequestSummary {
  /** Each once, in the order in which they were asked. */
  hosts: string[];
  ips: string[];
  stats: RequestStats;
}

/** Sums up what a page asked for. `pageUrl` is where its document came from in the end; http(s) and ws(s) URLs. */
export function summarize(requests: readonly SentRequest[], pageUrl: string): RequestSummary {
  const page = new URL(pageUrl);
  const urls = requests.map(({ url }) => new URL(url));
  const hosts = [...new Set(urls.map(hostOf))];
  const ips = [...new Set(requests.map(({ ip_address }) => ip_address).filter((ip) => ip !== ''))];
  const sameOrigin = urls.filter((url) => url.origin === page.origin).length;
  const home = siteOf(hostOf(page));
  const withStatus = (first: number): number => requests.filter(({ status_code }) => Math.floor(status_code / 100) === first).length;
  const classes = requests.map((request) => ({ kind: fileClass(request), bytes: request.content_length }));
  const files = (kind: FileClass) => classes.filter((one) => one.kind === kind);
  const bytesOf = (kind: FileClass): number => sum(files(kind).map(({ bytes }) => bytes));
  return {
    hosts,
    ips,
    stats: {
      total_requests: requests.length,
      unsecure_requests: urls.filter(({ protocol }) => protocol === 'http:' || protocol === 'ws:').length,
      same_origin_requests: sameOrigin,
      cross_origin_requests: requests.length - sameOrigin,
      unique_hosts: hosts.length,
      external_hosts: hosts.filter((host) => siteOf(host) !== home).length,
      unique_ips: ips.length,
      '2xx_status_codes': withStatus(2),
      '3xx_status_codes': withStatus(3),
      '4xx_status_codes': withStatus(4),
      '5xx_status_codes': withStatus(5),
      transferred_bytes: sum(requests.map(({ content_length }) => content_length)),
      html_files: files('html').length,
      html_files_bytes: bytesOf('html'),
      image_files: files('image').length,
      image_files_bytes: bytesOf('image'),
      javascript_files: files('javascript').length,
      javascript_files_bytes: bytesOf('javascript'),
      css_files: files('css').length,
      css_files_bytes: bytesOf('css'),
      font_files: files('font').length,
      font_files_bytes: bytesOf('font'),
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** A name or an address, as it is written without a port. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The registrable domain, the tenant's domain under a private suffix, or the host without either. */
const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;
