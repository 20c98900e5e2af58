import { type Members, objectsOf, plainText } from '../report/shape.ts';

/** Something to change, ready to be copied: a header line to send, or a record to publish. */
export interface Fix {
  does: 'Send' | 'Publish';
  text: string;
  /** The gap that the reader fills in. */
  hasGap: boolean;
}

/** Our own sentences with a record, by the code of their finding. Other text in a message is never offered: strangers may have written it. */
const RECORDS: Readonly<Record<string, RegExp>> = {
  CAA_FORBIDS: /\bPublish ([\w.-]{1,254}\. CAA 0 issue(?:wild)? "[\w.-]{1,100}")$/,
  CAA_MISSING: /\bpublish ([\w.-]{1,254}\. CAA 0 issue "[\w.-]{1,100}")$/,
  DMARC_NOT_FOUND: /\bPublish "(v=DMARC1; p=none; rua=mailto:…)" as a start$/,
  BIMI_NOT_FOUND: /\bPublish "(v=BIMI1; l=https:\/\/…\/logo\.svg; a=https:\/\/…\/vmc\.pem)"$/,
};

/** Where a record of TXT goes: the member of the report with its name. */
const NAMES: Readonly<Record<string, string>> = { DMARC_NOT_FOUND: 'dmarc_host', BIMI_NOT_FOUND: 'bimi_host' };

export function fixOf(report: Members, finding: Members): Fix | undefined {
  const { code, message, send } = finding;
  if (typeof send === 'string' && send !== '') return { does: 'Send', text: send, hasGap: send.includes('…') };
  if (typeof code !== 'string' || typeof message !== 'string' || !Object.hasOwn(RECORDS, code)) return undefined;
  const record = RECORDS[code]!.exec(message)?.[1];
  if (record === undefined) return undefined;
  const host = Object.hasOwn(NAMES, code) ? plainText(report[NAMES[code]!]) : '';
  if (host !== '' && !/^[\w.-]{1,254}$/.test(host)) return undefined;
  return { does: 'Publish', text: host === '' ? record : `${host}. TXT "${record}"`, hasGap: record.includes('…') };
}

/** Tests of security-headers that were not passed, each with the line that mends it; a line that two of them name stands once. */
export function failedTests(report: Members): { name: string; message: string; recommendation: string; line: Fix }[] {
  const tests = objectsOf(report['tests']);
  const seen = new Set<string>();
  return tests.flatMap((test) => {
    const fix = test['passed'] === false ? fixOf(report, { send: test['send'] }) : undefined;
    if (fix === undefined || seen.has(fix.text)) return [];
    seen.add(fix.text);
    const { name, message, recommendation } = test;
    return [{ name: plainText(name), message: plainText(message), recommendation: plainText(recommendation), line: fix }];
  });
}
