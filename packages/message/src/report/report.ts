import { type Static, Type } from 'typebox';
import { count, field, flag, schemasOf, text, texts } from '@vedette/contract';

/** Names of hosts and what they stand under, each once, in the order met. */
const DomainLists = (of: string) => ({
  domains: texts(`Host names of ${of}, in lower-case A-labels`),
  root_domains: texts(`Registrable domains of ${of}`),
  tlds: texts(`Public suffixes of ${of}`),
});

/** One DKIM-Signature field (RFC 6376 §3.5). */
const DkimSignature = Type.Object({
  signature: text('Signature (`b=`), without white space'),
  selector: text('Selector of the key (`s=`)'),
  domain: text('Signing domain (`d=`), in lower-case A-labels'),
  algo: text('Algorithm of the signature (`a=`), such as rsa-sha256'),
  key_type: text('Type of the key in the DNS now: rsa or ed25519; empty if there is no key'),
  canon: text('Canonicalization (`c=`); simple/simple if the signature names none'),
  hash: text('Hash of the body when it was signed (`bh=`)'),
  key_bits: count('Length of the key in bits; 0 if there is no key'),
  dnssec: flag('DNSSEC validated the DNS answer with the key'),
  dns_error: text('Reason why the DNS lookup of the key failed; empty if it succeeded'),
});

const fileFields = {
  name: text('File name in the message or archive, without invisible characters; at most 255 characters'),
  extension: text('Extension of the name, in lower case without the dot; that of its content if the name has none'),
  md5_hash: text('MD5 of the content, in lower-case hex; empty if the file could not be read'),
  sha256_hash: text('SHA-256 of the content, in lower-case hex; empty if the file could not be read'),
  size: count('Size of the decoded file in bytes; the size in the archive if the file could not be read'),
  is_risky_extension: flag('Opening the file can run or install something, by its extension or its content'),
  is_document: flag('The file is an office document, a PDF or the like'),
  is_archive: flag('The file contains other files'),
  is_archive_encrypted: flag('The file cannot be read without a password: a document, or an archive with an encrypted entry'),
};

const ExtractedFile = Type.Object({
  ...fileFields,
  depth: Type.Integer({
    minimum: 1,
    description:
      'Number of files around it: 1 directly in the attached file. Above 1, it is in the nearest file before it whose depth is one less',
  }),
  last_modified_at: text('Time in the archive, YYYY-MM-DDTHH:MM:SSZ; most archives name no zone. Empty if the archive names no time'),
});

const BODY = {
  body_text: field(
    text('Text of the message: the plain text if there is one, else the text of the HTML'),
    'Without text that the HTML hides. In `multipart/alternative` one of the forms; in other multiparts one after another. Read up to 1 MB',
  ),
  html_text: field(
    text('Text of the HTML that stands beside the plain text; empty if the message has only one of them'),
    'Mail programs show one of the two. So urgency and sums of money are judged in either, and the worse counts',
  ),
};

const IS_INLINE = {
  is_inline: field(
    flag('The file is meant to be shown within the message, not beside it'),
    'The message says so; or says nothing, and the file is in the `multipart/related` of the HTML, or the HTML refers to it',
  ),
};

const AttachedFile = Type.Object({
  ...fileFields,
  content_type: text('Media type in the message, without parameters, in lower case'),
  content_id: text('Content-ID without its angle brackets'),
  disposition: text('Content-Disposition, attachment or inline; empty if the message has none'),
  ...schemasOf(IS_INLINE),
  cid_referenced: flag('The HTML refers to the file by `cid:` or by its Content-Location'),
  extracted_files: Type.Array(ExtractedFile, { description: 'Files inside an archive, a winmail.dat or an attached message' }),
});

/** Results of methods in the words of RFC 8601 and its registry. */
const Status = (method: string, words: string) => text(`${method} by the receiving server: ${words}; empty if it does not say`);

