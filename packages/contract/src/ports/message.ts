import { type Static, Type } from 'typebox';

const Text = (description: string) => Type.String({ description });
const Yes = (description: string) => Type.Boolean({ description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Texts = (description: string) => Type.Array(Type.String(), { description });

/** Names of hosts and what they stand under, each once, in the order met. */
const DomainLists = (whose: string) => ({
  domains: Texts(`${whose}: host names, in lower-case A-labels`),
  root_domains: Texts('Their registrable domains'),
  tlds: Texts('Their public suffixes'),
});

/** One DKIM-Signature field (RFC 6376 §3.5). */
const DkimSignature = Type.Object({
  signature: Text('`b=`, without its white space'),
  selector: Text('`s=`'),
  domain: Text('`d=`, in lower-case A-labels'),
  algo: Text('`a=`, such as rsa-sha256'),
  key_type: Text('Of the key as the DNS has it now: rsa or ed25519; empty where it has none'),
  canon: Text('`c=`; simple/simple where it is not said'),
  hash: Text('`bh=`, the hash of the body as it was signed'),
  key_bits: Count('Length of that key in bits; 0 where there is none'),
  dnssec: Yes('The answer that had the key was validated by DNSSEC'),
  dns_error: Text('Why nobody knows whether it has a key; empty where the DNS answered'),
});

const fileFields = {
  name: Text('As the message or the archive calls it, without characters that are not seen; at most 255 characters'),
  extension: Text('Of the name, in lower case without the dot; of its content where the name has none'),
  md5_hash: Text('Of its content, in lower-case hex; empty where it could not be read'),
  sha256_hash: Text('Of its content, in lower-case hex; empty where it could not be read'),
  size: Count('Bytes, decoded; what the archive says where it could not be read'),
  is_risky_extension: Yes('Its extension, or what its content really is, can run or install something where it is opened'),
  is_document: Yes('An office document, a PDF, or the like'),
  is_archive: Yes('A file with files in it'),
  is_archive_encrypted: Yes('It cannot be read without a password: an archive of which any entry is encrypted, or a document'),
};

const ExtractedFile = Type.Object({
  ...fileFields,
  last_modified_at: Text('YYYY-MM-DDTHH:MM:SSZ as the archive says, whose zone most do not tell; empty where it says nothing'),
});

const AttachedFile = Type.Object({
  ...fileFields,
  content_type: Text('As the message says, without parameters, in lower case'),
  content_id: Text('Without its angle brackets'),
  disposition: Text('attachment or inline; empty where the message does not say'),
  is_inline: Yes('Meant to be shown within the message, not beside it'),
  cid_referenced: Yes('The HTML refers to it by `cid:` or by its Content-Location'),
  extracted_files: Type.Array(ExtractedFile, { description: 'What is in it, of an archive, of winmail.dat, of an attached message' }),
});

/** What RFC 8601 and its registry let methods say; empty where nobody whom we believe said anything. */
const Status = (method: string, words: string) =>
  Text(`${method}, as the receiving server found it: ${words}; empty where it does not say`);

/** The whole answer of eml-insights but for its `elapsed_ms`. */
export const EmlReport = Type.Object({
  metadata: Type.Object(
    {
      message_id: Text('Without its angle brackets'),
      message_sha256_hash: Text('SHA-256 of the file as it was sent, in lower-case hex'),
      date_time: Text('The Date field as it stands'),
      date_time_normalized: Text('The same as YYYY-MM-DDTHH:MM:SS±HH:MM in its own zone; empty where it is no date'),
    },
    { description: 'What the message says of itself' },
  ),
  headers: Type.Object(
    {
      subject: Text('Decoded (RFC 2047), as is every text here; of a field that is there twice, the first'),
      from_name: Text('Display name of that address'),
      from_email: Text(
        'The first From address; where there is only one in a comment, that. A quoted string is a name, whatever it looks like',
      ),
      from_all: Texts('Addresses of all From fields, each once: programs differ in which of several they show'),
      return_path: Text('The address that the receiving server wrote down for bounces; empty for a bounce'),
      reply_to: Text('The first Reply-To address'),
      delivered_to: Text('Address of the mailbox'),
      content_type: Text('As it stands'),
      user_agent: Text('User-Agent'),
      x_mailer: Text('X-Mailer'),
      x_library: Text('X-Library'),
      received_spf: Text('Received-SPF (RFC 7208 §9.1), the topmost'),
      authentication_results: Text(
        'Authentication-Results (RFC 8601) of the server that is believed, a line for each; the topmost where none is',
      ),
      to: Texts('Addresses, those in groups included'),
      cc: Texts('Addresses'),
      bcc: Texts('Addresses; receivers mostly never see this field'),
      list_unsubscribe: Texts('URLs of List-Unsubscribe (RFC 2369), `mailto:` included'),
      dkim_signatures: Type.Array(DkimSignature, { description: 'In the order of the fields' }),
    },
    { description: 'Its fields' },
  ),
  body: Type.Object(
    {
      body_text: Text('The text of the message: its plain text where it has one, else what its HTML says'),
      html_text: Text('What the HTML beside that plain text says, which most programs show; empty where there is only one of them'),
    },
    { description: 'What it says' },
  ),
  attachments: Type.Object(
    {
      files: Type.Array(AttachedFile, { description: 'In the order of the message' }),
      file_extensions: Texts('Of all of them and what is in them, each once'),
      md5_hashes: Texts('Of all of them and what is in them, each once'),
    },
    { description: 'What it carries' },
  ),
  ioc: Type.Object(
    {
      urls: Type.Object(
        {
          urls: Texts(
            'Every http, https and ftp URL of text, HTML, calendar, QR code and attached message, and files of other hosts (`file://host/share`); defanged ones as they were meant',
          ),
          redirects: Texts('Where those lead that a mail gateway or a tracker wrapped, or that name another URL to go on to: each step'),
          direct_downloads: Texts(
            'Those of both whose path ends as a file does that is saved, and not shown, or whose service says that it saves one',
          ),
          with_ip_host: Texts('Those of both whose host is an address, in whatever spelling'),
          ...DomainLists('Of the URLs, and where they lead'),
        },
        { description: 'URLs, and their hosts' },
      ),
      emails: Type.Object(
        { emails: Texts('Addresses of header fields and text, in lower case'), ...DomainLists('Of the addresses') },
        { description: 'Addresses, and their hosts' },
      ),
      received_from: Type.Object(DomainLists('Hosts that the Received fields name as senders'), { description: 'Hosts on its way' }),
      dkim_domains: Type.Object(DomainLists('`d=` of the DKIM signatures'), { description: 'Who signed it' }),
      lookalike_domains: Texts(
        "Hosts of From, Reply-To and the URLs whose name is written to be taken for a brand's, in lower-case A-labels; of the first hundred",
      ),
      bitcoin_addresses: Texts('Addresses with a checksum that holds'),
      phone_numbers: Texts('In E.164 where the country is known, else digits as written'),
    },
    { description: 'Indicators of compromise: what to look for elsewhere' },
  ),
  sender_details: Type.Object(
    {
      email: Text('The From address'),
      domain: Text('Its host'),
      root_domain: Text('Its registrable domain'),
      tld: Text('Its public suffix'),
      ip_address: Text('That handed the message to the server of the receiver; empty where no hop of it is seen'),
      hostname: Text('Of that address: as that server noted, else as the DNS says now'),
      hostname_root_domain: Text('Its registrable domain'),
      hostname_tld: Text('Its public suffix'),
      helo: Text('What it called itself'),
      helo_root_domain: Text('Its registrable domain'),
      helo_tld: Text('Its public suffix'),
    },
    { description: 'Who it says that it is from, and who handed it over' },
  ),
  security_details: Type.Object(
    {
      spf_status: Status('SPF', 'pass, fail, softfail, neutral, none, temperror, permerror, policy'),
      dkim_status: Status('DKIM', 'pass, fail, neutral, none, policy, temperror, permerror; pass where one of several passed'),
      dmarc_status: Status('DMARC', 'pass, fail, none, bestguesspass, temperror, permerror'),
      compauth_status: Status('Composite authentication of Microsoft', 'pass, softpass, fail, none'),
      dara_status: Status('dara of Google, whether a signature names who receives it', 'pass, fail, neutral, none'),
      tls_status: Text(
        'How the message came to the server of the receiver: its version of TLS such as TLS1.3; tls where only that is said, none, or empty',
      ),
      dmarc_policy: Text('`p=` as the receiving server noted it: none, quarantine, reject'),
      dmarc_subdomain_policy: Text('`sp=` as the receiving server noted it'),
      dmarc_disposition: Text('What the receiving server did for it: none, quarantine, reject'),
      sent_at_time: Text('HH:MM of the Date field, in its own zone'),
      urgency: Type.Enum(['low', 'medium', 'high'], { description: 'How much its words and its fields press (docs/eml-insights.md)' }),
      total_to_emails: Count('Addresses in To'),
      total_cc_emails: Count('Addresses in Cc'),
      total_bcc_emails: Count('Addresses in Bcc'),
      total_attachments: Count('`attachments.files`'),
      is_mime_html_only: Yes('It has HTML and no plain text'),
      has_undisclosed_recipients: Yes('To is a group without members, or no field names a recipient'),
      is_detected_by_server_antispam: Yes('The receiving server says that it is spam, phishing or malware'),
      from_name_has_other_email: Yes('The display name of From shows an address under another registrable domain than that of From'),
      from_is_malformed: Yes('From is not written by RFC 5322, so that programs differ in which sender they show'),
      has_several_from: Yes('From fields have several addresses: `headers.from_all`'),
      sender_is_recipient: Yes('The From address is among To, Cc and Bcc'),
      sender_and_reply_to_different_domain: Yes('From and Reply-To are under different registrable domains'),
      sender_and_reply_to_different_email: Yes('From and Reply-To are different addresses'),
      sender_and_message_id_mismatch: Yes(
        'The Message-ID was made under a domain that is neither of From nor of who signed or sent for it',
      ),
      sender_rdns_empty: Yes('The sending address has no name; false where the DNS did not say'),
      reply_to_free_email: Yes('Reply-To is a mailbox that anybody can have for nothing, and From is another address'),
      has_unsubscribe_link: Yes('List-Unsubscribe, or a link of the body that says so'),
      high_value_money_found: Yes(
        'It names a sum of 10,000 or more, or what that comes to in a currency of small units (docs/eml-insights.md)',
      ),
      alternatives_differ: Yes('The plain text says something else than the HTML beside it (docs/eml-insights.md)'),
      has_urls_with_ip_host: Yes('`ioc.urls.with_ip_host` is not empty'),
      is_body_text_empty: Yes('`body.body_text` is empty'),
      sent_outside_business_hours: Yes('Outside Monday to Friday, 08:00 to 18:00, in the zone of its Date field'),
      sent_on_night_hours: Yes('22:00 to 06:00 in the zone of its Date field'),
      has_risky_file_extensions: Yes('Any file, or one in it, is_risky_extension'),
      has_document_files: Yes('Any file, or one in it, is_document'),
      has_archive_files: Yes('Any file, or one in it, is_archive'),
      has_encrypted_archive_files: Yes('Any file, or one in it, is_archive_encrypted'),
    },
    { description: 'What the receiving server found, and what stands out' },
  ),
  limits_reached: Type.Array(
    Type.Enum([
      'header_fields',
      'addresses',
      'parts',
      'depth',
      'text',
      'indicators',
      'files',
      'archive_entries',
      'archive_bytes',
      'archive_time',
      'images',
      'lookalikes',
    ]),
    { description: 'What the message has more of than is read: the report lacks the rest (docs/eml-insights.md has the numbers)' },
  ),
});
export type EmlReport = Static<typeof EmlReport>;
export type EmlLimit = EmlReport['limits_reached'][number];

/** What reading a message gives. */
export const MessageReading = Type.Object({
  /** Its report, with everything that the DNS and lists of names would say still empty. */
  report: EmlReport,
  /** What the receiving server noted of the sending address's name. */
  sender_rdns: Type.Enum(['named', 'none', 'unsaid']),
  /** Addresses of Reply-To that are not From. */
  replies_to: Type.Array(Type.String()),
});
export type MessageReading = Static<typeof MessageReading>;

/** Reads what strangers wrote, in processes that have no file, no network and not much memory. */
export interface Parsers {
  /**
   * Reads a message (RFC 5322, MIME) of at most 5 MB. Rejects with `ApiError` invalid_parameter where it takes more time or memory than one may, overloaded
   * where no process is free in time, or with the signal's reason.
   */
  message(eml: Uint8Array, options: { signal: AbortSignal }): Promise<MessageReading>;
}
