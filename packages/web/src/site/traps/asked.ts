import type { Form } from '../visit/page-facts.ts';

/** The kinds of secret that forms ask for, by the words of their fields. */
const SECRETS = [
  [
    'recovery phrase',
    /(?:seed|recovery|backup|mnemonic|wallet)[\s_-]*(?:phrase|words?)|secret[\s_-]*phrase|mnemonic|\b(?:12|24)[\s-]*words?\b|seedphrase|助记词/,
  ],
  ['password', /^password\b|passw|\bpsw\b|\bpwd\b|passcode|kennwort|contrase|mot[\s_-]?de[\s_-]?passe|\bsenha\b|пароль|密码|パスワード/],
  [
    'card',
    /card[\s_-]?(?:num|no\b|nbr)|cardnumber|\bcc[\s_-]?(?:num|number)\b|ccnum|\bcvv|\bcvc|\bcvn|security code \(cv|kartennummer|num[eé]ro de (?:la )?carte/,
  ],
  // Cookies of a session at Facebook, which forms of thieves ask for by their names.
  ['session', /\bc_user\b/],
  ['national number', /\bssn\b|social[\s_-]?security|\bitin\b/],
] as const;
export type Secret = (typeof SECRETS)[number][0];

/** Fields of the first and of the last step of a log-in: the user's name, and the code that he was sent. */
const STEPS = [
  ['code', /one-time-code|\botp|(?:verification|security|confirmation|sms|auth\w{0,12})[\s_-]?(?:code|pin)|\b(?:pin|code|token)\b/],
  ['user name', /e-?mail|phone|mobile|user[\s_-]?(?:name|id)|\busr\b|log[\s_-]?in|identifier|online id/],
] as const;
/** Codes are typed into as many fields as they have figures. */
const STEP_FIELDS_MAX = 8;

/** The step of a log-in that the form is, where it asks for nothing but a user name or a code; undefined for other forms. */
export function stepOf({ fields }: Form): (typeof STEPS)[number][0] | undefined {
  return STEPS.find(([, words]) => fields.length > 0 && fields.length <= STEP_FIELDS_MAX && fields.some((field) => words.test(field)))?.[0];
}

/** The kind of secret that the form asks for; undefined without one. */
export function secretOf({ hasPassword, hasCard, fields }: Form): Secret | undefined {
  const found = SECRETS.find(([, words]) => fields.some((field) => words.test(field)));
  return found?.[0] ?? (hasPassword ? 'password' : hasCard ? 'card' : undefined);
}
