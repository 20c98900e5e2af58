import { plainEnvironment } from '@vedette/process/environment';
import { expect, it } from 'vitest';

it('hands on what every program may know, and the settings that are named', () => {
  const env = {
    PATH: '/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    NODE_AUTH_TOKEN: 'secret',
    PGPASSWORD: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    VEDETTE_ADMIN_TOKEN: 'secret',
    VEDETTE_CACHE: 'off',
  };
  const plain = { PATH: '/bin', LC_ALL: 'C', TZ: 'UTC', NODE_EXTRA_CA_CERTS: '/ca.pem' };
  expect(plainEnvironment(env)).toEqual(plain);
  expect(plainEnvironment(env, ['VEDETTE_CACHE', 'VEDETTE_HOST'])).toEqual({ ...plain, VEDETTE_CACHE: 'off' });
});
