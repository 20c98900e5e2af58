import { StartError } from '../settings/start-error.ts';

const ABOUT_THE_KEY = /authori[sz]ation|authentication|bad_creds/i;

/** The message for a message bus that refuses us, at the start or later. `keyFile` is VEDETTE_NATS_CREDS. */
export function busRefused(cause: unknown, keyFile: string | undefined): StartError {
  const why = cause instanceof Error ? cause.message : '';
  if (!ABOUT_THE_KEY.test(why)) return new StartError(`the message bus refused us${why === '' ? '' : `: ${why}`}`, { cause });
  return new StartError(
    keyFile === undefined
      ? 'the message bus wants a key: set VEDETTE_NATS_CREDS to the file that `vedette bus prepare` wrote for this process'
      : `the message bus does not know the key in ${keyFile}: VEDETTE_NATS_CREDS must name a file that \`vedette bus prepare\` wrote for it, and the nats-server must have read its configuration since`,
    { cause },
  );
}
