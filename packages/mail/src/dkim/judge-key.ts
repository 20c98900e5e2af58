import { isMisnamed, quoted, strayCharacter, type TagList, tagValue } from '../tag-list/index.ts';
import { type DkimIssue, error, information, warning } from './issues.ts';
import { type DkimPublicKey, readPublicKey } from './public-key.ts';

/** RFC 8301 §3.2: verifiers may take no shorter keys, signers should use no shorter ones. */
const RSA_BITS_MIN = 1024;
const RSA_BITS_ADVISED = 2048;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const COPY_AGAIN = 'Copy the key again, without quotes, line numbers and "-----BEGIN"';

/** A key is too long to be quoted. */
const strayIn = (value: string): string => {
  const stray = strayCharacter(value);
  return stray === '' ? '' : `: ${stray} is not a plain ASCII character`;
};

/** Judges `k=` and `p=`: RFC 6376 §3.6.1, RFC 8301, RFC 8463. `isWildcard`: the record stands for every selector without one of its own. */
export function judgeKey(list: TagList, keyType: string, isWildcard: boolean): { key: DkimPublicKey | undefined; issues: DkimIssue[] } {
  const issues = judgeKeyType(keyType);
  const published = tagValue(list, 'p');
  const failed = (issue: DkimIssue) => ({ key: undefined, issues: [...issues, issue] });
  if (published === undefined && isMisnamed(list, 'p')) return { key: undefined, issues }; // said of all such tags
  if (published === undefined)
    return failed(error('MISSING_P_TAG', 'The public key is missing. Add p= with the key of your mail provider'));
  const base64 = published.replace(/[ \t\r\n]+/g, ''); // white space may fold it anywhere
  if (base64 === '') return failed(judgeRevocation(isWildcard));
  if (!BASE64.test(base64) || base64.replace(/=+$/, '').length % 4 === 1)
    return failed(error('INVALID_P_TAG_CHARS', `p= is not base64${strayIn(published)}. ${COPY_AGAIN}`));
  if (keyType !== 'rsa' && keyType !== 'ed25519') return { key: undefined, issues };
  const key = readPublicKey(keyType, Buffer.from(base64, 'base64'));
  if (typeof key === 'string') return failed(error('PUBLIC_KEY_NOT_VALID', `The public key cannot be used: ${key}`));
  return { key, issues: [...issues, ...judgeStrength(key)] };
}

function judgeRevocation(isWildcard: boolean): DkimIssue {
  return isWildcard
    ? information(
        'PUBLIC_KEY_REVOKED',
        'Every selector that has no key of its own is declared revoked: right for a domain that sends no mail. Where it sends some, ask again with the selector that stands in s= of the DKIM-Signature',
      )
    : error(
        'PUBLIC_KEY_REVOKED',
        'An empty p= says that the key was revoked: signatures of this selector fail. Sign with another selector',
      );
}

function judgeKeyType(keyType: string): DkimIssue[] {
  if (keyType === 'rsa' || keyType === 'ed25519') return [];
  return [error('INVALID_K_TAG_CHARS', `Verifiers know the key types rsa and ed25519, not ${quoted(keyType)}. Correct k=`)];
}

function judgeStrength({ type, bits }: DkimPublicKey): DkimIssue[] {
  if (type !== 'rsa' || bits >= RSA_BITS_ADVISED) return [];
  return bits < RSA_BITS_MIN
    ? [
        error(
          'WEAK_PUBLIC_KEY_BITS',
          `The key has ${bits} bits; verifiers refuse less than ${RSA_BITS_MIN}. Create one of ${RSA_BITS_ADVISED} bits`,
        ),
      ]
    : [warning('WEAK_PUBLIC_KEY_BITS', `The key has ${bits} bits; ${RSA_BITS_ADVISED} are advised (RFC 8301 §3.2). Create a new one`)];
}