/** Indicators by kind. */
const URLS = {
  urls: field(
    texts('http, https and ftp URLs of the message, and `file:` URLs that lead to other hosts'),
    'From text, links, pictures, forms, frames, refreshes, styles, scripts, conditional comments, calendars, attached messages and QR codes (PNG, JPEG, GIF, BMP, WebP; drawn with characters or table cells too), as browsers write them. Without a scheme: `www.…`, and a name under a known top-level domain that a path follows. Not the names of XML vocabularies and document types',
  ),
  redirects: field(
    texts('Targets of the URLs that wrap another URL or name one to go on to, each level'),
    'What a gateway or tracker wrapped; http URLs on another host in a parameter for going on (`url`, `next`, `redirect_uri` …), in the path, or in base64. Links for sharing lead nowhere else',
  ),
  direct_downloads: field(
    texts('URLs and redirects that lead to a file which browsers save'),
    'The path ends as programs, archives, office documents and disk images do, or Dropbox, Google Drive, OneDrive or Discord are asked to save. Not pages, pictures and PDF',
  ),
  with_ip_host: field(texts('URLs and redirects whose host is an IP address'), 'In whatever spelling'),
};
const EMAILS = {
  emails: field(
    texts('E-mail addresses in header fields and text, in lower case'),
    'Under a known top-level domain. Not Message-IDs or file names',
  ),
};
const OTHER_INDICATORS = {
  lookalike_domains: field(
    texts("Hosts of From, Reply-To and the URLs whose names imitate a brand's, in lower-case A-labels"),
    'Of the first hundred hosts. [Below](#impersonations)',
  ),
  bitcoin_addresses: field(texts('Bitcoin addresses with a valid checksum'), 'base58check, bech32 and bech32m of the main network'),
  phone_numbers: field(
    texts('Telephone numbers in E.164 if the country is known, else digits as written'),
    'With a plus and the code of a country; as North America writes them (`(888) 555-0123`), where the exchange exists; others after a word such as "call", "Telefon" or "電話"; those in links of WhatsApp',
  ),
};

const HOPS = {
  hops: field(
    Type.Array(
      Type.Object({
        helo: text('Name that the client gave in its greeting'),
        hostname: text("Name of the client's address, as the server found it"),
        ip_address: text("Client's address"),
        by: text('Server that took the message'),
        protocol: text('Protocol of the hop, such as esmtps'),
        tls: text('TLS version of the hop, such as TLS1.3; `tls` if no version is named, `none` without TLS, empty if it is not known'),
        date_time_normalized: text('Time of the hop, YYYY-MM-DDTHH:MM:SS±HH:MM in the zone of the server; empty if it names none'),
        delay_s: Type.Integer({
          description: 'Seconds since the hop before; negative where the clocks of the servers disagree, 0 where a time is not known',
        }),
        is_of_recipient: flag('The recipient wrote the hop; the sender may have written the others'),
      }),
      { description: 'Servers on the way of the message by its Received fields, the oldest first: at most 100, the newest ones' },
    ),
    'A hop without a date or zone has no delay, nor has the one after it',
  ),
};

/** A part of a message that speaks in the name of a brand. */
const Impersonation = Type.Object({
  brand: text('Brand, such as PayPal; for a user name, the site that it reads like where that is not a brand'),
  found_in: Type.Enum(['from_name', 'subject', 'link_text', 'url_user_name', 'host'], {
    description: 'Part of the message that names the brand',
  }),
  text: text('Text that names the brand, at most 200 characters'),
  host: text('Host of the From address, or of the link or URL; empty if the From address has none'),
});
export type Impersonation = Static<typeof Impersonation>;

const IMPERSONATIONS = {
  impersonations: field(
    Type.Array(Impersonation, { description: 'Parts of the message that speak in the name of a brand that it is not from, at most 100' }),
    '`found_in` has its rules in the rows below',
  ),
};

