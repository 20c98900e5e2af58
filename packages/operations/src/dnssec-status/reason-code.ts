import { Enum } from '@vedette/contract';
import { DNSSEC_REASONS, type DnssecReason } from '@vedette/mail/dnssec';

export const Code = Enum(Object.keys(DNSSEC_REASONS) as DnssecReason[], {
  title: 'DnssecReason',
  description: 'What is wrong; absent when nothing is. docs/dnssec-status.md explains each',
});
