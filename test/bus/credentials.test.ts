import { createNkey, publicKeyOf } from '@vedette/bus';
import { nkeys } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { seesReady, startAgent, startGateway } from './world.ts';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** A NATS JWT, as nsc writes it (ADR-14 of nats-architecture-and-design). */
function jwt(subject: KeyPair, issuer: KeyPair, type: string, more: object = {}): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { jti: subject.getPublicKey(), iat: 1, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name: type };
  const nats = { type, version: 2, ...more };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...claims, nats })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

const LIMITS = { subs: -1, data: -1, payload: -1, conn: -1, imports: -1, exports: -1, wildcards: true, leaf: -1 };
const operator = nkeys.createOperator();
const account = nkeys.createAccount();

/** The text of a `.creds` file. */
function credsFile(): string {
  const user = nkeys.createUser();
  const seed = new TextDecoder().decode(user.getSeed());
  const token = jwt(user, account, 'user', { subs: -1, data: -1, payload: -1 });
  return `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
}

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer(
    (port) => `host: 127.0.0.1
port: ${port}
operator: ${jwt(operator, operator, 'operator')}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${jwt(account, operator, 'account', { limits: LIMITS })} }
`,
  );
});
afterAll(() => server.stop());

it('a gateway and an agent meet with .creds files of a server in operator mode', async () => {
  const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url, credentials: credsFile() });
  const credentials = credsFile();
  const gateway = await startGateway(server.url, {
    credentials: `${credentials}\n*************************************************************\n`,
  });
  await seesReady(gateway.presence, 1);
  const [reply] = await gateway.ask(['eu-fra']);
  expect(reply!.result).toEqual({ host: 'a.test', by: 'fra-1' });
  await gateway.close();
  await agent.bus.close();
});

it('refuses a .creds file whose JWT nobody signed', async () => {
  const [mine, theirs] = [credsFile(), credsFile()];
  const seedOf = (file: string) => /\bSU[A-Z2-7]{56}\b/.exec(file)![0];
  const mixed = mine.replace(seedOf(mine), seedOf(theirs));
  await expect(startGateway(server.url, { credentials: mixed })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
});

it('reads the public key of a seed alone, and of a .creds file', () => {
  const { seed, publicKey } = createNkey();
  expect(publicKeyOf(`${seed}\n`)).toBe(publicKey);
  expect(publicKeyOf(credsFile())).toMatch(/^U[A-Z2-7]{55}$/);
  expect(() => publicKeyOf('nothing')).toThrow('no nkey seed');
});
