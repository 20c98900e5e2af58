import type { EmlReport } from '@vedette/message/report';
import type { Fields, Mail } from './builder.ts';

type Details = EmlReport['security_details'];

/** What `security_details` says by yes or no. */
export type Flag = { [Name in keyof Details]: Details[Name] extends boolean ? Name : never }[keyof Details];

/** Who hands a message to the server of the receiver, and what that server finds. */
export interface Origin {
  ip: string;
  helo: string;
  /** The name of its address in the DNS; empty where there is none. */
  rdns: string;
  /** MAIL FROM; empty for a bounce. */
  mailFrom: string;
  /** The DKIM signatures, those of the author's domain first; all of them verify. */
  signers: readonly { domain: string; selector: string }[];
  spf: 'pass' | 'fail' | 'softfail' | 'none';
  /** `p=` and `sp=` of the author's domain, and whether the message is aligned with it; without, the domain publishes none. */
  dmarc?: { result: 'pass' | 'fail'; p: 'none' | 'quarantine' | 'reject'; sp: 'none' | 'quarantine' | 'reject' };
  /** Without encryption where it is said so. */
  plain?: true;
}

/** What an analyst would say of a message: written by hand, everything that is not here is false, empty or low. */
export interface Verdict {
  flags?: readonly Flag[];
  urgency?: Details['urgency'];
  /** Hosts of all URLs, and of where they lead. */
  hosts?: readonly string[];
  redirects?: readonly string[];
  directDownloads?: readonly string[];
  withIpHost?: readonly string[];
  phones?: readonly string[];
  bitcoin?: readonly string[];
  /** Of the sender, of the answer's address and of the URLs: those that imitate a brand's. */
  lookalikes?: readonly string[];
  /** The brands in whose name it speaks, with the parts of it that do. */
  impersonations?: readonly string[];
  /** Names of the attached files; what is in them is behind each: `papers.zip: offer.docx, prices.xlsx`. */
  files?: readonly string[];
}

/** A message as its sender wrote it, before any receiver has put his fields onto it. */
export interface Letter {
  name: string;
  origin: Origin;
  mail: Mail | { fields: Fields; /** With fields of its own. */ body: Buffer };
  says: Verdict;
}

/** A DKIM-Signature field's value as a signer folds it. The signature is of the right length, and nobody's. */
export const signature = (domain: string, selector: string): string =>
  [
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};`,
    'h=from:to:subject:date:message-id:mime-version:content-type:list-unsubscribe;',
    'bh=Ktd4Yk0aXvGdlxRyo2BGHhtlm0UDSzgMdLmh4zoB0Xc=;',
    `b=${'Vq3cW9yLqGx1H0bJpZk5S8uT2eR7dN4m'.repeat(5)}`,
    ' QmFzZTY0IG9mIG5vYm9keQ==',
  ].join('\r\n ');

/** Names the domain after the at sign; empty without one. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
