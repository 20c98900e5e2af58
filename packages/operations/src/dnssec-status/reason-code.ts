import { Enum } from '@vedette/contract';
import { DNSSEC_REASONS, type DnssecReason } from '@vedette/mail/dnssec';

export const Code = Enum(Object.keys(DNSSEC_REASONS) as DnssecReason[], {
  title: 'DnssecReason',
  description: 'Code of the failure; absent if the chain is intact. docs/dnssec-status.md explains each code',
});
