import { expect, it } from 'vitest';
import { ADDRESS_USES, MAIL_SENDERS } from '@vedette/intel/addresses';

it('the row of is_major_provider_spf_ip counts the mail providers', () => {
  expect(MAIL_SENDERS).toHaveLength(22);
  expect(ADDRESS_USES.is_major_provider_spf_ip.note).toContain('twenty-two');
});
