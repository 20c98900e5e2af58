import { describe, expect, it } from 'vitest';
import { emlInsights } from '../../../packages/operations/src/eml-insights/index.ts';

/** What the API contract lists, written by hand: our own schema is what is judged. */
const STRINGS = 'string';
const LISTS = 'strings';
const COUNTS = 'integer';
const FLAGS = 'boolean';

const CONTRACT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  metadata: { [STRINGS]: 'message_id message_sha256_hash date_time date_time_normalized' },
  headers: {
    [STRINGS]:
      'subject from_name from_email return_path reply_to delivered_to content_type user_agent x_mailer x_library received_spf authentication_results',
    [LISTS]: 'to cc bcc list_unsubscribe',
  },
  'headers.dkim_signatures[]': { [STRINGS]: 'signature selector domain algo key_type canon hash', [COUNTS]: 'key_bits', [FLAGS]: 'dnssec' },
  body: { [STRINGS]: 'body_text' },
  attachments: { [LISTS]: 'file_extensions md5_hashes' },
  'attachments.files[]': {
    [STRINGS]: 'name extension content_type md5_hash content_id disposition',
    [COUNTS]: 'size',
    [FLAGS]: 'is_risky_extension is_inline cid_referenced is_document is_archive is_archive_encrypted',
  },
  'attachments.files[].extracted_files[]': {
    [STRINGS]: 'name extension md5_hash last_modified_at',
    [COUNTS]: 'size',
    [FLAGS]: 'is_risky_extension is_document is_archive is_archive_encrypted',
  },
  ioc: { [LISTS]: 'bitcoin_addresses phone_numbers' },
  'ioc.urls': { [LISTS]: 'urls redirects direct_downloads with_ip_host domains root_domains tlds' },
  'ioc.emails': { [LISTS]: 'emails domains root_domains tlds' },
  'ioc.received_from': { [LISTS]: 'domains root_domains tlds' },
  'ioc.dkim_domains': { [LISTS]: 'domains root_domains tlds' },
  sender_details: {
    [STRINGS]: 'email domain root_domain tld ip_address hostname hostname_root_domain hostname_tld helo helo_root_domain helo_tld',
  },
  security_details: {
    [STRINGS]:
      'spf_status dkim_status dmarc_status compauth_status dara_status tls_status dmarc_policy dmarc_subdomain_policy dmarc_disposition sent_at_time urgency',
    [COUNTS]: 'total_to_emails total_cc_emails total_bcc_emails total_attachments',
    [FLAGS]:
      'is_mime_html_only has_undisclosed_recipients is_detected_by_server_antispam sender_is_recipient sender_and_reply_to_different_domain sender_and_reply_to_different_email sender_and_message_id_mismatch sender_rdns_empty reply_to_free_email has_unsubscribe_link high_value_money_found has_urls_with_ip_host is_body_text_empty sent_outside_business_hours sent_on_night_hours has_risky_file_extensions has_document_files has_archive_files has_encrypted_archive_files',
  },
};

interface Schema {
  type?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** The schema at a path such as `list[].name`, whose every part the report must have. */
const at = (schema: Schema, path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((here, part) => {
    const name = part.replace('[]', '');
    const found = here?.required?.includes(name) ? here.properties?.[name] : undefined;
    return part.endsWith('[]') ? found?.items : found;
  }, schema);

const kindOf = (schema: Schema | undefined): string | undefined =>
  schema?.type === 'array' ? `${schema.items?.type}s` : (schema?.type ?? (schema?.enum && 'string'));

describe.each(Object.entries(CONTRACT))('%s', (path, kinds) => {
  it.each(Object.entries(kinds).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)))(
    'always has %s, %s',
    (name, kind) => {
      expect(kindOf(at(emlInsights.response, `${path}.${name}`))).toBe(kind);
    },
  );
});

it('costs 2 credits, may take 60 s, and takes one parameter', () => {
  const { properties, required } = emlInsights.request as Schema;
  expect([emlInsights.cost, emlInsights.deadline_ms, Object.keys(properties!), required]).toEqual([
    2,
    60_000,
    ['eml_base64'],
    ['eml_base64'],
  ]);
});
