import type { Form } from '../visit/page-facts.ts';

/** The kinds of secret that forms ask for, by the words of their fields. */
const SECRETS = [
  [
    'recovery phrase',
    /(?:seed|recovery|secret|backup|mnemonic|wallet)[\s_-]*(?:phrase|words?)|mnemonic|\b(?:12|24)[\s-]*words?\b|seedphrase|助记词/,
  ],
  ['password', /^password\b|passw|\bpsw\b|\bpwd\b|passcode|kennwort|contrase|mot[\s_-]?de[\s_-]?passe|\bsenha\b|пароль|密码|パスワード/],
  [
    'card',
    /card[\s_-]?(?:num|no\b|nbr)|cardnumber|\bcc[\s_-]?(?:num|number)\b|ccnum|\bcvv|\bcvc|\bcvn|security code \(cv|kartennummer|num[eé]ro de (?:la )?carte/,
  ],
  ['national number', /\bssn\b|social[\s_-]?security|\bitin\b/],
] as const;
export type Secret = (typeof SECRETS)[number][0];

/** The kind of secret that the form asks for; undefined without one. */
export function secretOf({ hasPassword, hasCard, fields }: Form): Secret | undefined {
  const found = SECRETS.find(([, words]) => fields.some((field) => words.test(field)));
  return found?.[0] ?? (hasPassword ? 'password' : hasCard ? 'card' : undefined);
}
