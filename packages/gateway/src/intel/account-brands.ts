import { ApiError, BoundedMap } from '@vedette/contract';
import { problemsOf, readBrands } from '@vedette/intel/datasets';
import { type Brands, brandsOver } from '@vedette/intel/identity';
import type { Names } from '@vedette/intel/ports';
import type { Account, Admin, AdminRoute } from '@vedette/ledger';
import { Type } from 'typebox';

const BRANDS_MAX = 200;
const BYTES_MAX = 20_000;
/** Tables of accounts that are kept: small ones over the common table, made in a millisecond. */
const TABLES_MAX = 1_000;

/** Gives an account the common knowledge of names, and its own brands over it. No other account sees these. */
export function namesOfAccounts(names: Names): (account: Account) => Names {
  const kept = new BoundedMap<string, { text: string; base: Brands; names: Names }>(TABLES_MAX);
  return ({ id, brands: text }) => {
    if (text === '') return names;
    const base = names.brands();
    const known = kept.get(id);
    if (known?.text === text && known.base === base) return known.names;
    const table = brandsOver(base, readBrands(text).lines.join('\n'));
    const own = { ...names, brands: () => table };
    kept.set(id, { text, base, names: own });
    return own;
  };
}

const AccountId = Type.String({ minLength: 1, maxLength: 63 });

/** Calls of the admin API about the brands of accounts. */
export const brandRoutes = (admin: Admin): AdminRoute[] => [
  {
    method: 'GET',
    path: '/admin/accounts/:id/brands',
    param: AccountId,
    handle: ({ param }) => admin.brandsOfAccount(param),
  },
  {
    method: 'PUT',
    path: '/admin/accounts/:id/brands',
    param: AccountId,
    fileBytes: () => BYTES_MAX,
    handle: ({ param, file, by }) => admin.setBrandsOfAccount(by, param, checked(file)),
  },
];

/** The text of a file of brands. Throws `ApiError` for one with an invalid line, or with too many. */
function checked(file: Uint8Array): string {
  const text = new TextDecoder().decode(file);
  const { lines, problems } = readBrands(text);
  if (problems.length > 0) throw new ApiError('invalid_parameter', `brands: ${problemsOf(problems)}`);
  if (text.includes('\0')) throw new ApiError('invalid_parameter', 'brands: it is not text');
  if (lines.length > BRANDS_MAX)
    throw new ApiError('invalid_parameter', `brands: there are ${lines.length}, and at most ${BRANDS_MAX} are taken`);
  return text;
}
