import { type ExitEndpoint, isLoopback, listOf, parseHttpUrl } from '@vedette/contract';
import { type Role, ROLES } from '@vedette/ledger';
import { Setting, type SettingsReader } from '@vedette/process/settings';
import { Type } from 'typebox';

const ISSUER = 'VEDETTE_OIDC_ISSUER';
/** The role of all who can sign in: it spends nothing. */
const DEFAULT_ROLES = '*=viewer';
const SECRETS = ['VEDETTE_OIDC_CLIENT_SECRET', 'VEDETTE_OIDC_CLIENT_SECRET_FILE'] as const;

export const SIGN_IN_SETTINGS = {
  [ISSUER]: Type.Optional(
    Setting.text(
      'Issuer URL of the OpenID provider by which people sign in to the console (docs/sign-in.md), https, or http for a laboratory. It may stand in an inner network, without VEDETTE_ALLOW_NETS. Unset = API keys alone',
    ),
  ),
  VEDETTE_OIDC_CLIENT_ID: Type.Optional(Setting.text('Id by which the OpenID provider knows Vedette')),
  VEDETTE_OIDC_CLIENT_SECRET: Type.Optional(Setting.text('Secret of VEDETTE_OIDC_CLIENT_ID')),
  VEDETTE_OIDC_CLIENT_SECRET_FILE: Type.Optional(
    Setting.text('File with the secret of VEDETTE_OIDC_CLIENT_ID, so that it need not be in the environment'),
  ),
  VEDETTE_OIDC_SCOPES: Setting.text('Scopes that the OpenID provider is asked for, separated by spaces', 'openid profile email'),
  VEDETTE_OIDC_GROUPS_CLAIM: Setting.text("Claim of the ID token that holds a person's groups: a list of strings, or one string", 'groups'),
  VEDETTE_OIDC_ROLES: Setting.text(
    'Roles of groups, as group=role,…, where a role is viewer, analyst or operator, and the group * is all who sign in; the highest one counts, and a person without a role is refused',
    DEFAULT_ROLES,
  ),
  VEDETTE_OIDC_ACCOUNT: Setting.text('Id of the account that pays for what signed-in people ask', 'bootstrap'),
  VEDETTE_PUBLIC_URL: Type.Optional(
    Setting.text(
      'Where people reach the console, as https://host[:port]; http on the loopback alone. Unset = the API listener where it is on the loopback, without TLS; needed with VEDETTE_OIDC_ISSUER elsewhere',
    ),
  ),
};

/** How people sign in. */
export interface SignIn {
  issuer: URL;
  /** The issuer's host and port. */
  server: ExitEndpoint;
  clientId: string;
  secret: string;
  /** Pairs of a group and its role. */
  roles: readonly (readonly [group: string, role: Role])[];
  /** Where people reach the console: an origin. */
  origin: string;
}

/** Reads how people sign in; undefined where they do not. */
export function readSignIn(reader: SettingsReader): SignIn | undefined {
  const issuer = reader.value(ISSUER, parseIssuer);
  const clientId = reader.value('VEDETTE_OIDC_CLIENT_ID', (text) => text);
  const secrets = [reader.value(SECRETS[0], (text) => text), reader.file(SECRETS[1], (text) => text.trim())].filter((secret) => secret);
  const roles = reader.value('VEDETTE_OIDC_ROLES', parseRoles) ?? parseRoles(DEFAULT_ROLES);
  const origin = reader.value('VEDETTE_PUBLIC_URL', parseOrigin) ?? localOrigin(reader);
  if (!reader.isSet(ISSUER)) return undefined;
  if (secrets.length !== 1) reader.problem(`${ISSUER} wants one of ${SECRETS.join(' and ')}`);
  const needed = { VEDETTE_OIDC_CLIENT_ID: clientId, VEDETTE_PUBLIC_URL: origin };
  for (const [name, value] of Object.entries(needed))
    if (value === undefined && !reader.isSet(name)) reader.problem(`${ISSUER} wants ${name}`);
  if (reader.value('VEDETTE_DOCS', (text) => text) === 'off')
    reader.problem(`${ISSUER} wants the console, which VEDETTE_DOCS=off switches off`);
  const [secret] = secrets;
  if (!issuer || !clientId || !secret || !origin) return undefined;
  return { ...issuer, clientId, secret, roles, origin };
}

function parseIssuer(text: string): { issuer: URL; server: ExitEndpoint } {
  const target = parseHttpUrl(text);
  if (!target || /[?#]|\/\.well-known\//.test(text))
    throw new Error('not an http or https URL without user, query, fragment and /.well-known/');
  return { issuer: target.url, server: { host: target.host, port: target.port } };
}

function parseRoles(text: string): [string, Role][] {
  return listOf(text).map((piece) => {
    const at = piece.lastIndexOf('=');
    const role = ROLES.find((name) => name === piece.slice(at + 1));
    if (at < 1 || !role) throw new Error(`${JSON.stringify(piece)} is not group=role, with one of the roles ${ROLES.join(', ')}`);
    return [piece.slice(0, at), role];
  });
}

/** The origin of the API listener, where browsers of this machine alone reach it. */
function localOrigin(reader: SettingsReader): string | undefined {
  const asIs = (text: string): string => text;
  const host = reader.value('VEDETTE_HOST', asIs) ?? '127.0.0.1';
  const port = reader.value('VEDETTE_PORT', asIs) ?? '8080';
  if (!isLoopback(host) || port === '0' || reader.isSet('VEDETTE_TLS_CERT_FILE')) return undefined;
  return URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)?.origin;
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || url.href !== `${url.origin}/` || !/^https?:$/.test(url.protocol)) throw new Error('not https://host[:port]');
  // Browsers keep no cookie of ours for it otherwise, and anybody between could read it.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw new Error('http is for the loopback alone');
  return url.origin;
}
