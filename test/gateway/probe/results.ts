/** What agents of today measure, whole. */
export const httpResult = (changes: Record<string, unknown> = {}, detail: Record<string, unknown> = {}) => ({
  status_code: 200,
  status_message: 'OK',
  response_headers: { 'content-type': ['text/html'], server: ['one'] },
  redirects_to: '',
  timings: { dns_ms: 1, connect_ms: 2, tls_ms: 3, ttfb_ms: 10, total_ms: 12 },
  remote_addr: '192.0.2.10',
  network: 'tcp4',
  http_version: 'HTTP/1.1',
  tls_version: '',
  cipher_suite: '',
  error_message: '',
  elapsed_ms: 12,
  body_bytes: 11,
  body_truncated: false,
  ...changes,
  detail: {
    redirects: 0,
    final_url: 'http://192.0.2.10/',
    phases: { resolve_ms: 1.25, connect_ms: 2.5, tls_ms: 0, processing_ms: 4, transfer_ms: 0.25 },
    uncompressed_body_bytes: 11,
    content_length: 11,
    last_modified: 784111777,
    body_matches: [],
    header_matches: [],
    ...detail,
  },
});

export const TLS = {
  earliest_not_after: 1826922421,
  verified_not_after: 1826922421,
  fingerprint_sha256: 'ab'.repeat(32),
  subject: 'CN=a.test',
  issuer: 'CN=issuer',
  subject_alternative: 'a.test,b.test',
  serial_number: '1f',
};

export const pingResult = (changes: Record<string, unknown> = {}) => ({
  ip_address: '192.0.2.10',
  ip_hostname: '',
  is_valid_ip: true,
  is_private_ip: false,
  is_loopback_ip: false,
  is_reserved_ip: false,
  packets_sent: 4,
  packets_received: 3,
  percent_packet_loss: 25,
  icmp_requests: [1, 2, 4].map((icmp_seq) => ({ bytes: 64, icmp_seq, ttl: 57, time_ms: 12 })),
  rtt: { min: 12, avg: 15, max: 18, mdev: 3 },
  elapsed_ms: 640,
  detail: { resolve_ms: 1.5, setup_ms: 0.1, reply_ttl: 57 },
  ...changes,
});

const rtt = (ms: number) => ({ min: ms, avg: ms, max: ms, mdev: 0 });
const hop = (number: number, ip_address: string, ms: number, kind: 'icmp' | 'echo_reply' = 'icmp') => ({
  hop: number,
  packets_sent: 3,
  packets_received: 3,
  answers_limited: false,
  rtt: rtt(ms),
  answers: [{ ip_address, kind, type: 11, code: 0, packets_received: 3, rtt: rtt(ms), ttl: 64, flows: [0], labels: [] }],
});

/** An inner hop, a silent router, and the target. */
export const traceResult = (changes: Record<string, unknown> = {}) => ({
  ip_address: '192.0.2.10',
  reached: true,
  stopped_by: 'target',
  packets_sent: 20,
  packets_received: 17,
  hops: [
    hop(1, '', 1),
    { hop: 2, packets_sent: 3, packets_received: 0, answers_limited: true, rtt: rtt(0), answers: [] },
    hop(3, '192.0.2.10', 20, 'echo_reply'),
  ],
  elapsed_ms: 450,
  ...changes,
});

export const directResult = (changes: Record<string, unknown> = {}) => ({
  answers: [],
  direct: {
    server: '192.0.2.53:53',
    transport: 'udp',
    resolve_ms: 0,
    connect_ms: 0.1,
    request_ms: 2,
    rcode: 'NOERROR',
    answer_rrs: 1,
    authority_rrs: 0,
    additional_rrs: 0,
    answer: ['a.test.\t60\tIN\tA\t192.0.2.1'],
    authority: [],
    additional: [],
    ...changes,
  },
});

export const tcpResult = (changes: Record<string, unknown> = {}, detail: Record<string, unknown> = {}) => ({
  ip_address: '192.0.2.10',
  state: 'open',
  attempts: [{ ip_address: '192.0.2.10', state: 'open', began_ms: 1, connect_ms: 2, rtt_ms: 2, syn_lost: 0, icmp: '' }],
  rtt: { min: 2, avg: 2, max: 2, mdev: 0 },
  banner: '',
  response: '',
  closed_by_server: false,
  timings: { dns_ms: 1.25, connect_ms: 2, starttls_ms: 0, tls_ms: 0, first_octet_ms: 0, total_ms: 8 },
  elapsed_ms: 8,
  ...changes,
  detail: { script: 'done', labels: [], ...detail },
});
