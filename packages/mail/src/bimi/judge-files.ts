import { listing } from '../findings/index.ts';
import type { MarkEvidence } from './evidence.ts';
import { type BimiIssue, error, warning } from './issues.ts';
import type { LogoFile } from './logo/logo.ts';
import { bimiHostOf } from './record.ts';

/** The result of fetching a file: the file, or the reason for the failure. */
export type Obtained<T> = { file: T } | { error: string };

/** Judges the logo that `l=` leads to (draft-svg-tiny-ps-abrotman §2). */
export const judgeLogoFile = (logo: Obtained<LogoFile>): BimiIssue[] =>
  'error' in logo
    ? [error('INVALID_SVG_FILE', `The logo could not be fetched: ${logo.error}. Publish it where l= says`)]
    : judgeSvgFile(logo.file, 'The logo', 'Export it in this profile', 'Change it');

/** The same for a logo that `l=` leaves to the certificate. */
export const judgeCarriedLogo = (logo: LogoFile): BimiIssue[] =>
  judgeSvgFile(
    logo,
    'The logo inside the certificate',
    'Ask its issuer for one with a logo in this profile',
    'Change it with the next certificate',
  );

function judgeSvgFile({ judgement: { faults, advice } }: LogoFile, subject: string, cure: string, change: string): BimiIssue[] {
  if (faults.length > 0) return [error('INVALID_SVG_FILE', `${subject} is not SVG Tiny Portable/Secure: ${listing(faults)}. ${cure}`)];
  return advice.length > 0 ? [warning('INVALID_SVG_FILE', `${subject} works, but ${listing(advice)}. ${change}`)] : [];
}

/** The values that the certificate must agree with. */
export interface MarkSubject {
  selector: string;
  host: string;
  orgDomain: string;
  /** The logo of `l=`, unpacked; undefined where it could not be read. */
  svg: Uint8Array | undefined;
  revoked: boolean;
}

/** Judges the certificate that `a=` leads to (draft-fetch-validation-vmc-wchuang §4). */
export function judgeEvidenceFile(evidence: Obtained<MarkEvidence>, subject: MarkSubject): BimiIssue[] {
  if ('error' in evidence)
    return [error('INVALID_PEM_CERT_FILE', `The certificate could not be fetched: ${evidence.error}. Publish it where a= says`)];
  const { leaf, faults, advice } = evidence.file;
  const found = subject.revoked ? [...faults, 'was revoked'] : faults;
  const issues: BimiIssue[] = [];
  if (found.length > 0)
    issues.push(error('INVALID_PEM_CERT_FILE', `The certificate does not count: it ${listing(found)}. Ask its issuer for another file`));
  else if (advice.length > 0) issues.push(warning('INVALID_PEM_CERT_FILE', `The certificate may not count everywhere: ${listing(advice)}`));
  return leaf
    ? [...issues, ...judgeTrademark(evidence.file), ...judgeNames(leaf.names, subject), ...judgeMark(evidence.file, subject)]
    : issues;
}

function judgeTrademark({ trademark, isCommonMark, isGovernmentMark }: MarkEvidence): BimiIssue[] {
  if (trademark.registration !== '' || isGovernmentMark) return [];
  return isCommonMark
    ? [
        warning(
          'PEM_CERT_FILE_HAS_NO_TRADEMARK',
          'This is a Common Mark Certificate, without a registered trademark: some providers show the logo without a check mark, or not at all',
        ),
      ]
    : [
        error(
          'PEM_CERT_FILE_HAS_NO_TRADEMARK',
          'The certificate names no registered trademark. Ask its issuer for a Verified Mark Certificate',
        ),
      ];
}

/** The certificate is for the domain, its organization's, or one selector of these. */
function judgeNames(names: readonly string[], { selector, host, orgDomain }: MarkSubject): BimiIssue[] {
  const accepted = [host, orgDomain].flatMap((domain) => [domain, bimiHostOf(selector, domain)]);
  if (names.some((name) => accepted.includes(name))) return [];
  const actual = names.length > 0 ? listing(names) : 'no domain';
  return [error('PEM_CERT_DOMAIN_MISMATCH', `The certificate is for ${actual}, not for ${host}. Ask its issuer for one with this domain`)];
}

function judgeMark({ logo }: MarkEvidence, { svg }: MarkSubject): BimiIssue[] {
  if (!logo)
    return [
      error(
        'VMC_LOGOTYPE_EXTENSION_NOT_FOUND',
        'The certificate carries no logo (RFC 9399), so it proves none. Ask its issuer for another',
      ),
    ];
  if (logo === 'unreadable' || !svg || Buffer.from(logo.svg).equals(svg)) return [];
  return [
    error(
      'VMC_LOGO_MISMATCH',
      'The logo inside the certificate is not the one at l=, byte for byte. Publish the file that the issuer was given',
    ),
  ];
}
