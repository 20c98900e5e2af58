import { ApiError, isDnsName } from '@vedette/contract';
import { central, Host, Defaulted } from '../kit/index.ts';
import {
  discoverBimi,
  judgeBimi,
  locationsOf,
  markRoots,
  type Obtained,
  PEM_MAX_BYTES,
  readCarriedLogo,
  readEvidence,
  readLogo,
  SVG_MAX_BYTES,
} from '@vedette/mail/bimi';
import { listing } from '@vedette/mail/findings';
import { tagValue } from '@vedette/mail/tag-list';
import { Type } from 'typebox';
import { describeEvidence, describeLogo } from './describe.ts';
import { type Download, download } from '../shared/pages/download.ts';
import { checkRevocation } from '../shared/pages/revocation.ts';
import { BimiReport } from './schema.ts';

// Two seconds for revocation lists come after these; what is left of the deadline is for the report.
const DISCOVERY_MS = 4_000;
const FILES_MS = 3_500;
const HTTPS = ['https:'] as const;

/** Validates the BIMI record of a domain, the logo and the mark certificate it leads to. Sends DNS queries, and fetches these files. */
export const bimiValidator = central({
  name: 'bimi-validator',
  subject: 'mail',
  summary: 'Validate the BIMI record, logo and mark certificate of a domain',
  cost: 5,
  deadline_ms: 10_000,
  dns: { questions: 60, ms: 9_500 },
  references: ['draft-brand-indicators-for-message-identification', 'draft-svg-tiny-ps-abrotman', 'RFC 5280', 'RFC 9399', 'RFC 9989'],
  request: Type.Object(
    {
      host: Host({ description: 'Domain name' }),
      selector: Defaulted(
        Type.String({
          minLength: 1,
          maxLength: 253,
          description: 'Selector: name of the record below _bimi',
          examples: ['default'],
        }),
        'default',
      ),
    },
    { additionalProperties: false },
  ),
  response: BimiReport,
  targets: { host: 'name' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', selector: 'default' }],
  read({ selector: requested }, { host }) {
    const selector = requested.toLowerCase();
    if (!isDnsName(selector)) throw new ApiError('invalid_parameter', 'selector must be one or more DNS labels', { param: 'selector' });
    return { domain: host.host, selector };
  },
  async run({ domain, selector }, context) {
    const now = context.today();
    using discovering = context.resolver.share({ ms: DISCOVERY_MS });
    const { publication, record, orgDomain, dmarc, errors } = await discoverBimi(selector, domain, {
      resolver: discovering,
      signal: context.signal,
    });
    const { logo, evidence, isLogoCarried, declined } = record ? locationsOf(record.list) : {};
    const [logoFile, evidenceFile] = await Promise.all([
      logo && download({ url: logo.url.href, maxBytes: SVG_MAX_BYTES, timeout_ms: FILES_MS, schemes: HTTPS }, context),
      evidence && download({ url: evidence.url.href, maxBytes: PEM_MAX_BYTES, timeout_ms: FILES_MS, schemes: HTTPS }, context),
    ]);
    const svg = logoFile && (await obtain(logoFile, readLogo));
    const mark = evidenceFile && (await obtain(evidenceFile, (body) => readEvidence(body, markRoots(context.ca), now)));
    const markFile = fileOf(mark);
    const carried = isLogoCarried && markFile ? readCarriedLogo(markFile) : undefined;
    const revocation = await checkRevocation(markFile?.chain ?? [], context);
    const issues_found = judgeBimi({
      publication,
      logo: svg,
      evidence: mark,
      carried,
      selector,
      host: domain,
      orgDomain,
      dmarc,
      revoked: revocation.state === 'revoked',
    });
    const valid = record !== undefined && issues_found.every(({ type }) => type !== 'error');
    const published = (tag: string): string => (record && tagValue(record.list, tag)) ?? '';
    return {
      selector,
      host: domain,
      bimi_host: publication.bimiHost,
      cname_target: publication.cname,
      has_bimi_record: record !== undefined,
      bimi_record: record?.text ?? '',
      bimi_records_count: publication.records.length + publication.lookalikes.length,
      version: published('v'),
      svg_logo: describeLogo(published('l'), logoFile, fileOf(svg) ?? carried),
      vmc_certificate: describeEvidence(published('a'), evidenceFile, markFile, revocation, now),
      issues_found,
      valid,
      declined: valid && declined === true,
      organizational_domain: orgDomain,
      dmarc_enforced: dmarc.state === 'enforced',
      dns_error: listing(errors),
    };
  },
});

const obtain = async <T>({ body, error }: Download, read: (body: Uint8Array) => Promise<T>): Promise<Obtained<T>> =>
  error === '' ? { file: await read(body) } : { error };

const fileOf = <T>(obtained: Obtained<T> | undefined): T | undefined => (obtained && 'file' in obtained ? obtained.file : undefined);
