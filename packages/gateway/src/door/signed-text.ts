import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs texts that browsers keep for us. */
export interface Signer {
  sign(text: string): string;
  /** The text; undefined where we have not signed it. */
  verified(signed: string): string | undefined;
}

/** A signer by the secret that all gateways have; each purpose has a key of its own. */
export function signer(secret: string, purpose: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const tagOf = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    sign: (text) => `${text}.${tagOf(text).toString('base64url')}`,
    verified(signed) {
      const [text = '', tag = ''] = signed.split('.', 2);
      const sent = Buffer.from(tag, 'base64url');
      const right = tagOf(text);
      return sent.length === right.length && timingSafeEqual(sent, right) ? text : undefined;
    },
  };
}
