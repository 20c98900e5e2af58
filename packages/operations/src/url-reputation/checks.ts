import { type Field, field, flag } from '@vedette/contract';
import { HOST_CATEGORIES, HOST_FIELDS } from '@vedette/intel/names';
import type { UrlShape } from '@vedette/intel/urls';
import { SITE_CHECKS, type SiteCheck, type SiteVerdict } from '@vedette/web/site';
import type { JudgedHost } from './hosts.ts';
import { isProgram, maskOf, type ServedFile } from './file.ts';

/** The facts by which a URL is judged. */
export interface UrlFacts {
  shape: UrlShape;
  /** The first host, and the one where the page is. */
  ends: readonly JudgedHost[];
  hosts: readonly JudgedHost[];
  urlListed: boolean;
  /** Undefined where no page answered. */
  landing: SiteVerdict['landing'];
  way: SiteVerdict;
  page: SiteVerdict;
  /** Whether the last answer came over https with a valid certificate; undefined without an answer. */
  secure: boolean | undefined;
  file: ServedFile;
}

/** The result of a check; undefined if the evidence is not sufficient. */
type Judge = (facts: UrlFacts) => boolean | undefined;
interface UrlCheck extends Field {
  judge: Judge;
}
const check = (description: string, note: string, judge: Judge): UrlCheck => ({ ...field(flag(description), note), judge });

/** A check of a site, of the page or of the way there. */
const ofSite = (name: SiteCheck, part: 'page' | 'way' = 'page'): UrlCheck => ({
  ...SITE_CHECKS[name],
  judge: (facts) => (facts[part].notChecked.includes(name) ? undefined : facts[part].checks[name]),
});
/** A check of a host name, of either end. */
const ofHost = (name: keyof typeof HOST_FIELDS): UrlCheck => ({
  schema: HOST_FIELDS[name].schema,
  note: HOST_FIELDS[name].note.replace('](#', '](domain-reputation.md#'),
  judge: ({ ends }) => ends.some(({ report }) => report?.security_checks[name] === true),
});
const ofCategory = (name: keyof typeof HOST_CATEGORIES): UrlCheck => ({
  schema: HOST_CATEGORIES[name].schema,
  note: HOST_CATEGORIES[name].note,
  judge: ({ ends }) => ends.some(({ report }) => report?.category[name] === true),
});
const onFile =
  (judge: (file: ServedFile) => boolean): Judge =>
  ({ file }) =>
    file.signature === '' ? undefined : judge(file);

