import type { EmlReport } from '@vedette/message/report';
import { type Fields, mail, message, raw } from './builder.ts';
import { domainOf, type Letter, type Origin, signature } from './letter.ts';

type Details = EmlReport['security_details'];
type Sender = EmlReport['sender_details'];

/** Whom every letter here is for. */
const RECIPIENT = 'anna@example.org';

/** A server that takes mail for others: what it writes onto a message, and what can therefore be known of it. */
export interface Receiver {
  name: string;
  /** The fields above those of the sender, and those that some servers add below them. */
  above(origin: Origin, author: string): string;
  below(origin: Origin): Fields;
  /** The fields of the sender, as far as they are not changed: all of them without it. */
  keeps?(fields: Fields): Fields;
  says(origin: Origin): Partial<Details> & { sender: Pick<Sender, 'ip_address' | 'hostname' | 'helo'> };
}

/** The message as it lies in the mailbox. */
export function received({ origin, mail: letter }: Letter, by: Receiver): Buffer {
  const from = [letter.fields?.['From'] ?? ''].flat()[0]!;
  const author = domainOf(/<([^<>]*)>$/.exec(from)?.[1] ?? from.replace(/\s.*$/s, ''));
  const signed: Fields =
    origin.signers.length > 0 ? { 'DKIM-Signature': origin.signers.map((each) => signature(each.domain, each.selector)) } : {};
  const fields = { ...signed, ...(by.keeps?.(letter.fields ?? {}) ?? letter.fields), ...by.below(origin) };
  return raw(by.above(origin, author), 'body' in letter ? message(fields, letter.body) : mail({ ...letter, fields }));
}

/** What a server called itself, as reports have it. */
const greeting = (helo: string): string => helo.toLowerCase().replace(/^\[|\]$/g, '');

const AT = 'Tue, 14 Oct 2025 13:12:09 +0000';
const field = (name: string, value: string): string => `${name}: ${value}\r\n`;

/** How Gmail and Microsoft say that a server may send for a domain. */
const designates = ({ spf }: Origin): string =>
  ({ pass: 'designates', fail: 'does not designate', softfail: 'does not designate', none: 'does not designate' })[spf];

/** Workspace and Gmail itself: the results stand below a Received field of its own, ARC's above them. */
const gmail: Receiver = {
  name: 'Gmail',
  above(origin, author) {
    const { ip, helo, rdns, mailFrom, signers, spf, dmarc, plain } = origin;
    const permitted = `(google.com: domain of ${mailFrom || `postmaster@${helo}`} ${designates(origin)} ${ip} as permitted sender)`;
    const results = [
      ...signers.map(({ domain, selector }) => `dkim=pass header.i=@${domain} header.s=${selector} header.b=Vq3cW9yL`),
      `spf=${spf} ${permitted} smtp.${mailFrom === '' ? `helo=${helo}` : `mailfrom="${mailFrom}"`}`,
      ...(dmarc ? [`dmarc=${dmarc.result} (p=${dmarc.p.toUpperCase()} sp=${dmarc.sp.toUpperCase()} dis=NONE) header.from=${author}`] : []),
    ].join(';\r\n       ');
    const tls = plain ? '' : '\r\n        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256)';
    return [
      field('Delivered-To', RECIPIENT),
      field(
        'Received',
        'by 2002:a05:6402:3589:b0:639:d9fa:2d1c with SMTP id y9csp2214567edc;\r\n        Tue, 14 Oct 2025 06:12:11 -0700 (PDT)',
      ),
      field('X-Forwarded-Encrypted', 'i=1; AJvYcCW5o0jqXb1h@example.org'),
      field('X-Google-Smtp-Source', 'AGHT+IGx0m9d3Zb1vJk4Q5u2yXh7pVtF8n'),
      field(
        'X-Received',
        'by 2002:a05:600c:1e88:b0:46e:36f8:1eb7 with SMTP id 5b1f17b1804b1-46fa9af84cdmr;\r\n        Tue, 14 Oct 2025 06:12:10 -0700 (PDT)',
      ),
      field(
        'ARC-Seal',
        'i=1; a=rsa-sha256; t=1760447530; cv=none;\r\n        d=google.com; s=arc-20240605;\r\n        b=Y2xvc2VkIGJ5IG5vYm9keQ==',
      ),
      field('ARC-Authentication-Results', `i=1; mx.google.com;\r\n       ${results}`),
      field('Return-Path', `<${mailFrom}>`),
      field(
        'Received',
        `from ${helo} (${rdns === '' ? '' : `${rdns}. `}[${ip}])\r\n        by mx.google.com with ESMTP${plain ? '' : 'S'} id 4fb4d7f45d1cf-63b616c2d4fsi.12.2025.10.14.06.12.09\r\n        for <${RECIPIENT}>${tls};\r\n        Tue, 14 Oct 2025 06:12:09 -0700 (PDT)`,
      ),
      field('Received-SPF', `${spf} ${permitted} client-ip=${ip};`),
      field('Authentication-Results', `mx.google.com;\r\n       ${results}`),
    ].join('');
  },
  below: () => ({}),
  says: ({ ip, helo, rdns, signers, spf, dmarc, plain }) => ({
    spf_status: spf,
    dkim_status: signers.length > 0 ? 'pass' : '',
    dmarc_status: dmarc?.result ?? '',
    dmarc_policy: dmarc?.p ?? '',
    dmarc_subdomain_policy: dmarc?.sp ?? '',
    dmarc_disposition: dmarc ? 'none' : '',
    compauth_status: '',
    tls_status: plain ? 'none' : 'TLS1.3',
    sender: { ip_address: ip, hostname: rdns, helo: greeting(helo) },
  }),
};

