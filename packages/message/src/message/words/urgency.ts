import type { EmlReport } from '../../report/index.ts';
import { LOUD_IN_SUBJECT, PRESSING, type PressingKind } from './urgency-phrases.ts';
import { wordsOf } from './words.ts';

type Urgency = EmlReport['security_details']['urgency'];

const KINDS = Object.keys(PRESSING) as PressingKind[];

const AT_STAKE: readonly PressingKind[] = ['consequence', 'payment', 'secrecy'];

/** The parts of a message that may press its reader. */
export interface Pressing {
  subject: string;
  /** The text of each of its forms. Programs show one; the most urgent form counts. */
  texts: readonly string[];
  /** `isMarkedUrgent`: its sender has marked it as urgent. */
  marked: boolean;
}

/**
 * How much a message presses: a point for each kind of pressing words in subject or text (to act now, a deadline, a loss, a payment,
 * secrecy), one for its mark, and one more where the subject itself calls or threatens. Two are medium, three are high if a loss is at
 * stake: a request to confirm an address within a day does not threaten. A password reset that expires in an hour has one.
 */
export function urgencyOf({ texts, ...pressing }: Pressing): Urgency {
  const found = new Set(texts.map((text) => urgencyOfForm(text, pressing)));
  return URGENCIES.find((urgency) => found.has(urgency)) ?? 'low';
}

const URGENCIES: readonly Urgency[] = ['high', 'medium', 'low'];

function urgencyOfForm(text: string, { subject, marked }: Omit<Pressing, 'texts'>): Urgency {
  const inSubject = wordsOf(subject);
  const inText = wordsOf(text);
  const loud = LOUD_IN_SUBJECT.some((kind) => PRESSING[kind].in(inSubject));
  const kinds = KINDS.filter((kind) => PRESSING[kind].in(inSubject) || PRESSING[kind].in(inText));
  const points = kinds.length + Number(marked) + Number(loud);
  if (points >= 3 && kinds.some((kind) => AT_STAKE.includes(kind))) return 'high';
  return points >= 2 ? 'medium' : 'low';
}

/** Whether Importance (RFC 4021 §2.1.47), Priority (RFC 4021 §2.1.54), X-Priority or X-MSMail-Priority say that it is urgent. Takes their values. */
export const isMarkedUrgent = (fields: { importance: string; priority: string; xPriority: string; xMsMailPriority: string }): boolean =>
  /^\s*high\b/i.test(fields.importance) ||
  /^\s*urgent\b/i.test(fields.priority) ||
  /^\s*(?:[12]\b|highest|high\b|urgent)/i.test(fields.xPriority) ||
  /^\s*high\b/i.test(fields.xMsMailPriority);
