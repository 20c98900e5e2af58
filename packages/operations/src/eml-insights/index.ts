import { central } from '../kit/index.ts';
import { EmlReport } from '@vedette/message/report';
import { isFreeMailbox, parseEmail } from '@vedette/mail/email';
import { Type } from 'typebox';
import { Base64File, FILE_BODY_MAX_BYTES, readBase64 } from '../shared/pages/base64-input.ts';
import { Coverage } from '../shared/names/coverage.ts';
import { impersonationsOf } from './impersonations.ts';
import { reportOf } from './report.ts';
import { senderName } from './sender.ts';
import { KEYS_BUDGET, withKeys } from './signatures.ts';

/** Takes a message apart: who it is from, what it says, what is in it, and what of that speaks against it. Only the DNS is asked. */
export const emlInsights = central({
  name: 'eml-insights',
  subject: 'mail',
  summary: 'Take an e-mail message apart',
  description:
    'Analyses a message file: fields, text, attachments and their contents, links and other indicators, and the findings of the receiving server. Nothing that the message names is contacted. Only the DNS is queried, for the keys of the DKIM signatures and the name of the sending address. Content beyond the limits is left out, and `limits_reached` says so. docs/eml-insights.md has every rule.',
  cost: 2,
  deadline_ms: 60_000,
  body_max_bytes: FILE_BODY_MAX_BYTES,
  // The keys, and the name of the sending address: 5 s for both, but only once the message has been read, which may take a while.
  dns: { questions: KEYS_BUDGET.questions + 1, ms: 55_000, optional: () => true },
  references: ['RFC 5322', 'RFC 2045', 'RFC 2047', 'RFC 6376', 'RFC 8601'],
  request: Type.Object(
    { eml_base64: Base64File({ what: 'The message as a file (.eml, RFC 5322)', example: 'RnJvbTogYUBleGFtcGxlLm9yZw0KDQpIZWxsbw==' }) },
    { additionalProperties: false },
  ),
  response: Type.Object({ ...EmlReport.properties, coverage: Coverage }),
  examples: [{ eml_base64: 'RnJvbTogYUBleGFtcGxlLm9yZw0KDQpIZWxsbw==' }],
  read: ({ eml_base64 }) => ({ eml: readBase64('eml_base64', eml_base64) }),
  async run({ eml }, { parsers, names, mailboxes, ...ports }) {
    const facts = await parsers.message(eml, { signal: ports.signal });
    const [dkim_signatures, sender] = await Promise.all([withKeys(facts.headers.dkim_signatures, ports), senderName(facts, ports)]);
    return reportOf(facts, {
      dkim_signatures,
      sender,
      impersonations: impersonationsOf(facts, names),
      repliesToFreeMailbox: facts.replies_to.some((address) => isFreeMailbox(parseEmail(address).domain, { names, mailboxes })),
    });
  },
});
