/** Of mailparser, which has no types of its own, what is measured. */
declare module 'mailparser' {
  export function simpleParser(
    message: Uint8Array,
    options?: { skipTextToHtml: boolean; skipImageLinks: boolean; skipTextLinks: boolean },
  ): Promise<{ attachments: readonly unknown[] }>;
}
