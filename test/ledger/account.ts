import type { Account } from '@vedette/ledger';

/** An account that may do what every plan includes, from everywhere. */
export const accountOf = (id: string, keyId = 'k', name = 'n'): Account => ({
  id,
  keyId,
  name,
  allowedOperations: null,
  allowedCidrs: null,
  unmeteredProbe: false,
  portScan: false,
  brands: '',
});