const FLAGS = {
  is_mime_html_only: field(flag('The message has HTML and no plain text'), 'An empty plain text counts as none'),
  has_undisclosed_recipients: field(
    flag('The message names no recipient'),
    'To has a group without members (`undisclosed-recipients:;`), or To, Cc and Bcc have no address',
  ),
  is_detected_by_server_antispam: field(
    flag("The receiving server's filter calls the message spam, phishing or malware"),
    'SpamAssassin, rspamd, Exchange and Microsoft 365 (SCL of 5 or more, SFV, CAT, the junk folder), Proofpoint, Barracuda, Google, Amazon SES and others; never by a field that the sender may have written',
  ),
  from_name_has_other_email: field(
    flag('The display name of From shows an address under another registrable domain than the From address'),
    'Many programs show nothing but the display name',
  ),
  from_is_malformed: field(
    flag('The From field violates RFC 5322, so mail programs may show different senders'),
    'No address, one in a comment alone, a name without an address beside an address, an empty `<>`, a comma in the domain, a domain that no host can have. A comma in a name without quotes is common, and does not count',
  ),
  has_several_from: field(
    flag('From fields have several addresses, listed in `headers.from_all`'),
    'The standard allows it (§3.6.2), and programs show one of them',
  ),
  sender_is_recipient: field(flag('The From address is also in To, Cc or Bcc'), 'In upper or lower case'),
  sender_and_reply_to_different_domain: field(
    flag('A Reply-To address is under another registrable domain than From'),
    'The domains of one provider count as one',
  ),
  sender_and_reply_to_different_email: field(flag('A Reply-To address is not the From address'), 'Common for newsletters'),
  sender_and_message_id_mismatch: field(
    flag('The Message-ID was made under a domain that belongs neither to From nor to a server or signer of the message'),
    'Registrable domains are compared: with From, DKIM signatures, Return-Path and the servers that had the message; only with From where DMARC failed. Providers with several domains count as one; of a mailing list all addresses count. A Message-ID without a public domain (`<1@laptop.local>`), or of a program that makes all of them alike (`<2@email.android.com>`), is not compared',
  ),
  sender_rdns_empty: field(
    flag('The sending address has no name in the reverse DNS'),
    'By the receiving server, else by the DNS now. False if neither says',
  ),
  reply_to_free_email: field(
    flag('Reply-To is a free mailbox other than the From address'),
    'At the providers that [email-verify](email-verify.md) calls free, and those of mailboxes for minutes',
  ),
  has_unsubscribe_link: field(
    flag('The message has a link to unsubscribe'),
    'List-Unsubscribe has a URL, or a link of the body is called so or leads to such a page, in seven languages. Managing preferences is not unsubscribing',
  ),
  high_value_money_found: field(
    flag('Subject or body name a sum of money of 10,000 or more, or its like in a currency of small units'),
    'With its currency: `€ 12.500,00`, `USD 15k`, `1.5 million dollars`, `10 lakh rupees`. In small units, in round figures: 100,000 of a krona or rand, 1,000,000 yen or rupees, 10,000,000 won or forint; 0.1 BTC',
  ),
  alternatives_differ: field(
    flag('The plain text says something else than the HTML beside it'),
    "It has less than 30 % of the HTML's words, less than half of its own words are in the HTML, and it names no web page. An HTML of fewer than ten words is not compared",
  ),
  has_urls_with_ip_host: field(flag('A URL of the message has an IP address as its host'), '`ioc.urls.with_ip_host` is not empty'),
  is_body_text_empty: field(flag('`body.body_text` is empty'), 'There is only a picture, a file, or nothing'),
  sent_outside_business_hours: field(
    flag('The Date field is outside Monday to Friday, 08:00 to 18:00, in its own zone'),
    'From 08:00 to before 18:00 is inside. Without a zone, or with `-0000`, the local time is not known (RFC 5322 §3.3), and the flag is false',
  ),
  sent_on_night_hours: field(
    flag('The Date field is between 22:00 and 06:00 in its own zone'),
    'Before 06:00. Likewise false if the local time is not known',
  ),
  has_risky_file_extensions: field(
    flag('Opening an attached file, or a file inside one, can run or install something'),
    'By its extension (`packages/message/src/files/extensions.ts` has them with their sources), or by its content: a program called `.pdf`, a document with macros, a page or drawing with a script, a form or a jump to elsewhere. A page that cannot be read counts by its name',
  ),
  has_document_files: field(flag('An attached file, or a file inside one, is an office document or a PDF')),
  has_archive_files: field(flag('An attached file, or a file inside one, contains other files')),
  has_encrypted_archive_files: field(
    flag('An attached file, or a file inside one, cannot be read without a password'),
    'A PDF that may not be printed, or a workbook whose structure is protected, opens for everybody and does not count',
  ),
};

/** The rows of docs/eml-insights.md. */
export const EML_FIELDS = { ...BODY, ...IS_INLINE, ...URLS, ...EMAILS, ...OTHER_INDICATORS, ...IMPERSONATIONS, ...HOPS, ...FLAGS };

