import { Issues } from '@vedette/contract';
import { DKIM_ISSUES } from '@vedette/mail/dkim';
import { Type } from 'typebox';

export const DkimReport = Type.Object({
  selector: Type.String({
    description: 'As asked for, or as found; `*` where a wildcard answers for every selector; empty when none was found',
  }),
  host: Type.String({ description: 'The host that was asked about, in lower case and A-labels' }),
  dkim_host: Type.String({ description: 'selector._domainkey.domain' }),
  cname_target: Type.String({ description: 'Where dkim_host points to; empty when it is no alias' }),
  has_dkim_record: Type.Boolean({
    description: 'There is a DKIM key record at dkim_host. With RECORD_NOT_ANSWERED, false means that nobody knows',
  }),
  dkim_record: Type.String({ description: 'The record as published; empty when there is none' }),
  dkim_records_count: Type.Integer({ description: 'One is expected' }),
  version: Type.String({ description: 'DKIM1 unless the record says otherwise' }),
  key_type: Type.String({ description: 'rsa unless the record says otherwise' }),
  key_bits: Type.Integer({ description: 'Size of the RSA modulus, 256 for Ed25519; 0 when the key cannot be read' }),
  issues_found: Issues('DkimIssue', DKIM_ISSUES),
  valid: Type.Boolean({ description: 'There is one key that verifiers can use: no issue of type error' }),
  selectors_tried: Type.Integer({ description: 'Known selectors that were asked for; 0 when the request names one' }),
  search_pruned: Type.Boolean({
    description: 'Only the most common selectors were asked for, since the domain itself does not exist (RFC 8020)',
  }),
  dns_error: Type.String({
    description: 'A question that the DNS did not answer, so a key may be missing here; empty when all was answered',
  }),
});