/** Every boolean of `security_checks`. */
export const URL_CHECKS = {
  is_url_blacklisted: check(
    'A list of URLs has the URL, or one that it leads to',
    'The URL itself, or a folder above it; a listing of another page says nothing',
    ({ urlListed }) => urlListed,
  ),
  is_domain_blacklisted: check(
    'At least one blacklist engine lists a host of the way',
    'As domain-reputation and ip-reputation ask: up to the tenant, not the landlord',
    ({ hosts }) => hosts.some(({ blacklists }) => blacklists.detections > 0),
  ),
  is_username_in_url: check(
    'A user name or password stands before the `@`',
    '`https://user@example.org/`; not a mailbox in the query',
    ({ shape }) => shape.hasUserName,
  ),
  is_suspicious_username: check(
    'The user name reads like another host or a brand',
    'A well-known site, a host with `www.`, or a brand that the URL does not lead to. `https://paypal.com@evil.example/`; not `https://jane.doe@example.org/`',
    ({ shape }) => shape.posesAs !== '',
  ),
  is_suspicious_url_pattern: check(
    'The URL is written so that people misread where it leads',
    'The user name is suspicious, the host has escaped letters or is a number, or a folder of a site that few know is named like the domain of a brand. `http://0x7f.1/`, `https://evil.example/paypal.com/signin`; not a long query, nor pages about a site (`/review/paypal.com`) and archives (`/web/2020/https://paypal.com/`)',
    ({ shape }) => shape.posesAs !== '' || shape.obscured !== '' || shape.pathNames !== '',
  ),
  is_host_an_ipv4: check('The host of the URL is an IPv4 address', '`http://192.0.2.1/`', ({ shape }) => shape.isIpv4),
  is_non_standard_port: check(
    'The URL names a port other than 80 and 443',
    '`https://example.org:8443/`',
    ({ shape }) => shape.isOtherPort,
  ),
  is_email_address_on_url_query: check(
    'The URL holds a mailbox, as links that were made for one recipient do',
    'In its path, query or fragment. `https://example.org/#jane@example.com`; not the user name',
    ({ shape }) => shape.mailbox !== '',
  ),
  is_most_abused_tld: ofHost('is_most_abused_tld'),
  is_suspicious_homoglyph: ofHost('is_suspicious_homoglyph'),
  is_possible_typosquatting: ofHost('is_possible_typosquatting'),
  is_uncommon_clickable_domain: ofHost('is_uncommon_clickable_domain'),
  is_uncommon_host_length: ofHost('is_uncommon_host_length'),
  is_uncommon_dash_char_count: ofHost('is_uncommon_dash_char_count'),
  is_uncommon_dot_char_count: ofHost('is_uncommon_dot_char_count'),
  is_url_shortener: ofCategory('is_url_shortener'),
  is_free_hosting: ofCategory('is_free_hosting'),
  is_free_dynamic_dns: ofCategory('is_free_dynamic_dns'),
  is_free_file_sharing: ofCategory('is_free_file_sharing'),
  is_form_builder: ofCategory('is_form_builder'),
  is_website_accessible: ofSite('is_website_accessible'),
  is_external_redirect: ofSite('is_external_redirect', 'way'),
  is_suspicious_redirect: ofSite('is_suspicious_redirect', 'way'),
  is_redirect_to_search_engine: ofSite('is_redirect_to_search_engine', 'way'),
  is_phishing_heuristic: ofSite('is_heuristic_pattern'),
  is_password_field: check(
    'The page has a password field',
    'Every log-in has one',
    ({ landing }) => landing && landing.page.forms.some(({ hasPassword }) => hasPassword),
  ),
  is_credit_card_field: check(
    'The page has a field for the number or the check digits of a payment card',
    '`autocomplete=cc-number`, `name=cvv`',
    ({ landing }) => landing && landing.page.forms.some(({ hasCard }) => hasCard),
  ),
  is_valid_https: check(
    'The last answer came over https with a valid certificate',
    'Trusted, current and for the name',
    ({ secure }) => secure,
  ),
  is_defaced_heuristic: ofSite('is_defaced_heuristic'),
  is_suspended_site: ofSite('is_suspended_site'),
  is_sinkholed_domain: ofSite('is_sinkholed_domain'),
  is_parked_site: ofSite('is_parked_site'),
  is_directory_listing: ofSite('is_directory_listing'),
  is_empty_page_content: ofSite('is_empty_page_content'),
  is_empty_page_title: ofSite('is_empty_page_title'),
  is_robots_noindex: ofSite('is_robots_noindex'),
  is_masked_file: check(
    'A program is served as a file that does not run',
    'By the extension or the media type. An ELF named `invoice.pdf`; not `setup.exe` as `application/octet-stream`',
    onFile((file) => maskOf(file) !== ''),
  ),
  is_masked_windows_exe_file: check(
    'The masked file is a program of Windows',
    'It begins with `MZ` and has a header of a program',
    onFile((file) => file.signature === 'exe' && maskOf(file) !== ''),
  ),
  is_windows_exe_file: check(
    'The file is a program of Windows',
    'Named so or not',
    onFile(({ signature }) => signature === 'exe'),
  ),
  is_linux_elf_file: check(
    'The file is a program of Linux (ELF)',
    'Named so or not',
    onFile(({ signature }) => signature === 'elf'),
  ),
  is_android_apk_file: check(
    'The file is a package of Android',
    'A ZIP archive with AndroidManifest.xml',
    onFile(({ signature }) => signature === 'apk'),
  ),
  is_program_file: check('The file runs where it is opened', 'Windows, Linux, macOS or Android', onFile(isProgram)),
} satisfies Record<string, UrlCheck>;

export type UrlCheckName = keyof typeof URL_CHECKS;

/** Makes every check. A check that the evidence does not reach is false, and named in `notChecked`. */
export function judgeUrl(facts: UrlFacts) {
  const names = Object.keys(URL_CHECKS) as UrlCheckName[];
  const judged = names.map((name) => [name, URL_CHECKS[name].judge(facts)] as const);
  return {
    checks: Object.fromEntries(judged.map(([name, holds]) => [name, holds ?? false])) as Record<UrlCheckName, boolean>,
    notChecked: judged.flatMap(([name, holds]) => (holds === undefined ? [name] : [])),
  };
}