/** The whole answer of eml-insights but for its `elapsed_ms`. */
export const EmlReport = Type.Object({
  metadata: Type.Object(
    {
      message_id: text('Message-ID without its angle brackets'),
      message_sha256_hash: text('SHA-256 of the message as sent in the request, in lower-case hex'),
      date_time: text('The Date field as written'),
      date_time_normalized: text('The Date field as YYYY-MM-DDTHH:MM:SS±HH:MM in its own zone; empty if it is not a date'),
    },
    { description: 'Identity and date of the message' },
  ),
  headers: Type.Object(
    {
      subject: text('Subject, decoded (RFC 2047); of a field that stands twice, the first counts'),
      from_name: text('Display name of the first From address'),
      from_email: text('The first From address, or one in a comment if there is no other; an address in quotes is a name'),
      from_all: texts('Addresses of all From fields, each once; mail programs differ in which one they show'),
      return_path: text('Bounce address that the receiving server noted; empty for a bounce'),
      reply_to: text('The first Reply-To address'),
      delivered_to: text('Address of the mailbox that the message was delivered to'),
      content_type: text('Content-Type as written'),
      user_agent: text('User-Agent field'),
      x_mailer: text('X-Mailer field'),
      x_library: text('X-Library field'),
      received_spf: text('The topmost Received-SPF field (RFC 7208 §9.1)'),
      authentication_results: text(
        'Authentication-Results (RFC 8601) of the trusted receiving server, one per line; the topmost if no server is trusted',
      ),
      to: texts('Addresses of To, including those in groups'),
      cc: texts('Addresses of Cc, including those in groups'),
      bcc: texts('Addresses of Bcc, a field that receivers rarely see'),
      list_unsubscribe: texts('URLs of List-Unsubscribe (RFC 2369), including `mailto:`'),
      dkim_signatures: Type.Array(DkimSignature, { description: 'DKIM signatures, in the order of the fields' }),
    },
    { description: 'Header fields of the message' },
  ),
  body: Type.Object(schemasOf(BODY), { description: 'Text of the message' }),
  attachments: Type.Object(
    {
      files: Type.Array(AttachedFile, { description: 'Attached files, in the order of the message' }),
      file_extensions: texts('Extensions of all attached files and the files inside them, each once'),
      md5_hashes: texts('MD5 hashes of all attached files and the files inside them, each once'),
    },
    { description: 'Files of the message' },
  ),
  ioc: Type.Object(
    {
      urls: Type.Object({ ...schemasOf(URLS), ...DomainLists('the URLs and redirects') }, { description: 'URLs, and their hosts' }),
      emails: Type.Object({ ...schemasOf(EMAILS), ...DomainLists('the addresses') }, { description: 'E-mail addresses, and their hosts' }),
      received_from: Type.Object(DomainLists('the sending servers in Received fields'), {
        description: 'Servers on the way of the message',
      }),
      dkim_domains: Type.Object(DomainLists('the DKIM signatures (`d=`)'), { description: 'Domains that signed the message' }),
      ...schemasOf(OTHER_INDICATORS),
    },
    { description: 'Indicators of compromise: what to look for elsewhere' },
  ),
  sender_details: Type.Object(
    {
      email: text('The From address'),
      domain: text('Host of the From address'),
      root_domain: text('Registrable domain of the From address'),
      tld: text('Public suffix of the From address'),
      ip_address: text("Address that delivered the message to the recipient's server; empty if no hop shows it"),
      hostname: text("Name of that address, as the recipient's server noted it, else as the DNS has it now"),
      hostname_root_domain: text('Registrable domain of `hostname`'),
      hostname_tld: text('Public suffix of `hostname`'),
      helo: text('Name that the delivering server gave in its greeting'),
      helo_root_domain: text('Registrable domain of `helo`'),
      helo_tld: text('Public suffix of `helo`'),
    },
    { description: 'The claimed sender, and the server that delivered the message' },
  ),
  security_details: Type.Object(
    {
      spf_status: Status('SPF result', 'pass, fail, softfail, neutral, none, temperror, permerror, policy'),
      dkim_status: Status('DKIM result', 'pass, fail, neutral, none, policy, temperror, permerror; pass if one of several passed'),
      dmarc_status: Status('DMARC result', 'pass, fail, none, bestguesspass, temperror, permerror'),
      compauth_status: Status("Result of Microsoft's composite authentication", 'pass, softpass, fail, none'),
      dara_status: Status("Result of Google's dara, which tells whether a signature names the recipient", 'pass, fail, neutral, none'),
      tls_status: text(
        "TLS version of the delivery to the recipient's server, such as TLS1.3; `tls` if no version is named, `none` without TLS, empty if it is not known",
      ),
      dmarc_policy: text('DMARC policy (`p=`) that the receiving server noted: none, quarantine, reject'),
      dmarc_subdomain_policy: text('DMARC policy for subdomains (`sp=`) that the receiving server noted'),
      dmarc_disposition: text('Action of the receiving server because of DMARC: none, quarantine, reject'),
      sent_at_time: text('Time of the Date field in its own zone, HH:MM'),
      urgency: Type.Enum(['low', 'medium', 'high'], {
        description: 'Pressure that words and fields of the message put on the reader; docs/eml-insights.md has the rules',
      }),
      total_to_emails: count('Number of addresses in To'),
      total_cc_emails: count('Number of addresses in Cc'),
      total_bcc_emails: count('Number of addresses in Bcc'),
      total_attachments: count('Number of `attachments.files`'),
      ...schemasOf(FLAGS),
    },
    { description: 'Results of the receiving server, and conspicuous features of the message' },
  ),
  ...schemasOf(IMPERSONATIONS),
  ...schemasOf(HOPS),
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
    { description: 'Limits that the message exceeds, so that the report lacks the rest; docs/eml-insights.md has the numbers' },
  ),
});
export type EmlReport = Static<typeof EmlReport>;