const MICROSOFT = 'DB1PEPF000509F2.eurprd02.prod.outlook.com';

/** Exchange Online: its results have no authserv-id, and what its filter found stands below the fields of the sender. */
const microsoft: Receiver = {
  name: 'Microsoft 365',
  above(origin, author) {
    const { ip, helo, mailFrom, signers, spf, dmarc, plain } = origin;
    const domain = domainOf(mailFrom) || helo;
    const tls = plain ? '' : ' (version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384)';
    const compauth = dmarc?.result === 'pass' ? 'pass reason=100' : dmarc?.result === 'fail' ? 'fail reason=001' : 'pass reason=109';
    const action = dmarc?.result === 'fail' ? { none: 'none', quarantine: 'quarantine', reject: 'oreject' }[dmarc.p] : 'none';
    return [
      field(
        'Received',
        `from DB9PR04MB8234.eurprd04.prod.outlook.com (2603:10a6:10:24b::21) by\r\n AM9PR04MB7652.eurprd04.prod.outlook.com with HTTPS; ${AT}`,
      ),
      field(
        'Received',
        `from DU2PR04CA0123.eurprd04.prod.outlook.com (2603:10a6:10:232::8) by\r\n DB9PR04MB8234.eurprd04.prod.outlook.com (2603:10a6:10:24b::21) with Microsoft\r\n SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id\r\n 15.20.9228.10; ${AT}`,
      ),
      field(
        'Received',
        `from ${MICROSOFT}\r\n (2603:10a6:10:232:cafe::3f) by DU2PR04CA0123.outlook.office365.com\r\n (2603:10a6:10:232::8) with Microsoft SMTP Server (version=TLS1_3,\r\n cipher=TLS_AES_256_GCM_SHA384) id 15.20.9203.13 via Frontend Transport; ${AT}`,
      ),
      field(
        'Authentication-Results',
        `spf=${spf} (sender IP is ${ip})\r\n smtp.mailfrom=${domain}; ${
          signers[0]
            ? `dkim=pass (signature was\r\n verified) header.d=${signers[0].domain}`
            : 'dkim=none (message not signed)\r\n header.d=none'
        };dmarc=${dmarc?.result ?? 'none'} action=${action}\r\n header.from=${author};compauth=${compauth}`,
      ),
      field(
        'Received-SPF',
        `${spf === 'softfail' ? 'SoftFail' : spf[0]!.toUpperCase() + spf.slice(1)} (protection.outlook.com: domain of ${domain}\r\n ${designates(origin)} ${ip} as permitted sender)\r\n receiver=protection.outlook.com; client-ip=${ip};\r\n helo=${helo}; pr=C`,
      ),
      field(
        'Received',
        `from ${helo} (${ip}) by\r\n DB1PEPF000509F2.mail.protection.outlook.com (10.167.242.148) with Microsoft\r\n SMTP Server${tls} id 15.20.9228.7 via Frontend\r\n Transport; ${AT}`,
      ),
      field('X-IncomingTopHeaderMarker', 'OriginalChecksum:5D1A0F;UpperCasedChecksum:9F3B77;SizeAsReceived:4412;Count:21'),
    ].join('');
  },
  // What another Exchange has found on the way out is not what this one believes.
  keeps: (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name.replace(/^x-forefront-antispam-report$/i, '$&-Untrusted'), value]),
    ),
  below: ({ ip, helo, rdns, mailFrom }) => ({
    'X-IncomingHeaderCount': '21',
    'Return-Path': mailFrom || '<>',
    'X-MS-Exchange-Organization-Network-Message-Id': 'c1a1c8d2-53a4-4f0e-3f22-08de0b21f3aa',
    'X-EOPAttributedMessage': '0',
    'X-MS-Exchange-Organization-MessageDirectionality': 'Incoming',
    'X-MS-PublicTrafficType': 'Email',
    'X-MS-Exchange-Organization-AuthSource': MICROSOFT,
    'X-MS-Exchange-Organization-AuthAs': 'Anonymous',
    'X-MS-Exchange-Organization-SCL': '1',
    'X-Microsoft-Antispam': 'BCL:3;ARA:13230040|2092899012|69100299015|8096899003;',
    'X-Forefront-Antispam-Report': `CIP:${ip};CTRY:US;LANG:en;SCL:1;SRV:;IPV:NLI;SFV:NSPM;H:${helo};PTR:${rdns || 'InfoDomainNonexistent'};CAT:NONE;SFS:(13230040)(2092899012)(8096899003);DIR:INB;`,
    'X-MS-Exchange-CrossTenant-OriginalArrivalTime': '14 Oct 2025 13:12:09.4312 (UTC)',
    'X-Microsoft-Antispam-Mailbox-Delivery': 'ucf:0;jmr:0;auth:0;dest:I;ENG:(910001)(944506478)(944626604)(920097)(425001)(930097);',
  }),
  says: ({ ip, helo, rdns, signers, spf, dmarc, plain }) => ({
    spf_status: spf,
    dkim_status: signers.length > 0 ? 'pass' : 'none',
    dmarc_status: dmarc?.result ?? 'none',
    // `oreject`: the domain wants it rejected, and it goes to the spam instead.
    dmarc_policy: dmarc?.result === 'fail' && dmarc.p === 'reject' ? 'reject' : '',
    dmarc_subdomain_policy: '',
    dmarc_disposition: dmarc?.result === 'fail' && dmarc.p !== 'none' ? 'quarantine' : 'none',
    compauth_status: dmarc?.result === 'fail' ? 'fail' : 'pass',
    tls_status: plain ? 'none' : 'TLS1.3',
    sender: { ip_address: ip, hostname: rdns, helo: greeting(helo) },
  }),
};

