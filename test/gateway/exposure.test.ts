import { expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/config/config.ts';
import { exposureWarnings } from '../../packages/gateway/src/config/exposure.ts';

const warned = (env: Record<string, string>) => exposureWarnings(readConfig(env).settings).map((text) => /VEDETTE_\w+/.exec(text)![0]);

it.each([
  ['what only this machine can reach', {}, []],
  ['IPv6 loopback by number', { VEDETTE_HOST: '::1', VEDETTE_OPS_HOST: 'localhost' }, []],
  ['an API on every address, in clear and anonymous', { VEDETTE_HOST: '0.0.0.0' }, ['VEDETTE_CONTACT', 'VEDETTE_TLS_CERT_FILE']],
  [
    'one behind a proxy that can be asked about',
    { VEDETTE_HOST: '::', VEDETTE_TRUSTED_PROXIES: '192.0.2.1', VEDETTE_CONTACT: 'a@b.test' },
    [],
  ],
  ['the operators’ listener', { VEDETTE_OPS_HOST: '192.0.2.7' }, ['VEDETTE_OPS_HOST']],
])('warns of %s as it deserves', (_what, env, warnings) => {
  expect(warned(env)).toEqual(warnings);
});
