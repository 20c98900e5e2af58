import { shown } from '@vedette/contract';

/** Every series of /probe and what it means. Where blackbox_exporter has it, its words. */
export const FAMILIES = {
  probe_agent_ok: '0: what this location says is no word on the target; its agent, or its network, has failed',
  probe_dns_additional_rrs: 'Returns number of entries in the additional resource record list',
  probe_dns_answer_rrs: 'Returns number of entries in the answer resource record list',
  probe_dns_authority_rrs: 'Returns number of entries in the authority resource record list',
  probe_dns_duration_seconds: 'Duration of DNS request by phase',
  probe_dns_lookup_time_seconds: 'Returns the time taken for probe dns lookup in seconds',
  probe_dns_query_succeeded: 'Displays whether or not the query was executed successfully',
  probe_dns_serial: 'Returns the serial number of the zone',
  probe_duration_seconds: 'Returns how long the probe took to complete in seconds',
  probe_expect_info: 'Explicit content matched',
  probe_failed_due_to_bytes: 'Indicates if probe failed due to bytes',
  probe_failed_due_to_regex: 'Indicates if probe failed due to regex',
  probe_failed_addresses: 'Addresses of the target that were tried and failed',
  probe_failure_info: 'Present where the probe failed; always 1: why',
  probe_http_content_length: 'Length of http content response',
  probe_http_duration_seconds: 'Duration of http request by phase, summed over all redirects',
  probe_http_last_modified_timestamp_seconds: 'Returns the Last-Modified HTTP response header in unixtime',
  probe_http_redirects: 'The number of redirects',
  probe_http_ssl: 'Indicates if SSL was used for the final redirect',
  probe_http_status_code: 'Response HTTP status code',
  probe_http_uncompressed_body_length: 'Length of uncompressed response body',
  probe_http_version: 'Returns the version of HTTP of the probe response',
  probe_icmp_duration_rtt_max_seconds: 'Longest round trip of the echoes that were answered',
  probe_icmp_duration_rtt_min_seconds: 'Shortest round trip of the echoes that were answered',
  probe_icmp_duration_rtt_stddev_seconds: 'Population standard deviation of the round trips',
  probe_icmp_duration_seconds: 'Duration of icmp request by phase',
  probe_icmp_packets_received_count: 'Echoes that were answered in time',
  probe_icmp_packets_sent_count: 'Echoes that were sent',
  probe_icmp_reply_hop_limit: 'Replied packet hop limit (TTL for ipv4)',
  probe_ip_addr_hash: "Specifies the hash of IP address. It's useful to detect if the IP address changes.",
  probe_ip_protocol: 'Specifies whether probe ip protocol is IP4 or IP6',
  probe_location_info: 'Where a location is; always 1. simulated: its agent only pretends to be there',
  probe_locations: 'Locations by what came of them: answered, failed, agent_lost (there was no measurement), down (there is no agent)',
  probe_security_headers_score: 'Score of the HTTP Observatory',
  probe_ssl_chain_valid: '1: the certificates that the server sends lead to a trusted root',
  probe_ssl_days_left: 'Whole days until the certificate of the server expires',
  probe_ssl_earliest_cert_expiry: 'Returns last SSL chain expiry in unixtime',
  probe_ssl_hostname_valid: '1: the certificate is for the host',
  probe_ssl_last_chain_expiry_timestamp_seconds: 'Returns last SSL chain expiry in timestamp',
  probe_ssl_last_chain_info: 'Contains SSL leaf certificate information',
  probe_ssl_revoked: '1: the certificate or one above it was revoked; absent if that is not known',
  probe_success: 'Displays whether or not the probe was a success',
  probe_tls_cipher_info: 'Returns the TLS cipher negotiated during handshake',
  probe_tls_version_info: 'Returns the TLS version used or NaN when unknown',
  probe_trace_hop_answers_limited: '1: the router answers fewer packets than it passes on, so its loss is not that of the path',
  probe_trace_hop_packets_received_count: 'Packets of a trace that the hop answered in time',
  probe_trace_hop_packets_sent_count: 'Packets of a trace that were sent as far as the hop',
  probe_trace_hop_rtt_seconds: 'Mean round trip of the answers of the hop',
  probe_trace_hops: 'Hops up to the target, or to the last that answered',
  probe_trace_path_hash: 'The hash of the addresses of all hops: it changes with the path',
  probe_trace_reached: '1: the target answered',
} as const;
export type Family = keyof typeof FAMILIES;

