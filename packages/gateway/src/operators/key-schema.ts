import { Enum, text } from '@vedette/contract';
import { KeyBody, RotateBody } from '@vedette/ledger';
import { Type } from 'typebox';

const Time = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Names = (description: string) => Type.Union([Type.Array(Type.String()), Type.Null()], { description });

const KEY = {
  id: text('Key id: the middle part of the key, vdt_<id>_…'),
  account: text('Id of the account that pays'),
  name: text('Purpose of the key'),
  state: Enum(['active', 'expired', 'revoked'], { description: 'Whether the key is accepted' }),
  created_at: text('Time of creation, ISO 8601'),
  expires_at: Time('Time when the key ends, ISO 8601; null: never'),
  revoked_at: Time('Time of revocation, ISO 8601; null: none'),
  last_used_at: Time('Time of its last use, ISO 8601, to the minute; null: never'),
  rotated_from: Time('Id of the key that it replaces; null: none'),
  allowed_operations: Names('Operations and permissions that it is restricted to; null: all operations'),
  allowed_cidrs: Names('Client networks that it is restricted to; null: any'),
};

/** The answer of GET /v2/keys. */
export const KeyList = Type.Object(
  {
    keys: Type.Array(Type.Object(KEY, { title: 'Key' }), {
      description: 'Keys without their secrets, oldest first; the newest 1000 if there are more',
    }),
    accounts: Type.Array(Type.Object({ id: text('Account id'), name: text('Name of the account') }, { title: 'KeyAccount' }), {
      description: 'Accounts whose keys are shown; for operators all accounts, at most 1000',
    }),
    permissions: Type.Array(Type.String(), { description: 'Operations and permissions that a key can be restricted to' }),
    may_change: Type.Boolean({ description: 'The client may create, rotate and revoke keys' }),
  },
  { title: 'KeyList' },
);

/** The answer where a key is made. */
export const NewKey = Type.Object(
  { ...KEY, key: text('The whole key. It is shown in this answer only: the service keeps a hash') },
  { title: 'NewKey' },
);

export const RevokedKey = Type.Object(KEY, { title: 'Key' });

const KeyId = Type.String({ pattern: '^[a-z2-7]{16}$', description: 'Key id', examples: ['abcdefghijklmnop'] });

export const CreateBody = Type.Object(KeyBody.properties, { additionalProperties: false, title: 'CreateKeyRequest' });
export const RotateKeyBody = Type.Object(
  { id: KeyId, ...RotateBody.properties },
  { additionalProperties: false, title: 'RotateKeyRequest' },
);
export const RevokeBody = Type.Object({ id: KeyId }, { additionalProperties: false, title: 'RevokeKeyRequest' });

const AccountId = Type.Optional(
  Type.String({ maxLength: 63, description: 'Account; of operators alone. Default: all accounts for an operator, else its own' }),
);

export const KeysQuery = Type.Object({ account: AccountId }, { additionalProperties: false });

const MAX_DAYS = 90;
export const DEFAULT_DAYS = 30;

export const UsageQuery = Type.Object(
  {
    account: AccountId,
    key: Type.Optional(Type.String({ maxLength: 320, description: 'Id of a key; default: all keys' })),
    days: Type.Optional(
      Type.String({ pattern: '^([1-9]|[1-8]\\d|90)$', description: `UTC days, today included: 1 to ${MAX_DAYS}; default ${DEFAULT_DAYS}` }),
    ),
  },
  { additionalProperties: false },
);

const CHARGED = {
  credits: Type.Integer({ description: 'Credits charged' }),
  requests: Type.Integer({ description: 'Requests charged' }),
};

/** The answer of GET /v2/usage. */
export const Usage = Type.Object(
  {
    since: text('First UTC day'),
    until: text('Last UTC day: today'),
    ...CHARGED,
    days: Type.Array(Type.Object({ day: text('UTC day'), ...CHARGED }, { title: 'UsageDay' }), { description: 'Each day, oldest first' }),
    operations: Type.Array(Type.Object({ operation: text('Operation'), ...CHARGED }, { title: 'UsageOperation' }), {
      description: 'Operations with charges, dearest first',
    }),
    keys: Type.Array(
      Type.Object(
        {
          id: text('Key id, or person:<subject> for a person; empty for charges from before keys were noted'),
          name: text('Purpose of the key; empty for a key of the settings'),
          account: text('Id of the account that paid'),
          ...CHARGED,
        },
        { title: 'UsageKey' },
      ),
      { description: 'Keys with charges, dearest first, at most 200' },
    ),
  },
  { title: 'Usage' },
);