/** Postfix with Rspamd as its milter and Dovecot behind: the results stand on top of the sender's fields, the score below them. */
const postfix: Receiver = {
  name: 'Postfix and Rspamd',
  above({ ip, helo, rdns, mailFrom, signers, spf, dmarc, plain }, author) {
    const results = [
      ...signers.map(({ domain, selector }) => `dkim=pass header.d=${domain} header.s=${selector} header.b="Vq3cW9yL"`),
      ...(dmarc?.result === 'pass' ? [`dmarc=pass (policy=${dmarc.p}) header.from=${author}`] : []),
      ...(dmarc?.result === 'fail' ? [`dmarc=fail reason="No valid SPF, No valid DKIM" header.from=${author} (policy=${dmarc.p})`] : []),
      `spf=${spf} (mail.example.org: domain of ${mailFrom || `postmaster@${helo}`} ${spf === 'pass' ? 'designates' : 'does not designate'} ${ip} as permitted sender) smtp.mailfrom=${mailFrom}`,
    ].join(';\r\n\t');
    const tls = plain
      ? ''
      : '\r\n\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)\r\n\t key-exchange X25519 server-signature RSA-PSS (2048 bits) server-digest SHA256)\r\n\t(No client certificate requested)';
    return [
      field('Return-Path', `<${mailFrom}>`),
      field('Delivered-To', RECIPIENT),
      field(
        'Received',
        `from mail.example.org\r\n\tby mail.example.org with LMTP\r\n\tid 8FqsJwlH7mgkGQAAgWs5BA\r\n\t(envelope-from <${mailFrom}>)\r\n\tfor <${RECIPIENT}>; ${AT}`,
      ),
      field(
        'Received',
        `from ${helo} (${rdns || 'unknown'} [${ip}])${tls}\r\n\tby mail.example.org (Postfix) with ESMTP${plain ? '' : 'S'} id 4cmF5T6B1Qz9sWm\r\n\tfor <${RECIPIENT}>; ${AT}`,
      ),
      field('Authentication-Results', `mail.example.org;\r\n\t${results}`),
    ].join('');
  },
  below: () => ({
    'X-Rspamd-Queue-Id': '4cmF5T6B1Qz9sWm',
    'X-Rspamd-Server': 'mail',
    'X-Spamd-Bar': '--',
    'X-Spamd-Result': [
      'default: False [-2.31 / 15.00];',
      '\tR_SPF_ALLOW(-0.20)[+ip4:198.2.128.0/18:c];',
      '\tMIME_GOOD(-0.10)[multipart/alternative,text/plain];',
      '\tRCVD_COUNT_ONE(0.00)[1]',
    ].join('\r\n'),
  }),
  says: ({ ip, helo, rdns, signers, spf, dmarc, plain }) => ({
    spf_status: spf,
    dkim_status: signers.length > 0 ? 'pass' : '',
    dmarc_status: dmarc?.result ?? '',
    dmarc_policy: dmarc?.p ?? '',
    dmarc_subdomain_policy: '',
    dmarc_disposition: '',
    compauth_status: '',
    tls_status: plain ? 'none' : 'TLS1.3',
    sender: { ip_address: ip, hostname: rdns, helo: greeting(helo) },
  }),
};

