import type { Reason } from '@vedette/contract';
import type { MailDns } from '@vedette/mail/email';
import type { NetworkSign } from '@vedette/intel/addresses';
import type { Brands } from '@vedette/intel/identity';
import type { CertificateSigns, HostTraits } from '@vedette/intel/names';
import type { Fields } from './headers.ts';
import type { PageFacts } from './visit/page-facts.ts';

/** One URL of a visit. */
export interface SiteHop {
  url: string;
  /** 0 where no answer came. */
  status: number;
  fields: Fields;
  /** Why no answer came; empty where one did. */
  refusal: Reason | '';
  /** Whether its certificate is trusted, current and for the name; undefined without TLS. */
  secure: boolean | undefined;
  /** Its target, absolute; empty for the last hop. */
  next: string;
}

/** One visit: a URL, and where it led. */
export interface SiteVisit {
  hops: readonly SiteHop[];
  /** How it ended, in the words of the probes' `VisitEnd`. */
  end: 'page' | 'failed' | 'not_followed' | 'loop' | 'too_many_redirects';
  /** The page of the last hop; without `isHtml` it is another kind of file, and `page` is empty. */
  page: PageFacts;
  isHtml: boolean;
  /** Octets of the last body. */
  bytes: number;
}

/** The certificate of the site's own first answer over https. */
export interface SiteCertificate {
  /** Trusted, current, and for the name. */
  valid: boolean;
  expired: boolean;
  /** SHA-1 of the certificate, lower-case hex, as lists have it. */
  sha1: string;
  /** EV, OV, IV or DV by its policies; empty where it has none of these. */
  type: 'EV' | 'OV' | 'IV' | 'DV' | '';
  issuerOrganization: string;
  issuerCountry: string;
  subjectOrganization: string;
  subjectCommonName: string;
  subjectCountry: string;
  /** Hosts that it is for, as `certificateHosts` reads them. */
  hosts: readonly string[];
  /** It was issued less than two days ago, and not for a few days only. */
  isFresh: boolean;
  signs: CertificateSigns;
  /** Undefined where no list of its issuer could be read. */
  revoked: boolean | undefined;
  /** Undefined without such a list. */
  blacklisted: boolean | undefined;
}

/** The site's DNS. Values of unanswered questions are undefined. */
export interface SiteDns {
  ipv4: readonly string[] | undefined;
  ipv6: readonly string[] | undefined;
  nameServers: readonly string[] | undefined;
  mail: Pick<MailDns, 'exchangers' | 'dmarc' | 'dmarcEnforced' | 'unknown'> | undefined;
  /** Whether strangers may send mail in the domain's name. */
  spoofable: boolean | undefined;
  caa: boolean | undefined;
  dnssecEnabled: boolean | undefined;
  dnssecSigned: boolean | undefined;
}

/** The traits of the name itself, and its matches in lists of names. */
export type SiteName = Pick<
  HostTraits,
  'abusedTld' | 'uncommonLength' | 'uncommonDashes' | 'uncommonDots' | 'clickable' | 'homoglyph' | 'typosquat' | 'popularity'
>;

/** All that one crawl found out: every check is a pure function of it. */
export interface SiteEvidence {
  /** The name that was asked about, less `www.` in front. */
  host: string;
  /** The registrable domain of it, tenants of shared hosts apart. */
  domain: string;
  https: SiteVisit;
  http: SiteVisit;
  /** The visit of a page that is not there; undefined where none was made. */
  absent: SiteVisit | undefined;
  certificate: SiteCertificate | undefined;
  dns: SiteDns;
  name: SiteName;
  /** The available lists: without a list, its checks are unknown. */
  has: { abusedTlds: boolean; ranks: boolean };
  /** Undefined where no engine answered. */
  detections: { high: number; all: number } | undefined;
  /** Findings about the networks of the site's addresses. */
  networks: readonly NetworkSign[];
  /** The share of the engines that were not heard. */
  unheard: number;
  /** Age of the domain; undefined if unknown. Recent: less than six months, very recent: less than 30 days. */
  age: { days: number; recent: boolean; veryRecent: boolean } | undefined;
  /** Countries of the site's own addresses; undefined where the tables know none of them. */
  countries: readonly string[] | undefined;
  /** Matches of the site's addresses and name servers in lists; undefined without the list. */
  lists: {
    /** An address of the site, or a name server, is a sinkhole's. */
    sinkhole: boolean | undefined;
    /** An address of the site, or a name server, is where domains are parked. */
    parked: boolean | undefined;
  };
  isShortener(host: string): boolean;
  isParkedName(host: string): boolean;
  isFreeMail(domain: string): boolean;
  /** Whether the domain has too many visitors to be an imitation. */
  isWellKnown(domain: string): boolean;
  /** Whether the site is one of those that a shared host gives to anonymous users. */
  isFreeHost: boolean;
  /** Whether another host is. */
  isRented(host: string): boolean;
  brands: Brands;
  /** MurmurHash3 of the page's favicon; undefined where none was wanted or had. */
  icon: number | undefined;
}
