import { busRefused } from '@vedette/process/bus-refused';
import { StartError } from '@vedette/process/start-error';
import { expect, it } from 'vitest';

it.each([
  [new Error("'Authorization Violation'"), undefined, /^the message bus wants a key: set VEDETTE_NATS_CREDS/],
  [
    new Error("'Authorization Violation'"),
    './bus/a.nkey',
    /^the message bus does not know the key in \.\/bus\/a\.nkey: VEDETTE_NATS_CREDS/,
  ],
  [new Error('AUTHENTICATION_TIMEOUT'), './bus/a.nkey', /^the message bus does not know the key/],
  // A .creds file whose parts do not belong together.
  [new Error('BAD_CREDS'), './bus/a.creds', /^the message bus does not know the key in \.\/bus\/a\.creds: VEDETTE_NATS_CREDS/],
  [new Error('certificate has expired'), './bus/a.nkey', /^the message bus refused us: certificate has expired$/],
  [undefined, './bus/a.nkey', /^the message bus refused us$/],
])('tells %s as a sentence', (cause, keyFile, sentence) => {
  const error = busRefused(cause, keyFile);
  expect(error).toBeInstanceOf(StartError);
  expect(error.message).toMatch(sentence);
});