/** Exchange in the house: names no reverse DNS, checks SPF alone. */
export const exchange: Receiver = {
  name: 'Exchange on premises',
  above(origin) {
    const { ip, helo, mailFrom, spf, plain } = origin;
    const tls = plain ? '' : ' (version=TLS1_2,\r\n cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384)';
    return [
      field(
        'Received',
        `from EX02.corp.example.org (10.20.0.12) by EX01.corp.example.org\r\n (10.20.0.11) with Microsoft SMTP Server (version=TLS1_2,\r\n cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.2.1544.11 via Mailbox\r\n Transport; ${AT}`,
      ),
      field(
        'Received',
        `from ${helo} (${ip}) by EX02.corp.example.org\r\n (10.20.0.12) with Microsoft SMTP Server${tls} id 15.2.1544.11 via Frontend Transport;\r\n ${AT}`,
      ),
      field(
        'Received-SPF',
        `${spf === 'softfail' ? 'SoftFail' : spf[0]!.toUpperCase() + spf.slice(1)} (EX02.corp.example.org: domain of ${mailFrom || `postmaster@${helo}`}\r\n ${designates(origin)} ${ip} as permitted sender)\r\n receiver=EX02.corp.example.org; client-ip=${ip};\r\n helo=${helo};`,
      ),
    ].join('');
  },
  below: ({ mailFrom }) => ({
    'Return-Path': mailFrom || '<>',
    'X-MS-Exchange-Organization-Network-Message-Id': '0c5f0fd5-8d57-4f43-e9b1-08de0b21f3aa',
    'X-MS-Exchange-Organization-PRD': 'example.com',
    'X-MS-Exchange-Organization-SenderIdResult': 'Pass',
    'X-MS-Exchange-Organization-SCL': '0',
    'X-MS-Exchange-Organization-AuthSource': 'EX02.corp.example.org',
    'X-MS-Exchange-Organization-AuthAs': 'Anonymous',
    'X-MS-Exchange-Transport-EndToEndLatency': '00:00:00.5311764',
  }),
  says: ({ ip, helo, rdns, spf, plain }) => ({
    spf_status: spf,
    dkim_status: '',
    dmarc_status: '',
    dmarc_policy: '',
    dmarc_subdomain_policy: '',
    dmarc_disposition: '',
    compauth_status: '',
    tls_status: plain ? 'none' : 'TLS1.2',
    // The DNS has the name.
    sender: { ip_address: ip, hostname: rdns, helo: greeting(helo) },
  }),
};

export const RECEIVERS: readonly Receiver[] = [gmail, microsoft, postfix, exchange];
