import type { Operation } from './kit/index.ts';
import { accountInfo } from './account-info/index.ts';
import { asnInfo } from './asn-info/index.ts';
import { bimiValidator } from './bimi-validator/index.ts';
import { dkimValidator } from './dkim-validator/index.ts';
import { dmarcValidator } from './dmarc-validator/index.ts';
import { dnsLookup } from './dns-lookup/index.ts';
import { dnsPropagation } from './dns-propagation/index.ts';
import { dnssecStatus } from './dnssec-status/index.ts';
import { domainAge } from './domain-age/index.ts';
import { domainInfo } from './domain-info/index.ts';
import { domainReputation } from './domain-reputation/index.ts';
import { emailVerify } from './email-verify/index.ts';
import { emlInsights } from './eml-insights/index.ts';
import { geoRequest } from './geo-request/index.ts';
import { htmlToPdf } from './html-to-pdf/index.ts';
import { htmlToPng } from './html-to-png/index.ts';
import { httpTracker } from './http-tracker/index.ts';
import { http3Status } from './http3-status/index.ts';
import { ipReputation } from './ip-reputation/index.ts';
import { mtuTest } from './mtu-test/index.ts';
import { parkedDomain } from './parked-domain/index.ts';
import { phoneValidator } from './phone-validator/index.ts';
import { pingTest } from './ping-test/index.ts';
import { portScan } from './port-scan/index.ts';
import { qrScan } from './qr-scan/index.ts';
import { reverseIp } from './reverse-ip/index.ts';
import { screenshot } from './screenshot/index.ts';
import { securityHeaders } from './security-headers/index.ts';
import { siteTrust } from './site-trust/index.ts';
import { spfValidator } from './spf-validator/index.ts';
import { sslInfo } from './ssl-info/index.ts';
import { tcpTest } from './tcp-test/index.ts';
import { tlsCheck } from './tls-check/index.ts';
import { torTest } from './tor-test/index.ts';
import { traceroute } from './traceroute/index.ts';
import { urlReputation } from './url-reputation/index.ts';
import { urlStatus } from './url-status/index.ts';
import { urlToPdf } from './url-to-pdf/index.ts';
import { vpnTest } from './vpn-test/index.ts';

/** Every operation of the API. A new one is a folder beside these and a line here. */
export const operations: readonly Operation[] = [
  accountInfo,
  asnInfo,
  bimiValidator,
  dkimValidator,
  dmarcValidator,
  dnsLookup,
  dnsPropagation,
  dnssecStatus,
  domainAge,
  domainInfo,
  domainReputation,
  emailVerify,
  emlInsights,
  geoRequest,
  htmlToPdf,
  htmlToPng,
  httpTracker,
  http3Status,
  ipReputation,
  mtuTest,
  parkedDomain,
  phoneValidator,
  pingTest,
  portScan,
  qrScan,
  reverseIp,
  screenshot,
  securityHeaders,
  siteTrust,
  spfValidator,
  sslInfo,
  tcpTest,
  tlsCheck,
  torTest,
  traceroute,
  urlReputation,
  urlStatus,
  urlToPdf,
  vpnTest,
];