/** The labels of our series beside the location. */
const LABELS = [
  'address',
  'cipher',
  'city',
  'continent',
  'country',
  'fingerprint_sha256',
  'hop',
  'issuer',
  'latitude',
  'longitude',
  'phase',
  'reason',
  'serialnumber',
  'simulated',
  'state',
  'subject',
  'subjectalternative',
  'version',
] as const;
export type Labels = Readonly<Partial<Record<(typeof LABELS)[number], string>>>;
/** Labels that a module names. */
type OwnLabels = Readonly<Record<string, string>>;

/** One sample, without the location: its family, its value, and its labels. */
export type Sample = readonly [family: Family, value: number, labels?: Labels] | readonly ['probe_expect_info', 1, OwnLabels];

/** The `Content-Type` of what it prints. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A certificate's texts are untrusted and may be long, and Prometheus stores every octet: this much suffices. */
const LABEL_MAX_CHARS = 512;
const COMMENT_MAX_CHARS = 400;

/** Gauges in the text format of Prometheus, 0.0.4. */
export class Exposition {
  readonly #locationLabel: string;
  readonly #comments: string[] = [];
  readonly #samples = new Map<Family, string[]>();

  /** `locationLabel` names the label that holds a sample's location. */
  constructor(locationLabel: string) {
    this.#locationLabel = locationLabel;
  }

  /** Does nothing for a value that is not finite: what is not known is absent. Without a location it is a sample of the whole scrape. */
  add(location: string | undefined, [family, value, labels = {}]: Sample): void {
    if (!Number.isFinite(value)) return;
    const where: [string, string][] = location === undefined ? [] : [[this.#locationLabel, location]];
    // A module may have a label of that name, too.
    const others = Object.entries(labels).filter(([name]) => location === undefined || name !== this.#locationLabel);
    const pairs = [...where, ...others].map(([name, text]) => `${name}="${escaped(text)}"`);
    const line = `${family}{${pairs.join(',')}} ${value}`;
    const lines = this.#samples.get(family);
    if (lines) lines.push(line);
    else this.#samples.set(family, [line]);
  }

  /** A line for people, at the top: Prometheus reads past it. */
  comment(text: string): void {
    this.#comments.push(`# ${shown(text, COMMENT_MAX_CHARS)}`);
  }

  /** All of it, each family once. */
  toString(): string {
    const families = [...this.#samples]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([family, lines]) => `# HELP ${family} ${FAMILIES[family]}\n# TYPE ${family} gauge\n${lines.join('\n')}\n`);
    return [...this.#comments.map((line) => `${line}\n`), ...families].join('');
  }
}

export const LOCATION_LABEL = 'location';
/** Names of labels (the data model of Prometheus) beside those that are reserved. */
const LABEL_NAME = /^(?!__)[a-z_][a-z\d_]{0,62}$/i;
/** The other labels of our series, and the two that Prometheus adds. */
const TAKEN: ReadonlySet<string> = new Set([...LABELS, 'instance', 'job']);

/** Whether a label of this name can hold the location. */
export const canHoldLocation = (label: string): boolean => LABEL_NAME.test(label) && !TAKEN.has(label);

/** Controls, line ends among them, are spaces by then. */
const escaped = (text: string): string => shown(text, LABEL_MAX_CHARS).replace(/["\\]/g, String.raw`\$&`);

/** Milliseconds as seconds, without the noise of the division. */
export const seconds = (ms: number): number => Math.round(ms * 1e6) / 1e9;
